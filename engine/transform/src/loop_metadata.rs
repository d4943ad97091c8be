//! Reading and writing what is said of a loop ([`backedge_ir::loop_options`]): options with numbers, and options that are
//! added or replaced.

use backedge_ir::body::Body;
use backedge_ir::editor::Editor;
use backedge_ir::entity::{Block, MdId};
use backedge_ir::int::Int;
use backedge_ir::loop_options::{option, options};
use backedge_ir::metadata::{MdBody, MdKind, MdOperand, MdRef};
use backedge_ir::module::Env;

/// The number that the option `name` of the loop that `latch` closes has.
pub(crate) fn number(env: &Env, body: &Body, latch: Block, name: &str) -> Option<Int> {
    match option(env, body, latch, name)? {
        [MdOperand::Const(c)] => env.consts.as_int(*c),
        _ => None,
    }
}

/// A node that says `name` of a loop, and all that was said of the loop that `latch` closes but what begins with one of
/// `instead_of`.
pub(crate) fn with_option(env: &mut Env, body: &Body, latch: Block, name: &str, instead_of: &[&str]) -> MdId {
    with(env, body, latch, vec![MdOperand::String(name.into())], instead_of)
}

/// The same with a number, instead of what the option had before.
pub(crate) fn with_number(env: &mut Env, body: &Body, latch: Block, name: &str, number: u32) -> MdId {
    let number = env.consts.int(Int::new(32, u128::from(number)));
    with(env, body, latch, vec![MdOperand::String(name.into()), MdOperand::Const(number)], &[name])
}

fn with(env: &mut Env, body: &Body, latch: Block, option: Vec<MdOperand>, instead_of: &[&str]) -> MdId {
    let replaced = |env: &Env, operand: &MdOperand| {
        let MdOperand::Node(option) = operand else { return false };
        let first = env.metadata.tuple(*option).and_then(|o| o.first());
        matches!(first, Some(MdOperand::String(s)) if instead_of.iter().any(|p| s.starts_with(p)))
    };
    let old: Vec<MdOperand> = options(env, body, latch).get(1..).unwrap_or_default().to_vec();
    let mut operands: Vec<MdOperand> = old.into_iter().filter(|o| !replaced(env, o)).collect();
    let said = env.metadata.add(false, MdBody::Tuple(option));
    operands.push(MdOperand::Node(said));
    env.metadata.add_distinct(operands)
}

/// Says `metadata` of the loop that `latch` closes.
pub(crate) fn set(editor: &mut Editor<'_>, latch: Block, metadata: MdId) {
    if let Some(branch) = editor.body().terminator(latch) {
        editor.set_metadata(branch, MdKind::Loop, MdRef::Node(metadata));
    }
}
