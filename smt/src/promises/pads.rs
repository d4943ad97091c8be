//! Clauses of landing pads. What a landing pad catches decides whether an exception reaches it at all, which neither
//! engine models: calls whose landing pads have different clauses are told apart. A pad that is a cleanup alone catches
//! nothing, so that its call is like one without a pad.

use crate::refinement::FunctionRef;
use backedge_ir::body::Body;
use backedge_ir::constant::ConstData;
use backedge_ir::entity::{FuncId, Inst};
use backedge_ir::inst::{InstData, InstKind, LandingClause};
use backedge_ir::module::Env;
use std::collections::BTreeSet;

/// The clauses of the landing pad that an invoke unwinds to; `None` if it has none, or for another instruction.
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
    let personality = env.funcs[func].suffix_part("personality").unwrap_or_default();
    let mut text = format!("landing pad of {personality}{}", if *cleanup { ", cleanup" } else { "" });
    for (clause, &value) in clauses.iter().zip(&data.operands) {
        text += match clause {
            LandingClause::Catch => ", catch ",
            LandingClause::Filter => ", filter ",
        };
        let data = value.as_const().map(|c| &body.constant(c).data);
        text += &match data {
            Some(ConstData::Global(global)) => format!("@{}", env.name_of(*global)),
            // Numbers in other constants are those of one module.
            other => format!("{other:?}"),
        };
    }
    Some(text)
}

/// What the landing pads of the functions do not have in common, if anything.
pub fn differ(source: FunctionRef<'_>, target: FunctionRef<'_>) -> Option<&'static str> {
    let all = |function: FunctionRef<'_>| -> BTreeSet<String> {
        let Some(body) = function.module.body(function.func) else { return BTreeSet::new() };
        let pad = |inst| of_pad(&function.module.env, function.func, body, body.inst(inst));
        body.all_insts().filter_map(pad).collect()
    };
    (all(source) != all(target)).then_some("landing pads whose clauses differ")
}
