//! Removes instructions. A result is replaced with zero, an operand, an argument, one, or a new argument.

use super::super::edit::{replace, stands, zero};
use super::super::program::Program;
use super::super::search::{Edit, Search};
use super::arguments::added;
use super::on_body;
use backedge_ir::body::Body;
use backedge_ir::editor::Editor;
use backedge_ir::entity::{FuncId, Inst};
use backedge_ir::inst::Value;
use backedge_ir::int::Int;
use backedge_ir::signature;
use backedge_ir::types::Type;

pub(super) fn run(search: &mut Search<'_>) {
    let to_zero = list(search, |func, _, inst| {
        Some(on_body(func, move |editor| {
            if !stands(editor.body(), inst) {
                return false;
            }
            let ty = editor.body().inst(inst).ty;
            let zero = zero(editor, ty);
            replace(editor, inst, zero)
        }))
    });
    search.chunked(to_zero);
    for nth in 0..2 {
        let to_operand = list(search, |func, body, inst| {
            let value = same_type(body, inst).nth(nth)?;
            Some(on_body(func, move |editor| put(editor, inst, value)))
        });
        search.chunked(to_operand);
    }
    let to_argument = list(search, |func, body, inst| {
        let ty = body.inst(inst).ty;
        let arg = body.args().find(|a| body.ty((*a).into()) == ty)?;
        Some(on_body(func, move |editor| put(editor, inst, arg.into())))
    });
    search.chunked(to_argument);
    let others = list(search, |func, body, inst| {
        let bits = body.inst(inst).ty.int_bits().filter(|b| *b <= Type::MAX_INT_BITS)?;
        Some(on_body(func, move |editor| {
            let one = editor.int(Int::one(bits));
            put(editor, inst, one)
        }))
    });
    search.chunked(others);
    let new_arguments = list(search, |func, body, inst| {
        let ty = body.inst(inst).ty;
        let used = !body.uses(inst.into()).is_empty();
        let edit = move |program: &mut Program| to_new_argument(program, func, inst, ty);
        (used && signature::zero(ty).is_some()).then(|| Box::new(edit) as Edit)
    });
    search.chunked(new_arguments);
}

/// One edit for each instruction for which `make` returns one, in reverse order, so that users come before their
/// operands.
fn list(search: &Search<'_>, make: impl Fn(FuncId, &Body, Inst) -> Option<Edit>) -> Vec<Edit> {
    let of_body = |(func, body): (FuncId, &Body)| {
        let insts: Vec<Inst> = body.all_insts().filter(|i| !body.inst(*i).kind.is_terminator()).collect();
        insts.into_iter().rev().filter_map(|inst| make(func, body, inst)).collect::<Vec<_>>()
    };
    search.best.program.module.bodies().flat_map(of_body).collect()
}

/// Operands of `inst` that have the type of its result, except `inst` itself.
fn same_type(body: &Body, inst: Inst) -> impl Iterator<Item = Value> + '_ {
    let ty = body.inst(inst).ty;
    let fits = move |v: &Value| body.ty(*v) == ty && *v != inst.into() && ty != Type::VOID;
    body.inst(inst).operands.iter().copied().filter(fits)
}

fn put(editor: &mut Editor<'_>, inst: Inst, value: Value) -> bool {
    let there = value.as_inst().is_none_or(|i| stands(editor.body(), i));
    stands(editor.body(), inst) && there && replace(editor, inst, Some(value))
}

fn to_new_argument(program: &mut Program, func: FuncId, inst: Inst, ty: Type) -> bool {
    if !program.module.body(func).is_some_and(|body| stands(body, inst)) {
        return false;
    }
    let Some(&[new]) = added(program, func, &[ty]).as_deref() else { return false };
    program.body_mut(func).is_some_and(|body| put(&mut Editor::new(body), inst, new.into()))
}
