//! Runs the oracles on one program and this project's passes, in this process.

use super::oracles::{Oracle, Oracles};
use super::program::Program;
use super::task::Counts;
use crate::oracle::{
    Finding, again, claims, dependences, encoder, forms, optimize, proof, runs, settling, text,
};
use crate::statistics::Fired;
use backedge_interp::claims::Options as ClaimRuns;
use backedge_ir::entity::FuncId;
use backedge_ir::module::Module;
use backedge_pipeline::pass::Pipeline;
use backedge_scev::claims::Order;
use backedge_validate::check::{Options, Side};
use std::sync::LazyLock;

/// A parsed pipeline and its text.
#[derive(Clone, Debug)]
pub struct Passes {
    /// The text, as given.
    pub text: String,
    /// The parsed pipeline.
    pub pipeline: Pipeline,
}

/// Settings for examining programs.
#[derive(Clone, Debug)]
pub struct Examiner {
    /// The pipelines under test; each seed selects one.
    pub passes: Vec<Passes>,
    /// The enabled oracles and their shares.
    pub oracles: Oracles,
    /// Limits for runs.
    pub runs: runs::Limits,
    /// Limits for the solver.
    pub proof: Options,
}

/// A finding and the function that shows it.
#[derive(Clone, Debug)]
pub struct Seen {
    /// The finding.
    pub finding: Finding,
    /// The function; `None` for a whole module.
    pub func: Option<FuncId>,
}

/// The index of the system under test that the program of `seed` runs through.
pub fn pick(seed: u64, systems: usize) -> usize {
    (super::program::mixed(seed, 0) % systems.max(1) as u64) as usize
}

impl Examiner {
    /// The index of the pipeline that the program of `seed` runs through.
    pub fn pick(&self, seed: u64) -> usize {
        pick(seed, self.passes.len())
    }

    /// Runs the oracles on `program` and updates the counters.
    pub fn examine(&self, program: &Program, counts: &mut Counts) -> Vec<Seen> {
        let mut asked = Asked { examiner: self, program, counts, seen: Vec::new() };
        asked.counts.programs += 1;
        asked.counts.loops += program.loops as u64;
        asked.counts.add_drawn(program);
        asked.source();
        if let Some(passes) = self.passes.get(self.pick(program.seed)) {
            asked.target(passes);
        }
        asked.seen
    }
}

struct Asked<'a> {
    examiner: &'a Examiner,
    program: &'a Program,
    counts: &'a mut Counts,
    seen: Vec<Seen>,
}

impl Asked<'_> {
    fn asks(&self, oracle: Oracle) -> bool {
        self.examiner.oracles.asks(oracle, self.program.seed)
    }
    fn add(&mut self, finding: impl Into<Finding>, func: Option<FuncId>) {
        self.seen.push(Seen { finding: finding.into(), func });
    }

    /// Runs the oracles that need only the source program.
    fn source(&mut self) {
        let program = self.program;
        if self.asks(Oracle::Text)
            && let Err(misread) = text::check(&program.module)
        {
            self.add(misread, None);
        }
        let funcs: Vec<FuncId> = program.funcs().collect();
        if self.asks(Oracle::Claims) {
            for func in &funcs {
                if let Err(wrong) = claims::check(&program.module, *func, self.order(), &self.claim_runs()) {
                    self.add(wrong, Some(*func));
                }
            }
        }
        if self.asks(Oracle::Encoder) {
            for func in &funcs {
                if let Err(differ) = encoder::check(&program.module, *func, program.number(11), 4) {
                    self.add(differ, Some(*func));
                }
            }
        }
        if self.asks(Oracle::Dependences) {
            for func in &funcs {
                if let Err(found) = dependences::check(&program.module, *func, program.number(14)) {
                    self.add(found, Some(*func));
                }
            }
        }
        if self.asks(Oracle::Forms) {
            for func in &funcs {
                if let Err(found) = forms::check(&program.module, *func, program.number(15)) {
                    self.add(found, Some(*func));
                }
            }
        }
        if self.asks(Oracle::Again) {
            self.again(&funcs);
        }
    }
    fn order(&self) -> Order {
        const ORDERS: [Order; 3] = [Order::Forwards, Order::Backwards, Order::CountsFirst];
        ORDERS[(self.program.number(12) % 3) as usize]
    }
    fn claim_runs(&self) -> ClaimRuns {
        ClaimRuns {
            exhaustive: 1 << 6,
            runs: 20,
            seed: self.program.number(13),
            fuel: 2_000,
            all_fuel: 40_000,
            ..ClaimRuns::default()
        }
    }

    /// Runs the oracles that compare the source program with the result of `passes`.
    fn target(&mut self, passes: &Passes) {
        let mut target = self.program.module.clone();
        let mut fired = Fired::default();
        let bounds = optimize::Bounds::default();
        let done = optimize::check(&mut target, &passes.pipeline, bounds, &mut fired);
        let changed = fired.passes.values().any(|count| count.fired > 0);
        if changed {
            self.counts.add_fired(self.program);
        }
        self.counts.add_passes(&fired.passes);
        if let Err(fault) = done {
            return self.add(fault, None);
        }
        if changed {
            for func in self.program.funcs().collect::<Vec<_>>() {
                self.pair(func, &target);
            }
        }
        if self.asks(Oracle::Settling) {
            self.settling(passes);
        }
    }

    fn pair(&mut self, func: FuncId, target: &Module) {
        let (source, target) = (Side { module: &self.program.module, func }, Side { module: target, func });
        let limits = self.examiner.runs;
        if self.asks(Oracle::Runs) {
            match runs::check(source, target, limits) {
                Ok(seen) => {
                    self.counts.executions += seen.runs;
                    self.counts.defined += seen.defined;
                    self.counts.inconclusive += u64::from(seen.defined == 0);
                }
                Err(miscompile) => {
                    self.counts.executions += 1;
                    self.counts.defined += 1;
                    return self.add(miscompile, Some(func));
                }
            }
        }
        if self.asks(Oracle::Proof) {
            self.counts.proofs += 1;
            match proof::check(source, target, &self.examiner.proof, runs::Limits { runs: 200, ..limits }) {
                Ok(proof::Seen::Holds { .. }) => {}
                Ok(proof::Seen::Open) => self.counts.inconclusive += 1,
                Ok(proof::Seen::Refuted(refutation)) => {
                    self.add(runs::Miscompile { refutation }, Some(func));
                }
                Err(wrong) => self.add(wrong, Some(func)),
            }
        }
    }

    fn settling(&mut self, passes: &Passes) {
        for func in self.program.funcs().collect::<Vec<_>>() {
            let module = self.program.module.clone();
            let settled = settling::check(module, func, &passes.pipeline, ROUNDS);
            // Changes in each of a few rounds are not a fault yet.
            if let Ok(Err(unsettled @ settling::Unsettled::Undone { .. })) = settled {
                self.add(unsettled, Some(func));
            }
        }
    }

    fn again(&mut self, funcs: &[FuncId]) {
        for &func in funcs {
            for (name, pass) in &*PROMISED {
                let module = self.program.module.clone();
                if let Ok(Err(unfinished)) = again::check(module, func, (name, pass)) {
                    self.add(unfinished, Some(func));
                }
            }
        }
    }
}

/// Number of pipeline rounds. A pipeline may still make changes after them, but must not return to an earlier state.
const ROUNDS: usize = 5;

static PROMISED: LazyLock<Vec<(&'static str, Pipeline)>> =
    LazyLock::new(|| again::promised().unwrap_or_default());
