//! Files that change while they are hashed.

use crate::preflight::row::rows;
use crate::watch::cut_once_hashed;

rows! {
    config_emptied: ConfigDigest => "edge-config changed", |t| cut_once_hashed(&t.path("edge.yaml"));
    worktree_input_emptied: SourceWorktree => "source-worktree input-changed", |t| {
        cut_once_hashed(&t.path("checkout/Makefile"));
    };
}
