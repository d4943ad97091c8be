//! The passes of this module.

use super::flow::{
    branches_to_selects, cut_before_unreachable, open_phis, remove_unreachable, thread_known_edges,
};
use super::remarks::{Cleaned, CleanupDone, CleanupMissed};
use super::{ROUNDS, clean_graph, dead, is_header, simplify_blocks};
use crate::pass::{FunctionPass, LoopPass, Unit};
use crate::{form, loop_metadata};
use backedge_ir::entity::Block;

/// `instsimplify`.
#[derive(Clone, Copy, Debug)]
pub struct InstSimplify;

impl FunctionPass for InstSimplify {
    fn text(&self) -> String {
        "instsimplify".to_owned()
    }
    fn run(&self, unit: &mut Unit<'_>) {
        let blocks: Vec<Block> = unit.body().blocks().collect();
        simplify_blocks(unit, &blocks);
    }
}

/// `dce`.
#[derive(Clone, Copy, Debug)]
pub struct Dce;

impl FunctionPass for Dce {
    fn text(&self) -> String {
        "dce".to_owned()
    }
    fn run(&self, unit: &mut Unit<'_>) {
        let blocks: Vec<Block> = unit.body().blocks().collect();
        let (env, mut editor) = unit.env_and_editor();
        dead::remove_dead(env, &mut editor, &blocks);
    }
}

/// `simplifycfg`.
#[derive(Clone, Copy, Debug)]
pub struct SimplifyCfg {
    /// Whether loop-simplify and LCSSA form are preserved. If not, empty blocks that only these forms need are
    /// removed; passes that need the forms restore them.
    pub keep_loops: bool,
    /// Whether branches around little code become selects.
    pub speculate_blocks: bool,
}

impl Default for SimplifyCfg {
    fn default() -> Self {
        Self { keep_loops: true, speculate_blocks: true }
    }
}

impl FunctionPass for SimplifyCfg {
    fn text(&self) -> String {
        let switches = [(self.keep_loops, "no-keep-loops"), (self.speculate_blocks, "no-speculate-blocks")];
        let given: Vec<&str> = switches.iter().filter(|(on, _)| !on).map(|(_, name)| *name).collect();
        if given.is_empty() { "simplifycfg".to_owned() } else { format!("simplifycfg<{}>", given.join(";")) }
    }
    fn run(&self, unit: &mut Unit<'_>) {
        for _ in 0..ROUNDS {
            // The former latch of a removed loop is not a latch any more.
            loop_metadata::drop_stray(unit);
            remove_unreachable(unit);
            let mut blocks: Vec<Block> = unit.body().blocks().collect();
            let (env, mut editor) = unit.env_and_editor();
            let cut = cut_before_unreachable(env, &mut editor, &blocks);
            if cut > 0 {
                remove_unreachable(unit);
                blocks.retain(|b| unit.body().has_block(*b));
            }
            if !self.keep_loops {
                open_phis(unit, &blocks);
            }
            let cleaned = clean_graph(unit, &mut blocks, self.keep_loops);
            let mut simpler = thread_known_edges(unit, &blocks);
            if self.speculate_blocks {
                simpler += branches_to_selects(unit, &blocks);
            }
            if cut + simpler == 0 && !cleaned.changed_graph() {
                return;
            }
        }
    }
}

/// `loop-instsimplify`.
#[derive(Clone, Copy, Debug)]
pub struct LoopInstSimplify;

impl LoopInstSimplify {
    /// LLVM's name.
    pub const NAME: &'static str = "loop-instsimplify";
}

impl LoopPass for LoopInstSimplify {
    fn text(&self) -> String {
        Self::NAME.to_owned()
    }
    fn run(&self, unit: &mut Unit<'_>, header: Block) -> Option<Block> {
        let shape = unit.shape();
        let l = shape.loops.with_header(header)?;
        let swept = simplify_blocks(unit, shape.loops.blocks(l));
        if swept.changed() {
            unit.remark(Self::NAME, header, CleanupDone::Simplified(swept));
        }
        Some(header)
    }
}

/// `loop-simplifycfg`.
#[derive(Clone, Copy, Debug)]
pub struct LoopSimplifyCfg;

impl LoopSimplifyCfg {
    /// LLVM's name.
    pub const NAME: &'static str = "loop-simplifycfg";
}

impl LoopPass for LoopSimplifyCfg {
    fn text(&self) -> String {
        Self::NAME.to_owned()
    }
    fn run(&self, unit: &mut Unit<'_>, header: Block) -> Option<Block> {
        let label = unit.label(header);
        let shape = unit.shape();
        let l = shape.loops.with_header(header)?;
        let mut blocks = shape.loops.blocks(l).to_vec();
        let mut cleaned = Cleaned::default();
        for _ in 0..ROUNDS {
            let round = clean_graph(unit, &mut blocks, true);
            cleaned.add(round);
            cleaned.stopped = round.changed_graph();
            if !cleaned.stopped {
                break;
            }
        }
        if !cleaned.changed_graph() {
            return Some(header);
        }
        form::restore(unit);
        unit.remark_at(Self::NAME, label.clone(), CleanupDone::Graph(cleaned));
        if cleaned.stopped {
            unit.remark_at(Self::NAME, label.clone(), CleanupMissed::RoundLimit { rounds: ROUNDS });
        }
        let stays = is_header(unit, header);
        if !stays {
            unit.remark_at(Self::NAME, label, CleanupDone::Gone);
        }
        stays.then_some(header)
    }
}
