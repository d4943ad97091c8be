//! Whether an event of the source allows an event of the target, and whether two calls get the same answer.

use super::mismatch::{Mismatch, Point};
use crate::memory::Contents;
use crate::observe::{EventKind, ObjectName, Seen, SeenMemory, Stream};
use crate::value::Cube;
use std::ops::Range;

/// Which side's hidden bytes a comparison of calls ignores.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Blind {
    /// Neither's: calls see all memory shown to them.
    No,
    /// The source's: a function that read a hidden byte would have made the source UB.
    Source,
    /// Those of either side.
    Either,
}

pub(super) type Checked = Result<(), (Mismatch, Point)>;

/// Whether the source's event allows the target's in its place.
pub(super) fn event(source: &EventKind, target: &EventKind, blind: Blind) -> Checked {
    let differ = || Err((Mismatch::Events, Point::End));
    match (source, target) {
        (
            EventKind::Call { callee: f, args: a, more: types, memory: m },
            EventKind::Call { callee: g, args: b, more: others, memory: n },
        ) => {
            if f != g || a.len() != b.len() || types != others {
                return differ();
            }
            for (x, y) in a.iter().zip(b) {
                seen(x, y).map_err(|m| (m, Point::End))?;
            }
            memory(m, n, blind)
        }
        (
            EventKind::VolatileLoad { ptr: p, len: m, bytes: a },
            EventKind::VolatileLoad { ptr: q, len: n, bytes: b },
        ) if p == q && m == n => match (a, b) {
            (Some(a), Some(b)) => memory(std::slice::from_ref(&**a), std::slice::from_ref(&**b), blind),
            (None, None) => Ok(()),
            (Some(_), None) | (None, Some(_)) => differ(),
        },
        (EventKind::VolatileStore { ptr: p, value: v }, EventKind::VolatileStore { ptr: q, value: w })
            if p == q =>
        {
            seen(v, w).map_err(|m| (m, Point::End))
        }
        (EventKind::Output { stream: s, byte: b }, EventKind::Output { stream: t, byte: c }) => {
            let same = match (s, t) {
                (Stream::File(s), Stream::File(t)) => seen(s, t).is_ok(),
                (Stream::Standard, Stream::Standard) => true,
                (Stream::Standard, Stream::File(_)) | (Stream::File(_), Stream::Standard) => false,
            };
            if same && b == c { Ok(()) } else { differ() }
        }
        (
            EventKind::Call { .. }
            | EventKind::Output { .. }
            | EventKind::VolatileLoad { .. }
            | EventKind::VolatileStore { .. },
            EventKind::Call { .. }
            | EventKind::Output { .. }
            | EventKind::VolatileLoad { .. }
            | EventKind::VolatileStore { .. },
        ) => differ(),
    }
}

/// Whether the source's value allows the target's in its place.
pub(super) fn seen(source: &Seen, target: &Seen) -> Result<(), Mismatch> {
    match (source, target) {
        (Seen::Poison, _) => Ok(()),
        (_, Seen::Poison) => Err(Mismatch::MorePoisonous),
        (Seen::Bits(s), Seen::Bits(t)) => bits(*s, *t),
        // An undefined pointer may be any pointer.
        (Seen::Bits(s), Seen::Ptr(..)) if s.undef.count_ones() >= 32 && s.bits == 0 => Ok(()),
        (Seen::Bits(s), Seen::Address(a)) => bits(*s, Cube::known((*a).into())),
        (Seen::Agg(s), Seen::Agg(t)) if s.len() == t.len() => {
            s.iter().zip(t).try_for_each(|(s, t)| seen(s, t))
        }
        _ if source == target => Ok(()),
        (_, Seen::Bits(t)) if !t.is_known() => Err(Mismatch::MoreUndefined),
        _ => Err(Mismatch::Value),
    }
}

fn bits(source: Cube, target: Cube) -> Result<(), Mismatch> {
    if target.undef & !source.undef != 0 {
        Err(Mismatch::MoreUndefined)
    } else if (source.bits ^ target.bits) & !source.undef != 0 {
        Err(Mismatch::Value)
    } else {
        Ok(())
    }
}

/// Compares the objects that both sides see, by name. An object that only one side sees is a mismatch only if it is a
/// buffer or block of the source and `blind` is [`Blind::No`] (end of the run).
pub(super) fn memory(source: &[SeenMemory], target: &[SeenMemory], blind: Blind) -> Checked {
    for s in source {
        let Some(t) = target.iter().find(|t| t.object == s.object) else {
            // The caller's object is missing only if the target has freed it.
            match s.object {
                ObjectName::Buffer(_) | ObjectName::Block(_) if blind == Blind::No => {
                    return Err((Mismatch::Memory, Point::Memory(s.object.clone(), 0)));
                }
                ObjectName::Global(_)
                | ObjectName::Function(_)
                | ObjectName::Buffer(_)
                | ObjectName::Block(_)
                | ObjectName::Local(_)
                | ObjectName::External(_) => continue,
            }
        };
        if std::sync::Arc::ptr_eq(&s.contents, &t.contents) {
            continue;
        }
        if let Some(offset) = object(s, t, blind) {
            return Err((Mismatch::Memory, Point::Memory(s.object.clone(), offset)));
        }
    }
    Ok(())
}

/// The first byte that differs in a way not allowed. A local object may become larger but not smaller, because
/// outside code may use all of it.
fn object(source: &SeenMemory, target: &SeenMemory, blind: Blind) -> Option<u64> {
    let hidden = |at: usize| match blind {
        Blind::No => false,
        Blind::Source => source.hides(at),
        Blind::Either => source.hides(at) || target.hides(at),
    };
    let (s, t) = (&*source.contents, &*target.contents);
    let local = matches!(source.object, ObjectName::Local(_));
    if s.len() > t.len() || s.len() < t.len() && !local {
        return Some(s.len().min(t.len()) as u64);
    }
    let parts = (0..s.len()).step_by(PART).map(|from| from..s.len().min(from + PART));
    parts
        .filter(|part| !alike(s, t, part.clone()))
        .flatten()
        .find(|i| !byte(source, target, s, t, *i) && !hidden(*i))
        .map(|i| i as u64)
}

/// Bytes compared at once: objects are large and mostly equal, so few parts are compared byte by byte.
const PART: usize = 256;

/// Whether the bytes are in the same state on both sides and belong to no pointer. Pointer bytes must be compared by
/// name instead.
fn alike(s: &Contents, t: &Contents, part: Range<usize>) -> bool {
    s.bytes[part.clone()] == t.bytes[part.clone()]
        && same_plane(&s.undef, &t.undef, part.clone())
        && same_plane(&s.poison, &t.poison, part.clone())
        && s.provenances(part.start, part.len()).next().is_none()
        && t.provenances(part.start, part.len()).next().is_none()
}

/// Whether two planes have the same bits; a missing plane is all zero.
fn same_plane(s: &[u8], t: &[u8], part: Range<usize>) -> bool {
    match (s.get(part.clone()), t.get(part)) {
        (Some(s), Some(t)) => s == t,
        (Some(bits), None) | (None, Some(bits)) => bits.iter().all(|b| *b == 0),
        (None, None) => true,
    }
}

fn plane(plane: &[u8], at: usize) -> u8 {
    plane.get(at).copied().unwrap_or(0)
}

fn byte(source: &SeenMemory, target: &SeenMemory, s: &Contents, t: &Contents, at: usize) -> bool {
    let excused = plane(&s.poison, at) | plane(&s.undef, at);
    let poisoned = plane(&t.poison, at) & !plane(&s.poison, at) != 0;
    let undefined = plane(&t.undef, at) & !excused != 0;
    if poisoned || undefined {
        return false;
    }
    if excused == 0xff {
        return true;
    }
    match (source.pointer_at(at), target.pointer_at(at)) {
        (Some(p), Some(q)) => p == q,
        _ => (s.bytes[at] ^ t.bytes[at]) & !excused == 0,
    }
}

/// Whether the call `source` allows the call `target` in its place.
pub(crate) fn call_refines(source: &EventKind, target: &EventKind, blind: Blind) -> Result<(), Mismatch> {
    event(source, target, blind).map_err(|(mismatch, _)| mismatch)
}

/// Whether two calls must get the same answer: poison and undefined bits in one match anything in the other.
pub(crate) fn same_call(earlier: &EventKind, now: &EventKind, blind: Blind) -> bool {
    call_refines(now, earlier, blind).is_ok() || call_refines(earlier, now, blind).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Contents;
    use crate::observe::ObjectName;
    use backedge_testkit::Dice;
    use rand::RngExt as _;
    use std::sync::Arc;

    fn seen(contents: Contents) -> SeenMemory {
        SeenMemory {
            object: ObjectName::Buffer(0),
            contents: Arc::new(contents),
            pointers: Vec::new(),
            hidden: Vec::new(),
        }
    }

    #[test]
    fn parts_hide_no_byte() {
        let mut rng = Dice::new(7);
        let mut found = 0;
        for _ in 0..2000 {
            let size = rng.random_range(1..3 * PART);
            let mut contents = Contents::zeroed(size);
            let mut other = contents.clone();
            for _ in 0..rng.random_range(0..4) {
                let at = rng.random_range(0..size);
                let state = [(1, 0, 0), (0, 0xf0, 0), (0, 0, 0x0f), (0, 0, 0)][rng.random_range(0..4)];
                contents.fill_range(at, 1, state);
                if rng.random() {
                    other.fill_range(at, 1, state);
                }
            }
            let (s, t) = (seen(contents), seen(other));
            let first = (0..size).find(|at| !byte(&s, &t, &s.contents, &t.contents, *at)).map(|at| at as u64);
            assert_eq!(object(&s, &t, Blind::No), first);
            found += u32::from(first.is_some());
        }
        assert!(found > 200, "{found} of the pairs differ");
    }
}
