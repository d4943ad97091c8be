//! Reports claims and the results of their checks, as text and as JSON lines.

use crate::exit::Exit;
use crate::report::events::{ClaimRecord, Event, Line};
use backedge_claim::claim::{ClaimKind, Claims, CountKind, Note, Source};
use backedge_claim::expr::Node;
use backedge_claim::text::Describer;
use backedge_interp::claims::{Subject, Violation};
use backedge_interp::input::{ArgSpec, Input, shortened};
use backedge_ir::body::Body;
use backedge_ir::entity::Arg;
use backedge_ir::int::Int;
use backedge_ir::module::Module;
use backedge_ir::print::{BodyPrinter, type_to_string};
use backedge_ir::types::{Type, TypeKind};
use backedge_validate::claims::{ClaimReport, ClaimResult, Status};
use backedge_validate::narrate;
use serde_json::{Map, json};
use std::fmt::{self, Write as _};

/// The number of claims with each result.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct Counted {
    proved: usize,
    bounded: usize,
    refuted: usize,
    inconclusive: usize,
    contradictions: usize,
    /// Statements that were not parsed as claims.
    not_read: usize,
}

impl Counted {
    /// Counts the results for a function.
    pub(crate) fn add(&mut self, claims: &Claims, report: &ClaimReport) {
        self.not_read += claims.notes.len();
        for result in &report.results {
            *match result.status {
                Status::Proved { .. } => &mut self.proved,
                Status::Bounded { .. } => &mut self.bounded,
                Status::Refuted(_) => &mut self.refuted,
                Status::Contradiction { .. } => &mut self.contradictions,
                Status::Inconclusive { .. } => &mut self.inconclusive,
            } += 1;
        }
    }
    fn total(self) -> usize {
        self.proved + self.bounded + self.refuted + self.inconclusive + self.contradictions
    }
    /// Whether no claim was checked.
    pub(crate) fn is_nothing(self) -> bool {
        self.total() == 0
    }
    /// The share of inconclusive statements, which include those that were not parsed.
    fn inconclusive_share(self) -> f64 {
        (self.inconclusive + self.not_read) as f64 / (self.total() + self.not_read).max(1) as f64
    }
    /// The exit code, determined by the worst finding. Contradictions between this project's engines are never
    /// tolerated, and a check of nothing is not a success.
    pub(crate) fn exit(self, max_inconclusive: f64) -> Exit {
        if self.refuted > 0 {
            Exit::Refuted
        } else if self.contradictions > 0 || self.is_nothing() || self.inconclusive_share() > max_inconclusive
        {
            Exit::Inconclusive
        } else {
            Exit::Accepted
        }
    }
}

impl fmt::Display for Counted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} claims: {} proved, {} hold up to a bound, {} refuted, {} open",
            self.total(),
            self.proved,
            self.bounded,
            self.refuted,
            self.inconclusive
        )?;
        if self.contradictions > 0 {
            write!(f, ", {} INTERNAL ERRORS", self.contradictions)?;
        }
        if self.not_read > 0 {
            write!(f, "; {} other statement(s) could not be parsed (--all shows them)", self.not_read)?;
        }
        Ok(())
    }
}

/// Maximum number of the environment's answers shown for a run in text; the JSON form has all.
const ANSWERS: usize = 12;

/// The property that a claim asserts, by its number in docs/semantics.md: P1 flag of a sum or product, P2 flag of a
/// recurrence, P3 value, P4 range, P5 exit count, P6 backedge-taken count, P7 maximum or multiple, P8 disposition, P9
/// exit value. A recurrence that is not an addrec is a value claim.
fn property(claims: &Claims, subject: Subject) -> &'static str {
    let of_flag = |expr| if matches!(claims.exprs.node(expr), Node::AddRec { .. }) { "P2" } else { "P1" };
    let index = match subject {
        Subject::Flag(flag) => return of_flag(flag.expr),
        Subject::Claim(index) => index,
    };
    match claims.claims[index].kind {
        ClaimKind::Flag { expr, .. } => of_flag(expr),
        ClaimKind::Value { .. } | ClaimKind::ValueAtScope { .. } | ClaimKind::Recurrence { .. } => "P3",
        ClaimKind::Range { .. } => "P4",
        ClaimKind::ExitCount { .. } => "P5",
        ClaimKind::TakenCount { kind: CountKind::Exact, .. } => "P6",
        ClaimKind::TakenCount { .. } | ClaimKind::TripMultiple { .. } => "P7",
        ClaimKind::Disposition { .. } => "P8",
        ClaimKind::ExitValue { .. } => "P9",
    }
}

/// An argument of a run.
struct Argument {
    /// The name, with sigil.
    name: String,
    ty: String,
    /// The value, in the syntax of `backedge run`.
    value: String,
}

/// The text of an argument of type `ty`; integers in LLVM's spelling.
fn value(arg: &ArgSpec, ty: Type) -> String {
    let bits = match *arg {
        ArgSpec::Bits(bits) => bits,
        ArgSpec::Int(value) => value as u128,
        _ => return arg.to_string(),
    };
    match ty.kind() {
        TypeKind::Int(1) => (bits & 1 == 1).to_string(),
        TypeKind::Int(width) if width <= 128 => Int::new(width, bits).to_string(),
        _ => arg.to_string(),
    }
}

/// The memory of an input, one text per block.
fn memory(input: &Input) -> impl Iterator<Item = String> {
    let blocks = input.blocks.iter().enumerate().map(|(i, block)| format!("block{i}={block}"));
    blocks.chain(input.globals.iter().map(|(name, block)| format!("@{name}={block}")))
}

/// Prints the results for one function.
pub(crate) struct Printer<'c, 'm> {
    name: &'m str,
    body: Option<&'m Body>,
    module: &'m Module,
    claims: &'c Claims,
}

impl<'c, 'm> Printer<'c, 'm> {
    /// A printer of `claims` about a function of `module`.
    pub(crate) fn new(module: &'m Module, claims: &'c Claims) -> Self {
        Self { name: &module.env.funcs[claims.func].name, body: module.body(claims.func), module, claims }
    }
    fn describer(&self) -> Option<Describer<'c, 'm>> {
        self.body.map(|body| Describer::new(&self.module.env, body, self.claims))
    }

    /// Prints the refuted claims, or all of them.
    pub(crate) fn text(&self, report: &ClaimReport, all: bool) -> String {
        let (mut out, Some(describer)) = (String::new(), self.describer()) else { return String::new() };
        for result in &report.results {
            if !all && !matches!(result.status, Status::Refuted(_) | Status::Contradiction { .. }) {
                continue;
            }
            let claim = self.words(&describer, result);
            _ = writeln!(out, "@{}{}: {}: {claim}", self.name, self.place(result), result.status);
            if let Status::Refuted(violation) = &result.status {
                self.violation(&mut out, violation);
            }
        }
        out
    }
    /// The statements about the function that were not parsed as claims, one per line.
    pub(crate) fn not_read(&self) -> String {
        let line = |note: &Note| match note.source {
            Source::Analysis => String::new(),
            Source::Line(line) => format!(", line {line}"),
        };
        self.claims
            .notes
            .iter()
            .map(|n| format!("@{}{}: not read: {}\n", self.name, line(n), n.text))
            .collect()
    }
    fn words(&self, describer: &Describer<'_, '_>, result: &ClaimResult) -> String {
        match result.subject {
            Subject::Claim(index) => describer.claim(index),
            Subject::Flag(flag) => describer.flag(flag),
        }
    }
    fn place(&self, result: &ClaimResult) -> String {
        match self.claims.claims[result.subject.claim()].source {
            Source::Analysis => String::new(),
            Source::Line(line) => format!(", line {line}"),
        }
    }
    fn violation(&self, out: &mut String, violation: &Violation) {
        let named = self.arguments(&violation.input);
        let arguments = named.iter().map(|a| format!("{} = {} {}", a.name, a.ty, shortened(&a.value)));
        let memory = memory(&violation.input).map(|m| shortened(&m));
        let input: Vec<String> = arguments.chain(memory).collect();
        _ = writeln!(out, "  input: {}", if input.is_empty() { "none".to_owned() } else { input.join(", ") });
        if let (Some((header, taken)), Some(body)) = (violation.at, self.body) {
            let label = body.slots().block_label(body, header);
            _ = writeln!(out, "  in loop %{label}, after {taken} backedges");
        }
        for answer in self.environment(violation).take(ANSWERS) {
            _ = writeln!(out, "  {}", shortened(&answer));
        }
        _ = writeln!(out, "  {}", violation.evidence);
    }

    /// The effects of external calls, and the other nondeterministic choices of the run.
    fn environment(&self, violation: &Violation) -> impl Iterator<Item = String> {
        let choices = violation.choices.iter().filter_map(|c| narrate::choice(self.module, c));
        violation.calls.iter().map(|call| narrate::answered(self.module, call)).chain(choices)
    }

    /// The arguments with their names and types.
    fn arguments(&self, input: &Input) -> Vec<Argument> {
        let Some(body) = self.body else { return Vec::new() };
        let env = &self.module.env;
        let printer = BodyPrinter::new(env, body);
        let one = |(param, arg): (Arg, &ArgSpec)| {
            let ty = body.ty(param.into());
            let name = printer.operand(param.into());
            Argument { name, ty: type_to_string(&env.types, ty), value: value(arg, ty) }
        };
        body.args().zip(&input.args).map(one).collect()
    }

    /// One JSON line for each claim of the module `file`, and for each statement that was not parsed.
    pub(crate) fn json(&self, file: &str, report: &ClaimReport) -> String {
        let Some(describer) = self.describer() else { return String::new() };
        let results = report.results.iter().map(|result| ClaimRecord {
            function: self.name.to_string(),
            claim: self.words(&describer, result),
            line: line(self.claims.claims[result.subject.claim()].source),
            property: property(self.claims, result.subject).to_string(),
            status: result.status.word().to_string(),
            reason: result.status.reason().map(|reason| reason.to_string()),
            detail: result.status.to_string(),
            more: self.more(report, result),
        });
        let notes = self.claims.notes.iter().map(|note| ClaimRecord {
            function: self.name.to_string(),
            claim: note.text.to_string(),
            line: line(note.source),
            property: "unread".to_owned(),
            status: "inconclusive".to_owned(),
            reason: Some("not read".to_owned()),
            detail: format!("not read: {}", note.text),
            more: Map::new(),
        });
        results.chain(notes).map(|record| Line::new(file, Event::Claim(record)).to_json() + "\n").collect()
    }

    /// The part of the record of `result` that depends on the result.
    fn more(&self, report: &ClaimReport, result: &ClaimResult) -> Map<String, serde_json::Value> {
        let mut more = Map::new();
        let mut add = |key: &str, value: serde_json::Value| _ = more.insert(key.to_owned(), value);
        add("index", json!(result.subject.claim()));
        add("runs", json!(report.runs));
        add("cut", json!(report.cut));
        if let Status::Proved { by, of_defined_inputs } = result.status {
            add("by", json!(by.words()));
            add("of_defined_inputs", json!(of_defined_inputs));
        }
        if let Status::Refuted(violation) = &result.status {
            let header = violation.at.and_then(|(h, _)| self.body.map(|b| b.slots().block_label(b, h)));
            let input = self.arguments(&violation.input);
            let arguments = input.iter();
            let arguments = arguments.map(|a| json!({ "name": a.name, "type": a.ty, "value": a.value }));
            add("input", arguments.collect());
            add("memory", memory(&violation.input).collect());
            // In the syntax of `backedge run`.
            let args = input.into_iter().map(|a| a.value).chain(memory(&violation.input));
            add("args", json!(args.collect::<Vec<_>>().join(", ")));
            add("loop", json!(header));
            add("backedges", json!(violation.at.map(|(_, taken)| taken)));
            add("environment", self.environment(violation).collect());
            add("evidence", json!(violation.evidence.to_string()));
        }
        more
    }
}

/// The line of a claim in its file.
fn line(source: Source) -> Option<u64> {
    match source {
        Source::Analysis => None,
        Source::Line(line) => Some(line),
    }
}
