//! The portfolio's stage for failures that short runs miss: all inputs of narrowed copies of the pair
//! ([`crate::pair::narrow`]), whose failing inputs are retried at full width, and a few long runs at full width.
//!
//! Only a run of the pair itself refutes it. A failure of a narrowed copy that no full-width run confirms makes an
//! otherwise open pair suspect if the copy has the pair's constants; with other constants it is only a hint for runs.

use crate::pair::Side;
use crate::pair::cycles::has_loop;
use crate::pair::narrow::{Narrow, narrowed, widest};
use crate::replay::config::config;
use crate::replay::drive::{Drive, Shown, machines};
use crate::replay::inputs::{Inputs, integer, mask};
use crate::replay::refutation::refutation;
use crate::verdict::witness::{FoundBy, Refutation};
use crate::verdict::{Failure, Options, Suspicion, Verdict};
use backedge_interp::input::{ArgSpec, Input, InputError};
use backedge_interp::refine::{Budget, Refinement, Side as Runner, refine};
use backedge_interp::{Machine, Program};
use backedge_ir::constant::ConstData;
use std::collections::BTreeSet;
use std::time::Instant;

/// Widths of the copies, and the maximum number of inputs of each: copies with more inputs are skipped.
const WIDTHS: [(u32, u64); 2] = [(4, 17 * 17 * 17), (8, 257 * 257)];
/// Limit on the steps of all runs of one copy; also limited by the steps of the pair's short runs.
const NARROW_STEPS: u64 = 2_000_000;
/// Steps of one run of a copy.
const NARROW_FUEL: u64 = 4_000;
/// Maximum number of failing inputs of a copy that are retried at full width.
const HITS: usize = 4;
/// Length of the long runs that look for failures missed by short ones.
#[derive(Clone, Copy)]
struct Length {
    /// Fuel as a multiple of a short run's fuel.
    longer: u64,
    /// Total steps of all runs, as a multiple of the fuel of one.
    together: u64,
    /// Whether each input runs only once on both sides, whatever choices there are.
    once: bool,
}

/// Enough for both sides of three inputs, or of more inputs with shorter runs.
const LONG: Length = Length { longer: 1_000, together: 6, once: false };
/// For suspect pairs: some billions of steps, so the search ends after the first run that is cut short.
const SUSPECTED: Length = Length { longer: 300_000, together: 1, once: true };

/// Result of the narrowed copies.
#[derive(Debug)]
pub(crate) enum Narrowed {
    /// A run of the pair itself fails.
    Refuted(Box<Refutation>),
    /// A copy fails that has the pair's constants.
    Suspect(Suspicion),
    /// No failure.
    Nothing,
}

/// Runs narrowed copies on all inputs, and the pair on scaled failing inputs. For pairs without loops the solver alone
/// suffices.
pub(crate) fn by_narrowing(source: Side<'_>, target: Side<'_>, options: &Options) -> Narrowed {
    if options.solver && !has_loop(source) && !has_loop(target) {
        return Narrowed::Nothing;
    }
    let mut suspicion = None;
    for (width, most) in WIDTHS {
        let Some(Narrow { pair, is_alike }) = narrowed(source, target, width) else { continue };
        let hits = hits(pair.sides(), options, most);
        let Some((first, shown)) = hits.first() else { continue };
        let Some(full) = widest(source) else { continue };
        let inputs = hits.iter().flat_map(|(input, _)| rescaled(input, width, full));
        if let Some(refutation) = long_runs((source, target), options, LONG, inputs, FoundBy::Narrowed) {
            return Narrowed::Refuted(refutation);
        }
        if is_alike {
            let failure = Failure::of(&shown.violation);
            suspicion.get_or_insert(Suspicion { width, failure, input: first.to_string() });
        }
    }
    suspicion.map_or(Narrowed::Nothing, Narrowed::Suspect)
}

/// The first failing inputs of a narrow pair.
fn hits((source, target): (Side<'_>, Side<'_>), options: &Options, most: u64) -> Vec<(Input, Shown)> {
    let Some(inputs) = Inputs::new(source, target) else { return Vec::new() };
    if inputs.count().is_none_or(|n| n > most) {
        return Vec::new();
    }
    let config = config(&Options { fuel: options.fuel.min(NARROW_FUEL), ..options.clone() });
    let programs = Program::pair([source.module, target.module], &config);
    let mut machines = Machine::pair(&programs, &config);
    let steps = options.fuel.saturating_mul(options.runs).min(NARROW_STEPS);
    let mut hits = Vec::new();
    for input in inputs.all() {
        let budget = Budget { target_runs: 2, source_runs: 16 };
        match violation(&mut machines, (source, target), &input, budget) {
            Ok(shown) => hits.extend(shown.map(|shown| (input, shown))),
            Err(_) => break,
        }
        if hits.len() >= HITS || machines.iter().map(Machine::steps).sum::<u64>() > steps {
            break;
        }
    }
    hits
}

/// The violation of the pair on `input`, if any.
fn violation(
    [s, t]: &mut [Machine<'_>; 2],
    (source, target): (Side<'_>, Side<'_>),
    input: &Input,
    budget: Budget,
) -> Result<Option<Shown>, InputError> {
    let mut source = Runner { machine: s, func: source.func };
    let mut target = Runner { machine: t, func: target.func };
    let refinement = refine(&mut source, &mut target, input, budget)?;
    Ok(if let Refinement::Violates(violation) = refinement { Some(violation.into()) } else { None })
}

/// Full-width inputs that may correspond to `input`: the integers sign-extended, zero-extended, shifted to the top, and
/// with their upper halves moved to the upper half.
fn rescaled(input: &Input, from: u32, to: u32) -> Vec<Input> {
    let half = from / 2;
    let scalings: [&dyn Fn(u128) -> u128; 4] = [
        &|v| if v >> (from - 1) & 1 != 0 { v | mask(to) & !mask(from) } else { v },
        &|v| v,
        &|v| v << (to - from),
        &|v| (v >> half) << (to / 2) | v & mask(half),
    ];
    let mut list: Vec<Input> = Vec::new();
    for scale in scalings {
        let args = input.args.iter().map(|arg| match arg {
            ArgSpec::Int(value) => integer(to, scale(*value as u128 & mask(from)) & mask(to)),
            other => other.clone(),
        });
        let scaled = Input::new(args.collect());
        if !list.contains(&scaled) {
            list.push(scaled);
        }
    }
    list
}

/// Runs the pair with much fuel on `inputs` until one fails or the steps or the time are used up.
fn long_runs(
    (source, target): (Side<'_>, Side<'_>),
    options: &Options,
    length: Length,
    inputs: impl Iterator<Item = Input>,
    found_by: FoundBy,
) -> Option<Box<Refutation>> {
    let options = Options { fuel: options.fuel.saturating_mul(length.longer), ..options.clone() };
    let programs = Program::pair([source.module, target.module], &config(&options));
    let mut machines = machines(&programs, &options);
    let started = Instant::now();
    for input in inputs {
        let steps: u64 = machines.iter().map(Machine::steps).sum();
        if steps > options.fuel.saturating_mul(length.together) || started.elapsed() > options.timeout {
            return None;
        }
        // Parameter widths may differ: inputs that do not fit are skipped.
        let shown = if length.once {
            let budget = Budget { target_runs: 1, source_runs: 1 };
            violation(&mut machines, (source, target), &input, budget).ok().flatten()
        } else {
            Drive::default().look(&mut machines, (source, target), &input).ok().and_then(Result::ok)
        };
        if let Some(shown) = shown {
            return Some(refutation((source, target), &programs, &options, (&input, shown), found_by));
        }
    }
    None
}

/// Runs the pair with much fuel on inputs derived from its constants and widths: values at which a multiple of a
/// constant, or a square, wraps around.
pub(crate) fn by_long_runs(
    source: Side<'_>,
    target: Side<'_>,
    options: &Options,
    suspected: bool,
) -> Option<Box<Refutation>> {
    let width = widest(source)?;
    if !has_loop(source) && !has_loop(target) {
        return None;
    }
    let params = source.module.body(source.func)?.args().len();
    let values = far_values(source, target, width);
    let mut inputs = Vec::new();
    for value in values {
        inputs.push(Input::new(vec![integer(width, value); params]));
        for i in (0..params).filter(|_| params > 1) {
            let small = |j: usize| integer(width, if i == j { value } else { 1 });
            inputs.push(Input::new((0..params).map(small).collect()));
        }
    }
    let lengths = if suspected { &[LONG, SUSPECTED][..] } else { &[LONG] };
    lengths.iter().find_map(|length| {
        long_runs((source, target), options, *length, inputs.iter().cloned(), FoundBy::LongRuns)
    })
}

/// The values for long runs, in ascending order.
fn far_values(source: Side<'_>, target: Side<'_>, width: u32) -> Vec<u128> {
    let all = 1u128 << width;
    let mut values = BTreeSet::from([(1u128 << (width / 2)) + 1]);
    for side in [source, target] {
        let consts = side.module.body(side.func).into_iter().flat_map(|b| b.consts().iter());
        for constant in consts.filter_map(|(_, c)| match c.data {
            ConstData::Int(value) if value.width() == width => Some(value.bits()),
            _ => None,
        }) {
            let negated = constant.wrapping_neg() & mask(width);
            let size = constant.min(negated);
            if size > 2 && size < all >> 4 {
                values.extend([all / size + 2, (all >> 1) / size + 2, size + 2]);
            }
        }
    }
    values.into_iter().collect()
}

/// `verdict`, or a refutation if the pair is open and a long run refutes it. A suspected pair gets longer runs.
pub(crate) fn improve(
    source: Side<'_>,
    target: Side<'_>,
    options: &Options,
    verdict: Verdict,
    suspected: bool,
) -> Verdict {
    if !verdict.is_open() {
        return verdict;
    }
    by_long_runs(source, target, options, suspected).map_or(verdict, Verdict::Refuted)
}
