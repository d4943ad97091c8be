//! Problems with a location in a text, rendered with file, line, column and a snippet.
//!
//! The text may be hostile: not UTF-8, or one line of 100 MB. So a snippet is cut out of the bytes around the
//! location (at most [`CONTEXT_LINES`] lines before and after, each with at most [`LINE_LIMIT`] bytes on either side
//! of the location) and decoded lossily before the renderer sees it.

use crate::settings::settings;
use crate::shown::visible;
use miette::{
    Diagnostic, LabeledSpan, MietteError, MietteSpanContents, Severity, SourceCode, SourceSpan, SpanContents,
};
use std::fmt;
use std::ops::Range;

/// Lines shown before and after the location.
const CONTEXT_LINES: usize = 1;
/// Bytes shown on either side of the location within its line; twice as many for context lines.
const LINE_LIMIT: usize = 100;

/// A message with an optional location.
#[derive(Debug)]
pub(crate) struct Problem {
    message: String,
    severity: Severity,
    help: Option<String>,
    snippet: Option<Snippet>,
    label: String,
}

impl Problem {
    /// An error about a whole input.
    pub(crate) fn error(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            severity: Severity::Error,
            help: None,
            snippet: None,
            label: String::new(),
        }
    }
    /// Makes it a warning.
    pub(crate) fn warning(mut self) -> Self {
        self.severity = Severity::Warning;
        self
    }
    /// Adds a help text.
    pub(crate) fn help(mut self, help: Option<impl Into<String>>) -> Self {
        self.help = help.map(Into::into);
        self
    }
    /// Adds the location: the bytes `span` of `source`, which is called `name`.
    pub(crate) fn at(
        mut self,
        name: &str,
        source: &[u8],
        span: Range<usize>,
        label: impl Into<String>,
    ) -> Self {
        self.snippet = Some(Snippet::cut(name, source, span));
        self.label = label.into();
        self
    }
    /// Location and message on one line.
    pub(crate) fn one_line(&self) -> String {
        match &self.snippet {
            Some(s) => format!("{}:{}:{}: {}", s.name, s.line + 1, s.column + 1, self.message),
            None => self.message.clone(),
        }
    }
    /// Writes it to standard error.
    pub(crate) fn show(self) {
        crate::output::to_stderr(&format!("{:?}", miette::Report::new(self)));
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Problem {}

impl Diagnostic for Problem {
    fn severity(&self) -> Option<Severity> {
        Some(self.severity)
    }
    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.help.as_ref().map(|h| Box::new(h) as _)
    }
    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.snippet.as_ref().map(|s| s as _)
    }
    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let snippet = self.snippet.as_ref()?;
        let label = (!self.label.is_empty()).then(|| self.label.clone());
        Some(Box::new(std::iter::once(LabeledSpan::new_with_span(label, snippet.span))))
    }
}

/// A part of a text around a location, with its position in the whole text.
#[derive(Debug)]
struct Snippet {
    name: String,
    text: String,
    /// The location within `text`.
    span: SourceSpan,
    /// Line of the location, from 0.
    line: usize,
    /// Column of the location in characters, from 0.
    column: usize,
    /// Lines of `text` before the line of the location.
    lines_before: usize,
}

impl Snippet {
    fn cut(name: &str, source: &[u8], span: Range<usize>) -> Self {
        let start = span.start.min(source.len());
        let line_start = line_start(source, start);
        let line_end = line_end(source, start);
        let end = span.end.clamp(start, line_end.max(start));
        let mut lines = Vec::new();
        let mut at = line_start;
        for _ in 0..CONTEXT_LINES {
            if at == 0 {
                break;
            }
            let before = self::line_start(source, at - 1);
            lines.push(clip(&source[before..at - 1]));
            at = before;
        }
        lines.reverse();
        let lines_before = lines.len();
        let mut text: String = lines.iter().map(|l| format!("{l}\n")).collect();

        let from = line_start.max(start.saturating_sub(LINE_LIMIT));
        let to = line_end.min(end.saturating_add(LINE_LIMIT)).min(start.saturating_add(2 * LINE_LIMIT));
        let left = String::from_utf8_lossy(&source[from..start]);
        let place = String::from_utf8_lossy(&source[start..end.min(to)]);
        let right = String::from_utf8_lossy(&source[end.min(to)..to]);
        text.push_str(if from > line_start { "…" } else { "" });
        text.push_str(&visible(&left));
        let offset = text.len();
        text.push_str(&visible(&place));
        let length = text.len() - offset;
        text.push_str(&visible(&right));
        text.push_str(if to < line_end { "…" } else { "" });

        let mut at = line_end;
        for _ in 0..CONTEXT_LINES {
            if at >= source.len() {
                break;
            }
            let next_end = self::line_end(source, at + 1);
            text.push('\n');
            text.push_str(&clip(&source[at + 1..next_end]));
            at = next_end;
        }
        Self {
            name: name.to_owned(),
            text,
            span: SourceSpan::new(offset.into(), length),
            line: source[..line_start].iter().filter(|b| **b == b'\n').count(),
            column: String::from_utf8_lossy(&source[line_start..start]).chars().count(),
            lines_before,
        }
    }
}

fn line_start(source: &[u8], at: usize) -> usize {
    source[..at].iter().rposition(|b| *b == b'\n').map_or(0, |n| n + 1)
}

fn line_end(source: &[u8], at: usize) -> usize {
    source[at..].iter().position(|b| *b == b'\n').map_or(source.len(), |n| at + n)
}

/// A context line, truncated to the limit.
fn clip(line: &[u8]) -> String {
    let cut = line.len() > 2 * LINE_LIMIT;
    let text = visible(&String::from_utf8_lossy(&line[..line.len().min(2 * LINE_LIMIT)]));
    if cut { text + "…" } else { text }
}

impl SourceCode for Snippet {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let inner = self.text.as_bytes().read_span(span, before, after)?;
        let line = (self.line + inner.line()).saturating_sub(self.lines_before);
        // The renderer asks for the location without context to learn the column.
        let column = if *inner.span() == self.span { self.column } else { inner.column() };
        Ok(Box::new(MietteSpanContents::new_named(
            self.name.clone(),
            inner.data(),
            *inner.span(),
            line,
            column,
            inner.line_count(),
        )))
    }
}

/// Installs the renderer: without links, and without line breaks if standard error is not a terminal. The settings decide
/// about colors when a message is shown.
pub(crate) fn install_renderer() {
    let terminal = std::io::IsTerminal::is_terminal(&std::io::stderr());
    // An error means that the same renderer is installed already.
    let _ = miette::set_hook(Box::new(move |_| {
        let options = miette::MietteHandlerOpts::new().terminal_links(false).context_lines(CONTEXT_LINES);
        let options = if terminal { options } else { options.width(400) };
        Box::new(match settings().colored() {
            Some(colored) => options.color(colored).build(),
            None => options.build(),
        })
    }));
}

#[cfg(test)]
mod tests {
    use super::Problem;

    fn render(source: &[u8], span: std::ops::Range<usize>) -> String {
        super::install_renderer();
        format!("{:?}", miette::Report::new(Problem::error("wrong").at("in.ll", source, span, "here")))
    }

    #[test]
    fn place_and_snippet_are_shown() {
        let shown = render(b"one\ntwo\nthree four\nfive\nsix", 14..18);
        assert!(shown.contains("in.ll:3:7"), "{shown}");
        assert!(shown.contains("3 │ three four"), "{shown}");
        assert!(shown.contains("2 │ two") && shown.contains("4 │ five"), "{shown}");
        assert!(!shown.contains("one") && !shown.contains("six"), "{shown}");
    }

    #[test]
    fn any_bytes_and_any_span_can_be_shown() {
        let huge = vec![b'['; 1 << 20];
        assert!(render(&huge, 1 << 19..1 << 20).len() < 4000);
        assert!(render(&huge, 1 << 19..1 << 20).contains("in.ll:1:524289"));
        for source in [&b""[..], b"\n", b"\xff\xfe\n\x80", b"a\r\nb", b"\x1b[31mred", "é\u{200b}x".as_bytes()]
        {
            for start in 0..source.len() + 2 {
                for end in start..source.len() + 3 {
                    let shown = render(source, start..end);
                    assert!(shown.contains("wrong") && !shown.contains('\x1b'), "{shown}");
                }
            }
        }
    }
}
