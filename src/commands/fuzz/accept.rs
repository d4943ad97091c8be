//! What is accepted of what a campaign finds, and whether it still fails.

use super::team::Team;
use crate::output;
use crate::problem::visible;
use backedge_fuzz::campaign::baseline::{Accepted, Baseline, Day, Standing};
use backedge_fuzz::campaign::bucket::may_hold;
use backedge_fuzz::campaign::findings::Findings;
use backedge_fuzz::campaign::task::{Reply, Still, Task};
use backedge_fuzz::campaign::{Loss, Outcome, Workers};
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
            // A worker that is lost over it is a failure too: that of a crash is one of a panic.
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

/// What came of trying the examples of a baseline.
#[derive(Debug, Default)]
pub(super) struct Rechecked {
    /// Those that do not fail any more, or in another way.
    pub(super) stale: usize,
    /// Those that can't be tried: there is no such file, or no code in it.
    pub(super) unusable: usize,
    /// Those for which there was no time.
    pub(super) left_out: usize,
    /// Buckets without an example: none is named, and none is among the findings.
    pub(super) unseen: Vec<String>,
}

impl Rechecked {
    /// The same after the campaign: what it has met is seen to fail. Of the rest nobody can say whether the bucket is one that
    /// fails, or that there is, which is said.
    pub(super) fn with_unseen(mut self, outcome: &Outcome, findings: &Findings) -> Self {
        let is_met =
            |bucket: &String| outcome.met.contains_key(bucket) || outcome.state.buckets.contains_key(bucket);
        self.unseen.retain(|bucket| !is_met(bucket));
        for bucket in &self.unseen {
            output::to_stderr(&visible(&format!(
                "ALARM: {bucket} is accepted, and is not seen to fail: no example is named, none is in {}, and the campaign has \
                 not come to it",
                findings.dir().display()
            )));
        }
        self
    }
}
