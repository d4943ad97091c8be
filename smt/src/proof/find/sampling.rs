//! The runs that plans and candidate facts are read from.

use crate::proof::check::Flaw;
use crate::proof::find::align::is_useful;
use crate::proof::find::runs::{Length, RunEnd, RunPair, Runner};
use crate::proof::find::samples::Drawing;
use crate::proof::lang::step::CutIndex;
use crate::proof::lang::step::Place;
use crate::proof::vc::pair::Pair;
use crate::refinement::Reason;

/// Number of sample runs.
const RUNS: usize = 48;
/// Number of these runs that are extended if none reaches the end of a loop.
const LONG_RUNS: usize = 2;
/// Number of further runs that are tried while some cut of the target has fewer than `FEW_VISITS` visits.
const DEEP_RUNS: u64 = 64;
const FEW_VISITS: usize = 12;
/// A finished run with at least this many visits counts as one that went through a loop.
const LOOP_VISITS: usize = 8;

/// The useful sample runs. If none of them reaches the end of a loop, some are extended.
pub(super) fn runs(pair: &Pair<'_>, runner: &mut Runner) -> Result<Vec<RunPair>, Flaw> {
    let mut runs = Vec::new();
    let mut open = Vec::new();
    let mut through = false;
    for seed in 0..RUNS as u64 {
        if pair.limits.late() {
            return Err(Flaw::Reason(Reason::Time));
        }
        let run = runner.run(pair, (seed, Drawing::Usual), Length::Usual);
        if is_useful(&run) {
            match run.source.end {
                RunEnd::Open => open.push((runs.len(), seed)),
                RunEnd::Returned | RunEnd::Stopped | RunEnd::Undefined => {
                    through |= run.source.visits.len() >= LOOP_VISITS;
                }
            }
            runs.push(run);
        }
    }
    if !through {
        for (at, seed) in open.into_iter().take(LONG_RUNS) {
            let run = runner.run(pair, (seed, Drawing::Usual), Length::Long);
            if is_useful(&run) {
                runs[at] = run;
            }
        }
    }
    deepen(pair, runner, &mut runs)?;
    Ok(runs)
}

/// Adds runs that reach cuts of the target that few of `runs` visit: a value that was seen once looks constant.
fn deepen(pair: &Pair<'_>, runner: &mut Runner, runs: &mut Vec<RunPair>) -> Result<(), Flaw> {
    let mut seen = vec![0; pair.target.cuts.len()];
    let visited = |run: &RunPair| -> Vec<CutIndex> {
        let places = run.target.visits.iter().map(|visit| visit.place);
        let cuts = places.filter_map(|place| match place {
            Place::Cut(cut) => Some(cut),
            Place::Returned(_) => None,
        });
        cuts.collect()
    };
    for cut in runs.iter().flat_map(visited) {
        seen[cut] += 1;
    }
    for seed in 0..DEEP_RUNS {
        if seen[1..].iter().all(|visits| *visits >= FEW_VISITS) {
            break;
        }
        if pair.limits.late() {
            return Err(Flaw::Reason(Reason::Time));
        }
        let run = runner.run(pair, (seed, Drawing::Deep), Length::Usual);
        let cuts = visited(&run);
        if is_useful(&run) && cuts.iter().any(|cut| *cut > 0 && seen[*cut] < FEW_VISITS) {
            for cut in cuts {
                seen[cut] += 1;
            }
            runs.push(run);
        }
    }
    Ok(())
}
