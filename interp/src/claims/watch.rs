//! The observer: records the values that claims mention, counts arrivals, and evaluates the checks at their points.
//!
//! Steps arrive one at a time. The phis of a block are checked together, before its first other instruction. An
//! instruction is checked when the next step arrives, because its result may be reported once more after its facts
//! have been applied. Failures are kept until the run has ended: only then is it known whether they count.

use super::eval::{Arrivals, Outcome, State, signed};
use super::evidence::Evidence;
use super::exact::{addrec_fails, increments_stay, nary_failure};
use super::plan::{Check, Checker, Count, Counted, What};
use crate::outcome::Outcome as End;
use crate::trace::{Done, Entry, Observer};
use crate::value::mask;
use backedge_claim::claim::{Predicate, RecurrenceKind};
use backedge_ir::body::Body;
use backedge_ir::entity::{Block, EntityId, EntitySet, FuncId, Inst};
use backedge_ir::int::Int;

/// A failed check in a run.
#[derive(Clone, Debug)]
pub(super) struct Failure {
    pub(super) subject: usize,
    pub(super) at: Option<(Block, u64)>,
    pub(super) evidence: Evidence,
    pub(super) hidden: bool,
}

/// Whether control can return to `header` after leaving the loop with these `blocks`.
fn can_reenter(body: &Body, header: Block, blocks: &EntitySet<Block>) -> bool {
    let leaves = |from: Block| body.successors(from).iter().copied().filter(|to| !blocks.contains(*to));
    let mut work: Vec<Block> = blocks.iter().flat_map(leaves).collect();
    let mut seen: EntitySet<Block> = work.iter().copied().collect();
    while let Some(block) = work.pop() {
        if block == header {
            return true;
        }
        work.extend(body.successors(block).iter().copied().filter(|to| seen.insert(*to)));
    }
    false
}

/// Observer of successive runs.
pub(super) struct Watch<'c, 'm> {
    checker: &'c Checker<'m>,
    state: State,
    /// Counts at loop entry: value, and whether the claim's assumptions hold.
    counts: Vec<(Outcome, bool)>,
    held: Vec<Outcome>,
    /// Exit counts whose branch executed in the claimed iteration without leaving the loop, and may execute again in
    /// it.
    waiting: Vec<bool>,
    block: Option<Block>,
    begin: bool,
    inst: Option<Inst>,
    /// Whether the function has been entered in this run.
    started: bool,
    /// Whether a `musttail` call has replaced the watched activation, so that another one is running now.
    over: bool,
    /// Subjects that are already refuted and need no further checks.
    pub(super) settled: Vec<bool>,
    /// Number of tests of each subject in this run.
    pub(super) tested: Vec<u32>,
    pub(super) failures: Vec<Failure>,
}

impl<'c, 'm> Watch<'c, 'm> {
    pub(super) fn new(checker: &'c Checker<'m>) -> Self {
        let subjects = checker.subjects.len();
        Self {
            checker,
            state: State {
                leaves: vec![Outcome::Nothing; checker.table.slots.len()],
                loops: vec![Arrivals::default(); checker.loops.loops.len()],
                nodes: vec![Outcome::Nothing; checker.table.len()],
            },
            counts: vec![(Outcome::Nothing, false); checker.counts.len()],
            held: vec![Outcome::Nothing; checker.held],
            waiting: vec![false; checker.counts.len()],
            block: None,
            begin: false,
            inst: None,
            started: false,
            over: false,
            settled: vec![false; subjects],
            tested: vec![0; subjects],
            failures: Vec::new(),
        }
    }
    /// Discards the last run.
    pub(super) fn reset(&mut self) {
        self.state.leaves.fill(Outcome::Nothing);
        self.state.loops.fill(Arrivals::default());
        (self.block, self.begin, self.inst) = (None, false, None);
        (self.started, self.over) = (false, false);
        self.tested.fill(0);
        self.waiting.fill(false);
        self.failures.clear();
    }
    /// Handles the end of the run.
    pub(super) fn finish(&mut self, end: &End) {
        self.flush();
        let checker = self.checker;
        let End::Diverges { func, block } = end else { return };
        // A state occurred again at the header of a loop with no cycle around it: that loop runs forever.
        let Some(around) = checker.loops.index_of(*block).filter(|_| *func == checker.func) else { return };
        let (parent, blocks) = (checker.loops.loops[around].parent, &checker.loops.loops[around].blocks);
        if parent.is_some() || !self.state.loops[around].active || can_reenter(checker.body, *block, blocks) {
            return;
        }
        for &number in &checker.counts_of_loop[around] {
            let count = &checker.counts[number];
            if let (Counted::Taken { exact: true, .. }, Some(claimed)) = (&count.what, self.count(number)) {
                self.fail(count.subject, Some(around), Evidence::Endless { claimed });
            }
        }
    }
    fn fail(&mut self, subject: usize, around: Option<usize>, evidence: Evidence) {
        self.failed(subject, around, evidence, false);
    }
    fn failed(&mut self, subject: usize, around: Option<usize>, evidence: Evidence, hidden: bool) {
        if self.settled[subject] || self.failures.iter().any(|f| f.subject == subject && f.hidden <= hidden) {
            return;
        }
        let at = around.map(|l| (self.checker.loops.loops[l].header, self.state.loops[l].index));
        let at = at.filter(|_| around.is_some_and(|l| self.state.loops[l].ever));
        self.failures.push(Failure { subject, at, evidence, hidden });
    }
    /// Performs the checks that waited for the next step.
    fn flush(&mut self) {
        self.flush_begin();
        if let Some(inst) = self.inst.take() {
            let checker = self.checker;
            for &number in &checker.after[inst] {
                self.look(&checker.checks[number]);
            }
        }
    }
    fn flush_begin(&mut self) {
        if !std::mem::take(&mut self.begin) {
            return;
        }
        let checker = self.checker;
        let Some(block) = self.block else { return };
        if let Some(around) = checker.loops.index_of(block) {
            self.arrived(around);
        }
        for &number in &checker.at_block[block] {
            self.look(&checker.checks[number]);
        }
    }
    /// Handles an arrival at a loop's header: evaluates counts on entry, and later compares them with the number of
    /// arrivals.
    fn arrived(&mut self, around: usize) {
        let checker = self.checker;
        let index = self.state.loops[around].index;
        for &number in &checker.counts_of_loop[around] {
            let count = &checker.counts[number];
            if self.settled[count.subject] {
                continue;
            }
            if index == 0 {
                let value = checker.table.evaluate(&count.order, &mut self.state);
                self.counts[number] = (value, self.is_assumed(count, value));
            } else if let Some(claimed) = self.count(number)
                && u128::from(index) > claimed
                && !matches!(count.what, Counted::Exit { exact: true, .. })
            {
                self.fail(count.subject, Some(around), Evidence::Taken { claimed, taken: index });
            }
        }
    }
    /// A count at the entry of its loop, if it has a value and its assumptions hold.
    fn count(&self, number: usize) -> Option<u128> {
        let (value, assumed) = self.counts[number];
        value.bits().filter(|_| assumed)
    }
    fn is_assumed(&mut self, count: &Count, value: Outcome) -> bool {
        let table = &self.checker.table;
        count.assumed.iter().all(|assumption| {
            let [a, b] = [0, 1].map(|i| table.evaluate(&assumption.orders[i], &mut self.state).bits());
            let (Some(a), Some(b)) = (a, b) else { return false };
            match assumption.predicate {
                Predicate::Compare { predicate, .. } => {
                    predicate.holds(Int::new(assumption.width, a), Int::new(assumption.width, b))
                }
                // Checked at run time for all iterations up to the count.
                Predicate::Wrap { nusw, nssw, .. } => value.bits().is_some_and(|last| {
                    let stays = |signedly| increments_stay(signedly, assumption.width, a, b, last);
                    (!nusw || stays(false)) && (!nssw || stays(true))
                }),
            }
        })
    }
    fn look(&mut self, check: &Check) {
        let shown = check.shown_by.is_none_or(|slot| self.state.leaves[slot as usize].bits().is_some());
        if self.settled[check.subject] || !shown {
            return;
        }
        let value = self.checker.table.evaluate(&check.order, &mut self.state);
        let bits = |state: &State, operands: &[backedge_claim::expr::ExprId]| -> Option<Vec<u128>> {
            operands.iter().map(|o| state.nodes[o.index()].bits()).collect()
        };
        let evidence = match &check.what {
            What::Equal(slot) => {
                let (Some(claimed), Some(found)) = (value.bits(), self.state.leaves[*slot as usize].bits())
                else {
                    return;
                };
                (claimed != found).then_some(Evidence::Value { width: check.width, claimed, found })
            }
            What::Nary { op, flag, operands } => {
                let Some(operands) = bits(&self.state, operands) else { return };
                let form = nary_failure(*op, *flag, check.width, &operands);
                form.map(|form| Evidence::Wrap { width: check.width, form, operands })
            }
            What::AddRec { flag, operands, around } => {
                let Some(operands) = bits(&self.state, operands) else { return };
                let index = self.state.loops[*around].index;
                let fails = addrec_fails(*flag, check.width, &operands, index);
                fails.then_some(Evidence::RecurrenceWrap { width: check.width, operands, index })
            }
            What::Range(range) => {
                let Some(found) = value.bits() else { return };
                let inside = range.contains(Int::new(check.width, found));
                (!inside).then_some(Evidence::OutOfRange { width: check.width, found })
            }
            What::Invariant { held, .. } => {
                let Some(found) = value.bits() else { return };
                let Some(claimed) = self.held[*held].bits() else {
                    self.held[*held] = value;
                    return;
                };
                (claimed != found).then_some(Evidence::Value { width: check.width, claimed, found })
            }
            What::Recurrence { kind, around, slot, held } => {
                let index = self.state.loops[*around].index;
                if index == 0 {
                    let [.., start, step] = check.order[..] else { return };
                    let [start, step] = [start, step].map(|part| self.state.nodes[part.index()]);
                    (self.held[*held], self.held[*held + 1]) = (start, step);
                }
                let parts = (self.held[*held].bits(), self.held[*held + 1].bits());
                let (Some(start), Some(step)) = parts else { return };
                let found = self.state.leaves[*slot as usize].bits();
                let (Some(claimed), Some(found)) =
                    (closed_form(*kind, check.width, start, step, index), found)
                else {
                    return;
                };
                (claimed != found).then_some(Evidence::Value { width: check.width, claimed, found })
            }
        };
        self.tested[check.subject] += 1;
        if let Some(evidence) = evidence {
            self.failed(check.subject, check.around, evidence, check.hidden);
        }
    }
    /// Handles the branch from `from` to `to`: checks the counts of its exits.
    fn branched(&mut self, from: Block, to: Block) {
        let checker = self.checker;
        for &number in &checker.counts_of_exit[from] {
            let count = &checker.counts[number];
            let arrivals = self.state.loops[count.around];
            let Counted::Exit { to: target, exact, repeats, .. } = count.what else { continue };
            if !arrivals.active || self.settled[count.subject] || !exact {
                continue;
            }
            let (value, assumed) = self.counts[number];
            if !assumed {
                continue;
            }
            let leaves = !checker.loops.loops[count.around].blocks.contains(to);
            let fires = leaves && target.is_none_or(|target| target == to);
            let at = arrivals.index;
            let evidence = match value {
                Outcome::Nothing => continue,
                Outcome::Poison => Some(Evidence::PoisonCount { at }),
                Outcome::Bits(claimed) => {
                    let wrong = if fires { u128::from(at) < claimed } else { u128::from(at) == claimed };
                    if repeats && !fires {
                        // This exit or another one may still fire later in this iteration.
                        self.waiting[number] = wrong && !leaves;
                        continue;
                    }
                    wrong.then_some(Evidence::Fires { claimed, at, fires })
                }
            };
            self.tested[count.subject] += 1;
            if let Some(evidence) = evidence {
                self.fail(count.subject, Some(count.around), evidence);
            }
        }
    }
    /// Handles a backedge of the loop, which ends its iteration: exits waiting in it did not fire.
    fn finish_iteration(&mut self, around: usize) {
        let checker = self.checker;
        for &number in &checker.counts_of_loop[around] {
            if !std::mem::take(&mut self.waiting[number]) {
                continue;
            }
            let (count, at) = (&checker.counts[number], self.state.loops[around].index);
            if let (Outcome::Bits(claimed), _) = self.counts[number] {
                self.tested[count.subject] += 1;
                self.fail(count.subject, Some(around), Evidence::Fires { claimed, at, fires: false });
            }
        }
    }
    /// Handles control leaving the loop from `from`.
    fn left(&mut self, around: usize, from: Block) {
        let checker = self.checker;
        for exit in &checker.exit_values[around] {
            if self.settled[exit.subject] || !exit.from.contains(&from) {
                continue;
            }
            let claimed = checker.table.evaluate(&exit.order, &mut self.state).bits();
            let found = self.state.leaves[exit.slot as usize].bits();
            if let (Some(claimed), Some(found)) = (claimed, found) {
                self.tested[exit.subject] += 1;
                if claimed != found {
                    let evidence = Evidence::Value { width: exit.width, claimed, found };
                    self.fail(exit.subject, Some(around), evidence);
                }
            }
        }
        let taken = self.state.loops[around].index;
        for &number in &checker.counts_of_loop[around] {
            let count = &checker.counts[number];
            if self.settled[count.subject] {
                continue;
            }
            let claimed = self.count(number);
            let evidence = match (&count.what, claimed) {
                (Counted::Multiple(multiple), _) => {
                    let whole = (u128::from(taken) + 1).is_multiple_of(u128::from(*multiple));
                    (!whole).then_some(Evidence::Multiple { multiple: *multiple, taken })
                }
                (Counted::Taken { exact, max_or_zero }, Some(claimed)) => {
                    let other = u128::from(taken) != claimed && (*exact || (*max_or_zero && taken != 0));
                    other.then_some(Evidence::Taken { claimed, taken })
                }
                (Counted::Taken { exact: true, .. }, None)
                    if self.counts[number] == (Outcome::Poison, true) =>
                {
                    Some(Evidence::PoisonTaken { taken })
                }
                (Counted::Taken { .. }, None) | (Counted::Exit { exact: true, .. }, _) => continue,
                (Counted::Exit { .. }, _) => None,
            };
            self.tested[count.subject] += 1;
            if let Some(evidence) = evidence {
                self.fail(count.subject, Some(around), evidence);
            }
        }
        self.state.loops[around].active = false;
        checker.counts_of_loop[around].iter().for_each(|number| self.waiting[*number] = false);
    }
}

impl Observer for Watch<'_, '_> {
    fn call(&mut self, entry: Entry<'_>) {
        if entry.depth > 0 || self.over {
            return;
        }
        if self.started {
            self.flush();
            self.over = true;
            return;
        }
        self.started = true;
        for (value, kept) in entry.args.iter().zip(&self.checker.kept_args) {
            if let Some((slot, width)) = kept {
                self.state.leaves[*slot as usize] = Outcome::of_val(value, *width);
            }
        }
        (self.block, self.begin) = (self.checker.body.entry(), true);
    }
    fn enter(&mut self, _: FuncId, block: Block, depth: usize) {
        if depth > 0 || self.over {
            return;
        }
        self.flush();
        let checker = self.checker;
        if let Some(from) = self.block {
            self.branched(from, block);
            let mut around = checker.loops.innermost(from);
            while let Some(number) = around.filter(|l| !checker.loops.loops[*l].blocks.contains(block)) {
                self.left(number, from);
                around = checker.loops.loops[number].parent;
            }
        }
        if let Some(number) = checker.loops.index_of(block) {
            if self.state.loops[number].active {
                self.finish_iteration(number);
            }
            let arrivals = &mut self.state.loops[number];
            arrivals.index = if arrivals.active { arrivals.index + 1 } else { 0 };
            (arrivals.active, arrivals.ever) = (true, true);
            if arrivals.index == 0 {
                checker.held_of_loop[number].iter().for_each(|held| self.held[*held] = Outcome::Nothing);
            }
        }
        (self.block, self.begin) = (Some(block), true);
    }
    fn step(&mut self, done: Done<'_>) {
        if done.depth > 0 || self.over {
            return;
        }
        let is_phi = self.checker.body.inst(done.inst).kind.is_phi();
        if !is_phi && self.inst != Some(done.inst) {
            self.flush();
            self.inst = Some(done.inst);
        }
        if let (Some((slot, width)), Some(value)) = (self.checker.kept[done.inst], done.value) {
            self.state.leaves[slot as usize] = Outcome::of_val(value, width);
        }
    }
}

/// The value of a recurrence at arrival `index`; `None` if it is poison or undefined.
fn closed_form(kind: RecurrenceKind, width: u32, start: u128, step: u128, index: u64) -> Option<u128> {
    let odd = index % 2 == 1;
    let later = index > 0;
    // Shifts by more than the width shift all bits out; a shift amount of the width or more is poison.
    let shift = || {
        let far = step.saturating_mul(index.into());
        (!later || step < u128::from(width)).then(|| u32::try_from(far).unwrap_or(u32::MAX))
    };
    let power = || {
        let (mut result, mut base, mut exponent) = (1u128, step, index);
        while exponent > 0 {
            if exponent % 2 == 1 {
                result = result.wrapping_mul(base);
            }
            base = base.wrapping_mul(base);
            exponent /= 2;
        }
        result
    };
    let value = match kind {
        RecurrenceKind::Xor => start ^ if odd { step } else { 0 },
        RecurrenceKind::SubFrom => {
            if odd {
                step.wrapping_sub(start)
            } else {
                start
            }
        }
        RecurrenceKind::And => start & if later { step } else { u128::MAX },
        RecurrenceKind::Or => start | if later { step } else { 0 },
        RecurrenceKind::Mul => start.wrapping_mul(power()),
        RecurrenceKind::Shl => start.checked_shl(shift()?).unwrap_or(0),
        RecurrenceKind::LShr => start.checked_shr(shift()?).unwrap_or(0),
        RecurrenceKind::AShr => (signed(start, width) >> shift()?.min(127)) as u128,
        RecurrenceKind::UDiv => {
            let mut value = start;
            // Each division by 2 or more removes a bit.
            let times = if step < 2 { index.min(1) } else { index.min(128) };
            for _ in 0..times {
                value = value.checked_div(step)?;
            }
            value
        }
    };
    Some(value & mask(width))
}
