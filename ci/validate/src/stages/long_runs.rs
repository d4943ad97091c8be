//! A part of the stages `runs_alone` and `full_effort`: long runs of a pair at full width, for failures that short runs miss: on inputs at which a multiple of a constant of
//! the pair wraps around, and on inputs that its narrower copies suggest.

use crate::pair::cycles::has_loop;
use crate::pair::narrow::widest;
use crate::pair::{Side, Sides};
use crate::replay::config::config;
use crate::replay::drive::{Drive, Shown, machines};
use crate::replay::inputs::{integer, mask};
use crate::replay::refutation::refutation;
use crate::verdict::Options;
use crate::verdict::witness::{FoundBy, Refutation};
use backedge_interp::input::{Input, InputError};
use backedge_interp::refine::{Budget, Refinement, Side as Runner, refine};
use backedge_interp::{Machine, Program};
use backedge_ir::constant::ConstData;
use std::collections::BTreeSet;
use std::time::Instant;

/// Length of the long runs that look for failures missed by short ones.
#[derive(Clone, Copy)]
pub(super) struct Length {
    /// Fuel as a multiple of a short run's fuel.
    longer: u64,
    /// Total steps of all runs, as a multiple of the fuel of one.
    together: u64,
    /// Whether each input runs only once on both sides, whatever choices there are.
    once: bool,
}

/// Enough for both sides of three inputs, or of more inputs with shorter runs.
pub(super) const LONG: Length = Length { longer: 1_000, together: 6, once: false };

/// For suspect pairs: some billions of steps, so the search ends after the first run that is cut short.
const SUSPECTED: Length = Length { longer: 300_000, together: 1, once: true };

/// The violation of the pair on `input`, if any.
pub(super) fn violation(
    [s, t]: &mut [Machine<'_>; 2],
    Sides { source, target }: Sides<'_>,
    input: &Input,
    budget: Budget,
) -> Result<Option<Shown>, InputError> {
    let mut source = Runner { machine: s, func: source.func };
    let mut target = Runner { machine: t, func: target.func };
    let refinement = refine(&mut source, &mut target, input, budget)?;
    Ok(if let Refinement::Violates(violation) = refinement { Some(violation.into()) } else { None })
}

/// Runs the pair with much fuel on `inputs` until one fails or the steps or the time are used up.
pub(super) fn long_runs(
    Sides { source, target }: Sides<'_>,
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
            violation(&mut machines, Sides { source, target }, &input, budget).ok().flatten()
        } else {
            Drive::default().look(&mut machines, Sides { source, target }, &input).ok().and_then(Result::ok)
        };
        if let Some(shown) = shown {
            return Some(refutation(Sides { source, target }, &programs, &options, &input, shown, found_by));
        }
    }
    None
}

/// Runs the pair with much fuel on inputs derived from its constants and widths: values at which a multiple of a
/// constant, or a square, wraps around.
pub(super) fn by_long_runs(
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
        long_runs(Sides { source, target }, options, *length, inputs.iter().cloned(), FoundBy::LongRuns)
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
