//! Printed texts: `[loops]`, `[hir]`, `[ddg]`, `[queries]`, `[vplan]` and `[vectors]`, each by function.

use super::{Expectation, Expectations};
use std::collections::BTreeMap;
use toml::Spanned;

/// Texts by function, with their positions in the file.
pub(super) type Texts = BTreeMap<String, Spanned<String>>;

/// A printer whose texts are expectations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Printer {
    /// `print loops`, without the line that names the function.
    Loops,
    /// `print hir --symbases`.
    Hir,
    /// `print ddg`.
    Ddg,
    /// `print hir --queries`.
    Queries,
    /// `print vplan --steps`.
    Vplan,
    /// `print vplan --vector`.
    Vectors,
}

impl Printer {
    /// All printers.
    pub const ALL: [Self; 6] = [Self::Loops, Self::Hir, Self::Ddg, Self::Queries, Self::Vplan, Self::Vectors];

    /// The name of the table.
    pub fn table(self) -> &'static str {
        match self {
            Self::Loops => "loops",
            Self::Hir => "hir",
            Self::Ddg => "ddg",
            Self::Queries => "queries",
            Self::Vplan => "vplan",
            Self::Vectors => "vectors",
        }
    }
}

/// The text that is printed for a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Printed {
    /// The printer.
    pub printer: Printer,
    /// The function.
    pub function: String,
    /// The text.
    pub text: String,
}

impl Expectation for Printed {
    type Found<'a> = &'a str;
    fn complaint(&self, found: &str) -> Option<String> {
        let (table, function) = (self.printer.table(), &self.function);
        (self.text != found).then(|| {
            let expected = &self.text;
            format!("[{table}] of @{function} was\n{expected}and is now\n{found}")
        })
    }
    fn rewritten(&self, text: &str, found: &str) -> Option<String> {
        let file = Expectations::parse(text).ok()?;
        let span = file.texts(self.printer).get(&self.function)?.span();
        Some(format!("{}{}{}", &text[..span.start], literal(found), &text[span.end..]))
    }
}

/// `text` as a TOML string in the layout of the corpus.
fn literal(text: &str) -> String {
    if text.is_empty() {
        return "\"\"".to_owned();
    }
    let escaped = text.replace('\\', "\\\\").replace("\"\"\"", "\"\"\\\"");
    // A quote at the end would extend the delimiter.
    match escaped.strip_suffix('"') {
        Some(rest) => format!("\"\"\"\n{rest}\\\"\"\"\""),
        None => format!("\"\"\"\n{escaped}\"\"\""),
    }
}
