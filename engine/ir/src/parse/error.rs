//! Parse errors with their positions, warnings, and the signal that turns a function with unmodelled features into
//! opaque text.

use super::spans::Span;
use crate::data_layout::DataLayoutError;
use crate::module::Linkage;
use thiserror::Error;

/// Why a text is not a valid module. The kind describes the error, the label annotates its position.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{kind}")]
pub struct ParseError {
    /// The position of the error.
    pub span: Span,
    /// The kind of error.
    pub kind: ParseErrorKind,
    /// A short label for the position.
    pub label: Box<str>,
    /// A hint for fixing it.
    pub help: Option<Box<str>>,
    /// A related position (a first definition, an opening bracket) with its label.
    pub second: Option<(Span, Box<str>)>,
}

/// The kinds of parse errors.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ParseErrorKind {
    /// The grammar requires another token.
    #[error("expected {expected}, found {found}")]
    Expected {
        /// The permitted tokens.
        expected: Box<str>,
        /// The token found.
        found: Box<str>,
    },
    /// The text ends within a construct.
    #[error("unexpected end of the text in {inside}")]
    UnexpectedEnd {
        /// The incomplete construct.
        inside: &'static str,
    },
    /// A string or quoted name has no closing quote.
    #[error("unterminated string")]
    UnterminatedString,
    /// A byte that can't begin a token.
    #[error("a byte that begins no token: 0x{0:02X}")]
    BadByte(u8),
    /// Bytes beyond ASCII outside strings and comments.
    #[error("bytes outside strings and comments that are no text (0x{0:02X})")]
    InvalidText(u8),
    /// A number that is out of range for its context.
    #[error("the number {0} is too large here")]
    NumberTooLarge(Box<str>),
    /// The source is too large for 32-bit offsets.
    #[error("the source is larger than 4 GiB")]
    SourceTooLarge,
    /// Brackets nested deeper than the limit.
    #[error("nested deeper than {0} levels")]
    TooDeep(u32),
    /// A value, block, global, type or node that is not defined.
    #[error("use of undefined {what} '{name}'")]
    Undefined {
        /// The kind of entity.
        what: &'static str,
        /// The name with its sigil.
        name: Box<str>,
    },
    /// A second definition of a name.
    #[error("redefinition of {what} '{name}'")]
    Duplicate {
        /// The kind of entity.
        what: &'static str,
        /// The name with its sigil.
        name: Box<str>,
    },
    /// A value whose type differs from the required one.
    #[error("'{name}' has type '{found}' where '{expected}' is wanted")]
    TypeMismatch {
        /// The value as spelled.
        name: Box<str>,
        /// The required type.
        expected: Box<str>,
        /// The actual type.
        found: Box<str>,
    },
    /// A numbered value or block whose number is too small.
    #[error("{what} expected to be numbered {expected} or greater, found {found}")]
    WrongNumber {
        /// The kind of entity.
        what: &'static str,
        /// The smallest permitted number.
        expected: u32,
        /// The actual number.
        found: u32,
    },
    /// An unknown word in place of an instruction.
    #[error("unknown instruction '{0}'")]
    UnknownInstruction(Box<str>),
    /// An unknown word in place of an attribute.
    #[error("unknown attribute '{0}'")]
    UnknownAttribute(Box<str>),
    /// A constant that is invalid for its type.
    #[error("{what} for type '{ty}'")]
    BadConstant {
        /// The error.
        what: Box<str>,
        /// The type.
        ty: Box<str>,
    },
    /// A type that is not permitted in its context.
    #[error("{what}, not '{ty}'")]
    BadType {
        /// The requirement.
        what: &'static str,
        /// The actual type.
        ty: Box<str>,
    },
    /// A `*` after `ptr`.
    #[error("'ptr*' is no type")]
    OpaquePointee,
    /// A type that differs from the required one.
    #[error("expected type '{expected}', found type '{found}'")]
    WrongType {
        /// The required type.
        expected: Box<str>,
        /// The actual type.
        found: Box<str>,
    },
    /// An invalid data layout.
    #[error("{0}")]
    DataLayout(DataLayoutError),
    /// A violation of any other rule.
    #[error("{0}")]
    Invalid(Box<str>),
}

/// The maximum number of input characters that an error shows: a token may be as long as the input.
const MAX_SHOWN: usize = 300;

fn shorten(text: &mut Box<str>) {
    if let Some((end, _)) = text.char_indices().nth(MAX_SHOWN) {
        *text = format!("{}…", &text[..end]).into();
    }
}

impl ParseErrorKind {
    /// The texts of this error that quote input, which may be arbitrarily long.
    fn texts_of_input(&mut self) -> impl Iterator<Item = &mut Box<str>> {
        let (one, two, three) = match self {
            Self::Expected { expected, found } | Self::WrongType { expected, found } => {
                (Some(expected), Some(found), None)
            }
            Self::TypeMismatch { name, expected, found } => (Some(name), Some(expected), Some(found)),
            Self::BadConstant { what, ty } => (Some(what), Some(ty), None),
            Self::NumberTooLarge(text)
            | Self::Undefined { name: text, .. }
            | Self::Duplicate { name: text, .. }
            | Self::UnknownInstruction(text)
            | Self::UnknownAttribute(text)
            | Self::BadType { ty: text, .. }
            | Self::Invalid(text) => (Some(text), None, None),
            Self::UnexpectedEnd { .. }
            | Self::UnterminatedString
            | Self::BadByte(_)
            | Self::InvalidText(_)
            | Self::SourceTooLarge
            | Self::TooDeep(_)
            | Self::WrongNumber { .. }
            | Self::OpaquePointee
            | Self::DataLayout(_) => (None, None, None),
        };
        one.into_iter().chain(two).chain(three)
    }
}

/// A construct that was accepted but is not modelled, or was dropped.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Warning {
    /// The position of the construct.
    pub span: Span,
    /// The unmodelled feature.
    pub feature: Box<str>,
}

impl ParseError {
    pub(crate) fn new(span: Span, mut kind: ParseErrorKind, label: impl Into<Box<str>>) -> Self {
        kind.texts_of_input().for_each(shorten);
        let mut label = label.into();
        shorten(&mut label);
        Self { span, kind, label, help: None, second: None }
    }
    pub(crate) fn with_help(mut self, help: impl Into<Box<str>>) -> Self {
        self.help = Some(help.into());
        self
    }
    pub(crate) fn with_second(mut self, span: Span, label: impl Into<Box<str>>) -> Self {
        self.second = Some((span, label.into()));
        self
    }
}

/// Why parsing of a construct stopped.
#[derive(Debug)]
pub(crate) enum Stop {
    /// The text is invalid.
    Error(ParseError),
    /// The text is valid but not modelled.
    Unmodelled(Warning),
}

/// The result of parsing a construct; the error is boxed to keep the success case small.
pub(crate) type PResult<T> = Result<T, Box<Stop>>;

impl From<ParseError> for Box<Stop> {
    fn from(error: ParseError) -> Self {
        Self::new(Stop::Error(error))
    }
}

/// The error for a violated rule.
pub(crate) fn invalid(span: Span, what: impl Into<Box<str>>) -> Box<Stop> {
    let what = what.into();
    ParseError::new(span, ParseErrorKind::Invalid(what.clone()), what).into()
}

/// The signal that `feature` is not modelled.
pub(crate) fn unmodelled(span: Span, feature: impl Into<Box<str>>) -> Box<Stop> {
    Box::new(Stop::Unmodelled(Warning { span, feature: feature.into() }))
}

/// The error for a linkage that a declaration or definition can't have.
pub(crate) fn bad_linkage(span: Span, linkage: Linkage, of: &str) -> Box<Stop> {
    let error = invalid(span, format!("'{}' is no linkage for a {of}", linkage.name()));
    match *error {
        Stop::Error(e) => Box::<Stop>::from(ParseError { label: "this linkage".into(), ..e }),
        Stop::Unmodelled(_) => error,
    }
}
