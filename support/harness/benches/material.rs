//! Files and trees of a given size and shape, made once and kept.

use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

/// A line of a log that is no observation.
const LINE: &[u8] = b"{\"level\":\"info\",\"ts\":1700000000.25,\"caller\":\"edge/node.go:30\",\
    \"msg\":\"node ready\",\"node\":\"standin\",\"engines\":[\"gemini\",\"ornith-fast\"]}\n";

/// A tree of equal files.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    /// Folder that it is kept in.
    pub(crate) name: &'static str,
    /// Folders in its top folder.
    pub(crate) folders: usize,
    /// Folders within each of them, one within the other.
    pub(crate) depth: usize,
    /// Files in each folder of the lowest level.
    pub(crate) files: usize,
    /// Size of each file in bytes.
    pub(crate) size: usize,
}

impl Shape {
    /// The tree, which is made unless it is there.
    pub(crate) fn tree(&self) -> PathBuf {
        kept(self.name, |tree| {
            for folder in 0..self.folders {
                let mut lowest = tree.join(format!("folder-{folder}"));
                for _ in 0..self.depth {
                    lowest.push("below");
                }
                fs::create_dir_all(&lowest).expect("a folder can be made");
                for file in 0..self.files {
                    let mut contents = vec![b'.'; self.size];
                    let unique = format!("{folder}/{file}\n");
                    let length = unique.len().min(self.size);
                    contents[..length].copy_from_slice(&unique.as_bytes()[..length]);
                    let path = lowest.join(format!("file-{file:06}.txt"));
                    fs::write(path, contents).expect("a file can be written");
                }
            }
        })
    }
}

/// A file of at least this size made of log lines, which is made unless it is there.
pub(crate) fn log(name: &str, size: usize) -> PathBuf {
    kept(name, |path| {
        let mut file = BufWriter::new(File::create_new(path).expect("a file can be made"));
        for _ in 0..size.div_ceil(LINE.len()) {
            file.write_all(LINE).expect("a file can be written");
        }
        file.flush().expect("a file can be written");
    })
}

/// So many bytes of log lines that are no observations.
pub(crate) fn lines(size: usize) -> Vec<u8> {
    LINE.repeat(size / LINE.len())
}

/// A path in the kept folder; it is there whole or not at all.
fn kept(name: &str, make: impl FnOnce(&Path)) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("benches");
    let path = folder.join(name);
    if !path.exists() {
        let aside = folder.join(format!("{name}.part"));
        fs::create_dir_all(&folder).expect("a folder can be made");
        // A half-made one of an earlier time.
        let _ = fs::remove_dir_all(&aside);
        let _ = fs::remove_file(&aside);
        make(&aside);
        fs::rename(&aside, &path).expect("it can be moved");
    }
    path
}
