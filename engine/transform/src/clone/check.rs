//! Whether blocks can be copied.

use backedge_analysis::must_execute::call_has;
use backedge_ir::attr::FlagAttr;
use backedge_ir::body::Body;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::module::Env;
use backedge_ir::types::Type;
use std::fmt;

/// Why blocks can't be copied.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Uncopyable {
    /// A call must not be duplicated.
    NoDuplicateCall,
    /// A call is convergent: the set of threads that execute it together depends on its position.
    ConvergentCall,
    /// A token is defined; no phi can take it.
    Token,
    /// The address of a block is taken.
    BlockAddress,
}

impl Uncopyable {
    /// The name of the reason.
    pub fn name(self) -> &'static str {
        match self {
            Self::NoDuplicateCall => "NoDuplicateCall",
            Self::ConvergentCall => "ConvergentCall",
            Self::Token => "Token",
            Self::BlockAddress => "BlockAddress",
        }
    }
}

impl fmt::Display for Uncopyable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoDuplicateCall => "it makes a call that must not be duplicated",
            Self::ConvergentCall => "it makes a convergent call",
            Self::Token => "it defines a token",
            Self::BlockAddress => "the address of a block is taken",
        })
    }
}

/// Whether `blocks` can be copied.
pub fn check(env: &Env, body: &Body, blocks: &[Block]) -> Result<(), Uncopyable> {
    for &block in blocks {
        if body.is_pinned(block) {
            return Err(Uncopyable::BlockAddress);
        }
        body.insts(block).iter().try_for_each(|inst| check_inst(env, body, *inst))?;
    }
    Ok(())
}

/// Like [`check`], if each copy is executed under exactly the original conditions: then convergent calls may be
/// copied, unless convergence control tokens bind them to others.
pub(crate) fn check_kept_conditions(env: &Env, body: &Body, blocks: &[Block]) -> Result<(), Uncopyable> {
    for &block in blocks {
        if body.is_pinned(block) {
            return Err(Uncopyable::BlockAddress);
        }
        for &inst in body.insts(block) {
            match check_inst(env, body, inst) {
                Err(Uncopyable::ConvergentCall) if is_free_to_copy(env, body, inst) => {}
                checked => checked?,
            }
        }
    }
    Ok(())
}

/// Whether the convergent call `inst` has no operand bundles and may be duplicated.
fn is_free_to_copy(env: &Env, body: &Body, inst: Inst) -> bool {
    body.inst(inst)
        .call()
        .is_some_and(|call| call.info.bundles.is_empty() && !call_has(env, body, call, FlagAttr::NoDuplicate))
}

/// Whether `inst` can be copied.
pub fn check_inst(env: &Env, body: &Body, inst: Inst) -> Result<(), Uncopyable> {
    let data = body.inst(inst);
    if data.ty == Type::TOKEN {
        return Err(Uncopyable::Token);
    }
    let Some(call) = data.call() else { return Ok(()) };
    if call_has(env, body, call, FlagAttr::Convergent) {
        return Err(Uncopyable::ConvergentCall);
    }
    if call_has(env, body, call, FlagAttr::NoDuplicate) {
        return Err(Uncopyable::NoDuplicateCall);
    }
    Ok(())
}
