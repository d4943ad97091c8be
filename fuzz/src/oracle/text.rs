//! A module that is printed, read and printed again is the same text; and what is read passes the verifier if what was
//! printed did.

use backedge_ir::module::Module;
use backedge_ir::parse::parse_module;
use backedge_ir::print::module_to_string;
use backedge_ir::verify::verify_module;
use std::fmt;

/// How a module reads as another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Misread {
    /// The parser does not take what the printer wrote.
    Rejected {
        /// What was written.
        text: String,
        /// What the parser says of it.
        error: String,
    },
    /// The second text is another one.
    Changed {
        /// What was written first.
        first: String,
        /// What was written of what was read.
        second: String,
    },
    /// What was printed is right by the verifier, and what was read is not.
    Invalid {
        /// What was written.
        text: String,
        /// What the verifier says of it.
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
                write!(f, "what was read prints as another text: {differing:?}\n{first}")
            }
            Self::Invalid { text, findings } => {
                write!(f, "what was read is wrong: {}\n{text}", findings.join("; "))
            }
        }
    }
}

/// Prints, reads and prints `module`.
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
