//! Candidate measures: numbers that decrease in runs whenever one side moves alone.

use crate::encode::world::Side;
use crate::proof::find::align::Plan;
use crate::proof::find::columns::Sample;
use crate::proof::find::runs::RunPair;
use crate::proof::lang::fact::{Atom, Linear, Numbers, Owner, Part, Reading, ValueRef};
use crate::proof::lang::number::mask;
use crate::proof::lang::step::{Node, Place};
use crate::proof::vc::pair::Pair;
use smallvec::SmallVec;

/// Numbers that fall in some of the moves of one side alone in the runs, and rise in few of them.
pub(super) fn measures(pair: &Pair<'_>, runs: &[RunPair], plan: &Plan) -> Vec<Linear> {
    const MANY: usize = 8;
    let mut found: Vec<Linear> = Vec::new();
    for (node, moves) in &plan.alone {
        let here: Vec<(Sample<'_>, Sample<'_>)> =
            moves.iter().map(|(a, b)| (Sample::new(runs, *a), Sample::new(runs, *b))).collect();
        for measure in numbers(pair, runs, (plan, *node)) {
            let both = |(a, b): &(Sample<'_>, Sample<'_>)| Some((value(&measure, a)?, value(&measure, b)?));
            let falls = here.iter().filter_map(both).filter(|(x, y)| y < x).count();
            let holds = here.iter().filter_map(both).filter(|(x, y)| y <= x).count();
            if falls > 0 && holds * 10 >= here.len() * 8 {
                found.push(measure);
                if found.len() >= MANY * 2 {
                    return found;
                }
            }
        }
    }
    found
}
/// Candidate measures at a node: numbers, their complements, and differences.
fn numbers(pair: &Pair<'_>, runs: &[RunPair], (plan, node): (&Plan, Node)) -> Vec<Linear> {
    let mut parts: Vec<(Part, u32)> = Vec::new();
    let meetings = plan.meetings.get(&node);
    let Some(sample) = meetings.and_then(|m| m.first()).map(|m| Sample::new(runs, *m)) else {
        return Vec::new();
    };
    let mut add = |owner: Owner, value: ValueRef| {
        let atom = Atom { owner, value, lane: 0 };
        if let Some((_, width, _)) = sample.number(atom) {
            if width <= 64 {
                parts.push((Part::whole(atom), width));
            } else {
                parts.push((Part { atom, reading: Reading::Offset }, crate::encode::world::OFFSET_BITS));
            }
        }
    };
    for (side, owner, place) in
        [(Side::Source, Owner::Source, node.source), (Side::Target, Owner::Target, node.target)]
    {
        let (Place::Cut(cut) | Place::Returned(cut)) = place;
        let cut = &pair.program(side).cuts[cut];
        for inst in cut.leaves.iter().chain(cut.computed.iter().filter(|i| cut.live.contains(**i))) {
            add(owner, ValueRef::of(*inst));
        }
    }
    for i in 0..pair.source.body.args().len() {
        add(Owner::Argument, ValueRef::Number(i as u32));
    }
    let mut found = Vec::new();
    for &(part, width) in &parts {
        let one = |factor: u128, constant: u128| Linear {
            width,
            summands: vec![(factor, SmallVec::from_slice(&[part]))],
            constant,
        };
        found.push(one(1, 0));
        found.push(one(mask(width), mask(width)));
        for &(other, _) in parts.iter().filter(|(p, w)| *w == width && *p != part) {
            // Also one less, for exits that are tested before the next increment.
            for by in [0, 1] {
                found.push(Linear::shifted(width, part, other, by));
            }
        }
    }
    found
}

fn value(measure: &Linear, sample: &Sample<'_>) -> Option<u128> {
    let mut sum = measure.constant;
    for (factor, product) in &measure.summands {
        let mut term = *factor;
        for part in product {
            let (bits, width, _) = sample.number(part.atom)?;
            term = term.wrapping_mul(part.number(bits, width));
        }
        sum = sum.wrapping_add(term);
    }
    Some(sum & mask(measure.width))
}
