//! What is wrong with what a system makes of a file: by which signs a finding is known again on another file.
//!
//! A finding of ours is known by the pass and the kind of failure; one of a command by the kind alone, and what it said when
//! it crashed or refused, but for numbers and names. A refutation counts only on an input on which the source is defined, if
//! it was defined at first.

use super::external::Stopped;
use super::optimize::FileItems;
use super::rounds::Asked;
use super::system::System;
use crate::input::Source;
use crate::optimizer::Optimizer;
use backedge_fuzz::oracle::optimize::SIZE;
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

/// What a finding is known by.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Symptom {
    /// The pass, if it is one of ours.
    pub(crate) pass: Option<String>,
    /// The kind.
    pub(crate) kind: Kind,
}

/// In which way something is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// The target does not refine the source; whether the source is defined where that shows, and whether that needs an
    /// undef input.
    Refuted { failure: Failure, defined: bool, undef: bool },
    /// The optimizer crashed or left invalid IR, with these words.
    Crashed(String),
    /// The command refused the file, with these words.
    Refused(String),
    /// The command passed a limit.
    Hung(Limit),
    /// The command leaves more instructions than any work on so few warrants ([`SIZE`]).
    Grown,
    /// The command comes to no end when it is run on what it has left.
    Restless(Asked),
}

impl Kind {
    /// The kind of that refutation.
    pub(crate) fn of(refutation: &Refutation) -> Self {
        let Refutation { failure, undef_input, source, .. } = refutation;
        Self::Refuted { failure: *failure, defined: source.undefined.is_none(), undef: *undef_input }
    }
}

/// What is wrong, for people: in the words that were said, with the names and numbers in them by which no finding is known.
impl fmt::Display for Found {
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
                write!(f, "the optimizer undoes what it does: {}", self.message)?
            }
            Kind::Restless(Asked::Again) => write!(f, "the optimizer is not done: {}", self.message)?,
            Kind::Grown => write!(f, "the optimizer leaves too much: {}", self.message)?,
        }
        match &self.symptom.pass {
            Some(pass) => write!(f, " ({pass})"),
            None => Ok(()),
        }
    }
}

/// Two functions of which the second is to refine the first.
#[derive(Clone, Debug)]
pub(crate) struct Two {
    pub(crate) source: (Arc<Module>, FuncId),
    pub(crate) target: (Arc<Module>, FuncId),
}

impl Two {
    /// As the checker takes them.
    pub(crate) fn sides(&self) -> (Side<'_>, Side<'_>) {
        let [source, target] =
            [&self.source, &self.target].map(|(module, func)| Side { module, func: *func });
        (source, target)
    }
}

/// What is wrong with a function.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    /// What it is known by.
    pub(crate) symptom: Symptom,
    /// The function; empty for the whole file.
    pub(crate) function: String,
    /// What it says of itself, of what is no refutation.
    pub(crate) message: String,
    /// The pair and its refutation.
    pub(crate) refuted: Option<(Two, Box<Refutation>)>,
}

/// Where files come from that are looked at.
pub(crate) enum Subject {
    /// The functions are put through a system.
    System(System),
    /// A command is run on what it has left.
    Rounds(Optimizer, Asked),
    /// The functions are pairs already.
    Pairs,
}

impl Subject {
    /// What there is to be judged of `source`.
    fn items(&self, source: &Source, stop: &dyn Fn() -> bool) -> Result<Vec<Thing>, Stopped> {
        match self {
            Self::System(system) => {
                let FileItems { items, .. } = system.items_of_source(source, stop)?;
                let own = matches!(system, System::Passes(_));
                let of_item = |item| {
                    let thing = Thing::of_item(item, own);
                    // That it is wrong counts more.
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

    /// All that is wrong with `source`, as `judge` says, in order.
    pub(crate) fn findings(
        &self,
        source: &Source,
        judge: &Judge,
        stop: &dyn Fn() -> bool,
    ) -> Result<Vec<Found>, Stopped> {
        let mut all = Vec::new();
        for thing in self.items(source, stop)? {
            match thing {
                Thing::Known(found) => all.push(*found),
                Thing::Pair { pass, two } => {
                    let (source, target) = two.sides();
                    if let Some(refutation) = judge.judge(source, target).report.verdict.into_refutation() {
                        all.push(Found::refuted(pass, two, refutation));
                    }
                }
            }
            if stop() {
                return Err(Stopped::Interrupted);
            }
        }
        // What needs no undef input counts more.
        all.sort_by_key(|found| matches!(found.symptom.kind, Kind::Refuted { undef: true, .. }));
        Ok(all)
    }

    /// The first thing that is wrong with `source`, by that case or by runs.
    pub(crate) fn first(
        &self,
        source: &Source,
        limits: (Option<&Case>, &Options),
        stop: &dyn Fn() -> bool,
    ) -> Result<Option<Found>, Stopped> {
        self.first_like(None, source, limits, stop)
    }

    /// The finding of `source` that has that symptom, in that function unless its name is empty, looked for by that case and by
    /// runs alone.
    pub(crate) fn again(
        &self,
        source: &Source,
        symptom: (&Symptom, &str),
        limits: (Option<&Case>, &Options),
        stop: &dyn Fn() -> bool,
    ) -> Result<Option<Found>, Stopped> {
        self.first_like(Some(symptom), source, limits, stop)
    }

    /// The first thing that is wrong with `source` and has that symptom in that function, if one is given.
    fn first_like(
        &self,
        symptom: Option<(&Symptom, &str)>,
        source: &Source,
        (case, options): (Option<&Case>, &Options),
        stop: &dyn Fn() -> bool,
    ) -> Result<Option<Found>, Stopped> {
        let (symptom, function) = symptom.unzip();
        let is_there = |name: &str| function.is_none_or(|function| function.is_empty() || function == name);
        for thing in self.items(source, stop)? {
            let found = match thing {
                Thing::Known(found) if !is_there(&found.function) => None,
                Thing::Pair { two, .. } if !is_there(two.sides().0.name()) => None,
                Thing::Known(found) => symptom.is_none_or(|s| found.symptom == *s).then_some(*found),
                // No run can show a failure of another kind.
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
                    refuted_again(&two, case, options, &fits)
                        .map(|refutation| Found::refuted(pass, two, refutation))
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

/// A refutation of the pair that `fits`, by that case or by runs.
pub(crate) fn refuted_again(
    two: &Two,
    case: Option<&Case>,
    options: &Options,
    fits: &dyn Fn(&Refutation) -> bool,
) -> Option<Box<Refutation>> {
    let (source, target) = two.sides();
    let by_case = || case.and_then(|case| check::refuted_by_case(case, source, target, options));
    let by_runs = || check::by_few_runs(source, target, options).verdict.into_refutation();
    let found = |make: &dyn Fn() -> Option<Box<Refutation>>| caught(make).ok().flatten().filter(|r| fits(r));
    found(&by_case).or_else(|| found(&by_runs))
}

impl Found {
    /// A pair that is refuted, by that pass if it is one of ours.
    pub(crate) fn refuted(pass: Option<String>, two: Two, refutation: Box<Refutation>) -> Self {
        Self {
            symptom: Symptom { pass, kind: Kind::of(&refutation) },
            function: two.sides().0.name().to_owned(),
            message: String::new(),
            refuted: Some((two, refutation)),
        }
    }
}

/// How much larger the target is than it may be, if it is, in words.
pub(crate) fn growth(two: &Two) -> Option<String> {
    let size = |(module, func): &(Arc<Module>, FuncId)| {
        module.body(*func).map_or(0, |body| body.all_insts().count())
    };
    let (before, after) = (size(&two.source), size(&two.target));
    let bound = SIZE.of(before);
    (after > bound).then(|| format!("{after} instructions of {before}, which is more than {bound}"))
}

/// A finding, or what is to be judged.
enum Thing {
    Known(Box<Found>),
    Pair { pass: Option<String>, two: Two },
}

impl Thing {
    /// That the target of a pair is too large, if it is.
    fn grown(&self) -> Option<Self> {
        let Self::Pair { two, .. } = self else { return None };
        let message = growth(two)?;
        let function = two.sides().0.name().to_owned();
        let symptom = Symptom { pass: None, kind: Kind::Grown };
        Some(Self::Known(Box::new(Found { symptom, function, message, refuted: None })))
    }

    fn of_item(item: Item, own: bool) -> Option<Self> {
        let named = |pass: String| own.then_some(pass);
        match item {
            Item::Known(record) => {
                let known = |pass, kind, message| {
                    let symptom = Symptom { pass: named(pass), kind };
                    let function = record.function.clone();
                    Some(Self::Known(Box::new(Found { symptom, function, message, refuted: None })))
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

/// The words without what differs from file to file: names of values and functions, numbers, addresses, what is quoted. An `N`
/// stands for a number. Signals and exit codes stay: they say what happened.
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
            // Instructions, spelled out by us.
            '`' if message.matches('`').count().is_multiple_of(2) => {
                while rest.next_if(|c| *c != '`').is_some() {}
                rest.next();
                out.push('`');
            }
            c => out.push(c),
        }
    }
    out
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
        // How it ended is no detail.
        assert_eq!(without_details("exit code 7: in.ll:3:14: error"), "exit code 7: in.ll:N:N: error");
        let a = "@f, block %b1, `%x = add i32 %y, 1`: a type is wrong";
        let b = "@f, block %loop.2, `%z = add i32 %z, 2`: a type is wrong";
        assert_eq!(without_details(a), without_details(b));
        assert_ne!(
            without_details(a),
            without_details("@f, block %b1, `%x = add i32 %y, 1`: a use is wrong")
        );
    }
}
