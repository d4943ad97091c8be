//! Final values of the body of a vector loop, computed after it: parts are combined first, then lanes.
//!
//! An any-of selection is made if any lane has selected. For other selections each lane records the iteration of its
//! last selection: the greatest number identifies the lane with the value; zero means that no lane has selected.

use super::emitted::{Emitted, Pick, Rep};
use super::tools::Tools;
use crate::legality::{Reduction, ReductionKind, Selection};
use backedge_ir::builder::Builder;
use backedge_ir::constant::{ConstData, Constant};
use backedge_ir::editor::{Editor, Position};
use backedge_ir::entity::Inst;
use backedge_ir::inst::{
    BinaryFlags, BinaryOp, FloatBinaryOp, FloatPredicate, InstData, InstKind, IntPredicate, Value,
};
use backedge_ir::int::Int;
use backedge_ir::opcode::FastMath;
use backedge_ir::types::{FloatKind, Type, TypeKind};

/// The bits of the floating-point identity.
pub(super) fn float_identity(kind: ReductionKind, ty: Type) -> Option<u128> {
    let TypeKind::Float(format) = ty.kind() else { return None };
    if kind == ReductionKind::FAdd {
        return Some(1 << (format.bits() - 1));
    }
    Some(match format {
        FloatKind::Half => 0x3c00,
        FloatKind::BFloat => 0x3f80,
        FloatKind::Float => 0x3f80_0000,
        FloatKind::Double => 0x3ff0_0000_0000_0000,
        FloatKind::Fp128 => 0x3fff << 112,
        FloatKind::X86Fp80 | FloatKind::PpcFp128 => return None,
    })
}

impl Emitted {
    /// The final value of a reduction; combines parts, then lanes.
    pub(super) fn collected(
        &self,
        editor: &mut Editor<'_>,
        place: Position,
        tools: &Tools,
        phi: Inst,
        r: &Reduction,
    ) -> Option<Value> {
        let parts = self.results.get(&phi)?;
        let (&first, rest) = parts.split_first()?;
        if r.in_order {
            return Some(first);
        }
        let is_float = editor.body().inst(phi).ty.is_float();
        // If no iteration executes the operation, the result is the start, which may be a signed zero, NaN or infinity.
        let of_operations = FastMath::NSZ.union(FastMath::NNAN).union(FastMath::NINF);
        let fast = if is_float { r.fast.without(of_operations) } else { FastMath::NONE };
        let ty = editor.body().ty(first);
        let mut all = first;
        for part in rest {
            let kind = match r.kind {
                ReductionKind::Add => Some(BinaryOp::Add),
                ReductionKind::Mul => Some(BinaryOp::Mul),
                ReductionKind::And => Some(BinaryOp::And),
                ReductionKind::Or => Some(BinaryOp::Or),
                ReductionKind::Xor => Some(BinaryOp::Xor),
                _ => None,
            };
            let float = match r.kind {
                ReductionKind::FAdd => Some(FloatBinaryOp::FAdd),
                ReductionKind::FMul => Some(FloatBinaryOp::FMul),
                _ => None,
            };
            let data = match (kind, float) {
                (Some(op), _) => {
                    InstData::new(InstKind::Binary(op, BinaryFlags::default()), ty, [all, *part], [])
                }
                (None, Some(op)) => InstData::new(InstKind::FloatBinary(op, fast), ty, [all, *part], []),
                (None, None) => tools.combines.get(&phi)?.call(editor, &[all, *part], fast),
            };
            all = editor.insert_new(place, data).into();
        }
        let declared = tools.reduces.get(&phi)?;
        let element = editor.body().inst(phi).ty;
        let args = match r.kind {
            ReductionKind::FAdd | ReductionKind::FMul => {
                let data = ConstData::Float(float_identity(r.kind, element)?);
                vec![editor.constant(Constant { ty: element, data }).into(), all]
            }
            _ => vec![all],
        };
        let call = declared.call(editor, &args, fast);
        let all: Value = editor.insert_new(place, call).into();
        let Some(start) = self.kept.get(&phi).copied() else { return Some(all) };
        // Without an operation the result is the bit-exact NaN of the start. With one, the result may be that NaN as
        // well (LangRef, "Behavior of Floating-Point NaN values").
        let kind = InstKind::FCmp(FloatPredicate::Uno, FastMath::NONE);
        let is_nan = InstData::new(kind, Type::I1, [start, start], []);
        let is_nan: Value = editor.insert_new(place, is_nan).into();
        Some(Builder::new(editor, place).select(is_nan, start, all, ""))
    }
    /// The final value of a selection.
    pub(super) fn selected(
        &self,
        editor: &mut Editor<'_>,
        place: Position,
        tools: &Tools,
        phi: Inst,
        s: &Selection,
    ) -> Option<Value> {
        let (&first, rest) = self.picked.get(&phi)?.split_first()?;
        let mut all = first;
        for part in rest {
            all = match (all.what, part.what) {
                (Some(a), Some(b)) => {
                    let mut at = Builder::new(editor, place);
                    let bits = InstKind::ICmp { pred: IntPredicate::Ugt, samesign: false };
                    let later = InstData::new(bits, tools.vector(Type::I1), [part.when, all.when], []);
                    let later: Value = at.insert(later).into();
                    let when = at.select(later, part.when, all.when, "");
                    Pick { when, what: Some(at.select(later, b, a, "")) }
                }
                _ => {
                    let none = BinaryFlags::default();
                    let mut at = Builder::new(editor, place);
                    Pick { when: at.binary(BinaryOp::Or, all.when, part.when, none, ""), what: None }
                }
            };
        }
        let call = tools.reduces.get(&phi)?.call(editor, &[all.when], FastMath::NONE);
        let when: Value = editor.insert_new(place, call).into();
        let Some(what) = all.what else {
            return Some(Builder::new(editor, place).select(when, s.any_of?, s.start, ""));
        };
        // The lane that selected last.
        let ty = editor.body().ty(when);
        let zero = editor.int(Int::zero(ty.int_bits().unwrap_or(1)));
        let last = tools.splat(editor, place, when);
        let bits = InstKind::ICmp { pred: IntPredicate::Eq, samesign: false };
        let is_last = InstData::new(bits, tools.vector(Type::I1), [all.when, last], []);
        let is_last: Value = editor.insert_new(place, is_last).into();
        let yes = editor.int(Int::bool(true));
        let call = tools.finds.get(&phi)?.call(editor, &[is_last, yes], FastMath::NONE);
        let lane: Value = editor.insert_new(place, call).into();
        let element = editor.body().inst(phi).ty;
        let one = InstData::new(InstKind::ExtractElement, element, [what, lane], []);
        let one: Value = editor.insert_new(place, one).into();
        let mut at = Builder::new(editor, place);
        let any = at.icmp(IntPredicate::Ne, when, zero, "");
        Some(at.select(any, one, s.start, ""))
    }
    /// The next value of a recurrence.
    pub(super) fn recurrence_next(
        &self,
        editor: &mut Editor<'_>,
        place: Position,
        phi: Inst,
        lanes: u32,
    ) -> Option<Value> {
        let vector = *self.results.get(&phi)?.last()?;
        let (number, ty) = (editor.int(Int::new(64, u128::from(lanes - 1))), editor.body().inst(phi).ty);
        let data = InstData::new(InstKind::ExtractElement, ty, [vector, number], []);
        Some(editor.insert_new(place, data).into())
    }
    /// The lane of `value` that is `at` lanes after the first lane of the first part.
    pub(super) fn lane_at(
        &self,
        editor: &mut Editor<'_>,
        place: Position,
        value: Value,
        lanes: u32,
        at: Value,
    ) -> Option<Value> {
        let ty = editor.body().ty(value);
        let bits = editor.body().ty(at).int_bits()?;
        let within = editor.int(Int::new(bits, u128::from(lanes - 1)));
        let lane = Builder::new(editor, place).binary(BinaryOp::And, at, within, BinaryFlags::default(), "");
        let (parts, is_same) = match value.as_inst().and_then(|i| self.reps.get(&i))? {
            Rep::Same(parts) => (parts, true),
            Rep::Lanes(parts) => (parts, false),
        };
        let mut found: Option<Value> = None;
        for (part, all) in (0u128..).zip(parts) {
            let one = match is_same {
                true => *all,
                false => {
                    let data = InstData::new(InstKind::ExtractElement, ty, [*all, lane], []);
                    editor.insert_new(place, data).into()
                }
            };
            let first = editor.int(Int::new(bits, part * u128::from(lanes)));
            let mut builder = Builder::new(editor, place);
            found = Some(match found {
                None => one,
                Some(before) => {
                    let is_later = builder.icmp(IntPredicate::Uge, at, first, "");
                    builder.select(is_later, one, before, "")
                }
            });
        }
        found
    }
    /// The last lane of `value` in the last part.
    pub(super) fn last_lane(
        &self,
        editor: &mut Editor<'_>,
        place: Position,
        value: Value,
        lanes: u32,
    ) -> Option<Value> {
        let vector = match value.as_inst().and_then(|i| self.reps.get(&i)) {
            Some(Rep::Same(parts)) => return parts.last().copied(),
            Some(Rep::Lanes(parts)) => *parts.last()?,
            None => return None,
        };
        let number = editor.int(Int::new(64, u128::from(lanes - 1)));
        let ty = editor.body().ty(value);
        let data = InstData::new(InstKind::ExtractElement, ty, [vector, number], []);
        Some(editor.insert_new(place, data).into())
    }
}
