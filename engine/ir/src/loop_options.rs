//! What is said of a loop by `!llvm.loop` on the branch of its latch: a node whose operands, but for the first, are options,
//! each a tuple of a name and perhaps a value.
//!
//! Only what is spelled so is an option, as in LLVM: a string in place of the tuple says nothing.

use crate::attr::FlagAttr;
use crate::body::Body;
use crate::entity::{Block, FuncId};
use crate::metadata::{MdKind, MdOperand, MdRef};
use crate::module::Env;

/// The operands of the node that `latch` carries, the node itself first; none if it carries none.
pub fn options<'e>(env: &'e Env, body: &Body, latch: Block) -> &'e [MdOperand] {
    let terminator = body.terminator(latch).map(|t| body.inst(t));
    match terminator.and_then(|t| t.metadata_of(&MdKind::Loop)) {
        Some(MdRef::Node(id)) => env.metadata.tuple(*id).unwrap_or_default(),
        Some(MdRef::Const(_)) | None => &[],
    }
}

/// What follows the name in the option `name` of the loop that `latch` closes, if it has that option.
pub fn option<'e>(env: &'e Env, body: &Body, latch: Block, name: &str) -> Option<&'e [MdOperand]> {
    options(env, body, latch).iter().find_map(|operand| {
        let MdOperand::Node(option) = operand else { return None };
        let (first, rest) = env.metadata.tuple(*option)?.split_first()?;
        matches!(first, MdOperand::String(s) if &**s == name).then_some(rest)
    })
}

/// Whether `latch` says that its loop must make progress. It is demanded only of a loop all of whose latches say so.
pub fn says_mustprogress(env: &Env, body: &Body, latch: Block) -> bool {
    option(env, body, latch, "llvm.loop.mustprogress").is_some()
}

/// Whether only what the options of the loop that `latch` closes ask for is to be done with it.
pub fn allows_only_forced(env: &Env, body: &Body, latch: Block) -> bool {
    option(env, body, latch, "llvm.loop.disable_nonforced").is_some()
}

/// Whether each loop and each other cycle of `func` must make progress, by what is said of the function.
pub fn function_must_progress(env: &Env, func: FuncId) -> bool {
    let attrs = &env.funcs[func].attrs;
    env.has_attr(attrs, FlagAttr::MustProgress) || env.has_attr(attrs, FlagAttr::WillReturn)
}
