//! Undoes encodings that leave no character of the value visible: base64 and hex.
//!
//! Decoding works on streams of digits: a stretch of text that holds nothing else becomes the
//! values of its digits, whatever the alphabet, case and line breaks. A stretch may begin before
//! the encoded value does, so it is decoded from each of the first digits that can matter;
//! a value inside is then complete in one of the outputs, padding or not.

use memchr::memchr;

/// Ends a stretch in a stream of digits.
const BREAK: u8 = 0xff;
/// A character that may stand between digits: line breaks and indentation.
const SKIP: u8 = 0xfe;

/// Shortest base64 stretch that can hold a value of 4 bytes.
const BASE64_LEAST: usize = 6;
/// Shortest hex stretch that can hold a value of 4 bytes.
const HEX_LEAST: usize = 8;

/// Where decoding of a base64 stretch may begin.
pub(super) const BASE64_STARTS: usize = 4;
/// Where decoding of a hex stretch may begin.
pub(super) const HEX_STARTS: usize = 2;

static BASE64: [u8; 256] = base64_digits();
static HEX: [u8; 256] = hex_digits();

/// Appends the base64 stretches of the bytes as digits; false if there are none.
pub(super) fn base64_stretches(bytes: &[u8], digits: &mut Vec<u8>) -> bool {
    stretches(bytes, &BASE64, BASE64_LEAST, digits)
}

/// Appends the hex stretches of the bytes as digits; false if there are none.
pub(super) fn hex_stretches(bytes: &[u8], digits: &mut Vec<u8>) -> bool {
    stretches(bytes, &HEX, HEX_LEAST, digits)
}

/// Appends what the stretches decode to from the given digit on, a zero byte after each.
pub(super) fn base64(digits: &[u8], start: usize, out: &mut Vec<u8>) {
    each_stretch(digits, start, |stretch| {
        let (fours, rest) = stretch.as_chunks::<4>();
        let from = out.len();
        out.resize(from + 3 * fours.len(), 0);
        let (threes, _) = out[from..].as_chunks_mut::<3>();
        for (four, three) in fours.iter().zip(threes) {
            *three = [
                four[0] << 2 | four[1] >> 4,
                four[1] << 4 | four[2] >> 2,
                four[2] << 6 | four[3],
            ];
        }
        // Without padding, two digits more are one byte and three are two.
        if let [first, second, ..] = rest {
            out.push(first << 2 | second >> 4);
        }
        if let [_, second, third] = rest {
            out.push(second << 4 | third >> 2);
        }
        out.push(0);
    });
}

/// Appends what the stretches decode to from the given digit on, a zero byte after each.
pub(super) fn hex(digits: &[u8], start: usize, out: &mut Vec<u8>) {
    each_stretch(digits, start, |stretch| {
        let (pairs, _) = stretch.as_chunks::<2>();
        out.extend(pairs.iter().map(|pair| pair[0] << 4 | pair[1]));
        out.push(0);
    });
}

fn each_stretch(digits: &[u8], start: usize, mut decode: impl FnMut(&[u8])) {
    let mut rest = digits;
    while let Some(end) = memchr(BREAK, rest) {
        decode(&rest[start..end]);
        rest = &rest[end + 1..];
    }
}

fn stretches(bytes: &[u8], table: &[u8; 256], least: usize, digits: &mut Vec<u8>) -> bool {
    let class = |byte: &u8| table[usize::from(*byte)];
    let mut rest = bytes;
    // A stretch from the start of the rest on reaches this far, or there is none: most text is
    // passed over without a look at every byte.
    while let Some(window) = rest.get(..least) {
        if let Some(obstacle) = window.iter().rposition(|byte| class(byte) == BREAK) {
            rest = &rest[obstacle + 1..];
            continue;
        }
        let start = digits.len();
        let mut taken = 0;
        for digit in rest.iter().map(class).take_while(|digit| *digit != BREAK) {
            taken += 1;
            if digit != SKIP {
                digits.push(digit);
            }
        }
        if digits.len() - start < least {
            digits.truncate(start);
        } else {
            digits.push(BREAK);
        }
        rest = &rest[taken..];
    }
    !digits.is_empty()
}

const fn base64_digits() -> [u8; 256] {
    let mut table = skipping(b" \t\r\n");
    let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut digit = 0;
    while digit < alphabet.len() {
        table[alphabet[digit] as usize] = digit as u8;
        digit += 1;
    }
    table[b'-' as usize] = 62;
    table[b'_' as usize] = 63;
    table
}

const fn hex_digits() -> [u8; 256] {
    let mut table = skipping(b" \t\r\n:,-");
    let alphabets = *b"0123456789abcdefABCDEF";
    let mut index = 0;
    while index < alphabets.len() {
        let digit = if index < 16 { index } else { index - 6 };
        table[alphabets[index] as usize] = digit as u8;
        index += 1;
    }
    table
}

const fn skipping(characters: &[u8]) -> [u8; 256] {
    let mut table = [BREAK; 256];
    let mut index = 0;
    while index < characters.len() {
        table[characters[index] as usize] = SKIP;
        index += 1;
    }
    table
}
