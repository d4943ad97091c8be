//! Print–parse round trip: printing, parsing and printing again yields the same text, and the parsed module passes
//! the verifier if the original did.

use super::{Evidence, Judge, Label, Oracle};
use backedge_ir::module::Module;
use backedge_ir::parse::parse_module;
use backedge_ir::print::module_to_string;
use backedge_ir::verify::verify_module;
use std::fmt;

/// The oracle.
pub struct Text;

impl Oracle for Text {
    fn question(&self) -> &'static str {
        "does a printed module parse to itself?"
    }
    fn judge(&self) -> Judge {
        Judge::Module(|module| Ok(check(module)?))
    }
}

/// A failed round trip.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Misread {
    /// The parser rejects the printed text.
    Rejected {
        /// The printed text.
        text: String,
        /// The parser's error.
        error: String,
    },
    /// The second text differs from the first.
    Changed {
        /// The text of the original module.
        first: String,
        /// The text of the parsed module.
        second: String,
    },
    /// The verifier accepts the original module but rejects the parsed one.
    Invalid {
        /// The printed text.
        text: String,
        /// The verifier's messages.
        findings: Vec<String>,
    },
}

impl fmt::Display for Misread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rejected { text, error } => {
                write!(f, "the parser rejects what was printed: {error}\n{text}")
            }
            Self::Changed { first, second } => {
                let differing = first.lines().zip(second.lines()).find(|(a, b)| a != b);
                write!(f, "the parsed module prints differently: {differing:?}\n{first}")
            }
            Self::Invalid { text, findings } => {
                write!(f, "the parsed module is invalid: {}\n{text}", findings.join("; "))
            }
        }
    }
}

impl Evidence for Misread {
    fn label(&self) -> Label {
        Label::of("misread")
    }
}

/// Prints, parses and prints `module`, and compares the results.
pub fn check(module: &Module) -> Result<(), Misread> {
    let first = module_to_string(module);
    let read = match parse_module(first.as_bytes()) {
        Ok(parsed) => parsed.module,
        Err(error) => return Err(Misread::Rejected { text: first, error: format!("{error:?}") }),
    };
    let second = module_to_string(&read);
    if first != second {
        return Err(Misread::Changed { first, second });
    }
    let findings = verify_module(&read);
    if !findings.is_empty() && verify_module(module).is_empty() {
        let findings = findings.iter().map(|f| f.render(&read)).collect();
        return Err(Misread::Invalid { text: first, findings });
    }
    Ok(())
}
