//! Candidate facts about reductions: numbers of the source that the target holds in the lanes of vectors.

use crate::proof::find::columns::Column;
use crate::proof::lang::fact::{Fact, Linear, Owner, Part, Reading};
use crate::proof::lang::gather::{ALL, Gather};
use crate::proof::lang::number::mask;
use crate::proof::vc::pair::Pair;
use backedge_ir::intrinsic::Intrinsic;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use std::collections::BTreeMap;

/// Limit on the interleaved parts of a reduction: at least as many as vectorizers usually make.
const MANY_PARTS: usize = 8;

/// The reductions over lanes that the target makes.
fn reductions(pair: &Pair<'_>) -> FxHashSet<Intrinsic> {
    let program = &pair.target;
    let calls = program.body.all_insts().filter_map(|inst| program.body.inst(inst).call());
    let callees = calls.filter_map(|call| program.body.called_function(call.callee()));
    callees.filter_map(|func| program.function.module.env.funcs[func].intrinsic).collect()
}

/// The operation of a reduction over the lanes of a vector.
fn gather_of(intrinsic: Intrinsic) -> Option<Gather> {
    const REDUCTIONS: [(Intrinsic, Gather); 8] = [
        (Intrinsic::VectorReduceAnd, Gather::And),
        (Intrinsic::VectorReduceOr, Gather::Or),
        (Intrinsic::VectorReduceXor, Gather::Xor),
        (Intrinsic::VectorReduceMul, Gather::Mul),
        (Intrinsic::VectorReduceUMin, Gather::UMin),
        (Intrinsic::VectorReduceUMax, Gather::UMax),
        (Intrinsic::VectorReduceSMin, Gather::SMin),
        (Intrinsic::VectorReduceSMax, Gather::SMax),
    ];
    REDUCTIONS.iter().find(|(which, _)| *which == intrinsic).map(|(_, gather)| *gather)
}

/// What vectors of the target, one beside the other, may be the parts of: a number that the source holds, and the
/// columns that it may be gathered from, many before few.
fn wholes<'c>(columns: &'c [Column]) -> Vec<(&'c Column, Vec<Vec<&'c Column>>)> {
    let usable = |c: &&Column| c.leaf && c.part.reading == Reading::Whole;
    let varies = |c: &&Column| c.values.iter().any(|v| *v != c.values[0]);
    let mut vectors: BTreeMap<u32, Vec<&Column>> = BTreeMap::new();
    for column in columns.iter().filter(usable).filter(|c| c.part.atom.owner == Owner::Target) {
        vectors.entry(column.part.atom.value).or_default().push(column);
    }
    let vectors: Vec<Vec<&Column>> = vectors.into_values().filter(|lanes| lanes.len() > 1).collect();
    let of_source = columns.iter().filter(usable).filter(|c| c.part.atom.owner == Owner::Source);
    let windows = |whole: &Column| -> Vec<Vec<&'c Column>> {
        let lengths = (1..=vectors.len().min(MANY_PARTS)).rev();
        let windows = lengths.flat_map(|length| vectors.windows(length));
        let fits = windows.filter(|w| w.iter().all(|lanes| lanes[0].width == whole.width));
        fits.map(|window| window.concat()).collect()
    };
    of_source.filter(varies).map(|whole| (whole, windows(whole))).collect()
}

/// Numbers of the source that the target has in parts, and that these are poison with the whole only.
pub(in crate::proof) fn gathers(pair: &Pair<'_>, columns: &[Column]) -> Vec<Fact> {
    let by: FxHashSet<Gather> = reductions(pair).into_iter().filter_map(gather_of).collect();
    let mut facts = Vec::new();
    if by.is_empty() {
        return facts;
    }
    for (whole, windows) in wholes(columns) {
        for by in ALL.into_iter().filter(|g| by.contains(g)) {
            let of = |parts: &[&Column], n: usize| {
                let rest = parts[1..].iter().map(|part| part.values[n]);
                rest.fold(parts[0].values[n], |a, b| by.number(a, b, whole.width))
            };
            let same = |w: &&Vec<&Column>| (0..whole.values.len()).all(|n| of(w, n) == whole.values[n]);
            let Some(parts) = windows.iter().find(same) else { continue };
            let parts: Vec<Part> = parts.iter().map(|c| c.part).collect();
            facts.extend(parts.iter().map(|part| Fact::PoisonOnlyWith(part.atom, whole.part.atom)));
            facts.push(Fact::Gathers { width: whole.width, by, whole: whole.part, parts });
        }
    }
    facts
}

/// The same for sums.
pub(in crate::proof) fn sums(pair: &Pair<'_>, columns: &[Column]) -> Vec<Fact> {
    if !reductions(pair).contains(&Intrinsic::VectorReduceAdd) {
        return Vec::new();
    }
    let sum = |(whole, windows): (&Column, Vec<Vec<&Column>>)| {
        let of = |parts: &[&Column], n: usize| {
            parts.iter().fold(0u128, |sum, part| sum.wrapping_add(part.values[n])) & mask(whole.width)
        };
        let same = |w: &&Vec<&Column>| (0..whole.values.len()).all(|n| of(w, n) == whole.values[n]);
        let parts = windows.iter().find(same)?;
        let minus = parts.iter().map(|c| (mask(whole.width), SmallVec::from_slice(&[c.part])));
        let mut summands = vec![(1, SmallVec::from_slice(&[whole.part]))];
        summands.extend(minus);
        summands.sort_by(|a, b| a.1.cmp(&b.1));
        Some(Fact::Linear(Linear { width: whole.width, summands, constant: 0 }))
    };
    wholes(columns).into_iter().filter_map(sum).collect()
}
