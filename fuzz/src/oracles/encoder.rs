//! Differential test of the interpreter against the SMT encoding, run by run.

use super::{Evidence, Judge, Label, Oracle};
use backedge_interp::input::Input;
use backedge_ir::entity::FuncId;
use backedge_ir::module::Module;
use backedge_validate::agreement::{Agreement, Subject, random_case};
use std::fmt;

/// The oracle.
pub struct Encoder;

/// The salt of the runs.
const SALT: u64 = 11;

impl Oracle for Encoder {
    fn question(&self) -> &'static str {
        "do the interpreter and the SMT encoding agree on a run?"
    }
    fn judge(&self) -> Judge {
        Judge::Function(|case| {
            check(case.module, case.func, (case.number)(SALT), 4)?;
            Ok(())
        })
    }
    fn needs_solver(&self) -> bool {
        true
    }
}

/// A run on which interpreter and encoding disagree.
#[derive(Clone, PartialEq, Debug)]
pub struct Disagreement {
    /// The arguments and memory.
    pub input: Box<Input>,
    /// The seed of the run's nondeterministic choices.
    pub choices: u64,
    /// A description of the difference.
    pub why: String,
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "on ({}), choices {}: {}", self.input, self.choices, self.why)
    }
}

impl Evidence for Disagreement {
    fn label(&self) -> Label {
        Label::of("encoder-differs").with_words(&*self.why)
    }
}

/// Compares both engines on `runs` runs of `func`, determined by `seed`, and returns the agreement on each run.
pub fn check(module: &Module, func: FuncId, seed: u64, runs: u64) -> Result<Vec<Agreement>, Disagreement> {
    let Some(mut subject) = Subject::new(module, module, func) else { return Ok(Vec::new()) };
    let cases = (0..runs).filter_map(|n| random_case(module, func, seed.wrapping_mul(1_000).wrapping_add(n)));
    let one = |(input, choices): (Input, u64)| {
        subject.check(&input, choices).map_err(|why| Disagreement { input: Box::new(input), choices, why })
    };
    cases.map(one).collect()
}
