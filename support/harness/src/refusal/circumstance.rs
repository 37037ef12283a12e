//! The circumstances of a refusal that belong to no format of their own.

use crate::closed_set::closed_set;

closed_set! {
    /// What tells cases of one reason apart where no set of faults does.
    pub enum Circumstance(meaning) {
        Absent => "absent", "it does not exist, or is not listed";
        Broken => "broken", "the answer broke off or is not HTTP";
        Changed => "changed", "the file changed while it was read";
        Checkout => "checkout", "the checkout could not be opened";
        Contents => "contents", "the file has other contents";
        Deadline => "deadline", "the command did not end in its time";
        Differs => "differs", "it is not what the evidence sealed";
        DuplicateKey => "duplicate-key", "an object of the JSON document holds a key twice";
        Empty => "empty", "no regular file is under the worktree inputs";
        Failed => "failed", "the command ended with another status than 0";
        Git => "git", "git is absent, stuck or answers in another form";
        InputAbsent => "input-absent", "a worktree input does not exist";
        InputChanged => "input-changed", "a worktree input changed while it was read";
        InputLink => "input-link", "a worktree input is a link, or leads through one";
        InputOutside => "input-outside", "a worktree input is no path below the checkout";
        InputSpecial => "input-special", "a worktree input is neither a regular file nor a directory";
        InputUnreadable => "input-unreadable", "a worktree input could not be read";
        Io => "io", "the system gave another error";
        Link => "link", "a symbolic link";
        NoFileName => "no-file-name", "the path names no file";
        NotADirectory => "not-a-directory", "something else than a directory";
        NotARepository => "not-a-repository", "not the top of a git checkout";
        NotCanonical => "not-canonical", "the path is not the canonical one";
        NotExecutable => "not-executable", "the file has no execute bit";
        NotJson => "not-json", "it is not JSON";
        NotMeasured => "not-measured", "a field of the evidence could not be measured";
        NotRegular => "not-regular", "something else than a regular file";
        NotStarted => "not-started", "the command could not be started";
        NotUtf8 => "not-utf8", "it is not UTF-8";
        Overflow => "overflow", "the command printed more than is read";
        Pattern => "pattern", "something that may stand in no published file";
        ReadOnly => "read-only", "the directory may not be written to";
        Relative => "relative", "the path is not absolute";
        Replaced => "replaced", "another file is at the path";
        Restart => "restart", "the counter did not rise, or fell";
        Rewritten => "rewritten", "what the log held before is no longer the same";
        Setup => "setup", "the HTTP client could not be made";
        Several => "several", "more than one";
        Sha256Repository => "sha256-repository", "the repository names commits by SHA-256";
        Short => "short", "the file is shorter than it was";
        Silent => "silent", "the command printed nothing";
        Status => "status", "another HTTP status than one of those expected";
        Timeout => "timeout", "no complete answer came in time";
        TooLarge => "too-large", "the file is larger than is read";
        TooLong => "too-long", "the body is longer than is read";
        TrailingBytes => "trailing-bytes", "bytes follow the JSON value";
        Truncated => "truncated", "the log became shorter";
        UnbornHead => "unborn-head", "the checkout has no commit";
        Unreachable => "unreachable", "no connection was made";
        Unreadable => "unreadable", "it may not or cannot be read";
        Unsupported => "unsupported", "a system that the smoke does not run on";
    }
}
