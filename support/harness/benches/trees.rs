//! Digests of trees: workspaces and worktrees.

use std::path::PathBuf;

use divan::Bencher;
use divan::counter::{BytesCount, ItemsCount};
use harness::digest::{tree, worktree};

use crate::material::Shape;

/// 10.5 KB a file: 20,000 of them are 210 MB.
const SIZE: usize = 10_500;

const SHAPES: [Shape; 6] = [
    Shape {
        name: "files-1000",
        folders: 10,
        depth: 2,
        files: 100,
        size: SIZE,
    },
    Shape {
        name: "files-20000",
        folders: 200,
        depth: 2,
        files: 100,
        size: SIZE,
    },
    Shape {
        name: "files-100000",
        folders: 1000,
        depth: 2,
        files: 100,
        size: SIZE,
    },
    Shape {
        name: "few-large",
        folders: 1,
        depth: 0,
        files: 4,
        size: 100 << 20,
    },
    Shape {
        name: "deep",
        folders: 10,
        depth: 500,
        files: 1,
        size: 100,
    },
    Shape {
        name: "wide",
        folders: 1,
        depth: 0,
        files: 20_000,
        size: 100,
    },
];

#[divan::bench(args = names(), sample_count = 20, sample_size = 1)]
fn workspace(bencher: Bencher<'_, '_>, name: &str) {
    let shape = named(name);
    let root = shape.tree();
    let files = shape.folders * shape.files;
    bencher
        .counter(ItemsCount::new(files))
        .counter(BytesCount::new(files * shape.size))
        .bench(|| tree::digest(&root).expect("it can be read"));
}

#[divan::bench(args = ["files-1000", "files-20000"], sample_count = 20, sample_size = 1)]
fn checkout(bencher: Bencher<'_, '_>, name: &str) {
    let shape = named(name);
    let root = shape.tree();
    let inputs: Vec<PathBuf> = (0..shape.folders)
        .map(|folder| format!("folder-{folder}").into())
        .collect();
    let files = shape.folders * shape.files;
    bencher
        .counter(ItemsCount::new(files))
        .counter(BytesCount::new(files * shape.size))
        .bench(|| worktree::digest(&root, &inputs).expect("it can be read"));
}

fn names() -> impl Iterator<Item = &'static str> {
    SHAPES.iter().map(|shape| shape.name)
}

fn named(name: &str) -> Shape {
    let shape = SHAPES.into_iter().find(|shape| shape.name == name);
    shape.expect("a shape of this name")
}
