//! Copies an expression from a function of a donor or of this module, with available values as leaves, and uses it.

use super::work::{Work, is_place};
use backedge_ir::body::Body;
use backedge_ir::editor::Position;
use backedge_ir::entity::Inst;
use backedge_ir::inst::{CastOp, InstData, InstKind, Value};
use backedge_ir::int::Int;
use backedge_ir::types::Type;

/// Maximum depth of a copied expression, in operands: operands beyond it are replaced by values of the program.
const DEPTH: usize = 3;

/// A donor's result and its copy.
type Copied = (Inst, Value);

pub(super) fn run(work: &mut Work<'_, '_, '_>) -> Option<()> {
    let donor = work.one_of(work.donors)?;
    let bodies: Vec<&Body> = donor.bodies().map(|(_, body)| body).collect();
    let body = work.one_of(&bodies)?;
    let roots: Vec<Inst> = body.all_insts().filter(|i| is_copied(body, *i)).collect();
    let root = work.one_of(&roots)?;
    let before = work.place(is_place)?;
    let mut copied = Vec::new();
    let value = copy(work, body, root, (before, DEPTH), &mut copied)?;
    work.create_use(value)
}

fn is_plain(ty: Type) -> bool {
    ty.int_bits().is_some_and(|b| b <= Type::MAX_INT_BITS)
}

/// Whether the instruction computes an integer only from integers.
fn is_copied(body: &Body, inst: Inst) -> bool {
    let data = body.inst(inst);
    let computes = matches!(
        data.kind,
        InstKind::Binary(..)
            | InstKind::ICmp { .. }
            | InstKind::Select(_)
            | InstKind::Freeze
            | InstKind::Cast(CastOp::Trunc | CastOp::ZExt | CastOp::SExt, _)
    );
    computes && is_plain(data.ty) && data.operands.iter().all(|v| is_plain(body.ty(*v)))
}

/// Copies `inst` of `donor`; leaves are available values, at the maximum depth and for other instructions.
fn copy(
    work: &mut Work<'_, '_, '_>,
    donor: &Body,
    inst: Inst,
    (before, depth): (Inst, usize),
    copied: &mut Vec<Copied>,
) -> Option<Value> {
    if let Some((_, value)) = copied.iter().find(|(i, _)| *i == inst) {
        return Some(*value);
    }
    let ty = donor.inst(inst).ty;
    let value = if depth == 0 || !is_copied(donor, inst) {
        leaf(work, ty, before)?
    } else {
        let data = donor.inst(inst);
        let mut operands = Vec::new();
        for &operand in &data.operands {
            let int: Option<Int> = donor.as_int(operand);
            operands.push(match (operand, int) {
                (Value::Inst(inner), _) => copy(work, donor, inner, (before, depth - 1), copied)?,
                (_, Some(int)) => work.editor.int(int),
                _ => leaf(work, donor.ty(operand), before)?,
            });
        }
        let data = InstData::new(data.kind.clone(), ty, operands, []);
        work.editor.insert(Position::Before(before), data).into()
    };
    copied.push((inst, value));
    Some(value)
}

/// An available integer of that type, converted if necessary.
fn leaf(work: &mut Work<'_, '_, '_>, ty: Type, before: Inst) -> Option<Value> {
    let there = work.available_of(ty, before);
    if let Some(value) = work.one_of(&there) {
        return Some(value);
    }
    match work.integer(before) {
        Some(other) => work.resized(other, ty, before),
        None => work.constant(ty),
    }
}
