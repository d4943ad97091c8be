//! The corpus's expectations: the `.toml` beside each `.ll`. `corpus/README.md` describes the keys.
//!
//! [`Expectations::read`] is the only reader: one type for each table, unknown keys are errors, and errors name the file
//! and the key. An [`Expectation`] compares itself with the results of a test. With `BACKEDGE_BLESS` set, printed texts
//! that differ ([`Printed`]) are rewritten in place, and the test passes; all other expectations are written by hand.

mod expectation;
mod printed;
mod rewrite;
mod runs;
mod structure;
mod transforms;
mod verdicts;

pub use expectation::Expectation;
pub use printed::{Printed, Printer};
pub use runs::{Measure, Ran, Run};
pub use structure::{Irreducible, LoopFacts};
pub use transforms::{Change, LoopCounts, Optimized, PassExpectation};
pub use verdicts::{Judged, Pair, Proof, Verdict};

use printed::Texts;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// The expectations for one `.ll` file.
#[derive(Clone, Default, Deserialize, Debug)]
#[serde(default, deny_unknown_fields)]
pub struct Expectations {
    /// The `.toml` file.
    #[serde(skip)]
    path: PathBuf,
    /// One sentence: what the file shows.
    pub about: String,
    /// The document and section that the file comes from.
    pub source: Option<String>,
    loops: Texts,
    hir: Texts,
    ddg: Texts,
    queries: Texts,
    vplan: Texts,
    vectors: Texts,
    /// `[[loop]]`: facts about single loops.
    #[serde(rename = "loop")]
    pub loop_facts: Vec<LoopFacts>,
    /// `[[irreducible]]`: cycles that are no loops.
    pub irreducible: Vec<Irreducible>,
    /// `[[run]]`: runs of the interpreter.
    #[serde(rename = "run")]
    pub runs: Vec<Run>,
    /// `[[tv]]`: verdicts on pairs of functions.
    #[serde(rename = "tv")]
    pub pairs: Vec<Pair>,
    /// `[[pass]]`: changes by single passes.
    #[serde(rename = "pass")]
    pub passes: Vec<PassExpectation>,
    /// `[[optimized]]`: changes by pipelines.
    pub optimized: Vec<Optimized>,
    /// `[[measure]]`: runs whose instructions are counted.
    #[serde(rename = "measure")]
    pub measures: Vec<Measure>,
}

/// Expectations that cannot be read.
#[derive(thiserror::Error, Debug)]
#[error("{}: {kind}", path.display())]
pub struct ReadError {
    /// The file.
    pub path: PathBuf,
    /// The problem.
    pub kind: ReadErrorKind,
}

/// Why expectations cannot be read.
#[derive(thiserror::Error, Debug)]
pub enum ReadErrorKind {
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] std::io::Error),
    /// The text is not TOML, or has unknown keys or values of other types.
    #[error(transparent)]
    Toml(#[from] toml::de::Error),
    /// A required key is missing.
    #[error("no {0}")]
    Missing(String),
    /// Keys that exclude each other.
    #[error("{0}")]
    Conflict(String),
}

impl Expectations {
    /// Reads a `.toml` file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or is not as `corpus/README.md` describes.
    pub fn read(path: &Path) -> Result<Self, ReadError> {
        let error = |kind| ReadError { path: path.to_owned(), kind };
        let text = std::fs::read_to_string(path).map_err(|e| error(e.into()))?;
        let expectations = Self::parse(&text).map_err(error)?;
        Ok(Self { path: path.to_owned(), ..expectations })
    }
    /// Reads the `.toml` beside a `.ll` file. Expects nothing if there is none.
    ///
    /// # Errors
    ///
    /// As for [`Self::read`].
    pub fn beside(module: &Path) -> Result<Self, ReadError> {
        let path = module.with_extension("toml");
        if path.is_file() { Self::read(&path) } else { Ok(Self { path, ..Self::default() }) }
    }
    /// [`Self::beside`], for tests.
    ///
    /// # Panics
    ///
    /// With the error.
    pub fn of(module: &Path) -> Self {
        Self::beside(module).unwrap_or_else(|e| panic!("{e}"))
    }
    fn parse(text: &str) -> Result<Self, ReadErrorKind> {
        let expectations: Self = toml::from_str(text)?;
        expectations.check_keys()?;
        Ok(expectations)
    }
    /// The checks that types do not make.
    fn check_keys(&self) -> Result<(), ReadErrorKind> {
        self.runs.iter().try_for_each(Run::check_keys)?;
        self.pairs.iter().try_for_each(Pair::check_keys)
    }
    /// Whether nothing is expected.
    pub fn is_empty(&self) -> bool {
        Printer::ALL.into_iter().all(|printer| self.texts(printer).is_empty())
            && self.loop_facts.is_empty()
            && self.irreducible.is_empty()
            && self.runs.is_empty()
            && self.pairs.is_empty()
            && self.passes.is_empty()
            && self.optimized.is_empty()
            && self.measures.is_empty()
    }
    fn texts(&self, printer: Printer) -> &Texts {
        match printer {
            Printer::Loops => &self.loops,
            Printer::Hir => &self.hir,
            Printer::Ddg => &self.ddg,
            Printer::Queries => &self.queries,
            Printer::Vplan => &self.vplan,
            Printer::Vectors => &self.vectors,
        }
    }
    /// Whether any loops or irreducible cycles are stated.
    pub fn has_structure(&self) -> bool {
        !self.loops.is_empty() || !self.loop_facts.is_empty() || !self.irreducible.is_empty()
    }
    /// The texts that `printer` is expected to print, by function.
    pub fn printed(&self, printer: Printer) -> impl Iterator<Item = Printed> {
        let of = move |(function, text): (&String, &toml::Spanned<String>)| Printed {
            printer,
            function: function.clone(),
            text: text.get_ref().clone(),
        };
        self.texts(printer).iter().map(of)
    }
    /// Compares a printed text with the expectation for a function. Returns whether there is one.
    ///
    /// # Panics
    ///
    /// If the text differs and is not rewritten.
    pub fn compare(&self, printer: Printer, function: &str, found: impl FnOnce() -> String) -> bool {
        let Some(text) = self.texts(printer).get(function) else { return false };
        let expected = Printed { printer, function: function.to_owned(), text: text.get_ref().clone() };
        self.check(&expected, &found()).unwrap_or_else(|e| panic!("{e}"));
        true
    }
    /// Checks one of the expectations. One that is not met is rewritten if `BACKEDGE_BLESS` is set and it can be printed.
    ///
    /// # Errors
    ///
    /// The file and the difference, if the expectation is not met and not rewritten.
    pub fn check<E: Expectation>(&self, expectation: &E, found: E::Found<'_>) -> Result<(), String> {
        self.check_or_rewrite(expectation, found, rewrite::is_on())
    }
    fn check_or_rewrite<E: Expectation>(
        &self,
        expectation: &E,
        found: E::Found<'_>,
        bless: bool,
    ) -> Result<(), String> {
        let Some(complaint) = expectation.complaint(found) else { return Ok(()) };
        let is_rewritten = bless && rewrite::rewrite(&self.path, |text| expectation.rewritten(text, found));
        if is_rewritten { Ok(()) } else { Err(format!("{}: {complaint}", self.path.display())) }
    }
}

#[cfg(test)]
mod tests;
