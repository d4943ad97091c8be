//! Proofs of refinement for all iterations.
//!
//! Both functions are cut at the headers of their cycles. A proof goes from pairs of cuts to pairs of cuts: the target
//! takes one segment, the source as many as a schedule says, and facts of the states at the cuts are kept. The schedule
//! is read off runs of both, the facts are those that hold in the runs and follow from each other (Houdini). What is found
//! is a certificate; it counts only if it is shown anew, step by step, by questions to the solver of which each stands
//! for itself.
//!
//! | file | holds |
//! |---|---|
//! | `program` | cuts, and the state at each |
//! | `promises` | what a target may not say beyond its source |
//! | `product` | the questions: one step of both sides |
//! | `relation` | facts |
//! | `certificate` | what a proof is, and its check |
//! | `samples`, `runs`, `align`, `candidates`, `recurrence`, `gather`, `search` | how one is found |
//! | `solve`, `places` | what is given put into what is asked; which places in memory are the same |
//! | `ask`, `plain`, `polynomial` | the way to the solver, without a look at memory, past products |
//! | `narrow`, `rescale` | the search over narrower integers, and what it says of the pair itself |
//! | `needed` | what of a proof is needed |
//! | `text` | how it is told |
//!
//! A proof is found for inputs without undef bits; then it is tried for those with them, and the answer says so where
//! that fails.

mod align;
mod ask;
mod candidates;
mod certificate;
mod gather;
mod narrow;
mod needed;
mod places;
mod plain;
mod polynomial;
mod product;
mod program;
mod promises;
mod question;
mod recurrence;
mod relation;
mod rescale;
mod runs;
mod samples;
mod search;
mod solve;
mod state;
mod steering;
mod step;
mod text;
mod unify;

use crate::encode::world::{Side, Uninit};
use crate::limits::Limits;
use crate::refinement::{Assumption, FunctionRef, inputs};
use crate::solver::Cost;
use ask::Asker;
use backedge_ir::inst::{InstKind, Value};
use certificate::{Draft, Flaw};
use narrow::Narrow;
use product::Pair;
use runs::Runner;
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};
use text::Speller;

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
    Refines {
        /// Why.
        certificate: Certificate,
        /// What was assumed of inputs beyond the attributes.
        assumed: Vec<Assumption>,
    },
    /// No proof was found, which says nothing about the pair.
    NotProved(String),
}

/// Why a target refines its source: to be read, kept, and checked again with [`recheck`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Certificate {
    /// The proof in words.
    pub shown: Vec<String>,
    /// Whether it holds for inputs with undef bits too.
    undef: bool,
    draft: Draft,
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
    let run = Run { source, target, options, limits: options.limits() };
    let mut asker = run.asker();
    let outcome = match run.search(&mut asker) {
        Err(why) => Outcome::NotProved(why),
        Ok((draft, shown)) if !inputs::may_be_undef(source, target) => {
            let certificate = Certificate { shown, undef: false, draft };
            Outcome::Refines { certificate, assumed: Vec::new() }
        }
        Ok((draft, shown)) if !options.undef_inputs => {
            let certificate = Certificate { shown, undef: false, draft };
            Outcome::Refines { certificate, assumed: vec![Assumption::NoUndefInputs] }
        }
        Ok((draft, shown)) => {
            // The same again with inputs that may be undef.
            match run.with_pair((true, &draft.cuts), |pair| search::with_undef(pair, &draft, &mut asker)) {
                Ok((draft, shown)) => {
                    let certificate = Certificate { shown, undef: true, draft };
                    Outcome::Refines { certificate, assumed: Vec::new() }
                }
                Err(_) => {
                    let certificate = Certificate { shown, undef: false, draft };
                    Outcome::Refines { certificate, assumed: vec![Assumption::NoUndefInputs] }
                }
            }
        }
    };
    Report { outcome, cost: asker.cost }
}

/// Checks a certificate anew, with nothing but the two functions and the solver.
pub fn recheck(
    source: FunctionRef<'_>,
    target: FunctionRef<'_>,
    certificate: &Certificate,
    options: &Options,
) -> Report {
    let run = Run { source, target, options, limits: options.limits() };
    let mut asker = run.asker();
    let found = run.with_pair((certificate.undef, &certificate.draft.cuts), |pair| {
        let runner = Runner::new(pair).map_err(Flaw::Reason)?;
        let shapes = |side: Side, cut: usize| runner.shape(side, cut).clone();
        certificate::verify(pair, &shapes, &certificate.draft, &mut asker)?;
        Ok(certificate.draft.clone())
    });
    let outcome = match found {
        Ok((draft, shown)) => {
            let open = !certificate.undef && inputs::may_be_undef(source, target);
            let assumed = open.then_some(Assumption::NoUndefInputs).into_iter().collect();
            let certificate = Certificate { shown, undef: certificate.undef, draft };
            Outcome::Refines { certificate, assumed }
        }
        Err(why) => Outcome::NotProved(why),
    };
    Report { outcome, cost: asker.cost }
}

impl Options {
    fn limits(&self) -> Limits {
        Limits::new(Instant::now(), self.time, self.units)
    }
}

/// The part of the units that is for a short search first.
const SHORT: u64 = 16;
/// The part of the units that is not for the first search where addresses are computed: over narrower integers their
/// indices are extended, and it is no more seen at once which of them are the same.
const ACCESSES: u64 = 4;
/// The part of the units that is for the search over narrower integers.
const NARROW: u64 = 2;

/// Whether a function computes addresses from numbers.
fn computes_addresses(function: FunctionRef<'_>) -> bool {
    function.module.body(function.func).is_some_and(|body| {
        body.all_insts().any(|inst| {
            let data = body.inst(inst);
            let open = |value: &Value| !matches!(value, Value::Const(_));
            matches!(data.kind, InstKind::Gep { .. }) && data.operands.iter().skip(1).any(open)
        })
    })
}

/// An attempt.
struct Run<'a, 'm> {
    source: FunctionRef<'m>,
    target: FunctionRef<'m>,
    options: &'a Options,
    limits: Limits,
}

impl Run<'_, '_> {
    fn asker(&self) -> Asker {
        let Options { units, memory, .. } = *self.options;
        Asker { units, memory, limits: self.limits, cost: Cost::default(), open: 0, hint: None }
    }
    /// A proof for inputs without undef bits. A short search comes first; where the solver left questions open, one over
    /// narrower integers, whose questions are small; then a long one.
    fn search(&self, asker: &mut Asker) -> Result<(Draft, Vec<String>), String> {
        let all = asker.units;
        let Some(narrow) = narrow::narrow(self.source, self.target) else { return self.search_as_is(asker) };
        let accesses = [self.source, self.target].into_iter().any(computes_addresses);
        asker.units = if accesses { all - all / ACCESSES } else { all / SHORT };
        let first = self.search_as_is(asker);
        if first.is_ok() || asker.open == 0 {
            asker.units = all;
            return first;
        }
        asker.units = all.min(asker.cost.units + all / NARROW);
        let found = self.search_narrow(&narrow, all, asker);
        asker.units = all;
        match found {
            Some(found) => Ok(found),
            // What the first one came to says more than that there is nothing to search with.
            None if asker.left() == 0 => first,
            None => self.search_as_is(asker),
        }
    }
    /// A proof that was found over narrower integers and holds of the pair too: to see that may take up to `all` units.
    fn search_narrow(&self, narrow: &Narrow, all: u64, asker: &mut Asker) -> Option<(Draft, Vec<String>)> {
        let source = FunctionRef { module: &narrow.source, func: self.source.func };
        let target = FunctionRef { module: &narrow.target, func: self.target.func };
        let small = Run { source, target, options: self.options, limits: self.limits };
        let (found, _) = small.search_as_is(asker).ok()?;
        let core = small.with_pair((false, &found.cuts), |pair| needed::core(pair, &found, asker));
        asker.units = all;
        let drafts = core.into_iter().map(|(core, _)| core).chain([found.clone()]);
        let checked = self.with_pair((false, &found.cuts), |pair| {
            let mut last = Flaw::Cuts;
            for draft in drafts {
                match search::from_facts(pair, &rescale::rescale(pair, &narrow.widths, &draft), asker) {
                    Ok(draft) => return Ok(draft),
                    Err(flaw) => last = flaw,
                }
            }
            Err(last)
        });
        checked.ok()
    }
    /// A proof that is searched for as the pair is: with the source cut where the target's cuts lie in it, and without.
    fn search_as_is(&self, asker: &mut Asker) -> Result<(Draft, Vec<String>), String> {
        let all = asker.units;
        let cuts = search::likely_cuts(self.source, self.target);
        if !cuts.is_empty() {
            asker.units = asker.cost.units + asker.left() / 2;
            let found = self.with_pair((false, &cuts), |pair| search::search(pair, asker));
            asker.units = all;
            if found.is_ok() {
                return found;
            }
        }
        self.with_pair((false, &[]), |pair| search::search(pair, asker))
    }
    /// What `find` finds for the pair, cut at `cuts` too, with its text, or why it finds nothing.
    fn with_pair(
        &self,
        (undef, cuts): (bool, &[u32]),
        find: impl FnOnce(&Pair<'_>) -> Result<Draft, Flaw>,
    ) -> Result<(Draft, Vec<String>), String> {
        let pair = Pair::new(self.source, self.target, self.options.uninit, undef, cuts, self.limits)
            .map_err(|reason| text::reason_text(&reason))?;
        if let Some(what) = promises::more_promised(&pair.source, &pair.target) {
            return Err(what);
        }
        let speller = Speller { pair: &pair };
        match find(&pair) {
            Ok(draft) => {
                let shown = speller.draft(&draft);
                Ok((draft, shown))
            }
            Err(flaw) => Err(speller.flaw(&flaw)),
        }
    }
}
