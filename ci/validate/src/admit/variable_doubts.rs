//! Refutations that depend on a variable that no other module can name.
//!
//! A refutation for which [`doubtful_variable`] names a variable depends on a pointer to it that no code creates, or on
//! its final contents, which no code reads.

use crate::pair::Sides;
use crate::pair::variable_uses::{own_variable, uses};
use crate::verdict::Failure;
use crate::verdict::witness::Refutation;
use backedge_ir::print::write_global_name;
use std::sync::Arc;

/// A variable of the source to which the failing run has a pointer although no code of its module creates one, or that
/// differs at the end although no code reads it.
pub(crate) fn doubtful_variable(
    Sides { source, target }: Sides<'_>,
    names: &[Arc<str>],
    refutation: &Refutation,
) -> Option<Arc<str>> {
    let of_memory = refutation.failure == Failure::MemoryMismatch;
    let witness = &refutation.witness;
    let inputs = || {
        let named = witness.arguments.iter().chain(&witness.memory).map(|named| &named.value);
        named.chain(&witness.environment)
    };
    let is_excused = |name: &&Arc<str>| {
        if own_variable(&source.module.env, name).is_none() {
            return false;
        }
        let is_met = inputs().any(|text| shows(text, name));
        let differs = of_memory && shows(&refutation.divergence, name);
        if !is_met && !differs {
            return false;
        }
        let uses = uses(source.module, name).with(uses(target.module, name));
        !uses.taken && (is_met || !uses.read)
    };
    names.iter().find(is_excused).cloned()
}

/// Whether a message names the global.
fn shows(message: &str, name: &str) -> bool {
    let goes_on = |c: char| c.is_ascii_alphanumeric() || "-$._".contains(c);
    let mut spelled = "@".to_owned();
    write_global_name(&mut spelled, name);
    message.match_indices(&spelled).any(|(at, _)| !message[at + spelled.len()..].starts_with(goes_on))
}
