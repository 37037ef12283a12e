//! Undoes escapes: those of JSON, and those of URLs and forms.
//!
//! What is no complete escape is copied as it is. Nothing grows, so that an output with the
//! capacity of the input is never moved.

use memchr::{memchr, memchr_iter, memchr2};

/// Appends the bytes without JSON's escapes and says whether there were any.
///
/// `\xNN`, `\u{N…}` and `\'`, as other languages write them, count too. A lone surrogate of
/// those that Python uses for bytes that are not UTF-8 becomes such a byte.
pub(super) fn json(bytes: &[u8], out: &mut Vec<u8>) -> bool {
    let mut rest = bytes;
    let mut changed = false;
    while let Some(position) = memchr(b'\\', rest) {
        out.extend_from_slice(&rest[..position]);
        let escape = &rest[position..];
        let taken = json_escape(escape, out);
        if taken == 0 {
            out.push(b'\\');
        }
        changed |= taken > 0;
        rest = &escape[taken.max(1)..];
    }
    out.extend_from_slice(rest);
    changed
}

/// Appends the bytes with `%NN` decoded and says whether anything changed; in a form, a plus
/// sign stands for a space.
pub(super) fn percent(bytes: &[u8], form: bool, out: &mut Vec<u8>) -> bool {
    let mut rest = bytes;
    let mut changed = false;
    let plus = if form { b'+' } else { b'%' };
    while let Some(position) = memchr2(b'%', plus, rest) {
        out.extend_from_slice(&rest[..position]);
        let escape = &rest[position..];
        let taken = if escape[0] == b'+' {
            out.push(b' ');
            1
        } else if let Some(code) = number(escape, 1, 2) {
            out.push(low_byte(code));
            3
        } else {
            out.push(b'%');
            0
        };
        changed |= taken > 0;
        rest = &escape[taken.max(1)..];
    }
    out.extend_from_slice(rest);
    changed
}

/// Appends the runs in which zero bytes stand between others, without the zero bytes: UTF-16 of
/// either byte order becomes plain where its characters are ASCII. Runs of fewer than
/// four characters are left out; one zero byte follows each run.
pub(super) fn widened(bytes: &[u8], out: &mut Vec<u8>) -> bool {
    let mut run: Option<(usize, usize)> = None;
    for zero in memchr_iter(0, bytes) {
        run = match run {
            Some((first, last)) if zero - last <= 2 => Some((first, zero)),
            _ => {
                narrow(bytes, run, out);
                Some((zero, zero))
            }
        };
    }
    narrow(bytes, run, out);
    !out.is_empty()
}

fn narrow(bytes: &[u8], run: Option<(usize, usize)>, out: &mut Vec<u8>) {
    let Some((first, last)) = run else { return };
    // A run of n zero bytes alternating with others spans about 2 n bytes.
    if last - first < 6 {
        return;
    }
    // One byte more on either side: the zero byte comes last or first in a character.
    let run = &bytes[first.saturating_sub(1)..(last + 2).min(bytes.len())];
    let start = out.len();
    out.extend(run.iter().filter(|byte| **byte != 0));
    if out.len() - start < 4 {
        out.truncate(start);
    } else {
        out.push(0);
    }
}

/// Decodes the escape at the start of the bytes; returns its length, 0 for none.
fn json_escape(escape: &[u8], out: &mut Vec<u8>) -> usize {
    let plain = match escape.get(1) {
        Some(quoted @ (b'"' | b'\\' | b'/' | b'\'')) => *quoted,
        Some(b'b') => 0x08,
        Some(b'f') => 0x0c,
        Some(b'n') => b'\n',
        Some(b'r') => b'\r',
        Some(b't') => b'\t',
        Some(b'u') if escape.get(2) == Some(&b'{') => return braced(escape, out),
        Some(b'u') => return utf16(escape, out),
        Some(b'x') => {
            let Some(code) = number(escape, 2, 2) else {
                return 0;
            };
            out.push(low_byte(code));
            return 4;
        }
        _ => return 0,
    };
    out.push(plain);
    2
}

/// `\u{N…}` with one to six digits.
fn braced(escape: &[u8], out: &mut Vec<u8>) -> usize {
    let Some(digits) = escape
        .iter()
        .take(10)
        .skip(3)
        .position(|byte| *byte == b'}')
    else {
        return 0;
    };
    match number(escape, 3, digits).and_then(char::from_u32) {
        Some(character) => {
            push(character, out);
            digits + 4
        }
        None => 0,
    }
}

/// `\uNNNN`, or two of them that make a surrogate pair.
fn utf16(escape: &[u8], out: &mut Vec<u8>) -> usize {
    let Some(unit) = number(escape, 2, 4) else {
        return 0;
    };
    if let Some(character) = char::from_u32(unit) {
        push(character, out);
        return 6;
    }
    let low = match escape.get(6..8) {
        Some(b"\\u") => number(escape, 8, 4),
        _ => None,
    };
    match (unit, low) {
        (0xd800..=0xdbff, Some(low @ 0xdc00..=0xdfff)) => {
            let code = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
            push(
                char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER),
                out,
            );
            12
        }
        (0xdc80..=0xdcff, _) => {
            out.push(low_byte(unit));
            6
        }
        _ => {
            push(char::REPLACEMENT_CHARACTER, out);
            6
        }
    }
}

fn push(character: char, out: &mut Vec<u8>) {
    out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
}

/// The number that so many hex digits write, of at least one and at most six.
fn number(bytes: &[u8], start: usize, digits: usize) -> Option<u32> {
    let digits = bytes.get(start..start + digits)?;
    if digits.is_empty() {
        return None;
    }
    digits.iter().try_fold(0, |number, digit| {
        Some(number << 4 | char::from(*digit).to_digit(16)?)
    })
}

fn low_byte(code: u32) -> u8 {
    code.to_le_bytes()[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is appended to an output that holds something already, and what is said of it.
    fn undone(undo: impl FnOnce(&mut Vec<u8>) -> bool) -> (Vec<u8>, bool) {
        let mut out = b"before ".to_vec();
        let changed = undo(&mut out);
        (out.split_off(7), changed)
    }

    #[test]
    fn escapes_of_json_are_undone() {
        for (escaped, plain) in [
            (&br#"\"\\\/\'"#[..], &b"\"\\/'"[..]),
            (br"\b\f\n\r\t", b"\x08\x0c\n\r\t"),
            (br"\u0041\x42\u{43}\u{00044}", b"ABCD"),
            (br"\ud83d\ude00", "\u{1f600}".as_bytes()),
            (br"\udbff\udfff", "\u{10ffff}".as_bytes()),
            (br"\udc80\udcff", b"\x80\xff"),
            (br"\udc7f\udd00", "\u{fffd}\u{fffd}".as_bytes()),
            (br"\ud800\u0041", "\u{fffd}A".as_bytes()),
            (br"\ud800x", "\u{fffd}x".as_bytes()),
            (br"a\/b\q\", br"a/b\q\"),
        ] {
            let expected = (plain.to_vec(), true);
            assert_eq!(undone(|out| json(escaped, out)), expected);
        }
    }

    #[test]
    fn what_is_no_escape_of_json_is_left() {
        for text in [
            &br"plain"[..],
            br"\",
            br"\q \0 \a",
            br"\u00 \u004g \x4 \xg1",
            br"\u{} \u{110000} \u{0000041} \u{41",
        ] {
            let expected = (text.to_vec(), false);
            assert_eq!(undone(|out| json(text, out)), expected);
        }
    }

    #[test]
    fn escapes_of_urls_and_forms_are_undone() {
        for (escaped, form, plain, changed) in [
            ("%2Fa%2fb%25", false, "/a/b%", true),
            ("a+b%2B", false, "a+b+", true),
            ("a+b%2B", true, "a b+", true),
            ("a+b", false, "a+b", false),
            ("100% %2 %g1 %", false, "100% %2 %g1 %", false),
            ("100% %2 %g1 %", true, "100% %2 %g1 %", false),
        ] {
            let expected = (plain.as_bytes().to_vec(), changed);
            assert_eq!(
                undone(|out| percent(escaped.as_bytes(), form, out)),
                expected
            );
        }
    }

    #[test]
    fn characters_of_two_bytes_become_plain() {
        for (wide, plain) in [
            (&b"a\0b\0c\0d\0"[..], &b"abcd\0"[..]),
            (b"\0a\0b\0c\0d", b"abcd\0"),
            (b"--a\0b\0c\0d\0 and more", b"abcd \0"),
            (b"a\0b\0c\0d\0----e\0f\0g\0h\0", b"abcd-\0efgh\0"),
            // Three characters, even between others, are too few, and so are zero bytes alone.
            (b"a\0b\0c\0", b""),
            (b"--------a\0b\0c\0d--", b""),
            (b"\0\0\0\0\0\0\0\0", b""),
            (b"a\0b\0c\0d\0----\0\0\0\0\0\0\0\0", b"abcd-\0"),
            (b"plain", b""),
        ] {
            let mut out = Vec::new();
            assert_eq!(widened(wide, &mut out), !plain.is_empty());
            assert_eq!(out, plain, "{wide:?}");
        }
    }
}
