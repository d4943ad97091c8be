//! The portfolio's solver stages. Each can be asked individually: in this process, or in workers ([`crate::judge::worker`]),
//! of which one may attempt the proof while another one does the bounded check. The combination is the same either way:
//! a stage counts only if the earlier ones leave the pair open.

pub(crate) mod bounded;
pub(crate) mod deeper;
pub(crate) mod identical;
pub(crate) mod promise_check;
pub(crate) mod proof;
pub(crate) mod runs;
pub(crate) mod silent;
pub(crate) mod target_claims;
pub(crate) mod undef_runs;

use crate::pair::Side;
use crate::pair::cycles::has_loop;
use crate::verdict::witness::Counterexample;
use crate::verdict::{Assumption, Method, Options, Reason, Report, Verdict};
use serde::{Deserialize, Serialize};

/// A stage.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Stage {
    /// The bounded check, with a part of the budget if a proof may follow.
    Bounded,
    /// A proof for all iterations.
    Proof,
    /// The bounded check with the full budget, long runs, and higher bounds, for a pair for which the earlier stages
    /// gave `verdict` and the bounded check spent `spent` units.
    Deeper { verdict: Verdict, spent: u64, suspected: bool },
}

/// Result of a stage. Not internally tagged: serde cannot read 128-bit numbers there, and witnesses have such numbers.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Told {
    /// [`Stage::Bounded`], or [`Stage::Deeper`].
    Checked(Checked),
    /// [`Stage::Proof`].
    Proof(Proof),
}

/// A verdict and its cost.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Checked {
    pub(crate) verdict: Verdict,
    /// Z3's resource units.
    pub(crate) units: u64,
    /// For a refutation: the counterexample, which is not part of records.
    counterexample: Option<Box<Counterexample>>,
}

impl Checked {
    pub(crate) fn new(verdict: Verdict, units: u64) -> Self {
        let counterexample = verdict.refutation().and_then(|refutation| refutation.counterexample.clone());
        Self { verdict, units, counterexample }
    }

    /// The verdict with its counterexample.
    fn into_verdict(self) -> Verdict {
        let mut verdict = self.verdict;
        if let Some(refutation) = verdict.refutation_mut() {
            refutation.counterexample = self.counterexample;
        }
        verdict
    }
}

/// Result of an attempted proof.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Proof {
    /// The assumptions, or why there is no proof.
    pub(crate) proved: Result<Vec<Assumption>, String>,
    /// Z3's resource units.
    pub(crate) units: u64,
}

impl Stage {
    /// Runs the stage in this process.
    pub(crate) fn run(&self, source: Side<'_>, target: Side<'_>, options: &Options) -> Told {
        match self {
            Self::Bounded => Told::Checked(by_bound(source, target, options)),
            Self::Proof => Told::Proof(proof::prove(source, target, options)),
            Self::Deeper { verdict, spent, suspected } => {
                Told::Checked(by_more(source, target, options, (verdict.clone(), *spent), *suspected))
            }
        }
    }
}

/// Divisor of the bounded check's initial budget if a proof follows, which makes most of the check superfluous. Without
/// a proof the check gets the full budget later.
const AT_FIRST: u32 = 8;

/// Whether the bounded check starts with the budget divided by [`AT_FIRST`].
fn begins_with_a_part(source: Side<'_>, target: Side<'_>, options: &Options) -> bool {
    options.induction && (has_loop(source) || has_loop(target))
}

fn by_bound(source: Side<'_>, target: Side<'_>, options: &Options) -> Checked {
    let divisor = if begins_with_a_part(source, target, options) { AT_FIRST } else { 1 };
    let options = Options { rlimit: options.rlimit / divisor, ..options.clone() };
    let (verdict, units) = bounded::check(source, target, &options);
    Checked::new(verdict, units)
}

fn by_more(
    source: Side<'_>,
    target: Side<'_>,
    options: &Options,
    (mut verdict, mut spent): (Verdict, u64),
    suspected: bool,
) -> Checked {
    let mut units = 0;
    if begins_with_a_part(source, target, options) && may_improve(&verdict, options) {
        let (whole, more) = bounded::check(source, target, options);
        units += more;
        if !whole.is_open() || bound_of(&whole) >= bound_of(&verdict) {
            (verdict, spent) = (whole, more);
        }
    }
    let verdict = deeper::improve(source, target, options, verdict, suspected);
    let (verdict, raising) = bounded::raise((source, target), options, verdict, spent);
    Checked::new(verdict, units + raising)
}

/// Whether a larger budget might improve `verdict`.
fn may_improve(verdict: &Verdict, options: &Options) -> bool {
    match verdict {
        Verdict::RefinesUpTo { bound, .. } => *bound < options.bound,
        Verdict::Inconclusive { reason } => matches!(
            reason,
            Reason::Time { .. } | Reason::Budget { .. } | Reason::Memory { .. } | Reason::Solver { .. }
        ),
        Verdict::RefinesAll { .. }
        | Verdict::Refuted(_)
        | Verdict::RefutedByUndef { .. }
        | Verdict::Vacuous { .. }
        | Verdict::InternalError(_) => false,
    }
}

/// The bound of a bounded verdict.
fn bound_of(verdict: &Verdict) -> Option<u32> {
    if let Verdict::RefinesUpTo { bound, .. } = verdict { Some(*bound) } else { None }
}

/// Whether a proof would be stronger than `verdict`, that of the bounded check.
pub(crate) fn wants_proof(verdict: &Verdict, options: &Options) -> bool {
    options.induction && verdict.is_open()
}

/// Whether the solver found an undef input that may refute the pair.
fn needs_undef_input(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Inconclusive { reason: Reason::UndefInput { .. } })
}

/// Combines the stages: `proof` and `deeper` are called if the earlier stages leave the pair open, the latter with the
/// fields of [`Stage::Deeper`]. A stage that fails returns a verdict as its error.
///
/// # Errors
///
/// The verdict of a stage that failed.
pub(crate) fn together(
    options: &Options,
    checked: Checked,
    proof: impl FnOnce() -> Result<Proof, Verdict>,
    deeper: impl FnOnce(Verdict, u64) -> Result<Checked, Verdict>,
) -> Result<Report, Verdict> {
    let spent = checked.units;
    let (mut verdict, mut units) = (checked.into_verdict(), spent);
    let mut unproved = None;
    if wants_proof(&verdict, options) {
        let proof = proof()?;
        units += proof.units;
        match proof.proved {
            // A counterexample that needs an undef input stays open.
            Ok(assumed) if needs_undef_input(&verdict) && assumed.contains(&Assumption::NoUndefInputs) => {
                unproved = Some("it is proved, if no input is undef".to_owned());
            }
            Ok(assumed) => verdict = Verdict::RefinesAll { method: Method::Induction, assumed },
            Err(why) => unproved = Some(why),
        }
    }
    if verdict.is_open() {
        let checked = deeper(verdict, spent)?;
        units += checked.units;
        verdict = checked.into_verdict();
    }
    Ok(Report { rlimit: units, unproved, ..Report::new(verdict) })
}

/// Runs all stages in sequence, in this process.
pub(crate) fn in_order(source: Side<'_>, target: Side<'_>, options: &Options, suspected: bool) -> Report {
    let deeper = |verdict, spent| Ok(by_more(source, target, options, (verdict, spent), suspected));
    let proof = || Ok(proof::prove(source, target, options));
    let report = together(options, by_bound(source, target, options), proof, deeper);
    report.unwrap_or_else(Report::new)
}
