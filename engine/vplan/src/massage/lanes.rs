//! Uniform branches of a nest, found by data-flow analysis. The lanes are iterations of the outermost loop.
//!
//! A value *varies* if it depends on a phi of the outermost header, or on anything that another lane may change: memory
//! written in the nest, the result of a call, a local object. A phi also varies if it is at a join of paths that
//! diverge at a varying branch, including the headers of inner loops that contain such a branch: lanes reach the phi by
//! different paths or in different iterations. All other values are uniform: at the same point of the inner iterations
//! all lanes compute them from the same values by the same operations. A nondeterministic operation (`freeze`) makes
//! one choice for all lanes, which each lane could have made.
//!
//! Requires LCSSA form: values defined in a loop are used after it only through phis.

use super::Uniformity;
use crate::VPlan;
use crate::plan::BlockId;
use backedge_analysis::cache::At;
use backedge_analysis::effects::{effects_of_call, may_access_memory};
use backedge_analysis::{LoopId, PostDominators};
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::InstKind;
use rustc_hash::{FxHashMap, FxHashSet};

/// The uniform loops and branches of a nest. The analysis is conservative: a branch that is not listed may still be
/// uniform.
#[derive(Clone, Debug)]
pub struct UniformInNest {
    /// The headers of inner loops all of whose exiting branches are uniform.
    loops: FxHashSet<Block>,
    /// Terminators with a uniform condition.
    branches: FxHashSet<Inst>,
}

impl UniformInNest {
    /// The uniform loops and branches of the nest whose outermost loop is `l`.
    pub fn of(at: At<'_>, l: LoopId) -> Self {
        let (body, cfg, loops) = (at.body, at.cfg(), at.loops());
        let varying = Varying::of(at, l);
        let is_uniform = |block: Block| body.terminator(block).is_some_and(|t| !varying.insts.contains(&t));
        let left_alike = |inner: &LoopId| {
            let leaves = |b: &Block| cfg.succs(*b).iter().any(|to| !loops.contains(*inner, *to));
            loops.blocks(*inner).iter().copied().filter(leaves).all(is_uniform)
        };
        Self {
            loops: loops
                .nest(l)
                .filter(|inner| *inner != l)
                .filter(left_alike)
                .map(|l| loops.header(l))
                .collect(),
            branches: loops
                .blocks(l)
                .iter()
                .copied()
                .filter(|b| is_uniform(*b))
                .filter_map(|b| body.terminator(b))
                .collect(),
        }
    }
}

impl UniformInNest {
    /// Whether all active lanes of the inner loop with that header execute the same iterations.
    pub fn is_uniform_inner_loop(&self, header: Block) -> bool {
        self.loops.contains(&header)
    }
    /// Whether all lanes that reach that terminator of the nest together take the same successor.
    pub fn is_uniform_terminator(&self, branch: Inst) -> bool {
        self.branches.contains(&branch)
    }
}

impl Uniformity for UniformInNest {
    fn is_uniform_loop(&self, plan: &VPlan, header: BlockId) -> bool {
        plan.block(header).origin.is_some_and(|header| self.is_uniform_inner_loop(header))
    }
    fn is_uniform_branch(&self, plan: &VPlan, block: BlockId) -> bool {
        plan.block(block).terminator.is_some_and(|branch| self.is_uniform_terminator(branch))
    }
}

/// Varying instructions, including terminators with a varying condition.
struct Varying<'a> {
    at: At<'a>,
    l: LoopId,
    header: Block,
    insts: FxHashSet<Inst>,
    work: Vec<Inst>,
    /// Cache: the joins of the paths that diverge at a block.
    joins: FxHashMap<Block, Vec<Block>>,
}

impl<'a> Varying<'a> {
    fn of(at: At<'a>, l: LoopId) -> Self {
        let (body, loops) = (at.body, at.loops());
        let header = loops.header(l);
        let mut this = Self {
            at,
            l,
            header,
            insts: FxHashSet::default(),
            work: Vec::new(),
            joins: FxHashMap::default(),
        };
        let insts = || loops.blocks(l).iter().copied().flat_map(|b| body.insts(b).to_vec());
        let writes = insts().any(|inst| may_write(at, inst));
        for inst in body.phis(header).chain(insts().filter(|inst| is_source(at, *inst, writes))) {
            this.put(inst);
        }
        while let Some(inst) = this.work.pop() {
            this.follow(inst);
        }
        this
    }
    fn put(&mut self, inst: Inst) {
        if self.insts.insert(inst) {
            self.work.push(inst);
        }
    }
    /// Adds the instructions that vary because `inst` varies.
    fn follow(&mut self, inst: Inst) {
        let (body, loops) = (self.at.body, self.at.loops());
        let is_inside = |i: Inst| body.block_of(i).is_some_and(|b| loops.contains(self.l, b));
        let users: Vec<Inst> =
            body.code_uses(inst.into()).map(|u| u.user).filter(|i| is_inside(*i)).collect();
        users.into_iter().for_each(|user| self.put(user));
        let decides = matches!(body.inst(inst).kind, InstKind::CondBr | InstKind::Switch);
        if let Some(block) = body.block_of(inst).filter(|_| decides) {
            let joins = self.joins_after(block);
            joins.into_iter().flat_map(|join| body.phis(join)).for_each(|phi| self.put(phi));
        }
    }
    /// The blocks on the paths from `from` up to and including its immediate post-dominator, in the nest, without taking
    /// the outermost backedge.
    fn joins_after(&mut self, from: Block) -> Vec<Block> {
        if let Some(known) = self.joins.get(&from) {
            return known.clone();
        }
        let (cfg, loops, post) = (self.at.cfg(), self.at.loops(), self.at.post_dominators());
        let post: &PostDominators = &post;
        let meet = post.ipdom(from);
        let mut seen: FxHashSet<Block> = FxHashSet::default();
        let mut work = vec![from];
        while let Some(block) = work.pop() {
            for &to in cfg.succs(block) {
                if to != self.header && loops.contains(self.l, to) && seen.insert(to) && meet != Some(to) {
                    work.push(to);
                }
            }
        }
        let found: Vec<Block> = seen.into_iter().collect();
        self.joins.insert(from, found.clone());
        found
    }
}

fn may_write(at: At<'_>, inst: Inst) -> bool {
    let data = at.body.inst(inst);
    match (&data.kind, data.call()) {
        (InstKind::Load(_), _) => false,
        (_, Some(call)) => effects_of_call(at.env, at.body, call).any().writes,
        _ => may_access_memory(at.env, at.body, inst),
    }
}

/// Whether `inst` may differ between lanes even if its operands are uniform.
fn is_source(at: At<'_>, inst: Inst, writes: bool) -> bool {
    let kind = &at.body.inst(inst).kind;
    match kind {
        InstKind::Load(access) => writes || access.volatile || access.ordering.is_some(),
        InstKind::Br | InstKind::CondBr | InstKind::Switch => false,
        _ => !kind.is_pure() && !kind.is_phi(),
    }
}
