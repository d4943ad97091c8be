//! Accepted findings of a campaign, and the check whether they still fail.

use super::team::Team;
use crate::output;
use crate::shown::visible;
use backedge_fuzz::campaign::baseline::{Accepted, Baseline, Day, Standing};
use backedge_fuzz::campaign::bucket::may_hold;
use backedge_fuzz::campaign::findings::Findings;
use backedge_fuzz::campaign::task::{Reply, Still, Task};
use backedge_fuzz::campaign::{Loss, Outcome, Workers};
use std::time::{Duration, Instant};

/// A baseline on a given day.
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
    /// A remark on the status of a bucket that was found.
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
    /// Tests the examples of all accepted findings, until `time` has passed or `stop` says so. Prints an alarm for
    /// each example that does not fail as expected.
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
            rechecked.unseen.push(bucket.clone());
            return;
        };
        let alarm = |what: &str| {
            let example = example.display();
            output::to_stderr(&visible(&format!(
                "ALARM: {bucket} is accepted ({}), and its example {what}: {example}",
                entry.reason
            )));
        };
        let unusable = |why: &str| {
            output::to_stderr(&visible(&format!("error: the example of {bucket} can't be tried: {why}")));
        };
        let task = Task::Recheck { bucket: bucket.clone(), example: example.clone() };
        match team.work(0, &task) {
            Ok(Reply::Rechecked { now: Still::Fails }) => {}
            Ok(Reply::Rechecked { now: Still::Holds }) => {
                rechecked.stale += 1;
                alarm("does not fail any more");
            }
            Ok(Reply::Rechecked { now: Still::Otherwise(how) }) => {
                rechecked.stale += 1;
                alarm(&format!("fails in another way ({how})"));
            }
            // A lost worker is a failure too; a crash counts as a panic.
            Err(Loss { kind, words }) => {
                let kinds = [kind, if kind == "crash" { "panic" } else { kind }];
                if kind != "interrupt" && !kinds.iter().any(|kind| may_hold(bucket, None, kind)) {
                    rechecked.stale += 1;
                    alarm(&format!("fails in another way ({kind}: {words})"));
                }
            }
            Ok(Reply::Failed { why }) => {
                rechecked.unusable += 1;
                unusable(&why);
            }
            Ok(Reply::Examined { .. } | Reply::WorkedUp { .. }) => {
                rechecked.unusable += 1;
                unusable("a worker answered what it was not asked");
            }
        }
    }
}

/// Result of testing a baseline's examples.
#[derive(Debug, Default)]
pub(super) struct Rechecked {
    /// Examples that no longer fail, or fail in another way.
    pub(super) stale: usize,
    /// Examples that can't be tested: the file is missing or contains no code.
    pub(super) unusable: usize,
    /// Examples for which there was no time.
    pub(super) left_out: usize,
    /// Buckets without an example, neither named nor among the findings.
    pub(super) unseen: Vec<String>,
}

impl Rechecked {
    /// Updates the result after the campaign: buckets that the campaign found are known to fail. For each of the
    /// rest, whose state is unknown, prints an alarm.
    pub(super) fn with_unseen(mut self, outcome: &Outcome, findings: &Findings) -> Self {
        let is_met =
            |bucket: &String| outcome.met.contains_key(bucket) || outcome.state.buckets.contains_key(bucket);
        self.unseen.retain(|bucket| !is_met(bucket));
        for bucket in &self.unseen {
            output::to_stderr(&visible(&format!(
                "ALARM: {bucket} is accepted, and is not seen to fail: no example is named, none is in {}, and the campaign has \
                 not reached it",
                findings.dir().display()
            )));
        }
        self
    }
}
