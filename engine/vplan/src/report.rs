//! The plans of one function as text or graph, step by step or in their final form.

use crate::build::{Built, Landing, Taken, build};
use crate::hierarchy;
use crate::massage::{Massagings, NothingUniform, UniformInNest, Uniformity};
use crate::plan::VPlan;
use crate::print::PlanPrinter;
use backedge_analysis::Analyses;
use backedge_ir::body::Body;
use backedge_ir::entity::FuncId;
use backedge_ir::module::Env;
use backedge_ir::print::BodyPrinter;

/// Options for printed plans.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct VPlanText {
    /// Whether to print the plain CFG, the result of each massaging that changes it, and the regions; otherwise only
    /// the regions.
    pub steps: bool,
    /// The massaging transforms to run.
    pub massagings: Massagings,
    /// How plans treat a loop with several exit blocks.
    pub landing: Landing,
    /// Whether to leave control flow unchanged that the analysis shows to be uniform; if false, nothing is treated as
    /// uniform.
    pub uniform: bool,
}

impl Default for VPlanText {
    fn default() -> Self {
        Self { steps: false, massagings: Massagings::ALL, landing: Landing::default(), uniform: false }
    }
}

impl VPlanText {
    /// The steps to print.
    fn shown(self, plan: VPlan, uniform: &dyn Uniformity) -> Vec<(&'static str, VPlan)> {
        let mut steps = steps(plan, self.massagings, uniform);
        if !self.steps {
            steps.drain(..steps.len() - 1);
        }
        steps
    }
}

/// The steps from a plain CFG to the hierarchical CFG, without those that change nothing: the name of each step, and
/// the plan after it.
pub fn steps(
    mut plan: VPlan,
    massagings: Massagings,
    uniform: &dyn Uniformity,
) -> Vec<(&'static str, VPlan)> {
    let mut steps = vec![("plain CFG", plan.clone())];
    for massaging in massagings.iter() {
        if massaging.run(&mut plan, uniform) {
            steps.push((massaging.name(), plan.clone()));
        }
    }
    hierarchy::build(&mut plan);
    steps.push(("hierarchical CFG", plan));
    steps
}

/// The plans of `func`, whose code is `body`, as text, and the reasons why other loops have none.
pub fn vplan_to_string(env: &Env, func: FuncId, body: &Body, options: VPlanText) -> String {
    let printer = PlanPrinter::new(env, body);
    let write = |plan: VPlan, uniform: &dyn Uniformity| {
        let one = |(name, plan): &(&str, VPlan)| match options.steps {
            true => format!("; {name}\n{}", printer.text(plan)),
            false => printer.text(plan),
        };
        options.shown(plan, uniform).iter().map(one).collect()
    };
    each_plan(env, func, body, options, ";", &write)
}

/// The same as [`vplan_to_string`] in Graphviz format, one graph for each plan or step.
pub fn vplan_to_dot(env: &Env, func: FuncId, body: &Body, options: VPlanText) -> String {
    let printer = PlanPrinter::new(env, body);
    let names = BodyPrinter::new(env, body);
    let write = |plan: VPlan, uniform: &dyn Uniformity| {
        let title = |name: &str, plan: &VPlan| {
            let of = format!("VPlan for loop {}", names.block(plan.origin.header));
            if options.steps { format!("{of}: {name}") } else { of }
        };
        options
            .shown(plan, uniform)
            .iter()
            .map(|(name, plan)| printer.dot(plan, &title(name, plan)))
            .collect()
    };
    each_plan(env, func, body, options, "//", &write)
}

fn each_plan(
    env: &Env,
    func: FuncId,
    body: &Body,
    options: VPlanText,
    comment: &str,
    write: &dyn Fn(VPlan, &dyn Uniformity) -> String,
) -> String {
    let analyses = Analyses::of(func);
    let at = analyses.at(env, body);
    let loops = at.loops();
    let names = BodyPrinter::new(env, body);
    let Built { taken, missed } = build(at, options.landing);
    let mut out = format!("{comment} Function: {}\n", env.funcs[func].name);
    for (l, missed) in missed {
        out += &format!("{comment} loop {} was not taken: {missed}\n", names.block(loops.header(l)));
    }
    out.extend(taken.into_iter().map(|Taken { l, plan }| match options.uniform {
        true => write(plan, &UniformInNest::of(at, l)),
        false => write(plan, &NothingUniform),
    }));
    out
}
