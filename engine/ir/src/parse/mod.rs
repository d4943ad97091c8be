//! Parses LLVM IR text (opaque pointers, the spellings of LLVM 14 to 22).
//!
//! [`parse_module`] returns the module, the source spans of its entities, and warnings for constructs that are kept as
//! text. A function that uses features the IR does not model becomes opaque text with a known header. Invalid text is a
//! [`ParseError`] with its position. The input may be arbitrary bytes: the parser does not panic, and its time and
//! memory are linear in the text (types, constants and metadata nest at most 200 deep).
//!
//! The parser performs the checks of LLVM's parser: grammar, names, numbers, operand types. The verifier performs those
//! that need the whole body (dominance, phis against predecessors); [`read_module`] runs both.
//!
//! Code map: `lexer` and `cursor` below; `toplevel`, `globals` and `header` for phase one; `body` and `inst` for phase
//! two; `types`, `constants`, `attributes` and `metadata` for both.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a token that fits nowhere is one error; opcodes are dispatched by their spelling"
)]

mod attributes;
mod block_address;
mod body;
mod constants;
mod cursor;
mod debug;
mod deferred;
mod diagnostic;
mod error;
mod floats;
mod globals;
mod header;
mod inst;
mod lexer;
mod metadata;
mod names;
mod opaque_debug;
mod spans;
mod tables;
mod toplevel;
mod type_facts;
mod types;

pub use diagnostic::{Diagnostic, read_module};
pub use error::{ParseError, ParseErrorKind, Warning};
pub(crate) use names::canonical_quoted_name;
pub use names::escape as canonical_spelling;
pub use names::named_globals;
pub use spans::{LineCol, LineIndex, Span, Spans};

use crate::module::Module;
use error::Stop;

/// A parsed module.
#[derive(Debug)]
pub struct Parsed {
    /// The module.
    pub module: Module,
    /// The source spans of its entities.
    pub spans: Spans,
    /// The constructs that were kept as text or dropped, in text order.
    pub warnings: Vec<Warning>,
}

/// The magic numbers of LLVM bitcode, bare and in its wrapper.
const BITCODE: [&[u8]; 2] = [b"BC\xC0\xDE", b"\xDE\xC0\x17\x0B"];

/// Parses a module.
///
/// # Errors
/// The first error, with its position in `source`.
pub fn parse_module(source: &[u8]) -> Result<Parsed, ParseError> {
    if u32::try_from(source.len()).is_err() {
        let kind = ParseErrorKind::SourceTooLarge;
        return Err(ParseError::new(Span::default(), kind, "the text begins here"));
    }
    if BITCODE.iter().any(|magic| source.starts_with(magic)) {
        let kind = ParseErrorKind::Expected { expected: "LLVM IR as text".into(), found: "bitcode".into() };
        let error = ParseError::new(Span::default(), kind, "bitcode begins here");
        return Err(error.with_help("`llvm-dis` makes text of it"));
    }
    let mut parser = cursor::Parser::new(source);
    match parser.module() {
        Ok(()) => {}
        Err(stop) => match *constants::must_model(stop) {
            Stop::Error(error) => return Err(error),
            Stop::Unmodelled(warning) => {
                let kind = ParseErrorKind::Invalid(warning.feature.clone());
                return Err(ParseError::new(warning.span, kind, "this is not modelled"));
            }
        },
    }
    let mut warnings = parser.warnings;
    warnings.sort_by_key(|w| w.span);
    Ok(Parsed { module: Module { env: parser.env, code: parser.code }, spans: parser.spans, warnings })
}
