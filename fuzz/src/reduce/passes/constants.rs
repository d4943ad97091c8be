//! Simplifies constants: to 0, 1, and smaller numbers.

use super::super::edit::{operands, stands, zero};
use super::super::search::{Edit, Search};
use super::super::size::weight;
use super::on_body;
use backedge_ir::body::Body;
use backedge_ir::entity::FuncId;
use backedge_ir::inst::{Use, Value};
use backedge_ir::int::Int;
use backedge_ir::types::Type;

pub(super) fn run(search: &mut Search<'_>) {
    let to_zero = constants(search)
        .into_iter()
        .map(|(func, use_, ty, _)| {
            on_body(func, move |editor| {
                let zero = zero(editor, ty).filter(|_| is_constant(editor.body(), use_));
                zero.is_some_and(|zero| set(editor, use_, zero))
            })
        })
        .collect();
    search.chunked(to_zero);
    let smaller = constants(search)
        .into_iter()
        .map(|(func, use_, _, int)| {
            let put = |int: Int| -> Edit {
                on_body(func, move |editor| {
                    let value = editor.int(int);
                    is_constant(editor.body(), use_) && set(editor, use_, value)
                })
            };
            int.map_or_else(Vec::new, |int| smaller(int).into_iter().map(put).collect())
        })
        .collect();
    search.first_of_each(smaller);
}

fn set(editor: &mut backedge_ir::editor::Editor<'_>, use_: Use, value: Value) -> bool {
    let old = editor.body().inst(use_.user).operands[use_.index as usize];
    // The user determines the operand's type, so a constant of another type does not fit.
    if old == value || editor.body().ty(old) != editor.body().ty(value) {
        return false;
    }
    editor.set_operand(use_, value);
    true
}

fn is_constant(body: &Body, use_: Use) -> bool {
    let operand = || body.inst(use_.user).operands.get(use_.index as usize);
    stands(body, use_.user) && operand().is_some_and(|v| v.as_const().is_some())
}

/// Constant operands that can be simplified, each with its integer value, if it has one.
fn constants(search: &Search<'_>) -> Vec<(FuncId, Use, Type, Option<Int>)> {
    let mut list = Vec::new();
    for (func, body) in search.best.program.module.bodies() {
        for (use_, operand) in operands(body) {
            let data = body.inst(use_.user);
            let is_callee = data.call().is_some() && use_.index as usize == data.operands.len() - 1;
            let Some(constant) = operand.as_const().filter(|_| !is_callee) else { continue };
            if weight(body.consts(), constant, 8) > 0 {
                list.push((func, use_, body.ty(operand), body.as_int(operand)));
            }
        }
    }
    list
}

/// Integers simpler than `int`, simplest first.
fn smaller(int: Int) -> Vec<Int> {
    let width = int.width();
    let (signed, mut list) = (int.signed(), vec![1i128]);
    let size = signed.unsigned_abs();
    if signed < 0 {
        list.push(-1);
    }
    for fraction in [16, 4, 2] {
        list.push(signed / fraction);
    }
    if size <= 64 {
        list.extend([signed - signed.signum(), signed - 2 * signed.signum()]);
    }
    let mut found: Vec<Int> = Vec::new();
    for value in list {
        let value = Int::new(width, value as u128);
        if value != int && !found.contains(&value) && !value.is_zero() {
            found.push(value);
        }
    }
    found
}
