//! Loop options: the operands of the `!llvm.loop` node on the branch of a loop's latch. All operands but the first are
//! options, each a tuple of a name and possibly a value.
//!
//! As in LLVM, only such tuples are options; a plain string instead of a tuple is ignored.

use crate::attr::FlagAttr;
use crate::body::Body;
use crate::entity::{Block, FuncId};
use crate::metadata::{MdKind, MdOperand, MdRef};
use crate::module::Env;

/// The operands of the `!llvm.loop` node on `latch`, including the node itself as the first; empty if there is no node.
pub fn options<'e>(env: &'e Env, body: &Body, latch: Block) -> &'e [MdOperand] {
    let terminator = body.terminator(latch).map(|t| body.inst(t));
    match terminator.and_then(|t| t.metadata_of(&MdKind::Loop)) {
        Some(MdRef::Node(id)) => env.metadata.tuple(*id).unwrap_or_default(),
        Some(MdRef::Const(_)) | None => &[],
    }
}

/// The values after the name of option `name` in the `!llvm.loop` node on `latch`; `None` if the option is absent.
pub fn option<'e>(env: &'e Env, body: &Body, latch: Block, name: &str) -> Option<&'e [MdOperand]> {
    options(env, body, latch).iter().find_map(|operand| {
        let MdOperand::Node(option) = operand else { return None };
        let (first, rest) = env.metadata.tuple(*option)?.split_first()?;
        matches!(first, MdOperand::String(s) if &**s == name).then_some(rest)
    })
}

/// Whether `latch` carries `llvm.loop.mustprogress`. The loop must make progress only if all of its latches carry it.
pub fn has_mustprogress(env: &Env, body: &Body, latch: Block) -> bool {
    option(env, body, latch, "llvm.loop.mustprogress").is_some()
}

/// Whether `latch` carries `llvm.loop.disable_nonforced`: only transforms that the options force are allowed.
pub fn allows_only_forced(env: &Env, body: &Body, latch: Block) -> bool {
    option(env, body, latch, "llvm.loop.disable_nonforced").is_some()
}

/// Whether the attributes of `func` require every loop and every other cycle in it to make progress.
pub fn function_must_progress(env: &Env, func: FuncId) -> bool {
    let attrs = &env.funcs[func].attrs;
    env.has_attr(attrs, FlagAttr::MustProgress) || env.has_attr(attrs, FlagAttr::WillReturn)
}
