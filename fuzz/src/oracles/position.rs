//! Shared code of the oracles on loop nests: the canonical form of nests, inputs, the position of a run within loops,
//! addresses of globals, and whether a run is comparable with claims about all runs.

use backedge_analysis::cache::At;
use backedge_analysis::{LoopForest, LoopId};
use backedge_hir::build::Extent;
use backedge_interp::chooser::{Choice, ChoiceKind, Chooser, RandomChooser};
use backedge_interp::claims::inputs::Inputs;
use backedge_interp::memory::{Memory, Origin};
use backedge_interp::outcome::Outcome;
use backedge_ir::constant::{ConstData, GlobalRef};
use backedge_ir::entity::{Block, Const, EntityId, FuncId};
use backedge_ir::module::Module;
use backedge_pipeline::{Nobody, Options, parse_pipeline, run};

/// Default number of inputs of a function: different programs find more than further inputs.
pub(super) const MAX_INPUTS: usize = 5;

/// Brings a module into the form that nests require; returns whether it succeeded.
pub fn in_form(module: &mut Module) -> bool {
    parse_pipeline("loop-simplify,lcssa")
        .is_ok_and(|form| run(module, &form, Options::default(), &mut Nobody).is_ok())
}

/// The module in that form, and inputs for `func`; `None` if either is unavailable.
pub(super) fn formed(module: &Module, func: FuncId, seed: u64) -> Option<(Module, Inputs)> {
    let mut module = module.clone();
    let inputs = if in_form(&mut module) { Inputs::new(&module, func, 1 << 6, 12, seed) } else { None };
    Some((module, inputs?))
}

/// The address of the global variable that a constant refers to, if any.
pub(super) fn global_address(at: At<'_>, constant: Const, memory: &Memory) -> Option<u64> {
    let ConstData::Global(GlobalRef::Var(var)) = at.body.constant(constant).data else { return None };
    let name = &*at.env.vars[var].name;
    let is_it = |o: &Origin| matches!(o, Origin::Global(n) if &**n == name);
    memory.allocations().iter().find(|a| is_it(&a.origin)).map(|a| a.base)
}

/// Chooses at random, and records choices of undefined bits: a tree treats an `undef` variable as one value, but a
/// run may choose a different value at each use.
pub(super) struct Watched {
    inner: RandomChooser,
    undef: bool,
}

impl Watched {
    pub(super) fn new(seed: u64) -> Self {
        Self { inner: RandomChooser::new(seed), undef: false }
    }
    /// Whether a run with this chooser and this outcome was defined and chose no undefined bits.
    pub(super) fn counts(&self, outcome: &Outcome) -> bool {
        let defined =
            matches!(outcome, Outcome::Returned(_) | Outcome::DidNotReturn { .. } | Outcome::Diverges { .. });
        defined && !self.undef
    }
}

impl Chooser for Watched {
    fn choose(&mut self, choice: &Choice) -> u128 {
        self.undef |= choice.kind == ChoiceKind::UndefUse;
        self.inner.choose(choice)
    }
}

/// The position of a run within a function.
pub(super) struct Position<'a> {
    pub(super) forest: &'a LoopForest,
    block: Option<Block>,
    iterations: Vec<i128>,
}

impl<'a> Position<'a> {
    pub(super) fn new(forest: &'a LoopForest) -> Self {
        Self { forest, block: None, iterations: vec![0; forest.len()] }
    }
    /// Starts another run.
    pub(super) fn restart(&mut self) {
        self.block = None;
    }
    /// The current block, if any.
    pub(super) fn block(&self) -> Option<Block> {
        self.block
    }
    /// Records the entry to a block.
    pub(super) fn enter(&mut self, block: Block) {
        if let Some(l) = self.forest.with_header(block) {
            let is_back = self.block.is_some_and(|from| self.forest.contains(l, from));
            let iteration = &mut self.iterations[l.index()];
            *iteration = if is_back { *iteration + 1 } else { 0 };
        }
        self.block = Some(block);
    }
    /// The number of backedges of `l` taken since the loop was last entered.
    pub(super) fn iteration(&self, l: LoopId) -> i128 {
        self.iterations[l.index()]
    }
    /// The iterations of the nest's loops that contain a block, outermost first.
    pub(super) fn iterations(&self, nest: &Extent, block: Block) -> Vec<i128> {
        let innermost = self.forest.innermost(block);
        let mut around: Vec<LoopId> = innermost.into_iter().flat_map(|l| self.forest.ancestors(l)).collect();
        around.retain(|l| nest.loops.iter().any(|nest| self.forest.contains_loop(*nest, *l)));
        around.reverse();
        around.iter().map(|l| self.iteration(*l)).collect()
    }
}
