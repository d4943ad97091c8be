//! Which branches of a nest all lanes take the same way, found from the code: the lanes are iterations of its outermost loop.
//!
//! A value *varies* if it is made of a phi of the outermost header, or may be of what another lane does: of memory that is
//! written in the nest, of a call, of a local object. So does a phi where ways meet again that part at a branch on what
//! varies, the headers of inner loops that such a branch is in among them: lanes come there by different ways, or in
//! different iterations. All else is uniform: at the same place of the inner iterations it is made of the same values by
//! the same operations. Where an operation has a choice (`freeze`), one is made for all lanes, which each could have made.
//!
//! Needs LCSSA form: what a loop computes is used behind it through phis.

use super::Uniformity;
use crate::VPlan;
use crate::plan::BlockId;
use backedge_analysis::cache::At;
use backedge_analysis::effects::{effects_of_call, may_access_memory};
use backedge_analysis::{LoopId, PostDominators};
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::InstKind;
use rustc_hash::{FxHashMap, FxHashSet};

/// What is uniform in a nest. That a branch is not said to be uniform means nothing.
#[derive(Clone, Debug)]
pub struct UniformInNest {
    /// The blocks of inner loops, by header, all of whose branches that leave them are uniform.
    loops: FxHashSet<Block>,
    /// Terminators that decide by what does not vary.
    branches: FxHashSet<Inst>,
}

impl UniformInNest {
    /// What is uniform in the nest whose outermost loop is `l`.
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
    /// Whether all lanes that are in the inner loop with that header do the same iterations of it.
    pub fn is_alike(&self, header: Block) -> bool {
        self.loops.contains(&header)
    }
    /// Whether all lanes that come to that terminator of the nest together go on alike.
    pub fn decides_alike(&self, branch: Inst) -> bool {
        self.branches.contains(&branch)
    }
}

impl Uniformity for UniformInNest {
    fn is_uniform_loop(&self, plan: &VPlan, header: BlockId) -> bool {
        plan.block(header).origin.is_some_and(|header| self.is_alike(header))
    }
    fn is_uniform_branch(&self, plan: &VPlan, block: BlockId) -> bool {
        plan.block(block).terminator.is_some_and(|branch| self.decides_alike(branch))
    }
}

/// What varies, terminators that decide by such among it.
struct Varying<'a> {
    at: At<'a>,
    l: LoopId,
    header: Block,
    insts: FxHashSet<Inst>,
    work: Vec<Inst>,
    /// The blocks where ways meet again that part at a block.
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
    /// What varies since `inst` does.
    fn follow(&mut self, inst: Inst) {
        let (body, loops) = (self.at.body, self.at.loops());
        let is_inside = |i: Inst| body.block_of(i).is_some_and(|b| loops.contains(self.l, b));
        let users: Vec<Inst> =
            body.code_uses(inst.into()).map(|u| u.user).filter(|i| is_inside(*i)).collect();
        users.into_iter().for_each(|user| self.put(user));
        let decides = matches!(body.inst(inst).kind, InstKind::CondBr | InstKind::Switch);
        if let Some(block) = body.block_of(inst).filter(|_| decides) {
            let joins = self.joins_behind(block);
            joins.into_iter().flat_map(|join| body.phis(join)).for_each(|phi| self.put(phi));
        }
    }
    /// The blocks to which ways from `from` lead up to where all of them meet, in the nest, not over its outermost backedge.
    fn joins_behind(&mut self, from: Block) -> Vec<Block> {
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

/// Whether `inst` may be something else in other lanes though its operands are the same.
fn is_source(at: At<'_>, inst: Inst, writes: bool) -> bool {
    let kind = &at.body.inst(inst).kind;
    match kind {
        InstKind::Load(access) => writes || access.volatile || access.ordering.is_some(),
        InstKind::Br | InstKind::CondBr | InstKind::Switch => false,
        _ => !kind.is_pure() && !kind.is_phi(),
    }
}
