//! Nondeterministic choices of one side: undef bits at a use, freezes of poison, NaN payloads, and results that a
//! floating-point operation leaves open.
//!
//! Each used undef bit and each freeze of poison is a variable of its side. The refinement check decides for which
//! choices of the target the source needs matching choices.

use crate::encode::unroll::Counters;
use crate::encode::value::Sym;
use crate::encode::world::{Side, World};
use crate::term::Term;
use backedge_ir::entity::Inst;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// A choice that a side made.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    /// The instruction that makes the choice.
    pub(crate) inst: Inst,
    /// The name or number of the instruction, by which choices of the other side are matched.
    pub(crate) label: Arc<str>,
    /// The counters of the copy of the instruction's block.
    pub(crate) counters: Counters,
    /// The kind of choice.
    pub(crate) kind: ChoiceKind,
    /// Number of earlier choices of the same kind by the same copy of the instruction.
    pub(crate) index: u32,
    /// The variable.
    pub(crate) var: Term,
    /// Mask of the chosen bits; zero where nothing is open.
    pub(crate) open: Term,
    /// Whether the choice is reached.
    pub(crate) made: Term,
    /// The evaluated operation, if an evaluation makes the choice.
    pub(crate) of: Option<Evaluation>,
}

/// A floating-point operation and its operands, at an evaluation that makes choices.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Evaluation {
    pub(crate) key: Arc<str>,
    pub(crate) operands: Vec<Term>,
}

/// Kinds of choices.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, serde::Serialize, serde::Deserialize)]
pub enum ChoiceKind {
    /// The value of undef bits at a use.
    Undef,
    /// The value of a freeze.
    Freeze,
    /// The sign and payload of a NaN result.
    Nan,
    /// The selection among several results that an evaluation of a floating-point operation allows.
    Float,
    /// The result of a library comparison, up to its sign: any number.
    Difference,
}

impl World {
    /// The variables whose value may depend on `choices` of the source: answers to its calls, and results of opaque
    /// operations on chosen values.
    pub(crate) fn functions_of(&self, choices: &[Choice]) -> Vec<Term> {
        let mut chosen: FxHashSet<Term> = choices.iter().map(|c| c.var).collect();
        let mut functions = Vec::new();
        for event in self.events.iter().filter(|e| e.side == Side::Source) {
            let scalars = event.result.iter().flat_map(Sym::scalars);
            let mut answers: Vec<Term> = scalars.flat_map(|s| [s.bits, s.poison, s.undef]).collect();
            answers.extend(
                [event.after, event.leaves, Some(event.returns), Some(event.throws)].into_iter().flatten(),
            );
            for variable in self.terms.variables(&answers) {
                if chosen.insert(variable) {
                    functions.push(variable);
                }
            }
        }
        let mut places: Vec<Term> = self
            .memory_places
            .iter()
            .filter(|((source, _), _)| self.terms.variables(&[*source]).iter().any(|v| chosen.contains(v)))
            .map(|(_, place)| *place)
            .collect();
        places.sort_unstable();
        functions.extend(places);
        for op in &self.opaque_ops {
            if self.terms.variables(&op.args).iter().any(|v| chosen.contains(v)) && chosen.insert(op.result) {
                functions.push(op.result);
            }
        }
        functions
    }
}
