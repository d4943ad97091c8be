//! Runs a pipeline over a module under observation.
//!
//! A *run* is one pass on one function; the observer sees each run with the function's code before and after. In a
//! `loop(…)` with a single pass, the pass on all loops of a function is one run. In a `loop(…)` with several passes,
//! each pass on each loop is a run, because the passes alternate. Before a `loop(…)`, `loop-simplify` and `lcssa` run
//! on the function, as in LLVM's adaptor, and count as runs.
//!
//! Guarantees: the same module and pipeline give the same result. Declarations and unmodelled functions are left
//! unchanged. As in LLVM, `optnone` functions are not transformed. With [`Options::stop_after`] the module stays as it
//! is after that many runs, to find the run that breaks it.

use crate::banner::subject;
use crate::compare::is_same_code;
use crate::error::RunError;
use crate::pass::{FunctionStep, LoopSteps, ModulePass, ModuleStep, Pipeline};
use backedge_ir::attr::FlagAttr;
use backedge_ir::body::Body;
use backedge_ir::entity::{Block, FuncId};
use backedge_ir::module::{Code, Env, Module, OpaqueCode};
use backedge_ir::print::{function_to_string, module_to_string};
use backedge_ir::verify::verify_body;
use backedge_transform::lcssa::{self, Lcssa};
use backedge_transform::pass::{FunctionPass, LoopPass, Memory, Shape, Unit};
use backedge_transform::remark::Remark;
use backedge_transform::simplify::LoopSimplify;

/// Options of a run.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// Verify each function after each pass that changed it; a finding ends the run with an error.
    pub verify_each: bool,
    /// Print the function before each pass on it.
    pub print_before: bool,
    /// Print functions after passes.
    pub print_after: PrintAfter,
    /// What is printed for a function before or after a pass.
    pub print_form: PrintForm,
    /// Skip all passes after this many runs.
    pub stop_after: Option<u64>,
}

/// Which functions to print after which passes.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum PrintAfter {
    /// None.
    #[default]
    Never,
    /// The function after each pass on it.
    All,
    /// The function after each pass that changed it.
    Changed,
    /// The module at first, the function after each pass that changed it, and a line for each that did not.
    ChangedOrNot,
}

/// What is printed for a function.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum PrintForm {
    /// The function.
    #[default]
    Function,
    /// The whole module.
    Module,
    /// After a pass that changed the function ([`PrintAfter::Changed`], [`PrintAfter::ChangedOrNot`]): all lines of
    /// the function, with the lines that the pass removed (`-`) and added (`+`). Otherwise the function.
    Diff,
}

/// The side of a pass at which a function is printed.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum PrintTime {
    /// Before the pass.
    Before,
    /// After the pass.
    After,
}

/// One completed run of a pass on a function.
#[derive(Copy, Clone, Debug)]
pub struct PassRun<'a> {
    /// The number of earlier runs in the whole module.
    pub number: u64,
    /// The pass, as spelled in a pipeline.
    pub pass: &'a str,
    /// Whether the pass is not in the pipeline's text but was added to make loops canonical for a loop pass.
    pub implied: bool,
    /// The environment of the function.
    pub env: &'a Env,
    /// The function.
    pub func: FuncId,
    /// The code before the pass if [`Observer::wants_code_before`] requests it; otherwise the current code.
    pub before: &'a Body,
    /// The code after the pass.
    pub after: &'a Body,
    /// Whether the code changed.
    pub changed: bool,
    /// The remarks of the pass.
    pub remarks: &'a [Remark],
}

/// An observer of a run.
pub trait Observer {
    /// Whether [`Observer::after_pass`] needs the code before the pass, which must then be saved. Otherwise a pass
    /// counts as having changed the function if it wrote to it, even if the result is the same code.
    fn wants_code_before(&self) -> bool {
        true
    }
    /// Called before a pass, as spelled in a pipeline, runs on `func`.
    fn before_pass(&mut self, pass: &str, func: FuncId) {
        let _ = (pass, func);
    }
    /// Called after a pass has run on a function and, if requested, the verifier has accepted the function.
    fn after_pass(&mut self, run: &PassRun<'_>) {
        let _ = run;
    }
    /// Called when a pass does not run on a function because its code is not modelled; the remark gives the reason.
    fn left(&mut self, remark: &Remark) {
        let _ = remark;
    }
    /// Whether to print the function's code on this side of the pass when [`Options::print_before`] or
    /// [`Options::print_after`] requests printing.
    fn wants_print(&mut self, side: PrintTime, pass: &str, function: &str) -> bool {
        let _ = (side, pass, function);
        true
    }
    /// Called with the text of a printing pass or option.
    fn output(&mut self, text: &str) {
        let _ = text;
    }
}

/// An observer that ignores everything.
#[derive(Copy, Clone, Debug, Default)]
pub struct Nobody;

impl Observer for Nobody {
    fn wants_code_before(&self) -> bool {
        false
    }
}

/// Statistics of a run.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    /// The number of passes run on functions.
    pub runs: u64,
    /// The number of runs that changed the function.
    pub changed: u64,
    /// The number of runs skipped because of [`Options::stop_after`].
    pub skipped: u64,
}

/// Runs `pipeline` over `module`.
pub fn run(
    module: &mut Module,
    pipeline: &Pipeline,
    options: Options,
    observer: &mut dyn Observer,
) -> Result<Summary, RunError> {
    let mut runner = Runner { module, options, observer, summary: Summary::default(), memory: None };
    if options.print_after == PrintAfter::ChangedOrNot {
        let text = module_to_string(runner.module);
        runner.observer.output(&format!("*** IR Dump At Start ***\n{text}"));
    }
    for step in &pipeline.steps {
        match step {
            ModuleStep::Pass(pass) => runner.module_pass(*pass)?,
            ModuleStep::Functions(steps) => {
                runner.report_unmodelled(steps);
                for func in runner.modelled() {
                    runner.function_steps(func, steps)?;
                }
            }
        }
    }
    Ok(runner.summary)
}

/// Runs `steps` over one function of `module`; does nothing if its code is not modelled.
pub fn run_on_function(
    module: &mut Module,
    func: FuncId,
    steps: &[FunctionStep],
    options: Options,
    observer: &mut dyn Observer,
) -> Result<Summary, RunError> {
    let mut runner = Runner { module, options, observer, summary: Summary::default(), memory: None };
    if runner.module.body(func).is_some() {
        runner.function_steps(func, steps)?;
    }
    Ok(runner.summary)
}

/// A pass on a function or on one of its loops.
#[derive(Copy, Clone)]
struct Run<'a> {
    pass: &'a str,
    implied: bool,
    /// The header of the loop, for a pass on a single loop.
    header: Option<Block>,
    /// Whether this is a loop pass, which requires and preserves LCSSA form.
    of_loops: bool,
}

/// The effect of a run on a function.
struct Effect {
    changed: bool,
    /// The function's text before the pass, if a diff may be printed.
    old_text: Option<String>,
}

/// All lines of `old` and `new`: common ones after a space, removed ones after `-`, added ones after `+`.
fn line_diff(old: &str, new: &str) -> String {
    let diff = similar::TextDiff::from_lines(old, new);
    let line = |change: similar::Change<&str>| format!("{}{}", change.tag(), change.value());
    diff.iter_all_changes().map(line).collect()
}

struct Runner<'a> {
    module: &'a mut Module,
    options: Options,
    observer: &'a mut dyn Observer,
    summary: Summary,
    /// The cached analyses of the current function.
    memory: Option<Memory>,
}

impl Runner<'_> {
    fn modelled(&self) -> Vec<FuncId> {
        self.module.bodies().map(|(func, _)| func).collect()
    }
    /// Reports the remarks of passes on functions that are not modelled.
    fn report_unmodelled(&mut self, steps: &[FunctionStep]) {
        for (func, code) in self.module.code.iter() {
            let feature = match code {
                Code::Opaque(OpaqueCode { feature, .. }) => feature,
                Code::Body(body) => match body.indirect_jump() {
                    Some(jump) => jump,
                    None => continue,
                },
                Code::Declaration => continue,
            };
            for step in steps {
                let FunctionStep::Pass(pass) = step else { continue };
                if let Some((pass, outcome)) = pass.left(feature) {
                    let function = self.module.env.funcs[func].name.clone();
                    let header = String::new();
                    self.observer.left(&Remark { pass, function, header, location: None, outcome });
                }
            }
        }
    }
    fn module_pass(&mut self, pass: ModulePass) -> Result<(), RunError> {
        match pass {
            ModulePass::NoOp => {}
            ModulePass::Verify => self.modelled().into_iter().try_for_each(|f| self.verify(f, "verify"))?,
            ModulePass::Print => self.observer.output(&module_to_string(self.module)),
        }
        Ok(())
    }
    /// Passes skip functions that jump to block addresses, because their edges can't be redirected or split.
    fn function_steps(&mut self, func: FuncId, steps: &[FunctionStep]) -> Result<(), RunError> {
        self.memory = None;
        let left = self.module.body(func).is_some_and(|body| body.indirect_jump().is_some());
        for step in steps {
            match step {
                FunctionStep::Pass(_) | FunctionStep::Loops(_) if left => {}
                FunctionStep::Pass(pass) => self.function_pass(func, &**pass, false)?,
                FunctionStep::Verify => self.verify(func, "verify")?,
                FunctionStep::Print => {
                    let text = function_to_string(self.module, func);
                    self.observer.output(&text);
                }
                FunctionStep::Loops(steps) => self.loop_steps(func, steps)?,
            }
        }
        Ok(())
    }
    fn function_pass(
        &mut self,
        func: FuncId,
        pass: &dyn FunctionPass,
        implied: bool,
    ) -> Result<(), RunError> {
        let run = Run { pass: &pass.text(), implied, header: None, of_loops: false };
        self.execute(func, run, |unit| {
            pass.run(unit);
            None
        })
    }
    fn loop_steps(&mut self, func: FuncId, steps: &LoopSteps) -> Result<(), RunError> {
        if self.loop_headers(func).is_empty() {
            return Ok(());
        }
        self.function_pass(func, &LoopSimplify, true)?;
        self.function_pass(func, &Lcssa, true)?;
        let headers = self.loop_headers(func);
        if let [pass] = &*steps.passes {
            let header = if let [header] = *headers { Some(header) } else { None };
            let run = Run { pass: &pass.text(), implied: false, header, of_loops: true };
            return self.execute(func, run, |unit| {
                headers.into_iter().map(|header| pass.run(unit, header)).last().flatten()
            });
        }
        for header in headers {
            self.passes_on_loop(func, &steps.passes, header)?;
        }
        Ok(())
    }
    fn passes_on_loop(
        &mut self,
        func: FuncId,
        passes: &[std::sync::Arc<dyn LoopPass>],
        header: Block,
    ) -> Result<(), RunError> {
        let mut at = Some(header);
        for pass in passes {
            let Some(header) = at else { break };
            let run = Run { pass: &pass.text(), implied: false, header: Some(header), of_loops: true };
            self.execute(func, run, |unit| {
                at = pass.run(unit, header);
                at
            })?;
        }
        Ok(())
    }
    /// The loop headers of `func`, in the order of LLVM's loop pass manager.
    fn loop_headers(&mut self, func: FuncId) -> Vec<Block> {
        let Some((env, body)) = self.module.body_mut(func) else { return Vec::new() };
        let memory = self.memory.take().unwrap_or_else(|| Memory::of(func));
        let mut unit = Unit::with_memory(env, body, func, memory);
        let shape = unit.shape();
        self.memory = Some(unit.into_memory());
        shape.loops.in_pass_order().into_iter().map(|l| shape.loops.header(l)).collect()
    }
    fn execute(
        &mut self,
        func: FuncId,
        run: Run<'_>,
        act: impl FnOnce(&mut Unit<'_>) -> Option<Block>,
    ) -> Result<(), RunError> {
        let Run { pass, implied, header, of_loops } = run;
        if self.options.stop_after.is_some_and(|limit| self.summary.runs >= limit) {
            self.summary.skipped += 1;
            return Ok(());
        }
        let Some(body) = self.module.body(func) else { return Ok(()) };
        let env = &self.module.env;
        if env.has_attr(&env.funcs[func].attrs, FlagAttr::OptNone) {
            return Ok(());
        }
        let old_text = self.prints_diffs().then(|| function_to_string(self.module, func));
        let mut label = header.filter(|_| self.prints()).map(|h| body.slots().block_label(body, h));
        self.print_before(func, pass, label.as_deref());
        let kept = self.prints_changes() || self.observer.wants_code_before();
        let Some((env, body)) = self.module.body_mut(func) else { return Ok(()) };
        self.observer.before_pass(pass, func);
        let (epoch, before) = (body.body_epoch(), kept.then(|| body.clone()));
        let memory = self.memory.take().unwrap_or_else(|| Memory::of(func));
        let mut unit = Unit::with_memory(env, body, func, memory);
        let left = act(&mut unit);
        let (remarks, output) = (unit.take_remarks(), unit.take_output());
        self.memory = Some(unit.into_memory());
        if let (Some(label), Some(left)) = (&mut label, left) {
            *label = body.slots().block_label(body, left);
        }
        let changed = match &before {
            Some(before) => !is_same_code(before, body),
            None => body.body_epoch() != epoch,
        };
        self.module.adopt_declarations();
        if changed && self.options.verify_each {
            self.verify(func, pass)?;
            if of_loops {
                self.verify_lcssa(func, pass)?;
            }
        }
        let number = self.summary.runs;
        self.summary.runs += 1;
        self.summary.changed += u64::from(changed);
        if !output.is_empty() {
            self.observer.output(&output);
        }
        let Some(after) = self.module.body(func) else { return Ok(()) };
        let env = &self.module.env;
        let remarks = &*remarks;
        let before = before.as_ref().unwrap_or(after);
        self.observer.after_pass(&PassRun {
            number,
            pass,
            implied,
            env,
            func,
            before,
            after,
            changed,
            remarks,
        });
        let effect = Effect { changed, old_text };
        self.print_after(func, pass, label.as_deref(), effect);
        Ok(())
    }
    /// Whether printing around passes is enabled.
    fn prints(&self) -> bool {
        self.options.print_before || self.options.print_after != PrintAfter::Never
    }
    /// Whether printing depends on whether the pass changed the function.
    fn prints_changes(&self) -> bool {
        matches!(self.options.print_after, PrintAfter::Changed | PrintAfter::ChangedOrNot)
    }
    fn prints_diffs(&self) -> bool {
        self.prints_changes() && self.options.print_form == PrintForm::Diff
    }
    fn print_before(&mut self, func: FuncId, pass: &str, header: Option<&str>) {
        let name = &self.module.env.funcs[func].name;
        if self.options.print_before && self.observer.wants_print(PrintTime::Before, pass, name) {
            let head = format!("; *** IR Dump Before {} ***", subject(pass, name, header));
            self.print_code(&head, func);
        }
    }
    fn print_after(&mut self, func: FuncId, pass: &str, header: Option<&str>, effect: Effect) {
        let name = &self.module.env.funcs[func].name;
        if self.options.print_after == PrintAfter::Never
            || !self.observer.wants_print(PrintTime::After, pass, name)
        {
            return;
        }
        let head = format!("*** IR Dump After {}", subject(pass, name, header));
        match (self.options.print_after, effect.changed) {
            (PrintAfter::All, _) => self.print_code(&format!("; {head} ***"), func),
            (PrintAfter::Changed | PrintAfter::ChangedOrNot, true) => match effect.old_text {
                Some(old) => {
                    let text = line_diff(&old, &function_to_string(self.module, func));
                    self.observer.output(&format!("{head} ***\n{text}"));
                }
                None => self.print_code(&format!("{head} ***"), func),
            },
            (PrintAfter::ChangedOrNot, false) => {
                self.observer.output(&format!("{head} omitted because no change ***\n"));
            }
            (PrintAfter::Never, _) | (PrintAfter::Changed, false) => {}
        }
    }
    fn print_code(&mut self, head: &str, func: FuncId) {
        let text = match self.options.print_form {
            PrintForm::Module => module_to_string(self.module),
            PrintForm::Function | PrintForm::Diff => function_to_string(self.module, func),
        };
        self.observer.output(&format!("{head}\n"));
        self.observer.output(&text);
    }
    /// Returns an error if the verifier rejects `func` after `pass`.
    fn verify(&self, func: FuncId, pass: &str) -> Result<(), RunError> {
        let Some(body) = self.module.body(func) else { return Ok(()) };
        let findings = verify_body(&self.module.env, func, body);
        if findings.is_empty() {
            return Ok(());
        }
        Err(self.invalid(func, pass, findings.iter().map(|f| f.kind.to_string()).collect()))
    }
    /// Returns an error if a loop of the valid function `func` is not in LCSSA form.
    fn verify_lcssa(&self, func: FuncId, pass: &str) -> Result<(), RunError> {
        let Some(body) = self.module.body(func) else { return Ok(()) };
        if lcssa::is_in_form(body, &Shape::new(body)) {
            return Ok(());
        }
        let finding = "a value of a loop is used after the loop without an LCSSA phi".to_owned();
        Err(self.invalid(func, pass, vec![finding]))
    }
    fn invalid(&self, func: FuncId, pass: &str, findings: Vec<String>) -> RunError {
        let name = self.module.env.funcs[func].name.to_string();
        RunError::Verifier { pass: pass.to_owned(), func, name, findings }
    }
}
