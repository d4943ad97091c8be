//! Loop exits: exiting edges, exit blocks with their phis, and the code after the loop.

use super::knobs::Knob;
use super::nest::Loop;
use super::recurrence::HeaderPhi;
use super::writer::{Mark, Writer};
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::{BinaryFlags, BinaryOp, CastOp, InstData, InstKind, IntPredicate, Value};
use backedge_ir::types::Type;

/// Maximum number of exit blocks per loop: further exits share one of them.
const MAX_EXIT_BLOCKS: usize = 4;

/// An exit block.
#[derive(Clone, Debug)]
pub(super) struct ExitBlock {
    block: Block,
    phis: Vec<(Type, Inst)>,
    /// Whether the loop guard branches to the block too.
    shared_with_guard: bool,
}

/// The guard branch of a loop, not yet emitted.
#[derive(Copy, Clone, Debug)]
pub(super) struct Skip {
    /// The block of the branch.
    pub(super) block: Block,
    /// The successor that enters the loop.
    pub(super) enter: Block,
    pub(super) condition: Value,
    pub(super) mark: Mark,
}

impl Writer<'_, '_> {
    // Exiting edges.

    /// Emits an exiting edge of the loop at `level`, of one of several kinds.
    pub(super) fn exiting_edge(&mut self, level: usize) {
        self.loops[level].exits_left -= 1;
        if let Some(divisor) = self.loops[level].divisor
            && self.wants(Knob::DividedBounds, 60)
        {
            return self.aside(|this| this.exit_by_quotient(level, divisor));
        }
        let Loop { counted_exits, ref counter, .. } = self.loops[level];
        if counted_exits || counter.is_some() && self.wants(Knob::CountedExits, 40) {
            let condition = self.test_of_counter(level);
            return self.exit_if(level, condition, true);
        }
        if self.wants(Knob::SwitchExits, 35) {
            return self.exit_by_switch(level);
        }
        if !self.wants(Knob::OffLatchExits, 50) {
            let condition = self.condition();
            let sense = self.draw.bool();
            return self.exit_if(level, condition, sense);
        }
        // In a block that does not execute in every iteration.
        let condition = self.condition();
        let (arm, join) = (self.new_block("arm"), self.new_block("join"));
        self.at().cond_br(condition, arm, join);
        let mark = self.mark();
        self.block = arm;
        self.few(1);
        let counted = self.loops[level].counter.is_some() && self.wants(Knob::CountedExits, 50);
        let condition = if counted { self.test_of_counter(level) } else { self.condition() };
        self.exit_if(level, condition, true);
        self.few(1);
        self.at().br(join);
        self.cut(mark);
        self.block = join;
    }
    /// Emits an exit that compares the counter of the loop at `level` with a quotient, after an exit that is taken if
    /// the divisor is zero.
    fn exit_by_quotient(&mut self, level: usize, divisor: Value) {
        let HeaderPhi { phi, ty, .. } = self.loops[level].phis[0];
        let zero = self.int(ty.int_bits().unwrap_or(1), 0);
        let is_zero = self.icmp(IntPredicate::Eq, divisor, zero);
        self.exit_if(level, is_zero, true);
        let dividend = self.invariant(ty);
        let bound = self.binary(BinaryOp::UDiv, dividend, divisor, BinaryFlags::default());
        let pred = self.draw.pick(&[IntPredicate::Uge, IntPredicate::Eq, IntPredicate::Ugt]);
        let condition = self.icmp(pred, phi.into(), bound);
        self.exit_if(level, condition, true);
    }
    /// Compares the counter of the loop at `level` with a loop-invariant value, as an exit condition.
    fn test_of_counter(&mut self, level: usize) -> Value {
        use IntPredicate::{Eq, Sgt, Uge, Ugt};
        let (phi, bound) = self.counter_and_mark(level);
        let pred = self.draw.pick(&[Eq, Uge, Ugt, Sgt, Eq]);
        self.icmp(pred, phi, bound)
    }
    /// Whether the counter of the loop at `level` is less than a loop-invariant value.
    pub(super) fn order_of_counter(&mut self, level: usize) -> Value {
        use IntPredicate::{Sle, Slt, Ule, Ult};
        let (phi, bound) = self.counter_and_mark(level);
        let pred = self.draw.pick(&[Ult, Slt, Ule, Sle]);
        self.icmp(pred, phi, bound)
    }
    /// The counter of the loop at `level` and a value to compare it with: the bound, one of the last values before
    /// the bound, the start, or any loop-invariant value.
    fn counter_and_mark(&mut self, level: usize) -> (Value, Value) {
        let HeaderPhi { phi, ty, .. } = self.loops[level].phis[0];
        let counter = self.loops[level].counter.clone();
        let mark = match counter.filter(|_| self.wants(Knob::NearBound, 40)) {
            Some(counter) => match self.draw.below(4) {
                3 => counter.start,
                back => self.steps_before_bound(&counter, back),
            },
            None => {
                let mut mark = self.invariant(ty);
                if mark.as_const().is_some() && self.wants(Knob::SymbolicBounds, 60) {
                    let any = self.invariant(Type::int(self.widths[0]));
                    mark = self.resized(any, ty, CastOp::ZExt);
                }
                // A sum that may be poison, which is harmless if another exit is taken first.
                if mark.as_const().is_none() && self.wants(Knob::WrongFlags, 40) {
                    let (more, flags) = (self.constant(ty), self.careless_flags(BinaryOp::Add));
                    self.binary(BinaryOp::Add, mark, more, flags)
                } else {
                    mark
                }
            }
        };
        (phi.into(), mark)
    }
    /// Emits a branch that exits the loop at `level` if `condition` equals `sense`.
    pub(super) fn exit_if(&mut self, level: usize, condition: Value, sense: bool) {
        let exit = self.exit_block(level);
        self.give(level, exit, 1);
        let (exit, more) = (self.loops[level].exits[exit].block, self.new_block("more"));
        let (a, b) = if sense { (exit, more) } else { (more, exit) };
        self.at().cond_br(condition, a, b);
        self.block = more;
    }
    /// Emits a branch to the header if `on` holds and to an exit block otherwise.
    pub(super) fn exit_or_again(&mut self, level: usize, on: Value) -> Inst {
        let exit = self.exit_block(level);
        self.give(level, exit, 1);
        let (exit, header) = (self.loops[level].exits[exit].block, self.loops[level].header);
        if self.wants(Knob::ExitFirst, 40) {
            let out = self.negated(on);
            return self.at().cond_br(out, exit, header);
        }
        self.at().cond_br(on, header, exit)
    }
    /// Negates a new condition that has no other use as a condition: the inverse comparison, or a `not`.
    pub(super) fn negated(&mut self, condition: Value) -> Value {
        let comparison = condition.as_inst().and_then(|inst| match self.editor.body().inst(inst).kind {
            InstKind::ICmp { pred, samesign } => {
                Some((inst, InstKind::ICmp { pred: pred.inverse(), samesign }))
            }
            _ => None,
        });
        match comparison {
            Some((inst, inverse)) => {
                self.editor.set_kind(inst, inverse);
                condition
            }
            None => {
                let one = self.int(1, 1);
                self.at().binary(BinaryOp::Xor, condition, one, BinaryFlags::default(), "")
            }
        }
    }
    /// Emits a switch some of whose cases exit the loop, possibly several to one block.
    fn exit_by_switch(&mut self, level: usize) {
        let ty = self.int_type();
        let value = self.recurring(ty).unwrap_or_else(|| self.operand(ty));
        let more = self.new_block("more");
        let mut cases: Vec<Value> = Vec::new();
        let mut ways: Vec<Option<usize>> = vec![None];
        for _ in 0..self.draw.between(1, 3) {
            let case = self.constant(ty);
            if !cases.contains(&case) {
                cases.push(case);
                ways.push(if self.draw.chance(75) { Some(self.exit_block(level)) } else { None });
            }
        }
        if self.draw.chance(15) && ways.len() > 1 {
            // Exits by default and continues in a case.
            ways.swap(0, 1);
        }
        let exits: Vec<usize> = ways.iter().flatten().copied().collect();
        for exit in 0..self.loops[level].exits.len() {
            let edges = exits.iter().filter(|e| **e == exit).count();
            if edges > 0 {
                self.give(level, exit, edges);
            }
        }
        let target = |way: &Option<usize>| way.map_or(more, |exit| self.loops[level].exits[exit].block);
        let targets: Vec<Block> = ways.iter().map(target).collect();
        let operands = std::iter::once(value).chain(cases);
        self.insert(InstData::new(InstKind::Switch, Type::VOID, operands, targets));
        self.block = more;
    }
    /// An exit block of the loop at `level`, existing or new.
    fn exit_block(&mut self, level: usize) -> usize {
        let count = self.loops[level].exits.len();
        if count >= MAX_EXIT_BLOCKS || count > 0 && self.wants(Knob::SharedExits, 55) {
            return self.draw.below(count);
        }
        let block = self.new_block("exit");
        let types: Vec<Type> = if self.wants(Knob::ExitPhis, 80) {
            (0..self.draw.between(1, 3)).map(|_| self.int_type()).collect()
        } else {
            Vec::new()
        };
        let phis = types.into_iter().map(|ty| {
            let phi = self.empty_phi(block, ty);
            (ty, phi)
        });
        let phis = phis.filter_map(|(ty, phi)| Some((ty, phi.as_inst()?))).collect();
        self.loops[level].exits.push(ExitBlock { block, phis, shared_with_guard: false });
        count
    }
    /// Adds incoming values to the phis of an exit block, for a number of edges from the current block.
    fn give(&mut self, level: usize, exit: usize, edges: usize) {
        let phis = self.loops[level].exits[exit].phis.clone();
        for (ty, phi) in phis {
            let value = self.operand(ty);
            for _ in 0..edges {
                self.editor.add_incoming(phi, value, self.block);
            }
        }
    }

    // After the loop.

    /// Ends the innermost loop: emits its exit blocks and their join. `outer` marks the scope before all code that
    /// belongs to the loop.
    pub(super) fn after_loop(&mut self, outer: Mark, skip: Option<Skip>) {
        let Some(mut done) = self.loops.pop() else { return };
        let above = skip.map_or(outer, |s| s.mark);
        // Values computed between the guard and the header dominate the blocks that are reachable only through the
        // loop.
        let entered: Vec<(Type, Value)> = self.scope[above.0..done.outer.0].to_vec();
        self.cut(above);
        let types = self.join_types();
        let after = self.new_block("after");
        let mut ways = Vec::new();
        if let Some(skip) = skip {
            ways.extend(self.finish_guard(skip, &mut done.exits, &types, after));
        }
        let passed_by = !ways.is_empty() || done.exits.iter().any(|e| e.shared_with_guard);
        for exit in &done.exits {
            self.cut(above);
            if !exit.shared_with_guard {
                self.scope.extend(&entered);
                if self.wants(Knob::DirectUses, 60) {
                    self.scope.extend(&done.header_scope);
                }
            }
            let fell = self.exit_region(exit, &types, after);
            ways.extend(fell);
        }
        self.cut(above);
        if !passed_by && !ways.is_empty() {
            self.scope.extend(entered);
            if self.wants(Knob::DirectUses, 60) {
                self.scope.extend(done.header_scope);
            }
        }
        self.join(after, &types, &ways);
    }
    /// Emits the guard branch of a loop, to an exit block or to the join after the loop; in the latter case returns
    /// the incoming edge of the join.
    fn finish_guard(
        &mut self,
        skip: Skip,
        exits: &mut [ExitBlock],
        types: &[Type],
        after: Block,
    ) -> Option<(Block, Vec<Value>)> {
        let shared = !exits.is_empty() && self.wants(Knob::SharedGuards, 40);
        let (target, way) = if shared {
            let exit = &mut exits[self.draw.below(exits.len())];
            exit.shared_with_guard = true;
            for (ty, phi) in &exit.phis {
                let value = self.operand_before(*ty, skip.mark);
                self.editor.add_incoming(*phi, value, skip.block);
            }
            (exit.block, None)
        } else {
            let values = types.iter().map(|ty| self.operand_before(*ty, skip.mark)).collect();
            (after, Some((skip.block, values)))
        };
        let (a, b) = if self.draw.bool() { (skip.enter, target) } else { (target, skip.enter) };
        self.block = skip.block;
        self.at().cond_br(skip.condition, a, b);
        way
    }
    /// Emits the body of an exit block; returns its edge to the join, if there is one.
    fn exit_region(&mut self, exit: &ExitBlock, types: &[Type], after: Block) -> Option<(Block, Vec<Value>)> {
        self.block = exit.block;
        for (_, phi) in &exit.phis {
            self.push((*phi).into());
        }
        self.few(1);
        if self.wants(Knob::Returns, 35) {
            self.ret();
            return None;
        }
        if self.wants(Knob::UnreachableExits, 12) {
            self.at().unreachable();
            return None;
        }
        let values = self.values_of(types);
        self.at().br(after);
        Some((self.block, values))
    }
}
