//! Checks whether a target writes memory that its source does not write, up to a bound on iterations.
//!
//! A write counts even if it stores the value that is already there. The memory of a `noalias` parameter is a block of
//! its own for both functions, which is correct only if the target writes there only where the source writes.
//!
//! Calls are not considered here: they are compared as events.

use crate::encode::function::Write;
use crate::encode::world::OFFSET_BITS;
use crate::encode::{block_of, offset_of};
use crate::limits::Limits;
use crate::refinement::{Check, FunctionRef, Options, failure};
use crate::solver::{Answer, Cost};
use crate::term::{Evaluator, Term};
use backedge_ir::entity::Inst;
use std::collections::BTreeSet;
use std::time::Instant;

/// Maximum number of compared pairs of writes: each is a condition of one query. With more, the answer is unknown.
const MANY_PAIRS: usize = 20_000;

/// Whether, in all runs within the bound, the target writes only bytes that the source writes in the same run, and each
/// of its writes is reached within the bound. Returns `false` if that does not hold or if the solver does not know. The
/// answer covers all runs if none exceeds the bound.
pub fn writes_no_more(source: FunctionRef<'_>, target: FunctionRef<'_>, options: &Options) -> bool {
    let limits = Limits::new(Instant::now(), options.time, options.units);
    let mut spent = Cost::default();
    match Check::new(source, target, options, false, &mut spent, limits) {
        Ok((mut check, _)) => check.has_no_new_write().unwrap_or(false),
        Err(_) => false,
    }
}

impl Check<'_> {
    /// `None` if the solver does not know.
    fn has_no_new_write(&mut self) -> Option<bool> {
        let [of_source, of_target] = [0, 1].map(|side| self.ends[side].writes.clone());
        if of_source.len().saturating_mul(of_target.len()) > MANY_PAIRS {
            return None;
        }
        let fine = failure::source_is_fine(self);
        let place = self.world.fresh("byte", OFFSET_BITS);
        let new: Vec<Term> = of_target.iter().map(|write| self.is_new(*write, &of_source, place)).collect();
        let new = self.world.terms.or_all(new);
        if self.ask("new writes", &[fine, new], &[]).ok()? != Answer::Unsat {
            return Some(false);
        }
        // A write that no path reaches proves nothing.
        Some(self.is_whole() || self.all_happen(fine, &of_target)?)
    }
    /// Condition that `write` writes the byte at offset `place` from its first byte, and no write of `others` does.
    fn is_new(&mut self, write: Write, others: &[Write], place: Term) -> Term {
        let terms = &mut self.world.terms;
        let (block, offset) = (block_of(terms, write.pointer), offset_of(terms, write.pointer));
        let offset = terms.add(offset, place);
        let mut all = vec![write.path, terms.ult(place, write.bytes)];
        for other in others {
            let same = block_of(terms, other.pointer);
            let same = terms.eq(same, block);
            let first = offset_of(terms, other.pointer);
            let from_there = terms.sub(offset, first);
            let inside = terms.ult(from_there, other.bytes);
            let covered = terms.and_all([other.path, same, inside]);
            all.push(terms.not(covered));
        }
        terms.and_all(all)
    }
    /// Whether each writing instruction is shown to execute on a run that is `fine`.
    fn all_happen(&mut self, fine: Term, writes: &[Write]) -> Option<bool> {
        let mut open: BTreeSet<Inst> = writes.iter().map(|write| write.inst).collect();
        while !open.is_empty() {
            let paths = writes.iter().filter(|write| open.contains(&write.inst)).map(|write| write.path);
            let any = self.world.terms.or_all(paths.collect::<Vec<_>>());
            let Answer::Sat(model) = self.ask("writes", &[fine, any], &[]).ok()? else { return Some(false) };
            let mut evaluator = Evaluator::new(&self.world.terms, &model);
            let before = open.len();
            for write in writes {
                if evaluator.truth(write.path) {
                    open.remove(&write.inst);
                }
            }
            if open.len() == before {
                return None;
            }
        }
        Some(true)
    }
}
