//! Proofs of refinement for all iterations, as docs/proofs.md explains.
//!
//! Both functions are cut at the headers of their cycles. A proof goes from pairs of cuts to pairs of cuts: the target
//! takes one segment, the source as many as a schedule says, and facts of the states at the cuts are kept. The schedule
//! is read from runs of both; the facts are those that hold in the runs and follow from each other (Houdini). What the
//! search finds is a certificate. It counts only if the check shows it, step by step, by questions to the solver.
//!
//! | folder or file | contents | trusted |
//! |---|---|---|
//! | `lang` | the language of proofs: facts, steps, certificates | yes |
//! | `vc` | verification conditions: segments, states at cuts, the question of one step | yes |
//! | `decide` | sound rewriting of questions, and the way to the solver | yes |
//! | `check` | shows that a certificate is a proof; the only file that constructs [`Proved`] | yes |
//! | `find` | the search for certificates | no |
//! | `text` | proofs and flaws in words | no |
//!
//! A test computes the imports of `check` and rejects `find` among them.
//!
//! A proof is found for inputs without undef bits. Then the same steps are tried for inputs with undef bits, and the answer
//! says so where that fails.

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
use crate::refinement::{FunctionRef, inputs};
use crate::solver::Cost;
use decide::ask::Asker;
use find::strategy::Strategy;
use std::time::{Duration, Instant};
use text::{Speller, reason_text, spelled};
use vc::pair::Pair;

/// How hard to try.
#[derive(Clone, Debug)]
pub struct Options {
    /// Resource units for all questions together.
    pub units: u64,
    /// Wall-clock time for everything together.
    pub time: Duration,
    /// Megabytes for a question.
    pub memory: u32,
    /// What reading uninitialised memory gives.
    pub uninit: Uninit,
    /// Whether inputs may be undef. If not, a proof for those that are is not looked for.
    pub undef_inputs: bool,
}

/// The answer.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// Each run of the target is allowed by the source, however long.
    Refines(Proved),
    /// No proof was found, which says nothing about the pair.
    NotProved(String),
}

/// The answer, and what it took.
#[derive(Clone, Debug)]
pub struct Report {
    /// The answer.
    pub outcome: Outcome,
    /// What the questions used up.
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

/// Checks a certificate anew, with nothing but the two functions and the solver.
pub fn recheck(
    source: FunctionRef<'_>,
    target: FunctionRef<'_>,
    certificate: &Certificate,
    options: &Options,
) -> Report {
    let mut asker = options.asker();
    let Certificate { undef, draft, .. } = certificate;
    let checked = Pair::new(source, target, options.uninit, *undef, &draft.cuts, asker.limits)
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
    /// An asker with the whole budget.
    fn asker(&self) -> Asker {
        let Self { units, memory, .. } = *self;
        Asker { units, memory, limits: self.limits(), cost: Cost::default(), open: 0, hint: None }
    }
}
