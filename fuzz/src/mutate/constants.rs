//! Changes a constant: to a neighbor, its double, a value with one bit flipped, or a boundary value.

use super::work::Work;
use backedge_ir::entity::Inst;
use backedge_ir::inst::{InstKind, Use, Value};
use backedge_ir::int::Int;

pub(super) fn run(work: &mut Work<'_, '_, '_>) -> Option<()> {
    let is_switch = |kind: &InstKind| *kind == InstKind::Switch;
    if work.draw.chance(15)
        && let Some(switch) = work.inst(|body, inst| is_switch(&body.inst(inst).kind))
    {
        return case(work, switch);
    }
    let (use_, old) = work.operand(|body, _, value| value.as_const().is_some() && body.ty(value).is_int())?;
    let new = match work.body().as_int(old) {
        Some(int) => {
            let new = changed(work, int);
            work.editor.int(new)
        }
        None => work.constant(work.body().ty(old))?,
    };
    (new != old).then(|| work.set_operand(use_, new))
}

/// Draws another integer.
fn changed(work: &mut Work<'_, '_, '_>, int: Int) -> Int {
    let width = int.width();
    let one = Int::one(width);
    match work.draw.below(8) {
        0 => int.add(one),
        1 => int.sub(one),
        2 => int.add(int),
        3 => int.neg(),
        4 => int.xor(one.shl(Int::from_i128(width, work.draw.below(width as usize) as i128)).unwrap_or(one)),
        _ => work.boundary(width),
    }
}

/// Changes a case of a switch to a value that has no case yet.
fn case(work: &mut Work<'_, '_, '_>, switch: Inst) -> Option<()> {
    let cases: Vec<Value> = work.body().inst(switch).operands[1..].to_vec();
    let numbers: Vec<usize> = (0..cases.len()).collect();
    let at = work.one_of(&numbers)?;
    let int = work.body().as_int(cases[at])?;
    let new = changed(work, int);
    let new = work.editor.int(new);
    (!cases.contains(&new)).then(|| work.editor.set_operand(Use { user: switch, index: at as u32 + 1 }, new))
}
