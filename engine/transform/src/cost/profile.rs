//! How many iterations profile data says that a loop makes.

use crate::counted::{Exit, Facts};
use backedge_ir::body::Body;
use backedge_ir::entity::FuncId;
use backedge_ir::metadata::{MdKind, MdOperand, MdRef};
use backedge_ir::module::Env;

/// Whether profile data says how often the function is called: what is said of its branches was counted then.
pub(crate) fn is_profiled(env: &Env, func: FuncId) -> bool {
    let kinds = env.funcs[func].metadata.iter().filter(|(kind, _)| *kind == MdKind::Prof);
    let mut nodes = kinds.filter_map(|(_, node)| match node {
        MdRef::Node(id) => env.metadata.tuple(*id)?.first(),
        MdRef::Const(_) => None,
    });
    nodes.any(|name| matches!(name, MdOperand::String(s) if &**s == "function_entry_count"))
}

/// The number of iterations by the weights of the exits that each iteration passes, rounded: how often a loop goes round
/// that stays at each of them as often as its weights say. Exits without weights are taken for such as never leave.
pub(super) fn expected_trips(env: &Env, body: &Body, facts: &Facts) -> Option<u64> {
    // How often all of them are passed, of how often the header is.
    let (mut stays, mut arrives) = (1_u128, 1_u128);
    for exit in facts.exits.iter().filter(|e| e.passed && e.stay.is_some() && e.leave.is_some()) {
        let Some([stay, leave]) = weights(env, body, exit) else { continue };
        (stays, arrives) = (stays * u128::from(stay), arrives * (u128::from(stay) + u128::from(leave)));
        // With 32 bits of weights and as many of what came before, nothing is lost that would count.
        let excess = (u128::BITS - arrives.leading_zeros()).saturating_sub(62);
        (stays, arrives) = (stays >> excess, arrives >> excess);
    }
    let leaves = arrives.checked_sub(stays)?;
    u64::try_from((stays + leaves / 2).checked_div(leaves)? + 1).ok()
}

/// The weights with which `exit` stays and leaves.
fn weights(env: &Env, body: &Body, exit: &Exit) -> Option<[u64; 2]> {
    let branch = body.inst(body.terminator(exit.block)?);
    let MdRef::Node(id) = branch.metadata_of(&MdKind::Prof)? else { return None };
    let weights: Vec<u64> = env
        .metadata
        .tuple(*id)?
        .iter()
        .filter_map(|operand| match operand {
            MdOperand::Const(c) => u64::try_from(env.consts.as_int(*c)?.bits()).ok(),
            _ => None,
        })
        .collect();
    let ([a, b], 2) = (&weights[..], branch.successors().len()) else { return None };
    Some(if exit.stay_at == 0 { [*a, *b] } else { [*b, *a] })
}
