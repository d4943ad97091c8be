//! Parses and verifies a text in one step; reports all errors with their positions.

use super::{ParseError, Parsed, Span, Spans, parse_module};
use crate::module::Module;
use crate::verify::{Finding, FindingKind, verify_module};

/// The maximum number of verifier findings shown. Each is rendered with its code, which may be long; further ones are
/// counted.
const MAX_SHOWN: usize = 100;

/// An error in a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// The position.
    pub span: Span,
    /// The error, as a sentence.
    pub message: String,
    /// A short label for the position.
    pub label: Box<str>,
    /// A hint for fixing it.
    pub help: Option<Box<str>>,
    /// A related position with its label.
    pub second: Option<(Span, Box<str>)>,
}

impl From<ParseError> for Diagnostic {
    fn from(error: ParseError) -> Self {
        let message = error.kind.to_string();
        Self { span: error.span, message, label: error.label, help: error.help, second: error.second }
    }
}

impl Diagnostic {
    /// A verifier finding, positioned at the entity that it is about.
    pub fn of_finding(finding: &Finding, module: &Module, spans: &Spans) -> Self {
        let span = finding.place(spans);
        let label = finding.what(module).into();
        Self { span, message: finding.render(module), label, help: None, second: None }
    }
}

/// Parses a module and verifies it.
///
/// # Errors
/// Either the error of [`parse_module`], or the findings of the verifier in text order; only the first hundred are
/// shown, the rest are counted.
pub fn read_module(source: &[u8]) -> Result<Parsed, Vec<Diagnostic>> {
    let parsed = parse_module(source).map_err(|error| vec![error.into()])?;
    let findings = verify_module(&parsed.module);
    if findings.is_empty() {
        return Ok(parsed);
    }
    // Rendering includes the code, which may be long, so the rest are only counted.
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
    /// The position of the finding's instruction, else of its block, its function, its variable or its alias, else the
    /// start of the text.
    fn place(&self, spans: &Spans) -> Span {
        self.func.map_or_else(
            || self.place_outside(spans),
            |func| {
                let inst = self.inst.and_then(|inst| spans.inst(func, inst));
                let block = || self.block.and_then(|block| spans.block(func, block));
                inst.or_else(block).unwrap_or_else(|| spans.func_name(func))
            },
        )
    }

    fn place_outside(&self, spans: &Spans) -> Span {
        if let FindingKind::Initializer { global, .. } | FindingKind::UnsizedGlobal { global, .. } =
            &self.kind
        {
            return spans.global(*global);
        }
        if let FindingKind::AliasCycle { alias, .. } = &self.kind {
            return spans.alias(*alias).unwrap_or_default();
        }
        Span::default()
    }
}
