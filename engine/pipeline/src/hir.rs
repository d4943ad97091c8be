//! Passes on loop nests in lexical order: they build trees from the nests in the IR, transform the trees, and lower the
//! changed ones.
//!
//! `hir-roundtrip` transforms nothing and lowers all trees, to show that building and lowering preserve the function's
//! behavior. Remarks explain why a nest, or every nest of an unmodelled function, is left unchanged, and report the
//! transforms of the other loops.

use crate::params;
use backedge_hir::build::{self, Built, build};
use backedge_hir::node::Node;
use backedge_hir::transform::{
    self, Outcome, Profit, distribute, fuse, interchange, strip_mine, tile, unroll_and_jam,
};
use backedge_hir::{Hir, lower};
use backedge_ir::entity::Block;
use backedge_scev::ScalarEvolution;
use backedge_transform::cleanup::flow::merge_blocks;
use backedge_transform::lcssa::Lcssa;
use backedge_transform::nest::{NestDone, NestMissed};
use backedge_transform::pass::{FunctionPass, Unit};
use backedge_transform::remark;
use backedge_transform::simplify::LoopSimplify;
use rustc_hash::FxHashSet;

/// The transform to apply to the trees.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Transform {
    /// None, but all trees are lowered.
    Nothing,
    /// Strip-mines innermost loops with this strip size.
    StripMine(u64),
    /// Interchanges the loops of perfect nests to reduce memory strides.
    Interchange(Profit),
    /// Tiles perfect nests with this tile size for each loop.
    Tile(u64, Profit),
    /// Unrolls the outer of two loops by this factor and jams the copies.
    UnrollAndJam(u64, Profit),
    /// Distributes loops in which a part carries dependences or is itself a loop.
    Distribute(Profit),
    /// Fuses adjacent loops that access the same memory.
    Fuse(Profit),
}

/// A pass on loop nests. Before and after it, loops are in loop-simplify form and LCSSA form.
#[derive(Copy, Clone, Debug)]
pub struct HirPass(pub Transform);

impl Transform {
    /// The name of the pass, without parameters.
    fn name(self) -> &'static str {
        match self {
            Self::Nothing => "hir-roundtrip",
            Self::StripMine(_) => "hir-strip-mine",
            Self::Interchange(_) => "hir-interchange",
            Self::Tile(..) => "hir-tile",
            Self::UnrollAndJam(..) => "hir-unroll-and-jam",
            Self::Distribute(_) => "hir-distribute",
            Self::Fuse(_) => "hir-fuse",
        }
    }
    /// The parameters of the pass.
    fn parameters(self) -> Vec<String> {
        let (size, profit) = match self {
            Self::Nothing => (None, Profit::Asked),
            Self::Interchange(profit) | Self::Distribute(profit) | Self::Fuse(profit) => (None, profit),
            Self::StripMine(size) => (Some(size), Profit::Asked),
            Self::Tile(size, profit) | Self::UnrollAndJam(size, profit) => (Some(size), profit),
        };
        let force = (profit == Profit::Ignored).then(|| params::FORCE.to_owned());
        size.map(|size| size.to_string()).into_iter().chain(force).collect()
    }
    fn run(self, hir: &mut Hir, region: Node) -> Vec<Outcome> {
        match self {
            Self::Nothing => Vec::new(),
            Self::StripMine(size) => strip_mine::run(hir, region, size),
            Self::Interchange(profit) => interchange::run(hir, region, profit),
            Self::Tile(size, profit) => tile::run(hir, region, size, profit),
            Self::UnrollAndJam(factor, profit) => unroll_and_jam::run(hir, region, factor, profit),
            Self::Distribute(profit) => distribute::run(hir, region, profit),
            Self::Fuse(profit) => fuse::run(hir, region, profit),
        }
    }
}

/// The remarks on loops, by header name.
type HeaderRemarks = Vec<(String, remark::Outcome)>;

impl FunctionPass for HirPass {
    fn text(&self) -> String {
        let parameters = self.0.parameters();
        match parameters.is_empty() {
            true => self.0.name().to_owned(),
            false => format!("{}<{}>", self.0.name(), parameters.join(";")),
        }
    }
    fn left(&self, feature: &str) -> Option<(&'static str, remark::Outcome)> {
        let text = format!("nests not taken: the function is not modelled: {feature}");
        Some((self.0.name(), NestMissed { name: "NotModelled", text }.into()))
    }
    fn run(&self, unit: &mut Unit<'_>) {
        LoopSimplify.run(unit);
        Lcssa.run(unit);
        let at = unit.at();
        let loops = at.loops();
        let Built { mut hir, taken, missed, cycles, parted } = build(&mut ScalarEvolution::new(at));
        let mut said = HeaderRemarks::new();
        let of_cycles = cycles.iter().map(|first| (*first, build::BuildMissed::Irreducible));
        let of_loops = missed.iter().map(|(l, missed)| (loops.header(*l), *missed));
        for (block, missed) in of_loops.chain(of_cycles) {
            let why = NestMissed { name: missed.name(), text: format!("not taken: {missed}") };
            said.push((unit.label(block), why.into()));
        }
        let mut plans = Vec::new();
        for of in &taken {
            let header = loops.header(of.l);
            let outcomes = self.0.run(&mut hir, of.region);
            let is_changed = self.0 == Transform::Nothing || outcomes.iter().any(|o| o.result.is_ok());
            match lower::check(at, &hir, of) {
                Err(obstacle) if is_changed => {
                    let text = format!("not lowered: {obstacle}");
                    said.push((unit.label(header), NestMissed { name: obstacle.name(), text }.into()));
                }
                Ok(plan) if is_changed => {
                    plans.push(plan);
                    said.extend(outcomes.iter().map(told));
                }
                _ => said.extend(outcomes.iter().map(told)),
            }
        }
        if matches!(self.0, Transform::Fuse(_)) {
            for (l, barrier) in parted {
                let outcome = Err(transform::TransformMissed::Between(barrier));
                let header = unit.label(loops.header(l));
                said.push(told(&Outcome { header: header.into(), result: outcome }));
            }
        }
        for (header, outcome) in said {
            unit.remark_at(self.0.name(), header, outcome);
        }
        let before: FxHashSet<Block> = unit.body().blocks().collect();
        for plan in &plans {
            lower::lower(&mut unit.editor(), &mut hir, plan);
        }
        if !plans.is_empty() {
            join(unit, &before);
            LoopSimplify.run(unit);
            Lcssa.run(unit);
        }
    }
}

/// Merges the blocks that lowering created into their unique predecessors, so that repeated lowering does not grow the
/// code. Merges blocks that are not in `before`, and their unnamed successors.
fn join(unit: &mut Unit<'_>, before: &FxHashSet<Block>) {
    let body = unit.body();
    let is_made = |block: &Block| !before.contains(block);
    let made = body.blocks().filter(is_made);
    let after: FxHashSet<Block> = made.flat_map(|block| body.successors(block)).copied().collect();
    let is_joined =
        |block: &Block| is_made(block) || after.contains(block) && body.block_name(*block).is_none();
    let joined: Vec<Block> = body.blocks().filter(is_joined).collect();
    merge_blocks(unit, &joined);
}

/// Converts an outcome to a remark.
fn told(outcome: &Outcome) -> (String, remark::Outcome) {
    let shown = match outcome.result {
        Ok(done) => NestDone { name: done.name(), text: done.to_string() }.into(),
        Err(missed) => {
            NestMissed { name: transform::TransformMissed::name(missed), text: missed.to_string() }.into()
        }
    };
    (outcome.header.to_string(), shown)
}
