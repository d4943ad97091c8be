//! Output: one event per byte, so that functions that write the same text are equivalent.
//!
//! Output events are firm, because a writing function is not guaranteed to return. A failure affects only the result.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "`execute` dispatches exhaustively; each family handles its own functions"
)]

use super::{Call, format, strings};
use crate::exec::ctx::Ctx;
use crate::observe::{Event, EventKind, Stream};
use crate::outcome::{Limit, Step, Stop};
use crate::value::Val;
use backedge_ir::meaning::library::Library;

/// Number of results tried for functions that return any nonnegative number or `EOF`: few enough to try all.
const SOME_RESULTS: u32 = 256;
/// `EOF`, and other results of -1.
const FAILURE: u128 = u128::MAX;

/// Writes the function's output. `None` if the text is not known.
pub(super) fn write(ctx: &mut Ctx<'_, '_>, which: Library, call: Call<'_>) -> Step<Option<Val>> {
    let at = match which {
        Library::FPrintf => Some(0),
        Library::FPuts | Library::FPutC => Some(1),
        Library::FWrite => Some(3),
        _ => None,
    };
    let stream = match at {
        Some(at) => Stream::File(ctx.events.see(ctx.memory, &Val::Ptr(call.pointer(at)?))),
        None => Stream::Standard,
    };
    let text = match which {
        Library::Puts | Library::FPuts => {
            let start = call.pointer(0)?;
            let len = strings::length(ctx, start, u64::MAX)?;
            let Some(mut text) = bytes(ctx, call, len)? else { return Ok(None) };
            if which == Library::Puts {
                text.push(b'\n');
            }
            text
        }
        Library::PutChar | Library::FPutC => match call.args.first() {
            Some(Val::Bits(bits)) => vec![*bits as u8],
            _ => return Ok(None),
        },
        Library::FWrite => {
            let Some(len) = call.size(1)?.checked_mul(call.size(2)?) else { return Ok(None) };
            let text = if len == 0 { Some(Vec::new()) } else { bytes(ctx, call, len)? };
            let Some(text) = text else { return Ok(None) };
            text
        }
        _ => match format::text(ctx, call, usize::from(which == Library::FPrintf))? {
            Some(text) => text,
            None => return Ok(None),
        },
    };
    for byte in &text {
        record(ctx, EventKind::Output { stream: stream.clone(), byte: *byte })?;
    }
    Ok(Some(result(ctx, which, call, &text)?))
}

/// Records a byte of output.
fn record(ctx: &mut Ctx<'_, '_>, kind: EventKind) -> Step<()> {
    if ctx.events.list.len() >= ctx.config.max_events {
        return Err(Stop::Limit(Limit::Events));
    }
    let place = ctx.place();
    ctx.events.note_hidden_write();
    ctx.events.push(&mut ctx.memory.provs, Event { kind, place, firm: true });
    Ok(())
}

/// The `len` bytes to write, limited to the maximum number of events. `None` if one is not defined.
fn bytes(ctx: &mut Ctx<'_, '_>, call: Call<'_>, len: u64) -> Step<Option<Vec<u8>>> {
    let start = call.pointer(0)?;
    strings::text(ctx, start, len.min(ctx.config.max_events as u64 + 1))
}

fn result(ctx: &mut Ctx<'_, '_>, which: Library, call: Call<'_>, text: &[u8]) -> Step<Val> {
    let success = match which {
        Library::PutChar | Library::FPutC => u128::from(call.int(0)?.bits() as u8),
        Library::Printf | Library::FPrintf => text.len() as u128,
        Library::FWrite => {
            let count = call.size(2)?;
            let fewer = u32::try_from(count).unwrap_or(u32::MAX - 1).saturating_add(1);
            let missing = if text.is_empty() { 0 } else { call.choose(ctx, fewer) };
            return Ok(call.number(u128::from(if text.is_empty() { 0 } else { count - u64::from(missing) })));
        }
        _ => {
            let choice = call.choose(ctx, SOME_RESULTS);
            return Ok(call.number(if choice + 1 == SOME_RESULTS { FAILURE } else { choice.into() }));
        }
    };
    if matches!(which, Library::Printf | Library::FPrintf) && text.is_empty() {
        return Ok(call.number(0));
    }
    Ok(call.number(if call.choose(ctx, 2) == 1 { FAILURE } else { success }))
}
