//! Determines whether an exception thrown by a call can leave the function, which decides `nounwind` for functions with
//! landing pads.

use backedge_ir::body::Body;
use backedge_ir::constant::ConstData;
use backedge_ir::entity::Inst;
use backedge_ir::inst::{InstKind, LandingClause, Value};
use backedge_ir::module::Env;
use backedge_ir::types::Compound;

/// The fate of an exception that a call throws.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Landing {
    /// The exception may leave the function: nothing catches it, or a pad catches only some types.
    Passes,
    /// The exception lands in a cleanup. Whether the unwinder reaches it depends on the handlers of the callers.
    Cleanup,
    /// The exception lands in a pad that catches everything.
    Caught,
}

impl Landing {
    /// The fate of an exception of `call`. A pad catches everything by `catch ptr null` or by an empty filter, as in
    /// LLVM's `canUnwindPastLandingPad`.
    pub(super) fn of(env: &Env, body: &Body, call: Inst) -> Self {
        let data = body.inst(call);
        if !matches!(data.kind, InstKind::Invoke(_)) {
            return Self::Passes;
        }
        let insts = data.blocks.get(1).map(|&unwind| body.insts(unwind)).unwrap_or_default();
        let pad = insts.iter().map(|inst| body.inst(*inst)).find_map(|pad| match &pad.kind {
            InstKind::LandingPad { cleanup, clauses } => Some((*cleanup, clauses, &pad.operands)),
            _ => None,
        });
        match pad {
            Some((_, clauses, operands))
                if clauses.iter().zip(operands).any(|(clause, of)| catches_all(env, body, *clause, *of)) =>
            {
                Self::Caught
            }
            Some((true, ..)) => Self::Cleanup,
            Some((false, ..)) | None => Self::Passes,
        }
    }
}

fn catches_all(env: &Env, body: &Body, clause: LandingClause, operand: Value) -> bool {
    match clause {
        LandingClause::Catch => operand.as_const().is_some_and(|c| body.constant(c).data == ConstData::Zero),
        LandingClause::Filter => {
            matches!(env.types.compound(body.ty(operand)), Some(Compound::Array { len: 0, .. }))
        }
    }
}
