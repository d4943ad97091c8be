//! The portfolio's stages that ask the solver, each to be asked by itself: in this process, or in workers ([`crate::worker`])
//! of which one may be at the proof while another one is at the bounded check. How they are put together is the same
//! either way: a stage counts only where those before it leave the pair open.

use crate::bounded;
use crate::check::{Options, Report, Side};
use crate::deeper::{self, is_open};
use crate::unbounded;
use crate::verdict::{Assumption, Method, Verdict};
use crate::witness::Counterexample;
use serde::{Deserialize, Serialize};

/// A stage.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Stage {
    /// The bounded check.
    Bounded,
    /// A proof for all iterations.
    Proof,
    /// Long runs, and higher bounds, for a pair on which the stages before came to `verdict`, the bounded check with `spent`
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
        let counterexample = match &verdict {
            Verdict::Refuted(refutation) => refutation.counterexample.clone(),
            _ => None,
        };
        Self { verdict, units, counterexample }
    }

    /// The verdict with all that belongs to it.
    fn into_verdict(self) -> Verdict {
        let mut verdict = self.verdict;
        if let Verdict::Refuted(refutation) = &mut verdict {
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

fn by_bound(source: Side<'_>, target: Side<'_>, options: &Options) -> Checked {
    let (verdict, units) = bounded::check(source, target, options);
    Checked::new(verdict, units)
}

fn by_more(
    source: Side<'_>,
    target: Side<'_>,
    options: &Options,
    (verdict, spent): (Verdict, u64),
    suspected: bool,
) -> Checked {
    let verdict = deeper::improve(source, target, options, verdict, suspected);
    let (verdict, units) = bounded::raise((source, target), options, verdict, spent);
    Checked::new(verdict, units)
}

/// Whether a proof would say more than `verdict`, that of the bounded check.
pub(crate) fn wants_proof(verdict: &Verdict, options: &Options) -> bool {
    options.induction && is_open(verdict)
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
