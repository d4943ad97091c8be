//! Data-dependent exits in vector code: the test whether a lane leaves, before any instruction that must not execute
//! twice, and the way out.
//!
//! ```text
//! vector.body:       what exits test            br any, vector.early.exit, vector.rest
//! vector.early.exit: the first lane that leaves br which exit, exit block, next exit …
//! ```
//! If the lane lacks values that are used after the exits, `vector.early.exit` branches to the scalar loop, with the
//! values at the start of the vector iteration.

use super::body::Body;
use super::choose::Choice;
use super::emitted::{Emitted, Frame, Rep, Test};
use super::tools::Tools;
use backedge_ir::builder::Builder;
use backedge_ir::editor::{Editor, Position};
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::{BinaryFlags, BinaryOp, FastMath, InstData, InstKind, Value};
use backedge_ir::int::Int;
use backedge_ir::types::Type;

impl Body<'_, '_, '_> {
    /// Emits the test whether a lane leaves.
    pub(super) fn test(&mut self) -> Test {
        let choice = self.choice;
        let bits = self.tools.vector(Type::I1);
        let mut any: Option<Value> = None;
        let (mut exits, mut first) = (Vec::new(), None);
        for part in 0..self.parts() {
            for exit in choice.legality.exits.uncounted() {
                let condition = self.vector(exit.condition, part);
                let mut leaves = self.at_end().freeze(condition, "");
                if !exit.if_true {
                    let all = self.editor.int(Int::bool(true));
                    let all = self.constant_splat(all, Type::I1);
                    let kind = InstKind::Binary(BinaryOp::Xor, BinaryFlags::default());
                    leaves = self.put(kind, bits, &[leaves, all]);
                }
                if part == 0 {
                    exits.push(leaves);
                }
                let or = InstKind::Binary(BinaryOp::Or, BinaryFlags::default());
                any = Some(any.map_or(leaves, |any| self.put(or, bits, &[any, leaves])));
            }
            first = first.or(any);
        }
        let none = self.editor.poison(bits);
        let (all, lanes) = (first.unwrap_or(none), any.unwrap_or(none));
        let declared = self.tools.early.map(|[any, _]| any);
        let call = declared.map(|any| any.call(self.editor, &[lanes], FastMath::NONE));
        let here = self.here();
        let any = call.map_or(none, |call| self.editor.insert_new(here, call).into());
        let values = |phis: &Vec<Inst>| phis.iter().map(|phi| Value::Inst(*phi)).collect();
        let results = self.carried.iter().map(|(phi, phis)| (*phi, values(phis))).collect();
        Test { any, exits, all, results, picked: self.picks.clone() }
    }
}

impl Emitted {
    /// The values of reductions, selections and recurrences at the start of the vector iteration.
    pub(super) fn at_begin(&self) -> Option<Self> {
        let test = self.test.as_ref()?;
        Some(Self {
            index: self.index,
            reps: self.reps.clone(),
            results: test.results.clone(),
            picked: test.picked.clone(),
            kept: self.kept.clone(),
            deferred: Vec::new(),
            test: None,
        })
    }
}

/// Ends the tested part of the vector iteration. Emits the direct exit if the lane that leaves has all values needed,
/// and returns whether it does.
pub(super) fn leave(
    editor: &mut Editor<'_>,
    choice: &Choice,
    tools: &Tools,
    frame: Frame,
    early: Block,
    emitted: &Emitted,
) -> bool {
    let (Some(test), Some([_, find])) = (&emitted.test, tools.early) else { return false };
    Builder::new(editor, Position::End(frame.body)).cond_br(test.any, early, frame.rest);
    let by_lane = choice.legality.early.as_ref().is_some_and(|early| early.by_lane);
    if !by_lane || choice.parts > 1 {
        return false;
    }
    let yes = editor.int(Int::bool(true));
    let call = find.call(editor, &[test.all, yes], FastMath::NONE);
    let lane: Value = editor.insert_new(Position::End(early), call).into();
    let exits: Vec<_> = choice.legality.exits.uncounted().collect();
    let mut block = early;
    for (at, (exit, leaves)) in exits.iter().zip(&test.exits).enumerate() {
        for out in choice.legality.live_outs.iter().filter(|out| out.from == exit.from) {
            let value = of_lane(editor, Position::End(block), emitted, out.value, lane);
            editor.add_incoming(out.phi, value, block);
        }
        if at + 1 == exits.len() {
            Builder::new(editor, Position::End(block)).br(exit.to);
            break;
        }
        let next = editor.add_block_after(block, Some("vector.early.exit"));
        let bit = InstData::new(InstKind::ExtractElement, Type::I1, [*leaves, lane], []);
        let bit: Value = editor.insert_new(Position::End(block), bit).into();
        Builder::new(editor, Position::End(block)).cond_br(bit, exit.to, next);
        block = next;
    }
    true
}

/// A single lane of `value` in the first part.
fn of_lane(editor: &mut Editor<'_>, place: Position, emitted: &Emitted, value: Value, lane: Value) -> Value {
    let ty = editor.body().ty(value);
    match value.as_inst().and_then(|inst| emitted.reps.get(&inst)) {
        None => value,
        Some(Rep::Same(parts)) => parts[0],
        Some(Rep::Lanes(parts)) => {
            let one = InstData::new(InstKind::ExtractElement, ty, [parts[0], lane], []);
            editor.insert_new(place, one).into()
        }
    }
}
