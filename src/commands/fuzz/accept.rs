//! What is accepted of what a campaign finds, and whether it still fails.

use super::team::Team;
use crate::output;
use crate::problem::visible;
use backedge_fuzz::campaign::Workers;
use backedge_fuzz::campaign::baseline::{Accepted, Baseline, Day, Standing};
use backedge_fuzz::campaign::findings::Findings;
use backedge_fuzz::campaign::task::{Reply, Task};
use std::time::{Duration, Instant};

/// A baseline on a day.
pub(super) struct Acceptance {
    baseline: Baseline,
    today: Day,
}

impl Acceptance {
    /// The baseline, today.
    pub(super) fn new(baseline: Baseline) -> Self {
        Self { baseline, today: Day::today() }
    }
    /// Whether findings of `bucket` are accepted.
    pub(super) fn accepts(&self, bucket: &str) -> bool {
        matches!(self.baseline.standing(bucket, self.today), Standing::Accepted(_))
    }
    /// What there is to be said of a bucket that was met.
    pub(super) fn words(&self, bucket: &str) -> String {
        let text = match self.baseline.standing(bucket, self.today) {
            Standing::Unknown => return String::new(),
            Standing::Accepted(entry) => format!(", accepted up to {}: {}", entry.expires, entry.reason),
            Standing::Expired(entry) => {
                format!(", no longer accepted since {} has passed: {}", entry.expires, entry.reason)
            }
        };
        visible(&text)
    }
    /// Tries the examples of all that is accepted, and begins with none when so much `time` has passed or `stop` says so. What
    /// comes out is said of each that does not fail as it should.
    pub(super) fn recheck(
        &self,
        team: &Team<'_>,
        findings: &Findings,
        time: Duration,
        stop: &dyn Fn() -> bool,
    ) -> Rechecked {
        let start = Instant::now();
        let mut rechecked = Rechecked::default();
        let entries = &self.baseline.accepted;
        for (nth, entry) in entries.iter().enumerate() {
            if stop() {
                break;
            }
            if start.elapsed() >= time {
                rechecked.left_out = entries.len() - nth;
                let left_out = rechecked.left_out;
                output::to_stderr(&format!(
                    "warning: {left_out} example(s) of the baseline are not tried: the first {nth} took {} s",
                    start.elapsed().as_secs()
                ));
                break;
            }
            self.recheck_one(entry, team, findings, &mut rechecked);
        }
        rechecked
    }

    fn recheck_one(&self, entry: &Accepted, team: &Team<'_>, findings: &Findings, rechecked: &mut Rechecked) {
        let bucket = &entry.bucket;
        let Some(example) = entry.example.clone().or_else(|| findings.example(bucket)) else {
            let dir = findings.dir().display();
            output::to_stderr(&visible(&format!(
                "warning: there is no example of {bucket} in {dir}: it is not tried"
            )));
            return;
        };
        match team.work(0, &Task::Recheck { example: example.clone() }) {
            Ok(Reply::Rechecked { fails: None }) => {
                rechecked.stale += 1;
                output::to_stderr(&visible(&format!(
                    "ALARM: {bucket} is accepted ({}), and its example does not fail any more: {}",
                    entry.reason,
                    example.display()
                )));
            }
            // A worker that is lost over it is a failure too.
            Ok(Reply::Rechecked { fails: Some(_) }) | Err(_) => {}
            Ok(Reply::Failed { why }) => {
                rechecked.unusable += 1;
                output::to_stderr(&visible(&format!("error: the example of {bucket} can't be tried: {why}")));
            }
            Ok(Reply::Examined { .. } | Reply::WorkedUp { .. }) => {
                rechecked.unusable += 1;
                output::to_stderr(&visible(&format!(
                    "error: the example of {bucket} can't be tried: a worker answered what it was not asked"
                )));
            }
        }
    }
}

/// What came of trying the examples of a baseline.
#[derive(Debug, Default)]
pub(super) struct Rechecked {
    /// Those that do not fail any more.
    pub(super) stale: usize,
    /// Those that can't be tried: there is no such file, or no code in it.
    pub(super) unusable: usize,
    /// Those for which there was no time.
    pub(super) left_out: usize,
}
