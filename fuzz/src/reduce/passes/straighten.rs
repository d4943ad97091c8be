//! Simplifies control flow: merges a block into its only predecessor, and turns two-way phis into selects if the
//! paths contain no other code.

use super::super::edit::merge;
use super::super::search::{Edit, Search};
use super::on_body;
use backedge_ir::body::Body;
use backedge_ir::cfg::Cfg;
use backedge_ir::editor::{Editor, Position};
use backedge_ir::entity::{Block, FuncId, Inst};
use backedge_ir::inst::{FastMath, InstData, InstKind, Value};
use backedge_ir::types::Type;

pub(super) fn run(search: &mut Search<'_>) {
    for make in [merge, convert] as [fn(&mut Editor<'_>, Block) -> bool; 2] {
        let module = &search.best.program.module;
        let edits: Vec<Edit> = module
            .bodies()
            .flat_map(|(func, body)| body.blocks().map(move |block| (func, block)))
            .map(|(func, block): (FuncId, Block)| {
                on_body(func, move |editor| editor.body().has_block(block) && make(editor, block))
            })
            .collect();
        search.chunked(edits);
    }
}

/// The block whose terminator decides which of its two edges enters `block`, and the index of the successor that
/// leads to the first edge; the paths contain only branches.
fn decision(body: &Body, block: Block) -> Option<(Block, usize)> {
    let cfg = Cfg::new(body);
    let [a, b] = *cfg.preds(block) else { return None };
    let through = |from: Block| {
        let empty = body.insts(from).len() == 1 && body.successors(from).len() == 1;
        let [pred] = *cfg.preds(from) else { return None };
        (empty && !body.is_pinned(from)).then_some(pred)
    };
    let is_decision =
        |d: Block| body.terminator(d).is_some_and(|t| body.inst(t).kind == InstKind::CondBr) && d != block;
    let by = |decision: Block, first: Block| body.successors(decision).iter().position(|s| *s == first);
    if is_decision(a) && through(b) == Some(a) {
        return by(a, block).map(|at| (a, at));
    }
    if is_decision(b) && through(a) == Some(b) {
        return by(b, a).map(|at| (b, at));
    }
    let (one, other) = (through(a)?, through(b)?);
    if one == other && is_decision(one) && a != b { by(one, a).map(|at| (one, at)) } else { None }
}

/// Converts the phis of `block` to selects.
fn convert(editor: &mut Editor<'_>, block: Block) -> bool {
    let Some((decision, first)) = decision(editor.body(), block) else { return false };
    let body = editor.body();
    let Some(branch) = body.terminator(decision) else { return false };
    let Some(&condition) = body.inst(branch).operands.first() else { return false };
    let first_pred = match body.successors(decision)[first] {
        direct if direct == block => decision,
        empty => empty,
    };
    let phis: Vec<Inst> = body.phis(block).collect();
    for phi in phis {
        let data = editor.body().inst(phi).clone();
        let mut values: Vec<Value> = data.incoming().map(|(v, _)| v).collect();
        if values.len() != 2 || values.contains(&phi.into()) {
            return false;
        }
        let at_first = data.incoming().position(|(_, b)| b == first_pred);
        if at_first == Some(1) {
            values.swap(0, 1);
        }
        if first == 1 {
            values.swap(0, 1);
        }
        let operands = [condition, values[0], values[1]];
        let select = InstData::new(InstKind::Select(FastMath::NONE), data.ty, operands, []);
        let select = editor.insert(Position::BeforeTerminator(decision), select);
        editor.replace_uses(phi.into(), select.into());
        editor.remove(phi);
    }
    let old = editor.body().successors(decision).to_vec();
    for successor in old {
        editor.remove_edge_from_phis(successor, decision);
    }
    editor.set_terminator(decision, InstData::new(InstKind::Br, Type::VOID, [], [block]));
    true
}
