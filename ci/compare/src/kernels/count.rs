//! Runs a function and counts the executed instructions by block.

use anyhow::{Context, Result, anyhow, bail, ensure};
use backedge_interp::chooser::ZeroChooser;
use backedge_interp::input::Input;
use backedge_interp::outcome::Outcome;
use backedge_interp::trace::{Done, Entry as Call, Observer};
use backedge_interp::{Config, Machine, Program, Run};
use backedge_ir::body::Body;
use backedge_ir::entity::{Block, FuncId, SecondaryMap};
use backedge_ir::inst::InstKind;
use backedge_ir::module::Module;
use backedge_testkit::corpus::Measure;
use std::collections::BTreeMap;
use std::ops::AddAssign;

/// Execution counts.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Counts {
    /// Instructions without phis.
    pub(crate) instructions: u64,
    /// Of these, `br` and `switch`.
    pub(crate) branches: u64,
    /// Of these, the conditional ones.
    pub(crate) conditional: u64,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, more: Self) {
        self.instructions += more.instructions;
        self.branches += more.branches;
        self.conditional += more.conditional;
    }
}

/// Sums up the blocks that are entered. Exact if every entered block is executed to its end.
struct Counter<'m> {
    module: &'m Module,
    blocks: BTreeMap<FuncId, SecondaryMap<Block, Counts>>,
    total: Counts,
}

impl Counter<'_> {
    fn add(&mut self, func: FuncId, block: Option<Block>) {
        let Some(body) = self.module.body(func) else { return };
        let block = block.or(body.entry());
        let counts = self.blocks.entry(func).or_insert_with(|| of_blocks(body));
        if let Some(block) = block {
            self.total += counts[block];
        }
    }
}

impl Observer for Counter<'_> {
    fn call(&mut self, entry: Call<'_>) {
        self.add(entry.func, None);
    }
    fn enter(&mut self, func: FuncId, block: Block, _: usize) {
        self.add(func, Some(block));
    }
    fn step(&mut self, _: Done<'_>) {}
}

fn of_blocks(body: &Body) -> SecondaryMap<Block, Counts> {
    let mut all = SecondaryMap::new();
    for block in body.blocks() {
        let mut counts = Counts::default();
        for inst in body.insts(block) {
            let kind = &body.inst(*inst).kind;
            let conditional = matches!(kind, InstKind::CondBr | InstKind::Switch);
            counts.instructions += u64::from(!matches!(kind, InstKind::Phi(_) | InstKind::DebugRecord(_)));
            counts.branches += u64::from(conditional || matches!(kind, InstKind::Br));
            counts.conditional += u64::from(conditional);
        }
        all[block] = counts;
    }
    all
}

/// Runs the entry's function, which must return.
pub(crate) fn run(module: &Module, entry: &Measure) -> Result<(Run, Counts)> {
    let config = Config::default();
    let program = Program::new(module, &config);
    let func = function(module, entry)?;
    let mut counter = Counter { module, blocks: BTreeMap::new(), total: Counts::default() };
    let run = Machine::new(&program, config)
        .run(func, &input(entry)?, &mut ZeroChooser, &mut counter)
        .map_err(|e| anyhow!("{e}"))?;
    if !matches!(run.outcome, Outcome::Returned(_)) {
        bail!("the run does not return: {}", backedge_interp::text::outcome_text(module, func, &run.outcome));
    }
    Ok((run, counter.total))
}

/// The counts of a run of `after`, which must have the same result as the run `before`.
pub(crate) fn same(before: &Run, after: &Module, entry: &Measure) -> Result<Counts> {
    let (run, counts) = run(after, entry)?;
    ensure!(run.returned == before.returned, "returns {:?}, not {:?}", run.returned, before.returned);
    ensure!(run.events == before.events, "does not do what it did before");
    for (now, then) in run.memory.iter().zip(&before.memory) {
        ensure!(now == then, "leaves other bytes in {:?}", now.object);
    }
    ensure!(run.memory.len() == before.memory.len(), "leaves other memory");
    Ok(counts)
}

fn function(module: &Module, entry: &Measure) -> Result<FuncId> {
    module.env.func_named(&entry.function).with_context(|| format!("no function @{}", entry.function))
}

fn input(entry: &Measure) -> Result<Input> {
    Input::parse(&entry.args).map_err(|e| anyhow!("{e}"))
}
