//! Runs the oracles on one program and this project's passes, in this process.

use super::program::Program;
use super::shares::Shares;
use super::task::Counts;
use crate::oracles::{Finding, FunctionCase, Judge, OracleId, PairCase, PipelineCase, Work, optimize, runs};
use crate::statistics::Fired;
use backedge_ir::entity::FuncId;
use backedge_ir::module::Module;
use backedge_pipeline::pass::Pipeline;
use backedge_validate::check::{Options, Side};

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
    /// The shares of programs that the oracles examine.
    pub shares: Shares,
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
    /// The judgments of the oracles that examine the program, in the order of the list.
    fn judges(&self) -> impl Iterator<Item = Judge> + use<> {
        let (shares, seed) = (self.examiner.shares.clone(), self.program.seed);
        let asked = OracleId::ALL.iter().filter(move |oracle| shares.asks(**oracle, seed));
        asked.map(|oracle| oracle.oracle().judge())
    }
    fn funcs(&self) -> Vec<FuncId> {
        self.program.funcs().collect()
    }
    fn add(&mut self, finding: Finding, func: Option<FuncId>) {
        self.seen.push(Seen { finding, func });
    }

    /// Runs the oracles that need only the source program.
    fn source(&mut self) {
        let program = self.program;
        let number = |salt| program.number(salt);
        let case = |func| FunctionCase { module: &program.module, func, number: &number };
        for judge in self.judges() {
            if let Judge::Module(judge) = judge
                && let Err(finding) = judge(&program.module)
            {
                self.add(finding, None);
            }
        }
        for judge in self.judges() {
            let Judge::Function(judge) = judge else { continue };
            for func in self.funcs() {
                if let Err(finding) = judge(&case(func)) {
                    self.add(finding, Some(func));
                }
            }
        }
        for judge in self.judges() {
            let Judge::OwnPasses(judge) = judge else { continue };
            for func in self.funcs() {
                judge(&case(func)).into_iter().for_each(|finding| self.add(finding, Some(func)));
            }
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
            return self.add(fault.into(), None);
        }
        if changed {
            for func in self.funcs() {
                self.pair(func, &target);
            }
        }
        for judge in self.judges() {
            let Judge::Pipeline(judge) = judge else { continue };
            for func in self.funcs() {
                let case = PipelineCase { module: &self.program.module, func, pipeline: &passes.pipeline };
                if let Err(finding) = judge(&case) {
                    self.add(finding, Some(func));
                }
            }
        }
    }

    /// Compares a function with the result of passes, until an oracle has a finding.
    fn pair(&mut self, func: FuncId, target: &Module) {
        let Examiner { runs, proof, .. } = self.examiner;
        let (source, target) = (Side { module: &self.program.module, func }, Side { module: target, func });
        let case = PairCase { source, target, runs: *runs, proof };
        let mut work = Work::default();
        for judge in self.judges() {
            if let Judge::Pair(judge) = judge
                && let Err(finding) = judge(&case, &mut work)
            {
                self.add(finding, Some(func));
                break;
            }
        }
        self.counts.add_work(work);
    }
}
