//! The part of a worker that tests an external command: it runs the command on several programs in one file, and then
//! on each suspect program alone.

use super::super::bisect::{Guilty, Stop, Theirs};
use super::super::external::{self, Stopped};
use super::super::optimize::FileItems;
use super::super::symptom::{Subject, Two, growth};
use super::super::system::System as Judged;
use super::raw;
use super::work::{Worker, source_of};
use crate::commands::symptom::Asked;
use crate::input::Source;
use crate::optimizer::Optimizer;
use backedge_fuzz::bisect::prefix;
use backedge_fuzz::campaign::merge::merge;
use backedge_fuzz::campaign::program::Program;
use backedge_fuzz::campaign::task::{Counts, Raw};
use backedge_fuzz::oracles::OracleId;
use backedge_pipeline::text::parse_elements;
use backedge_validate::batch::Item;
use backedge_validate::case::Case;
use backedge_validate::check::by_few_runs;
use backedge_validate::panics::caught;
use backedge_validate::record::Finding as Record;
use backedge_validate::verdict::{Reason, Verdict};
use std::collections::BTreeSet;
use std::sync::Arc;

impl Worker {
    /// The findings of `programs` with a command; first in one file, since the command takes longer to start than to
    /// work.
    pub(super) fn theirs(
        &self,
        programs: &[Program],
        optimizer: &Optimizer,
        counts: &mut Counts,
    ) -> Result<Vec<Raw>, String> {
        counts.programs += programs.len() as u64;
        counts.loops += programs.iter().map(|p| p.loops as u64).sum::<u64>();
        programs.iter().for_each(|program| counts.add_drawn(program));
        let merged = if programs.len() > 1 { merge(programs) } else { None };
        let mut together = Counts::default();
        let suspects = match &merged {
            Some(merged) => {
                let program_of = |name: &str| merged.place(name).map(|at| &programs[at]);
                self.suspects(&source_of(merged.text.clone()), &program_of, optimizer, &mut together)?
            }
            None => None,
        };
        let mut all = Vec::new();
        match suspects {
            Some(suspects) => {
                counts.add(&together);
                for program in programs.iter().filter(|program| suspects.contains(&program.seed)) {
                    all.extend(self.confirmed(program, optimizer, counts)?);
                }
            }
            // The combined file gives no answer, since one program may be to blame for a failure of all.
            None => {
                for program in programs {
                    let source = source_of(program.text());
                    let suspects = self.suspects(&source, &|_| Some(program), optimizer, counts)?;
                    // The failure may be in the file and not in one of its functions.
                    if suspects.is_none_or(|suspects| !suspects.is_empty()) {
                        all.extend(self.confirmed(program, optimizer, counts)?);
                    }
                }
            }
        }
        for program in programs {
            all.extend(self.restless(program, optimizer)?);
        }
        Ok(all)
    }

    /// The finding in repeated runs of the command on `program`, if the seed enables that oracle.
    fn restless(&self, program: &Program, optimizer: &Optimizer) -> Result<Option<Raw>, String> {
        for asked in
            Asked::ALL.into_iter().filter(|asked| self.setup.shares.asks(asked.oracle(), program.seed))
        {
            match asked.of(&source_of(program.text()), optimizer, &|| false) {
                Ok(Some(found)) => return Ok(Some(raw::of_failure(program, 0, &found))),
                Ok(None) | Err(Stopped::Interrupted) => {}
                Err(Stopped::System(why)) => return Err(why),
            }
        }
        Ok(None)
    }

    /// The seeds of failing programs in `source`; `None` if the failure concerns the whole output rather than a
    /// program.
    fn suspects<'p>(
        &self,
        source: &Source,
        program_of: &dyn Fn(&str) -> Option<&'p Program>,
        optimizer: &Optimizer,
        counts: &mut Counts,
    ) -> Result<Option<BTreeSet<u64>>, String> {
        let items = match external::items_of_source(source, optimizer, &|| false) {
            Ok(FileItems { items, .. }) => items,
            Err(Stopped::System(why)) => return Err(why),
            Err(Stopped::Interrupted) => return Ok(Some(BTreeSet::new())),
        };
        let mut suspects = BTreeSet::new();
        for item in items {
            match item {
                Item::Known(record) => {
                    counts.timeouts += u64::from(matches!(record.finding, Record::Hang { .. }));
                    if !matches!(record.finding, Record::Opaque { .. } | Record::BadInput { .. }) {
                        let Some(program) = program_of(&record.function) else { return Ok(None) };
                        suspects.insert(program.seed);
                    }
                }
                Item::Rewrite(rewrite) => {
                    let two = Two { source: rewrite.source, target: rewrite.target };
                    let Some(program) = program_of(two.sides().0.name()) else { continue };
                    counts.add_fired(program);
                    if growth(&two).is_some() || self.is_suspect(program, &two, counts) {
                        suspects.insert(program.seed);
                    }
                }
                Item::Change(_) => {}
            }
        }
        Ok(Some(suspects))
    }

    /// Whether the transformed function is refuted, by the oracles that the seed enables.
    fn is_suspect(&self, program: &Program, two: &Two, counts: &mut Counts) -> bool {
        let (source, target) = two.sides();
        let mut verdict = None;
        if self.setup.shares.asks(OracleId::Runs, program.seed) {
            let Ok(report) = caught(|| by_few_runs(source, target, &self.setup.runs.options())) else {
                counts.inconclusive += 1;
                return false;
            };
            counts.executions += report.runs;
            counts.defined += report.defined;
            verdict = Some(report.verdict);
        }
        let is_refuted =
            |verdict: &Option<Verdict>| verdict.as_ref().is_some_and(|v| v.refutation().is_some());
        if !is_refuted(&verdict) && self.setup.shares.asks(OracleId::Proof, program.seed) {
            counts.proofs += 1;
            verdict = Some(self.prover.judge(source, target).report.verdict);
        }
        let open = match &verdict {
            Some(Verdict::Inconclusive { reason }) => match reason {
                Reason::RunsAlone { defined, .. } => *defined == 0,
                Reason::Time { .. } => {
                    counts.timeouts += 1;
                    true
                }
                _ => true,
            },
            _ => false,
        };
        counts.inconclusive += u64::from(open);
        is_refuted(&verdict)
    }

    /// Tests the suspect `program` alone; returns its finding with the guilty pass. Counts suspects that do not fail
    /// alone.
    fn confirmed(
        &self,
        program: &Program,
        optimizer: &Optimizer,
        counts: &mut Counts,
    ) -> Result<Option<Raw>, String> {
        let source = source_of(program.text());
        let subject = Subject::System(Judged::External(optimizer.clone()));
        let judge =
            if self.setup.shares.asks(OracleId::Proof, program.seed) { &self.prover } else { &self.runner };
        let found = match subject.findings(&source, judge, &|| false) {
            Ok(found) => found,
            Err(Stopped::System(why)) => return Err(why),
            Err(Stopped::Interrupted) => return Ok(None),
        };
        let Some(found) = found.into_iter().next() else {
            counts.unconfirmed += 1;
            return Ok(None);
        };
        let mut raw = raw::of_failure(program, 0, &found);
        let known = found.refuted.as_ref().map(|(_, refutation)| refutation.case.clone());
        // The message identifies the fault; only the finding that is worked up needs the pass.
        if !raw.is_reported() {
            raw.pass = self.guilty(&source, optimizer, known)?.and_then(|guilty| guilty.pass);
        }
        Ok(Some(raw))
    }

    /// The command's pass that is to blame for the failure on `source`.
    pub(super) fn guilty(
        &self,
        source: &Source,
        optimizer: &Optimizer,
        known: Option<Case>,
    ) -> Result<Option<Guilty>, String> {
        let Ok(parsed) = source.parse() else { return Ok(None) };
        let module = Arc::new(parsed.module);
        let judge = self.checker(known);
        let elements = optimizer.passes().and_then(|text| parse_elements(text).ok()).unwrap_or_default();
        let passes = prefix::passes(&elements);
        let by_passes = passes.len() > 1;
        let guilty = Theirs::new(source, module, optimizer, (&judge, &|| false), by_passes)
            .and_then(|mut theirs| theirs.bisect());
        match guilty {
            Ok(answer) => Ok(answer.guilty().map(|guilty| match passes[..] {
                [only] => guilty.named_as(&only.name),
                _ => guilty,
            })),
            // The command has no separable passes, refuses every input, or is nondeterministic.
            Err(Stop::System(_) | Stop::Interrupted | Stop::Useless(_) | Stop::Unsteady(_)) => Ok(None),
        }
    }
}
