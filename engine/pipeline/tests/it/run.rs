//! Runs: what an observer sees, in which order, and how a run stops.

use backedge_ir::editor::Position;
use backedge_ir::entity::{Block, FuncId};
use backedge_ir::inst::{InstData, InstKind};
use backedge_ir::module::Module;
use backedge_ir::parse::parse_module;
use backedge_ir::print::module_to_string;
use backedge_pipeline::pass::{FunctionStep, LoopSteps, ModuleStep, Pipeline};
use backedge_pipeline::{
    Nobody, Observer, Options, PassRun, PrintAfter, RunError, parse_pipeline, run, run_on_function,
};
use backedge_transform::pass::{FunctionPass, LoopPass, Shape, Unit};
use std::sync::Arc;

const SOURCE: &str = "
define void @f(i32 %n) {
entry:
  br label %header
header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %c = icmp slt i32 %i, %n
  br i1 %c, label %body, label %exit
body:
  %i.next = add i32 %i, 1
  br label %header
exit:
  ret void
}

declare void @d()

define i32 @g(i1 %c) {
entry:
  br i1 %c, label %loop, label %exit
loop:
  %v = phi i32 [ 0, %entry ], [ %w, %loop ]
  %w = add i32 %v, 1
  br i1 %c, label %loop, label %exit
exit:
  ret i32 0
}
";

fn module() -> Module {
    parse_module(SOURCE.as_bytes()).expect("a module").module
}

#[derive(Default)]
struct Watcher {
    runs: Vec<String>,
    output: String,
}

impl Observer for Watcher {
    fn after_pass(&mut self, run: &PassRun<'_>) {
        assert_eq!(run.number as usize, self.runs.len());
        let name = &run.env.funcs[run.func].name;
        let implied = if run.implied { " (implied)" } else { "" };
        let changed = if run.changed { " changed" } else { "" };
        self.runs.push(format!("{name}: {}{implied}{changed}", run.pass));
    }
    fn output(&mut self, text: &str) {
        self.output.push_str(text);
    }
}

fn watch(passes: &str, options: Options) -> (Module, Watcher) {
    let mut module = module();
    let mut watcher = Watcher::default();
    let pipeline = parse_pipeline(passes).expect("a pipeline");
    run(&mut module, &pipeline, options, &mut watcher).expect("a run");
    (module, watcher)
}

#[test]
fn each_function_goes_through_all_passes() {
    let (_, watcher) = watch("loop-simplify,lcssa,loop-rotate", Options::default());
    let expected = [
        "f: loop-simplify",
        "f: lcssa",
        "f: loop-simplify (implied)",
        "f: lcssa (implied)",
        "f: loop-rotate changed",
        "g: loop-simplify changed",
        "g: lcssa",
        "g: loop-simplify (implied)",
        "g: lcssa (implied)",
        "g: loop-rotate",
    ];
    assert_eq!(watcher.runs, expected);
}

#[test]
fn passes_take_turns_on_loops() {
    let (_, watcher) = watch("loop(loop-rotate,no-op-loop)", Options::default());
    let f = ["f: loop-simplify (implied)", "f: lcssa (implied)", "f: loop-rotate changed", "f: no-op-loop"];
    assert_eq!(watcher.runs[..4], f);
}

#[test]
fn stopping_after_some_runs() {
    let mut texts = Vec::new();
    for limit in 0..12 {
        let mut module = module();
        let pipeline = parse_pipeline("loop-simplify,lcssa,loop-rotate").expect("a pipeline");
        let options = Options { stop_after: Some(limit), ..Options::default() };
        let summary = run(&mut module, &pipeline, options, &mut Nobody).expect("a run");
        assert_eq!(summary.runs, limit.min(10));
        assert_eq!(summary.runs + summary.skipped, 10);
        texts.push(module_to_string(&module));
    }
    let changes: Vec<usize> = (1..12).filter(|i| texts[*i] != texts[*i - 1]).collect();
    assert_eq!(changes, [5, 6], "the runs that change something");
}

#[test]
fn one_function_alone() {
    let mut module = module();
    let g = module.env.func_named("g").expect("@g");
    let pipeline = parse_pipeline("function(loop-simplify)").expect("a pipeline");
    let [ModuleStep::Functions(steps)] = &*pipeline.steps else { panic!("one step") };
    let mut watcher = Watcher::default();
    run_on_function(&mut module, g, steps, Options::default(), &mut watcher).expect("a run");
    assert_eq!(watcher.runs, ["g: loop-simplify changed"]);
    let d = module.env.func_named("d").expect("@d");
    let summary = run_on_function(&mut module, d, steps, Options::default(), &mut watcher).expect("a run");
    assert_eq!(summary.runs, 0);
}

#[test]
fn printing() {
    let (_, watcher) = watch("print<loops>", Options::default());
    let loops = "Loop info for function 'f':\n\
                 Loop at depth 1 containing: %header<header><exiting>,%body<latch>\n";
    assert!(watcher.output.starts_with(loops), "{}", watcher.output);
    let options = Options { print_after: PrintAfter::Changed, ..Options::default() };
    let (_, watcher) = watch("loop-simplify", options);
    let head = "*** IR Dump After LoopSimplifyPass on g ***\n";
    assert!(watcher.output.starts_with(head), "{}", watcher.output);
    assert!(!watcher.output.contains(" on f "));
    let (module, watcher) = watch("print", Options::default());
    assert_eq!(watcher.output, module_to_string(&module));
}

/// A pass that breaks the function and reports nothing.
#[derive(Debug)]
struct Breaker;

impl FunctionPass for Breaker {
    fn text(&self) -> String {
        "breaker".to_owned()
    }
    fn run(&self, unit: &mut Unit<'_>) {
        let phi = unit.body().all_insts().find(|i| unit.body().inst(*i).kind.is_phi());
        if let Some(phi) = phi {
            unit.editor().remove_incoming(phi, 0);
        }
    }
}

#[test]
fn a_pass_that_breaks_a_function_is_an_error() {
    let steps = vec![FunctionStep::Pass(Arc::new(Breaker))];
    let pipeline = Pipeline { steps: vec![ModuleStep::Functions(steps)] };
    let options = Options { verify_each: true, ..Options::default() };
    let f: Option<FuncId> = module().env.func_named("f");
    match run(&mut module(), &pipeline, options, &mut Nobody) {
        Err(RunError::Verifier { pass, func, name, findings }) => {
            assert_eq!((pass.as_str(), Some(func), name.as_str()), ("breaker", f, "f"));
            assert!(!findings.is_empty());
        }
        Ok(summary) => panic!("{summary:?}"),
    }
    let mut watcher = Watcher::default();
    run(&mut module(), &pipeline, Options::default(), &mut watcher).expect("nobody looks");
    assert_eq!(watcher.runs, ["f: breaker changed", "g: breaker changed"]);
}

/// A loop pass that breaks LCSSA form: it uses the counter after the loop without a phi.
#[derive(Debug)]
struct Opener;

impl LoopPass for Opener {
    fn text(&self) -> String {
        "opener".to_owned()
    }
    fn run(&self, unit: &mut Unit<'_>, header: Block) -> Option<Block> {
        let phi = unit.body().phis(header).next()?;
        let exit = unit.body().blocks().last()?;
        let used = InstData::new(InstKind::Freeze, unit.body().inst(phi).ty, [phi.into()], []);
        unit.editor().insert(Position::BeforeTerminator(exit), used);
        Some(header)
    }
}

#[test]
fn a_loop_pass_that_leaves_a_value_open_is_an_error() {
    let steps = LoopSteps { passes: vec![Arc::new(Opener)], memory_ssa: false };
    let pipeline = Pipeline { steps: vec![ModuleStep::Functions(vec![FunctionStep::Loops(steps)])] };
    let options = Options { verify_each: true, ..Options::default() };
    match run(&mut module(), &pipeline, options, &mut Nobody) {
        Err(RunError::Verifier { pass, findings, .. }) => {
            assert_eq!(pass, "opener");
            assert_eq!(findings, ["a value of a loop is used after the loop without an LCSSA phi"]);
        }
        Ok(summary) => panic!("{summary:?}"),
    }
}

/// The iterations are split at `%m` and unrolled; then the store is moved out of the last loops.
const EMPTIED: &str = "
define void @f(ptr %p, i32 %n, i32 %m) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %e = icmp ugt i32 %i, %m
  br i1 %e, label %then, label %latch
then:
  store i32 %i, ptr %p
  br label %latch
latch:
  %i.next = add i32 %i, 1
  %c = icmp ult i32 %i.next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}
";

#[test]
fn loops_that_lose_their_last_store_go() {
    let mut module = parse_module(EMPTIED.as_bytes()).expect("a module").module;
    let pipeline = parse_pipeline("default<O3>").expect("a pipeline");
    run(&mut module, &pipeline, Options::default(), &mut Nobody).expect("a run");
    let (_, body) = module.bodies().next().expect("a body");
    assert!(Shape::new(body).loops.is_empty(), "{}", module_to_string(&module));
}
