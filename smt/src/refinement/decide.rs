//! Decides an encoded question: whether a run of the target fails, and whether the answer holds for all runs.

use crate::encode::value::Sym;
use crate::encode::world::{ChoiceKind, Side};
use crate::refinement::check::Check;
use crate::refinement::outcome::{Outcome, Reason, exhausted};
use crate::refinement::search::FailingRun;
use crate::refinement::{Failure, FunctionRef, Unreached, failure, guess, reach, witness};
use crate::solver::Answer;
use crate::term::Term;
use backedge_ir::entity::Inst;
use backedge_ir::inst::InstKind;
use rustc_hash::FxHashMap;

impl Check<'_> {
    pub(super) fn decide(&mut self, args: &[Sym], sides: [FunctionRef<'_>; 2]) -> Result<Outcome, Reason> {
        self.within_limits()?;
        // With undef inputs, an earlier question has already established which runs exist.
        let bound = if self.world.undef_inputs { None } else { self.bound_in_force(args)? };
        let fine = failure::source_is_fine(self);
        if !self.world.undef_inputs && !guess::is_met(&self.world, args, &[fine]) {
            match self.ask_cheaply("precondition", &[fine]) {
                Ok(Answer::Unsat) => return self.without_runs(bound),
                // If it is unknown whether a run exists, the search for a failing run still makes sense. If none fails,
                // the answer lists all blocks as unreached.
                Ok(_) | Err(Reason::Solver(..)) => {}
                Err(reason) => return Err(reason),
            }
        }
        let failures = failure::all(self);
        self.within_limits()?;
        // Some runs refute nothing: the search first excludes them.
        let avoided = std::mem::take(&mut self.world.avoided);
        let always = self.premise;
        for premise in self.none_of(avoided).into_iter().chain([always]) {
            self.premise = premise;
            if self.is_whole() && self.none_fails(&failures)? {
                continue;
            }
            let conditions: Vec<(Failure, Term)> = failures
                .iter()
                .map(|&(f, condition)| (f, self.world.terms.and(condition, premise)))
                .collect();
            if let Some(found) = self.find(&conditions)? {
                let found = self.with_small_blocks(&conditions, args, found)?;
                let FailingRun { failure, condition, model, all_choices } = found;
                let model = self.smaller(failure, condition, args, model)?;
                let witness = Box::new(witness::read(&mut self.world, &model, args));
                return Ok(Outcome::Refuted { failure, witness, all_choices, otherwise: None });
            }
        }
        self.check_narrowing(fine, sides[1])?;
        self.check_loaded_pointers(fine)?;
        // An answer for all runs needs no list of unreached blocks.
        let unreached = if bound.is_none() { Unreached::default() } else { reach::unreached(self, sides)? };
        Ok(Outcome::Refines { bound, unreached, assumed: Vec::new() })
    }

    /// Whether the source has a defined run without undef inputs, all paths are in the formula, and no run fails;
    /// `false` if one query does not decide that.
    pub(super) fn holds_at_once(&mut self, args: &[Sym], target: FunctionRef<'_>) -> bool {
        if self.within_limits().is_err() || !self.is_whole() {
            return false;
        }
        let fine = failure::source_is_fine(self);
        if !guess::is_met(&self.world, args, &[fine]) {
            return false;
        }
        let failures = failure::all(self);
        self.within_limits().is_ok()
            && self.none_fails(&failures).unwrap_or(false)
            && self.check_narrowing(fine, target).is_ok()
            && self.world.partially_undef_pointers.is_empty()
    }
    /// Whether the formula contains all paths: no loop was cut off.
    pub(super) fn is_whole(&self) -> bool {
        self.ends
            .iter()
            .all(|ends| ends.cut.iter().all(|cut| self.world.terms.as_bool(cut.path) == Some(false)))
    }
    /// Whether a single query about all failures shows that no run fails: each query has a cost.
    fn none_fails(&mut self, failures: &[(Failure, Term)]) -> Result<bool, Reason> {
        let any = self.world.terms.or_all(failures.iter().map(|f| f.1));
        let any = self.world.terms.and(any, self.premise);
        if self.world.terms.as_bool(any) == Some(false) {
            return Ok(true);
        }
        let choices = self.world.choices[Side::Source.index()].clone();
        let mut matchings = if choices.is_empty() { Vec::new() } else { self.matchings(&choices)? };
        matchings.truncate(1);
        self.is_excluded("failures", any, &matchings)
    }
    /// Whether a single query shows that all comparable runs of both functions end with memories built by the same
    /// stores. The query is about paths only, not about bytes at each location.
    pub(super) fn memories_agree(&mut self, matching: &[FxHashMap<Term, Term>]) -> Result<bool, Reason> {
        let Some(apart) = failure::memories_apart(self) else { return Ok(false) };
        let apart = self.world.terms.and(apart, self.premise);
        self.is_excluded("paths of memories", apart, matching)
    }

    /// The condition that none of these holds; `None` if there are none.
    fn none_of(&mut self, conditions: Vec<Term>) -> Option<Term> {
        if conditions.is_empty() {
            return None;
        }
        let any = self.world.terms.or_all(conditions);
        Some(self.world.terms.not(any))
    }
    /// The outcome if no run is defined and within the bound.
    fn without_runs(&mut self, bound: Option<u32>) -> Result<Outcome, Reason> {
        let Some(bound) = bound else { return Ok(Outcome::Vacuous) };
        let defined = failure::source_has_no_ub(self);
        match self.ask_cheaply("definedness", &[defined])? {
            Answer::Unsat => Ok(Outcome::Vacuous),
            Answer::Sat(_) | Answer::Unknown(_) => Err(Reason::PastBound { bound }),
        }
    }

    /// Checks that no run of the target chooses undef bits once where different uses of a value derived from them may
    /// see different choices: the proof would miss those behaviors. A freeze is the only use that really sees a single
    /// value.
    fn check_narrowing(&mut self, fine: Term, target: FunctionRef<'_>) -> Result<(), Reason> {
        let Some(body) = target.module.body(target.func) else { return Ok(()) };
        let only_frozen = |inst: Inst| {
            let uses = body.uses(inst.into());
            uses.len() <= 1 && uses.iter().all(|u| matches!(body.inst(u.user).kind, InstKind::Freeze))
        };
        let mut narrowed = Vec::new();
        for choice in self.world.choices[Side::Target.index()].clone() {
            if choice.kind == ChoiceKind::Undef && !only_frozen(choice.inst) {
                let open = self.world.terms.is_nonzero(choice.open);
                narrowed.push(self.world.terms.and(choice.made, open));
            }
        }
        let narrowed = self.world.terms.or_all(narrowed);
        if self.world.terms.as_bool(narrowed) == Some(false) {
            return Ok(());
        }
        match self.ask_cheaply("narrowing", &[fine, narrowed])? {
            Answer::Unsat => Ok(()),
            Answer::Sat(_) | Answer::Unknown(_) => Err(Reason::UndefChosenOnce),
        }
    }
    /// Checks that no run of the source loads a pointer with some, but not all, bits undef: the source would be allowed
    /// too much. With undef inputs this check is skipped, because it was done before without them: a target that fails
    /// for a pointer made undef by the caller's memory also fails for other pointers.
    fn check_loaded_pointers(&mut self, fine: Term) -> Result<(), Reason> {
        let partly = self.world.partially_undef_pointers.clone();
        let partly = self.world.terms.or_all(partly);
        if self.world.undef_inputs || self.world.terms.as_bool(partly) == Some(false) {
            return Ok(());
        }
        match self.ask_cheaply("loaded pointers", &[fine, partly])? {
            Answer::Unsat => Ok(()),
            Answer::Sat(_) | Answer::Unknown(_) => Err(Reason::PartlyUndefPointer),
        }
    }
    /// Stops if a limit was reached while the formula was built.
    fn within_limits(&mut self) -> Result<(), Reason> {
        self.world.exhausted().map_or(Ok(()), |limit| Err(exhausted(limit, &self.world)))
    }

    /// The bound, if a run can exceed it.
    fn bound_in_force(&mut self, args: &[Sym]) -> Result<Option<u32>, Reason> {
        let cut: Vec<Term> = self.ends.iter().flat_map(|e| e.cut.iter().map(|cut| cut.path)).collect();
        let cut = self.world.terms.or_all(cut);
        let bound = self.ends.iter().map(|e| e.bound).min().unwrap_or_default();
        if self.world.terms.as_bool(cut) == Some(false) {
            return Ok(None);
        }
        if guess::is_met(&self.world, args, &[cut]) {
            return Ok(Some(bound));
        }
        match self.ask_cheaply("bound", &[cut]) {
            Ok(Answer::Unsat) => Ok(None),
            Ok(Answer::Sat(_) | Answer::Unknown(_)) | Err(Reason::Solver(..)) => Ok(Some(bound)),
            Err(reason) => Err(reason),
        }
    }
}
