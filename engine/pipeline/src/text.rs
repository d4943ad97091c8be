//! Parses the text of `-passes=` with the syntax of LLVM's `opt`: names with parameters in angle brackets, separated by
//! commas, nested in parentheses. [`crate::registry`] interprets the names.
//!
//! ```text
//! pipeline := element ("," element)*
//! element  := name ["<" parameters ">"] ["(" pipeline ")"]
//! ```
//! As in LLVM, an element ends at the next character of `,()`, even inside angle brackets. An empty text is an empty
//! pipeline. Unlike in LLVM, blanks around elements are ignored.

use crate::error::{PipelineError, PipelineErrorKind};
use std::ops::Range;

/// The maximum nesting depth of parentheses: the parser is recursive, and the text may come from anywhere.
pub const MAX_DEPTH: usize = 64;

/// One element of a pipeline text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Element {
    /// The name, without parameters.
    pub name: String,
    /// The byte range of the name in the text.
    pub span: Range<usize>,
    /// The parameters in angle brackets.
    pub params: Option<Params>,
    /// The pipeline in parentheses.
    pub inner: Option<Vec<Element>>,
}

/// The parameters of an element, separated by semicolons.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Params {
    /// The text between the angle brackets.
    pub text: String,
    /// The byte range of the parameters in the text.
    pub span: Range<usize>,
}

impl Params {
    /// Each parameter with its byte range.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Range<usize>)> {
        let mut at = self.span.start;
        self.text.split(';').map(move |part| {
            let span = at..at + part.len();
            at = span.end + 1;
            (part, span)
        })
    }
}

/// Parses a pipeline text.
pub fn parse_elements(text: &str) -> Result<Vec<Element>, PipelineError> {
    if text.trim_ascii().is_empty() {
        return Ok(Vec::new());
    }
    let mut reader = Reader { text, at: 0 };
    let elements = reader.pipeline(0)?;
    match reader.peek() {
        None => Ok(elements),
        Some(_) => Err(reader.error(PipelineErrorKind::UnopenedParenthesis)),
    }
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }
    fn skip_blanks(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_ascii_start().len();
    }
    fn error(&self, kind: PipelineErrorKind) -> PipelineError {
        let end = self.text[self.at..].chars().next().map_or(self.at, |c| self.at + c.len_utf8());
        PipelineError { span: self.at..end, kind }
    }
    /// Parses elements up to the closing parenthesis or the end of the text, which is not consumed.
    fn pipeline(&mut self, depth: usize) -> Result<Vec<Element>, PipelineError> {
        if depth > MAX_DEPTH {
            return Err(self.error(PipelineErrorKind::NestedTooDeeply { limit: MAX_DEPTH }));
        }
        let mut elements = vec![self.element(depth)?];
        while self.peek() == Some(b',') {
            self.at += 1;
            elements.push(self.element(depth)?);
        }
        Ok(elements)
    }
    fn element(&mut self, depth: usize) -> Result<Element, PipelineError> {
        self.skip_blanks();
        let start = self.at;
        let rest = &self.text[start..];
        let spelled = &rest[..rest.find([',', '(', ')']).unwrap_or(rest.len())];
        self.at += spelled.len();
        let (name, params) = self.split_params(start..start + spelled.trim_ascii_end().len())?;
        if name.is_empty() {
            self.at = start;
            return Err(self.error(PipelineErrorKind::EmptyElement));
        }
        let mut inner = None;
        if self.peek() == Some(b'(') {
            let open = self.at;
            self.at += 1;
            inner = Some(self.pipeline(depth + 1)?);
            if self.peek() != Some(b')') {
                let kind = PipelineErrorKind::UnclosedParenthesis;
                return Err(PipelineError { span: open..open + 1, kind });
            }
            self.at += 1;
            self.skip_blanks();
            if !matches!(self.peek(), None | Some(b',' | b')')) {
                return Err(self.error(PipelineErrorKind::ExpectedSeparator));
            }
        }
        Ok(Element { name: self.text[name.clone()].to_owned(), span: name, params, inner })
    }
    fn split_params(&self, span: Range<usize>) -> Result<(Range<usize>, Option<Params>), PipelineError> {
        let spelled = &self.text[span.clone()];
        let Some(open) = spelled.find('<') else { return Ok((span, None)) };
        let at = span.start + open;
        if !spelled.ends_with('>') {
            return Err(PipelineError { span: at..span.end, kind: PipelineErrorKind::UnclosedParameters });
        }
        let inside = at + 1..span.end - 1;
        let params = Params { text: self.text[inside.clone()].to_owned(), span: inside };
        Ok((span.start..at, Some(params)))
    }
}
