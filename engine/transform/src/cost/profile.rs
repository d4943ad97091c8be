//! How many iterations profile data says that a loop makes.

use crate::clone::Ring;
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

/// The number of iterations by the weights of the latch's branch, rounded.
pub(super) fn expected_trips(env: &Env, body: &Body, ring: &Ring) -> Option<u64> {
    let branch = body.inst(body.terminator(ring.latch)?);
    let [first, second] = branch.successors() else { return None };
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
    let [a, b] = weights[..] else { return None };
    let (stays, leaves) = match (*first == ring.header, *second == ring.header) {
        (true, false) => (a, b),
        (false, true) => (b, a),
        _ => return None,
    };
    (stays.checked_add(leaves / 2)?).checked_div(leaves)?.checked_add(1)
}
