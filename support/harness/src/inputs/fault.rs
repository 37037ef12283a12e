//! What can be wrong with the value of a variable.

use crate::closed_set::closed_set;

closed_set! {
    /// What is wrong with the value of a variable.
    pub enum Fault(words) {
        NotSet => "not-set", "is not set or empty";
        NotUtf8 => "not-utf8", "is not UTF-8";
        Nameless => "nameless", "cannot be read without its variable's name";
        NoRun => "no-run", "is not set, and there is no run to name it after";
        NoRoot => "no-root", "is not set, and there is no suite root";
        NoRepository => "no-repository", "is not set, and the suite stands in no git repository";
        Relative => "relative", "is not an absolute path";
        Outside => "outside", "holds an empty path or one that leads outside";
        Seconds => "seconds", "is not a whole number of seconds from 1 to 3600";
        VariableName => "variable-name", "holds something that is not the name of a variable";
        Reserved => "reserved", "names a variable that begins with ANTHROPIC_ or CLAUDE, or that the run sets itself";
        TooLong => "too-long", "is longer than 256 bytes";
        TooShort => "too-short", "is shorter than 8 bytes";
        Control => "control-character", "holds a line break or another control character";
        Character => "character", "holds a space, a backslash or a control character";
        Scheme => "scheme", "does not begin with http:// or https://";
        UserInfo => "user-info", "holds user information";
        Query => "query", "has a query";
        Fragment => "fragment", "has a fragment";
        Host => "host", "has no valid host and port";
        Path => "path", "has a path: give the origin alone, the client adds /v1/messages itself";
    }
}
