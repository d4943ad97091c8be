//! Clauses of landing pads. The types that a landing pad catches decide whether an exception reaches it at all, which
//! neither engine models. Calls whose landing pads have different clauses are therefore distinguished. A pad that is
//! only a cleanup catches nothing, so its call is like one without a pad.

use crate::refinement::FunctionRef;
use backedge_ir::body::Body;
use backedge_ir::entity::{FuncId, Inst};
use backedge_ir::inst::{InstData, InstKind, LandingClause, Value};
use backedge_ir::module::Env;
use backedge_ir::print::body_constant_to_string;
use std::collections::BTreeSet;

/// The clauses of the landing pad to which an invoke unwinds; `None` if it has none, or for another instruction.
pub(crate) fn of_invoke(env: &Env, func: FuncId, body: &Body, inst: Inst) -> Option<String> {
    let data = body.inst(inst);
    let InstKind::Invoke(_) = &data.kind else { return None };
    of_pad(env, func, body, body.inst(body.first_non_phi(data.blocks[1])?))
}

fn of_pad(env: &Env, func: FuncId, body: &Body, data: &InstData) -> Option<String> {
    let InstKind::LandingPad { cleanup, clauses } = &data.kind else { return None };
    if clauses.is_empty() {
        return None;
    }
    let personality = personality(env, func);
    let mut text = format!("landing pad of {personality}{}", if *cleanup { ", cleanup" } else { "" });
    for (clause, &value) in clauses.iter().zip(&data.operands) {
        text += match clause {
            LandingClause::Catch => ", catch ",
            LandingClause::Filter => ", filter ",
        };
        text += &match value {
            Value::Const(c) => body_constant_to_string(env, body, c),
            Value::Arg(_) | Value::Inst(_) => "what is computed".to_owned(),
        };
    }
    Some(text)
}

fn personality(env: &Env, func: FuncId) -> &str {
    env.funcs[func].suffix_part("personality").unwrap_or_default()
}

/// The difference between the landing pads of the two functions, if any.
pub fn differ(source: FunctionRef<'_>, target: FunctionRef<'_>) -> Option<&'static str> {
    let of_pads = |function: FunctionRef<'_>| {
        let body = function.module.body(function.func)?;
        let is_pad = |inst| matches!(body.inst(inst).kind, InstKind::LandingPad { .. });
        body.all_insts().any(is_pad).then(|| personality(&function.module.env, function.func).to_owned())
    };
    if of_pads(source).zip(of_pads(target)).is_some_and(|(own, other)| own != other) {
        return Some("landing pads of another personality");
    }
    let all = |function: FunctionRef<'_>| -> BTreeSet<String> {
        let Some(body) = function.module.body(function.func) else { return BTreeSet::new() };
        let pad = |inst| of_pad(&function.module.env, function.func, body, body.inst(inst));
        body.all_insts().filter_map(pad).collect()
    };
    (all(source) != all(target)).then_some("landing pads whose clauses differ")
}
