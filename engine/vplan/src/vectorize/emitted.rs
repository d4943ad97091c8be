//! The state that the emission of a vector loop passes between its steps: the blocks of the skeleton, the starts of
//! inductions, and the values of the body.

use backedge_ir::builder::Builder;
use backedge_ir::editor::{Editor, Position};
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::{BinaryFlags, BinaryOp, CastOp, GepFlags, Value};
use backedge_ir::int::Int;
use backedge_ir::types::Type;
use rustc_hash::FxHashMap;

/// The blocks of the skeleton.
#[derive(Copy, Clone, Debug)]
pub(super) struct Frame {
    pub(super) vector_ph: Block,
    /// The header of the vector loop.
    pub(super) body: Block,
    /// The latch of the vector loop; equal to the header unless there are data-dependent exits or inner loops between.
    pub(super) rest: Block,
    pub(super) middle: Block,
    pub(super) scalar_ph: Block,
    /// The number of backedges taken by the source loop.
    pub(super) taken: Value,
    /// The number of iterations to vectorize.
    pub(super) n: Value,
    /// The number of lanes to execute, a multiple of the lanes of a vector iteration.
    pub(super) n_vec: Value,
    /// The type of counts.
    pub(super) count: Type,
}

/// The start and step of an induction, computed before the loop.
#[derive(Copy, Clone, Debug)]
pub(super) struct Start {
    pub(super) phi: Inst,
    pub(super) start: Value,
    pub(super) step: Value,
}

/// The value of an induction in iteration `index`, a number of the count type.
pub(super) fn value_at(editor: &mut Editor<'_>, place: Position, of: Start, index: Value) -> Value {
    let (ty, step_ty) = (editor.body().ty(of.start), editor.body().ty(of.step));
    let bits = step_ty.int_bits().unwrap_or(1);
    let from = editor.body().ty(index).int_bits().unwrap_or(bits);
    let index = converted(editor, place, index, from, bits);
    let none = BinaryFlags::default();
    let is_one = editor.body().as_int(of.step).is_some_and(Int::is_one);
    let mut at = Builder::new(editor, place);
    let walked = if is_one { index } else { at.binary(BinaryOp::Mul, index, of.step, none, "") };
    match ty.is_ptr() {
        true => at.gep(Type::I8, of.start, &[walked], GepFlags::default(), ""),
        false => at.binary(BinaryOp::Add, of.start, walked, none, ""),
    }
}

/// The representation of a value of the loop, per part.
#[derive(Clone, Debug)]
pub(super) enum Rep {
    /// One scalar for all lanes.
    Same(Vec<Value>),
    /// A vector.
    Lanes(Vec<Value>),
}

/// The result of emitting the body.
#[derive(Debug)]
pub(super) struct Emitted {
    pub(super) index: Inst,
    pub(super) reps: FxHashMap<Inst, Rep>,
    /// The final values of reductions per part, by phi.
    pub(super) results: FxHashMap<Inst, Vec<Value>>,
    /// The final values of selections per part, by phi.
    pub(super) picked: FxHashMap<Inst, Vec<Pick>>,
    /// The starts of reductions that may be NaN and may be the result.
    pub(super) kept: FxHashMap<Inst, Value>,
    /// The stores to execute after the loop: the store, its address, and the phi whose final value it stores.
    pub(super) deferred: Vec<(Inst, Value, Inst)>,
    /// The test of the data-dependent exits.
    pub(super) test: Option<Test>,
}

/// The test of a vector iteration.
#[derive(Clone, Debug)]
pub(super) struct Test {
    /// Whether any lane of any part leaves.
    pub(super) any: Value,
    /// The lanes of the first part that leave, for each exit, and for any exit.
    pub(super) exits: Vec<Value>,
    pub(super) all: Value,
    /// The values of reductions and recurrences, and of selections, at the start of the vector iteration, per part.
    pub(super) results: FxHashMap<Inst, Vec<Value>>,
    pub(super) picked: FxHashMap<Inst, Vec<Pick>>,
}

/// A value of a selection in the lanes of a part.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Pick {
    /// For any-of, whether the lane has selected; otherwise the iteration of the selection, counted from 1, or 0.
    pub(super) when: Value,
    /// The selected value; `None` for any-of.
    pub(super) what: Option<Value>,
}

/// Zero-extends or truncates an unsigned number to another width.
pub(super) fn converted(editor: &mut Editor<'_>, place: Position, value: Value, from: u32, to: u32) -> Value {
    match from.cmp(&to) {
        std::cmp::Ordering::Equal => value,
        std::cmp::Ordering::Less => Builder::new(editor, place).cast(CastOp::ZExt, value, Type::int(to), ""),
        std::cmp::Ordering::Greater => {
            Builder::new(editor, place).cast(CastOp::Trunc, value, Type::int(to), "")
        }
    }
}
