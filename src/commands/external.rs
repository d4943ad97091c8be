//! Runs an external optimizer on a file and collects the changes to be judged.
//!
//! Functions are matched by name. A function is unchanged if its text, with everything it refers to and without names
//! of locals, is the same on both sides. Differences outside of functions are reported once for a file of the user's;
//! they are ignored for generated or reduced text, since nobody links the rest of it. If the command fails on a file
//! with several functions, it runs on each function alone, with everything the function refers to. This shows the
//! functions on which it fails, and allows the others to be judged.

use super::optimize::{FileItems, unreadable};
use crate::input::Source;
use crate::optimizer::{Failure, Optimizer};
use crate::problem::Problem;
use crate::shown::shown;
use backedge_ir::entity::FuncId;
use backedge_ir::module::{Code, Module};
use backedge_ir::print::{Locals, extract};
use backedge_validate::batch::{Item, Rewrite, millis};
use backedge_validate::module_level::{Difference, differences};
use backedge_validate::panics::caught;
use backedge_validate::record::{Finding, Record};
use backedge_validate::verdict::Reason;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// Why a file has no items at all.
#[derive(Debug)]
pub(crate) enum Stopped {
    /// The run was interrupted.
    Interrupted,
    /// The command can't be run, or its input can't be written.
    System(String),
}

/// Reads `path` and runs `optimizer` on it, until `stop` ends it.
pub(crate) fn items_of(
    path: &Path,
    optimizer: &Optimizer,
    stop: &dyn Fn() -> bool,
) -> Result<FileItems, Stopped> {
    let start = Instant::now();
    match Source::read(path) {
        Ok(source) => {
            let source = Source { name: shown(path), ..source };
            items(&source, Around::Compared, optimizer, stop)
        }
        Err(problem) => Ok(unreadable(&shown(path), problem.to_string(), start)),
    }
}

/// Runs `optimizer` on a copy of `source`, since it may write to its input.
pub(crate) fn items_of_source(
    source: &Source,
    optimizer: &Optimizer,
    stop: &dyn Fn() -> bool,
) -> Result<FileItems, Stopped> {
    items(source, Around::Ignored, optimizer, stop)
}

/// Whether to compare the parts of the module outside of functions.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Around {
    Compared,
    Ignored,
}

fn items(
    source: &Source,
    around: Around,
    optimizer: &Optimizer,
    stop: &dyn Fn() -> bool,
) -> Result<FileItems, Stopped> {
    let start = Instant::now();
    let file: Arc<str> = source.name.as_str().into();
    let module = match read(source) {
        Ok(module) => module,
        Err(message) => return Ok(unreadable(&file, message, start)),
    };
    let functions = module.bodies().count();
    let mut run = FileRun { file, around, optimizer, stop, items: Vec::new() };
    match run.on_text(&source.text) {
        Ok(text) => run.result(&module, None, &text, start),
        Err(failure) => run.failed(&module, failure, start)?,
    }
    Ok(FileItems { items: run.items, functions })
}

/// Parses `source`, or describes why that fails.
fn read(source: &Source) -> Result<Arc<Module>, String> {
    match caught(|| source.parse()) {
        Ok(Ok(parsed)) => Ok(Arc::new(parsed.module)),
        Ok(Err(problems)) => Err(problems.iter().map(Problem::one_line).collect::<Vec<_>>().join("; ")),
        Err(panic) => Err(format!("the reader panicked: {panic}")),
    }
}

struct FileRun<'a> {
    file: Arc<str>,
    around: Around,
    optimizer: &'a Optimizer,
    stop: &'a dyn Fn() -> bool,
    items: Vec<Item>,
}

impl Stopped {
    /// A description of the reason.
    pub(crate) fn words(self) -> String {
        match self {
            Self::Interrupted => "interrupted".to_owned(),
            Self::System(why) => why,
        }
    }
}

impl FileRun<'_> {
    fn on_text(&self, text: &[u8]) -> Result<Vec<u8>, Failure> {
        self.optimizer.run_on(&self.optimizer.spelled(text, self.stop), &self.file, self.stop)
    }

    fn known(&mut self, function: &str, start: Instant, finding: Finding) {
        self.items.push(Item::Known(Box::new(Record::new(&self.file, function, millis(start), finding))));
    }

    /// Processes `text`, the result for `source` or for its function `only`.
    fn result(&mut self, source: &Arc<Module>, only: Option<FuncId>, text: &[u8], start: Instant) {
        let crash = |message: String| Finding::Crash {
            pass: self.optimizer.text.clone(),
            step: 0,
            message,
            remarks: Vec::new(),
        };
        let name = |func: FuncId| source.env.funcs[func].name.clone();
        let written = Source { name: "what it wrote".to_owned(), text: text.to_vec() };
        let target = match read(&written) {
            Ok(target) => target,
            Err(message) => {
                let message = format!("{INVALID}: {message}");
                return self.known(&only.map_or("".into(), name), start, crash(message));
            }
        };
        for (func, code) in source.code.iter().filter(|(func, _)| only.is_none_or(|only| only == *func)) {
            if matches!(code, Code::Declaration) {
                continue;
            }
            if let Code::Opaque(code) = code {
                let finding = Finding::Opaque { feature: code.feature.to_string() };
                self.known(&name(func), start, finding);
                continue;
            }
            let counterpart = target.env.func_named(&name(func));
            match counterpart.filter(|f| !matches!(target.code[*f], Code::Declaration)) {
                Some(counterpart) if same((source, func), (&target, counterpart)) => {}
                Some(counterpart) => self.items.push(Item::Rewrite(Rewrite {
                    file: self.file.clone(),
                    pass: self.optimizer.text.clone(),
                    source: (source.clone(), func),
                    target: (target.clone(), counterpart),
                })),
                None if lacks(source, func, &target) => {
                    self.known(&name(func), start, crash(LACKS.to_owned()));
                }
                None => {}
            }
        }
        if only.is_none() && self.around == Around::Compared {
            self.surroundings(source, &target, start);
        }
    }

    /// Reports differences outside of functions.
    fn surroundings(&mut self, source: &Module, target: &Module, start: Instant) {
        let found = differences(source, target);
        if found.is_empty() {
            return;
        }
        let words = found.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let pass = self.optimizer.text.clone();
        let finding = if found.iter().any(Difference::is_loss) {
            Finding::Crash { pass, step: 0, message: format!("{INCOMPLETE}: {words}"), remarks: Vec::new() }
        } else {
            let what = format!("{words}, which no pair of functions shows");
            Finding::unjudged(pass, Reason::Incomparable { what })
        };
        self.known("", start, finding);
    }

    /// Handles a failure of the command on the whole file.
    fn failed(&mut self, module: &Arc<Module>, failure: Failure, start: Instant) -> Result<(), Stopped> {
        let whole = self.finding(failure)?;
        let bodies: Vec<FuncId> = module.bodies().map(|(func, _)| func).collect();
        if let [func] = *bodies {
            let name = module.env.funcs[func].name.clone();
            self.known(&name, start, whole);
            return Ok(());
        }
        let mut found = false;
        for func in bodies {
            let start = Instant::now();
            let name = module.env.funcs[func].name.clone();
            let alone = extract(module, func, &[], Locals::Named).text;
            let text = Source { name: format!("@{name} by itself"), text: alone.into_bytes() };
            match self.on_text(&text.text) {
                Ok(written) => {
                    let source = read(&text).map_err(Stopped::System)?;
                    let func = source.env.func_named(&name);
                    self.result(&source, func, &written, start);
                }
                Err(failure) => {
                    found = true;
                    let finding = self.finding(failure)?;
                    self.known(&name, start, finding);
                }
            }
        }
        if !found {
            self.known("", start, whole);
        }
        Ok(())
    }

    fn finding(&self, failure: Failure) -> Result<Finding, Stopped> {
        let pass = self.optimizer.text.clone();
        match failure {
            Failure::Refused(message) => Ok(Finding::Refused { pass, message }),
            Failure::Crashed(message) => Ok(Finding::Crash { pass, step: 0, message, remarks: Vec::new() }),
            Failure::Limit(limit, message) => Ok(Finding::Hang { pass, limit, message }),
            Failure::Interrupted => Err(Stopped::Interrupted),
            Failure::System(what) => Err(Stopped::System(what)),
        }
    }
}

/// Message prefix for output that does not parse.
pub(super) const INVALID: &str = "its output is not valid IR";

/// Message for output that lacks something other than a function.
const INCOMPLETE: &str = "its output lacks part of the module";

/// Message for output that lacks a function.
pub(super) const LACKS: &str = "its output lacks the function";

/// Whether `target` has no body for a function of `source` that must be kept.
pub(super) fn lacks(source: &Module, func: FuncId, target: &Module) -> bool {
    let function = &source.env.funcs[func];
    let counterpart = target.env.func_named(&function.name);
    // A function that is invisible to other modules may be removed.
    counterpart.is_none_or(|f| matches!(target.code[f], Code::Declaration))
        && !function.linkage.is_discardable_if_unused()
}

/// Whether two functions are equal except for names of locals, including everything they refer to.
fn same(source: (&Arc<Module>, FuncId), target: (&Arc<Module>, FuncId)) -> bool {
    let text = |(module, func): (&Arc<Module>, FuncId)| extract(module, func, &[], Locals::Numbered).text;
    caught(|| text(source) == text(target)).unwrap_or(false)
}
