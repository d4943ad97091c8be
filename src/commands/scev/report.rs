//! Claims and what became of them, as text and as JSON lines.

use crate::exit::Exit;
use backedge_claim::claim::{Claims, Source};
use backedge_claim::text::Describer;
use backedge_interp::claims::{Subject, Violation};
use backedge_ir::body::Body;
use backedge_ir::module::Module;
use backedge_validate::claims::{ClaimReport, ClaimResult, Status};
use serde_json::json;
use std::fmt::{self, Write as _};

/// How many claims had which end.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct Counted {
    proved: usize,
    bounded: usize,
    refuted: usize,
    inconclusive: usize,
    contradictions: usize,
}

impl Counted {
    /// Counts the results of a function.
    pub(crate) fn add(&mut self, report: &ClaimReport) {
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
    /// The exit code: claims that stay open are no failure as long as others were decided.
    pub(crate) fn exit(self) -> Exit {
        if self.refuted > 0 {
            Exit::Refuted
        } else if self.contradictions > 0 || self.inconclusive > 0 && self.inconclusive == self.total() {
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
        match self.contradictions {
            0 => Ok(()),
            n => write!(f, ", {n} INTERNAL ERRORS"),
        }
    }
}

/// Prints the results of one function.
pub(crate) struct Printer<'c, 'm> {
    name: &'m str,
    body: Option<&'m Body>,
    module: &'m Module,
    claims: &'c Claims,
}

impl<'c, 'm> Printer<'c, 'm> {
    /// For `claims` about a function of `module`.
    pub(crate) fn new(module: &'m Module, claims: &'c Claims) -> Self {
        Self { name: &module.env.funcs[claims.func].name, body: module.body(claims.func), module, claims }
    }
    fn describer(&self) -> Option<Describer<'c, 'm>> {
        self.body.map(|body| Describer::new(&self.module.env, body, self.claims))
    }

    /// The refuted claims, or `all`.
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
        let arguments = violation.input.to_string();
        _ = writeln!(out, "  input: {arguments}");
        if let (Some((header, taken)), Some(body)) = (violation.at, self.body) {
            let label = body.slots().block_label(body, header);
            _ = writeln!(out, "  in loop %{label}, after {taken} backedges");
        }
        _ = writeln!(out, "  {}", violation.evidence);
    }

    /// One JSON line for each claim.
    pub(crate) fn json(&self, report: &ClaimReport) -> String {
        let (mut out, Some(describer)) = (String::new(), self.describer()) else { return String::new() };
        for result in &report.results {
            let line = match self.claims.claims[result.subject.claim()].source {
                Source::Analysis => None,
                Source::Line(line) => Some(line),
            };
            let mut record = json!({
                "function": self.name,
                "claim": self.words(&describer, result),
                "index": result.subject.claim(),
                "line": line,
                "status": result.status.word(),
                "detail": result.status.to_string(),
            });
            if let Status::Refuted(violation) = &result.status {
                let header = violation.at.and_then(|(h, _)| self.body.map(|b| b.slots().block_label(b, h)));
                record["input"] = json!(violation.input.to_string());
                record["loop"] = json!(header);
                record["backedges"] = json!(violation.at.map(|(_, taken)| taken));
                record["evidence"] = json!(violation.evidence.to_string());
            }
            out.push_str(&record.to_string());
            out.push('\n');
        }
        out
    }
}
