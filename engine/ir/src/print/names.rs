//! Prints names as LLVM does: plain if they consist of letters, digits, `-`, `.` and `_` and do not start with a digit,
//! quoted otherwise. Names are in canonical spelling, in which all bytes that need escaping in quotes are already
//! escaped.

/// Whether LLVM's printer writes `name` without quotes. (Its lexer would also accept `$`.)
fn is_plain(name: &str) -> bool {
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'_');
    let bytes = name.as_bytes();
    bytes.first().is_some_and(|b| !b.is_ascii_digit()) && bytes.iter().all(|b| plain(*b))
}

fn is_number(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|b| b.is_ascii_digit())
}

/// Appends `name` without a sigil, quoted if necessary.
pub(super) fn write_name(out: &mut String, name: &str) {
    if is_plain(name) {
        out.push_str(name);
    } else {
        out.push('"');
        out.push_str(name);
        out.push('"');
    }
}

/// Appends the name of an argument, block or result, without `%`. A name of only digits is quoted, because unquoted it
/// would be a number.
pub fn write_local_name(out: &mut String, name: &str) {
    write_name(out, name);
}

/// Appends the name of a global or identified struct, without sigil. The name of a numbered one is its number.
pub fn write_global_name(out: &mut String, name: &str) {
    if is_number(name) {
        out.push_str(name);
    } else {
        write_name(out, name);
    }
}

/// Appends the name of a metadata kind or named node, without `!`; never quoted, special bytes become `\XX`.
pub(super) fn write_metadata_name(out: &mut String, name: &str) {
    let mut rest = name.bytes().enumerate();
    while let Some((at, byte)) = rest.next() {
        let plain = byte.is_ascii_alphabetic() || matches!(byte, b'-' | b'$' | b'.' | b'_');
        if plain || (at > 0 && byte.is_ascii_digit()) {
            out.push(byte.into());
        } else if byte == b'\\' {
            // An escape in canonical spelling: `\` and two digits.
            out.push('\\');
            for (_, digit) in rest.by_ref().take(2) {
                out.push(digit.into());
            }
        } else {
            const HEX: &[u8; 16] = b"0123456789ABCDEF";
            out.push('\\');
            out.push(HEX[usize::from(byte >> 4)].into());
            out.push(HEX[usize::from(byte & 15)].into());
        }
    }
}

/// Appends `number` in decimal.
pub(super) fn write_number(out: &mut String, mut number: u64) {
    let mut digits = [0u8; 20];
    let mut at = digits.len();
    loop {
        at -= 1;
        digits[at] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    out.extend(digits[at..].iter().map(|d| char::from(*d)));
}

/// Appends `number` in decimal.
pub(super) fn write_signed(out: &mut String, number: i64) {
    if number < 0 {
        out.push('-');
    }
    write_number(out, number.unsigned_abs());
}

/// Appends `bits` as `digits` upper-case hexadecimal digits, with leading zeros.
pub(super) fn write_hex(out: &mut String, bits: u128, digits: u32) {
    for place in (0..digits).rev() {
        let digit = (bits >> (4 * place) & 15) as u32;
        out.push(char::from_digit(digit, 16).unwrap_or('?').to_ascii_uppercase());
    }
}
