//! Stage: all inputs of narrower copies of the pair ([`crate::pair::narrow`]), whose failing inputs are retried at full
//! width, for failures that short runs miss.
//!
//! Only a run of the pair itself refutes it. A failure of a narrowed copy that no full-width run confirms makes an
//! otherwise open pair suspect if the copy has the pair's constants; with other constants it is only a hint for runs.

use super::long_runs::{LONG, long_runs, violation};
use super::{Earlier, SoFar, Stage, Step};
use crate::admit::qualified::qualified;
use crate::pair::cycles::has_loop;
use crate::pair::narrow::{Narrow, narrowed, widest};
use crate::pair::{Side, Sides};
use crate::replay::config::config;
use crate::replay::drive::Shown;
use crate::replay::inputs::{Inputs, integer, mask};
use crate::verdict::witness::FoundBy;
use crate::verdict::{Failure, Options, Suspicion, Verdict};
use backedge_interp::input::{ArgSpec, Input};
use backedge_interp::refine::Budget;
use backedge_interp::{Machine, Program};
use serde::{Deserialize, Serialize};

/// Widths of the copies, and the maximum number of inputs of each: copies with more inputs are skipped.
const WIDTHS: [(u32, u64); 2] = [(4, 17 * 17 * 17), (8, 257 * 257)];
/// Limit on the steps of all runs of one copy; also limited by the steps of the pair's short runs.
const NARROW_STEPS: u64 = 2_000_000;
/// Steps of one run of a copy.
const NARROW_FUEL: u64 = 4_000;
/// Maximum number of failing inputs of a copy that are retried at full width.
const HITS: usize = 4;

/// The stage.
pub(crate) struct NarrowerRuns;

/// Result of the narrowed copies.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) enum Narrowed {
    /// A run of the pair itself fails.
    Decided(Verdict),
    /// A copy fails that has the pair's constants.
    Suspect(Suspicion),
    /// No failure.
    Nothing,
}

impl Stage for NarrowerRuns {
    type Answer = Narrowed;

    fn name(&self) -> &'static str {
        "narrower-runs"
    }
    fn wanted(&self, _: &SoFar, _: &Options) -> bool {
        true
    }
    fn run(&self, Sides { source, target }: Sides<'_>, _: &Earlier, options: &Options) -> Narrowed {
        by_narrowing(source, target, options)
    }
    fn fold(&self, so_far: SoFar, answer: Narrowed) -> Step {
        match answer {
            Narrowed::Decided(verdict) => so_far.decided(verdict),
            Narrowed::Suspect(suspicion) => Step::Continue(so_far.with_suspicion(Some(suspicion))),
            Narrowed::Nothing => Step::Continue(so_far),
        }
    }
}

/// Runs narrowed copies on all inputs, and the pair on scaled failing inputs. For pairs without loops the solver alone
/// suffices.
fn by_narrowing(source: Side<'_>, target: Side<'_>, options: &Options) -> Narrowed {
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
        if let Some(refutation) =
            long_runs(Sides { source, target }, options, LONG, inputs, FoundBy::Narrowed)
        {
            return Narrowed::Decided(qualified(Verdict::Refuted(refutation), source, target));
        }
        if is_alike {
            let failure = Failure::of(&shown.violation);
            suspicion.get_or_insert(Suspicion { width, failure, input: first.to_string() });
        }
    }
    suspicion.map_or(Narrowed::Nothing, Narrowed::Suspect)
}

/// The first failing inputs of a narrow pair.
fn hits(Sides { source, target }: Sides<'_>, options: &Options, most: u64) -> Vec<(Input, Shown)> {
    let Some(inputs) = Inputs::new(source, target, options) else { return Vec::new() };
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
        match violation(&mut machines, Sides { source, target }, &input, budget) {
            Ok(shown) => hits.extend(shown.map(|shown| (input, shown))),
            Err(_) => break,
        }
        if hits.len() >= HITS || machines.iter().map(Machine::steps).sum::<u64>() > steps {
            break;
        }
    }
    hits
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
