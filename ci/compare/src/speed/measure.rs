//! The measurement of one pair with `backedge tv` or `alive-tv`: processor time and verdict.

use super::pairs::Pair;
use crate::process::{Measured, measured};
use anyhow::{Result, ensure};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The tool that judges pairs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Judge {
    /// `backedge tv`.
    Backedge(PathBuf),
    /// Alive2's `alive-tv`.
    Alive(PathBuf),
}

/// The mode of a tool.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Depth {
    /// The default mode. Alive2 unrolls up to Backedge's first bound.
    Whole,
    /// Only the bounded check, up to that bound.
    Bound(u32),
}

/// Backedge's first bound, in backedges per entry of a loop: the default of the command.
const FIRST_BOUND: u32 = 4;

/// The measurement of a pair.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Timed {
    /// The median over all repeats.
    pub(crate) cpu: Duration,
    /// The verdict in a few words, or the reason why there is none.
    pub(crate) verdict: String,
    /// Whether there is a definite verdict.
    pub(crate) decided: bool,
    /// Whether the verdict is refinement for all iterations.
    pub(crate) proved: bool,
}

impl Judge {
    /// Judges `pair` `repeats` times in succession.
    pub(crate) fn time(&self, pair: &Pair, depth: Depth, repeats: u32, limit: Duration) -> Result<Timed> {
        let mut times = Vec::new();
        let mut said: Option<(String, bool, bool)> = None;
        for _ in 0..repeats.max(1) {
            let run = measured(&mut self.command(pair, depth), limit)?;
            times.push(run.cpu);
            let now = match self {
                Self::Backedge(_) => of_backedge(&run),
                Self::Alive(_) => of_alive(&run),
            };
            // Different verdicts would make the times incomparable.
            if let (Self::Backedge(_), Some(before)) = (self, &said) {
                ensure!(*before == now, "{pair}: {} at first, then {}", before.0, now.0);
            }
            said = Some(now);
            if run.code.is_none() {
                break;
            }
        }
        let (verdict, decided, proved) = said.unwrap_or_default();
        Ok(Timed { cpu: median(&mut times), verdict, decided, proved })
    }

    fn command(&self, Pair { file, source, target }: &Pair, depth: Depth) -> Command {
        match self {
            Self::Backedge(program) => {
                let mut command = Command::new(program);
                command.arg("tv").arg(file);
                command.args(["--src-fn", source, "--tgt-fn", target, "--no-cache", "--json", "-"]);
                if let Depth::Bound(bound) = depth {
                    command.args(["--no-induction", "--bound", &bound.to_string()]);
                }
                command
            }
            Self::Alive(program) => {
                let bound = match depth {
                    Depth::Whole => FIRST_BOUND,
                    Depth::Bound(bound) => bound,
                };
                // Alive2 counts executions of a header, Backedge counts backedges.
                let unroll = bound + 1;
                let mut command = Command::new(program);
                command.arg(file);
                command.args([format!("--src-fn={source}"), format!("--tgt-fn={target}")]);
                command.args([format!("--src-unroll={unroll}"), format!("--tgt-unroll={unroll}")]);
                command
            }
        }
    }
}

/// The verdict in the first record.
fn of_backedge(run: &Measured) -> (String, bool, bool) {
    let record = run.output.lines().find_map(|l| serde_json::from_str::<Value>(l).ok());
    let kind = record.as_ref().and_then(|r| r["verdict"]["kind"].as_str());
    match kind {
        Some(kind) => {
            let decided =
                matches!(kind, "refines-all" | "refines-up-to" | "refuted" | "refuted-by-undef" | "vacuous");
            (kind.to_owned(), decided, kind == "refines-all")
        }
        None => (without_verdict(run), false, false),
    }
}

/// The verdict of `alive-tv` on its one pair, derived from the sentences that it prints.
fn of_alive(run: &Measured) -> (String, bool, bool) {
    let says = |words: &str| run.output.contains(words);
    if says("Transformation seems to be correct!") {
        ("seems correct".to_owned(), true, false)
    } else if says("Transformation doesn't verify!") {
        ("doesn't verify".to_owned(), true, false)
    } else if let Some(error) = run.output.lines().find(|l| l.starts_with("ERROR:")) {
        (error.trim_start_matches("ERROR:").trim().to_owned(), false, false)
    } else {
        (without_verdict(run), false, false)
    }
}

fn without_verdict(run: &Measured) -> String {
    match run.code {
        Some(code) => format!("no verdict, exit code {code}"),
        None => "too long, or crashed".to_owned(),
    }
}

/// The middle value, or the mean of the two middle values.
pub(crate) fn median(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    match times {
        [] => Duration::ZERO,
        times if times.len() % 2 == 1 => times[times.len() / 2],
        times => (times[times.len() / 2 - 1] + times[times.len() / 2]) / 2,
    }
}

impl std::fmt::Display for Pair {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let name = self.file.file_stem().map(Path::new).unwrap_or(&self.file);
        write!(f, "{} @{}", name.display(), self.source)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle() {
        let of =
            |list: &[u64]| median(&mut list.iter().map(|n| Duration::from_millis(*n)).collect::<Vec<_>>());
        assert_eq!(of(&[9, 1, 5]), Duration::from_millis(5));
        assert_eq!(of(&[9, 1, 5, 6]), Duration::from_micros(5500));
        assert_eq!(of(&[]), Duration::ZERO);
    }

    #[test]
    fn sentences_of_alive_are_understood() {
        let run = |code, output: &str| Measured { code, output: output.to_owned(), cpu: Duration::ZERO };
        let correct = of_alive(&run(Some(0), "----\nTransformation seems to be correct!\n"));
        assert_eq!(correct, ("seems correct".to_owned(), true, false));
        let wrong = of_alive(&run(Some(0), "Transformation doesn't verify!\n\nERROR: Value mismatch\n"));
        assert_eq!(wrong, ("doesn't verify".to_owned(), true, false));
        let late = of_alive(&run(Some(1), "Transformation doesn't verify not\nERROR: Timeout\n"));
        assert_eq!(late, ("Timeout".to_owned(), false, false));
        assert_eq!(of_alive(&run(None, "")).0, "too long, or crashed");
        assert_eq!(of_alive(&run(Some(2), "")).0, "no verdict, exit code 2");
    }
}
