//! Progress bars of long-running commands: on standard error, from the start, and only on a terminal that can move
//! its cursor. They use no colors, so `NO_COLOR` has no effect; `--quiet` and `--no-progress` hide them.

use crate::settings::settings;
use backedge_fuzz::campaign::task::Counts;
use backedge_validate::record::{Finding, Record};
use backedge_validate::verdict::VerdictKind;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// Interval for redrawing the bar without progress, so that it shows that the program is alive.
const TICK: Duration = Duration::from_millis(100);

/// The template for checks.
const CHECKING: &str = "{spinner} {wide_bar} {pos}/{len} checked{msg}, {elapsed} passed, {eta} to go";

/// A bar with two phases: reading and optimizing files, then checking changes.
pub(crate) struct Progress {
    bar: ProgressBar,
    refuted: usize,
    inconclusive: usize,
}

impl Progress {
    /// Starts with `files` files to be read.
    pub(crate) fn reading(files: usize) -> Self {
        let bar =
            started(Some(files as u64), "{spinner} {pos}/{len} files read and optimized, {elapsed} passed");
        Self { bar, refuted: 0, inconclusive: 0 }
    }

    /// Starts with `checks` checks, and nothing to be read.
    pub(crate) fn of_checks(checks: usize) -> Self {
        Self { bar: started(Some(checks as u64), CHECKING), refuted: 0, inconclusive: 0 }
    }

    /// Records that one file was read and optimized.
    pub(crate) fn file_read(&self) {
        self.bar.inc(1);
    }

    /// Starts the second phase, with `changes` changes to check.
    pub(crate) fn checking(&self, changes: usize) {
        self.bar.reset();
        self.bar.set_length(changes as u64);
        self.bar.set_style(style(CHECKING));
    }

    /// Records that one change was checked.
    pub(crate) fn checked(&mut self, record: &Record) {
        if let Finding::Validation { verdict, .. } = &record.finding {
            self.refuted += usize::from(verdict.kind() == VerdictKind::Refuted);
            self.inconclusive += usize::from(verdict.kind() == VerdictKind::Inconclusive);
        }
        let counts = [(self.refuted, "refuted"), (self.inconclusive, "inconclusive")];
        let counts = counts.iter().filter(|(n, _)| *n > 0).map(|(n, word)| format!(", {n} {word}"));
        self.bar.set_message(counts.collect::<String>());
        self.bar.inc(1);
    }

    /// Calls `print` while the bar is hidden.
    pub(crate) fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }

    /// Removes the bar.
    pub(crate) fn finish(self) {
        self.bar.finish_and_clear();
    }
}

/// The progress line of a reduction.
pub(crate) struct Reducing {
    bar: ProgressBar,
}

impl Reducing {
    /// Starts the line.
    pub(crate) fn start() -> Self {
        Self { bar: started(None, "{spinner} {pos} tried{msg}, {elapsed} passed") }
    }

    /// Shows the number of tries and the current size.
    pub(crate) fn tried(&self, tries: u64, size: &str) {
        self.bar.set_position(tries);
        self.bar.set_message(format!(", {size}"));
    }

    /// Removes the line.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// The progress line of a campaign.
pub(crate) struct Fuzzing {
    bar: ProgressBar,
    start: Instant,
    /// The counters at the start.
    before: Option<Counts>,
}

impl Fuzzing {
    /// Starts the line.
    pub(crate) fn start() -> Self {
        Self { bar: started(None, "{spinner} {elapsed}: {msg}"), start: Instant::now(), before: None }
    }

    /// Shows the counters, which include earlier parts of the campaign.
    pub(crate) fn done(&mut self, counts: &Counts) {
        if self.bar.is_hidden() {
            return;
        }
        let before = self.before.get_or_insert_with(|| counts.clone());
        let seconds = self.start.elapsed().as_secs_f64().max(0.001);
        let rate = |now: u64, before: u64| now.saturating_sub(before) as f64 / seconds;
        let fired = counts.passes_fired().max(counts.fired);
        self.bar.set_message(format!(
            "{} programs ({:.0}/s), {} executions ({:.0}/s), {fired} changes by passes, {} inconclusive, {} time-outs, \
             {} findings",
            counts.programs,
            rate(counts.programs, before.programs),
            counts.executions,
            rate(counts.executions, before.executions),
            counts.inconclusive,
            counts.timeouts,
            counts.findings,
        ));
    }

    /// Calls `print` while the line is hidden.
    pub(crate) fn suspend(&self, print: impl FnOnce()) {
        self.bar.suspend(print);
    }

    /// Removes the line.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// A bar that is drawn from now on, if standard error is a terminal.
fn started(length: Option<u64>, template: &str) -> ProgressBar {
    let target = if is_shown() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(length, target);
    bar.set_style(style(template));
    if !bar.is_hidden() {
        // The bar would panic where no thread can be started.
        if std::thread::Builder::new().spawn(|| ()).is_ok() {
            bar.enable_steady_tick(TICK);
        }
        bar.tick();
    }
    bar
}

fn is_shown() -> bool {
    settings().shows_progress()
        && std::io::stderr().is_terminal()
        && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
