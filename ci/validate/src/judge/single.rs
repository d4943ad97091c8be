//! Judges a pair: looks it up in the cache, else runs it in this process, with workers for solver queries.

use super::cache::Cache;
use super::check::{by_runs, by_solver};
use super::panics::caught;
use super::portfolio::{Staged, with_solver};
use super::worker::Pool;
use crate::admit::whole_module::{excused_by_variables, in_whole_module};
use crate::pair::extracted::Extracted;
use crate::pair::{Side, Sides};
use crate::replay::reproducer::Reproducer;
use crate::stages::promise_check::check_promises;
use crate::stages::target_claims::judged;
use crate::verdict::{InternalError, Method, Options, Reason, Report, Verdict};

/// Judges pairs; usable from any thread.
#[derive(Debug)]
pub struct Judge {
    options: Options,
    workers: Option<Pool>,
    cache: Option<Cache>,
}

/// A report and its origin.
#[derive(Clone, PartialEq, Debug)]
pub struct Judged {
    /// The report.
    pub report: Report,
    /// Whether the report comes from the cache.
    pub cached: bool,
}

impl Judged {
    /// A file that reproduces the refutation; `None` if the pair is not refuted.
    ///
    /// # Errors
    ///
    /// Why the file could not be created.
    pub fn reproducer(
        &self,
        source: Side<'_>,
        target: Side<'_>,
        options: &Options,
    ) -> Option<Result<Box<Reproducer>, String>> {
        let refutation = self.report.verdict.refutation()?;
        let made = caught(|| Reproducer::new(source, target, refutation, options));
        Some(made.unwrap_or_else(|panic| Err(format!("a panic: {panic}"))).map(Box::new))
    }
}

impl Judge {
    /// A judge that does everything in this process.
    pub fn new(options: Options) -> Self {
        Self { options, workers: None, cache: None }
    }

    /// Delegates solver queries to `workers`.
    pub fn with_workers(mut self, workers: Pool) -> Self {
        self.workers = Some(workers);
        self
    }

    /// Looks up and stores verdicts in `cache`.
    pub fn with_cache(mut self, cache: Cache) -> Self {
        self.cache = Some(cache);
        self
    }

    /// Judges identical functions with the engines, like all others.
    pub fn without_identity(mut self) -> Self {
        self.options.identity = false;
        self
    }

    /// The limits and semantic options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The result of [`super::check::check`] on the two functions with everything they refer to, unless the rest of their
    /// modules contradicts it. A panic becomes an internal error.
    pub fn judge(&self, source: Side<'_>, target: Side<'_>) -> Judged {
        let pair = match caught(|| Extracted::new(source, target)) {
            Ok(Ok(pair)) => pair,
            Ok(Err(what)) | Err(what) => {
                return Judged { report: broken(what, source, target), cached: false };
            }
        };
        let Judged { report, cached } = self.judge_cached(&pair);
        let report = self.check_ambiguous_names(&pair, report);
        let report = self.check_intrinsic_attributes(&pair, report);
        let as_whole = || {
            let report = in_whole_module(report, Sides { source, target }, pair.sides().target);
            excused_by_variables(report, Sides { source, target }, pair.globals())
        };
        Judged { report: caught(as_whole).unwrap_or_else(|panic| broken(panic, source, target)), cached }
    }

    /// The report, unless it depends on which constants are merged, or on which variable of the source corresponds to
    /// one of the target.
    fn check_ambiguous_names(&self, pair: &Extracted, report: Report) -> Report {
        let failure = report.verdict.refutation().map(|refutation| refutation.failure);
        let is_unsupported =
            matches!(&report.verdict, Verdict::Inconclusive { reason: Reason::Unsupported { .. } });
        if failure.is_none() && !is_unsupported {
            return report;
        }
        let judge = |other: Option<Result<Extracted, String>>| match other {
            None => Ok(None),
            Some(Ok(other)) => Ok(Some(self.judge_cached(&other).report)),
            Some(Err(what)) => Err(what),
        };
        let merged = match caught(|| judge(pair.with_merged())) {
            Ok(Ok(merged)) => merged,
            Ok(Err(what)) | Err(what) => return broken(what, pair.sides().source, pair.sides().target),
        };
        if let Some(merged) = merged {
            match merged.verdict {
                Verdict::RefinesAll { .. } | Verdict::RefinesUpTo { .. } => {
                    return Report { rlimit: report.rlimit + merged.rlimit, ..merged.of_copy() };
                }
                Verdict::Refuted(_)
                | Verdict::RefutedByUndef { .. }
                | Verdict::Vacuous { .. }
                | Verdict::Inconclusive { .. }
                | Verdict::InternalError(_) => {}
            }
        }
        let Some(failure) = failure else { return report };
        let open = |why: &str| {
            let what = format!("a run that fails ({failure}) depends on {why}");
            Report::new(Verdict::Inconclusive { reason: Reason::Approximation { what } })
        };
        if let Some(name) = pair.open_name() {
            return open(&format!("which variable of the source corresponds to @{name} of the target"));
        }
        match caught(|| judge(pair.with_all_merged())) {
            Ok(Ok(Some(one))) if one.verdict.refutation().is_none() => {
                open("the placement of equal constants with insignificant addresses")
            }
            // Merging fails if a needed name is already in use.
            Ok(Ok(_) | Err(_)) => report,
            Err(panic) => broken(panic, pair.sides().source, pair.sides().target),
        }
    }

    /// The report, unless it depends on value attributes on declarations of intrinsics.
    fn check_intrinsic_attributes(&self, pair: &Extracted, report: Report) -> Report {
        match &report.verdict {
            Verdict::RefinesAll { method: Method::Identical, .. }
            | Verdict::Inconclusive { .. }
            | Verdict::InternalError(_) => return report,
            Verdict::RefinesAll { .. }
            | Verdict::RefinesUpTo { .. }
            | Verdict::Refuted(_)
            | Verdict::RefutedByUndef { .. }
            | Verdict::Vacuous { .. } => {}
        }
        let (other, what) = match caught(|| pair.with_own_attributes()) {
            Ok(None) => return report,
            Ok(Some(Ok(other))) => other,
            Ok(Some(Err(what))) | Err(what) => return broken(what, pair.sides().source, pair.sides().target),
        };
        let other = self.check_ambiguous_names(&other, self.judge_cached(&other).report);
        let rlimit = report.rlimit + other.rlimit;
        if matches!(other.verdict, Verdict::Inconclusive { .. } | Verdict::InternalError(_)) {
            return Report { rlimit, ..other.of_copy() };
        }
        if let Some(verdict) = report.verdict.of_both(&other.verdict) {
            return Report { rlimit, ..report.map(|_| verdict) };
        }
        let what = format!(
            "the verdict depends on {}: LangRef has each call keep what the declaration of an intrinsic states, LLVM discards it",
            what.join(", ")
        );
        Report { rlimit, ..report.map(|_| Verdict::Inconclusive { reason: Reason::Approximation { what } }) }
    }

    fn judge_cached(&self, pair: &Extracted) -> Judged {
        let Some(cache) = &self.cache else {
            return Judged { report: self.judge_extracted(pair), cached: false };
        };
        let key = cache.key(pair, &self.options);
        // A lookup that panics counts as a miss.
        if let Ok(Some(report)) = caught(|| cache.find(pair, &self.options, &key)) {
            return Judged { report, cached: true };
        }
        let report = self.judge_extracted(pair);
        cache.keep(pair, &self.options, &key, &report);
        Judged { report, cached: false }
    }

    /// The report on a pair, with claims of the target judged.
    fn judge_extracted(&self, pair: &Extracted) -> Report {
        let Sides { source, target } = pair.sides();
        let judge = |s: Side<'_>, t: Side<'_>| {
            if std::ptr::eq(t.module, target.module) {
                return self.judge_unhardened(pair);
            }
            match caught(|| Extracted::new(s, t)) {
                Ok(Ok(pair)) => self.judge_unhardened(&pair),
                Ok(Err(what)) | Err(what) => broken(what, s, t),
            }
        };
        let report = caught(|| judged(source, target, judge));
        let report =
            report.unwrap_or_else(|panic| broken(format!("the checker panicked: {panic}"), source, target));
        report.map(|verdict| verdict.assuming(pair.assumed().to_vec()))
    }

    fn judge_unhardened(&self, pair: &Extracted) -> Report {
        let Sides { source, target } = pair.sides();
        let staged = self.judge_in_stages(pair);
        let keeping = || check_promises(staged, source, target, &self.options);
        caught(keeping)
            .unwrap_or_else(|panic| broken(format!("the checker panicked: {panic}"), source, target))
    }

    fn judge_in_stages(&self, pair: &Extracted) -> Report {
        let Sides { source, target } = pair.sides();
        let options = &self.options;
        let panicked = |panic| broken(format!("the checker panicked: {panic}"), source, target);
        let so_far = match caught(|| by_runs(source, target, options)) {
            Ok(Staged::Decided(report)) => return report,
            Ok(Staged::Open(so_far)) => so_far,
            Err(panic) => return panicked(panic),
        };
        let report = match &self.workers {
            Some(workers) => {
                let sides = Sides { source, target };
                with_solver(sides, options, &so_far, |options, so_far| workers.judge(pair, options, so_far))
            }
            None => {
                let solve = || by_solver(source, target, options, &so_far);
                caught(solve).unwrap_or_else(panicked)
            }
        };
        so_far.then(report)
    }
}

fn broken(what: String, source: Side<'_>, target: Side<'_>) -> Report {
    let error = InternalError::new(what, None, source, target);
    Report::new(Verdict::InternalError(Box::new(error)))
}
