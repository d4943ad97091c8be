//! The vector plans for the loops of a function, with the cost of each recipe, and the most profitable plan.
//!
//! Each loop is evaluated separately, as the pass does it, with its hints, forced parameters and the handling of the
//! tail. Plans that are the same for several numbers of lanes are printed once, with the costs for each number.

use super::LoopVectorize;
use super::choose::{Weighed, weighed};
use crate::cost::of_recipe;
use crate::widen::print::Printer;
use crate::widen::{Recipe, WidePlan};
use backedge_analysis::Analyses;
use backedge_ir::body::Body;
use backedge_ir::entity::FuncId;
use backedge_ir::module::Env;
use backedge_ir::print::BodyPrinter;
use backedge_scev::ScalarEvolution;

/// The plans of `pass` for each loop of `func` that may be vectorized, and the reasons why others may not.
pub fn vector_plans_to_string(env: &Env, func: FuncId, body: &Body, pass: &LoopVectorize) -> String {
    let analyses = Analyses::of(func);
    let mut scev = ScalarEvolution::new(analyses.at(env, body));
    let mut out = format!("; Function: {}\n", env.funcs[func].name);
    let loops = scev.loops();
    for l in loops.ids() {
        let name = BodyPrinter::new(env, body).block(loops.header(l));
        match weighed(&mut scev, func, l, pass) {
            Ok(weighed) => {
                out += &format!("; loop {name}: {}\n", weighed.table);
                out += &of_loop(&scev, &weighed, pass);
            }
            Err(missed) => out += &format!("; loop {name} has no plans: {missed}\n"),
        }
    }
    out
}

fn of_loop(scev: &ScalarEvolution<'_>, of: &Weighed, pass: &LoopVectorize) -> String {
    let printer = Printer::new(scev.at.env, scev.body(), &of.legality);
    let mut out = String::new();
    let same = |a: &WidePlan, b: &WidePlan| a.blocks == b.blocks;
    for plans in of.plans.all.chunk_by(same) {
        let lanes: Vec<String> = plans.iter().map(|plan| plan.lanes.to_string()).collect();
        out += &format!("VPlan for VF={{{}}}\n", lanes.join(","));
        let costs = |recipe: &Recipe| {
            let cost = |plan: &WidePlan| of_recipe(scev, &of.legality, &pass.machine, recipe, plan.lanes);
            let tenths = |n: u32| format!("{}.{}", n / 10, n % 10);
            let costs: Vec<String> = plans.iter().map(|plan| tenths(cost(plan))).collect();
            format!("cost {}", costs.join(", "))
        };
        if let Some(first) = plans.first() {
            out += &printer.text(first, &costs);
        }
    }
    out
}
