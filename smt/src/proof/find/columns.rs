//! The values of the scalars of a node in all samples: the columns from which candidate facts are read.

use crate::encode::world::{BLOCK_BITS, OFFSET_BITS, POINTER_BITS, Side};
use crate::proof::find::align::Meeting;
use crate::proof::find::runs::RunPair;
use crate::proof::find::samples::Number;
use crate::proof::lang::fact::{AHEAD, Atom, Numbers, Owner, Part, RETURNED, Reading};
use crate::proof::lang::step::{Node, Place};
use crate::proof::vc::pair::Pair;
use crate::refinement::inputs::argument_name;
use backedge_ir::entity::{EntityId, Inst};
use rustc_hash::FxHashSet;

/// Limit on the samples of a node that candidate facts are checked on: further samples refute little.
const MANY_SAMPLES: usize = 96;

/// A state of both sides in runs.
pub(in crate::proof) struct Sample<'r> {
    run: &'r RunPair,
    meeting: Meeting,
}

impl<'r> Sample<'r> {
    pub(in crate::proof) fn new(runs: &'r [RunPair], meeting: Meeting) -> Self {
        Self { run: &runs[meeting.run], meeting }
    }
    fn lanes(&self, owner: Owner, value: u32) -> Option<&'r [Number]> {
        let visit = match owner {
            Owner::Argument => return self.run.args.get(value as usize).map(Vec::as_slice),
            Owner::Source => self.run.source.visits.get(self.meeting.source)?,
            Owner::Target => self.run.target.visits.get(self.meeting.target)?,
        };
        if value == RETURNED {
            return matches!(visit.place, Place::Returned(_)).then_some(&visit.returned);
        }
        if value & AHEAD != 0 {
            return visit.ahead.get(&Inst::from_index((value & !AHEAD) as usize)).map(Vec::as_slice);
        }
        visit.values.get(&Inst::from_index(value as usize)).map(Vec::as_slice)
    }
}

impl Numbers for Sample<'_> {
    fn number(&self, atom: Atom) -> Option<Number> {
        self.lanes(atom.owner, atom.value)?.get(atom.lane as usize).copied()
    }
}

/// A part with its values in all samples.
pub(in crate::proof) struct Column {
    pub(in crate::proof) part: Part,
    pub(in crate::proof) width: u32,
    pub(in crate::proof) values: Vec<u128>,
    /// In which samples the value is poison.
    pub(in crate::proof) poison: Vec<bool>,
    /// Whether it is part of the state, and not computed from it.
    pub(in crate::proof) leaf: bool,
    /// What it is called, to prefer partners of that name.
    pub(in crate::proof) name: String,
}

/// So many meetings, from all over; every nth of them for an odd n, since every second round is not like the others.
pub(in crate::proof) fn spread(meetings: &[Meeting]) -> impl Iterator<Item = Meeting> {
    let step = meetings.len().div_ceil(MANY_SAMPLES) | 1;
    meetings.iter().step_by(step).copied()
}

/// A scalar at a node.
pub(in crate::proof) struct Scalar {
    pub(in crate::proof) atom: Atom,
    pub(in crate::proof) width: u32,
    pub(in crate::proof) leaf: bool,
    pub(in crate::proof) name: String,
}

/// The scalars that all samples have: arguments, then the source's, then the target's. Those of instructions that are
/// executed out of turn are included if `looks_ahead`.
pub(in crate::proof) fn atoms(
    pair: &Pair<'_>,
    node: Node,
    samples: &[Sample<'_>],
    looks_ahead: bool,
) -> Vec<Scalar> {
    let mut found = Vec::new();
    let mut add = |owner: Owner, value: u32, leaf: bool, name: String| {
        let Some(lanes) = samples[0].lanes(owner, value).map(<[Number]>::len) else { return };
        for lane in 0..lanes as u32 {
            let atom = Atom { owner, value, lane };
            let all: Option<Vec<Number>> = samples.iter().map(|s| s.number(atom)).collect();
            if let Some(all) = all {
                found.push(Scalar { atom, width: all[0].1, leaf, name: name.clone() });
            }
        }
    };
    let body = pair.source.body;
    for (i, arg) in body.args().enumerate() {
        let name = argument_name(body, arg);
        add(Owner::Argument, i as u32, true, name);
    }
    for (side, owner, place) in
        [(Side::Source, Owner::Source, node.source), (Side::Target, Owner::Target, node.target)]
    {
        let program = pair.program(side);
        let (Place::Cut(at) | Place::Returned(at)) = place;
        let cut = &program.cuts[at];
        let mut leaves = cut.leaves.clone();
        leaves.sort_unstable();
        for inst in leaves {
            add(owner, inst.index() as u32, true, program.name(inst));
        }
        for inst in cut.computed.iter().filter(|i| cut.live.contains(**i)) {
            add(owner, inst.index() as u32, false, program.name(*inst));
        }
        if matches!(place, Place::Returned(_)) {
            add(owner, RETURNED, true, "result".to_owned());
            continue;
        }
        if !looks_ahead {
            continue;
        }
        let mut ahead: Vec<Inst> = cut.ahead.iter().map(|a| a.inst).collect();
        ahead.sort_unstable();
        for inst in ahead {
            add(owner, inst.index() as u32 | AHEAD, true, program.name(inst));
        }
    }
    found
}

/// The numbers that the scalars are.
pub(in crate::proof) fn columns(pair: &Pair<'_>, atoms: &[Scalar], samples: &[Sample<'_>]) -> Vec<Column> {
    let mut columns = Vec::new();
    let widths: FxHashSet<u32> = atoms
        .iter()
        .map(|a| if is_pointer(pair, a) { OFFSET_BITS } else { a.width })
        .filter(|w| *w <= 64)
        .collect();
    for scalar in atoms {
        let mut add = |reading: Reading, width: u32, leaf: bool| {
            let part = Part { atom: scalar.atom, reading };
            let values = samples.iter().filter_map(|s| {
                let (bits, own, _) = s.number(scalar.atom)?;
                Some(part.number(bits, own))
            });
            let values: Vec<u128> = values.collect();
            let poison = samples.iter().map(|s| s.number(scalar.atom).is_some_and(|n| n.2)).collect();
            columns.push(Column { part, width, values, poison, leaf, name: scalar.name.clone() });
        };
        if is_pointer(pair, scalar) {
            add(Reading::Block, BLOCK_BITS, scalar.leaf);
            add(Reading::Offset, OFFSET_BITS, scalar.leaf);
            continue;
        }
        add(Reading::Whole, scalar.width, scalar.leaf);
        if scalar.width > 1 {
            for &wide in widths.iter().filter(|w| **w > scalar.width) {
                add(Reading::Zext(wide), wide, false);
                add(Reading::Sext(wide), wide, false);
            }
            for &narrow in widths.iter().filter(|w| (8..scalar.width).contains(*w) && scalar.leaf) {
                add(Reading::Low(narrow), narrow, false);
            }
        }
    }
    columns.sort_by_key(|c| (c.part.atom, c.part.reading));
    columns
}
fn is_pointer(pair: &Pair<'_>, scalar: &Scalar) -> bool {
    scalar.width == POINTER_BITS && {
        let program = match scalar.atom.owner {
            Owner::Argument | Owner::Source => &pair.source,
            Owner::Target => &pair.target,
        };
        let ty = match (scalar.atom.owner, scalar.atom.value) {
            (Owner::Argument, i) => program.body.args().nth(i as usize).map(|a| program.body.ty(a.into())),
            (_, RETURNED) => None,
            (_, i) => Some(program.body.inst(Inst::from_index((i & !AHEAD) as usize)).ty),
        };
        // Of a value that is returned the width tells it.
        ty.is_none_or(|ty| !ty.is_int())
    }
}

impl Scalar {
    /// The source's come before the arguments as partners.
    pub(in crate::proof) fn owner_rank(&self) -> u8 {
        match self.atom.owner {
            Owner::Source => 0,
            Owner::Argument => 1,
            Owner::Target => 2,
        }
    }
}
