//! The portfolio's last engine: a proof for all iterations, tried if the bounded check finds nothing up to its bound.

use super::Proof;
use super::bounded::{assumption, uninit};
use crate::pair::{Side, as_ref};
use crate::verdict::Options;
use backedge_smt::proof::{self, Outcome};

/// Attempts a proof.
pub(crate) fn prove(source: Side<'_>, target: Side<'_>, options: &Options) -> Proof {
    let report = proof::prove(as_ref(source), as_ref(target), &limits(options));
    let proved = match report.outcome {
        Outcome::Refines(proved) => Ok(proved.assumed().iter().cloned().map(assumption).collect()),
        Outcome::NotProved(why) => Err(why),
    };
    Proof { proved, units: report.cost.units }
}

/// The limits of a proof.
pub(crate) fn limits(options: &Options) -> proof::Options {
    proof::Options {
        units: u64::from(options.rlimit),
        time: options.timeout,
        memory: options.memory_mb,
        uninit: uninit(options),
        undef_inputs: options.undef_inputs,
    }
}
