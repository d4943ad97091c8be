//! What is accepted of what a campaign finds, and whether it still fails.

use super::team::Team;
use crate::output;
use crate::problem::visible;
use backedge_fuzz::campaign::Workers;
use backedge_fuzz::campaign::baseline::{Baseline, Day, Standing};
use backedge_fuzz::campaign::findings::Findings;
use backedge_fuzz::campaign::task::{Reply, Task};

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
    /// Tries the examples of all that is accepted. How many do not fail any more, which is said of each.
    pub(super) fn recheck(&self, team: &Team<'_>, findings: &Findings) -> Result<usize, String> {
        let mut stale = 0;
        for entry in &self.baseline.accepted {
            let bucket = &entry.bucket;
            let Some(example) = entry.example.clone().or_else(|| findings.example(bucket)) else {
                let dir = findings.dir().display();
                output::to_stderr(&format!(
                    "warning: there is no example of {bucket} in {dir}: it is not tried"
                ));
                continue;
            };
            match team.work(0, &Task::Recheck { example: example.clone() }) {
                Ok(Reply::Rechecked { fails: None }) => {
                    stale += 1;
                    output::to_stderr(&visible(&format!(
                        "ALARM: {bucket} is accepted ({}), and its example does not fail any more: {}",
                        entry.reason,
                        example.display()
                    )));
                }
                // A worker that is lost over it is a failure too.
                Ok(Reply::Rechecked { fails: Some(_) }) | Err(_) => {}
                Ok(Reply::Failed { why }) => return Err(why),
                Ok(Reply::Examined { .. } | Reply::WorkedUp { .. }) => {
                    return Err("a worker answered what it was not asked".to_owned());
                }
            }
        }
        Ok(stale)
    }
}
