//! Formats the text of `printf`: conversions of integers, characters and strings. Other conversions are not modelled.

use super::{Call, strings};
use crate::exec::ctx::Ctx;
use crate::layout::Shape;
use crate::outcome::Step;
use crate::value::{Pointer, Val};
use backedge_ir::int::Int;

/// Maximum length of a text in bytes: each byte of output is an event. The text of a longer one is not known.
const MAX_TEXT: usize = 4096;

/// A conversion specification after its `%`.
#[derive(Default)]
struct Conversion {
    left: bool,
    zeros: bool,
    width: usize,
    precision: Option<usize>,
    /// Width of an integer in bits.
    bits: u32,
    letter: u8,
}

/// Formats the string that argument `at` points to with the arguments after it. `None` if it is not modelled.
pub(super) fn text(ctx: &mut Ctx<'_, '_>, call: Call<'_>, at: usize) -> Step<Option<Vec<u8>>> {
    let start = call.pointer(at)?;
    let len = strings::length(ctx, start, u64::MAX)?;
    if len > MAX_TEXT as u64 {
        return Ok(None);
    }
    let Some(format) = strings::text(ctx, start, len)? else { return Ok(None) };
    let (mut rest, mut next, mut text) = (&format[..], at + 1, Vec::new());
    while let Some((&first, more)) = rest.split_first() {
        rest = more;
        if first != b'%' {
            text.push(first);
            continue;
        }
        let pointer_bits = ctx.memory.pointer_bits;
        let Some((conversion, more)) = parse(rest, pointer_bits) else { return Ok(None) };
        rest = more;
        if conversion.letter == b'%' {
            text.push(b'%');
            continue;
        }
        let Some(piece) = convert(ctx, call, next, &conversion)? else { return Ok(None) };
        next += 1;
        pad(&mut text, &piece, &conversion);
        if text.len() > MAX_TEXT {
            return Ok(None);
        }
    }
    Ok(Some(text))
}

fn parse(mut rest: &[u8], pointer_bits: u32) -> Option<(Conversion, &[u8])> {
    let mut conversion = Conversion { bits: 32, ..Conversion::default() };
    while let Some((flag @ (b'-' | b'0'), more)) = rest.split_first() {
        if *flag == b'-' {
            conversion.left = true
        } else {
            conversion.zeros = true
        }
        rest = more;
    }
    let number = |rest: &mut &[u8]| {
        let mut number = 0usize;
        while let Some((digit @ b'0'..=b'9', more)) = rest.split_first() {
            number = number * 10 + usize::from(digit - b'0');
            *rest = more;
            if number > MAX_TEXT {
                return None;
            }
        }
        Some(number)
    };
    conversion.width = number(&mut rest)?;
    if let Some((b'.', more)) = rest.split_first() {
        rest = more;
        conversion.precision = Some(number(&mut rest)?);
    }
    if let Some(more) = rest.strip_prefix(b"ll") {
        (conversion.bits, rest) = (64, more);
    } else if let Some((b'l' | b'z' | b't', more)) = rest.split_first() {
        (conversion.bits, rest) = (pointer_bits, more);
    } else if let Some((b'j', more)) = rest.split_first() {
        (conversion.bits, rest) = (64, more);
    }
    let (&letter, more) = rest.split_first()?;
    conversion.letter = letter;
    let plain = conversion.bits == 32 && conversion.precision.is_none();
    let known = match letter {
        b'd' | b'i' | b'u' | b'x' | b'X' => conversion.precision.is_none(),
        b's' => conversion.bits == 32 && !conversion.zeros,
        b'c' => plain && !conversion.zeros,
        b'%' => plain && conversion.width == 0 && !conversion.left && !conversion.zeros,
        _ => false,
    };
    known.then_some((conversion, more))
}

fn convert(ctx: &mut Ctx<'_, '_>, call: Call<'_>, at: usize, how: &Conversion) -> Step<Option<Vec<u8>>> {
    let (Some(value), Some(shape)) = (call.args.get(at), call.op.arg_shapes.get(at)) else { return Ok(None) };
    if how.letter == b's' {
        let Val::Ptr(start) = value else { return Ok(None) };
        return string(ctx, *start, how.precision);
    }
    if *shape != Shape::Int(how.bits) {
        return Ok(None);
    }
    let Val::Bits(bits) = value else { return Ok(None) };
    let x = Int::new(how.bits, (*bits).into());
    Ok(Some(match how.letter {
        b'c' => vec![x.bits() as u8],
        b'd' | b'i' => x.signed().to_string().into_bytes(),
        b'u' => x.bits().to_string().into_bytes(),
        b'x' => format!("{:x}", x.bits()).into_bytes(),
        _ => format!("{:X}", x.bits()).into_bytes(),
    }))
}

fn string(ctx: &mut Ctx<'_, '_>, start: Pointer, precision: Option<usize>) -> Step<Option<Vec<u8>>> {
    let most = precision.map_or(u64::MAX, |n| n as u64);
    let len = if most == 0 { 0 } else { strings::length(ctx, start, most)? };
    strings::text(ctx, start, len.min(MAX_TEXT as u64 + 1))
}

fn pad(text: &mut Vec<u8>, piece: &[u8], how: &Conversion) {
    let missing = how.width.saturating_sub(piece.len());
    let zeros = how.zeros && !how.left;
    let (sign, digits) = match piece.split_first() {
        Some((b'-', digits)) if zeros => (&piece[..1], digits),
        _ => (&piece[..0], piece),
    };
    let fill = std::iter::repeat_n(if zeros { b'0' } else { b' ' }, missing);
    text.extend(sign);
    if how.left {
        text.extend(digits);
        text.extend(fill);
    } else {
        text.extend(fill);
        text.extend(digits);
    }
}
