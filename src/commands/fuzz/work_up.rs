//! Works up a finding: reproduces it with as few passes and on as small a program as possible.
//!
//! Several ways are tried in turn, and the first one that reproduces the finding is used: the guilty pass alone, on
//! the program as the passes before it leave it; the passes up to it, on the original program; all passes. If only an
//! oracle of this project shows the finding, that oracle runs on each smaller program. Passes that do not terminate
//! are run as a command, which can be killed.

use super::super::bisect::Guilty;
use super::super::reduce::VerdictTest;
use super::super::symptom::{Kind, Reruns, Subject};
use super::super::system::System as Judged;
use super::raw;
use super::setup::Under;
use super::work::{Worker, options, source_of, unreduced};
use crate::commands::symptom::Asked;
use crate::interrupt::Interrupt;
use crate::optimizer::Optimizer;
use backedge_fuzz::bisect::prefix;
use backedge_fuzz::campaign::bucket::{bucket, normalised};
use backedge_fuzz::campaign::examine::Examiner;
use backedge_fuzz::campaign::program::Program;
use backedge_fuzz::campaign::shares::Shares;
use backedge_fuzz::campaign::task::{Counts, Finding, Raw, System};
use backedge_fuzz::oracles::{OracleId, optimize};
use backedge_fuzz::reduce::{self, Ended, Reduced, Stop, Test};
use backedge_fuzz::statistics::base_name;
use backedge_ir::parse::read_module;
use backedge_pipeline::registry::parse_pipeline_for;
use backedge_pipeline::text::parse_elements;
use backedge_validate::judge::Judge;
use backedge_validate::panics::caught;
use std::sync::Arc;
use std::time::Duration;

/// Time limit of this project's passes on a smaller program, if the finding is a hang: far more than any of them needs.
const HANG: Duration = Duration::from_secs(2);
/// Time limit for reducing a program with a hang, since each try may take the full limit.
const HANGING: Duration = Duration::from_secs(120);

/// A way to reproduce a finding.
struct Way {
    judged: Judged,
    shown: System,
    text: String,
    /// The pass, if the way has only one.
    pass: Option<String>,
}

impl Worker {
    /// The worked-up finding of `raw`, or why there is none.
    pub(super) fn work_up(&self, raw: &Raw) -> Result<Result<Finding, String>, String> {
        let program = self.setup.programs.of(raw.seed);
        if !self.setup.reduce {
            let raw = self.with_pass(raw, &program)?;
            return Ok(Ok(unreduced(&self.setup, &raw, "it was not asked for")));
        }
        let plain = |why: &str| unreduced(&self.setup, raw, why);
        match &self.setup.under {
            Under::Command(optimizer) => {
                let found = self.by_command(raw, &program, optimizer)?;
                Ok(found.ok_or_else(|| "the command does it right now".to_owned()))
            }
            Under::Passes(_) if raw.oracle == "process" => {
                let text = &self.examiner.passes[raw.system].text;
                let optimizer = self.setup.as_command(text, HANG.min(self.setup.timeout))?;
                let found = self.by_command(raw, &program, &optimizer)?;
                Ok(Ok(found.unwrap_or_else(|| plain("the passes by themselves do not show it"))))
            }
            Under::Passes(_) => {
                let by_passes = if matches!(&*raw.kind, "panic" | "invalid-ir") || raw.case.is_some() {
                    self.by_passes(raw, &program)?
                } else {
                    None
                };
                Ok(match by_passes {
                    Some(found) => Ok(found),
                    None => self.by_oracle(raw, &program).ok_or_else(|| "nothing is wrong now".to_owned()),
                })
            }
        }
    }

    /// `raw` with the guilty pass of a command, if that was not determined yet.
    fn with_pass(&self, raw: &Raw, program: &Program) -> Result<Raw, String> {
        let mut raw = raw.clone();
        if let (Under::Command(optimizer), true) = (&self.setup.under, raw.is_reported()) {
            let guilty = self.guilty(&source_of(program.text()), optimizer, None)?;
            raw.pass = guilty.and_then(|guilty| guilty.pass);
        }
        Ok(raw)
    }

    /// Works up a finding in this project's passes by judging each of their changes.
    fn by_passes(&self, raw: &Raw, program: &Program) -> Result<Option<Finding>, String> {
        let passes = &self.examiner.passes[raw.system];
        let judge = self.checker(raw.case.as_deref().cloned());
        let module = Arc::new(program.module.clone());
        let guilty = self.guilty_of_ours(module, &passes.pipeline, &judge);
        let mut ways = Vec::new();
        if let Some(Guilty { pass: Some(pass), texts: [Some(before), _], .. }) = guilty
            && let Ok(pipeline) = parse_pipeline_for(&pass, self.setup.machine())
        {
            ways.push(Way {
                judged: Judged::Passes(pipeline),
                shown: System::Passes(pass.clone()),
                text: before,
                pass: Some(pass),
            });
        }
        ways.push(Way {
            judged: Judged::Passes(passes.pipeline.clone()),
            shown: System::Passes(passes.text.clone()),
            text: program.text(),
            pass: None,
        });
        self.by_ways(raw, program, ways)
    }

    fn by_command(
        &self,
        raw: &Raw,
        program: &Program,
        optimizer: &Optimizer,
    ) -> Result<Option<Finding>, String> {
        let text = program.text();
        let known = raw.case.as_deref().cloned();
        let mut ways = Vec::new();
        let elements = optimizer.passes().and_then(|text| parse_elements(text).ok()).unwrap_or_default();
        let way = |optimizer: Optimizer, text: String, pass: Option<String>| Way {
            shown: System::Command(optimizer.text.clone()),
            judged: Judged::External(optimizer),
            text,
            pass,
        };
        if prefix::passes(&elements).len() > 1
            && check_of(raw).is_none()
            && let Some(guilty) = self.guilty(&source_of(text.clone()), optimizer, known)?
        {
            let number = usize::try_from(guilty.number).unwrap_or(usize::MAX);
            let [before, _] = guilty.texts;
            if let Some(index) = number.checked_sub(1) {
                let alone = optimizer.with_passes(&prefix::only(&elements, index));
                if let (Some(alone), Some(before)) = (alone, before) {
                    ways.push(way(alone, before, guilty.pass.clone()));
                }
                let first = optimizer.with_passes(&prefix::prefix(&elements, number));
                ways.extend(first.map(|first| way(first, text.clone(), None)));
            } else {
                // No pass is to blame.
                let without = optimizer.without_passes(&|| false);
                ways.extend(without.map(|without| way(without, text.clone(), None)));
            }
        }
        ways.push(way(optimizer.clone(), text, None));
        self.by_ways(raw, program, ways)
    }

    fn by_ways(&self, raw: &Raw, program: &Program, ways: Vec<Way>) -> Result<Option<Finding>, String> {
        for way in ways {
            if let Some(finding) = self.by_way(raw, program, way)? {
                return Ok(Some(finding));
            }
        }
        Ok(None)
    }

    fn by_way(&self, raw: &Raw, program: &Program, way: Way) -> Result<Option<Finding>, String> {
        let Way { judged, shown, text, pass } = way;
        let command = match &judged {
            Judged::External(optimizer) => Some(optimizer.clone()),
            Judged::Passes(_) => None,
        };
        let asked = check_of(raw);
        let subject = match (judged, asked) {
            (Judged::External(optimizer), Some(asked)) => Subject::Rounds(optimizer, asked),
            (judged, _) => Subject::System(judged),
        };
        let options = options(&self.setup);
        let reruns = Reruns { case: raw.case.as_deref(), options: &options };
        let first = subject.first(&source_of(text.clone()), reruns, &|| false);
        let Some(first) = first.map_err(|e| e.words())? else { return Ok(None) };
        if first.refuted.is_some() != raw.case.is_some() {
            return Ok(None);
        }
        let test = VerdictTest::keeping(subject, &first, Judge::new(options), Interrupt::default());
        let hangs = matches!(first.symptom.kind, Kind::Hung(_));
        let Some(reduced) = self.reduced(&text, &test, hangs)? else { return Ok(None) };
        let Some(found) = test.look(&reduced.text, &|| false).map_err(|e| e.words())? else {
            return Ok(None);
        };
        let mut last = raw::of_failure(program, raw.system, &found);
        last.pass = match (&command, pass, found.symptom.pass.clone()) {
            (_, Some(pass), _) | (_, None, Some(pass)) => Some(pass),
            _ if asked.is_some() => None,
            (Some(optimizer), None, None) => {
                let source = source_of(reduced.text.clone());
                let known = last.case.as_deref().cloned();
                let guilty = self.guilty(&source, optimizer, known)?;
                guilty.map_or_else(|| raw.pass.clone(), |guilty| guilty.pass)
            }
            (None, None, None) => raw.pass.clone(),
        };
        if command.is_none() && last.case.is_none() {
            // For this project's passes the kind of failure is known more precisely than a command's exit shows.
            last.kind.clone_from(&raw.kind);
            last.words.clone_from(&raw.words);
        }
        Ok(Some(self.finding(raw, &last, shown, &reduced)))
    }

    /// Works up a finding by running one of this project's oracles on each candidate.
    fn by_oracle(&self, raw: &Raw, program: &Program) -> Option<Finding> {
        let (shares, needs_pipeline) = match OracleId::named(&raw.oracle) {
            Some(id) => (Shares::none().with(id, 1.0), id.oracle().judge().needs_pipeline()),
            None => (Shares::none(), raw.oracle == optimize::NAME),
        };
        let passes = if needs_pipeline { vec![self.examiner.passes[raw.system].clone()] } else { Vec::new() };
        let shown = match passes.first() {
            Some(passes) => System::Passes(passes.text.clone()),
            None => System::Nothing,
        };
        let examiner = Examiner { passes, shares, ..self.examiner.clone() };
        let text = program.text();
        let mut test = OracleTest { raw: raw.clone(), examiner };
        // The messages may be ordered differently for the parsed program.
        if test.look(&text).is_none() {
            test.raw.words = test.look_for(&text, |_| true)?.words;
        }
        let reduced = self.reduced(&text, &test, false).ok().flatten()?;
        let mut last = test.look(&reduced.text)?;
        last.pass.clone_from(&raw.pass);
        Some(self.finding(raw, &last, shown, &reduced))
    }

    fn reduced(&self, text: &str, test: &dyn Test, hangs: bool) -> Result<Option<Reduced>, String> {
        let Ok(parsed) = read_module(text.as_bytes()) else { return Ok(None) };
        let limits = reduce::Options {
            max_tries: self.setup.max_tries,
            time: hangs.then_some(HANGING),
            ..reduce::Options::default()
        };
        self.alone.install(|| reduce::reduce(parsed.module, test, &limits, &mut ()))
    }

    /// The stored finding; `last` is the raw finding on the reduced program.
    fn finding(&self, raw: &Raw, last: &Raw, shown: System, reduced: &Reduced) -> Finding {
        let mut finding = unreduced(&self.setup, raw, "");
        let code = read_module(reduced.text.as_bytes())
            .map_or_else(|_| reduced.text.clone(), |p| normalised(&p.module));
        // A crash is characterized by its location and by the code that reaches it, without the end of the function.
        let key = if last.case.is_some() || last.words.is_empty() {
            code
        } else {
            let is_end = |line: &&str| line.starts_with("ret") || *line == "unreachable";
            let lines = code.lines().filter(|line| !is_end(line));
            std::iter::once(&*last.words).chain(lines).collect::<Vec<_>>().join("\n")
        };
        finding.bucket = bucket(last.pass.as_deref(), &last.kind, &key);
        finding.pass.clone_from(&last.pass);
        finding.kind.clone_from(&last.kind);
        finding.words.clone_from(&last.words);
        finding.function.clone_from(&last.function);
        finding.message.clone_from(&last.message);
        finding.case.clone_from(&last.case);
        finding.reduced_system = shown;
        finding.reduced_instructions = reduced.size.instructions;
        finding.tries = reduced.tries;
        finding.text = self.setup.spelled(&reduced.text);
        finding.unreduced = match &reduced.ended {
            Ended::Smallest => None,
            Ended::Tries => Some("the limit on tries was reached".to_owned()),
            Ended::Time => Some("the limit on time was reached".to_owned()),
            Ended::Interrupted => Some("interrupted".to_owned()),
            Ended::Failed(why) => Some(why.clone()),
        };
        finding
    }
}

/// The check in repeated runs of a command that found `raw`, if one did.
fn check_of(raw: &Raw) -> Option<Asked> {
    Asked::ALL.into_iter().find(|asked| asked.oracle().name() == raw.oracle)
}

/// Reduction test: the oracle reports the same finding.
struct OracleTest {
    raw: Raw,
    examiner: Examiner,
}

impl OracleTest {
    fn look(&self, text: &str) -> Option<Raw> {
        self.look_for(text, |words| words == self.raw.words)
    }
    /// The finding in `text` that matches the original one and whose message satisfies `says`.
    fn look_for(&self, text: &str, says: impl Fn(&str) -> bool) -> Option<Raw> {
        let module = read_module(text.as_bytes()).ok()?.module;
        let program = Program::given(self.raw.seed, module, String::new());
        let seen = caught(|| self.examiner.examine(&program, &mut Counts::default())).ok()?;
        let all = seen.iter().map(|seen| raw::of_seen(&program, self.raw.system, seen));
        let pass = |raw: &Raw| raw.pass.as_deref().map(base_name).map(str::to_owned);
        // The guilty pass of a miscompile is determined separately.
        let same = |raw: &Raw| {
            raw.oracle == self.raw.oracle
                && raw.kind == self.raw.kind
                && says(&raw.words)
                && (raw.case.is_some() || pass(raw) == pass(&self.raw))
        };
        all.into_iter().find(same)
    }
}

impl Test for OracleTest {
    fn is_interesting(&self, text: &str, _: &Stop<'_>) -> Result<bool, String> {
        Ok(self.look(text).is_some())
    }
}
