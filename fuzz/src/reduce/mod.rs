//! Test-case reduction: makes a module smaller while it stays interesting. The algorithm is delta debugging (Zeller
//! and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", 2002) with IR edits.
//!
//! [`reduce`] runs the [`passes`], each a list of edits that is tried in chunks, until none makes progress. Then it
//! tries steps that first make the module larger (peeling a loop iteration, splitting a shared exit), and keeps them
//! if the subsequent reduction ends smaller. A module is often interesting for several reasons, and the first descent
//! may lose the simplest of them; so the passes finally run once more from the original module, in another order.
//! "Smaller" is a fixed total order, [`Size`] and then the text. Every step decreases in it, so the search
//! terminates, and the result is a local minimum for single edits.
//!
//! Functions with unsupported instructions are reduced as text (`passes::text`), with the same order and the same
//! search.
//!
//! Candidates pass the verifier before they are tested, and no text is tested twice. The caller defines what is
//! interesting ([`Test`]). The result does not depend on the number of threads (`search`), nor does a limit on tries
//! change that; a time limit does.

pub(crate) mod edit;
mod pair;
mod passes;
mod program;
mod search;
mod size;
mod state;
#[cfg(test)]
mod tests;

pub use passes::{DeltaPass, PASSES};
pub use size::Size;

use backedge_ir::module::Module;
use program::Program;
use search::Search;
use state::State;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Decides which modules are interesting.
pub trait Test: Sync {
    /// Whether the module with that text is interesting. Called from several threads. Once `stop` returns true nobody
    /// waits for the answer, so any answer is acceptable.
    ///
    /// # Errors
    ///
    /// If the question can't be answered for a reason unrelated to the text; this ends the reduction.
    fn is_interesting(&self, text: &str, stop: &Stop<'_>) -> Result<bool, String>;
    /// Whether the function called `name` behaves in `after` as in `before`, as far as a quick check shows. Called if
    /// [`Options::pairs`] is set and an edit changes only one function of a pair.
    fn behaves_the_same(&self, before: &str, after: &str, name: &str) -> bool {
        let _ = (before, after, name);
        true
    }
    /// Called when the search continues from that interesting text.
    fn accepted(&self, text: &str) {
        let _ = text;
    }
}

/// Returns whether the test should end.
pub type Stop<'a> = dyn Fn() -> bool + Sync + 'a;

/// Observer of a reduction.
pub trait Watch {
    /// The number of tested texts so far, and the size of the smallest interesting one.
    fn tried(&mut self, tries: u64, size: &Size) {
        let _ = (tries, size);
    }
    /// A smaller interesting text was found.
    fn improved(&mut self, text: &str, size: &Size) {
        let _ = (text, size);
    }
}

impl Watch for () {}

/// Limits of a reduction.
#[derive(Copy, Clone, Debug)]
pub struct Options<'a> {
    /// Maximum number of tested texts.
    pub max_tries: u64,
    /// Time limit, from the moment the input is known to be interesting; `None` for no limit. Tests that run at the
    /// limit are abandoned.
    pub time: Option<Duration>,
    /// Ends the reduction when set.
    pub stop: Option<&'a AtomicBool>,
    /// Whether to try steps that first make the module larger.
    pub grow: bool,
    /// Whether to give the result short names.
    pub rename: bool,
    /// Whether functions `@src…` and `@tgt…` form pairs: an edit applies to both functions, or preserves the behavior
    /// of the one it changes.
    pub pairs: bool,
    /// The delta passes that run.
    pub passes: PassSet,
    /// Maximum number of rounds over the delta passes in each descent.
    pub max_rounds: u64,
}

/// A set of delta passes ([`PASSES`]).
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct PassSet(u32);

impl PassSet {
    /// All passes.
    pub const ALL: Self = Self((1 << PASSES.len()) - 1);
    /// No pass.
    pub const NONE: Self = Self(0);

    /// The set with the pass called `name` too; `None` if there is no such pass.
    pub fn with(self, name: &str) -> Option<Self> {
        Some(Self(self.0 | Self::bit(name)?))
    }
    /// The set without the pass called `name`; `None` if there is no such pass.
    pub fn without(self, name: &str) -> Option<Self> {
        Some(Self(self.0 & !Self::bit(name)?))
    }
    fn bit(name: &str) -> Option<u32> {
        PASSES.iter().position(|pass| pass.name == name).map(|at| 1 << at)
    }
    fn contains(self, name: &str) -> bool {
        Self::bit(name).is_some_and(|bit| self.0 & bit != 0)
    }
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self {
            max_tries: u64::MAX,
            time: None,
            stop: None,
            grow: true,
            rename: true,
            pairs: false,
            passes: PassSet::ALL,
            max_rounds: u64::MAX,
        }
    }
}

/// Why a reduction ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ended {
    /// No smaller candidate was left.
    Smallest,
    /// The limit on tries was reached.
    Tries,
    /// The time limit was reached.
    Time,
    /// The user interrupted it.
    Interrupted,
    /// The test failed to answer.
    Failed(String),
}

/// Result of a reduction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reduced {
    /// The smallest interesting text found.
    pub text: String,
    /// Its size.
    pub size: Size,
    /// The size of the input.
    pub first: Size,
    /// The number of tested texts.
    pub tries: u64,
    /// Why it ended.
    pub ended: Ended,
}

/// Reduces `module` while `test` accepts it. Returns `None` if the input itself, as printed, is not interesting;
/// nothing has been tried then.
///
/// # Errors
///
/// If the test can't decide whether the input is interesting.
pub fn reduce(
    module: Module,
    test: &dyn Test,
    options: &Options<'_>,
    watch: &mut dyn Watch,
) -> Result<Option<Reduced>, String> {
    let first = State::new(Program::new(module));
    let stopped = || options.stop.is_some_and(|stop| stop.load(Ordering::SeqCst));
    if !test.is_interesting(&first.text, &stopped)? {
        return Ok(None);
    }
    test.accepted(&first.text);
    let mut search = Search::new(test, options, watch, first.clone());
    go_down(&mut search, options);
    if options.grow && search.best.size.instructions >= MIN_FOR_SECOND_DESCENT {
        let tries = search.tries;
        if search.try_second_descent(first.clone(), tries, &passes::shrink_otherwise) {
            go_down(&mut search, options);
        }
    }
    if options.rename && search.ended.is_none() {
        passes::rename(&mut search);
    }
    Ok(Some(Reduced {
        text: search.best.text,
        size: search.best.size,
        first: first.size,
        tries: search.tries + 1,
        ended: search.ended.unwrap_or(Ended::Smallest),
    }))
}

/// Minimum number of instructions for which a second descent is worthwhile.
const MIN_FOR_SECOND_DESCENT: usize = 4;

fn go_down(search: &mut Search<'_>, options: &Options<'_>) {
    loop {
        passes::shrink(search);
        if search.is_over() || !options.grow || !passes::grow(search) {
            return;
        }
    }
}
