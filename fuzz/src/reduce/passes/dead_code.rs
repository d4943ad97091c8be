//! Removes an instruction but keeps operands that become dead. Dead code may be essential if an optimizer visits code
//! before it checks whether the code is dead. Tried only for small programs, because larger ones usually shrink more
//! if the dead code is removed too.

use super::super::edit::{replace, stands, zero};
use super::super::program::Program;
use super::super::search::{Edit, Search};
use backedge_ir::body::Body;
use backedge_ir::editor::Editor;
use backedge_ir::entity::{FuncId, Inst};

/// Maximum number of instructions in a program for which this pass runs: larger ones usually shrink more if dead code
/// is removed too.
const MOST: usize = 24;

pub(super) fn run(search: &mut Search<'_>) {
    if search.best.size.instructions > MOST {
        return;
    }
    for depth in [2, 1] {
        let edits = search.best.program.module.bodies().flat_map(|(func, body)| of_body(func, body, depth));
        let edits = edits.map(|edit| vec![edit]).collect();
        search.first_of_each(edits);
    }
}

/// One edit per instruction that removes it and its exclusive operands, a chain of `depth` instructions in total.
fn of_body(func: FuncId, body: &Body, depth: usize) -> Vec<Edit> {
    let plain = body.all_insts().filter(|i| !body.inst(*i).kind.is_terminator());
    let insts: Vec<Inst> = plain.collect();
    let edit = |inst| Box::new(move |p: &mut Program| without(p, func, inst, depth)) as Edit;
    insts.into_iter().rev().map(edit).collect()
}

/// Returns false if no dead instruction would remain.
fn without(program: &mut Program, func: FuncId, inst: Inst, depth: usize) -> bool {
    let Some(body) = program.body_mut(func) else { return false };
    let mut going = vec![inst];
    for _ in 1..depth {
        let Some(last) = only_used(body, &going).into_iter().next_back() else { return false };
        going.push(last);
    }
    if !going.iter().all(|inst| stands(body, *inst)) {
        return false;
    }
    let staying = only_used(body, &going);
    let mut editor = Editor::new(body);
    for inst in going {
        let ty = editor.body().inst(inst).ty;
        let zero = zero(&mut editor, ty);
        if !replace(&mut editor, inst, zero) {
            return false;
        }
    }
    program.keep(func, &staying);
    !staying.is_empty()
}

/// Instructions whose users are all in `by`, without those in `by`.
fn only_used(body: &Body, by: &[Inst]) -> Vec<Inst> {
    let operands = by.iter().filter(|i| stands(body, **i)).flat_map(|i| &body.inst(*i).operands);
    let mut found: Vec<Inst> = Vec::new();
    for inst in operands.filter_map(|value| value.as_inst()) {
        let uses = body.uses(inst.into());
        let is_alone = !by.contains(&inst) && uses.iter().all(|u| by.contains(&u.user));
        if is_alone && !body.inst(inst).kind.is_terminator() && !found.contains(&inst) {
            found.push(inst);
        }
    }
    found
}
