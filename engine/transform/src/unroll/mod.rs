//! `loop-unroll` (and `loop-unroll-full`): one iteration of the new loop, a *round*, runs several iterations of the
//! old one.
//!
//! | form | when |
//! |---|---|
//! | full | few iterations, at most a known number: the loop disappears |
//! | partial | copies in the loop; each exit is tested in the copies where it can be taken |
//! | runtime, required epilogue | rounds without tests of countable exits; the epilogue runs the last iteration |
//! | runtime, epilogue | rounds without the latch's test; an epilogue for the remaining iterations, if any |
//! | runtime, prologue | first the remaining iterations, then rounds with one latch test each |
//!
//! Everything is per exiting edge: exits may share their exit blocks, with or without phis, need not dominate the
//! latch, and may be uncountable. Trip counts are represented as backedge-taken counts, which never wrap, unlike the
//! count of iterations. A count computed before the loop is frozen: if it is poison, the first test that depends on
//! it is UB in the source too, and the source reaches that test.
//!
//! Convergent calls must not become control-dependent on additional conditions. Loops with such calls are only
//! copied; they get no remainder loop, which has an entry condition of its own.
//!
//! Needs loop-simplify and LCSSA form, and restores both.

pub(crate) mod apply;
mod decide;
mod options;
mod remarks;

pub use options::LoopUnroll;
pub use remarks::{FULL_NAME, Form, NAME, UnrollDone, UnrollMissed};

use crate::cleanup;
use crate::clone::{self, check::check_kept_conditions};
use crate::cost::profile::expected_by_weights;
use crate::cost::{FACTORS, LoopCost, Machine, Spared};
use crate::counted::Facts;
use crate::counted::Unfit;
use crate::counted::{MOST_INSTRUCTIONS, check_form_but_copies, facts, least_count, plan_in_front};
use crate::deletion::apply::leave_in_first;
use crate::lcssa::Lcssa;
use crate::loop_metadata::FollowUp;
use crate::pass::{FunctionPass, LoopPass, Unit};
use crate::peel::LoopPeel;
use crate::simplify::LoopSimplify;
use crate::uniform::{Lanes, Rounds, known_in_each, lanes, periods, spared};
use crate::{form, loop_metadata, weights};
use backedge_ir::body::Body;
use backedge_ir::editor::Editor;
use backedge_ir::entity::{Block, EntitySet, Inst, MdId};
use backedge_ir::loop_options::allows_only_forced;
use backedge_ir::module::Env;
use backedge_scev::expand::Plan;
use backedge_scev::{Kept, ScalarEvolution};
use decide::{Choice, Runtime};

/// Metadata that disables unrolling.
const DISABLE: &str = "llvm.loop.unroll.disable";
/// Metadata with the unroll factor.
const COUNT: &str = "llvm.loop.unroll.count";
/// Metadata that requests full unrolling.
const FULL: &str = "llvm.loop.unroll.full";
/// Metadata that requests unrolling, if necessary with all exit tests, or with a run-time trip count.
const ENABLE: &str = "llvm.loop.unroll.enable";
/// Metadata that disables unrolling with a run-time trip count.
const NO_RUNTIME: &str = "llvm.loop.unroll.runtime.disable";
/// Metadata with the follow-up options of all resulting loops, of the unrolled loop, and of the remainder loop.
const FOLLOW_UPS: [&str; 3] = [
    "llvm.loop.unroll.followup_all",
    "llvm.loop.unroll.followup_unrolled",
    "llvm.loop.unroll.followup_remainder",
];
/// Prefix of all unrolling metadata.
const OPTIONS: &str = "llvm.loop.unroll.";

impl Default for LoopUnroll {
    fn default() -> Self {
        Self {
            count: None,
            full_only: false,
            full_limit: None,
            full_asked: false,
            asked: false,
            upper_bound: true,
            partial: false,
            peeling: false,
            profile_peeling: None,
            runtime: false,
            form: None,
            machine: Machine::default(),
            count_budget: 24,
            most_instructions: 400,
            most_trips: 64,
        }
    }
}

impl FunctionPass for LoopUnroll {
    fn text(&self) -> String {
        let plain = Self { full_only: self.full_only, ..Self::default() };
        let mut params = Vec::new();
        let switches = [
            ("partial", self.partial, plain.partial),
            ("peeling", self.peeling, plain.peeling),
            ("runtime", self.runtime, plain.runtime),
            ("upperbound", self.upper_bound, plain.upper_bound),
        ];
        let given = switches.into_iter().filter(|(_, on, usual)| on != usual).map(|(word, on, _)| (word, on));
        for (word, on) in given.chain(self.profile_peeling.map(|on| ("profile-peeling", on))) {
            params.push(if on { word.to_owned() } else { format!("no-{word}") });
        }
        params.extend(self.full_limit.map(|n| format!("full-unroll-max={n}")));
        params.extend(self.count.map(|n| format!("count={n}")));
        if self.most_instructions != plain.most_instructions {
            params.push(format!("threshold={}", self.most_instructions));
        }
        params.extend(self.form.map(|form| format!("rest={}", form.word())));
        if self.machine != plain.machine {
            params.push(format!("machine={}", self.machine.name));
        }
        if self.count_budget != plain.count_budget {
            params.push("allow-expensive-trip-count".to_owned());
        }
        let name = self.name();
        if params.is_empty() { name.to_owned() } else { format!("{name}<{}>", params.join(";")) }
    }
    fn run(&self, unit: &mut Unit<'_>) {
        let shape = unit.shape();
        if shape.loops.is_empty() {
            return;
        }
        unit.quietly(|unit| {
            LoopSimplify.run(unit);
            Lcssa.run(unit);
        });
        let shape = unit.shape();
        let headers: Vec<Block> =
            shape.loops.in_pass_order().into_iter().map(|l| shape.loops.header(l)).collect();
        for header in headers {
            self.run_on_loop(unit, header);
        }
    }
}

impl LoopPass for LoopUnroll {
    fn text(&self) -> String {
        FunctionPass::text(self)
    }
    fn run(&self, unit: &mut Unit<'_>, header: Block) -> Option<Block> {
        self.run_on_loop(unit, header);
        cleanup::is_header(unit, header).then_some(header)
    }
}

/// The decision for a loop.
struct Decision {
    facts: Facts,
    choice: Choice,
    /// How to compute the count before the loop, if the choice needs it.
    count: Option<Plan>,
    /// Values with known lanes in a round.
    lanes: Vec<(Inst, Lanes)>,
    /// The trip count predicted by branch weights.
    expected: Option<u64>,
}

/// Loop metadata of the resulting loops.
struct FollowUps {
    /// Requested for the unrolled loop.
    rounds: Option<FollowUp>,
    /// Requested for the remainder loop.
    rest: Option<FollowUp>,
    /// Used without a request. Loop nodes are distinct, so each loop needs its own.
    disabled: [MdId; 2],
}

impl FollowUps {
    fn of(env: &mut Env, body: &Body, latch: Block) -> Self {
        let disabled = [(); 2].map(|()| loop_metadata::with_option(env, body, latch, DISABLE, &[OPTIONS]));
        let [all, rounds, rest] = FOLLOW_UPS;
        let [rounds, rest] =
            [rounds, rest].map(|name| loop_metadata::follow_up(env, body, latch, &[all, name]));
        Self { rounds, rest, disabled }
    }
    /// Sets the metadata of the only loop.
    fn set_on_rounds(&self, editor: &mut Editor<'_>, latch: Block) {
        loop_metadata::set_follow_up(editor, latch, self.rounds.as_ref(), self.disabled[0]);
    }
    /// Sets the metadata of both loops, in the order of execution.
    fn set_on_halves(&self, editor: &mut Editor<'_>, latches: [Block; 2], form: Form) {
        let follow_ups = match form {
            Form::Prologue => [&self.rest, &self.rounds],
            Form::Epilogue | Form::RequiredEpilogue => [&self.rounds, &self.rest],
        };
        for ((latch, follows), disabled) in latches.into_iter().zip(follow_ups).zip(self.disabled) {
            loop_metadata::set_follow_up(editor, latch, follows.as_ref(), disabled);
        }
    }
}

/// Whether a loop may be peeled instead of applying the decision.
fn may_be_peeled(decided: &Result<Decision, UnrollMissed>) -> bool {
    match decided {
        Ok(decision) => match &decision.choice {
            Choice::Full { .. } => false,
            // No table means that unrolling was requested.
            Choice::Partial { table, .. } | Choice::Runtime(Runtime { table, .. }) => table.is_some(),
        },
        Err(missed) => *missed != UnrollMissed::Disabled,
    }
}

/// The candidate factors, in increasing order: the usual ones, and those suggested by divisors in the loop.
fn considered(body: &Body, executed: &[Inst]) -> Vec<usize> {
    let most = FACTORS[FACTORS.len() - 1];
    let mut factors: Vec<usize> = periods(body, executed).filter(|d| *d <= most).chain(FACTORS).collect();
    factors.sort_unstable();
    factors.dedup();
    factors
}

impl LoopUnroll {
    fn run_on_loop(&self, unit: &mut Unit<'_>, header: Block) {
        let Some(decided) = self.check_and_decide(unit, header) else { return };
        if may_be_peeled(&decided) && self.peel_instead(unit, header) {
            return;
        }
        match decided {
            Ok(decision) => self.unroll(unit, header, decision),
            Err(missed) => unit.remark(self.name(), header, missed),
        }
    }
    /// Peels the loop if that is allowed and worth it; returns whether it did.
    fn peel_instead(&self, unit: &mut Unit<'_>, header: Block) -> bool {
        let by_profile = self.profile_peeling.unwrap_or(true);
        if self.full_only || !(self.peeling || by_profile) {
            return false;
        }
        let peel = LoopPeel {
            simplifying: self.peeling,
            profile: by_profile,
            machine: self.machine,
            ..LoopPeel::default()
        };
        matches!(peel.peel_if_worth(unit, header, NAME), Some(Ok(_)))
    }
    /// Applies the decision to the loop with that header.
    fn unroll(&self, unit: &mut Unit<'_>, header: Block, decision: Decision) {
        let Decision { facts, choice, count, lanes, expected } = decision;
        let label = unit.label(header);
        let latch = facts.ring.latch;
        let known: EntitySet<Block> = unit.body().blocks().collect();
        let (env, body) = unit.env_and_body();
        let options = FollowUps::of(env, body, latch);
        let (env, mut editor) = unit.env_and_editor_at(latch);
        match choice {
            Choice::Full { .. } => apply::drop_scopes(env, &mut editor, &facts),
            Choice::Partial { .. } | Choice::Runtime(_) => apply::prepare(env, &mut editor, &facts),
        }
        weights::forget(&mut editor, choice.untested(&facts).map(|e| e.block));
        let mut expects = None;
        // The header of a remainder loop that makes at most one iteration.
        let mut once = None;
        // The resulting loops, with the number of old iterations per new one, if known.
        let mut estimated: Vec<(Block, Option<usize>)> = Vec::new();
        let done = match (choice, count) {
            (Choice::Full { trips, table }, _) => {
                apply::complete(&mut editor, &facts, trips);
                UnrollDone::Full { trips, table }
            }
            (Choice::Runtime(plan), Some(count)) => {
                let halves = apply::runtime(&mut editor, &facts, &plan, &count, &lanes);
                once = match plan.form {
                    Form::Epilogue => Some(halves.second.header),
                    Form::Prologue => Some(halves.first.header),
                    Form::RequiredEpilogue => None,
                }
                .filter(|_| plan.factor == 2);
                let of_main = match plan.form {
                    Form::Prologue => [None, Some(plan.factor)],
                    Form::Epilogue | Form::RequiredEpilogue => [Some(plan.factor), None],
                };
                let rings = [&halves.first, &halves.second];
                estimated.extend(rings.iter().zip(of_main).map(|(ring, main)| (ring.latch, main)));
                options.set_on_halves(&mut editor, rings.map(|ring| ring.latch), plan.form);
                expects = expected.map(|trips| {
                    let guards = apply::expected_guards(&facts, &plan, &halves, trips);
                    (apply::expected(&facts, &plan, &halves, trips), guards)
                });
                let Runtime { factor, form, dropped, table } = plan;
                UnrollDone::Runtime { factor, form, dropped: dropped.len(), table }
            }
            (Choice::Partial { factor, table } | Choice::Runtime(Runtime { factor, table, .. }), _) => {
                let closing = apply::partial(&mut editor, &facts, factor, &lanes);
                estimated.push((closing, Some(factor)));
                options.set_on_rounds(&mut editor, closing);
                UnrollDone::Partial { factor, table }
            }
        };
        for (latch, factor) in estimated {
            let rounds = |trips: u64| factor.map(|factor| (trips / factor as u64).max(1));
            loop_metadata::estimate(unit, latch, rounds);
        }
        if let Some((loops, guards)) = expects {
            loops.into_iter().for_each(|(block, at, trips)| weights::expect(unit, block, at, trips));
            guards.into_iter().for_each(|(block, first)| weights::expect_first(unit, block, first));
        }
        unit.remark_at(self.name(), label, done);
        form::restore(unit);
        if let Some(header) = once {
            leave_in_first(unit, header);
        }
        cleanup::clean_copies(unit, &known, &facts.ring.blocks);
    }
    fn name(&self) -> &'static str {
        if self.full_only { FULL_NAME } else { NAME }
    }
    /// The decision for the loop and the data it needs.
    fn check_and_decide(&self, unit: &mut Unit<'_>, header: Block) -> Option<Result<Decision, UnrollMissed>> {
        let shape = unit.shape();
        let l = shape.loops.with_header(header)?;
        let (env, body) = (unit.env(), unit.body());
        let ring = check_form_but_copies(unit, &shape, l).and_then(|ring| {
            check_kept_conditions(env, body, &ring.blocks).map_err(Unfit::Uncopyable)?;
            Ok(ring)
        });
        let ring = match ring {
            Ok(ring) => ring,
            Err(why) => return Some(Err(UnrollMissed::Unfit(why))),
        };
        if shape.loops.has_property(env, body, &shape.cfg, l, DISABLE) {
            return Some(Err(UnrollMissed::Disabled));
        }
        let asked = loop_metadata::number(env, body, ring.latch, COUNT);
        let asked = asked.and_then(|n| usize::try_from(n.bits()).ok());
        let says = |property: &str| shape.loops.has_property(env, body, &shape.cfg, l, property);
        let enabled = says(ENABLE);
        // A count implies a request to unroll.
        let forced = enabled || asked.is_some_and(|n| n > 1);
        if !(forced || says(FULL)) && allows_only_forced(env, body, ring.latch) {
            return Some(Err(UnrollMissed::Unfit(Unfit::NotForced)));
        }
        let runtime = self.runtime || forced;
        // A remainder loop would add an entry condition.
        let for_no_rest = clone::check::check(env, body, &ring.blocks).err().filter(|_| runtime);
        let options = Self {
            count: self.count.or(asked),
            full_asked: says(FULL),
            asked: enabled,
            most_instructions: self.most_instructions.min(MOST_INSTRUCTIONS),
            // A loop that must be unrolled, but not with a run-time count, is unrolled if its count is constant.
            partial: self.partial || forced && !(enabled && says(NO_RUNTIME)),
            runtime: runtime && !says(NO_RUNTIME) && for_no_rest.is_none(),
            ..self.clone()
        };
        let mut scev = Kept::new(unit.at());
        let facts = facts(&mut scev, &shape, l, ring);
        // Each factor is evaluated once; the decision does not change the facts.
        let weighs = options.count.is_none() && !options.full_only;
        let rounds: Vec<(usize, Spared)> = if weighs {
            let factors = considered(body, &facts.executed);
            factors.into_iter().map(|k| (k, spared(&mut scev, &facts, Rounds::of(k)))).collect()
        } else {
            Vec::new()
        };
        let few = facts.constant_max.is_some_and(|max| max.bits() < options.most_trips as u128);
        let folded = if few { known_in_each(&mut scev, l, &facts.executed) } else { 0 };
        let LoopCost { size, iteration } = LoopCost::measure(scev.at, &facts);
        let weight = decide::Weight { size, iteration, folded, rounds: &rounds };
        let choice = match (decide::decide(&facts, &weight, &options), for_no_rest) {
            (Err(UnrollMissed::NotWorthIt(None) | UnrollMissed::NotAsked), Some(why)) => {
                Err(UnrollMissed::Unfit(Unfit::Uncopyable(why)))
            }
            (choice, _) => choice,
        };
        Some(choice.and_then(|choice| {
            let factor = match &choice {
                Choice::Full { .. } => 1,
                Choice::Partial { factor, .. } => *factor,
                // Its rounds may begin with any iteration.
                Choice::Runtime(Runtime { form: Form::Prologue, .. }) => 1,
                Choice::Runtime(Runtime { factor, .. }) => *factor,
            };
            let lanes = if factor > 1 {
                lanes(&mut scev, l, &facts.executed, Rounds::of(factor))
            } else {
                Vec::new()
            };
            let count = match &choice {
                Choice::Runtime(runtime) => Some(self.plan_count(&mut scev, &facts, runtime)?),
                Choice::Full { .. } | Choice::Partial { .. } => None,
            };
            let expected = expected_by_weights(env, body, &facts);
            Ok(Decision { facts, choice, count, lanes, expected })
        }))
    }
    /// How to compute the count in the preheader: the minimum over the untested exits.
    fn plan_count(
        &self,
        scev: &mut ScalarEvolution<'_>,
        facts: &Facts,
        runtime: &Runtime,
    ) -> Result<Plan, UnrollMissed> {
        let count = least_count(scev, facts, &runtime.dropped).ok_or(UnrollMissed::NotCounted)?;
        let plan = plan_in_front(scev, facts, count).ok_or(UnrollMissed::ExpensiveCount)?;
        if plan.cost() > self.count_budget { Err(UnrollMissed::ExpensiveCount) } else { Ok(plan) }
    }
}
