//! The parameters of passes, in angle brackets after a pass's name.
//!
//! LLVM's parameters have LLVM's names; LLVM's separate `opt` options are spelled `name=value` here. Guarantees an
//! error that points at the parameter for unknown parameters, for invalid values (with the valid range or names), and
//! for repeated or contradictory parameters. LLVM lets the last one win, but writing two is probably a mistake.
//!
//! A new parameter is an arm of its pass's function here and a line of that pass's help text, a field of the pass's
//! options with its default, its text in the function `text` of the pass, which prints pipelines, and a case in
//! `tests/it/text.rs`.

use crate::error::{PipelineError, PipelineErrorKind};
use crate::name::Name;
use crate::text::{Element, Params};
use crate::vplan::VPlanRoundtrip;
use backedge_hir::transform::Profit;
use backedge_transform::cleanup::SimplifyCfg;
use backedge_transform::cost::{MACHINES, Machine};
use backedge_transform::cse::EarlyCse;
use backedge_transform::idiom::LoopIdiom;
use backedge_transform::indvars::IndVarSimplify;
use backedge_transform::iteration_split::IterationSetSplit;
use backedge_transform::licm::Licm;
use backedge_transform::peel::LoopPeel;
use backedge_transform::rotate::LoopRotate;
use backedge_transform::unroll::{Form, LoopUnroll};
use backedge_transform::unswitch::SimpleLoopUnswitch;
use backedge_vplan::build::Landing;
use backedge_vplan::massage::{Massaging, Massagings};
use backedge_vplan::vectorize::{LoopVectorize, Tail};
use std::ops::Range;

/// Options of all passes in a pipeline; the parameters of a pass take precedence.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Defaults {
    /// The machine of the cost models.
    pub machine: Machine,
    /// The number of iterations that `loop-unroll` and `loop-unroll-full` make one, instead of their cost model's
    /// choice.
    pub unroll_count: Option<usize>,
}

impl From<Machine> for Defaults {
    fn from(machine: Machine) -> Self {
        Self { machine, ..Self::default() }
    }
}

/// The parameters given to a pass.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Given<'e> {
    pass: &'static Name,
    params: Option<&'e Params>,
    defaults: Defaults,
}

/// The maximum number of copies that a parameter may request: a larger number exceeds the limit on code size in any
/// loop.
pub const MOST_COPIES: u32 = 1 << 16;

/// The result of interpreting a parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Read {
    /// The parameter was applied.
    Taken,
    /// The pass has no such parameter.
    Unknown,
    /// The value is invalid; holds a description of the valid values.
    Bad(String),
}

impl From<bool> for Read {
    fn from(taken: bool) -> Self {
        if taken { Self::Taken } else { Self::Unknown }
    }
}

impl<'e> Given<'e> {
    /// The parameters that `element` gives to `pass`, whose name it has, and the options of all passes.
    pub(crate) fn to(pass: &'static Name, element: &'e Element, defaults: Defaults) -> Self {
        // A pass without parameters may have angle brackets in its name; those, and empty brackets, are not parameters.
        let params = element.params.as_ref().filter(|p| !pass.params.is_empty() && !p.text.is_empty());
        Self { pass, params, defaults }
    }
    /// Applies each parameter to `options` through `take`, which gets its name and the text after `=`, if any.
    pub(crate) fn read<T>(
        self,
        options: T,
        take: impl FnMut(&mut T, &str, Option<&str>) -> Read,
    ) -> Result<T, PipelineError> {
        self.read_one_of(&[], options, take)
    }
    /// Like [`Given::read`], but at most one of `exclusive` may be given.
    fn read_one_of<T>(
        self,
        exclusive: &[&str],
        mut options: T,
        mut take: impl FnMut(&mut T, &str, Option<&str>) -> Read,
    ) -> Result<T, PipelineError> {
        let mut given: Vec<&str> = Vec::new();
        let mut chosen: Option<&str> = None;
        for (param, span) in self.params.into_iter().flat_map(Params::iter) {
            // LLVM prints a semicolon after the last parameter of some passes.
            if param.is_empty() && self.params.is_some_and(|all| all.span.end == span.end) {
                break;
            }
            let (name, value) = match param.split_once('=') {
                Some((name, value)) => (name, Some(value)),
                None => (param, None),
            };
            // `no-x` sets the same option as `x`.
            let of = name.strip_prefix("no-").unwrap_or(name);
            if given.contains(&of) {
                let (name, param) = (self.pass.name.to_owned(), of.to_owned());
                return Err(PipelineError {
                    span,
                    kind: PipelineErrorKind::RepeatedParameter { name, param },
                });
            }
            given.push(of);
            let (pass, spelled) = (self.pass.name.to_owned(), param.to_owned());
            if exclusive.contains(&name)
                && let Some(other) = chosen.replace(param)
            {
                let kind = PipelineErrorKind::ContradictoryParameters {
                    name: pass,
                    param: spelled,
                    other: other.to_owned(),
                };
                return Err(PipelineError { span, kind });
            }
            let kind = match take(&mut options, name, value) {
                Read::Taken => continue,
                Read::Unknown => return Err(unknown_param(self.pass.name, param, &span, self.pass.params)),
                Read::Bad(expected) => {
                    PipelineErrorKind::BadParameter { name: pass, param: spelled, expected }
                }
            };
            return Err(PipelineError { span, kind });
        }
        Ok(options)
    }
}

/// Parses `value` as a 32-bit number, as LLVM does, and stores it in `to`.
pub(crate) fn number<T: TryFrom<u32>>(to: &mut T, value: &str) -> Read {
    number_within(to, value, (0, u32::MAX))
}

/// Like [`number`], for a number in the given inclusive range.
pub(crate) fn number_within<T: TryFrom<u32>>(to: &mut T, value: &str, (least, most): (u32, u32)) -> Read {
    let within = value.parse::<u32>().ok().filter(|n| (least..=most).contains(n));
    match within.and_then(|n| T::try_from(n).ok()) {
        Some(read) => {
            *to = read;
            Read::Taken
        }
        None => Read::Bad(format!("a number from {least} to {most}")),
    }
}

/// Like [`number_within`], for an optional number.
fn number_in<T: TryFrom<u32> + Default>(to: &mut Option<T>, value: &str, range: (u32, u32)) -> Read {
    number_within(to.get_or_insert_default(), value, range)
}

/// Sets `to` to the machine with this name, if it exists.
fn machine(to: &mut Machine, name: &str) -> Read {
    match Machine::named(name) {
        Some(machine) => {
            *to = *machine;
            Read::Taken
        }
        None => Read::Bad(one_of(MACHINES.iter().map(|m| m.name))),
    }
}

/// The list of valid names, for messages.
fn one_of<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let names: Vec<String> = names.map(|n| format!("'{n}'")).collect();
    format!("one of {}", names.join(", "))
}

pub(crate) fn unknown_param(name: &str, param: &str, span: &Range<usize>, known: &str) -> PipelineError {
    let (name, param, known) = (name.to_owned(), param.to_owned(), known.to_owned());
    PipelineError { span: span.clone(), kind: PipelineErrorKind::UnknownParameter { name, param, known } }
}

/// The options of `early-cse`.
pub(crate) fn early_cse(given: Given<'_>) -> Result<EarlyCse, PipelineError> {
    given.read(EarlyCse::default(), |options, name, value| {
        options.memssa = true;
        Read::from((name, value) == ("memssa", None))
    })
}

/// The parameters of `licm`.
pub(crate) const LICM: &str = "'allowspeculation', 'no-allowspeculation', 'mssa-optimization-cap=N' and \
     'mssa-max-acc-promotion=N'";

/// The options of `licm`: LLVM's parameters, and LLVM's `-licm-…=N` as `…=N`.
pub(crate) fn licm(given: Given<'_>, nest: bool) -> Result<Licm, PipelineError> {
    given.read(Licm { nest, ..Licm::default() }, |options, name, value| match (name, value) {
        ("allowspeculation", None) => {
            options.allow_speculation = true;
            Read::Taken
        }
        ("no-allowspeculation", None) => {
            options.allow_speculation = false;
            Read::Taken
        }
        ("mssa-max-acc-promotion", Some(max)) => number(&mut options.mssa_max_acc_promotion, max),
        ("mssa-optimization-cap", Some(cap)) => number(&mut options.mssa_optimization_cap, cap),
        _ => Read::Unknown,
    })
}

/// Parameters that allow LLVM's `simplifycfg` further simplifications. They are accepted but have no effect here.
const NOT_SIMPLIFIED: [&str; 9] = [
    "simplify-cond-branch",
    "forward-switch-cond",
    "switch-range-to-icmp",
    "switch-to-arithmetic",
    "switch-to-lookup",
    "hoist-common-insts",
    "hoist-loads-stores-with-cond-faulting",
    "sink-common-insts",
    "speculate-unpredictables",
];

/// The parameters of `simplifycfg`.
pub(crate) const SIMPLIFY_CFG: &str = "'keep-loops' and 'speculate-blocks', each with 'no-' in front too; what else LLVM's pass takes changes nothing";

/// The options of `simplifycfg`.
pub(crate) fn simplify_cfg(given: Given<'_>) -> Result<SimplifyCfg, PipelineError> {
    given.read(SimplifyCfg::default(), |options, name, value| {
        let (word, on) = name.strip_prefix("no-").map_or((name, true), |word| (word, false));
        match (word, value) {
            ("keep-loops", None) => set(&mut options.keep_loops, on),
            ("speculate-blocks", None) => set(&mut options.speculate_blocks, on),
            // Branches are never folded at the cost of additional instructions.
            ("bonus-inst-threshold", Some(most)) if on => number(&mut 0_u32, most),
            (word, None) => NOT_SIMPLIFIED.contains(&word).into(),
            _ => Read::Unknown,
        }
    })
}

/// The options of `loop-rotate`: LLVM's parameters, and `max-header-size=N` for `-rotation-max-header-size`.
pub(crate) fn rotate(given: Given<'_>) -> Result<LoopRotate, PipelineError> {
    given.read(LoopRotate::default(), |options, name, value| match (name, value) {
        ("header-duplication", None) => {
            options.max_header_size = LoopRotate::default().max_header_size;
            Read::Taken
        }
        ("no-header-duplication", None) => {
            options.max_header_size = 0;
            Read::Taken
        }
        ("no-prepare-for-lto", None) => set(&mut options.prepare_for_lto, false),
        ("prepare-for-lto", None) => set(&mut options.prepare_for_lto, true),
        ("max-header-size", Some(size)) => number(&mut options.max_header_size, size),
        _ => Read::Unknown,
    })
}

/// The parameters of `loop-unroll`.
pub(crate) const UNROLL: &str = "'O0' to 'O3', 'partial', 'peeling', 'profile-peeling', 'runtime', 'upperbound', 'full-unroll-max=N', 'count=N', 'threshold=N', \
     'rest=prologue', 'rest=epilogue', 'rest=required-epilogue', 'machine=NAME' and 'allow-expensive-trip-count', with 'no-' in front of \
     what is a word";

/// The options of `loop-unroll`: LLVM's parameters, `count=N` for `-unroll-count`, `threshold=N` for
/// `-unroll-threshold`, `rest=…` for `-unroll-runtime-epilog`, and `allow-expensive-trip-count` for the LLVM option of
/// that name.
pub(crate) fn unroll(given: Given<'_>, full_only: bool) -> Result<LoopUnroll, PipelineError> {
    let Defaults { machine: default_machine, unroll_count: count } = given.defaults;
    let options = LoopUnroll { full_only, machine: default_machine, count, ..LoopUnroll::default() };
    given.read_one_of(&["O0", "O1", "O2", "O3"], options, |options, name, value| {
        let (word, on) = name.strip_prefix("no-").map_or((name, true), |word| (word, false));
        match (word, value) {
            ("O0" | "O1" | "O2" | "O3", None) => on.into(),
            ("partial", None) => set(&mut options.partial, on),
            ("runtime", None) => set(&mut options.runtime, on),
            ("upperbound", None) => set(&mut options.upper_bound, on),
            ("peeling", None) => set(&mut options.peeling, on),
            ("profile-peeling", None) => {
                options.profile_peeling = Some(on);
                Read::Taken
            }
            ("allow-expensive-trip-count", None) => {
                options.count_budget = if on { u32::MAX } else { LoopUnroll::default().count_budget };
                Read::Taken
            }
            ("machine", Some(name)) if on => machine(&mut options.machine, name),
            ("full-unroll-max", Some(most)) if on => number_in(&mut options.full_limit, most, (0, u32::MAX)),
            ("count", Some(count)) if on => number_in(&mut options.count, count, (1, MOST_COPIES)),
            ("threshold", Some(most)) if on => number(&mut options.most_instructions, most),
            ("rest", Some(form)) if on => {
                named(&Form::ALL, Form::word, form, |form| options.form = Some(form))
            }
            _ => Read::Unknown,
        }
    })
}

/// The parameters of `loop-vectorize`.
pub(crate) const VECTORIZE: &str = "'interleave-forced-only', 'vectorize-forced-only', 'enable-vplan-native-path', each with \
     'no-' in front too, 'force-vector-width=N', 'force-vector-interleave=N', 'prefer-predicate-over-epilogue=HOW', \
     'runtime-memory-check-threshold=N' and 'machine=NAME'";

/// The options of `loop-vectorize`.
pub(crate) fn vectorize(given: Given<'_>) -> Result<LoopVectorize, PipelineError> {
    let options = LoopVectorize { machine: given.defaults.machine, ..LoopVectorize::default() };
    let power = |to: &mut Option<u32>, text: &str, most: u32| match text.parse::<u32>() {
        Ok(n) if n.is_power_of_two() && n <= most => {
            *to = Some(n);
            Read::Taken
        }
        _ => Read::Bad(format!("a power of two up to {most}")),
    };
    given.read(options, |options, name, value| {
        let (word, on) = name.strip_prefix("no-").map_or((name, true), |word| (word, false));
        match (word, value) {
            ("interleave-forced-only", None) => set(&mut options.interleave_forced_only, on),
            ("vectorize-forced-only", None) => set(&mut options.vectorize_forced_only, on),
            ("enable-vplan-native-path", None) => set(&mut options.outer_first, on),
            ("force-vector-width", Some(n)) if on => power(&mut options.forced.lanes, n, 64),
            ("force-vector-interleave", Some(n)) if on => number_in(&mut options.forced.parts, n, (1, 16)),
            ("prefer-predicate-over-epilogue", Some(word)) if on => {
                named(&Tail::ALL, Tail::word, word, |tail| options.tail = tail)
            }
            ("runtime-memory-check-threshold", Some(n)) if on => number(&mut options.most_checks, n),
            ("machine", Some(name)) if on => machine(&mut options.machine, name),
            _ => Read::Unknown,
        }
    })
}

/// The options of `iteration-set-split`.
pub(crate) fn iteration_split(given: Given<'_>) -> Result<IterationSetSplit, PipelineError> {
    let options = IterationSetSplit { machine: given.defaults.machine, ..IterationSetSplit::default() };
    given.read_one_of(&["at", "multiple"], options, |options, name, value| match (name, value) {
        ("at", Some(at)) => number_in(&mut options.at, at, (0, u32::MAX)),
        ("multiple", Some(of)) => number_in(&mut options.multiple, of, (1, u32::MAX)),
        ("machine", Some(name)) => machine(&mut options.machine, name),
        ("threshold", Some(most)) => number(&mut options.most_instructions, most),
        _ => Read::Unknown,
    })
}

/// The options of `loop-peel`; `count=N` is LLVM's `-unroll-peel-count`.
pub(crate) fn peel(given: Given<'_>) -> Result<LoopPeel, PipelineError> {
    let options = LoopPeel { machine: given.defaults.machine, ..LoopPeel::default() };
    given.read_one_of(&["count", "last"], options, |options, name, value| match (name, value) {
        ("machine", Some(name)) => machine(&mut options.machine, name),
        ("count", Some(count)) => number_in(&mut options.count, count, (0, MOST_COPIES)),
        ("last", None) => set(&mut options.last, true),
        ("profile", None) => set(&mut options.profile, true),
        ("threshold", Some(most)) => number(&mut options.most_instructions, most),
        _ => Read::Unknown,
    })
}

/// Passes the element of `all` whose name is `given` to `take`.
fn named<T: Copy>(all: &[T], word: fn(T) -> &'static str, given: &str, take: impl FnOnce(T)) -> Read {
    match all.iter().copied().find(|one| word(*one) == given) {
        Some(one) => {
            take(one);
            Read::Taken
        }
        None => Read::Bad(one_of(all.iter().copied().map(word))),
    }
}

fn set(to: &mut bool, on: bool) -> Read {
    *to = on;
    Read::Taken
}

/// The options of `indvars`, which disable parts of it; LLVM's pass has none.
pub(crate) fn indvars(given: Given<'_>) -> Result<IndVarSimplify, PipelineError> {
    given.read(IndVarSimplify::default(), |options, name, value| {
        match (name, value) {
            ("no-exit-values", None) => options.exit_values = false,
            ("no-exit-tests", None) => options.exit_tests = false,
            ("no-widening", None) => options.widening = false,
            _ => return Read::Unknown,
        }
        Read::Taken
    })
}

/// The options of `simple-loop-unswitch`: LLVM's parameters, and `threshold=N` for `-unswitch-threshold`.
pub(crate) fn unswitch(given: Given<'_>) -> Result<SimpleLoopUnswitch, PipelineError> {
    given.read(SimpleLoopUnswitch::default(), |options, name, value| {
        let (word, on) = name.strip_prefix("no-").map_or((name, true), |word| (word, false));
        match (word, value) {
            ("trivial", None) => set(&mut options.trivial, on),
            ("nontrivial", None) => set(&mut options.nontrivial, on),
            ("threshold", Some(most)) if on => number(&mut options.threshold, most),
            _ => Read::Unknown,
        }
    })
}

/// The parameter that applies a nest transform regardless of profit, and its description.
pub(crate) const FORCE: &str = "force";
pub(crate) const PROFIT: &str = "'force', whatever is gained";

/// The single parameter of a nest pass: a number of iterations, at least 2.
pub(crate) fn size(given: Given<'_>, default: u64) -> Result<u64, PipelineError> {
    let size = given.read(None, |size: &mut Option<u64>, name, value| match value {
        None => one_size(size, name),
        Some(_) => Read::Unknown,
    })?;
    Ok(size.unwrap_or(default))
}

/// The number of iterations, and whether the transform must be profitable.
pub(crate) fn sized(given: Given<'_>, default: u64) -> Result<(u64, Profit), PipelineError> {
    let options: (Option<u64>, Profit) = Default::default();
    let (size, profit) =
        given.read(options, |(size, profit), name, value| match forced(profit, name, value) {
            Read::Unknown if value.is_none() => one_size(size, name),
            read => read,
        })?;
    Ok((size.unwrap_or(default), profit))
}

/// Whether the transform must be profitable.
pub(crate) fn profit(given: Given<'_>) -> Result<Profit, PipelineError> {
    given.read(Profit::Asked, forced)
}

/// Interprets the parameter that ignores profit.
fn forced(profit: &mut Profit, name: &str, value: Option<&str>) -> Read {
    if (name, value) != (FORCE, None) {
        return Read::Unknown;
    }
    *profit = Profit::Ignored;
    Read::Taken
}

/// Interprets the number of iterations, which may be given only once.
fn one_size(size: &mut Option<u64>, name: &str) -> Read {
    if size.is_some() || !name.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
        return Read::Unknown;
    }
    let mut read = 0;
    let taken = number_within(&mut read, name, (2, u32::MAX));
    *size = Some(read);
    taken
}

/// The options of `loop-idiom`, for LLVM's `-disable-loop-idiom-memset` and `-disable-loop-idiom-memcpy`.
pub(crate) fn idiom(given: Given<'_>) -> Result<LoopIdiom, PipelineError> {
    given.read(LoopIdiom::default(), |options, name, value| match (name, value) {
        ("no-memset", None) => {
            options.memset = false;
            Read::Taken
        }
        ("no-memcpy", None) => {
            options.memcpy = false;
            Read::Taken
        }
        _ => Read::Unknown,
    })
}

/// The options of `vplan-roundtrip`: if massagings are named, only those are applied, otherwise all.
pub(crate) fn vplan(given: Given<'_>) -> Result<VPlanRoundtrip, PipelineError> {
    let none = VPlanRoundtrip { massagings: Massagings::NONE, ..VPlanRoundtrip::default() };
    let (mut options, chosen) =
        given.read((none, false), |(options, chosen), name, value| match (name, value) {
            ("landing-pad", None) => {
                options.landing = Landing::Pad;
                Read::Taken
            }
            ("uniform", None) => set(&mut options.uniform, true),
            ("plain", None) => set(chosen, true),
            (_, None) => match Massaging::from_name(name) {
                Some(massaging) => {
                    options.massagings = options.massagings.with(massaging);
                    set(chosen, true)
                }
                None => Read::Unknown,
            },
            _ => Read::Unknown,
        })?;
    if !chosen {
        options.massagings = Massagings::ALL;
    }
    Ok(options)
}
