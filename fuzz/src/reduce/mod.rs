//! Making a module smaller while it stays interesting: delta debugging (Zeller and Hildebrandt, "Simplifying and Isolating
//! Failure-Inducing Input", 2002) with the edits of a compiler.
//!
//! [`reduce`] goes through [`passes`], each a list of edits that is tried in chunks, until none of them gets anywhere; then
//! it tries steps that make the module larger first (a loop's iteration peeled, a shared exit split), and keeps them if
//! what follows is smaller in the end. What is interesting often is so for several reasons, and the first way down may
//! have lost the simplest: in the end the passes go down from the beginning once more, in another order. What smaller means
//! is a fixed total order, [`Size`] and then the text, in which every step goes down: so the search ends, and a result is
//! the smallest that these edits reach one by one.
//!
//! Functions with code that is not modelled are shortened as text (`passes::text`), with the same order and the same search.
//!
//! Candidates pass the verifier before they are tested; no text is tested twice. What is interesting is the caller's to
//! say ([`Test`]). The result does not depend on the number of threads (`search`); a limit on tries keeps it so, one on
//! time does not.

pub(crate) mod edit;
mod pair;
mod passes;
mod program;
mod search;
mod size;
#[cfg(test)]
mod tests;

pub use size::Size;

use backedge_ir::module::Module;
use program::Program;
use search::{Search, State};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Says what is interesting.
pub trait Test: Sync {
    /// Whether the module with that text still is. Asked from several threads. Where `stop` says so nobody waits for the answer
    /// any more, and none is an answer too.
    ///
    /// # Errors
    ///
    /// If that can't be found out, for a reason that has nothing to do with the text: the reduction ends.
    fn is_interesting(&self, text: &str, stop: &Stop<'_>) -> Result<bool, String>;
    /// Whether the function called `name` does in the module `after` what it does in `before`, as far as shows quickly: asked
    /// where [`Options::pairs`] has one function of a pair changed alone.
    fn does_the_same(&self, before: &str, after: &str, name: &str) -> bool {
        let _ = (before, after, name);
        true
    }
    /// That text, which is interesting, is what the search goes on from.
    fn accepted(&self, text: &str) {
        let _ = text;
    }
}

/// Says whether it is to end.
pub type Stop<'a> = dyn Fn() -> bool + Sync + 'a;

/// Who wants to know how it goes.
pub trait Watch {
    /// So many texts were tested, and this is the size of the smallest that is interesting.
    fn tried(&mut self, tries: u64, size: &Size) {
        let _ = (tries, size);
    }
    /// A smaller one was found.
    fn improved(&mut self, text: &str, size: &Size) {
        let _ = (text, size);
    }
}

impl Watch for () {}

/// Limits of a reduction.
#[derive(Copy, Clone, Debug)]
pub struct Options<'a> {
    /// Texts that are tested at most.
    pub max_tries: u64,
    /// Wall-clock time from when it is known to be interesting at first; none is without end. What is tested then is not waited
    /// for.
    pub time: Option<Duration>,
    /// Ends it when it is set.
    pub stop: Option<&'a AtomicBool>,
    /// Whether steps that make the module larger are tried.
    pub grow: bool,
    /// Whether what is left gets short names in the end.
    pub rename: bool,
    /// Whether functions `@src…` and `@tgt…` are compared: what is changed in one is changed in the other, or does the same.
    pub pairs: bool,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self { max_tries: u64::MAX, time: None, stop: None, grow: true, rename: true, pairs: false }
    }
}

/// Why a reduction ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ended {
    /// Nothing smaller was left to try.
    Smallest,
    /// The limit on tries.
    Tries,
    /// The limit on time.
    Time,
    /// Somebody asked for it.
    Interrupted,
    /// It could not be found out whether a text is interesting.
    Failed(String),
}

/// What came of a reduction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reduced {
    /// The smallest interesting text that was found.
    pub text: String,
    /// Its size.
    pub size: Size,
    /// The size of what there was at first.
    pub first: Size,
    /// How many texts were tested.
    pub tries: u64,
    /// Why it ended.
    pub ended: Ended,
}

/// Makes `module` smaller while `test` says that it is interesting. `None` if it is not at first, in the printer's spelling;
/// nothing has been tried then.
///
/// # Errors
///
/// If it can't be found out whether it is interesting at first.
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
    if options.grow && search.best.size.instructions >= WORTH_ANOTHER_WAY {
        let tries = search.tries;
        if search.another_way(first.clone(), tries, &passes::shrink_otherwise) {
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

/// As many instructions make it worth looking for another way down.
const WORTH_ANOTHER_WAY: usize = 4;

fn go_down(search: &mut Search<'_>, options: &Options<'_>) {
    loop {
        passes::shrink(search);
        if search.is_over() || !options.grow || !passes::grow(search) {
            return;
        }
    }
}
