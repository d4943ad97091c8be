//! Symptoms: the properties by which a finding is recognized on another file.
//!
//! A finding in this project's passes is identified by the pass and the kind of failure. A finding in a command is
//! identified by the kind and, for a crash or refusal, by the message without numbers and names. If the source was
//! defined in the original refutation, a refutation counts only on an input for which the source is defined.

use super::external::Stopped;
use super::optimize::FileItems;
use super::system::System;
use crate::input::Source;
use crate::optimizer::Optimizer;
use backedge_fuzz::oracles::optimize::SIZE;
use backedge_ir::body::Body;
use backedge_ir::entity::FuncId;
use backedge_ir::module::{Code, Module};
use backedge_validate::batch::Item;
use backedge_validate::case::Case;
use backedge_validate::check::{self, Options, Side};
use backedge_validate::judge::Judge;
use backedge_validate::pairs::in_one_module;
use backedge_validate::panics::caught;
use backedge_validate::record::{Finding, Limit};
use backedge_validate::verdict::Failure;
use backedge_validate::witness::Refutation;
use std::fmt;
use std::sync::Arc;

/// The identity of a finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Symptom {
    /// The guilty pass, for this project's passes.
    pub(crate) pass: Option<String>,
    /// The kind.
    pub(crate) kind: Kind,
}

/// A kind of failure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// The target does not refine the source. `defined`: the source run is defined; `undef`: the refutation needs an
    /// undef input.
    Refuted { failure: Failure, defined: bool, undef: bool },
    /// The optimizer crashed or left invalid IR, with this message.
    Crashed(String),
    /// The command refused the file, with this message.
    Refused(String),
    /// The command exceeded a limit.
    Hung(Limit),
    /// The command's result has more instructions than the bound for its input allows ([`SIZE`]).
    Grown,
    /// The command does not reach a fixed point on its own output.
    Restless(Asked),
}

impl Kind {
    /// The kind of a refutation.
    pub(crate) fn of(refutation: &Refutation) -> Self {
        let Refutation { failure, undef_input, source, .. } = refutation;
        Self::Refuted { failure: *failure, defined: source.undefined.is_none(), undef: *undef_input }
    }
}

/// A description for people: the original message, including the names and numbers that do not identify the finding.
impl fmt::Display for FunctionFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.symptom.kind {
            Kind::Refuted { failure, defined, undef } => {
                let later = if *defined { "" } else { ", where the source is undefined later on" };
                let by = if *undef { ", by an undef input" } else { "" };
                write!(f, "{failure}{later}{by}")?;
            }
            Kind::Crashed(_) => write!(f, "the optimizer crashes: {}", self.message)?,
            Kind::Refused(_) => write!(f, "the optimizer refuses it: {}", self.message)?,
            Kind::Hung(Limit::Time) => f.write_str("the optimizer takes too long")?,
            Kind::Hung(Limit::Memory) => f.write_str("the optimizer takes too much memory")?,
            Kind::Hung(Limit::Output) => f.write_str("the optimizer writes too much")?,
            Kind::Restless(Asked::Settling) => {
                write!(f, "the optimizer undoes its own changes: {}", self.message)?
            }
            Kind::Restless(Asked::Again) => write!(f, "the optimizer is not idempotent: {}", self.message)?,
            Kind::Grown => write!(f, "the optimizer leaves too much: {}", self.message)?,
        }
        match &self.symptom.pass {
            Some(pass) => write!(f, " ({pass})"),
            None => Ok(()),
        }
    }
}

/// The runs that look for a refutation again: the case that showed it, then a few others.
#[derive(Clone, Copy)]
pub(crate) struct Reruns<'a> {
    pub(crate) case: Option<&'a Case>,
    pub(crate) options: &'a Options,
}

/// Two functions; the second should refine the first.
#[derive(Clone, Debug)]
pub(crate) struct Two {
    pub(crate) source: (Arc<Module>, FuncId),
    pub(crate) target: (Arc<Module>, FuncId),
}

impl Two {
    /// The two functions in the checker's form.
    pub(crate) fn sides(&self) -> (Side<'_>, Side<'_>) {
        let [source, target] =
            [&self.source, &self.target].map(|(module, func)| Side { module, func: *func });
        (source, target)
    }
}

/// A failure of a function.
#[derive(Clone, Debug)]
pub(crate) struct FunctionFailure {
    /// Its identity.
    pub(crate) symptom: Symptom,
    /// The function; empty for the whole file.
    pub(crate) function: String,
    /// The message, except for a refutation.
    pub(crate) message: String,
    /// The pair and its refutation.
    pub(crate) refuted: Option<(Two, Box<Refutation>)>,
}

/// What files are tested with.
pub(crate) enum Subject {
    /// A system transforms the functions.
    System(System),
    /// A command runs on its own output.
    Rounds(Optimizer, Asked),
    /// The file contains pairs of functions.
    Pairs,
}

impl Subject {
    /// The findings in `source` and the pairs to be judged.
    fn items(&self, source: &Source, stop: &dyn Fn() -> bool) -> Result<Vec<Thing>, Stopped> {
        match self {
            Self::System(system) => {
                let FileItems { items, .. } = system.items_of_source(source, stop)?;
                let own = matches!(system, System::Passes(_));
                let of_item = |item| {
                    let thing = Thing::of_item(item, own);
                    // A refutation comes before excessive growth.
                    let grown = thing.as_ref().filter(|_| !own).and_then(Thing::grown);
                    thing.into_iter().chain(grown)
                };
                Ok(items.into_iter().flat_map(of_item).collect())
            }
            Self::Rounds(optimizer, asked) => {
                let found = asked.of(source, optimizer, stop)?;
                Ok(found.into_iter().map(|found| Thing::Known(Box::new(found))).collect())
            }
            Self::Pairs => {
                let Ok(Ok(parsed)) = caught(|| source.parse()) else { return Ok(Vec::new()) };
                let module = Arc::new(parsed.module);
                let pairs = in_one_module(&module).pairs.into_iter();
                Ok(pairs
                    .map(|pair| Thing::Pair {
                        pass: None,
                        two: Two {
                            source: (module.clone(), pair.source),
                            target: (module.clone(), pair.target),
                        },
                    })
                    .collect())
            }
        }
    }

    /// All findings in `source` according to `judge`, in order.
    pub(crate) fn findings(
        &self,
        source: &Source,
        judge: &Judge,
        stop: &dyn Fn() -> bool,
    ) -> Result<Vec<FunctionFailure>, Stopped> {
        let mut all = Vec::new();
        for thing in self.items(source, stop)? {
            match thing {
                Thing::Known(found) => all.push(*found),
                Thing::Pair { pass, two } => {
                    let (source, target) = two.sides();
                    if let Some(refutation) = judge.judge(source, target).report.verdict.into_refutation() {
                        all.push(FunctionFailure::refuted(pass, two, refutation));
                    }
                }
            }
            if stop() {
                return Err(Stopped::Interrupted);
            }
        }
        // Findings without undef inputs come first.
        all.sort_by_key(|found| matches!(found.symptom.kind, Kind::Refuted { undef: true, .. }));
        Ok(all)
    }

    /// The first finding in `source`, from the case or from runs.
    pub(crate) fn first(
        &self,
        source: &Source,
        reruns: Reruns<'_>,
        stop: &dyn Fn() -> bool,
    ) -> Result<Option<FunctionFailure>, Stopped> {
        self.first_like(source, None, reruns, stop)
    }

    /// A finding in `source` with that symptom, in that function unless its name is empty, from the case or
    /// from runs only.
    pub(crate) fn again(
        &self,
        source: &Source,
        symptom: &Symptom,
        function: &str,
        reruns: Reruns<'_>,
        stop: &dyn Fn() -> bool,
    ) -> Result<Option<FunctionFailure>, Stopped> {
        self.first_like(source, Some((symptom, function)), reruns, stop)
    }

    /// The first finding in `source`, restricted to the given symptom and function if there is one.
    fn first_like(
        &self,
        source: &Source,
        symptom: Option<(&Symptom, &str)>,
        reruns: Reruns<'_>,
        stop: &dyn Fn() -> bool,
    ) -> Result<Option<FunctionFailure>, Stopped> {
        let (symptom, function) = symptom.unzip();
        let is_there = |name: &str| function.is_none_or(|function| function.is_empty() || function == name);
        for thing in self.items(source, stop)? {
            let found = match thing {
                Thing::Known(found) if !is_there(&found.function) => None,
                Thing::Pair { two, .. } if !is_there(two.sides().0.name()) => None,
                Thing::Known(found) => symptom.is_none_or(|s| found.symptom == *s).then_some(*found),
                // Runs can't show any other kind of failure.
                Thing::Pair { pass, .. }
                    if symptom.is_some_and(|s| s.pass != pass || !matches!(s.kind, Kind::Refuted { .. })) =>
                {
                    None
                }
                Thing::Pair { pass, two } => {
                    let fits = |r: &Refutation| match symptom.map(|s| &s.kind) {
                        Some(Kind::Refuted { failure, defined, undef }) => {
                            r.failure == *failure
                                && (!defined || r.source.undefined.is_none())
                                && (*undef || !r.undef_input)
                        }
                        Some(_) => false,
                        None => true,
                    };
                    refuted_again(&two, reruns, &fits)
                        .map(|refutation| FunctionFailure::refuted(pass, two, refutation))
                }
            };
            if found.is_some() {
                return Ok(found);
            }
            if stop() {
                return Err(Stopped::Interrupted);
            }
        }
        Ok(None)
    }
}

/// A refutation of the pair that satisfies `fits`, from the case or from runs.
pub(crate) fn refuted_again(
    two: &Two,
    Reruns { case, options }: Reruns<'_>,
    fits: &dyn Fn(&Refutation) -> bool,
) -> Option<Box<Refutation>> {
    let (source, target) = two.sides();
    let by_case = || case.and_then(|case| check::refuted_by_case(case, source, target, options));
    let by_runs = || check::by_few_runs(source, target, options).verdict.into_refutation();
    let found = |make: &dyn Fn() -> Option<Box<Refutation>>| caught(make).ok().flatten().filter(|r| fits(r));
    found(&by_case).or_else(|| found(&by_runs))
}

impl FunctionFailure {
    /// The finding for a refuted pair, with the guilty pass of this project, if any.
    pub(crate) fn refuted(pass: Option<String>, two: Two, refutation: Box<Refutation>) -> Self {
        Self {
            symptom: Symptom { pass, kind: Kind::of(&refutation) },
            function: two.sides().0.name().to_owned(),
            message: String::new(),
            refuted: Some((two, refutation)),
        }
    }
}

/// Describes by how much the target exceeds its size bound, if it does.
pub(crate) fn growth(two: &Two) -> Option<String> {
    let size = |(module, func): &(Arc<Module>, FuncId)| {
        module.body(*func).map_or(0, |body| body.all_insts().count())
    };
    let (before, after) = (size(&two.source), size(&two.target));
    let bound = SIZE.of(before);
    (after > bound).then(|| format!("{after} instructions of {before}, which is more than {bound}"))
}

/// A finding, or a pair to be judged.
enum Thing {
    Known(Box<FunctionFailure>),
    Pair { pass: Option<String>, two: Two },
}

impl Thing {
    /// A finding if the target of the pair is too large.
    fn grown(&self) -> Option<Self> {
        let Self::Pair { two, .. } = self else { return None };
        let message = growth(two)?;
        let function = two.sides().0.name().to_owned();
        let symptom = Symptom { pass: None, kind: Kind::Grown };
        Some(Self::Known(Box::new(FunctionFailure { symptom, function, message, refuted: None })))
    }

    fn of_item(item: Item, own: bool) -> Option<Self> {
        let named = |pass: String| own.then_some(pass);
        match item {
            Item::Known(record) => {
                let known = |pass, kind, message| {
                    let symptom = Symptom { pass: named(pass), kind };
                    let function = record.function.clone();
                    Some(Self::Known(Box::new(FunctionFailure { symptom, function, message, refuted: None })))
                };
                match record.finding.clone() {
                    Finding::Crash { pass, message, .. } => {
                        known(pass, Kind::Crashed(without_details(&message)), message)
                    }
                    Finding::Refused { pass, message } => {
                        known(pass, Kind::Refused(without_details(&message)), message)
                    }
                    Finding::Hang { pass, limit, message } => known(pass, Kind::Hung(limit), message),
                    Finding::Validation { .. } | Finding::BadInput { .. } | Finding::Opaque { .. } => None,
                }
            }
            Item::Change(change) => {
                let with = |body: &Body| {
                    let mut module = Module::clone(&change.module);
                    module.code[change.func] = Code::Body(Box::new(body.clone()));
                    (Arc::new(module), change.func)
                };
                let two = Two { source: with(&change.before), target: with(&change.after) };
                Some(Self::Pair { pass: named(change.pass), two })
            }
            Item::Rewrite(rewrite) => {
                let two = Two { source: rewrite.source, target: rewrite.target };
                Some(Self::Pair { pass: named(rewrite.pass), two })
            }
        }
    }
}

/// Removes the parts of a message that vary between files: names of values and functions, numbers, addresses, quoted
/// text. A number becomes `N`. Signals and exit codes stay, because they describe the failure.
pub(crate) fn without_details(message: &str) -> String {
    let mut out = String::new();
    let mut rest = message.chars().peekable();
    while let Some(c) = rest.next() {
        let is_part = |c: &char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-' | '$');
        match c {
            '%' | '@' => {
                while rest.next_if(is_part).is_some() {}
                out.push(c);
            }
            c if c.is_ascii_digit() => {
                let keeps = ["signal ", "exit code "].iter().any(|word| out.ends_with(word));
                out.push(if keeps { c } else { 'N' });
                while let Some(c) = rest.next_if(char::is_ascii_alphanumeric) {
                    out.extend(keeps.then_some(c));
                }
            }
            // Instructions that this project's messages quote.
            '`' if message.matches('`').count().is_multiple_of(2) => {
                while rest.next_if(|c| *c != '`').is_some() {}
                rest.next();
                out.push('`');
            }
            c => out.push(c),
        }
    }
    without_functions(&out)
}

/// Phrases of LLVM's messages that the name of a function follows, without `@`.
const BEFORE_FUNCTION: [&str; 3] = ["Instruction Combining on ", " in function ", " on function "];

/// Removes the names of functions after these phrases.
fn without_functions(message: &str) -> String {
    let mut out = message.to_owned();
    for phrase in BEFORE_FUNCTION {
        let mut rest = std::mem::take(&mut out);
        while let Some(at) = rest.find(phrase) {
            let after = at + phrase.len();
            out.push_str(&rest[..after]);
            out.push('@');
            let end = rest[after..].find(char::is_whitespace).unwrap_or(rest.len() - after);
            rest = rest.split_off(after + end);
        }
        out.push_str(&rest);
    }
    out
}

/// What is checked in repeated runs of a command.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Asked {
    /// Whether code recurs that is not the latest result.
    Settling,
    /// Whether the command changes its own output.
    Again,
}

#[cfg(test)]
mod tests {
    use super::without_details;

    #[test]
    fn names_and_numbers_do_not_count() {
        let a = "signal 11 (SIGSEGV) ended it: opt: X.cpp:17: Assertion `L->isLCSSA()' failed at 0x55aa";
        let b = "signal 11 (SIGSEGV) ended it: opt: X.cpp:18: Assertion `L->isLCSSA()' failed at 0x55bb";
        assert_eq!(without_details(a), without_details(b));
        let expected = "signal 11 (SIGSEGV) ended it: opt: X.cpp:N: Assertion `L->isLCSSA()' failed at N";
        assert_eq!(without_details(a), expected);
        // The exit status is part of the identity.
        assert_eq!(without_details("exit code 7: in.ll:3:14: error"), "exit code 7: in.ll:N:N: error");
        let said = |name: &str| {
            let on = format!(
                "LLVM ERROR: Instruction Combining on {name} did not reach a fixpoint after 1 iterations"
            );
            without_details(&format!("exit code 1: {on}"))
        };
        let expected =
            "exit code 1: LLVM ERROR: Instruction Combining on @ did not reach a fixpoint after N iterations";
        assert_eq!((&*said("f"), &*said("s_17.g")), (expected, expected));
        assert_eq!(without_details("it died in function 'f'"), "it died in function @");
        let a = "@f, block %b1, `%x = add i32 %y, 1`: a type is wrong";
        let b = "@f, block %loop.2, `%z = add i32 %z, 2`: a type is wrong";
        assert_eq!(without_details(a), without_details(b));
        assert_ne!(
            without_details(a),
            without_details("@f, block %b1, `%x = add i32 %y, 1`: a use is wrong")
        );
    }
}
