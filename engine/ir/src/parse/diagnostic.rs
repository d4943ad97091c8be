//! Reading and verifying in one: everything that is wrong with a text, each with its place.

use super::{ParseError, Parsed, Span, Spans, parse_module};
use crate::module::Module;
use crate::verify::{Finding, verify_module};

/// How many findings of the verifier are shown.
const MAX_SHOWN: usize = 100;

/// One thing that is wrong with a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// Where.
    pub span: Span,
    /// What is wrong, as a sentence.
    pub message: String,
    /// A short text for the place itself.
    pub label: Box<str>,
    /// What may help.
    pub help: Option<Box<str>>,
    /// A second place that matters with its label.
    pub second: Option<(Span, Box<str>)>,
}

impl From<ParseError> for Diagnostic {
    fn from(error: ParseError) -> Self {
        let message = error.kind.to_string();
        Self { span: error.span, message, label: error.label, help: error.help, second: error.second }
    }
}

impl Diagnostic {
    /// A finding of the verifier at the place of what it speaks of.
    pub fn of_finding(finding: &Finding, module: &Module, spans: &Spans) -> Self {
        let span = finding.place(spans);
        let label = finding.what(module).into();
        Self { span, message: finding.render(module), label, help: None, second: None }
    }
}

/// Reads a module and verifies it.
///
/// # Errors
/// The error of [`parse_module`] alone, or the findings of the verifier in order of the text, of which the first hundred
/// are shown and the others counted.
pub fn read_module(source: &[u8]) -> Result<Parsed, Vec<Diagnostic>> {
    let parsed = parse_module(source).map_err(|error| vec![error.into()])?;
    let findings = verify_module(&parsed.module);
    if findings.is_empty() {
        return Ok(parsed);
    }
    // Each is rendered with the code it speaks of, which may be long: the rest is only counted.
    let mut placed: Vec<(Span, &Finding)> = findings.iter().map(|f| (f.place(&parsed.spans), f)).collect();
    placed.sort_by_key(|(span, _)| *span);
    let shown = placed.iter().take(MAX_SHOWN);
    let mut diagnostics: Vec<Diagnostic> =
        shown.map(|(_, finding)| Diagnostic::of_finding(finding, &parsed.module, &parsed.spans)).collect();
    if let Some((span, _)) = placed.get(MAX_SHOWN) {
        let message = format!("{} further findings are not shown", placed.len() - MAX_SHOWN);
        let label = "the next one".into();
        diagnostics.push(Diagnostic { span: *span, message, label, help: None, second: None });
    }
    Err(diagnostics)
}

impl Finding {
    /// The place of the instruction it speaks of, else of the block, else of the function, else the start of the text.
    fn place(&self, spans: &Spans) -> Span {
        self.func.map_or_else(Span::default, |func| {
            let inst = self.inst.and_then(|inst| spans.inst(func, inst));
            let block = || self.block.and_then(|block| spans.block(func, block));
            inst.or_else(block).unwrap_or_else(|| spans.func_name(func))
        })
    }
}
