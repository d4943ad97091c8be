//! Bisection of this project's passes: runs them once and judges the code after each pass.

use super::super::symptom::{FunctionFailure, Kind, Symptom, Two, without_details};
use super::super::system::machine_flag;
use super::checker::{Checker, of_refutation};
use super::guilty::{Guilty, subject};
use super::{Answer, Open, Stop};
use crate::interrupt::Interrupt;
use backedge_fuzz::bisect::first_bad;
use backedge_ir::entity::{EntitySet, FuncId};
use backedge_ir::module::{Code, Module};
use backedge_ir::print::module_to_string;
use backedge_pipeline::run::{Observer, Options as RunOptions, PassRun, run as run_pipeline};
use backedge_pipeline::{Nobody, Pipeline};
use backedge_transform::cost::Machine;
use backedge_validate::case::Case;
use backedge_validate::panics::caught;
use backedge_validate::witness::Refutation;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A bisection of this project's passes.
pub(crate) struct Ours<'a> {
    pub(crate) module: Arc<Module>,
    pub(crate) pipeline: &'a Pipeline,
    /// The target machine of the cost model.
    pub(crate) machine: Machine,
    pub(crate) judge: &'a Checker,
    pub(crate) interrupt: &'a Interrupt,
}

/// A pass run that changed a function.
struct Changed {
    number: u64,
    pass: String,
    func: FuncId,
    after: Arc<Module>,
}

/// Observer that records changes.
struct Keeper {
    current: Module,
    changed: Vec<Changed>,
    running: (String, Option<FuncId>),
    runs: u64,
}

impl Observer for Keeper {
    fn before_pass(&mut self, pass: &str, func: FuncId) {
        self.running = (pass.to_owned(), Some(func));
    }
    fn after_pass(&mut self, run: &PassRun<'_>) {
        self.runs = run.number + 1;
        if !run.changed {
            return;
        }
        self.current.env = run.env.clone();
        self.current.adopt_declarations();
        self.current.code[run.func] = Code::Body(Box::new(run.after.clone()));
        // A snapshot shares the code of all other functions, which is not inspected.
        let after = Arc::new(self.current.clone());
        self.changed.push(Changed { number: run.number, pass: run.pass.to_owned(), func: run.func, after });
    }
}

impl Ours<'_> {
    /// The pass that broke the module, if any.
    pub(crate) fn bisect(&self) -> Result<Answer, Stop> {
        let mut keeper = Keeper {
            current: Module::clone(&self.module),
            changed: Vec::new(),
            running: (String::new(), None),
            runs: 0,
        };
        let mut module = Module::clone(&self.module);
        let options = RunOptions { verify_each: true, ..RunOptions::default() };
        let crash = match caught(|| run_pipeline(&mut module, self.pipeline, options, &mut keeper)) {
            Ok(Ok(_)) => None,
            Ok(Err(error)) => Some(error.to_string()),
            Err(panic) => Some(panic),
        };
        let mut seen = EntitySet::new();
        let funcs: Vec<FuncId> =
            keeper.changed.iter().map(|c| c.func).filter(|func| seen.insert(*func)).collect();
        let mut all_open = Vec::new();
        let known = funcs.into_iter().find_map(|func| self.of_function(&keeper, func, &mut all_open));
        if self.interrupt.asked() {
            return Err(Stop::Interrupted);
        }
        Ok(match known.or_else(|| Some(self.crash(&keeper, crash?))) {
            Some(guilty) => Answer::Guilty(Box::new(guilty)),
            None => Answer::Nothing { open: all_open },
        })
    }

    /// A refutation of one step; `None` after an interrupt.
    fn refuted_step(&self, two: &Two, case: Option<&Case>) -> Option<Box<Refutation>> {
        if self.interrupt.asked() { None } else { self.judge.refuted_step(two, case) }
    }

    fn two(&self, from: &Arc<Module>, to: &Arc<Module>, func: FuncId) -> Two {
        Two { source: (from.clone(), func), target: (to.clone(), func) }
    }

    /// The pass that broke `func`. If none is found but the result is inconclusive, the reason is added to
    /// `all_open`.
    fn of_function(&self, keeper: &Keeper, func: FuncId, all_open: &mut Vec<Open>) -> Option<Guilty> {
        let changed: Vec<&Changed> = keeper.changed.iter().filter(|c| c.func == func).collect();
        let last = changed.last()?;
        let pair = |nth: usize| self.two(&self.module, &changed[nth - 1].after, func);
        let before = |nth: usize| if nth == 1 { &self.module } else { &changed[nth - 2].after };
        let step = |nth: usize| self.two(before(nth), &changed[nth - 1].after, func);
        let whole = self.two(&self.module, &last.after, func);
        if self.interrupt.asked() {
            return None;
        }
        let refutation = match self.judge.judged(&whole) {
            Ok(refutation) => refutation,
            Err(open) => {
                // A later pass may have masked the failure of an earlier one.
                let broken = |nth| Some((nth, self.refuted_step(&step(nth), self.judge.known.as_ref())?));
                let Some((nth, refutation)) = (1..=changed.len()).find_map(broken) else {
                    all_open.extend(open);
                    return None;
                };
                let found = of_refutation(step(nth), refutation);
                return Some(self.guilty(keeper, changed[nth - 1], found, Some(true)));
            }
        };
        let mut shown: BTreeMap<usize, Box<Refutation>> = BTreeMap::new();
        let case = refutation.case.clone();
        shown.insert(changed.len(), refutation);
        let first = first_bad(0, changed.len() as u64, |nth| {
            let nth = nth as usize;
            if self.interrupt.asked() {
                return Err(());
            }
            let found = self.judge.refuted_step(&pair(nth), Some(&case));
            let is_bad = found.is_some();
            shown.extend(found.map(|found| (nth, found)));
            Ok(is_bad)
        });
        let nth = first.ok()? as usize;
        let refutation = shown.remove(&nth)?;
        let alone = self.refuted_step(&step(nth), Some(&refutation.case)).is_some();
        let found = of_refutation(pair(nth), refutation);
        Some(self.guilty(keeper, changed[nth - 1], found, Some(alone)))
    }

    fn guilty(
        &self,
        keeper: &Keeper,
        changed: &Changed,
        found: FunctionFailure,
        alone: Option<bool>,
    ) -> Guilty {
        let number = changed.number + 1;
        Guilty {
            total: keeper.runs,
            number,
            unit: "run",
            pass: Some(changed.pass.clone()),
            on: subject(&found.function),
            found,
            alone,
            commands: (Some(self.command(number - 1)), self.command(number)),
            texts: [number - 1, number].map(|n| self.text(n)),
        }
    }

    fn crash(&self, keeper: &Keeper, message: String) -> Guilty {
        let number = keeper.runs + 1;
        let (pass, func) = keeper.running.clone();
        let function = func.map_or_else(String::new, |f| self.module.env.funcs[f].name.to_string());
        let kind = Kind::Crashed(without_details(&message));
        Guilty {
            total: number,
            number,
            unit: "run",
            pass: Some(pass),
            on: subject(&function),
            found: FunctionFailure {
                symptom: Symptom { pass: None, kind },
                function,
                message,
                refuted: None,
            },
            alone: None,
            commands: (Some(self.command(number - 1)), self.command(number)),
            texts: [self.text(number - 1), None],
        }
    }

    fn command(&self, number: u64) -> String {
        let machine = machine_flag(self.machine);
        format!("backedge opt -passes='{}'{machine} --stop-after={number} -S", self.pipeline)
    }

    /// The module after that number of pass runs.
    fn text(&self, number: u64) -> Option<String> {
        let mut module = Module::clone(&self.module);
        let options = RunOptions { stop_after: Some(number), ..RunOptions::default() };
        let done = caught(|| run_pipeline(&mut module, self.pipeline, options, &mut Nobody));
        matches!(done, Ok(Ok(_))).then(|| module_to_string(&module))
    }
}

#[cfg(test)]
mod tests {
    use super::{Checker, Guilty, Interrupt, Machine, Ours};
    use backedge_ir::inst::Use;
    use backedge_ir::int::Int;
    use backedge_ir::parse::read_module;
    use backedge_pipeline::Pipeline;
    use backedge_pipeline::pass::{FunctionStep, ModuleStep};
    use backedge_transform::pass::{FunctionPass, Unit};
    use backedge_validate::check::Options;
    use backedge_validate::judge::Judge;
    use std::sync::Arc;

    const TEXT: &str =
        "define i32 @f(i32 %x) {\n  %a = add i32 %x, 1\n  %b = add i32 %a, 1\n  ret i32 %b\n}\n";

    /// Sets the second operand of the last addition to a constant, and panics on the optional second number.
    #[derive(Debug)]
    struct Adds(u128, Option<u128>);

    impl FunctionPass for Adds {
        fn text(&self) -> String {
            format!("adds-{}", self.0)
        }
        fn run(&self, unit: &mut Unit<'_>) {
            let last = unit.body().all_insts().nth(1).expect("an addition");
            let now = unit.body().as_int(unit.body().inst(last).operands[1]).map(Int::bits);
            assert!(self.1.is_none() || self.1 != now, "this number is not liked");
            let value = unit.editor().int(Int::new(32, self.0));
            unit.editor().set_operand(Use { user: last, index: 1 }, value);
        }
    }

    fn bisect(passes: Vec<Adds>) -> Option<Guilty> {
        let steps = passes.into_iter().map(|p| FunctionStep::Pass(Arc::new(p))).collect();
        let pipeline = Pipeline { steps: vec![ModuleStep::Functions(steps)] };
        let judge = Checker {
            judge: Judge::new(Options::default()),
            solver: false,
            assume_attributes: false,
            known: None,
            strict_undef: false,
        };
        let module = Arc::new(read_module(TEXT.as_bytes()).expect("a module").module);
        let (machine, interrupt) = (Machine::default(), Interrupt::default());
        let ours = Ours { module, pipeline: &pipeline, machine, judge: &judge, interrupt: &interrupt };
        ours.bisect().expect("nobody stops it").guilty()
    }

    #[test]
    fn the_run_that_broke_it_is_found() {
        let passes = |list: &[u128]| list.iter().map(|n| Adds(*n, None)).collect::<Vec<_>>();
        assert!(bisect(passes(&[1, 1])).is_none());
        let guilty = bisect(passes(&[1, 2, 3, 4, 5])).expect("it is wrong");
        assert_eq!((guilty.number, guilty.total, guilty.alone), (2, 5, Some(true)));
        assert_eq!(guilty.pass.as_deref(), Some("adds-2"));
        assert!(guilty.commands.1.contains("--stop-after=2"), "{:?}", guilty.commands);
        let [before, after] = guilty.texts.map(|t| t.expect("a module"));
        assert!(before.contains("%b = add i32 %a, 1") && after.contains("%b = add i32 %a, 2"), "{after}");
        // A step that a later pass repairs is still wrong.
        let guilty = bisect(passes(&[1, 2, 1])).expect("a step is wrong");
        assert_eq!((guilty.number, guilty.pass.as_deref()), (2, Some("adds-2")));
    }

    #[test]
    fn a_crash_is_of_the_run_that_crashed() {
        let guilty = bisect(vec![Adds(1, None), Adds(1, Some(1))]).expect("it crashes");
        assert_eq!((guilty.number, guilty.total, &*guilty.on), (2, 2, "@f"));
        assert!(guilty.found.message.contains("this number is not liked"));
        assert!(guilty.texts[0].is_some() && guilty.texts[1].is_none());
    }
}
