//! Reading and verifying in one: everything that is wrong with a text, each with its place.

use super::{ParseError, Parsed, Span, Spans, parse_module};
use crate::module::Module;
use crate::verify::{Finding, verify_module};

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
    /// A finding of the verifier at the place of what it speaks of: the instruction, else the block, else the
    /// function, else the start of the text.
    pub fn of_finding(finding: &Finding, module: &Module, spans: &Spans) -> Self {
        let span = finding.func.map_or_else(Span::default, |func| {
            let inst = finding.inst.and_then(|inst| spans.inst(func, inst));
            let block = || finding.block.and_then(|block| spans.block(func, block));
            inst.or_else(block).unwrap_or_else(|| spans.func_name(func))
        });
        let label = finding.kind.to_string().into();
        Self { span, message: finding.render(module), label, help: None, second: None }
    }
}

/// Reads a module and verifies it.
///
/// # Errors
/// The error of [`parse_module`] alone, or all findings of the verifier, in order of the text.
pub fn read_module(source: &[u8]) -> Result<Parsed, Vec<Diagnostic>> {
    let parsed = parse_module(source).map_err(|error| vec![error.into()])?;
    let findings = verify_module(&parsed.module);
    if findings.is_empty() {
        return Ok(parsed);
    }
    let place = |finding| Diagnostic::of_finding(finding, &parsed.module, &parsed.spans);
    let mut diagnostics: Vec<Diagnostic> = findings.iter().map(place).collect();
    diagnostics.sort_by_key(|d| d.span);
    Err(diagnostics)
}
