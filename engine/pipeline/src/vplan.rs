//! `vplan-roundtrip`: builds vectorization plans for outermost loops, massages them, builds their regions, and executes
//! the plans one iteration at a time. It optimizes nothing; it shows that each step preserves the function's behavior.
//!
//! Remarks explain why a loop is left unchanged, and give the number of regions in the plans of the others.

use backedge_transform::lcssa::Lcssa;
use backedge_transform::nest::{NestDone, NestMissed};
use backedge_transform::pass::{FunctionPass, Unit};
use backedge_transform::remark::Outcome;
use backedge_transform::simplify::LoopSimplify;
use backedge_vplan::build::{Built, Landing, build};
use backedge_vplan::execute::{execute, place};
use backedge_vplan::massage::{Massaging, Massagings, NothingUniform, UniformInNest};
use backedge_vplan::{VPlan, hierarchy, verify};

/// The name of the pass, without parameters.
pub(crate) const NAME: &str = "vplan-roundtrip";

/// The pass. Before and after it, loops are in loop-simplify form and LCSSA form.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct VPlanRoundtrip {
    /// The massagings to apply to the plain CFG.
    pub massagings: Massagings,
    /// The construct after a loop with several exits.
    pub landing: Landing,
    /// Whether computations that are uniform over all iterations of the outermost loop are left alone.
    pub uniform: bool,
}

impl Default for VPlanRoundtrip {
    fn default() -> Self {
        Self { massagings: Massagings::ALL, landing: Landing::default(), uniform: false }
    }
}

impl VPlanRoundtrip {
    /// The parameters as spelled.
    fn params(&self) -> Vec<&'static str> {
        let mut params: Vec<&'static str> = Vec::new();
        match self.massagings {
            Massagings::ALL => {}
            Massagings::NONE => params.push("plain"),
            some => params.extend(some.iter().map(Massaging::name)),
        }
        if self.landing == Landing::Pad {
            params.push("landing-pad");
        }
        if self.uniform {
            params.push("uniform");
        }
        params
    }
}

impl FunctionPass for VPlanRoundtrip {
    fn text(&self) -> String {
        match &self.params()[..] {
            [] => NAME.to_owned(),
            params => format!("{NAME}<{}>", params.join(";")),
        }
    }
    fn run(&self, unit: &mut Unit<'_>) {
        LoopSimplify.run(unit);
        Lcssa.run(unit);
        let at = unit.at();
        let loops = at.loops();
        let Built { taken, missed } = build(at, self.landing);
        let mut said: Vec<(String, Outcome)> = Vec::new();
        for (l, missed) in missed {
            let why = NestMissed { name: missed.name(), text: format!("not taken: {missed}") };
            said.push((unit.label(loops.header(l)), why.into()));
        }
        let mut plans = Vec::new();
        for mut of in taken {
            match self.uniform {
                true => self.massagings.run(&mut of.plan, &UniformInNest::of(at, of.l)),
                false => self.massagings.run(&mut of.plan, &NothingUniform),
            }
            hierarchy::build(&mut of.plan);
            let mut problems = verify::plain(&of.plan, at.body);
            problems.extend(verify::hierarchy(&of.plan));
            let outcome = match problems.first() {
                None => done(&of.plan).into(),
                Some(problem) => {
                    debug_assert!(false, "{problems:?}");
                    let text = format!("not executed: the plan is not right: {problem}");
                    NestMissed { name: "WrongPlan", text }.into()
                }
            };
            said.push((unit.label(loops.header(of.l)), outcome));
            if problems.is_empty() {
                plans.push((place(at, &of.plan), of.plan));
            }
        }
        for (header, outcome) in said {
            unit.remark_at(NAME, header, outcome);
        }
        for (place, plan) in &plans {
            execute(&mut unit.editor(), plan, place);
        }
        if !plans.is_empty() {
            LoopSimplify.run(unit);
            Lcssa.run(unit);
        }
    }
}

fn done(plan: &VPlan) -> NestDone {
    let of_loops = plan.regions().filter(|r| plan.region(*r).as_loop().is_some()).count();
    // The top region is neither a loop region nor one of the others.
    let others = plan.regions().len() - 1 - of_loops;
    let blocks = plan.blocks().len();
    NestDone {
        name: "Planned",
        text: format!("planned {blocks} blocks, {of_loops} loop and {others} other region(s)"),
    }
}
