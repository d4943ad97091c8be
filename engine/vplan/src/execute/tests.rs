//! Recipes that do not occur in built and massaged plans: their semantics with one lane, for all bits.

use super::{execute, place};
use crate::build::{Landing, build};
use crate::plan::{BlockId, MaskOp, Recipe, RecipeId, VPValue, VPlan};
use crate::verify;
use backedge_analysis::Analyses;
use backedge_interp::refine::{Budget, Refinement, Side, refine};
use backedge_interp::{Config, Machine, Program, claims::inputs::Inputs};
use backedge_ir::editor::Editor;
use backedge_ir::module::Module;
use backedge_ir::parse::parse_module;
use backedge_ir::print::module_to_string;
use backedge_ir::types::Type;

/// A loop that passes `%v` to a call in each iteration.
fn module(compute: &str) -> Module {
    let text = format!(
        "declare void @show(i32)\ndefine void @f(i32 %n, i1 %a, i1 %b, i32 %x, i32 %y) {{\nentry:\n  \
         br label %loop\nloop:\n  %i = phi i32 [ 0, %entry ], [ %j, %loop ]\n{compute}  \
         call void @show(i32 %v)\n  %j = add i32 %i, 1\n  %c = icmp ult i32 %j, 3\n  \
         br i1 %c, label %loop, label %exit\nexit:\n  ret void\n}}\n"
    );
    parse_module(text.as_bytes()).expect("a module").module
}

/// The module with its plan executed after `change`, which gets the block of the loop.
fn changed(compute: &str, change: impl FnOnce(&mut VPlan, BlockId)) -> Module {
    let mut module = module(compute);
    let (func, body) = module.bodies().next().expect("a function");
    let analyses = Analyses::of(func);
    let at = analyses.at(&module.env, body);
    let mut plan = build(at, Landing::default()).taken.remove(0).plan;
    let header = plan.blocks().find(|b| &*plan.block(*b).label == "loop").expect("the loop");
    change(&mut plan, header);
    assert_eq!(verify::plain(&plan, body), []);
    let place = place(at, &plan);
    let (_, body) = module.body_mut(func).expect("its code");
    execute(&mut Editor::new(body), &plan, &place);
    assert_eq!(backedge_ir::verify::verify_module(&module), [], "{}", module_to_string(&module));
    module
}

/// The recipe called `name`.
fn named(plan: &VPlan, header: BlockId, name: &str) -> RecipeId {
    let is = |r: &&RecipeId| plan.recipe(**r).name.as_deref() == Some(name);
    *plan.block(header).recipes.iter().find(is).expect("the recipe")
}

/// Checks that both functions behave the same on all inputs with small parameters.
fn same(a: &Module, b: &Module) {
    let (func, _) = a.bodies().next().expect("a function");
    let config = Config { fuel: 1000, ..Config::default() };
    let programs = (Program::new(a, &config), Program::new(b, &config));
    let mut source = Machine::new(&programs.0, config.clone());
    let mut target = Machine::new(&programs.1, config);
    let inputs = Inputs::new(a, func, 64, 200, 1).expect("inputs");
    let mut shown = 0;
    for input in inputs.first(200) {
        let (mut s, mut t) = (Side { machine: &mut source, func }, Side { machine: &mut target, func });
        let budget = Budget { target_runs: 2, source_runs: 16 };
        match refine(&mut s, &mut t, &input, budget).expect("a run") {
            Refinement::Violates(v) => panic!("{} on {:?}\n{}", v.mismatch, input.args, module_to_string(b)),
            Refinement::Refines { source_ub: false, .. } => shown += 1,
            _ => {}
        }
    }
    assert!(shown > 50, "{shown} inputs");
}

const BITS: &str = "  %p = freeze i1 %a\n  %q = freeze i1 %b\n  %s = freeze i32 %x\n  %t = freeze i32 %y\n";

#[test]
fn a_blend_is_a_select() {
    let wanted = module(&format!("{BITS}  %v = select i1 %p, i32 %s, i32 %t\n"));
    let found = changed(&format!("{BITS}  %v = add i32 %s, %t\n"), |plan, header| {
        let of = |name: &str| VPValue::Def(named(plan, header, name));
        let blend = Recipe::Blend { mask: of("p"), set: of("s"), clear: of("t") };
        let v = named(plan, header, "v");
        plan.recipes[v].kind = blend;
    });
    same(&wanted, &found);
}

#[test]
fn masks_are_operations_on_bits() {
    for (op, text) in
        [(MaskOp::Not, "xor i1 %p, true"), (MaskOp::And, "and i1 %p, %q"), (MaskOp::Or, "or i1 %p, %q")]
    {
        let wanted = module(&format!("{BITS}  %w = {text}\n  %v = zext i1 %w to i32\n"));
        let found =
            changed(&format!("{BITS}  %w = add i1 %p, %q\n  %v = zext i1 %w to i32\n"), |plan, header| {
                let both = ["p", "q"].map(|name| VPValue::Def(named(plan, header, name)));
                let operands = both.into_iter().take(op.arity()).collect();
                let w = named(plan, header, "w");
                plan.recipes[w].kind = Recipe::Mask { op, operands };
            });
        same(&wanted, &found);
    }
}

/// An ignored operand may be poison.
#[test]
fn ignored_second_operand_may_be_poison() {
    for (op, first) in [(MaskOp::And, false), (MaskOp::Or, true)] {
        let wanted = module(&format!("  %v = zext i1 {first} to i32\n"));
        let found = changed("  %w = xor i1 %a, %b\n  %v = zext i1 %w to i32\n", |plan, header| {
            let operands = [VPValue::Bit(first), VPValue::Poison(Type::I1)].into_iter().collect();
            let w = named(plan, header, "w");
            plan.recipes[w].kind = Recipe::Mask { op, operands };
        });
        same(&wanted, &found);
    }
}
