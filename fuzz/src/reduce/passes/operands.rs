//! Simplifies operands: to constants, arguments, and operands of the instruction that defines them.

use super::super::edit::{operands, stands, zero};
use super::super::search::{Edit, Search};
use super::on_body;
use backedge_ir::body::Body;
use backedge_ir::entity::FuncId;
use backedge_ir::inst::{Use, Value};
use backedge_ir::int::Int;
use backedge_ir::types::Type;

pub(super) fn run(search: &mut Search<'_>) {
    let to_zero = uses(search)
        .into_iter()
        .map(|(func, use_, ty, _)| {
            on_body(func, move |editor| {
                let zero = if is_variable(editor.body(), use_) { zero(editor, ty) } else { None };
                zero.is_some_and(|zero| {
                    editor.set_operand(use_, zero);
                    true
                })
            })
        })
        .collect();
    search.chunked(to_zero);
    let others = uses(search)
        .into_iter()
        .map(|(func, use_, ty, values)| {
            let mut group: Vec<Edit> = Vec::new();
            if let Some(bits) = ty.int_bits().filter(|b| *b <= Type::MAX_INT_BITS) {
                group.push(on_body(func, move |editor| {
                    let one = editor.int(Int::one(bits));
                    let there = is_variable(editor.body(), use_);
                    if there {
                        editor.set_operand(use_, one);
                    }
                    there
                }));
            }
            for value in values {
                group.push(on_body(func, move |editor| {
                    let there = is_variable(editor.body(), use_)
                        && value.as_inst().is_none_or(|i| stands(editor.body(), i));
                    if there {
                        editor.set_operand(use_, value);
                    }
                    there
                }));
            }
            group
        })
        .collect();
    search.first_of_each(others);
}

/// Whether the operand still exists and is not a constant.
fn is_variable(body: &Body, use_: Use) -> bool {
    let operand = || body.inst(use_.user).operands.get(use_.index as usize);
    stands(body, use_.user) && operand().is_some_and(|v| v.as_const().is_none())
}

/// The non-constant operands, with their types and replacements.
fn uses(search: &Search<'_>) -> Vec<(FuncId, Use, Type, Vec<Value>)> {
    let mut list = Vec::new();
    for (func, body) in search.best.program.module.bodies() {
        let variables = operands(body).filter(|(_, operand)| operand.as_const().is_none());
        list.extend(variables.map(|(use_, v)| (func, use_, body.ty(v), instead(body, v))));
    }
    list
}

/// Values of the same type that are available wherever `operand` is: operands of its definition, and arguments.
fn instead(body: &Body, operand: Value) -> Vec<Value> {
    let ty = body.ty(operand);
    let mut values: Vec<Value> = match operand.as_inst().map(|i| body.inst(i)) {
        Some(data) => data.operands.iter().copied().filter(|v| v.as_const().is_none()).collect(),
        None => Vec::new(),
    };
    values.extend(body.args().take(4).map(Value::from));
    values.retain(|v| body.ty(*v) == ty && *v != operand);
    values.dedup();
    values
}
