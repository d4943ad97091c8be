//! Plans as text:
//!
//! ```text
//! VPlan for loop %header
//! TOP REGION vplan.entry .. vplan.exit
//!   vplan.entry:
//!     -> entry
//!   LOOP REGION entry .. exit, header header
//!     entry:
//!       -> header
//!     header:  ; entry, latch
//!       PHI %i = i32 [ i32 0, entry ], [ %next, latch ]
//!       ONE-BY-ONE %c = icmp eq i32 %i, %n
//!       CONDITION-BIT %c
//!       -> then, latch
//! ```
//!
//! The contents of a region are indented. Blocks are in reverse post-order, and a region is at the position of its
//! entry. The predecessors of a block follow its label if there are several. An instruction is printed as in the IR;
//! operands that massaging has changed follow it as a comment.

use crate::plan::{BlockId, Graph, Operands, Recipe, RecipeId, RegionId, RegionKind, VPValue, VPlan};
use backedge_ir::body::Body;
use backedge_ir::module::Env;
use backedge_ir::print::{BodyPrinter, type_to_string, write_global_name, write_local_name};
use std::fmt::Write;

/// Prints plans that were built from one body.
#[derive(Debug)]
pub struct PlanPrinter<'a> {
    env: &'a Env,
    body: &'a Body,
    printer: BodyPrinter<'a>,
}

impl<'a> PlanPrinter<'a> {
    /// Creates a printer for plans that were built from `body`, a body of `env`. Takes time linear in the size of the
    /// body.
    pub fn new(env: &'a Env, body: &'a Body) -> Self {
        Self { env, body, printer: BodyPrinter::new(env, body) }
    }

    /// The plan as text.
    pub fn text(&self, plan: &VPlan) -> String {
        let mut out = format!("VPlan for loop {}\n", self.printer.block(plan.origin.header));
        let graph = Graph::new(plan);
        let mut open: Vec<RegionId> = Vec::new();
        for block in blocks_by_region(plan, &graph) {
            let around: Vec<RegionId> = outside_in(plan, plan.block(block).parent);
            let same = open.iter().zip(&around).take_while(|(a, b)| a == b).count();
            open.truncate(same);
            for &region in &around[same..] {
                let _ = writeln!(out, "{}{}", "  ".repeat(open.len()), region_line(plan, region));
                open.push(region);
            }
            self.block(plan, block, &"  ".repeat(open.len()), &mut out);
        }
        for exit in &plan.exits {
            out += &self.exit_line(plan, exit);
        }
        out
    }

    fn block(&self, plan: &VPlan, block: BlockId, indent: &str, out: &mut String) {
        let data = plan.block(block);
        let preds = match &data.preds[..] {
            [] | [_] => String::new(),
            several => format!("  ; {}", labels(plan, several)),
        };
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{indent}{}:{preds}", label(plan, block));
        for &recipe in &data.recipes {
            let _ = writeln!(out, "{indent}  {}", self.recipe(plan, recipe));
        }
        if !data.succs.is_empty() {
            let _ = writeln!(out, "{indent}  -> {}", labels(plan, &data.succs));
        }
    }

    fn exit_line(&self, plan: &VPlan, exit: &crate::plan::PlanExit) -> String {
        let when = exit.when.map_or_else(String::new, |bit| format!(" if {}", self.value(plan, bit)));
        let phi = |(phi, value): &(backedge_ir::entity::Inst, VPValue)| {
            format!("{} = {}", self.printer.operand((*phi).into()), self.value(plan, *value))
        };
        let phis: Vec<String> = exit.phis.iter().map(phi).collect();
        let with = if phis.is_empty() { String::new() } else { format!(" with {}", phis.join(", ")) };
        format!("EXIT to {}{when}{with}\n", self.printer.block(exit.to))
    }

    /// One recipe, without indentation.
    pub fn recipe(&self, plan: &VPlan, recipe: RecipeId) -> String {
        let of = plan.recipe(recipe);
        let name = || self.value(plan, VPValue::Def(recipe));
        let value = |value: &VPValue| self.value(plan, *value);
        let typed = |value: &VPValue| self.typed(plan, *value);
        let list = |operands: &Operands| operands.iter().map(typed).collect::<Vec<_>>().join(", ");
        match &of.kind {
            Recipe::VectorizeOneByOne { inst, operands } => {
                let mut text = format!("ONE-BY-ONE {}", self.printer.inst(*inst));
                for (index, (now, then)) in operands.iter().zip(&self.body.inst(*inst).operands).enumerate() {
                    let (now, then) = (value(now), self.printer.operand(*then));
                    if now != then {
                        let _ = write!(text, "  ; operand {index} is {now}");
                    }
                }
                text
            }
            Recipe::ConditionBit { condition } => format!("CONDITION-BIT {}", value(condition)),
            Recipe::Phi { incoming, .. } => {
                let entry =
                    |(from, v): &(BlockId, VPValue)| format!("[ {}, {} ]", value(v), label(plan, *from));
                let entries: Vec<String> = incoming.iter().map(entry).collect();
                let ty = type_to_string(&self.env.types, of.ty);
                format!("PHI {} = {ty} {}", name(), entries.join(", "))
            }
            Recipe::IsCase { value: asked, case, .. } => {
                format!("IS-CASE {} = {}, {}", name(), typed(asked), value(case))
            }
            Recipe::Blend { mask, set, clear } => {
                format!("BLEND {} = {} ? {} : {}", name(), value(mask), typed(set), typed(clear))
            }
            Recipe::Mask { op, operands } => format!("MASK {} = {} {}", name(), op.name(), list(operands)),
            Recipe::AnyLane { bits } => format!("ANY-LANE {} = {}", name(), value(bits)),
        }
    }

    /// A value as an operand.
    fn value(&self, plan: &VPlan, value: VPValue) -> String {
        match value {
            VPValue::LiveIn(value) => self.printer.operand(value),
            VPValue::Bit(bit) => bit.to_string(),
            VPValue::Poison(_) => "poison".to_owned(),
            VPValue::Def(recipe) => {
                let of = plan.recipe(recipe);
                match (&of.name, of.kind.origin()) {
                    (Some(name), _) => {
                        let mut out = "%".to_owned();
                        write_local_name(&mut out, name);
                        out
                    }
                    (None, Some(inst)) => self.printer.operand(inst.into()),
                    (None, None) => format!("{recipe:?}"),
                }
            }
        }
    }
    fn typed(&self, plan: &VPlan, value: VPValue) -> String {
        let ty = type_to_string(&self.env.types, plan.ty(self.body, value));
        format!("{ty} {}", self.value(plan, value))
    }
}

/// The label of a block, quoted as in the IR; a number is the label of an unnamed block.
pub(crate) fn label(plan: &VPlan, block: BlockId) -> String {
    let mut out = String::new();
    write_global_name(&mut out, &plan.block(block).label);
    out
}

fn labels(plan: &VPlan, blocks: &[BlockId]) -> String {
    blocks.iter().map(|b| label(plan, *b)).collect::<Vec<_>>().join(", ")
}

pub(crate) fn region_line(plan: &VPlan, region: RegionId) -> String {
    let of = plan.region(region);
    let ends = format!("{} .. {}", label(plan, of.entry), label(plan, of.exit));
    match &of.kind {
        RegionKind::Top => format!("TOP REGION {ends}"),
        RegionKind::Loop(l) => format!("LOOP REGION {ends}, header {}", label(plan, l.header)),
        RegionKind::NonLoop => format!("REGION {ends}"),
    }
}

/// `region` and its ancestors, from the Top Region inward.
pub(crate) fn outside_in(plan: &VPlan, region: RegionId) -> Vec<RegionId> {
    let mut around: Vec<RegionId> = plan.regions_around(region).collect();
    around.reverse();
    around
}

/// The reachable blocks; those of a region are contiguous, otherwise in reverse post-order.
pub(crate) fn blocks_by_region(plan: &VPlan, graph: &Graph) -> Vec<BlockId> {
    // A region sorts by the position of its entry.
    let key = |block: BlockId| {
        let regions = outside_in(plan, plan.block(block).parent).into_iter().skip(1);
        let mut key: Vec<u32> = regions.map(|r| graph.position(plan.region(r).entry)).collect();
        key.push(graph.position(block));
        key
    };
    let mut blocks: Vec<BlockId> = graph.rpo().to_vec();
    blocks.sort_by_cached_key(|block| key(*block));
    blocks
}
