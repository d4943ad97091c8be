//! Bisection of a command: runs it repeatedly with fewer passes, by `-opt-bisect-limit` or by its `-passes` text.

use super::super::external::{INVALID, LACKS, lacks};
use super::super::probe::refuses_everything;
use super::super::symptom::{FunctionFailure, Kind, Symptom, Two, growth, without_details};
use super::checker::{Checker, of_refutation};
use super::guilty::{Guilty, subject};
use super::{Answer, Stop};
use crate::input::Source;
use crate::optimizer::{Failure, Optimizer};
use crate::shown::visible;
use backedge_fuzz::bisect::{first_bad, llvm, prefix};
use backedge_interp::input::shortened;
use backedge_ir::entity::FuncId;
use backedge_ir::module::Module;
use backedge_ir::parse::read_module;
use backedge_ir::print::{Locals, extract, module_to_string};
use backedge_pipeline::text::{Element, parse_elements};
use backedge_validate::panics::caught;
use backedge_validate::witness::Refutation;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Number of bytes of `opt`'s messages about passes that are read: one line for each pass and function.
const SAID: u64 = 1 << 26;

/// Message for a nondeterministic command.
const TURNS: &str = "the same passes gave a wrong result once and a correct one another time";

/// How the work of a command is limited.
enum Way {
    /// By a number of pass applications.
    Limit,
    /// By a number of passes in its text.
    Passes(Vec<Element>),
    /// Not at all: the command does not report its passes.
    Whole,
}

/// The result of the command on the file.
enum Made {
    Module(Arc<Module>, String),
    Failed(Kind, String),
}

/// The pass to blame for a failure on a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Blame {
    /// The number of passes or pass applications after which the file is wrong; 0 if reading it is enough.
    pub(crate) number: u64,
    pub(crate) total: u64,
    /// The pass; `None` if reading the file is enough.
    pub(crate) pass: Option<String>,
}

/// A bisection of a command.
pub(crate) struct Theirs<'a> {
    module: Arc<Module>,
    optimizer: &'a Optimizer,
    judge: &'a Checker,
    stop: &'a dyn Fn() -> bool,
    /// The input in the command's syntax, and its name.
    input: (Vec<u8>, String),
    way: Way,
    total: u64,
    /// The pass applications that the command reported in an unlimited run.
    applications: Vec<llvm::Application>,
}

impl<'a> Theirs<'a> {
    /// A bisection of the command on `source`, which parses to `module`.
    pub(crate) fn new(
        source: &Source,
        module: Arc<Module>,
        optimizer: &'a Optimizer,
        (judge, stop): (&'a Checker, &'a dyn Fn() -> bool),
        by_passes: bool,
    ) -> Result<Self, Stop> {
        let text = optimizer.spelled(&source.text, stop).into_owned();
        let mut this = Self {
            module,
            optimizer,
            judge,
            stop,
            input: (text, source.name.clone()),
            way: Way::Limit,
            total: 0,
            applications: Vec::new(),
        };
        if !by_passes {
            let (_, said) = this.run(&optimizer.with_word("-opt-bisect-limit=-1".to_owned()))?;
            this.applications = llvm::applications(&said);
            this.total = this.applications.last().map_or(0, |a| a.number);
        }
        if this.total == 0 {
            this.way = match optimizer.passes() {
                Some(text) => {
                    let elements = parse_elements(text)
                        .map_err(|e| Stop::System(format!("-passes={text} is not understood: {e}")))?;
                    this.total = prefix::passes(&elements).len() as u64;
                    Way::Passes(elements)
                }
                None => Way::Whole,
            };
        }
        Ok(this)
    }

    /// The result of `command` on the file, and its messages.
    fn run(&self, command: &Optimizer) -> Result<(Made, String), Stop> {
        let (text, name) = &self.input;
        let (result, said) = command.run_on_with_messages(text, name, self.stop, SAID);
        let made = match result {
            Ok(bytes) => match caught(|| read_module(&bytes)) {
                Ok(Ok(parsed)) => {
                    Made::Module(Arc::new(parsed.module), String::from_utf8_lossy(&bytes).into_owned())
                }
                Ok(Err(errors)) => {
                    let first = errors.first().map_or_else(String::new, |e| e.message.to_string());
                    let message = format!("{INVALID}: {first}");
                    Made::Failed(Kind::Crashed(without_details(&message)), message)
                }
                Err(panic) => return Err(Stop::System(format!("the reader panicked: {panic}"))),
            },
            Err(Failure::Crashed(message)) => Made::Failed(Kind::Crashed(without_details(&message)), message),
            Err(Failure::Refused(message)) => Made::Failed(Kind::Refused(without_details(&message)), message),
            Err(Failure::Limit(limit, message)) => Made::Failed(Kind::Hung(limit), message),
            Err(Failure::Interrupted) => return Err(Stop::Interrupted),
            Err(Failure::System(what)) => return Err(Stop::System(what)),
        };
        Ok((made, said))
    }

    /// The command limited to `count` units; `None` if it accepts no text that does nothing.
    fn command(&self, count: u64) -> Option<Optimizer> {
        match &self.way {
            Way::Limit => Some(self.optimizer.with_word(format!("-opt-bisect-limit={count}"))),
            Way::Passes(_) if count == 0 => self.optimizer.without_passes(self.stop),
            Way::Passes(elements) => {
                let text = prefix::prefix(elements, usize::try_from(count).unwrap_or(usize::MAX));
                self.optimizer.with_passes(&text)
            }
            Way::Whole => Some(self.optimizer.clone()),
        }
    }

    /// The result with a limit of `count` units. Without a way to run no passes at all, the result for 0 is the
    /// unchanged module.
    fn after(&self, count: u64) -> Result<Made, Stop> {
        match self.command(count) {
            Some(command) => Ok(self.run(&command)?.0),
            None => Ok(self.untouched()),
        }
    }

    fn untouched(&self) -> Made {
        let text = module_to_string(&self.module);
        let text = self.optimizer.spelled(text.as_bytes(), self.stop);
        Made::Module(self.module.clone(), String::from_utf8_lossy(&text).into_owned())
    }

    /// The number of passes at which the result becomes wrong, given that it is wrong with all of them; 0 if reading
    /// and writing the file is enough. If `is_steady`, the results on both sides of that number must be reproducible.
    fn first_bad(&self, is_steady: bool, mut is_bad: impl FnMut(u64, &Made) -> bool) -> Result<u64, Stop> {
        let mut with = |count| Ok(is_bad(count, &self.after(count)?));
        if with(0)? {
            return if !is_steady || with(0)? { Ok(0) } else { Err(Stop::Unsteady(TURNS)) };
        }
        let number = first_bad(0, self.total, &mut with)?;
        if !is_steady {
            return Ok(number);
        }
        let shows = number > 0 && with(number)?;
        if shows && (number == 1 || !with(number - 1)?) {
            return Ok(number);
        }
        // The unlimited run was wrong.
        if number == self.total && !shows && is_bad(number, &self.run(self.optimizer)?.0) {
            let what = "the failure does not occur when the same number of passes is requested explicitly";
            return Err(Stop::Unsteady(what));
        }
        Err(Stop::Unsteady(TURNS))
    }

    /// The results before and after pass number `number`.
    fn around(&self, number: u64) -> Result<[Made; 2], Stop> {
        let before = if number == 0 { self.untouched() } else { self.after(number - 1)? };
        Ok([before, self.after(number)?])
    }

    /// The pass that broke the module, if any.
    pub(crate) fn bisect(&mut self) -> Result<Answer, Stop> {
        let guilty = |guilty| Answer::Guilty(Box::new(guilty));
        let whole = match self.run(self.optimizer)?.0 {
            Made::Module(made, _) => made,
            Made::Failed(kind, message) => {
                // No pass is to blame if the command refuses every file.
                let asks = matches!(kind, Kind::Refused(_));
                return match asks.then(|| refuses_everything(self.optimizer, self.stop)).flatten() {
                    Some(refusal) => Err(Stop::Useless(refusal)),
                    None => self.failure(&kind, message).map(guilty),
                };
            }
        };
        let mut all_open = Vec::new();
        for (func, _) in self.module.bodies() {
            if lacks(&self.module, func, &whole) {
                return self.lost(func).map(guilty);
            }
            let Some(two) = self.pair(func, &whole) else { continue };
            if (self.stop)() {
                return Err(Stop::Interrupted);
            }
            match self.judge.judged(&two) {
                Ok(refutation) => return self.refuted(func, two, refutation).map(guilty),
                Err(_) if growth(&two).is_some() => return self.grown(func).map(guilty),
                Err(open) => all_open.extend(open),
            }
        }
        Ok(Answer::Nothing { open: all_open })
    }

    /// The pair of `func` and its transformed version, if it changed.
    fn pair(&self, func: FuncId, made: &Arc<Module>) -> Option<Two> {
        self.pair_of((&self.module, func), made)
    }

    fn pair_of(&self, (module, func): (&Arc<Module>, FuncId), made: &Arc<Module>) -> Option<Two> {
        let target = made.env.func_named(&module.env.funcs[func].name)?;
        made.body(target)?;
        let text = |module: &Module, func| extract(module, func, &[], Locals::Numbered).text;
        let same = caught(|| text(module, func) == text(made, target)).unwrap_or(false);
        (!same).then(|| Two { source: (module.clone(), func), target: (made.clone(), target) })
    }

    fn refuted(&self, func: FuncId, two: Two, refutation: Box<Refutation>) -> Result<Guilty, Stop> {
        let case = refutation.case.clone();
        let mut shown: BTreeMap<u64, FunctionFailure> = BTreeMap::new();
        // The solver's case may not be reproducible alone; then the result with all passes counts as bad.
        let replays = self.judge.refuted_step(&two, Some(&case)).is_some();
        let number = self.first_bad(true, |count, made| {
            let Made::Module(made, _) = made else { return false };
            let Some(two) = self.pair(func, made) else { return false };
            let found = self.judge.refuted_step(&two, Some(&case));
            let is_bad = found.is_some() || !replays && count == self.total;
            shown.extend(found.map(|found| (count, of_refutation(two, found))));
            is_bad
        })?;
        let found = shown.remove(&number).unwrap_or_else(|| of_refutation(two, refutation));
        let texts = self.around(number)?;
        let alone = match &texts {
            [Made::Module(before, _), Made::Module(after, _)] => {
                let name = &self.module.env.funcs[func].name;
                let step = before.env.func_named(name).and_then(|f| self.pair_of((before, f), after));
                step.map(|two| self.judge.refuted_step(&two, Some(&case)).is_some())
            }
            _ => None,
        };
        Ok(self.guilty(number, found, alone, texts))
    }

    /// Bisects the removal of `func`, which must not be removed.
    fn lost(&self, func: FuncId) -> Result<Guilty, Stop> {
        let is_lost = |made: &Made| matches!(made, Made::Module(made, _) if lacks(&self.module, func, made));
        let number = self.first_bad(true, |_, made| is_lost(made))?;
        let kind = Kind::Crashed(LACKS.to_owned());
        let function = self.module.env.funcs[func].name.to_string();
        let texts = self.around(number)?;
        Ok(self.guilty(number, failed(kind, function, LACKS.to_owned()), None, texts))
    }

    /// Bisects the excessive growth of `func`.
    fn grown(&self, func: FuncId) -> Result<Guilty, Stop> {
        let how = |made: &Made| match made {
            Made::Module(made, _) => self.pair(func, made).as_ref().and_then(growth),
            Made::Failed(..) => None,
        };
        let number = self.first_bad(true, |_, made| how(made).is_some())?;
        let function = self.module.env.funcs[func].name.to_string();
        let texts = self.around(number)?;
        let message = how(&texts[1]).unwrap_or_default();
        Ok(self.guilty(number, failed(Kind::Grown, function, message), None, texts))
    }

    fn failure(&self, kind: &Kind, message: String) -> Result<Guilty, Stop> {
        // A run just above the time limit may not exceed it each time.
        let is_steady = !matches!(kind, Kind::Hung(_));
        let fails = |made: &Made| matches!(made, Made::Failed(other, _) if other == kind);
        let number = self.first_bad(is_steady, |_, made| fails(made))?;
        let function = self.applied(number).and_then(|a| self.function(a)).unwrap_or_default().to_owned();
        let texts = self.around(number)?;
        Ok(self.guilty(number, failed(kind.clone(), function, message), None, texts))
    }

    /// The function that a pass ran on, if the text names one; a loop may be called by its name alone.
    fn function<'t>(&self, applied: &'t llvm::Application) -> Option<&'t str> {
        applied.function().filter(|name| self.module.env.func_named(name).is_some())
    }

    /// The last application within a limit of `number`.
    fn applied(&self, number: u64) -> Option<&llvm::Application> {
        self.applications.iter().find(|a| a.number == number)
    }

    /// The pass to blame for `found`, by runs only; `None` if there are no passes to distinguish, or if the search
    /// takes too long.
    pub(crate) fn blame(&self, found: &FunctionFailure) -> Result<Option<Blame>, Stop> {
        let is_asked = !matches!(found.symptom.kind, Kind::Hung(_) | Kind::Restless(_));
        if !is_asked || self.total < 2 {
            return Ok(None);
        }
        let number = self.first_bad(true, |_, made| self.is_like(made, found))?;
        let pass = (number > 0).then(|| self.pass(number));
        Ok(Some(Blame { number, total: self.total, pass }))
    }

    /// Whether the pass of `blame` is to blame for `found` on this file, by runs only: the file is good before that
    /// pass and bad after it. A pass that is applied several times may be to blame at another application.
    pub(crate) fn is_to_blame(&self, blame: &Blame, found: &FunctionFailure) -> Result<bool, Stop> {
        let is_bad = |count| Ok(self.is_like(&self.after(count)?, found));
        let Some(pass) = &blame.pass else { return is_bad(0) };
        if !matches!(self.way, Way::Limit) {
            return Ok(is_bad(blame.number)? && !is_bad(blame.number - 1)?);
        }
        let is_of_pass = |applied: &&llvm::Application| {
            applied.pass == *pass && self.function(applied).is_none_or(|name| name == found.function)
        };
        let numbers: Vec<u64> = self.applications.iter().filter(is_of_pass).map(|a| a.number).collect();
        let nth = |n: u64| numbers[usize::try_from(n).unwrap_or(usize::MAX) - 1];
        if numbers.is_empty() || !is_bad(nth(numbers.len() as u64))? {
            return Ok(false);
        }
        let first = first_bad(0, numbers.len() as u64, |n| is_bad(nth(n)))?;
        Ok(!is_bad(nth(first) - 1)?)
    }

    /// Whether the result shows the same failure as `found`.
    fn is_like(&self, made: &Made, found: &FunctionFailure) -> bool {
        let func = || self.module.env.func_named(&found.function);
        match (&found.symptom.kind, made) {
            (Kind::Crashed(words), Made::Module(made, _)) => {
                words == LACKS && func().is_some_and(|func| lacks(&self.module, func, made))
            }
            (Kind::Refuted { .. } | Kind::Grown, Made::Module(made, _)) => {
                let Some(two) = func().and_then(|func| self.pair(func, made)) else { return false };
                let case = found.refuted.as_ref().map(|(_, refutation)| &refutation.case);
                match found.symptom.kind {
                    Kind::Grown => growth(&two).is_some(),
                    _ => self.judge.refuted_step(&two, case).is_some(),
                }
            }
            // The same failure with a different message.
            (Kind::Crashed(words), Made::Failed(Kind::Crashed(other), _)) if words.starts_with(INVALID) => {
                other.starts_with(INVALID)
            }
            (kind, Made::Failed(other, _)) => kind == other,
            (_, Made::Module(..)) => false,
        }
    }

    /// The last pass within a limit of `number`, which is not 0.
    fn pass(&self, number: u64) -> String {
        let pass = match &self.way {
            Way::Limit => self.applied(number).map(|applied| &*applied.pass),
            Way::Passes(elements) => {
                let index = usize::try_from(number).unwrap_or(usize::MAX).saturating_sub(1);
                prefix::passes(elements).get(index).map(|element| &*element.name)
            }
            Way::Whole => None,
        };
        pass.unwrap_or("a pass").to_owned()
    }

    fn guilty(&self, number: u64, found: FunctionFailure, alone: Option<bool>, made: [Made; 2]) -> Guilty {
        let (unit, on) = match &self.way {
            Way::Limit => {
                let on = self.applied(number).map(|a| match self.function(a) {
                    Some(name) if a.on == name => format!("@{name}"),
                    _ => shortened(&a.on),
                });
                ("application", on)
            }
            Way::Passes(_) | Way::Whole => ("pass", None),
        };
        Guilty {
            total: self.total,
            number,
            unit,
            pass: (number > 0).then(|| visible(&self.pass(number))),
            on: visible(&on.unwrap_or_else(|| subject(&found.function))),
            found,
            alone,
            commands: (
                number.checked_sub(1).and_then(|n| self.command(n)).map(|command| command.text),
                self.command(number).map_or_else(|| self.optimizer.text.clone(), |command| command.text),
            ),
            texts: made.map(|made| match made {
                Made::Module(_, text) => Some(text),
                Made::Failed(..) => None,
            }),
        }
    }
}

/// A failure of the command rather than of a pair.
fn failed(kind: Kind, function: String, message: String) -> FunctionFailure {
    FunctionFailure { symptom: Symptom { pass: None, kind }, function, message, refuted: None }
}
