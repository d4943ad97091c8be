//! Loops: their zero-trip tests, bounds and backedges.
//!
//! A loop with bounds counts its variable from the lower bound by the stride, as unsigned. The exit test is at the
//! end of each iteration: for a stride of 1, whether the upper bound has been reached; for other strides, whether the
//! remaining distance to it is less than the stride. Neither test wraps, whatever the bounds are, so every count that
//! fits the width is correct. Bounds that are read in each iteration and are not constants are frozen, except for the
//! upper bound of a normalized loop, whose test is that of the original code.

use super::control::{Lowering, plain};
use super::records::RecordSide;
use super::ssa::Var;
use crate::canon::CanonExpr;
use crate::ddref::RegDdRef;
use crate::node::{HlInst, HlLoop, Kind, List, LoopKind, Node, Operation};
use backedge_ir::editor::Position;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::{BinaryFlags, BinaryOp, FastMath, InstData, InstKind, IntPredicate, Value};
use backedge_ir::int::Int;
use backedge_ir::metadata::MdKind;
use backedge_ir::types::Type;
use rustc_hash::FxHashSet;

/// The counter of a loop: its first value and its increment; for a loop with bounds also the last value.
#[derive(Copy, Clone)]
struct Count {
    first: Value,
    stride: Value,
    last: Option<Value>,
}

impl Lowering<'_, '_, '_> {
    fn width(&self, l: Node) -> u32 {
        self.plan.widths.get(&l).copied().unwrap_or(1)
    }
    pub(super) fn loop_node(&mut self, node: Node, l: &HlLoop) {
        let following = self.block(None);
        if self.reached && !l.ztt.is_empty() {
            let inside = self.block(None);
            self.decide(node, &l.ztt, inside, following);
            self.go_on(inside);
        }
        self.list(node, List::Preheader);
        if self.reached {
            self.iterations(node, l);
        }
        // A goto may jump to a label in the postexit.
        self.list(node, List::Postexit);
        self.jump(following);
        self.join(following);
    }
    /// Lowers the iterations and the code after their end.
    fn iterations(&mut self, node: Node, l: &HlLoop) {
        let hir = self.hir;
        let width = self.width(node);
        let count = self.count(node, l);
        let preheader = self.at;
        let header = self.block(plain(&l.name));
        self.jump(header);
        let phi = self.editor.insert(
            Position::Start(header),
            InstData::new(InstKind::Phi(FastMath::NONE), Type::int(width), [], []),
        );
        self.editor.add_incoming(phi, count.first, preheader);
        let mut written: FxHashSet<Var> = FxHashSet::default();
        for inside in hir.nodes_in(node) {
            written.extend(hir.written(inside).map(Var::Temp));
            if inside != node && matches!(hir.kind(inside), Kind::Loop(_)) {
                written.insert(Var::Iv(inside));
            }
        }
        self.ssa.open(header, preheader, written);
        self.ssa.write(header, Var::Iv(node), phi.into());
        self.headers.insert(node, header);
        self.at = header;
        self.reached = true;
        self.emit_records(node, RecordSide::Within);
        self.list(node, List::Body);
        let after = self.block(None);
        if self.reached {
            self.latch(node, l, phi, count, after);
        }
        self.close(header);
        self.headers.remove(&node);
        self.join(after);
    }
    /// The counter of a loop, computed at the end of its preheader.
    fn count(&mut self, node: Node, l: &HlLoop) -> Count {
        let width = self.width(node);
        match &l.kind {
            LoopKind::Do { lower, upper, stride } => {
                let first = self.bound(node, lower, !l.is_normalized());
                let stride = self.bound(node, stride, !l.is_normalized());
                let last = self.bound(node, upper, !l.is_normalized());
                Count { first, stride, last: Some(last) }
            }
            LoopKind::Unknown(_) => {
                let [first, stride] = [Int::zero(width), Int::one(width)].map(|of| self.editor.int(of));
                Count { first, stride, last: None }
            }
        }
    }
    fn bound(&mut self, node: Node, of: &RegDdRef, freezes: bool) -> Value {
        let width = self.width(node);
        if let Some(value) = of.as_terminal().and_then(CanonExpr::as_constant) {
            return self.editor.int(value.zext(width));
        }
        let bound = self.reference(node, of);
        let bound = self.widened(bound, width);
        if freezes { self.frozen(bound) } else { bound }
    }
    /// Ends the body: branches to the next iteration, unless this was the last one. An unknown loop begins its next
    /// iteration elsewhere ([`Self::again`]).
    fn latch(&mut self, node: Node, l: &HlLoop, phi: Inst, Count { stride, last, .. }: Count, after: Block) {
        let (Some(last), Some(header)) = (last, self.headers.get(&node).copied()) else {
            return self.jump(after);
        };
        let now = self.read_var(Var::Iv(node));
        let is_next = self.editor.body().as_int(stride).is_some_and(Int::is_one);
        // Hints list the successors in the order of the original branch.
        let goes_on_first = !l.hints.is_empty() && !l.hints.is_turned();
        let ways = if goes_on_first { [header, after] } else { [after, header] };
        let asked = if is_next {
            let pred = if goes_on_first { IntPredicate::Ne } else { IntPredicate::Eq };
            self.compare(pred, now, last)
        } else {
            let left = self.binary(BinaryOp::Sub, last, now);
            let pred = if goes_on_first { IntPredicate::Uge } else { IntPredicate::Ult };
            self.compare(pred, left, stride)
        };
        // If another iteration begins, this was not the last one.
        let next = self.next(node, now, stride, true);
        self.editor.add_incoming(phi, next, self.at);
        let end = self.end(InstKind::CondBr, vec![asked], &ways);
        self.options(node, end);
        self.hint(end, l.hints);
    }
    pub(super) fn close(&mut self, header: Block) {
        let (hir, widths) = (self.hir, &self.plan.widths);
        let ty = |var| match var {
            Var::Temp(temp) => hir.blobs.temp(temp).ty.ty,
            Var::Iv(l) => Type::int(widths.get(&l).copied().unwrap_or(1)),
        };
        self.ssa.close(self.editor, header, &ty);
    }
    /// The counter in the next iteration, with the no-wrap flags that follow from the bound on the count.
    fn next(&mut self, l: Node, iv: Value, stride: Value, is_counted: bool) -> Value {
        // An addition with a wrong flag is poison. A `freeze` of a value that depends on the counter then hides the
        // count of an unknown loop, from which the flag was derived. Flags of the original code do not have this
        // dependence. A single bit is not worth a flag.
        let most = match self.hir.kind(l) {
            Kind::Loop(of) if !of.is_normalized() => None,
            Kind::Loop(of) if is_counted || !self.freezes(l) => of.most,
            Kind::Loop(of) => of.most_by_flags,
            _ => None,
        };
        let width = self.width(l);
        let fits = |bits: u32| width > 1 && most.is_some_and(|m| m <= Int::all_ones(bits).bits());
        let flags =
            BinaryFlags { nuw: is_counted || fits(width), nsw: fits(width - 1), ..BinaryFlags::default() };
        self.exact(BinaryOp::Add, iv, stride, flags)
    }
    /// Whether lowering or the code freezes a value in the loop.
    fn freezes(&self, l: Node) -> bool {
        self.hir.nodes_in(l).into_iter().any(|node| {
            let is_freeze = match self.hir.kind(node) {
                Kind::Inst(HlInst { operation: Operation::Ir(of), .. }) => {
                    matches!(of.kind, InstKind::Freeze)
                }
                _ => false,
            };
            is_freeze || self.hir.written(node).is_some_and(|temp| self.plan.frozen.contains(&temp))
        })
    }
    /// Branches to the next iteration of an unknown loop.
    pub(super) fn again(&mut self, l: Node) {
        let Some(header) = self.headers.get(&l).copied() else { return };
        let iv = self.read_var(Var::Iv(l));
        let one = self.editor.int(Int::one(self.width(l)));
        let next = self.next(l, iv, one, false);
        let phi = self.ssa.value(header, Var::Iv(l)).and_then(Value::as_inst);
        if let Some(phi) = phi {
            self.editor.add_incoming(phi, next, self.at);
        }
        if self.reached {
            let end = self.end(InstKind::Br, Vec::new(), &[header]);
            self.options(l, end);
        }
    }
    /// Puts the loop's `!llvm.loop` metadata on a backedge.
    fn options(&mut self, l: Node, end: Inst) {
        if let Kind::Loop(HlLoop { options: Some(options), .. }) = self.hir.kind(l) {
            self.editor.set_metadata(end, MdKind::Loop, *options);
        }
    }
}
