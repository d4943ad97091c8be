//! Makes a function return one of its values, of any type, right after its definition.

use super::super::edit::{forget_result, return_from, stands};
use super::super::program::Program;
use super::super::search::{Edit, Search};
use super::arguments::with_partner;
use backedge_ir::body::Body;
use backedge_ir::editor::Editor;
use backedge_ir::entity::{Block, FuncId, Inst};
use backedge_ir::inst::InstKind;
use backedge_ir::signature::{Param, change_signature, zero};

pub(super) fn run(search: &mut Search<'_>) {
    let module = &search.best.program.module;
    let of_body = |(func, body): (FuncId, &Body)| {
        let can_be = |inst: &Inst| {
            let data = body.inst(*inst);
            !data.kind.is_terminator() && zero(data.ty).is_some()
        };
        // Returning an early value leaves the smallest function.
        let insts: Vec<Inst> = body.all_insts().filter(can_be).collect();
        let edit = |inst| Box::new(move |program: &mut Program| returns(program, func, inst)) as Edit;
        insts.into_iter().map(edit).collect::<Vec<_>>()
    };
    // The return values of a pair are compared, so one function can't change alone.
    let alone = module.bodies().filter(|(func, _)| with_partner(module, *func).len() == 1);
    let groups = alone.map(of_body).collect();
    search.first_of_each(groups);
}

/// Makes `func` return `inst` right after it, and zero at other returns.
fn returns(program: &mut Program, func: FuncId, inst: Inst) -> bool {
    let Some(body) = program.module.body(func).filter(|body| stands(body, inst)) else { return false };
    let (ty, block) = (body.inst(inst).ty, body.block_of(inst));
    let params: Vec<Param> = body.args().map(Param::Old).collect();
    if !change_signature(&mut program.module, func, &params, ty) {
        return false;
    }
    let Some(body) = program.body_mut(func) else { return false };
    let mut editor = Editor::new(body);
    let others: Vec<Block> = editor.body().blocks().filter(|b| Some(*b) != block).collect();
    for other in others {
        let end = editor.body().terminator(other).map(|end| &editor.body().inst(end).kind);
        if matches!(end, Some(InstKind::Ret)) && !return_from(&mut editor, other, ty, None) {
            return false;
        }
    }
    let Some(block) = block else { return false };
    let after: Vec<Inst> = editor.body().insts(block).iter().copied().skip_while(|i| *i != inst).collect();
    for later in after.into_iter().skip(1).rev() {
        if !editor.body().inst(later).kind.is_terminator() {
            forget_result(&mut editor, later);
            editor.remove(later);
        }
    }
    return_from(&mut editor, block, ty, Some(inst.into()))
}
