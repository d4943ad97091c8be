//! Origin of the address of an `indirectbr`.
//!
//! Both engines know only the block addresses that a function names itself; any other address refers to no block. An
//! address from elsewhere (a parameter, memory that others write, the result of a call) may still be a block's: LangRef
//! ("Addresses of Basic Blocks") permits passing it around.

use backedge_ir::body::Body;
use backedge_ir::constant::{ConstData, ConstOp, GlobalRef};
use backedge_ir::entity::{Const, EntitySet, Inst};
use backedge_ir::inst::{InstKind, Value};
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::module::Env;

/// Whether a pointer derives only from constants, from the contents of constant variables, and from values that the
/// function itself stores in allocas that do not escape.
pub(crate) fn is_made_here(env: &Env, body: &Body, pointer: Value) -> bool {
    let mut seen: EntitySet<Inst> = EntitySet::new();
    let mut work = vec![pointer];
    while let Some(value) = work.pop() {
        let inst = match value {
            Value::Arg(_) => return false,
            Value::Const(_) => continue,
            Value::Inst(inst) => inst,
        };
        if !seen.insert(inst) {
            continue;
        }
        let data = body.inst(inst);
        match &data.kind {
            InstKind::Phi(_) => work.extend(data.operands.iter().copied()),
            InstKind::Select(_) => work.extend(data.operands[1..].iter().copied()),
            InstKind::Freeze => work.push(data.operands[0]),
            InstKind::Load(_) => match base(body, data.operands[0]) {
                Value::Const(c) if is_constant_memory(env, body, c) => {}
                Value::Inst(alloca) => match stored(env, body, alloca) {
                    Some(values) => work.extend(values),
                    None => return false,
                },
                Value::Const(_) | Value::Arg(_) => return false,
            },
            _ => return false,
        }
    }
    true
}

/// The base pointer below `getelementptr` instructions. Unreachable code may contain an instruction that uses itself.
fn base(body: &Body, mut pointer: Value) -> Value {
    let mut seen: EntitySet<Inst> = EntitySet::new();
    while let Value::Inst(inst) = pointer
        && matches!(body.inst(inst).kind, InstKind::Gep { .. })
        && seen.insert(inst)
    {
        pointer = body.inst(inst).operands[0];
    }
    pointer
}

fn is_constant_memory(env: &Env, body: &Body, constant: Const) -> bool {
    match &body.constant(constant).data {
        ConstData::Global(GlobalRef::Var(id)) => {
            env.vars[*id].is_constant && env.vars[*id].definitive_init().is_some()
        }
        ConstData::Expr(e) => {
            matches!(e.op, ConstOp::Gep { .. }) && is_constant_memory(env, body, e.operands[0])
        }
        _ => false,
    }
}

/// The values stored in an alloca that is only loaded and stored; `None` if the instruction is no alloca or its address
/// has other uses.
fn stored(env: &Env, body: &Body, alloca: Inst) -> Option<Vec<Value>> {
    if !matches!(body.inst(alloca).kind, InstKind::Alloca(_)) {
        return None;
    }
    let mut values = Vec::new();
    let mut work = vec![alloca];
    while let Some(pointer) = work.pop() {
        for use_ in body.uses(pointer.into()) {
            let data = body.inst(use_.user);
            let intrinsic = data.call().and_then(|view| body.called_function(view.callee()));
            match (&data.kind, use_.index) {
                (InstKind::Load(_), _) => {}
                (InstKind::Store(_), 1) => values.push(data.operands[0]),
                (InstKind::Gep { .. }, 0) => work.push(use_.user),
                _ => match intrinsic.and_then(|func| env.funcs[func].intrinsic) {
                    Some(Intrinsic::LifetimeStart | Intrinsic::LifetimeEnd) => {}
                    _ => return None,
                },
            }
        }
    }
    Some(values)
}
