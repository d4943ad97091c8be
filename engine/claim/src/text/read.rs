//! Reads a text of claims about a module from a stream, function by function: LLVM's own output for one of its tests
//! has 800 MB. Memory is bounded by the maximum line length and by the distinct expressions of one function.

use super::cursor::Cursor;
use super::error::{ReadError, TextError};
use super::function::FunctionText;
use super::names::global_name;
use crate::claim::Claims;
use backedge_ir::entity::FuncId;
use backedge_ir::module::{Code, Module};
use std::io::BufRead;

/// The maximum length of a line, in bytes; longer lines are skipped with a note. Bounds the memory of the reader.
pub const MAX_LINE: usize = 1 << 20;

/// The claims of a text on one function.
#[derive(Debug)]
pub enum FunctionClaims {
    /// Claims, and notes on text that could not be represented.
    Claims(Claims),
    /// The function is not modelled; its text was skipped.
    Skipped {
        /// The function.
        func: FuncId,
        /// The feature that is not modelled.
        feature: Box<str>,
    },
}

/// Reads claims about a module from a stream, as an iterator over the functions in text order. Iteration ends after an
/// error.
pub struct Reader<'m, R> {
    module: &'m Module,
    input: R,
    line: u64,
    buffer: Vec<u8>,
    current: Option<Current<'m>>,
    ended: bool,
}

/// The function that the current lines are about.
enum Current<'m> {
    Modelled(Box<FunctionText<'m>>),
    Skipped { func: FuncId, feature: Box<str>, seen_counts: bool },
}

impl Current<'_> {
    fn func(&self) -> FuncId {
        match self {
            Self::Modelled(text) => text.claims.func,
            Self::Skipped { func, .. } => *func,
        }
    }
    /// Enters the section of counts; false if the text has been there already.
    fn enter_counts(&mut self) -> bool {
        match self {
            Self::Modelled(text) => text.enter_counts(),
            Self::Skipped { seen_counts, .. } => !std::mem::replace(seen_counts, true),
        }
    }
    fn finish(self) -> FunctionClaims {
        match self {
            Self::Modelled(text) => FunctionClaims::Claims(text.claims),
            Self::Skipped { func, feature, .. } => FunctionClaims::Skipped { func, feature },
        }
    }
}

/// A line that begins a section of the text.
enum Heading {
    Analysis,
    Classifying(FuncId),
    Counts(FuncId),
    Scoped(FuncId),
}

/// Prefixes of diagnostic lines that the printing tool may interleave with the text.
const ASIDE: [&str; 3] = ["warning:", "WARNING:", "remark:"];

impl<'m, R: BufRead> Reader<'m, R> {
    /// Reads claims about `module` from `input`.
    pub fn new(module: &'m Module, input: R) -> Self {
        Self { module, input, line: 0, buffer: Vec::new(), current: None, ended: false }
    }
    /// Reads the text up to the beginning of the next function.
    fn next_function(&mut self) -> Result<Option<FunctionClaims>, ReadError> {
        while let Some(overlong) = self.next_line()? {
            if let Some(heading) = self.heading()? {
                if let Some(finished) = self.enter(&heading) {
                    return Ok(Some(finished));
                }
            } else {
                self.plain_line(overlong)?;
            }
        }
        self.ended = true;
        Ok(self.current.take().map(Current::finish))
    }
    fn plain_line(&mut self, overlong: bool) -> Result<(), TextError> {
        let line = &self.buffer[..];
        if ASIDE.iter().any(|word| line.starts_with(word.as_bytes())) {
            return Ok(());
        }
        match &mut self.current {
            Some(Current::Modelled(text)) if overlong => {
                text.overlong(line, self.line, MAX_LINE);
                Ok(())
            }
            Some(Current::Modelled(text)) => text.line(line, self.line),
            Some(Current::Skipped { .. }) => Ok(()),
            None if line.iter().all(u8::is_ascii_whitespace) => Ok(()),
            None => Err(Cursor::new(line, self.line).error("`Classifying expressions for: @function`")),
        }
    }
    fn heading(&self) -> Result<Option<Heading>, TextError> {
        if let Some(Current::Modelled(text)) = &self.current
            && text.is_within_instruction()
        {
            return Ok(None);
        }
        let mut cursor = Cursor::new(&self.buffer, self.line);
        if cursor.sees("Printing analysis ") {
            return Ok(Some(Heading::Analysis));
        }
        Ok(if cursor.eat("Classifying expressions for: ") {
            Some(Heading::Classifying(self.function(&mut cursor)?))
        } else if cursor.eat("Determining loop execution counts for: ") {
            Some(Heading::Counts(self.function(&mut cursor)?))
        } else if cursor.eat("Scoped facts for: ") {
            Some(Heading::Scoped(self.function(&mut cursor)?))
        } else {
            None
        })
    }
    fn function(&self, cursor: &mut Cursor<'_>) -> Result<FuncId, TextError> {
        let before = *cursor;
        let name = global_name(cursor)?;
        cursor.expect_end()?;
        self.module.env.func_named(&name).ok_or_else(|| before.error("a function of the module"))
    }
    /// Enters the section with this heading; returns the claims on the previous function if the heading ends it.
    fn enter(&mut self, heading: &Heading) -> Option<FunctionClaims> {
        let (func, fresh) = match heading {
            Heading::Analysis => return self.current.take().map(Current::finish),
            Heading::Classifying(func) => (*func, true),
            Heading::Counts(func) => {
                let goes_on = self.current.as_mut().is_some_and(|c| c.func() == *func && c.enter_counts());
                (*func, !goes_on)
            }
            Heading::Scoped(func) => (*func, self.current.as_ref().is_none_or(|c| c.func() != *func)),
        };
        let finished = if fresh { self.current.replace(self.begin(func)) } else { None };
        if let Some(current) = &mut self.current {
            match (heading, current) {
                (Heading::Counts(_), current) => _ = current.enter_counts(),
                (Heading::Scoped(_), Current::Modelled(text)) => text.enter_scoped(),
                (Heading::Analysis | Heading::Classifying(_) | Heading::Scoped(_), _) => {}
            }
        }
        finished.map(Current::finish)
    }
    fn begin(&self, func: FuncId) -> Current<'m> {
        let skipped = |feature: &str| Current::Skipped { func, feature: feature.into(), seen_counts: false };
        match &self.module.code[func] {
            Code::Body(body) => Current::Modelled(Box::new(FunctionText::new(&self.module.env, func, body))),
            Code::Opaque(code) => skipped(&code.feature),
            Code::Declaration => skipped("the module only declares it"),
        }
    }
    /// Reads a line into the buffer, without its line ending. `None` at the end of the text; true if the line exceeds
    /// the maximum length, in which case the buffer holds only its beginning.
    fn next_line(&mut self) -> std::io::Result<Option<bool>> {
        self.buffer.clear();
        let mut overlong = false;
        let mut any = false;
        loop {
            let available = self.input.fill_buf()?;
            if available.is_empty() {
                break;
            }
            any = true;
            let end = available.iter().position(|b| *b == b'\n');
            let piece = &available[..end.unwrap_or(available.len())];
            let room = MAX_LINE - self.buffer.len();
            overlong |= piece.len() > room;
            self.buffer.extend_from_slice(&piece[..piece.len().min(room)]);
            let used = piece.len() + usize::from(end.is_some());
            self.input.consume(used);
            if end.is_some() {
                break;
            }
        }
        if self.buffer.last() == Some(&b'\r') {
            self.buffer.pop();
        }
        self.line += u64::from(any);
        Ok(any.then_some(overlong))
    }
}

impl<R: BufRead> Iterator for Reader<'_, R> {
    type Item = Result<FunctionClaims, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let next = self.next_function();
        self.ended |= next.is_err();
        next.transpose()
    }
}

/// The claims of `text` on the modelled functions of `module`.
///
/// # Errors
/// The first syntax or I/O error.
pub fn parse_claims(module: &Module, text: &[u8]) -> Result<Vec<Claims>, ReadError> {
    let claims = |read| match read {
        Ok(FunctionClaims::Claims(claims)) => Some(Ok(claims)),
        Ok(FunctionClaims::Skipped { .. }) => None,
        Err(error) => Some(Err(error)),
    };
    Reader::new(module, text).filter_map(claims).collect()
}
