//! What exactly a 400 refuses.
//!
//! The message can have passed through several gateways, each of which quoted it into JSON once
//! more, and through a terminal that wrapped it. It is read in one plain form, and without the parts
//! that recommend something: what is recommended is not what was refused.

use crate::reason::ClaudeReason;

/// Words for a field that the server does not know.
const UNKNOWN_FIELD: [&str; 17] = [
    "additional properties are not allowed",
    "extra fields not permitted",
    "extra inputs are not permitted",
    "unexpected field",
    "unexpected keyword",
    "unexpected parameter",
    "unexpected property",
    "unknown argument",
    "unknown field",
    "unknown key",
    "unknown name",
    "unknown parameter",
    "unknown property",
    "unrecognized field",
    "unrecognized key",
    "unrecognized request argument",
    "unsupported parameter",
];

/// Names of a beta; alone they need no word for the refusal.
const BETA: [&str; 4] = ["anthropic-beta", "anthropic_beta", "beta", "betas"];

const THINKING: [&str; 2] = ["budget_tokens", "thinking"];

const OUTPUT_CONFIG: [&str; 3] = ["effort parameter", "output_config", "output_format"];

/// Words with which a recommendation begins.
const RECOMMENDING: [&str; 13] = [
    "consider",
    "consult",
    "did you mean",
    "instead",
    "migrate",
    "please",
    "prefer",
    "recommend",
    "recommended",
    "see",
    "switch",
    "try",
    "use",
];

/// Words before `use` that make it no recommendation: `cannot use`, `forces tool use`.
const NOT_RECOMMENDING: [&str; 6] = ["can't", "cannot", "could", "not", "to", "tool"];

/// Words that refuse.
const REFUSING: [&str; 21] = [
    "can't",
    "cannot",
    "deprecated",
    "does not",
    "exceeds",
    "expected",
    "invalid",
    "is not",
    "may not",
    "missing",
    "must",
    "not allowed",
    "not available",
    "not permitted",
    "not supported",
    "only",
    "required",
    "too",
    "unexpected",
    "unknown",
    "unsupported",
];

/// Words that make what follows a circumstance and not the subject.
const CIRCUMSTANTIAL: [&str; 8] = [
    "and", "if", "or", "unless", "when", "while", "with", "without",
];

/// Longest rest of a field's path that is followed, in bytes.
const PATH_BOUND: usize = 128;

/// Tells a 400 apart by its text.
pub(super) fn refine(text: &str) -> ClaudeReason {
    refine_named(text).unwrap_or(ClaudeReason::Http400)
}

/// Like [`refine`], but none if the text names nothing known.
pub(super) fn refine_named(text: &str) -> Option<ClaudeReason> {
    let whole = normalised(text);
    let complaint = without_recommendations(&whole);
    // A message that only recommends complains of what it names.
    let scope = if first_of(&complaint, &REFUSING).is_some() {
        &complaint
    } else {
        &whole
    };
    if first_of(scope, &BETA).is_some() {
        return Some(ClaudeReason::UnsupportedBeta);
    }
    if UNKNOWN_FIELD.iter().any(|words| scope.contains(words)) {
        return Some(ClaudeReason::UnknownField);
    }
    subject(scope)
}

/// Lower case, without escapes, on one line.
fn normalised(text: &str) -> String {
    joined(&unescaped(text)).to_lowercase()
}

/// Undoes JSON escapes of any depth: a run of backslashes counts as one.
fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        plain.push_str(&rest[..at]);
        rest = rest[at..].trim_start_matches('\\');
        let mut chars = rest.chars();
        match chars.next() {
            Some('n' | 'r') => plain.push('\n'),
            Some('t') => plain.push('\t'),
            Some('u') if unicode_escape(chars.as_str()).is_some() => {
                plain.extend(unicode_escape(chars.as_str()));
                chars = chars.as_str()[4..].chars();
            }
            Some(other) => plain.push(other),
            None => {}
        }
        rest = chars.as_str();
    }
    plain.push_str(rest);
    plain
}

fn unicode_escape(digits: &str) -> Option<char> {
    let (digits, _) = digits.split_at_checked(4)?;
    char::from_u32(u32::from_str_radix(digits, 16).ok()?)
}

/// Joins wrapped lines with a space, or with nothing where the wrap follows a hyphen.
///
/// Such a hyphen is the wrap's own, except in the one name that has one.
fn joined(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    let mut gap = "";
    for word in text.split_inclusive(char::is_whitespace) {
        let (word, space) = word.split_at(word.trim_end().len());
        if word.is_empty() {
            gap = if space.contains('\n') { "\n" } else { gap };
            continue;
        }
        let split_word = gap == "\n"
            && line.ends_with('-')
            && line[..line.len() - 1].ends_with(char::is_alphanumeric)
            && word.starts_with(char::is_alphanumeric);
        if split_word {
            if !ends_with_ignoring_case(&line, "anthropic-") {
                line.pop();
            }
        } else if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
        gap = if space.contains('\n') { "\n" } else { " " };
    }
    line
}

fn ends_with_ignoring_case(text: &str, end: &str) -> bool {
    text.len()
        .checked_sub(end.len())
        .and_then(|at| text.get(at..))
        .is_some_and(|tail| tail.eq_ignore_ascii_case(end))
}

/// Leaves out of every sentence what follows a recommending word.
fn without_recommendations(text: &str) -> String {
    let mut complaint = String::with_capacity(text.len());
    for sentence in sentences(text) {
        let end = recommendation(sentence).unwrap_or(sentence.len());
        complaint.push_str(&sentence[..end]);
        complaint.push(' ');
    }
    complaint
}

/// Splits behind punctuation that a space follows: `thinking.type` is one word.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut start = 0;
    let ends = text
        .match_indices(' ')
        .map(|(at, _)| at)
        .filter(|&at| text[..at].ends_with(['.', ';', '!', '?']))
        .chain([text.len()]);
    ends.map(move |end| &text[std::mem::replace(&mut start, end)..end])
}

fn recommendation(sentence: &str) -> Option<usize> {
    RECOMMENDING
        .iter()
        .flat_map(|words| occurrences(sentence, words))
        .filter(|&at| {
            let before = word_before(sentence, at);
            !(sentence[at..].starts_with("use") && NOT_RECOMMENDING.contains(&before))
        })
        .min()
}

/// What a complaint is about, thinking or the output settings.
fn subject(complaint: &str) -> Option<ClaudeReason> {
    let mentions = mentions(complaint);
    let as_path = mentions.iter().find(|mention| mention.is_path);
    let mut primary: Vec<&Mention> = mentions
        .iter()
        .filter(|mention| !mention.is_circumstance)
        .collect();
    if primary.is_empty() {
        primary = mentions.iter().collect();
    }
    let refusal = first_of(complaint, &REFUSING).unwrap_or(0);
    let before = primary.iter().rev().find(|mention| mention.at < refusal);
    as_path
        .or(before.copied())
        .or(primary.first().copied())
        .map(|mention| mention.reason)
}

struct Mention {
    at: usize,
    reason: ClaudeReason,
    /// `thinking.type: …`, the form in which validators name the field.
    is_path: bool,
    is_circumstance: bool,
}

/// Every place that names thinking or the output settings, in order.
fn mentions(text: &str) -> Vec<Mention> {
    let of = |names: &'static [&'static str], reason| {
        names
            .iter()
            .flat_map(|name| occurrences(text, name).map(move |at| (at, *name)))
            .map(move |(at, name)| Mention {
                at,
                reason,
                is_path: is_path(&text[at + name.len()..]),
                is_circumstance: CIRCUMSTANTIAL.contains(&word_before(text, at)),
            })
    };
    let mut mentions: Vec<Mention> = of(&THINKING, ClaudeReason::InvalidThinking)
        .chain(of(&OUTPUT_CONFIG, ClaudeReason::InvalidOutputConfig))
        .collect();
    mentions.sort_by_key(|mention| mention.at);
    mentions
}

fn is_path(behind: &str) -> bool {
    behind[..behind.floor_char_boundary(PATH_BOUND)]
        .trim_start_matches(|c: char| {
            c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '[' | ']')
        })
        .starts_with(": ")
}

fn word_before(text: &str, at: usize) -> &str {
    let between = |c: char| !(c.is_alphanumeric() || c == '\'');
    let before = text[..at].trim_end_matches(between);
    before.rsplit(between).next().unwrap_or_default()
}

fn first_of(text: &str, names: &[&str]) -> Option<usize> {
    names
        .iter()
        .filter_map(|name| occurrences(text, name).next())
        .min()
}

/// Where the words occur, not as a part of a longer word.
fn occurrences<'a>(text: &'a str, words: &'a str) -> impl Iterator<Item = usize> + use<'a> {
    let goes_on = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    text.match_indices(words)
        .map(|(at, _)| at)
        .filter(move |&at| {
            !text[..at].ends_with(goes_on) && !text[at + words.len()..].starts_with(goes_on)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recommendation_begins_at_its_first_word() {
        for (sentence, at) in [
            ("use output_config", Some(0)),
            ("it is not supported, please use output_config", Some(21)),
            ("it is not recommended", Some(10)),
            ("it cannot use thinking", None),
            ("it forces tool use", None),
            ("it is used up", None),
        ] {
            assert_eq!(recommendation(sentence), at, "{sentence}");
        }
    }

    #[test]
    fn the_subject_is_what_stands_next_before_the_refusal() {
        use ClaudeReason::{InvalidOutputConfig, InvalidThinking};
        for (complaint, reason) in [
            (
                "thinking of output_config is not supported",
                InvalidOutputConfig,
            ),
            (
                "output_config in thinking is not supported",
                InvalidThinking,
            ),
            ("unsupported thinking of output_config", InvalidThinking),
            ("thinking is invalid for output_config", InvalidThinking),
            (
                "thinking is not supported with output_config",
                InvalidThinking,
            ),
            (
                "with output_config set, thinking is invalid",
                InvalidThinking,
            ),
            (
                "with thinking and with output_config: invalid",
                InvalidOutputConfig,
            ),
            // A path says it best, wherever it stands.
            (
                "output_config is invalid: thinking.type: enabled",
                InvalidThinking,
            ),
        ] {
            assert_eq!(subject(complaint), Some(reason), "{complaint}");
        }
        assert_eq!(subject("another field is invalid"), None);
    }

    #[test]
    fn a_path_ends_with_a_colon_and_a_space() {
        for (behind, expected) in [
            (": ", true),
            (".type: enabled", true),
            ("[0].budget_tokens: 1", true),
            (" is invalid: ", false),
            (".type:x", false),
            (".type", false),
        ] {
            assert_eq!(is_path(behind), expected, "{behind}");
        }
        assert!(!is_path(&format!("{}: ", "x".repeat(PATH_BOUND))));
    }
}
