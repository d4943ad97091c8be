//! The interpreter and the solver's encoding say the same of a run.

use backedge_interp::input::Input;
use backedge_ir::entity::FuncId;
use backedge_ir::module::Module;
use backedge_validate::agreement::{Agreement, Subject, random_case};
use std::fmt;

/// A run of which the two say different things.
#[derive(Clone, PartialEq, Debug)]
pub struct Disagreement {
    /// The arguments and memory.
    pub input: Box<Input>,
    /// What decided its choices.
    pub choices: u64,
    /// In what they differ.
    pub why: String,
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "on ({}), choices {}: {}", self.input, self.choices, self.why)
    }
}

/// Compares the two on so many runs of `func`, which `seed` decides; how they agreed on each.
pub fn check(module: &Module, func: FuncId, seed: u64, runs: u64) -> Result<Vec<Agreement>, Disagreement> {
    let Some(mut subject) = Subject::new(module, module, func) else { return Ok(Vec::new()) };
    let cases = (0..runs).filter_map(|n| random_case(module, func, seed.wrapping_mul(1_000).wrapping_add(n)));
    let one = |(input, choices): (Input, u64)| {
        subject.check(&input, choices).map_err(|why| Disagreement { input: Box::new(input), choices, why })
    };
    cases.map(one).collect()
}
