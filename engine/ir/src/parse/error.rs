//! What goes wrong in reading: errors with their places, warnings, and the signal by which a function that uses
//! what is not modelled becomes opaque text.

use super::spans::Span;
use crate::data_layout::DataLayoutError;
use thiserror::Error;

/// Why a text is no module. The kind says what is wrong, the label what to write at the place.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{kind}")]
pub struct ParseError {
    /// Where it is wrong.
    pub span: Span,
    /// What is wrong.
    pub kind: ParseErrorKind,
    /// A short text for the place itself.
    pub label: Box<str>,
    /// What may help.
    pub help: Option<Box<str>>,
    /// A second place that matters (a first definition, an opening bracket) with its label.
    pub second: Option<(Span, Box<str>)>,
}

/// The kinds of errors.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ParseErrorKind {
    /// The grammar wants something else here.
    #[error("expected {expected}, found {found}")]
    Expected {
        /// What may stand here.
        expected: Box<str>,
        /// What stands here.
        found: Box<str>,
    },
    /// The text ends inside of something.
    #[error("unexpected end of the text in {inside}")]
    UnexpectedEnd {
        /// What is not complete.
        inside: &'static str,
    },
    /// A string or quoted name has no closing quote.
    #[error("unterminated string")]
    UnterminatedString,
    /// A byte that begins no token.
    #[error("a byte that begins no token: 0x{0:02X}")]
    BadByte(u8),
    /// Bytes beyond ASCII outside strings and comments.
    #[error("bytes outside strings and comments that are no text (0x{0:02X})")]
    InvalidText(u8),
    /// A number that does not fit where it stands.
    #[error("the number {0} is too large here")]
    NumberTooLarge(Box<str>),
    /// The source is larger than offsets can count.
    #[error("the source is larger than 4 GiB")]
    SourceTooLarge,
    /// Brackets nested deeper than the limit.
    #[error("nested deeper than {0} levels")]
    TooDeep(u32),
    /// A value, block, global, type, or node that nothing defines.
    #[error("use of undefined {what} '{name}'")]
    Undefined {
        /// What kind of thing.
        what: &'static str,
        /// Its name with its sigil.
        name: Box<str>,
    },
    /// A second definition of a name.
    #[error("redefinition of {what} '{name}'")]
    Duplicate {
        /// What kind of thing.
        what: &'static str,
        /// Its name with its sigil.
        name: Box<str>,
    },
    /// A value has another type than its place wants.
    #[error("'{name}' has type '{found}' where '{expected}' is wanted")]
    TypeMismatch {
        /// The value as spelled.
        name: Box<str>,
        /// The type wanted.
        expected: Box<str>,
        /// The type it has.
        found: Box<str>,
    },
    /// A numbered value or block with a number that was given out already.
    #[error("{what} expected to be numbered {expected} or greater, found {found}")]
    WrongNumber {
        /// What kind of thing.
        what: &'static str,
        /// The least number it may have.
        expected: u32,
        /// The number it has.
        found: u32,
    },
    /// A word where an instruction should be.
    #[error("unknown instruction '{0}'")]
    UnknownInstruction(Box<str>),
    /// A word where an attribute should be.
    #[error("unknown attribute '{0}'")]
    UnknownAttribute(Box<str>),
    /// A constant that its type does not have.
    #[error("{what} for type '{ty}'")]
    BadConstant {
        /// What is wrong.
        what: Box<str>,
        /// The type.
        ty: Box<str>,
    },
    /// A type that may not stand in its place.
    #[error("{what}, not '{ty}'")]
    BadType {
        /// What is wanted.
        what: &'static str,
        /// The type found.
        ty: Box<str>,
    },
    /// A star behind `ptr`.
    #[error("'ptr*' is no type")]
    OpaquePointee,
    /// A type is not the one that its place wants.
    #[error("expected type '{expected}', found type '{found}'")]
    WrongType {
        /// The type wanted.
        expected: Box<str>,
        /// The type found.
        found: Box<str>,
    },
    /// A data layout that is not understood.
    #[error("{0}")]
    DataLayout(DataLayoutError),
    /// Any other rule that is broken.
    #[error("{0}")]
    Invalid(Box<str>),
}

/// How many characters of the input an error shows.
const MAX_SHOWN: usize = 300;

fn shorten(text: &mut Box<str>) {
    if let Some((end, _)) = text.char_indices().nth(MAX_SHOWN) {
        *text = format!("{}…", &text[..end]).into();
    }
}

impl ParseErrorKind {
    /// Its texts that quote the input, which may be of any length.
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

/// Something that was read but is not modelled, or was dropped.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Warning {
    /// Where it stands.
    pub span: Span,
    /// What is not modelled.
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

/// Why reading a construct stopped.
#[derive(Debug)]
pub(crate) enum Stop {
    /// The text is wrong.
    Error(ParseError),
    /// The text is right but is not modelled.
    Unmodelled(Warning),
}

/// The result of reading a construct; boxed, so that the good case stays small.
pub(crate) type PResult<T> = Result<T, Box<Stop>>;

impl From<ParseError> for Box<Stop> {
    fn from(error: ParseError) -> Self {
        Self::new(Stop::Error(error))
    }
}

/// A failure for a rule that is broken.
pub(crate) fn invalid(span: Span, what: impl Into<Box<str>>) -> Box<Stop> {
    let what = what.into();
    ParseError::new(span, ParseErrorKind::Invalid(what.clone()), what).into()
}

/// The signal that `feature` is not modelled.
pub(crate) fn unmodelled(span: Span, feature: impl Into<Box<str>>) -> Box<Stop> {
    Box::new(Stop::Unmodelled(Warning { span, feature: feature.into() }))
}
