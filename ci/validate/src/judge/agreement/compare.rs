//! Compares the encoder's description of a run with the interpreter's.

use super::situation::Numbers;
use backedge_interp::Run;
use backedge_interp::observe::{EventKind, Seen, SeenMemory};
use backedge_interp::outcome::{Outcome, UbKind};
use backedge_interp::value::{Cube, Prov};
use backedge_smt::refinement::denotation::{Behaviour, Described, RESUMED, SeenCall, Situation};
use backedge_smt::refinement::{ConcreteByte, ConcreteValue};

/// Result of comparing two values.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Likeness {
    /// Equal.
    Equal,
    /// One side leaves bits undefined that the other has chosen; all other bits are equal.
    Overlapping,
    /// Some bit differs.
    Different,
}

impl Likeness {
    pub(crate) fn is_equal(self) -> bool {
        self == Self::Equal
    }
}

impl Numbers {
    pub(crate) fn compare(&self, seen: &Seen, value: &ConcreteValue) -> Likeness {
        match (seen, value) {
            (Seen::Poison, ConcreteValue::Poison) => Likeness::Equal,
            (Seen::Bits(cube), ConcreteValue::UndefPointer) if cube.undef != 0 => Likeness::Equal,
            (Seen::Bits(_) | Seen::Ptr(..) | Seen::Address(_), ConcreteValue::UndefPointer) => {
                Likeness::Overlapping
            }
            (Seen::Bits(cube), ConcreteValue::Pointer(_)) if cube.undef != 0 => Likeness::Overlapping,
            // `x86_fp80` and `i80` are as wide as the encoder's pointers; the encoder does not distinguish them.
            (Seen::Bits(cube), ConcreteValue::Pointer(p)) => compare_bits(*cube, Cube::known(p.bits())),
            (Seen::Bits(cube), ConcreteValue::Bits { bits, undef, .. }) => {
                compare_bits(*cube, Cube::new(*bits, *undef))
            }
            (Seen::Ptr(..) | Seen::Address(_), ConcreteValue::Pointer(p)) => {
                if self.is_same_pointer(seen, *p) { Likeness::Equal } else { Likeness::Different }
            }
            (Seen::Agg(members), ConcreteValue::List(list)) if members.len() == list.len() => {
                let all = members.iter().zip(list).map(|(m, v)| self.compare(m, v));
                all.max().unwrap_or(Likeness::Equal)
            }
            _ => Likeness::Different,
        }
    }
}

fn compare_bits(a: Cube, b: Cube) -> Likeness {
    if a == b {
        Likeness::Equal
    } else if (a.bits ^ b.bits) & !(a.undef | b.undef) == 0 && a.undef != b.undef {
        Likeness::Overlapping
    } else {
        Likeness::Different
    }
}

/// The kind of run and the degree of agreement, or the disagreement.
pub(crate) type Judged = Result<(String, Likeness), String>;

/// Compares both engines' descriptions of the run.
pub(crate) fn judge(run: &Run, described: &Described, situation: &Situation, numbers: &Numbers) -> Judged {
    if !described.broken_facts.is_empty() {
        return Err(format!("a fact of the encoder does not hold:\n{}", described.broken_facts.join("\n")));
    }
    let Some(behaviour) = &described.behaviour else {
        return Err("the formula has no single end".to_owned());
    };
    let name = match (&run.outcome, behaviour) {
        (_, Behaviour::BeyondBound) => return Ok(("beyond the bound".to_owned(), Likeness::Equal)),
        (Outcome::Ub { kind, .. }, Behaviour::Undefined) => format!("ub {}", kind.name()),
        // The encoder ignores promises about how a function exits: it follows a source that breaks one like any other,
        // which demands more of the target.
        (
            Outcome::Ub { kind: kind @ (UbKind::NoUnwindViolated | UbKind::WillReturnViolated), .. },
            Behaviour::Stopped,
        ) => format!("ub {}", kind.name()),
        (Outcome::DidNotReturn { .. }, Behaviour::Stopped) => "did not return".to_owned(),
        (Outcome::Returned(_), Behaviour::Returned(_)) => match &run.returned {
            Some(seen) if is_poison(seen) => "returned poison".to_owned(),
            Some(_) | None => "returned".to_owned(),
        },
        (outcome, behaviour) => return Err(format!("{outcome:?} here, {behaviour:?} by the encoder")),
    };
    let mut likeness = Likeness::Equal;
    if let Behaviour::Returned(value) = behaviour {
        match (&run.returned, value) {
            (None, None) => {}
            (Some(seen), Some(value)) => {
                let here = numbers.compare(seen, value);
                if here == Likeness::Different {
                    return Err(format!("it returns {seen:?} here, {value:?} by the encoder"));
                }
                likeness = likeness.max(here);
            }
            (seen, value) => return Err(format!("it returns {seen:?} here, {value:?} by the encoder")),
        }
        likeness = likeness.max(memory(&run.memory, &described.memory, situation, numbers)?);
    }
    likeness = likeness.max(events(run, described, behaviour, situation, numbers)?);
    Ok((name, likeness))
}

/// Whether any part is poison.
fn is_poison(seen: &Seen) -> bool {
    match seen {
        Seen::Poison => true,
        Seen::Agg(members) => members.iter().any(is_poison),
        Seen::Bits(_) | Seen::Ptr(..) | Seen::Address(_) => false,
    }
}

fn memory(
    seen: &[SeenMemory],
    described: &[Vec<ConcreteByte>],
    situation: &Situation,
    numbers: &Numbers,
) -> Result<Likeness, String> {
    let mut likeness = Likeness::Equal;
    for object in seen {
        let Some(number) = numbers.of(&object.object) else { continue };
        let Some(index) = situation.blocks.iter().position(|b| b.number == number) else { continue };
        let bytes = &described[index];
        if bytes.len() != object.contents.len() {
            return Err(format!("{:?} has {} bytes by the encoder", object.object, bytes.len()));
        }
        for (at, byte) in bytes.iter().enumerate() {
            let here = compare_byte(object, at, byte, numbers);
            if here == Likeness::Different {
                return Err(format!(
                    "byte {at} of {:?} is {byte:?} by the encoder: {object:?}",
                    object.object
                ));
            }
            likeness = likeness.max(here);
        }
    }
    Ok(likeness)
}

fn compare_byte(object: &SeenMemory, at: usize, byte: &ConcreteByte, numbers: &Numbers) -> Likeness {
    let contents = &object.contents;
    let plane = |plane: &[u8]| plane.get(at).copied().unwrap_or(0);
    let (poison, undef) = (plane(&contents.poison), plane(&contents.undef));
    let piece = contents.fragments.get(at).filter(|f| numbers.has_pointer_bytes && f.prov != Prov::NONE);
    match (piece, byte.pointer) {
        (Some(piece), Some((p, part))) => {
            let same = match whole_pointer(object, at) {
                Some(seen) => numbers.is_same_pointer(seen, p),
                // Remaining bytes of a partly overwritten pointer.
                None => numbers.address_byte(p, part) == Some(contents.bytes[at]),
            };
            let same = same && part == u32::from(piece.index);
            return if same { Likeness::Equal } else { Likeness::Different };
        }
        // A null pointer has no provenance in the interpreter and no block in the encoder: its bytes are zeros.
        (None, Some((p, _))) if p.block == 0 && poison == 0 && undef == 0 => {
            return if contents.bytes[at] == 0 || p.offset != 0 {
                Likeness::Equal
            } else {
                Likeness::Different
            };
        }
        // A pointer that consists of an address only is stored as that address.
        (Some(piece), None) if piece.prov == Prov::WILDCARD && poison | undef == 0 => {
            let same = byte.value == contents.bytes[at] && byte.poison | byte.undef == 0;
            return if same { Likeness::Equal } else { Likeness::Different };
        }
        // A fragment of an entirely undefined pointer.
        (None, Some(_)) if poison | byte.poison == 0 && undef & byte.undef == 0xff => return Likeness::Equal,
        (Some(_), None) | (None, Some(_)) if poison == 0 && byte.poison == 0 => {
            return if undef | byte.undef != 0 { Likeness::Overlapping } else { Likeness::Different };
        }
        _ => {}
    }
    if poison != byte.poison {
        return Likeness::Different;
    }
    let held = u128::from(!poison);
    let here = Cube::new(u128::from(contents.bytes[at]) & held, u128::from(undef) & held);
    compare_bits(here, Cube::new(u128::from(byte.value) & held, u128::from(byte.undef) & held))
}

/// The pointer that byte `at` is a fragment of, if all its fragments are present.
fn whole_pointer(object: &SeenMemory, at: usize) -> Option<&Seen> {
    let (seen, index) = object.pointer_at(at)?;
    let start = at.checked_sub(index.into())?;
    let pieces = object.contents.fragments.get(start..start + 8)?;
    let whole = pieces.iter().zip(0..).all(|(f, i)| f.prov == pieces[0].prov && f.index == i);
    whole.then_some(seen)
}

fn events(
    run: &Run,
    described: &Described,
    behaviour: &Behaviour,
    situation: &Situation,
    numbers: &Numbers,
) -> Result<Likeness, String> {
    let calls: Vec<&SeenCall> = described.calls.iter().map(|c| &c.0).filter(|c| c.observable).collect();
    if *behaviour == Behaviour::Undefined {
        let firm = run.events.iter().rposition(|e| e.firm).map_or(0, |at| at + 1);
        if firm != described.firm_calls {
            return Err(format!("{firm} events hold the UB back, {} by the encoder", described.firm_calls));
        }
    }
    // An external trap, and an exception that leaves the function, are events only in the encoder.
    let of_encoder = |c: &&&SeenCall| matches!(&*c.callee, "trap" | "ubsantrap" | RESUMED);
    let traps = calls.iter().filter(of_encoder).count();
    if calls.len() - traps != run.events.len() {
        return Err(format!("{} events here, by the encoder {calls:?}", run.events.len()));
    }
    let mut likeness = Likeness::Equal;
    for (event, call) in run.events.iter().zip(calls) {
        let (callee, args, memory_seen): (&str, Vec<&Seen>, &[SeenMemory]) = match &event.kind {
            EventKind::Call { callee, args, memory, .. } => (callee, args.iter().collect(), memory),
            EventKind::Output { .. } => ("output", Vec::new(), &[]),
            EventKind::VolatileLoad { ptr, .. } => ("volatile load", vec![ptr], &[]),
            EventKind::VolatileStore { ptr, value } => ("volatile store", vec![ptr, value], &[]),
        };
        if !call.callee.starts_with(callee) || args.len() != call.args.len() {
            return Err(format!("the event {event:?} is {call:?} by the encoder"));
        }
        for (seen, value) in args.iter().zip(&call.args) {
            let here = numbers.compare(seen, value);
            if here == Likeness::Different {
                return Err(format!("the event {event:?} is {call:?} by the encoder"));
            }
            likeness = likeness.max(here);
        }
        if let Some(bytes) = &call.memory {
            likeness = likeness.max(memory(memory_seen, bytes, situation, numbers)?);
        }
    }
    Ok(likeness)
}
