//! `backedge fuzz`: a campaign over the programs of seeds.
//!
//! The campaign itself is in the library ([`backedge_fuzz::campaign`]). This module contains its settings (`setup`),
//! the tasks of its workers (`work`, `theirs`, `work_up`, `recheck`, `raw`), the worker processes (`team`,
//! `watchdog`), accepted findings (`accept`), and its output (`show`).

mod accept;
mod raw;
mod recheck;
mod setup;
mod show;
mod team;
mod theirs;
mod watchdog;
mod work;
mod work_up;

use crate::exit::Exit;
use crate::interrupt::Interrupt;
use crate::output;
use crate::report::json::JsonLines;
use crate::shown::visible;
use backedge_fuzz::campaign::baseline::Baseline;
use backedge_fuzz::campaign::bucket::is_by_undef;
use backedge_fuzz::campaign::findings::Findings;
use backedge_fuzz::campaign::state::StateFile;
use backedge_fuzz::campaign::{self, Outcome, Plan, Stopped};
use miette::IntoDiagnostic;
use setup::Settings;
use std::path::PathBuf;
use std::time::Duration;

/// Time limit for testing the baseline's examples if the campaign has none: an example may hang.
const RECHECK: Duration = Duration::from_secs(10 * 60);

/// Arguments of `fuzz`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A finding is written to DIR/<bucket>/<hash>.ll, with details in a .json file of the same name. A bucket is the guilty pass, the
kind of failure and the shape of the reduced program; further findings of a known bucket are counted only. A campaign
continues where an earlier one with the same settings stopped. The findings do not depend on the number of jobs.

Exit codes: 0 there is no finding, or the baseline accepts all; 1 there is one; 2 usage, or an example of the baseline can't
be read; 3 nothing was checked (no program changed, or no run was defined), or the time did not suffice for the baseline; 4
the command refuses every program; 6 a finding that the baseline accepts does not show any more, fails in another way, or
can't be tested; 75 interrupted; 125 the command can't be run.

Examples:
  backedge fuzz --seeds 0..10000 --passes 'default<O2>'
  backedge fuzz --time 30m --opt 'opt-22 -passes=loop-mssa(licm) -S'")]
pub(crate) struct Args {
    #[command(flatten)]
    settings: Settings,
    /// The seeds: A..B without B, or A.. for as many as the time allows
    #[arg(long, value_name = "A..B", value_parser = seeds, required_unless_present_any = ["time", "print"])]
    seeds: Option<(u64, u64)>,
    /// How long to examine new programs, and before that the examples of the baseline: 90, 90s, 30m or 2h
    #[arg(long, value_name = "DURATION", alias = "max_total_time", value_parser = duration)]
    time: Option<Duration>,
    /// Number of worker processes (0: one per processor)
    #[arg(long, short = 'j', value_name = "N", default_value_t = 0, value_parser = super::gate::jobs())]
    jobs: usize,
    /// Directory of the findings and the progress of the campaign
    #[arg(long, value_name = "DIR", alias = "artifacts", default_value = "findings")]
    findings: PathBuf,
    /// A TOML file of accepted buckets, each with a reason and an expiry date: [[accepted]] bucket, reason, expires,
    /// and example if it is not among the findings
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Write findings and the summary as JSON lines to this file, as they arise (- for standard output, instead of the
    /// summary)
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// End after this many new buckets
    #[arg(long, value_name = "N", default_value_t = u64::MAX, hide_default_value = true, value_parser = clap::value_parser!(u64).range(1..))]
    max_new: u64,
    /// Also fail on findings that need an undef input; by default they are counted separately
    #[arg(long, conflicts_with = "assume_no_undef")]
    strict_undef: bool,
    /// Discard the progress of earlier campaigns with the same settings
    #[arg(long)]
    restart: bool,
    /// Print the program of a seed, and do nothing else
    #[arg(long, value_name = "SEED", conflicts_with_all = ["seeds", "time"])]
    print: Option<u64>,
    /// Work for another process of this program
    #[arg(long, hide = true)]
    work: bool,
    /// The program source that the other process uses
    #[arg(long, hide = true, requires = "work")]
    programs: Option<String>,
}

/// Parses `A..B` or `A..`.
fn seeds(text: &str) -> Result<(u64, u64), String> {
    let expected = || "expected A..B, such as 0..1000 for the first thousand seeds".to_owned();
    let Some((first, end)) = text.split_once("..") else {
        return Err(match text.trim().parse::<u64>() {
            Ok(n) => format!(
                "expected A..B: 0..{n} are the first {n} seeds, {n}..{} is seed {n}",
                n.saturating_add(1)
            ),
            Err(_) => expected(),
        });
    };
    if let (Ok(first), Some(Ok(last))) =
        (first.trim().parse::<u64>(), end.trim().strip_prefix('=').map(str::parse::<u64>))
    {
        let end = last.saturating_add(1);
        return Err(format!(
            "expected A..B, where B is excluded: {first}..{end} are the seeds {first} to {last}"
        ));
    }
    let number = |text: &str| text.trim().parse::<u64>().map_err(|_| expected());
    let first = if first.trim().is_empty() { 0 } else { number(first)? };
    let end = if end.trim().is_empty() { u64::MAX } else { number(end)? };
    if first < end {
        return Ok((first, end));
    }
    Err(format!(
        "there is no seed in that range: B is excluded, so {first}..{} is seed {first}",
        first.saturating_add(1)
    ))
}

/// Parses a number of seconds, minutes or hours.
fn duration(text: &str) -> Result<Duration, String> {
    let expected = || "expected a whole number and a unit, such as 90s, 30m or 2h".to_owned();
    let (number, unit) = match text.find(|c: char| !c.is_ascii_digit()) {
        Some(at) => text.split_at(at),
        None => (text, "s"),
    };
    let factor = match unit {
        "s" => 1,
        "m" => 60,
        "h" => 60 * 60,
        _ => return Err(expected()),
    };
    let number: u64 = number.parse().map_err(|_| expected())?;
    let seconds = number.checked_mul(factor).filter(|s| (1..=365 * 24 * 3600).contains(s));
    seconds.map(Duration::from_secs).ok_or_else(|| "expected a time between 1s and 8760h, a year".to_owned())
}

/// Runs the command.
pub(crate) fn run(args: Args) -> miette::Result<Exit> {
    let Some(setup) = args.settings.setup(&args.findings)? else { return Ok(Exit::NoOptimizer) };
    if let Some(seed) = args.print {
        let program = setup.programs.of(seed);
        output::to_stdout(&format!("; {}\n{}", program.origin, program.text()))?;
        return Ok(Exit::Accepted);
    }
    if args.work {
        work::serve(setup, args.programs.as_deref())?;
        return Ok(Exit::Accepted);
    }
    let interrupt = Interrupt::install();
    let jobs = match args.jobs {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        jobs => jobs,
    };
    let refusal = setup.refusal(&|| interrupt.asked());
    if interrupt.asked() {
        return Ok(Exit::Interrupted);
    }
    if let Some(refusal) = refusal {
        output::to_stderr(&format!("error: {refusal}"));
        return Ok(Exit::Refused);
    }
    let accepted =
        args.baseline.as_deref().map(Baseline::read).transpose().into_diagnostic()?.unwrap_or_default();
    let accepted = accept::Acceptance::new(accepted);
    output::make_directory(&args.findings)?;
    let (file, state) =
        StateFile::open(&args.findings, &setup.words(), setup.systems(), args.restart).into_diagnostic()?;
    let (first, end) = args.seeds.unwrap_or((0, u64::MAX));
    let plan = Plan {
        first,
        end,
        batch: setup.batch(),
        systems: setup.systems(),
        jobs,
        time: args.time,
        max_new: args.max_new,
        work_ups: setup.work_ups,
        stop: interrupt.flag(),
    };
    if state.next(first) >= end {
        output::to_stderr(
            "all of these seeds were done earlier with the same settings (--restart does them again)",
        );
    }
    let team = team::Team::new(&setup, jobs, interrupt.clone())?;
    let json = args.json.as_deref().map(|path| JsonLines::open(path, &[])).transpose()?;
    let mut show = show::Show::start(json, &accepted);
    let findings = Findings::new(args.findings.clone());
    findings.remove_leftovers();
    let rechecked = accepted.recheck(&team, &findings, args.time.unwrap_or(RECHECK), &|| interrupt.asked());
    let done = campaign::run(&plan, &team, (&file, state), &findings, &mut |event| show.event(&event));
    show.finish();
    team.end();
    match done {
        Ok(outcome) => {
            show.summary(&outcome, &file)?;
            let rechecked = rechecked.with_unseen(&outcome, &findings);
            Ok(exit(&outcome, (&accepted, args.strict_undef), &rechecked))
        }
        Err(Stopped::System(why)) => {
            show.close()?;
            output::to_stderr(&format!("error: {}", visible(&why)));
            Ok(if why == work::CHANGED { Exit::BadInput } else { Exit::NoOptimizer })
        }
        Err(stopped) => {
            show.close()?;
            Err(stopped).into_diagnostic()
        }
    }
}

/// The exit code of a campaign. A finding takes precedence over an example that no longer fails.
fn exit(
    outcome: &Outcome,
    (accepted, strict_undef): (&accept::Acceptance, bool),
    rechecked: &accept::Rechecked,
) -> Exit {
    if outcome.interrupted {
        output::to_stderr("interrupted: the same command goes on from here");
        return Exit::Interrupted;
    }
    // Findings of earlier parts of the campaign count too, except those that could not be reproduced there.
    let mut found = outcome.met.keys().chain(outcome.state.buckets.keys());
    let counts = |bucket: &String| strict_undef || !is_by_undef(bucket);
    if outcome.lost > 0 || found.any(|bucket| counts(bucket) && !accepted.accepts(bucket)) {
        return Exit::Refuted;
    }
    if rechecked.stale + rechecked.unseen.len() > 0 {
        return Exit::Stale;
    }
    if rechecked.unusable > 0 {
        return Exit::BadInput;
    }
    if rechecked.left_out > 0 {
        return Exit::Inconclusive;
    }
    let counts = &outcome.state.counts;
    if counts.programs > 0 && counts.fired + counts.findings + counts.timeouts == 0 {
        output::to_stderr("error: nothing was checked: no program was changed");
        return Exit::Inconclusive;
    }
    if counts.programs > 0 && counts.defined == 0 && counts.executions + counts.unconfirmed > 0 {
        output::to_stderr("error: nothing was checked: no run was defined");
        return Exit::Inconclusive;
    }
    Exit::Accepted
}

#[cfg(test)]
mod tests {
    use super::{duration, seeds};
    use std::time::Duration;

    #[test]
    fn ranges_and_times_are_read() {
        assert_eq!(seeds("3..17"), Ok((3, 17)));
        assert_eq!(seeds("..5"), Ok((0, 5)));
        assert_eq!(seeds("5.."), Ok((5, u64::MAX)));
        assert!(seeds("1..=4").is_err_and(|why| why.ends_with("1..5 are the seeds 1 to 4")));
        for wrong in ["", "5", "5..5", "a..b", "-1..2"] {
            assert!(seeds(wrong).is_err(), "{wrong}");
        }
        for (text, seconds) in [("90", 90), ("90s", 90), ("30m", 1800), ("2h", 7200)] {
            assert_eq!(duration(text), Ok(Duration::from_secs(seconds)));
        }
        for wrong in ["", "m", "0", "3d", "99999999999999999999h", "1h30m"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }
}
