//! What is shown of a campaign: how it goes, each finding as it comes, and what it came to.

use super::accept::Acceptance;
use crate::output;
use crate::problem::visible;
use crate::progress::Fuzzing;
use backedge_fuzz::campaign::findings::Kept;
use backedge_fuzz::campaign::state::StateFile;
use backedge_fuzz::campaign::task::Counts;
use backedge_fuzz::campaign::{Event, Outcome};
use std::fmt::Write;
use std::time::Instant;

/// Who shows it.
pub(super) struct Show {
    bar: Fuzzing,
    start: Instant,
    quiet: bool,
}

impl Show {
    /// Nothing has been done yet.
    pub(super) fn start(quiet: bool) -> Self {
        Self { bar: Fuzzing::start(), start: Instant::now(), quiet }
    }

    /// Something happens.
    pub(super) fn event(&mut self, event: &Event<'_>) {
        match event {
            Event::Done(counts) => self.bar.done(counts),
            Event::Found(finding, kept) => {
                let Kept::New(path) = kept else { return };
                let seconds = self.start.elapsed().as_secs_f64();
                let pass = finding.pass.as_deref().map_or(String::new(), |pass| format!("{pass}: "));
                let first = finding.message.lines().next().unwrap_or_default();
                let line = format!(
                    "{pass}{} ({}), seed {}, {} of {} instructions, after {seconds:.1} s: {}\n  {}",
                    finding.kind,
                    finding.oracle,
                    finding.seed,
                    finding.reduced_instructions,
                    finding.instructions,
                    path.display(),
                    first.chars().take(200).collect::<String>(),
                );
                self.say(&line);
            }
            Event::Lost(raw, why) => {
                let line = format!("warning: seed {}: {} does not show again: {why}", raw.seed, raw.group());
                self.say(&line);
            }
        }
    }

    fn say(&self, text: &str) {
        if !self.quiet {
            let lines: Vec<String> = text.lines().map(visible).collect();
            self.bar.suspend(|| output::to_stderr(&lines.join("\n")));
        }
    }

    /// Takes the line away.
    pub(super) fn finish(&self) {
        self.bar.finish();
    }

    /// What it came to.
    pub(super) fn summary(
        &self,
        outcome: &Outcome,
        file: &StateFile,
        accepted: &Acceptance,
    ) -> miette::Result<()> {
        let seconds = self.start.elapsed().as_secs_f64();
        let mut text = String::new();
        let Counts { programs, loops, fired, executions, defined, proofs, inconclusive, timeouts, .. } =
            &outcome.counts;
        let rate = |n: u64| n as f64 / seconds.max(0.001);
        let _ = writeln!(
            text,
            "{programs} programs with {loops} loops in {seconds:.1} s, {:.0} and {:.0} a second; {fired} changed",
            rate(*programs),
            rate(*loops)
        );
        let _ = writeln!(
            text,
            "{executions} pairs of runs ({:.0} a second), {defined} defined; {proofs} proofs asked for; \
             {inconclusive} inconclusive, {timeouts} time-outs",
            rate(*executions)
        );
        let new = outcome.met.values().filter(|is_new| **is_new).count();
        let known = outcome.met.len() - new;
        let _ = writeln!(
            text,
            "{} findings: {new} new bucket(s), {known} known; {} not looked at closer, being like others; {} did not \
             show again",
            outcome.counts.findings,
            outcome.alike.values().sum::<u64>(),
            outcome.lost
        );
        for (bucket, is_new) in &outcome.met {
            let word = if *is_new { "new  " } else { "known" };
            let _ = writeln!(text, "  {word} {bucket}{}", accepted.words(bucket));
        }
        let _ = writeln!(text, "how far it has come stands in {}", file.path().display());
        output::to_stdout(&text)
    }
}
