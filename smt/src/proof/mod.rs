//! Proofs of refinement for all iterations, as docs/proofs.md explains.
//!
//! Both functions are cut at the headers of their cycles. A proof relates pairs of cuts: in one step the target takes
//! one segment, the source takes as many segments as a schedule says, and facts about the states at the cuts are
//! preserved. The search reads the schedule from sample runs of both functions. Candidate facts are those that hold in
//! the runs; Houdini drops the candidates that are not inductive. The search returns a certificate. The certificate
//! counts only if the check proves each of its steps with solver queries.
//!
//! | folder or file | contents | trusted |
//! |---|---|---|
//! | `lang` | the language of proofs: facts, steps, certificates | yes |
//! | `vc` | verification conditions: segments, states at cuts, the query of one step | yes |
//! | `decide` | sound rewriting of queries, and access to the solver | yes |
//! | `check` | checks certificates; the only file that constructs [`Proved`] | yes |
//! | `find` | the search for certificates | no |
//! | `text` | proofs and flaws in words | no |
//!
//! The check also trusts what it imports of this crate (the encoder, terms and the access to Z3), the crates of the IR and
//! the parser, and Z3. A test (`tests/it/trusted.rs`) computes the imports of `check`, prints them, and rejects `find`
//! among them.
//!
//! The search first assumes inputs without undef bits. It then tries the same steps for inputs with undef bits; if that
//! fails, the answer records the assumption.

mod check;
mod decide;
mod find;
mod lang;
mod text;
mod vc;

pub use check::Proved;
pub use lang::certificate::Certificate;

use crate::encode::world::Uninit;
use crate::limits::Limits;
use crate::refinement::FunctionRef;
use crate::refinement::inputs::{self, Given};
use crate::solver::Cost;
use decide::ask::Asker;
use find::strategy::Strategy;
use std::time::{Duration, Instant};
use text::{Speller, reason_text, spelled};
use vc::pair::Pair;

/// Limits and assumptions of a proof attempt.
#[derive(Clone, Debug)]
pub struct Options {
    /// Solver resource units for all queries together.
    pub units: u64,
    /// Wall-clock time for the whole attempt.
    pub time: Duration,
    /// Memory limit of one query, in megabytes.
    pub memory: u32,
    /// The result of reading uninitialised memory.
    pub uninit: Uninit,
    /// Whether inputs may be undef. If `false`, `prove` does not try to cover undef inputs.
    pub undef_inputs: bool,
    /// Whether inputs may be poison. If `false`, `prove` assumes that arguments and initial memory hold no poison.
    pub poison_inputs: bool,
}

/// The verdict.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// The source allows each run of the target, whatever its length.
    Refines(Proved),
    /// The search found no proof, for this reason. The pair may still be correct.
    NotProved(String),
}

/// The verdict and its cost.
#[derive(Clone, Debug)]
pub struct Report {
    /// The verdict.
    pub outcome: Outcome,
    /// Resources that the queries consumed.
    pub cost: Cost,
}

/// Tries to prove that `target` refines `source`.
pub fn prove(source: FunctionRef<'_>, target: FunctionRef<'_>, options: &Options) -> Report {
    let mut asker = options.asker();
    let search = Strategy::new(source, target, options, asker.limits);
    let found = search.search(&mut asker).map(|proved| {
        let may_be_undef = options.undef_inputs && inputs::may_be_undef(source, target);
        let with_undef = may_be_undef.then(|| search.with_undef(&proved, &mut asker)).flatten();
        with_undef.unwrap_or(proved)
    });
    Report { outcome: outcome(found), cost: asker.cost }
}

/// Checks a certificate from scratch; uses only the two functions and the solver.
pub fn recheck(
    source: FunctionRef<'_>,
    target: FunctionRef<'_>,
    certificate: &Certificate,
    options: &Options,
) -> Report {
    let mut asker = options.asker();
    let Certificate { undef, poison, draft, .. } = certificate;
    let given = Given { uninit: options.uninit, undef: *undef, undef_memory: false, poison: *poison };
    let checked = Pair::new(source, target, given, &draft.cuts, asker.limits)
        .map_err(|reason| reason_text(&reason))
        .and_then(|pair| match check::verify(&pair, draft, &mut asker) {
            Ok(proved) => Ok(spelled(&pair, proved)),
            Err(flaw) => Err(Speller { pair: &pair }.flaw(&flaw)),
        });
    Report { outcome: outcome(checked), cost: asker.cost }
}

fn outcome(result: Result<Proved, String>) -> Outcome {
    match result {
        Ok(proved) => Outcome::Refines(proved),
        Err(why) => Outcome::NotProved(why),
    }
}

impl Options {
    fn limits(&self) -> Limits {
        Limits::new(Instant::now(), self.time, self.units)
    }
    /// An asker that owns the whole budget.
    fn asker(&self) -> Asker {
        let Self { units, memory, .. } = *self;
        Asker { units, memory, limits: self.limits(), cost: Cost::default(), open: 0, hint: None }
    }
}
