//! Rechecks the example of an accepted finding: does it still fail in the same way, that is, by the same pass with
//! the same kind of failure? It is tested with the campaign's system and with the system that the finding was reduced
//! to.

use super::super::symptom::{Reruns, Subject};
use super::super::system::System as Judged;
use super::raw;
use super::setup::Under;
use super::work::{Worker, options, source_of};
use crate::commands::symptom::Asked;
use crate::optimizer::Optimizer;
use backedge_fuzz::campaign::bucket::may_hold;
use backedge_fuzz::campaign::examine::Examiner;
use backedge_fuzz::campaign::findings;
use backedge_fuzz::campaign::program::Program;
use backedge_fuzz::campaign::shares::Shares;
use backedge_fuzz::campaign::task::{Counts, Finding, Raw, Still, System};
use backedge_ir::module::Module;
use backedge_ir::parse::read_module;
use backedge_pipeline::registry::parse_pipeline_for;
use backedge_validate::panics::caught;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;

/// A loaded example.
struct Example<'b> {
    bucket: &'b str,
    text: String,
    module: Module,
    /// The data of the finding, if there is a data file next to the example.
    known: Option<Finding>,
}

impl<'b> Example<'b> {
    fn read(bucket: &'b str, path: &Path) -> Result<Self, String> {
        let text = findings::text(path).map_err(|e| format!("{}: {e}", path.display()))?;
        let module = match read_module(text.as_bytes()) {
            Ok(parsed) => parsed.module,
            Err(errors) => {
                let what = errors.first().map_or_else(String::new, |e| format!(": {}", e.message));
                return Err(format!("{} is no LLVM IR{what}", path.display()));
            }
        };
        let known = match findings::read(path) {
            Ok(known) => Some(known),
            Err(e) if e.kind() == ErrorKind::NotFound => None,
            Err(e) => return Err(format!("{}: {e}", path.with_extension("json").display())),
        };
        let had_code = known.as_ref().is_none_or(|known| known.reduced_instructions > 0);
        if had_code && module.bodies().next().is_none() {
            return Err(format!("{}: there is no function with code in it", path.display()));
        }
        Ok(Self { bucket, text, module, known })
    }

    /// The system that the finding was reduced to; without a data file, the one in the comments at the top of the
    /// code.
    fn system(&self) -> Option<System> {
        match &self.known {
            Some(known) => Some(known.reduced_system.clone()),
            None => findings::system_above(&self.text),
        }
    }

    /// The check in repeated runs of a command, if the example failed in one.
    fn asked(&self) -> Option<Asked> {
        Asked::ALL.into_iter().find(|asked| may_hold(self.bucket, None, asked.kind()))
    }

    /// Whether the bucket names a pass and this kind of failure.
    fn names_pass(&self, kind: &str) -> bool {
        kinds(kind)
            .iter()
            .any(|kind| may_hold(self.bucket, None, kind) && !may_hold(self.bucket, Some(""), kind))
    }

    /// Whether `raw` is the same failure: by the same pass, as far as both are known.
    fn is_same_failure(&self, raw: &Raw) -> bool {
        let by_words = |known: &Finding| {
            known.case.is_some()
                || known.kind != raw.kind
                || known.words.is_empty()
                || known.words == raw.words
        };
        let of_bucket = |kind: &&str| may_hold(self.bucket, raw.pass.as_deref(), kind);
        kinds(&raw.kind).iter().any(of_bucket) && self.known.as_ref().is_none_or(by_words)
    }
}

impl Worker {
    /// Whether the example in `path` of `bucket` still fails.
    pub(super) fn recheck(&self, bucket: &str, path: &Path) -> Result<Still, String> {
        let example = Example::read(bucket, path)?;
        let mut other = None;
        for judged in self.judged(&example) {
            if let Some(raw) = self.fails(&example, judged)? {
                if example.is_same_failure(&raw) {
                    return Ok(Still::Fails);
                }
                other.get_or_insert(raw);
            }
        }
        for raw in self.seen(&example) {
            if example.is_same_failure(&raw) {
                return Ok(Still::Fails);
            }
            other.get_or_insert(raw);
        }
        Ok(other.map_or(Still::Holds, |raw| Still::Otherwise(told(&raw))))
    }

    /// The systems to test: the campaign's, and the one that the finding was reduced to.
    fn judged(&self, example: &Example<'_>) -> Vec<Judged> {
        let passes_of = |text: &str| {
            match example.system()? {
                System::Command(command) => {
                    let optimizer = Optimizer::new(&command, self.setup.command()?.limits()).ok()?;
                    optimizer.passes().map(str::to_owned)
                }
                System::Passes(passes) => Some(passes),
                System::Nothing => None,
            }
            .filter(|passes| passes != text)
        };
        match &self.setup.under {
            Under::Command(optimizer) => {
                let cut = passes_of(optimizer.passes().unwrap_or_default());
                let cut = cut.and_then(|passes| optimizer.with_passes(&passes)).map(Judged::External);
                std::iter::once(Judged::External(Optimizer::clone(optimizer))).chain(cut).collect()
            }
            Under::Passes(all) => {
                let cut = passes_of("");
                let cut = cut.and_then(|passes| parse_pipeline_for(&passes, self.setup.machine()).ok());
                all.iter().map(|passes| passes.pipeline.clone()).chain(cut).map(Judged::Passes).collect()
            }
        }
    }

    /// The failure of the example with that system, if any, with the guilty pass.
    fn fails(&self, example: &Example<'_>, judged: Judged) -> Result<Option<Raw>, String> {
        let source = source_of(example.text.clone());
        let case = example.known.as_ref().and_then(|known| known.case.as_deref());
        let options = options(&self.setup);
        let subject = match (&judged, example.asked()) {
            (Judged::External(optimizer), Some(asked)) => Subject::Rounds(optimizer.clone(), asked),
            _ => Subject::System(judged.clone()),
        };
        let first = subject.first(&source, Reruns { case, options: &options }, &|| false);
        let Some(found) = first.map_err(|e| e.words())? else { return Ok(None) };
        let program = Program::given(0, example.module.clone(), String::new());
        let mut raw = raw::of_failure(&program, 0, &found);
        let case = raw.case.as_deref().cloned();
        raw.pass = match &judged {
            _ if !example.names_pass(&raw.kind) => None,
            Judged::External(optimizer) => {
                self.guilty(&source, optimizer, case)?.and_then(|guilty| guilty.pass)
            }
            Judged::Passes(pipeline) => found.symptom.pass.clone().or_else(|| {
                let module = Arc::new(example.module.clone());
                self.guilty_of_ours(module, pipeline, &self.checker(case)).and_then(|guilty| guilty.pass)
            }),
        };
        Ok(Some(raw))
    }

    /// The findings of this project's oracles on the example, if one of them found it.
    fn seen(&self, example: &Example<'_>) -> Vec<Raw> {
        let of_ours = matches!(self.setup.under, Under::Passes(_));
        let Some(known) = example.known.as_ref().filter(|known| of_ours && known.case.is_none()) else {
            return Vec::new();
        };
        let program = Program::given(known.seed, example.module.clone(), String::new());
        let examiner = Examiner { shares: Shares::all(), ..self.examiner.clone() };
        let seen = caught(|| examiner.examine(&program, &mut Counts::default())).unwrap_or_default();
        seen.iter().map(|seen| raw::of_seen(&program, 0, seen)).collect()
    }
}

/// The kinds that a failure may have in a bucket: a crash may also be a panic or invalid IR.
fn kinds(kind: &str) -> Vec<&str> {
    if kind == "crash" { vec!["crash", "panic", "invalid-ir"] } else { vec![kind] }
}

/// A one-line description of a failure.
fn told(raw: &Raw) -> String {
    let pass = raw.pass.as_deref().map_or(String::new(), |pass| format!("{pass}: "));
    let first = raw.message.lines().next().unwrap_or_default();
    format!("{pass}{}: {first}", raw.kind)
}
