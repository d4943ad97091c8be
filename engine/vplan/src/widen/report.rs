//! The plans of vector code for the loops of a function, with what each recipe costs, and which of them is worth most.
//!
//! Of numbers of lanes whose plans are the same one is written, with the costs for each.

use super::print::Printer;
use super::{Plans, Recipe, WidePlan, plans};
use crate::cost::{Forced, of_recipe, weigh};
use crate::legality::{Legality, Limits, check};
use backedge_analysis::Analyses;
use backedge_ir::body::Body;
use backedge_ir::entity::FuncId;
use backedge_ir::module::Env;
use backedge_ir::print::BodyPrinter;
use backedge_scev::ScalarEvolution;
use backedge_transform::cost::Machine;

/// The plans of all loops of `func` that may be vectorized, and why others may not.
pub fn vector_plans_to_string(env: &Env, func: FuncId, body: &Body, machine: &Machine) -> String {
    let analyses = Analyses::of(func);
    let mut scev = ScalarEvolution::new(analyses.at(env, body));
    let mut out = format!("; Function: {}\n", env.funcs[func].name);
    let loops = scev.loops();
    for l in loops.ids() {
        let name = BodyPrinter::new(env, body).block(loops.header(l));
        let legality = match check(&mut scev, l, Limits::default()) {
            Ok(legality) => legality,
            Err(missed) => {
                out += &format!("; loop {name} has no plans: {missed}\n");
                continue;
            }
        };
        let Some(plans) = plans(&mut scev, &legality, None) else {
            out += &format!("; loop {name} has no plans: an address can't be computed in front of it\n");
            continue;
        };
        let table = weigh(&mut scev, &legality, &plans, (machine, Forced::default()));
        out += &format!("; loop {name}: {table}\n");
        out += &of_loop(&scev, &legality, &plans, machine);
    }
    out
}

fn of_loop(scev: &ScalarEvolution<'_>, of: &Legality, plans: &Plans, machine: &Machine) -> String {
    let printer = Printer::new(scev.at.env, scev.body(), of);
    let mut out = String::new();
    let same = |a: &WidePlan, b: &WidePlan| a.blocks == b.blocks;
    for plans in plans.all.chunk_by(same) {
        let lanes: Vec<String> = plans.iter().map(|plan| plan.lanes.to_string()).collect();
        out += &format!("VPlan for VF={{{}}}\n", lanes.join(","));
        let costs = |recipe: &Recipe| {
            let cost = |plan: &WidePlan| of_recipe(scev, of, machine, (recipe, plan.lanes));
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
