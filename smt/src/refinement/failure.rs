//! The ways in which a target can fail to refine a source, as conditions on a run.

use super::outcome::Failure;
use crate::encode::block_of;
use crate::encode::function::Ends;
use crate::encode::value::{Sym, same_bits};
use crate::encode::world::{BLOCK_BITS, LOCAL_BLOCK, POINTER_BITS, UNKNOWN_BLOCK, World};
use crate::refinement::Check;
use crate::term::{Op, Term, Terms};
use std::collections::BTreeMap;

fn any(terms: &mut Terms, paths: impl IntoIterator<Item = Term>) -> Term {
    terms.or_all(paths)
}

/// The run stays within the bound in both functions.
fn within(check: &mut Check<'_>) -> Term {
    let cut: Vec<Term> = check.ends.iter().flat_map(|e| e.cut.iter().map(|cut| cut.path)).collect();
    let cut = any(&mut check.world.terms, cut);
    check.world.terms.not(cut)
}

/// The run stays within the bound and the source has no UB.
pub(crate) fn source_is_fine(check: &mut Check<'_>) -> Term {
    let within = within(check);
    let fine = source_has_no_ub(check);
    check.world.terms.and(within, fine)
}

/// The source has no UB in the encoded part of the run, until it ends or passes the bound.
pub(crate) fn source_has_no_ub(check: &mut Check<'_>) -> Term {
    let source: Vec<Term> = check.ends[0].ub.iter().map(|u| u.path).collect();
    let ub = any(&mut check.world.terms, source);
    check.world.terms.not(ub)
}

/// All failures with their conditions, in query order.
pub(crate) fn all(check: &mut Check<'_>) -> Vec<(Failure, Term)> {
    let source_fine = source_is_fine(check);
    let within = within(check);
    let calls_alone = check.world.target_only_calls();
    let mut target_ub: Vec<Term> = check.ends[1].ub.iter().map(|u| u.path).collect();
    target_ub.push(calls_alone);
    let target_ub = any(&mut check.world.terms, target_ub);
    let target_fine = check.world.terms.not(target_ub);
    let both_fine = check.world.terms.and(source_fine, target_fine);
    // Terms that are likely to cancel come first: equal terms on both sides decide the query without the solver.
    let source_ub: Vec<Term> = check.ends[0].ub.iter().map(|u| u.path).collect();
    let source_ub = any(&mut check.world.terms, source_ub);
    let source_has_none = check.world.terms.not(source_ub);
    let only_target = check.world.terms.and(target_ub, source_has_none);
    let more_defined = check.world.terms.and(only_target, within);
    let events = events(check, within, both_fine);
    let (poison, value) = results(check, both_fine);
    let memory = memory(check, both_fine);
    vec![
        (Failure::MoreDefined, more_defined),
        (Failure::EventMismatch, events),
        (Failure::MorePoisonous, poison),
        (Failure::ValueMismatch, value),
        (Failure::MemoryMismatch, memory),
    ]
}

/// The trace at the end, and whether the end is a return.
fn last_trace(terms: &mut Terms, ends: &Ends, start: Term) -> (Term, Term) {
    let mut trace = start;
    for (path, t) in
        ends.stops.iter().map(|s| (s.path, s.trace)).chain(ends.returns.iter().map(|r| (r.path, r.trace)))
    {
        trace = terms.ite(path, t, trace);
    }
    let returned = terms.or_all(ends.returns.iter().map(|r| r.path));
    (trace, returned)
}

fn events(check: &mut Check<'_>, within: Term, both_fine: Term) -> Term {
    let start = check.world.start;
    let (ts, rs) = last_trace(&mut check.world.terms, &check.ends[0], start);
    let (tt, rt) = last_trace(&mut check.world.terms, &check.ends[1], start);
    let differ = check.world.terms.ne(ts, tt);
    let one_returns = check.world.terms.xor(rs, rt);
    let wrong = check.world.terms.or(differ, one_returns);
    let mut failure = check.world.terms.and(both_fine, wrong);
    // The target must also perform the events that the source performs before its UB.
    let done: Vec<(Term, Term)> = check
        .world
        .events
        .iter()
        .filter(|e| e.side == crate::encode::world::Side::Target)
        .filter_map(|e| Some((e.happens, e.after?)))
        .collect();
    for end in check.ends[0].ub.clone() {
        let terms = &mut check.world.terms;
        let mut kept = terms.eq(end.trace, start);
        for &(happens, after) in &done {
            let same = terms.eq(after, end.trace);
            let here = terms.and(happens, same);
            kept = terms.or(kept, here);
        }
        let lost = terms.not(kept);
        let lost = terms.and_all([within, end.path, lost]);
        failure = terms.or(failure, lost);
    }
    failure
}

/// The returned value, if any return is reached.
fn returned(terms: &mut Terms, ends: &Ends) -> Option<Sym> {
    let mut returned: Option<Sym> = None;
    for end in &ends.returns {
        let value = end.value.as_ref()?;
        returned = Some(match returned {
            None => value.clone(),
            Some(other) => Sym::ite(terms, end.path, value, &other),
        });
    }
    returned
}

fn results(check: &mut Check<'_>, both_fine: Term) -> (Term, Term) {
    let terms = &mut check.world.terms;
    let (mut poison, mut value) = (terms.bool(false), terms.bool(false));
    let (Some(source), Some(target)) = (returned(terms, &check.ends[0]), returned(terms, &check.ends[1]))
    else {
        return (poison, value);
    };
    for (s, t) in source.scalars().into_iter().zip(target.scalars()) {
        let source_fine = terms.not(s.poison);
        let here = terms.and(source_fine, t.poison);
        poison = terms.or(poison, here);
        let same = same_bits(terms, s, t);
        let differ = terms.not(same);
        let target_fine = terms.not(t.poison);
        let here = terms.and_all([differ, source_fine, target_fine]);
        value = terms.or(value, here);
    }
    let both: Vec<Term> =
        (0..2).map(|i| terms.or_all(check.ends[i].returns.iter().map(|r| r.path))).collect();
    let both = terms.and_all([both_fine, both[0], both[1]]);
    (terms.and(poison, both), terms.and(value, both))
}

/// The final memory differs: some byte, at an address chosen by the solver, does not refine the source's byte.
fn memory(check: &mut Check<'_>, both_fine: Term) -> Term {
    let last = |terms: &mut Terms, ends: &Ends| {
        let mut memory: Option<Term> = None;
        for end in &ends.returns {
            memory = Some(match memory {
                None => end.shared,
                Some(memory) => terms.ite(end.path, end.shared, memory),
            });
        }
        memory
    };
    let source = last(&mut check.world.terms, &check.ends[0]);
    let target = last(&mut check.world.terms, &check.ends[1]);
    let (Some(source), Some(target)) = (source, target) else { return check.world.terms.bool(false) };
    if source == target {
        return check.world.terms.bool(false);
    }
    let place = match check.place {
        Some(place) => place,
        None => *check.place.insert(check.world.fresh("place", POINTER_BITS)),
    };
    let seen = is_seen(&mut check.world, place, check.caller_blocks);
    let (s, t) = (check.world.read(source, place), check.world.read(target, place));
    let allowed = check.world.byte_refines(s, t);
    let terms = &mut check.world.terms;
    let wrong = terms.not(allowed);
    let both: Vec<Term> =
        (0..2).map(|i| terms.or_all(check.ends[i].returns.iter().map(|r| r.path))).collect();
    terms.and_all([wrong, both_fine, both[0], both[1], seen])
}

/// Condition that both functions return, but not with memories that are the same term. It does not compare bytes.
/// `None` if the paths give no information or there are too many.
pub(crate) fn memories_apart(check: &mut Check<'_>) -> Option<Term> {
    let [source, target] = [0, 1].map(|i| last_memories(&mut check.world.terms, &check.ends[i]));
    let (source, target) = (source?, target?);
    if source.len() < 2 && target.len() < 2 {
        return None;
    }
    let terms = &mut check.world.terms;
    let mut same = terms.bool(false);
    for (memory, path) in &source {
        if let Some(other) = target.get(memory) {
            let both = terms.and(*path, *other);
            same = terms.or(same, both);
        }
    }
    let apart = terms.not(same);
    let returned: Vec<Term> =
        check.ends.iter().map(|e| terms.or_all(e.returns.iter().map(|r| r.path))).collect();
    let fine = source_is_fine(check);
    Some(check.world.terms.and_all([apart, fine, returned[0], returned[1]]))
}

/// The unmerged memories of all returns, with the condition under which each one is the final memory. `None` if there
/// are too many.
fn last_memories(terms: &mut Terms, ends: &Ends) -> Option<BTreeMap<Term, Term>> {
    /// Limit on the memories of the returns of one side: each is compared with those of the other side.
    const MANY: usize = 256;
    let (mut open, mut found) = (BTreeMap::new(), BTreeMap::new());
    let add = |terms: &mut Terms, map: &mut BTreeMap<Term, Term>, memory: Term, path: Term| {
        let entry = map.entry(memory).or_insert_with(|| terms.bool(false));
        *entry = terms.or(*entry, path);
    };
    for end in &ends.returns {
        add(terms, &mut open, end.shared, end.path);
    }
    // Arguments are smaller than the merged memory, so each memory is visited after all of its users.
    while let Some((memory, path)) = open.pop_last() {
        if terms.op(memory) != Op::Ite {
            found.insert(memory, path);
        } else {
            let (condition, then, other) =
                (terms.args(memory)[0], terms.args(memory)[1], terms.args(memory)[2]);
            let (yes, not) = (terms.and(path, condition), terms.not(condition));
            let no = terms.and(path, not);
            add(terms, &mut open, then, yes);
            add(terms, &mut open, other, no);
        }
        if found.len() + open.len() > MANY {
            return None;
        }
    }
    Some(found)
}

/// Whether the caller can read the byte at `place` and the byte is writable: it belongs to no alloca, since allocas end
/// with the function, and it is not dead. `caller_blocks` is the number of the caller's known blocks.
pub(crate) fn is_seen(world: &mut World, place: Term, caller_blocks: u32) -> Term {
    let block = block_of(&mut world.terms, place);
    let read_only = world.is_read_only(block);
    let terms = &mut world.terms;
    let writable = terms.not(read_only);
    let arguments = terms.number(BLOCK_BITS, u128::from(caller_blocks) + 1);
    let named = terms.ult(block, arguments);
    let (low, high) =
        (terms.number(BLOCK_BITS, UNKNOWN_BLOCK.into()), terms.number(BLOCK_BITS, LOCAL_BLOCK.into()));
    let (above, below) = (terms.ule(low, block), terms.ult(block, high));
    let unknown = terms.and(above, below);
    let visible = terms.or(named, unknown);
    let visible = terms.and(writable, visible);
    let dead = world.is_dead(place);
    let live = world.terms.not(dead);
    world.terms.and(visible, live)
}
