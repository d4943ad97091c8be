//! Plans for Graphviz (`dot -Tsvg`): nested boxes for regions, bold edges for backedges.

use crate::plan::{Graph, RegionId, VPlan};
use crate::print::{PlanPrinter, blocks_by_region, label, outside_in, region_line};
use backedge_analysis::print::quoted;
use backedge_ir::entity::EntityId;
use std::fmt::Write;

impl PlanPrinter<'_> {
    /// The plan in Graphviz format, with a title.
    pub fn dot(&self, plan: &VPlan, title: &str) -> String {
        let graph = Graph::new(plan);
        let mut out = format!("digraph {} {{\nlabel={};\n", quoted(title), quoted(title));
        out += "node [shape=box, fontname=monospace];\n";
        let mut open: Vec<RegionId> = Vec::new();
        let mut last = 0;
        for block in blocks_by_region(plan, &graph) {
            let around = outside_in(plan, plan.block(block).parent);
            let same = open.iter().zip(&around).take_while(|(a, b)| a == b).count();
            out += &"}\n".repeat(open.len() - same);
            open.truncate(same);
            for &region in &around[same..] {
                // Writing to a string cannot fail.
                let _ = writeln!(out, "subgraph cluster_{last} {{");
                let _ = writeln!(out, "label={};", quoted(&region_line(plan, region)));
                last += 1;
                open.push(region);
            }
            let mut label = format!("{}:\n", label(plan, block));
            for &recipe in &plan.block(block).recipes {
                let _ = writeln!(label, "  {}", self.recipe(plan, recipe));
            }
            let _ = writeln!(out, "b{} [label={}];", block.index(), quoted(&label));
        }
        out += &"}\n".repeat(open.len());
        for &block in graph.rpo() {
            let succs = &plan.block(block).succs;
            for (index, &to) in succs.iter().enumerate() {
                let bit = match (succs.len(), index) {
                    (2, 0) => "set",
                    (2, _) => "clear",
                    _ => "",
                };
                let style = if graph.position(to) <= graph.position(block) { ", style=bold" } else { "" };
                let _ =
                    writeln!(out, "b{} -> b{} [label={}{style}];", block.index(), to.index(), quoted(bit));
            }
        }
        out + "}\n"
    }
}
