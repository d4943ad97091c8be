//! Parses pipelines with error locations, and runs a pipeline over a file while recording every change.

use crate::input::Source;
use crate::optimizer::quoted_word;
use crate::problem::Problem;
use backedge_ir::body::Body;
use backedge_ir::entity::FuncId;
use backedge_ir::module::{Code, Env, Module};
use backedge_pipeline::pass::ModuleStep;
use backedge_pipeline::run::{Observer, Options, PassRun, run_on_function};
use backedge_pipeline::{Defaults, Pipeline, PipelineErrorKind, RunError, parse_pipeline_for, vectorizer};
use backedge_transform::cost::{MACHINES, Machine};
use backedge_validate::batch::{Change, Item, millis};
use backedge_validate::panics::caught;
use backedge_validate::record::{Finding, Record};
use backedge_vplan::vectorize::LoopVectorize;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// Levels with a default pipeline.
pub(crate) const LEVELS: [&str; 6] = ["0", "1", "2", "3", "s", "z"];

/// The machine of that name.
pub(crate) fn machine(name: &str) -> Result<Machine, String> {
    let names = || MACHINES.iter().map(|m| m.name).collect::<Vec<_>>().join(", ");
    Machine::named(name).copied().ok_or_else(|| format!("there are models of {}", names()))
}

/// Parses the text of `-passes=`; passes have the options `defaults`, such as the machine of the cost model.
pub(crate) fn parse_passes(text: &str, defaults: impl Into<Defaults>) -> miette::Result<Pipeline> {
    parse_pipeline_for(text, defaults).map_err(|e| {
        let message = e.to_string();
        let help = if message.contains("; ") { None } else { help_for(&e.kind) };
        Problem::error(message).help(help).at("-passes", text.as_bytes(), e.span, "here").into()
    })
}

/// Where to look for a pass that is unknown here, and resembles none that is known.
fn help_for(kind: &PipelineErrorKind) -> Option<String> {
    let PipelineErrorKind::UnknownPass { name, .. } = kind else { return None };
    if Path::new(name).is_file() {
        return Some(format!("{name} is a file; the passes come first, as in -passes=licm {name}"));
    }
    if LEVELS.iter().any(|level| name.strip_prefix('O') == Some(level)) {
        return Some(format!("the pipeline of a level is written 'default<{name}>'"));
    }
    if name.contains(';') {
        return Some("passes are separated by ',', and ';' separates the parameters of one pass".to_owned());
    }
    let theirs = quoted_word(&format!("opt -passes={name} -S"), "");
    Some(format!(
        "`backedge opt -print-passes` lists the passes; `backedge gate FILE --opt {theirs}` checks a pass of LLVM"
    ))
}

/// Parses the parameters of `--vector` as those of `loop-vectorize`.
pub(crate) fn parse_vectorizer(text: &str, machine: Machine) -> miette::Result<LoopVectorize> {
    vectorizer(text, machine).map_err(|e| {
        let message = e.to_string();
        Problem::error(message).at("--vector", text.as_bytes(), e.span, "here").into()
    })
}

/// The results for one file.
pub(crate) struct FileItems {
    /// Every change that a pass made, every crash, and every unsupported function.
    pub(crate) items: Vec<Item>,
    /// The number of functions that ran through the pipeline.
    pub(crate) functions: usize,
}

/// Reads `path` and runs `pipeline` over it.
pub(crate) fn items_of(path: &Path, pipeline: &Pipeline) -> FileItems {
    let start = Instant::now();
    match Source::read(path) {
        Ok(source) => items_of_source(&Source { name: crate::shown::shown(path), ..source }, pipeline),
        Err(problem) => unreadable(&crate::shown::shown(path), problem.to_string(), start),
    }
}

/// Runs `pipeline` over `source`.
pub(crate) fn items_of_source(source: &Source, pipeline: &Pipeline) -> FileItems {
    let start = Instant::now();
    let file: Arc<str> = source.name.as_str().into();
    match caught(|| source.parse()) {
        Ok(Ok(parsed)) => {
            let functions = parsed.module.bodies().count();
            let original = Arc::new(parsed.module);
            let mut run = FileRun { file, current: original.clone(), original, items: Vec::new() };
            run.all_functions(pipeline);
            FileItems { items: run.items, functions }
        }
        Ok(Err(problems)) => {
            let problems: Vec<_> = problems.iter().map(Problem::one_line).collect();
            unreadable(&file, problems.join("; "), start)
        }
        Err(panic) => unreadable(&file, format!("the reader panicked: {panic}"), start),
    }
}

/// The result for a file with nothing to judge.
pub(crate) fn unreadable(file: &str, message: String, start: Instant) -> FileItems {
    let record = Record::new(file, "", millis(start), Finding::BadInput { message });
    FileItems { items: vec![Item::Known(Box::new(record))], functions: 0 }
}

struct FileRun {
    file: Arc<str>,
    original: Arc<Module>,
    /// The original with later declarations by passes: intrinsics, types, metadata.
    current: Arc<Module>,
    items: Vec<Item>,
}

impl FileRun {
    /// Runs the pipeline on each function separately, so that a crash on one does not affect the others.
    fn all_functions(&mut self, pipeline: &Pipeline) {
        let original = self.original.clone();
        let mut module = Module::clone(&original);
        for (func, code) in original.code.iter() {
            match code {
                Code::Declaration => {}
                Code::Opaque(code) => {
                    let finding = Finding::Opaque { feature: code.feature.to_string() };
                    self.known(func, Instant::now(), finding);
                }
                Code::Body(body) => {
                    let mut collector = Collector {
                        run: self,
                        func,
                        last: Arc::new(Body::clone(body)),
                        steps: 0,
                        running: String::new(),
                    };
                    collector.function(pipeline, &mut module);
                }
            }
        }
    }

    /// The original module, extended with the additions of `env`.
    fn with_additions(&mut self, env: &Env) -> Arc<Module> {
        let size = |env: &Env| (env.funcs.len(), env.types.len(), env.metadata.len());
        if size(&self.current.env) != size(env) {
            let mut module = Module::clone(&self.original);
            module.env = env.clone();
            module.adopt_declarations();
            self.current = Arc::new(module);
        }
        self.current.clone()
    }

    fn known(&mut self, func: FuncId, start: Instant, finding: Finding) {
        let name = &self.original.env.funcs[func].name;
        self.items.push(Item::Known(Box::new(Record::new(&self.file, name, millis(start), finding))));
    }
}

/// Observer that records the changes of one function.
struct Collector<'a> {
    run: &'a mut FileRun,
    func: FuncId,
    /// The body after the last change.
    last: Arc<Body>,
    /// The number of passes that have run on the function.
    steps: usize,
    /// The current or last pass.
    running: String,
}

impl Collector<'_> {
    fn function(&mut self, pipeline: &Pipeline, module: &mut Module) {
        let start = Instant::now();
        for step in &pipeline.steps {
            let ModuleStep::Functions(steps) = step else { continue };
            let options = Options { verify_each: true, ..Options::default() };
            let result = caught(|| run_on_function(module, self.func, steps, options, self));
            let (pass, message) = match result {
                Ok(Ok(_)) => continue,
                Ok(Err(RunError::Verifier { pass, findings, .. })) => {
                    (pass, format!("it left invalid IR: {}", findings.join("; ")))
                }
                Err(panic) => (std::mem::take(&mut self.running), panic),
            };
            let finding = Finding::Crash { pass, step: self.steps, message, remarks: Vec::new() };
            self.run.known(self.func, start, finding);
            return;
        }
    }
}

impl Observer for Collector<'_> {
    fn before_pass(&mut self, pass: &str, _: FuncId) {
        pass.clone_into(&mut self.running);
    }
    fn after_pass(&mut self, run: &PassRun<'_>) {
        let step = self.steps;
        self.steps += 1;
        if !run.changed {
            return;
        }
        let after = Arc::new(run.after.clone());
        let module = self.run.with_additions(run.env);
        self.run.items.push(Item::Change(Change {
            file: self.run.file.clone(),
            module,
            func: self.func,
            pass: run.pass.to_owned(),
            step,
            before: std::mem::replace(&mut self.last, after.clone()),
            after,
            remarks: run.remarks.iter().map(ToString::to_string).collect(),
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::items_of;
    use backedge_pipeline::Pipeline;
    use backedge_pipeline::pass::{FunctionStep, ModuleStep};
    use backedge_transform::pass::{FunctionPass, Unit};
    use backedge_validate::batch::Item;
    use backedge_validate::record::Finding;
    use std::io::Write;
    use std::sync::Arc;

    /// A pass that fails in one of two ways on functions called `@bad`.
    #[derive(Debug)]
    enum Wrong {
        Panics,
        DropsTerminators,
    }

    impl FunctionPass for Wrong {
        fn text(&self) -> String {
            "wrong".to_owned()
        }
        fn run(&self, unit: &mut Unit<'_>) {
            if &*unit.env().funcs[unit.func].name != "bad" {
                return;
            }
            match self {
                Self::Panics => panic!("the pass gave up"),
                Self::DropsTerminators => {
                    let entry = unit.body().entry().unwrap();
                    let last = unit.body().terminator(entry).unwrap();
                    unit.editor().remove(last);
                }
            }
        }
    }

    fn findings(wrong: Wrong) -> Vec<(String, Finding)> {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(b"define void @bad() {\n  ret void\n}\ndefine void @good() {\n  ret void\n}\n")
            .unwrap();
        let steps = vec![FunctionStep::Pass(Arc::new(wrong))];
        let pipeline = Pipeline { steps: vec![ModuleStep::Functions(steps)] };
        let records = items_of(file.path(), &pipeline).items.into_iter().map(|item| match item {
            Item::Known(record) => (record.function, record.finding),
            item @ (Item::Change(_) | Item::Rewrite(_)) => panic!("{item:?}"),
        });
        records.collect()
    }

    #[test]
    fn a_pass_that_panics_is_a_crash_of_that_pass_on_that_function() {
        let [(function, Finding::Crash { pass, message, .. })] = &*findings(Wrong::Panics) else { panic!() };
        assert_eq!((&**function, &**pass), ("bad", "wrong"));
        assert!(message.contains("the pass gave up"), "{message}");
    }

    #[test]
    fn invalid_ir_is_a_crash_too() {
        let [(function, Finding::Crash { pass, message, .. })] = &*findings(Wrong::DropsTerminators) else {
            panic!()
        };
        assert_eq!((&**function, &**pass), ("bad", "wrong"));
        assert!(message.contains("invalid IR"), "{message}");
    }
}
