//! Functions on strings and memory.
//!
//! Every byte that a function needs must be readable. If a byte determines how a string function continues, its
//! undefined bits must not matter. A comparison's result specifies only a sign, or only whether there is a
//! difference; the value is a choice among the matching ones.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "`execute` dispatches exhaustively; each family handles its own functions"
)]

use super::record::Question;
use super::{Call, advance, byte, character, equal};
use crate::chooser::UNSIGNED_RESULTS;
use crate::exec::ctx::Ctx;
use crate::memory::Contents;
use crate::outcome::{Step, Stop, UbKind};
use crate::value::{Cube, Pointer, Val};
use backedge_ir::meaning::library::Library;

/// Number of results of a comparison with a specified sign; few enough to try all.
const SIGNED_RESULTS: u32 = 256;

/// Functions that only read.
pub(super) fn look(ctx: &mut Ctx<'_, '_>, which: Library, call: Call<'_>) -> Step<Val> {
    match which {
        Library::StrLen => length(ctx, call.pointer(0)?, u64::MAX).map(|n| call.number(n.into())),
        Library::StrNLen => {
            let most = call.size(1)?;
            if most == 0 {
                Ok(call.number(0))
            } else {
                length(ctx, call.pointer(0)?, most).map(|n| call.number(n.into()))
            }
        }
        Library::WcsLen2 | Library::WcsLen4 => {
            let (start, size) = (call.pointer(0)?, which.character_bytes());
            let mut length = 0;
            while !is_zero(character(ctx, advance(ctx, start, length * size), size)?)? {
                length += 1;
            }
            Ok(call.number(length.into()))
        }
        Library::MemCmp | Library::Bcmp => compare_bytes(ctx, which, call),
        Library::StrCmp => compare_strings(ctx, which, call, u64::MAX),
        Library::StrNCmp => {
            let most = call.size(2)?;
            compare_strings(ctx, which, call, most)
        }
        Library::MemChr => {
            let (wanted, len) = (call.character(1)?, call.size(2)?);
            find(ctx, call, len, wanted)
        }
        Library::StrChr => {
            let wanted = call.character(1)?;
            find_in_string(ctx, call.pointer(0)?, wanted, false)
        }
        _ => {
            let wanted = call.character(1)?;
            find_in_string(ctx, call.pointer(0)?, wanted, true)
        }
    }
}

fn is_zero(character: Cube) -> Step<bool> {
    equal(character, Cube::known(0))
}

/// Number of bytes before the first zero, at most `most`.
pub(super) fn length(ctx: &mut Ctx<'_, '_>, ptr: Pointer, most: u64) -> Step<u64> {
    let mut at = 0;
    while at < most && !is_zero(character(ctx, advance(ctx, ptr, at), 1)?)? {
        at += 1;
    }
    Ok(at)
}

/// Reads `len` bytes, each of which must be readable. `None` if one is not defined.
pub(super) fn text(ctx: &mut Ctx<'_, '_>, start: Pointer, len: u64) -> Step<Option<Vec<u8>>> {
    let mut text = Vec::new();
    for at in 0..len {
        let Val::Bits(bits) = byte(ctx, advance(ctx, start, at))? else { return Ok(None) };
        text.push(bits as u8);
    }
    Ok(Some(text))
}

fn find(ctx: &mut Ctx<'_, '_>, call: Call<'_>, len: u64, wanted: Cube) -> Step<Val> {
    if len == 0 {
        return Ok(Val::Ptr(Pointer::NULL));
    }
    let start = call.pointer(0)?;
    for at in 0..len {
        let here = advance(ctx, start, at);
        if equal(character(ctx, here, 1)?, wanted)? {
            return Ok(Val::Ptr(here));
        }
    }
    Ok(Val::Ptr(Pointer::NULL))
}

fn find_in_string(ctx: &mut Ctx<'_, '_>, start: Pointer, wanted: Cube, last: bool) -> Step<Val> {
    let mut found = Pointer::NULL;
    for at in 0.. {
        let here = advance(ctx, start, at);
        let byte = character(ctx, here, 1)?;
        let is_it = equal(byte, wanted)?;
        if is_it {
            found = here;
        }
        if is_it && !last || is_zero(byte)? {
            break;
        }
    }
    Ok(Val::Ptr(found))
}

/// A result with the sign of `x - y`: a small number, or the one furthest from zero.
fn with_sign(ctx: &mut Ctx<'_, '_>, which: Library, call: Call<'_>, x: u8, y: u8) -> Val {
    if x == y {
        return call.number(0);
    }
    let choice = call.answer(ctx, question(which, call, x, y), SIGNED_RESULTS);
    let size = i128::from(choice) + 1;
    match (choice + 1 == SIGNED_RESULTS, x < y) {
        (true, true) => call.number(i32::MIN as u128),
        (true, false) => call.number(i32::MAX as u128),
        (false, is_below) => call.number(if is_below { -size } else { size } as u128),
    }
}

/// Everything that the result of a comparison depends on; `x` and `y` are the first differing bytes.
fn question(which: Library, call: Call<'_>, x: u8, y: u8) -> Question {
    (which, call.args.to_vec(), i16::from(x) - i16::from(y))
}

/// Chooses a nonzero number: small ones of either sign.
pub(super) fn nonzero(ctx: &mut Ctx<'_, '_>, call: Call<'_>, question: Question) -> u128 {
    let choice = i128::from(call.answer(ctx, question, UNSIGNED_RESULTS));
    let size = choice / 2 + 1;
    (if choice % 2 == 0 { size } else { -size }) as u128
}

fn compare_bytes(ctx: &mut Ctx<'_, '_>, which: Library, call: Call<'_>) -> Step<Val> {
    let len = call.size(2)?;
    if len == 0 {
        return Ok(call.number(0));
    }
    let (a, b) = (call.pointer(0)?, call.pointer(1)?);
    for ptr in [a, b] {
        ctx.memory.check_read(ptr, len, 1).map_err(|kind| ctx.memory.refusal(kind, ptr))?;
    }
    for at in 0..len {
        let (x, y) = (byte(ctx, advance(ctx, a, at))?, byte(ctx, advance(ctx, b, at))?);
        let (Some(x), Some(y)) = (x.cube(), y.cube()) else { return Ok(Val::Poison) };
        let (x, y) = (ctx.narrow(8, x).bits() as u8, ctx.narrow(8, y).bits() as u8);
        if x == y {
            continue;
        }
        if which == Library::MemCmp {
            return Ok(with_sign(ctx, which, call, x, y));
        }
        let result = nonzero(ctx, call, question(which, call, x, y));
        return Ok(call.number(result));
    }
    Ok(call.number(0))
}

fn compare_strings(ctx: &mut Ctx<'_, '_>, which: Library, call: Call<'_>, most: u64) -> Step<Val> {
    if most == 0 {
        return Ok(call.number(0));
    }
    let (a, b) = (call.pointer(0)?, call.pointer(1)?);
    let mut at = 0;
    while at < most {
        let (x, y) = (character(ctx, advance(ctx, a, at), 1)?, character(ctx, advance(ctx, b, at), 1)?);
        if !equal(x, y)? || is_zero(x)? {
            let [x, y] = [x, y].map(|cube| ctx.narrow(8, cube).bits() as u8);
            return Ok(with_sign(ctx, which, call, x, y));
        }
        at += 1;
    }
    Ok(call.number(0))
}

/// Functions that write; they return a pointer or nothing.
pub(super) fn change(ctx: &mut Ctx<'_, '_>, which: Library, call: Call<'_>) -> Step<Option<Val>> {
    let first = call.args.first().cloned().unwrap_or(Val::Poison);
    let shift = |ctx: &mut Ctx<'_, '_>, by| Ok(Some(Val::Ptr(advance(ctx, call.pointer(0)?, by))));
    match which {
        Library::MemCpy | Library::MemMove | Library::MemPCpy => {
            let len = call.size(2)?;
            if len > 0 {
                let (to, from) = (call.pointer(0)?, call.pointer(1)?);
                copy(ctx, to, from, len, which == Library::MemMove)?;
            }
            if which == Library::MemPCpy { shift(ctx, len) } else { Ok(Some(first)) }
        }
        Library::MemSet | Library::Bzero => {
            let zero = Val::Bits(0);
            let (value, len) =
                if which == Library::Bzero { (&zero, call.size(1)?) } else { (&call.args[1], call.size(2)?) };
            if len > 0 {
                let to = call.pointer(0)?;
                let target =
                    ctx.memory.check_write(to, len, 1).map_err(|kind| ctx.memory.refusal(kind, to))?;
                let byte = match value.cube() {
                    Some(cube) => (cube.bits as u8, cube.undef as u8, 0),
                    None => (0, 0, 0xff),
                };
                ctx.memory.allocation_mut(target.alloc).contents_mut().fill_range(
                    target.at,
                    len as usize,
                    byte,
                );
            }
            Ok((which == Library::MemSet).then_some(first))
        }
        _ => {
            let (to, from) = (call.pointer(0)?, call.pointer(1)?);
            let skip = if which == Library::StrCat { length(ctx, to, u64::MAX)? } else { 0 };
            let len = length(ctx, from, u64::MAX)?;
            copy(ctx, advance(ctx, to, skip), from, len + 1, false)?;
            if which == Library::StpCpy { shift(ctx, len) } else { Ok(Some(first)) }
        }
    }
}

/// Copies bytes; overlapping ranges are UB unless `moves`.
pub(super) fn copy(ctx: &mut Ctx<'_, '_>, to: Pointer, from: Pointer, len: u64, moves: bool) -> Step<()> {
    let source = ctx.memory.check_read(from, len, 1).map_err(|kind| ctx.memory.refusal(kind, from))?;
    let target = ctx.memory.check_write(to, len, 1).map_err(|kind| ctx.memory.refusal(kind, to))?;
    let count = len as usize;
    let Some(source) = source else {
        ctx.memory.allocation_mut(target.alloc).contents_mut().set_poison(target.at, count);
        return Ok(());
    };
    let distance = source.at.abs_diff(target.at);
    if source.alloc == target.alloc && distance != 0 && distance < count && !moves {
        return Err(Stop::Ub(UbKind::OverlappingCopy));
    }
    let bytes: Contents = ctx.memory.seen(from.prov, source, count);
    ctx.memory.allocation_mut(target.alloc).contents_mut().copy_from(target.at, &bytes, 0, count);
    Ok(())
}
