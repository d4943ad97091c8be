//! The portfolio's stages that ask the solver, each to be asked by itself: in this process, or in workers ([`crate::worker`])
//! of which one may be at the proof while another one is at the bounded check. How they are put together is the same
//! either way: a stage counts only where those before it leave the pair open.

pub(crate) mod identical;

use crate::bounded;
use crate::check::{Options, Report, Side};
use crate::deeper::{self, has_loop, is_open};
use crate::unbounded;
use crate::verdict::{Assumption, Method, Reason, Verdict};
use crate::witness::Counterexample;
use serde::{Deserialize, Serialize};

/// A stage.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Stage {
    /// The bounded check, with a part of the budget where a proof may come after it.
    Bounded,
    /// A proof for all iterations.
    Proof,
    /// The bounded check with all of the budget, long runs, and higher bounds, for a pair on which the stages before came to `verdict`, the bounded check with `spent`
    /// units.
    Deeper { verdict: Verdict, spent: u64, suspected: bool },
}

/// What a stage came to. It has no tag within: serde can't read wide numbers of such, and witnesses have 128 bits.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Told {
    /// [`Stage::Bounded`], or [`Stage::Deeper`].
    Checked(Checked),
    /// [`Stage::Proof`].
    Proof(Proof),
}

/// A verdict and what it took.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Checked {
    pub(crate) verdict: Verdict,
    /// Z3's resource units.
    pub(crate) units: u64,
    /// Of a refutation: what is no part of records.
    counterexample: Option<Box<Counterexample>>,
}

impl Checked {
    pub(crate) fn new(verdict: Verdict, units: u64) -> Self {
        let counterexample = verdict.refutation().and_then(|refutation| refutation.counterexample.clone());
        Self { verdict, units, counterexample }
    }

    /// The verdict with all that belongs to it.
    fn into_verdict(self) -> Verdict {
        let mut verdict = self.verdict;
        if let Some(refutation) = verdict.refutation_mut() {
            refutation.counterexample = self.counterexample;
        }
        verdict
    }
}

/// What came of an attempt at a proof.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Proof {
    /// What was assumed, or why there is none.
    pub(crate) proved: Result<Vec<Assumption>, String>,
    /// Z3's resource units.
    pub(crate) units: u64,
}

impl Stage {
    /// The stage, done here and now.
    pub(crate) fn run(&self, source: Side<'_>, target: Side<'_>, options: &Options) -> Told {
        match self {
            Self::Bounded => Told::Checked(by_bound(source, target, options)),
            Self::Proof => Told::Proof(unbounded::prove(source, target, options)),
            Self::Deeper { verdict, spent, suspected } => {
                Told::Checked(by_more(source, target, options, (verdict.clone(), *spent), *suspected))
            }
        }
    }
}

/// The budget is divided by this for the first bounded check if a proof is to follow: a proof makes most of it
/// superfluous. The check has the whole budget if there is no proof.
const AT_FIRST: u32 = 8;

/// Whether the bounded check has only [`AT_FIRST`] to begin with.
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
    if begins_with_a_part(source, target, options) && falls_short(&verdict, options) {
        let (whole, more) = bounded::check(source, target, options);
        units += more;
        if !is_open(&whole) || bound_of(&whole) >= bound_of(&verdict) {
            (verdict, spent) = (whole, more);
        }
    }
    let verdict = deeper::improve(source, target, options, verdict, suspected);
    let (verdict, raising) = bounded::raise((source, target), options, verdict, spent);
    Checked::new(verdict, units + raising)
}

/// Whether a greater budget might give more than `verdict`.
fn falls_short(verdict: &Verdict, options: &Options) -> bool {
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

/// The bound that the verdict holds up to, if it does.
fn bound_of(verdict: &Verdict) -> Option<u32> {
    if let Verdict::RefinesUpTo { bound, .. } = verdict { Some(*bound) } else { None }
}

/// Whether a proof would say more than `verdict`, that of the bounded check.
pub(crate) fn wants_proof(verdict: &Verdict, options: &Options) -> bool {
    options.induction && is_open(verdict)
}

/// Whether the solver found an undef input that may refute the pair.
fn of_undef(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Inconclusive { reason: Reason::UndefInput { .. } })
}

/// What the stages come to together: `proof` and `deeper` are asked where the stages before them leave something open, the
/// latter with what a [`Stage::Deeper`] is about. A stage that can't be done at all has a verdict for an error.
///
/// # Errors
///
/// The verdict that stands in the way of one.
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
            Ok(assumed) if of_undef(&verdict) && assumed.contains(&Assumption::NoUndefInputs) => {
                unproved = Some("it is proved, if no input is undef".to_owned());
            }
            Ok(assumed) => verdict = Verdict::RefinesAll { method: Method::Induction, assumed },
            Err(why) => unproved = Some(why),
        }
    }
    if is_open(&verdict) {
        let checked = deeper(verdict, spent)?;
        units += checked.units;
        verdict = checked.into_verdict();
    }
    Ok(Report { rlimit: units, unproved, ..Report::new(verdict) })
}

/// All stages, one behind the other, here and now.
pub(crate) fn in_order(source: Side<'_>, target: Side<'_>, options: &Options, suspected: bool) -> Report {
    let deeper = |verdict, spent| Ok(by_more(source, target, options, (verdict, spent), suspected));
    let proof = || Ok(unbounded::prove(source, target, options));
    let report = together(options, by_bound(source, target, options), proof, deeper);
    report.unwrap_or_else(Report::new)
}
