//! Inserts the code for an expression into a function and executes it beside the expression: the value must equal the
//! expression whenever that is defined, and the function must not change otherwise.

use super::bodies::Text;
use super::runs::{config, input};
use super::watch::{Now, Watcher};
use backedge_interp::chooser::RandomChooser;
use backedge_interp::input::{ArgSpec, Input};
use backedge_interp::refine::{Budget, Refinement, Side, refine};
use backedge_interp::trace::{Done, Entry, Observer};
use backedge_interp::{Machine, Program};
use backedge_ir::editor::{Editor, Position};
use backedge_ir::entity::{Block, EntityId, FuncId, Inst};
use backedge_ir::inst::{CastFlags, CastOp, InstData, InstKind, Use, Value};
use backedge_ir::module::Module;
use backedge_ir::print::module_to_string;
use backedge_scev::expand::Plan;
use backedge_scev::expr::ExprPrinter;
use backedge_scev::{Expr, ScalarEvolution};

/// Statistics of expanded values in executions without UB.
#[derive(Copy, Clone, Default, Debug)]
pub(crate) struct Seen {
    /// Values that were defined and equal.
    pub(crate) equal: u64,
    /// Values whose expression is undefined: poison, or a division by zero.
    pub(crate) undefined: u64,
    /// Inputs on which the rest of the function was unchanged.
    pub(crate) refined: u64,
}

impl Seen {
    pub(crate) fn add(&mut self, other: Self) {
        self.equal += other.equal;
        self.undefined += other.undefined;
        self.refined += other.refined;
    }
}

/// The module of `text` with `plan` emitted before `at`, and a copy of its value at that place.
pub(crate) fn expanded(text: &Text, plan: &Plan, at: Inst) -> (Module, Inst) {
    let mut module = text.module.clone();
    let (_, body) = module.body_mut(text.func).expect("a definition");
    let mut editor = Editor::new(body);
    let value = plan.emit(&mut editor);
    let ty = editor.body().ty(value);
    let kind = InstKind::Cast(CastOp::BitCast, CastFlags::default());
    let marker = editor.insert_named(Position::Before(at), InstData::new(kind, ty, [value], []), "expanded");
    let problems = backedge_ir::verify::verify_module(&module);
    assert!(problems.is_empty(), "{problems:?}\n{}", module_to_string(&module));
    (module, marker)
}

/// The module of `text` with all uses of `value` replaced by the value of `plan`. `None` if the plan uses `value`
/// itself.
pub(crate) fn replaced(text: &Text, plan: &Plan, value: Value) -> Option<Module> {
    let mut module = text.module.clone();
    let (_, body) = module.body_mut(text.func).expect("a definition");
    let mut editor = Editor::new(body);
    let new = editor.body().inst_capacity();
    let by = plan.emit(&mut editor);
    let is_new = |use_: &Use| use_.user.index() >= new;
    if by == value || editor.body().uses(value).iter().any(is_new) {
        return None;
    }
    editor.replace_uses(value, by);
    let problems = backedge_ir::verify::verify_module(&module);
    assert!(problems.is_empty(), "{problems:?}\n{}", module_to_string(&module));
    Some(module)
}
/// Checks that the function of `module` refines that of `text` on `count` inputs. Returns the number of inputs without
/// UB.
pub(crate) fn refines(text: &Text, se: &ScalarEvolution<'_>, module: &Module, count: u64) -> u64 {
    let (source, target) = (Program::new(&text.module, &config()), Program::new(module, &config()));
    let mut source = Machine::new(&source, config());
    let mut target = Machine::new(&target, config());
    let mut refined = 0;
    for seed in 0..count {
        let input = with_undef(input(se, seed), seed);
        let budget = Budget { target_runs: 4, source_runs: 64 };
        let mut s = Side { machine: &mut source, func: text.func };
        let mut t = Side { machine: &mut target, func: text.func };
        match refine(&mut s, &mut t, &input, budget) {
            Ok(Refinement::Violates(v)) => panic!(
                "{} at {:?} on {:?}\n{}\n{}",
                v.mismatch,
                v.point,
                input.args,
                module_to_string(&text.module),
                module_to_string(module)
            ),
            Ok(Refinement::Refines { source_ub: false, .. }) => refined += 1,
            Ok(Refinement::Refines { .. } | Refinement::Unmatched(_) | Refinement::Inconclusive(_))
            | Err(_) => {}
        }
    }
    refined
}

/// Observes an execution of the expanded function.
struct Beside<'s, 'a> {
    values: Watcher<'s, 'a>,
    func: FuncId,
    /// Instructions from this index on are new.
    new: usize,
    marker: Inst,
    expr: Expr,
    frozen: bool,
    seen: Seen,
    wrong: Vec<String>,
}

impl Observer for Beside<'_, '_> {
    fn call(&mut self, entry: Entry<'_>) {
        self.values.call(entry);
    }
    fn enter(&mut self, func: FuncId, block: Block, depth: usize) {
        self.values.enter(func, block, depth);
    }
    fn step(&mut self, done: Done<'_>) {
        if done.func != self.func || done.depth != 0 || done.inst.index() < self.new {
            return self.values.step(done);
        }
        if done.inst != self.marker {
            return;
        }
        let value = done.value.expect("a value");
        if self.frozen && value.has_undef_or_poison() {
            self.wrong.push(format!("{value:?} is not frozen"));
        }
        match self.values.evaluate(self.expr) {
            Now::Is(is) if value.as_int(is.width()) == Some(is) => self.seen.equal += 1,
            Now::Is(is) => self.wrong.push(format!("{value:?} for {is}")),
            Now::Poison | Now::Unknown | Now::Undefined => self.seen.undefined += 1,
        }
    }
}

/// An expression and the plan that computes it before an instruction.
#[derive(Copy, Clone)]
pub(crate) struct Expansion<'p> {
    pub(crate) expr: Expr,
    pub(crate) at: Inst,
    pub(crate) plan: &'p Plan,
    /// Whether the plan freezes its leaves.
    pub(crate) frozen: bool,
}

/// Emits the plan of `expansion` in the function of `text`, checks it against the expression in `count` executions, and
/// checks refinement of the original function on the first `compared` inputs. Panics on a violation.
pub(crate) fn hold_against(
    text: &Text,
    se: &ScalarEvolution<'_>,
    expansion: Expansion<'_>,
    count: u64,
    compared: u64,
) -> Seen {
    let Expansion { expr, at, plan, frozen } = expansion;
    let (module, marker) = expanded(text, plan, at);
    let program = Program::new(&module, &config());
    let mut machine = Machine::new(&program, config());
    let source = Program::new(&text.module, &config());
    let mut source_machine = Machine::new(&source, config());
    let mut all = Seen::default();
    let text_of = || module_to_string(&module);
    let what = || ExprPrinter::new(se).limit(200).text(se, expr);
    for seed in 0..count {
        let input = with_undef(input(se, seed), seed);
        let mut beside = Beside {
            values: Watcher::of_values(se, text.func),
            func: text.func,
            new: se.body().inst_capacity(),
            marker,
            expr,
            frozen,
            seen: Seen::default(),
            wrong: Vec::new(),
        };
        let run = machine.run(text.func, &input, &mut RandomChooser::new(seed), &mut beside);
        if let Ok(run) = run
            && run.outcome.ub().is_none()
            && !run.outcome.shows_nothing()
        {
            assert!(
                beside.wrong.is_empty(),
                "{}: {:?}\non {:?}\n{}",
                what(),
                beside.wrong,
                input.args,
                text_of()
            );
            all.add(beside.seen);
        }
        if seed >= compared {
            continue;
        }
        let budget = Budget { target_runs: 4, source_runs: 64 };
        let mut source = Side { machine: &mut source_machine, func: text.func };
        let mut target = Side { machine: &mut machine, func: text.func };
        match refine(&mut source, &mut target, &input, budget) {
            Ok(Refinement::Violates(v)) => {
                panic!("{}: {} at {:?} on {:?}\n{}", what(), v.mismatch, v.point, input.args, text_of())
            }
            Ok(Refinement::Refines { source_ub: false, .. }) => all.refined += 1,
            Ok(Refinement::Refines { .. } | Refinement::Unmatched(_) | Refinement::Inconclusive(_))
            | Err(_) => {}
        }
    }
    all
}

/// `input` with an occasional undef argument.
fn with_undef(mut input: Input, seed: u64) -> Input {
    let args = input.args.len();
    if seed % 5 == 4 && args > 0 {
        let arg = seed as usize / 5 % args;
        if let ArgSpec::Bits(_) = input.args[arg] {
            input.args[arg] = ArgSpec::Undef;
        }
    }
    input
}
