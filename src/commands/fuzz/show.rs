//! The output of a campaign: progress, new findings, and the summary.

use super::accept::Acceptance;
use crate::output;
use crate::progress::Fuzzing;
use crate::report::events as json;
use crate::report::json::JsonLines;
use crate::settings::settings;
use crate::shown::{visible, visible_lines};
use backedge_fuzz::campaign::bucket::is_by_undef;
use backedge_fuzz::campaign::findings::Kept;
use backedge_fuzz::campaign::state::StateFile;
use backedge_fuzz::campaign::task::{Counts, Drawn, Finding};
use backedge_fuzz::campaign::{Event, Outcome};
use backedge_fuzz::mutate::{self, MUTATORS};
use backedge_fuzz::statistics::Count;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::time::Instant;

/// Maximum length of a line in a list, in bytes.
const WIDTH: usize = 116;

/// The output of a campaign.
pub(super) struct Show<'a> {
    bar: Fuzzing,
    start: Instant,
    accepted: &'a Acceptance,
    /// The destination of JSON lines, until a write fails.
    json: Option<JsonLines<'a>>,
    /// The first failure to write a JSON line.
    failed: miette::Result<()>,
}

impl<'a> Show<'a> {
    /// Starts the progress display.
    pub(super) fn start(json: Option<JsonLines<'a>>, accepted: &'a Acceptance) -> Self {
        Self { bar: Fuzzing::start(), start: Instant::now(), accepted, json, failed: Ok(()) }
    }

    /// Writes a record.
    fn record(&mut self, event: json::Event) {
        if let Some(json) = &mut self.json
            && let Err(why) = json.line(&json::Line::new("", event).to_json())
        {
            self.json = None;
            self.failed = Err(why);
        }
    }

    fn found(&mut self, finding: &Finding, kept: &Kept) {
        let program = match kept {
            Kept::New(path) => Some(path.display().to_string()),
            Kept::Known => None,
        };
        self.record(json::Event::Found {
            bucket: finding.bucket.clone(),
            pass: finding.pass.clone(),
            failure: finding.kind.clone(),
            oracle: finding.oracle.clone(),
            seed: finding.seed,
            message: finding.message.clone(),
            instructions: finding.instructions,
            reduced_instructions: finding.reduced_instructions,
            program,
            accepted: self.accepted.accepts(&finding.bucket),
        });
    }

    /// Shows an event.
    pub(super) fn event(&mut self, event: &Event<'_>) {
        match event {
            Event::Done(counts) => self.bar.done(counts),
            Event::Found(finding, kept) => {
                self.found(finding, kept);
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
                let why_lost = (*why).to_owned();
                self.record(json::Event::Lost { seed: raw.seed, failure: raw.group(), why: why_lost });
                let line = format!("warning: seed {}: {} does not show again: {why}", raw.seed, raw.group());
                self.say(&line);
            }
        }
    }

    fn say(&self, text: &str) {
        if !settings().quiet {
            let lines: Vec<String> = text.lines().map(visible).collect();
            self.bar.suspend(|| output::to_stderr(&lines.join("\n")));
        }
    }

    /// Removes the progress line.
    pub(super) fn finish(&self) {
        self.bar.finish();
    }

    /// Completes the JSON lines without a summary.
    pub(super) fn close(self) -> miette::Result<()> {
        self.failed?;
        self.json.map_or(Ok(()), JsonLines::finish)
    }

    /// Prints the summary, and completes the JSON lines.
    pub(super) fn summary(mut self, outcome: &Outcome, file: &StateFile) -> miette::Result<()> {
        let counts = &outcome.counts;
        self.record(json::Event::Campaign {
            programs: counts.programs,
            changed: counts.fired,
            runs: counts.executions,
            defined_runs: counts.defined,
            inconclusive: counts.inconclusive,
            timeouts: counts.timeouts,
            buckets: outcome.met.clone(),
            lost: outcome.lost,
            interrupted: outcome.interrupted,
        });
        if !matches!(self.json, Some(JsonLines::Stdout)) {
            output::to_stdout(&self.summary_text(outcome, file))?;
        }
        self.close()
    }

    /// The summary for people.
    fn summary_text(&self, outcome: &Outcome, file: &StateFile) -> String {
        let accepted = self.accepted;
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
        let waiting = match outcome.waiting {
            0 => String::new(),
            waiting => format!(" and {waiting} that had been met before"),
        };
        let new = outcome.met.values().filter(|is_new| **is_new).count();
        let known = outcome.met.len() - new;
        let _ = writeln!(
            text,
            "{} findings{waiting}: {new} new bucket(s), {known} known; {} not looked at closer, being like others; {} did not \
             show again; {} suspect(s) not confirmed on the program alone",
            outcome.counts.findings,
            outcome.alike.values().sum::<u64>(),
            outcome.lost,
            outcome.counts.unconfirmed
        );
        let by_undef = outcome.met.keys().chain(outcome.state.buckets.keys()).filter(|b| is_by_undef(b));
        let by_undef = by_undef.collect::<BTreeSet<_>>().len();
        if by_undef > 0 {
            let _ = writeln!(
                text,
                "{by_undef} of the buckets need an undef input (--strict-undef fails on them)"
            );
        }
        for (bucket, is_new) in &outcome.met {
            let word = if *is_new { "new  " } else { "known" };
            let _ = writeln!(text, "  {word} {bucket}{}", accepted.words(bucket));
        }
        for bucket in outcome.state.buckets.keys().filter(|b| !outcome.met.contains_key(*b)) {
            let _ = writeln!(text, "  before {bucket}{}", accepted.words(bucket));
        }
        if let Some(before @ 1..) = outcome.state.lost().checked_sub(outcome.lost) {
            let _ = writeln!(text, "  {before} finding(s) of earlier parts did not show again");
        }
        text.push_str(&rates(&outcome.counts, settings().verbose));
        let _ = writeln!(text, "progress is stored in {}", file.path().display());
        visible_lines(&text)
    }
}

/// Firing rates of passes, and, if `verbose`, statistics of generated programs.
fn rates(counts: &Counts, verbose: bool) -> String {
    let mut text = String::new();
    let passes = counts.passes.iter().map(|(pass, Count { runs, fired })| {
        format!("{pass} {fired} of {runs} ({:.1} %)", share(*fired, *runs))
    });
    list(&mut text, "passes, and how many of their runs changed something:", passes);
    if !verbose {
        return text;
    }
    let knobs = counts.knobs.iter().map(|(knob, Drawn { on, used, fired })| {
        format!("{knob} {on}, {used}, {fired} ({:.0} %)", share(*fired, *used))
    });
    list(
        &mut text,
        "knobs: programs for which one was on, those that have something of it, those of these that were changed:",
        knobs,
    );
    let mutators = counts.mutators.iter().map(|(mutator, Count { runs, fired })| {
        format!("{mutator} {runs}, {fired} ({:.0} %)", share(*fired, *runs))
    });
    list(&mut text, "mutators: programs that one had a part in, those of these that were changed:", mutators);
    let unused = MUTATORS.iter().chain([&mutate::WIDTH]).map(|mutator| mutator.name);
    let unused = unused.filter(|name| counts.mutators.get(*name).is_none_or(|count| count.fired == 0));
    if !counts.mutators.is_empty() {
        list(&mut text, "nothing has fired on programs of these mutators:", unused.map(str::to_owned));
    }
    let idle = counts.knobs.iter().filter(|(_, drawn)| drawn.fired == 0).map(|(knob, _)| knob.to_string());
    list(&mut text, "nothing has fired on programs with these knobs:", idle);
    text
}

fn share(part: u64, of: u64) -> f64 {
    100.0 * part as f64 / of.max(1) as f64
}

/// Writes a heading and the items in wrapped lines; nothing if there are no items.
fn list(text: &mut String, heading: &str, items: impl Iterator<Item = String>) {
    let mut line = String::new();
    let mut items = items.peekable();
    if items.peek().is_some() {
        let _ = writeln!(text, "{heading}");
    }
    while let Some(item) = items.next() {
        line.push_str(if line.is_empty() { "  " } else { "; " });
        line.push_str(&item);
        if items.peek().is_none_or(|next| line.len() + next.len() > WIDTH) {
            let _ = writeln!(text, "{line}");
            line.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::rates;
    use backedge_fuzz::campaign::task::{Counts, Drawn};
    use backedge_fuzz::statistics::Count;

    #[test]
    fn mutators_are_told_and_idle_ones_named() {
        let mut counts = Counts::default();
        counts.mutators.insert("freeze".into(), Count { runs: 8, fired: 4 });
        counts.mutators.insert("width".into(), Count { runs: 3, fired: 0 });
        let text = rates(&counts, true);
        assert!(text.contains("\n  freeze 8, 4 (50 %); width 3, 0 (0 %)\n"), "{text}");
        let idle = text.split_once("of these mutators:").expect("a list").1;
        assert!(idle.contains("width") && idle.contains("splice") && !idle.contains("freeze"), "{text}");
    }

    #[test]
    fn rates_are_told_and_idle_knobs_named() {
        let mut counts = Counts::default();
        assert_eq!(rates(&counts, true), "");
        counts.passes.insert("licm".into(), Count { runs: 40, fired: 10 });
        for n in 0..20 {
            let drawn = Drawn { on: 7, used: 4, fired: u64::from(n != 3) };
            counts.knobs.insert(format!("knob-{n:02}").into(), drawn);
        }
        let short = rates(&counts, false);
        assert!(short.contains("licm") && !short.contains("knob"), "{short}");
        let text = rates(&counts, true);
        assert!(text.contains("\n  licm 10 of 40 (25.0 %)\n"), "{text}");
        assert!(text.contains("\n  knob-00 7, 4, 1 (25 %); knob-01"), "{text}");
        assert!(text.ends_with("nothing has fired on programs with these knobs:\n  knob-03\n"), "{text}");
        assert!(text.lines().all(|line| line.len() <= 121), "{text}");
        assert_eq!(text.matches("knob-").count(), 21, "{text}");
    }
}
