//! Labels of findings: the properties by which campaigns group findings and name buckets.

use backedge_validate::case::Case;
use std::fmt;

/// A finding of one oracle, which displays itself as a message for people.
pub trait Evidence: fmt::Display {
    /// The properties by which campaigns group findings.
    fn label(&self) -> Label;
}

/// The properties of a finding that determine its group and its bucket.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Label {
    /// The kind of failure, a word of letters and dashes.
    pub kind: String,
    /// Details that distinguish findings of the same kind.
    pub words: String,
    /// The guilty pass, if known.
    pub pass: Option<String>,
    /// The failing case, such as the inputs.
    pub case: Option<Case>,
}

impl Label {
    /// A label without details.
    pub fn of(kind: &str) -> Self {
        Self { kind: kind.to_owned(), ..Self::default() }
    }
    /// Adds details.
    #[must_use]
    pub fn with_words(self, words: impl Into<String>) -> Self {
        Self { words: words.into(), ..self }
    }
    /// Adds the guilty pass.
    #[must_use]
    pub fn with_pass(self, pass: &str) -> Self {
        Self { pass: Some(pass.to_owned()), ..self }
    }
}

/// Suffix of the kind of a failure that needs an undef input.
pub const BY_UNDEF: &str = "-by-undef";

/// Converts a text to a part of a file name.
pub fn slug(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if c.is_ascii_alphanumeric() {
            out.push(c.to_ascii_lowercase());
        } else if !out.is_empty() && !out.ends_with('-') {
            out.push('-');
        }
    }
    out.truncate(40);
    out.trim_end_matches('-').to_owned()
}
