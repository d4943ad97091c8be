//! The search: candidates in a fixed order; the first interesting one is taken.
//!
//! Candidates are created one after another and tested in batches of the number of threads. Result, counters and
//! memory depend only on the order of candidates: when a candidate is interesting, the results of later candidates in
//! its batch are discarded. So the result does not depend on the number of threads.

use super::pair;
use super::program::Program;
use super::state::State;
use super::{Ended, Options, Test, Watch};
use backedge_validate::panics::caught;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use rustc_hash::FxHashSet;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// A change of a program; returns false if it no longer applies or changes nothing.
pub(crate) type Edit = Box<dyn Fn(&mut Program) -> bool + Send + Sync>;

/// The required size of candidates.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Wanted {
    Smaller,
    Any,
}

pub(crate) struct Search<'a> {
    test: &'a dyn Test,
    options: &'a Options<'a>,
    watch: &'a mut dyn Watch,
    pub(crate) best: State,
    /// Hashes of the tested texts.
    seen: FxHashSet<blake3::Hash>,
    pub(crate) tries: u64,
    pub(crate) ended: Option<Ended>,
    start: Instant,
    threads: usize,
    /// Whether edits are tried in reverse order.
    backwards: bool,
    /// The number of tries at which the current descent is abandoned.
    enough: u64,
    /// Number of enclosing growing steps; results within one may be discarded.
    growing: u32,
}

/// Why the search must end early, if it must.
fn early_end(options: &Options<'_>, start: Instant) -> Option<Ended> {
    if options.stop.is_some_and(|stop| stop.load(Ordering::SeqCst)) {
        return Some(Ended::Interrupted);
    }
    options.time.is_some_and(|time| start.elapsed() >= time).then_some(Ended::Time)
}

impl<'a> Search<'a> {
    pub(crate) fn new(
        test: &'a dyn Test,
        options: &'a Options<'a>,
        watch: &'a mut dyn Watch,
        first: State,
    ) -> Self {
        let seen = FxHashSet::from_iter([blake3::hash(first.text.as_bytes())]);
        Self {
            test,
            options,
            watch,
            best: first,
            seen,
            tries: 0,
            ended: None,
            start: Instant::now(),
            threads: rayon::current_num_threads().max(1),
            backwards: false,
            enough: u64::MAX,
            growing: 0,
        }
    }

    pub(crate) fn options(&self) -> &'a Options<'a> {
        self.options
    }

    /// Whether the search must end.
    pub(crate) fn is_over(&mut self) -> bool {
        if self.ended.is_none() {
            self.ended = match early_end(self.options, self.start) {
                None if self.tries >= self.options.max_tries => Some(Ended::Tries),
                ended => ended,
            };
        }
        self.ended.is_some() || self.tries >= self.enough
    }

    /// The result of applying `edits` to the best program, if it is worth a test.
    fn candidate(&self, edits: &[Edit], wanted: Wanted) -> Option<State> {
        let made = caught(|| {
            let mut program = self.best.program.clone();
            let mut changed = false;
            for edit in edits {
                changed |= edit(&mut program);
            }
            if !changed {
                return None;
            }
            program.sweep(&self.best.program);
            let program = program.read_text()?;
            program.is_valid().then(|| State::new(program))
        });
        // An edit that panics on the result of another edit does not apply.
        let state = made.ok().flatten()?;
        let all = if self.options.pairs { pair::alternatives(&self.best, state) } else { vec![state] };
        all.into_iter().find(|state| {
            let fits = wanted == Wanted::Any || state.is_smaller_than(&self.best);
            fits && !self.seen.contains(&blake3::hash(state.text.as_bytes()))
        })
    }

    /// Takes the first of `chunks` whose candidate is interesting; returns its index.
    fn first(&mut self, chunks: &[&[Edit]], wanted: Wanted) -> Option<usize> {
        let mut next = 0;
        while next < chunks.len() && !self.is_over() {
            let mut waiting: Vec<(usize, State)> = Vec::new();
            while waiting.len() < self.threads && next < chunks.len() {
                let state = self.candidate(chunks[next], wanted);
                waiting.extend(state.map(|state| (next, state)));
                next += 1;
            }
            let (test, before, options, start) = (self.test, &*self.best.text, self.options, self.start);
            let stop = || early_end(options, start).is_some();
            let test = |(_, state): &(usize, State)| state.is_interesting(before, test, &stop);
            let answers: Vec<Result<bool, String>> = match &*waiting {
                [one] => vec![test(one)],
                all => all.par_iter().map(test).collect(),
            };
            for ((at, state), answer) in waiting.into_iter().zip(answers) {
                if self.is_over() {
                    return None;
                }
                if !self.seen.insert(blake3::hash(state.text.as_bytes())) {
                    continue;
                }
                self.tries += 1;
                match answer {
                    Ok(false) => {}
                    Ok(true) => {
                        self.take(state);
                        return Some(at);
                    }
                    Err(why) => {
                        self.ended = Some(Ended::Failed(why));
                        return None;
                    }
                }
            }
            if self.growing == 0 {
                self.watch.tried(self.tries, &self.best.size);
            }
        }
        None
    }

    fn take(&mut self, state: State) {
        self.test.accepted(&state.text);
        self.best = state;
        if self.growing == 0 {
            self.watch.improved(&self.best.text, &self.best.size);
        }
    }

    /// Applies as many of `edits` as possible: all at once, then halves, quarters, and so on down to single ones.
    pub(crate) fn chunked(&mut self, mut edits: Vec<Edit>) {
        if self.backwards {
            edits.reverse();
        }
        let mut size = edits.len();
        while size > 0 && !edits.is_empty() && !self.is_over() {
            let mut at = 0;
            while at < edits.len() {
                let chunks: Vec<&[Edit]> = edits[at..].chunks(size).collect();
                let Some(taken) = self.first(&chunks, Wanted::Smaller) else { break };
                at += taken * size;
                let end = (at + size).min(edits.len());
                edits.drain(at..end);
            }
            size = if size == 1 { 0 } else { size.div_ceil(2).min(edits.len()) };
        }
    }

    /// Applies the first possible edit of each group.
    pub(crate) fn first_of_each(&mut self, groups: Vec<Vec<Edit>>) {
        let flat: Vec<(usize, [Edit; 1])> = groups
            .into_iter()
            .enumerate()
            .flat_map(|(group, edits)| edits.into_iter().map(move |edit| (group, [edit])))
            .collect();
        let mut at = 0;
        while at < flat.len() && !self.is_over() {
            let chunks: Vec<&[Edit]> = flat[at..].iter().map(|(_, edit)| &edit[..]).collect();
            let Some(taken) = self.first(&chunks, Wanted::Smaller) else { return };
            let group = flat[at + taken].0;
            at += flat[at..].iter().take_while(|(g, _)| *g <= group).count();
        }
    }

    /// Applies `edit` even if the result is larger, runs `reduce`, and restores the previous program unless the
    /// outcome is smaller. Returns whether it is.
    pub(crate) fn by_growing(&mut self, edit: Edit, reduce: &dyn Fn(&mut Self)) -> bool {
        let before = self.best.clone();
        self.growing += 1;
        let grown = self.first(&[&[edit]], Wanted::Any).is_some();
        if grown {
            self.read_again();
            reduce(self);
        }
        self.growing -= 1;
        grown && self.is_better_than(before)
    }

    /// Runs `reduce` from `first` with at most `tries` tries, and restores the previous program unless the outcome is
    /// smaller. Returns whether it is.
    pub(crate) fn try_second_descent(
        &mut self,
        first: State,
        tries: u64,
        reduce: &dyn Fn(&mut Self),
    ) -> bool {
        if self.is_over() {
            return false;
        }
        let before = std::mem::replace(&mut self.best, first);
        self.enough = self.tries.saturating_add(tries);
        self.growing += 1;
        self.backwards = true;
        self.test.accepted(&self.best.text);
        reduce(self);
        self.backwards = false;
        self.growing -= 1;
        self.enough = u64::MAX;
        self.is_better_than(before)
    }

    /// Whether the best program is smaller than `before`; restores `before` if not.
    fn is_better_than(&mut self, before: State) -> bool {
        if self.best.is_smaller_than(&before) {
            if self.growing == 0 {
                self.watch.improved(&self.best.text, &self.best.size);
            }
            return true;
        }
        self.test.accepted(&before.text);
        self.best = before;
        false
    }

    /// Applies `edit` regardless of size.
    pub(crate) fn take_any(&mut self, edit: Edit) {
        self.first(&[&[edit]], Wanted::Any);
    }

    /// Parses the best program again, which removes unreferenced items and makes ids dense.
    pub(crate) fn read_again(&mut self) {
        let again = caught(|| self.best.program.read_again(&self.best.text)).ok().flatten();
        if let Some(program) = again
            && program.text() == self.best.text
        {
            self.best = State::new(program);
        }
    }
}
