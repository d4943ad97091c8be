//! Sequences of statements, conditions, branches and switches, irreducible cycles.

use super::knobs::Knob;
use super::writer::Writer;
use backedge_ir::attr::{Attr, FlagAttr, MemoryEffects, ModRef};
use backedge_ir::entity::Block;
use backedge_ir::inst::{BinaryFlags, BinaryOp, FastMath, InstData, InstKind, IntPredicate, Value};
use backedge_ir::types::Type;

/// Maximum nesting depth of loops and branches: the number of steps of a run grows exponentially with it.
pub(super) const MAX_DEPTH: usize = 3;

impl Writer<'_, '_> {
    /// Generates the body of the function.
    pub(super) fn function(&mut self) {
        if self.wants(Knob::Allocas, 50) && self.knobs.has(Knob::Memory) {
            self.local_object();
        }
        if !self.bases.is_empty() && self.wants(Knob::Metadata, 40) {
            self.aside(Self::pointer_slot);
        }
        for _ in 0..self.draw.below(3) {
            self.statement();
        }
        self.cycle();
        if self.wants(Knob::Siblings, 50) {
            for _ in 0..self.draw.between(1, 2) {
                self.statement();
                self.cycle();
            }
        }
        for _ in 0..self.draw.below(3) {
            self.statement();
        }
        self.ret();
    }
    /// A loop or an irreducible cycle.
    pub(super) fn cycle(&mut self) {
        if self.wants(Knob::Irreducible, 15) {
            return self.irreducible();
        }
        if self.has_arrays() && self.wants(Knob::WrappingFills, 15) {
            return self.aside(Self::wrapping_fill);
        }
        if self.has_arrays() && self.wants(Knob::PointerEnds, 12) {
            return self.aside(Self::pointer_loop);
        }
        let affine = if self.loops.is_empty() { 35 } else { 10 };
        if self.has_arrays()
            && self.loops.len() < MAX_DEPTH - 1
            && self.wants_mostly(Knob::AffineNests, affine)
        {
            return self.affine_nest();
        }
        self.nest();
    }
    /// Up to `most` statements in one of several blocks.
    pub(super) fn few(&mut self, most: usize) {
        for _ in 0..self.draw.below(most + 1) {
            self.statement();
        }
    }
    /// A statement without a branch.
    pub(super) fn statement(&mut self) {
        self.budget = self.budget.saturating_sub(1);
        match self.draw.below(14) {
            0..=3 if self.wants(Knob::Memory, 80) => self.memory_access(),
            4 if self.wants(Knob::Calls, 60) => self.call_that_may_not_return(),
            5 if self.wants(Knob::PureCalls, 60) => self.quiet_call(false),
            6 if self.wants(Knob::ReadingCalls, 60) => self.quiet_call(true),
            7 if self.wants(Knob::Assumes, 60) => self.assume(),
            8 | 9 => {
                self.condition();
            }
            _ => {
                self.compute();
            }
        }
    }

    // Conditions.

    /// A condition of type `i1`.
    pub(super) fn condition(&mut self) -> Value {
        match self.draw.below(9) {
            0..=2 => self.test(),
            8 if self.wants(Knob::Invariant, 80) => self.partly_invariant(),
            3 if self.wants(Knob::Invariant, 80) => {
                let value = self.invariant(Type::I1);
                if value.as_const().is_none() {
                    return value;
                }
                self.test()
            }
            4 => {
                let (left, right) = (self.operand(Type::I1), self.test());
                let op = self.draw.pick(&[BinaryOp::And, BinaryOp::Or, BinaryOp::Xor]);
                self.binary(op, left, right, BinaryFlags::default())
            }
            5 if self.wants(Knob::Selects, 60) => {
                let (left, right) = (self.test(), self.test());
                let constant = self.draw.bool();
                let constant = self.int(1, constant.into());
                let (a, b) = if self.draw.bool() { (right, constant) } else { (constant, right) };
                let value = self.at().select(left, a, b, "");
                self.push(value);
                value
            }
            _ => self.comparison(),
        }
    }
    /// A condition of two parts, one of which is loop-invariant.
    fn partly_invariant(&mut self) -> Value {
        let Some(outer) = self.loops.last().map(|l| l.outer) else { return self.comparison() };
        let (left, right) = (self.operand_before(Type::I1, outer), self.test());
        let (a, b) = if self.draw.bool() { (left, right) } else { (right, left) };
        let either = self.draw.bool();
        if self.wants(Knob::Selects, 50) {
            let decided = self.int(1, either.into());
            let (yes, no) = if either { (decided, b) } else { (b, decided) };
            let value = self.at().select(a, yes, no, "");
            self.push(value);
            return value;
        }
        let op = if either { BinaryOp::Or } else { BinaryOp::And };
        self.binary(op, a, b, BinaryFlags::default())
    }
    fn predicate(&mut self) -> IntPredicate {
        self.draw.pick(IntPredicate::ALL)
    }
    /// A comparison of any two values.
    fn comparison(&mut self) -> Value {
        let ty = self.int_type();
        let (left, right) = (self.operand(ty), self.operand(ty));
        let pred = self.predicate();
        self.icmp(pred, left, right)
    }
    /// A comparison of a recurrence with a loop-invariant value.
    pub(super) fn test(&mut self) -> Value {
        let ty = self.int_type();
        let Some(left) = self.recurring(ty) else { return self.comparison() };
        let (right, pred) = (self.invariant(ty), self.predicate());
        self.icmp(pred, left, right)
    }
    /// An assumption that holds, or one that may not hold.
    fn assume(&mut self) {
        let ty = self.int_type();
        let condition = if self.knobs.has(Knob::WrongFlags) && self.draw.chance(30) {
            self.condition()
        } else {
            let width = ty.int_bits().unwrap_or(1);
            let (value, mask) = (self.operand(ty), self.constant(ty));
            let value = self.binary(BinaryOp::And, value, mask, BinaryFlags::default());
            let bound = if self.draw.bool() { mask } else { self.int(width, -1) };
            self.icmp(IntPredicate::Ule, value, bound)
        };
        let func = self.declare("llvm.assume", Type::VOID, &[Type::I1], Vec::new());
        self.call(func, &[condition]);
    }

    // Calls.

    pub(super) fn call_that_may_not_return(&mut self) {
        let ty = self.int_type();
        let width = ty.int_bits().unwrap_or(1);
        let argument = self.operand(ty);
        let nothing = MemoryEffects::all(ModRef::NONE);
        let (name, attrs): (_, Vec<Attr>) = match self.draw.below(9) {
            0 | 1 => ("any", Vec::new()),
            // Its memory is inaccessible to this module, but an exception handler or the end of the program may
            // observe the rest of memory.
            4 | 5 | 8 => (
                "leaves",
                vec![Attr::Memory(MemoryEffects { inaccessiblemem: ModRef::READ_WRITE, ..nothing })],
            ),
            6 | 7 => ("looks", vec![Attr::Memory(MemoryEffects::all(ModRef::READ))]),
            2 => ("stays", vec![Attr::Flag(FlagAttr::NoUnwind), Attr::Memory(nothing)]),
            _ => ("returns", vec![Attr::Flag(FlagAttr::NoUnwind), Attr::Flag(FlagAttr::WillReturn)]),
        };
        let func = self.declare(&format!("{name}.i{width}"), ty, &[ty], attrs);
        let inst = self.call(func, &[argument]);
        self.describe(inst);
        self.push(inst.into());
        // Whether the call returned determines whether the division below may be hoisted, since it may be UB.
        if self.wants(Knob::Divisions, 60) {
            let (left, right) = (self.invariant(ty), self.operand_before(ty, self.before_loop()));
            if right.as_const().is_none() {
                self.binary(BinaryOp::UDiv, left, right, BinaryFlags::default());
            }
        }
    }
    fn quiet_call(&mut self, reads: bool) {
        let ty = self.int_type();
        let width = ty.int_bits().unwrap_or(1);
        let argument = self.operand(ty);
        let (name, effect) = if reads { ("reads", ModRef::READ) } else { ("pure", ModRef::NONE) };
        let attrs = vec![
            Attr::Flag(FlagAttr::NoUnwind),
            Attr::Flag(FlagAttr::WillReturn),
            Attr::Memory(MemoryEffects::all(effect)),
        ];
        let func = self.declare(&format!("{name}.i{width}"), ty, &[ty], attrs);
        let inst = self.call(func, &[argument]);
        self.describe(inst);
        self.push(inst.into());
    }

    // Branches.

    /// A branch with code on one side or both.
    pub(super) fn branch(&mut self) {
        if self.wants(Knob::Switches, 60) {
            return self.switch();
        }
        let condition = self.condition();
        let from = self.block;
        let (then, join) = (self.new_block("then"), self.new_block("join"));
        let both = self.draw.chance(40);
        let other = if both { self.new_block("else") } else { join };
        let swapped = self.draw.bool();
        let (a, b) = if swapped { (other, then) } else { (then, other) };
        let types = self.join_types();
        let mut ways = Vec::new();
        if !both {
            let values = self.values_of(&types);
            ways.push((from, values));
        }
        let mark = self.mark();
        self.at().cond_br(condition, a, b);
        let arms = [Some(then), both.then_some(other)];
        for arm in arms.into_iter().flatten() {
            self.block = arm;
            self.few(2);
            let values = self.values_of(&types);
            self.at().br(join);
            ways.push((self.block, values));
            self.cut(mark);
        }
        self.join(join, &types, &ways);
    }
    /// A division that executes only if its divisor is nonzero.
    pub(super) fn guarded_division(&mut self) {
        let ty = self.int_type();
        let left = if self.draw.chance(60) { self.invariant(ty) } else { self.operand(ty) };
        let (mut right, other) = (self.invariant(ty), self.operand(ty));
        if self.wants(Knob::Freeze, 50) {
            // A frozen divisor may also be used by other divisions, if it is nonzero.
            right = self.at().freeze(right, "");
        }
        let zero = self.int(ty.int_bits().unwrap_or(1), 0);
        let condition = self.icmp(IntPredicate::Ne, right, zero);
        let from = self.block;
        let (then, join) = (self.new_block("then"), self.new_block("join"));
        let mark = self.mark();
        self.at().cond_br(condition, then, join);
        self.block = then;
        let op = self.draw.pick(&[BinaryOp::UDiv, BinaryOp::URem]);
        let value = self.binary(op, left, right, BinaryFlags::default());
        self.at().br(join);
        self.cut(mark);
        self.join(join, &[ty], &[(from, vec![other]), (then, vec![value])]);
    }
    /// A branch on a phi of a condition and another condition, after blocks each of which knows one of them.
    pub(super) fn short_circuit(&mut self) {
        let first = self.condition();
        let from = self.block;
        let (second, both) = (self.new_block("second"), self.new_block("both"));
        let (then, join) = (self.new_block("then"), self.new_block("join"));
        let decided = self.draw.bool();
        let ty = self.int_type();
        let early = self.operand(ty);
        let mark = self.mark();
        let (a, b) = if decided { (both, second) } else { (second, both) };
        self.at().cond_br(first, a, b);
        self.block = second;
        self.few(1);
        let (condition, late) = (self.condition(), self.operand(ty));
        self.at().br(both);
        let known = self.int(1, decided.into());
        self.cut(mark);
        self.block = both;
        let truth = self.at().phi(Type::I1, &[(known, from), (condition, second)], "");
        let chosen = self.at().phi(ty, &[(early, from), (late, second)], "");
        self.at().cond_br(truth, then, join);
        self.block = then;
        self.few(2);
        let value = self.operand(ty);
        self.at().br(join);
        self.cut(mark);
        self.join(join, &[ty], &[(both, vec![chosen]), (then, vec![value])]);
    }
    /// Draws the types of a join's phis.
    pub(super) fn join_types(&mut self) -> Vec<Type> {
        (0..self.draw.below(3)).map(|_| self.int_type()).collect()
    }
    pub(super) fn values_of(&mut self, types: &[Type]) -> Vec<Value> {
        types.iter().map(|ty| self.operand(*ty)).collect()
    }
    /// Draws values of these types, sometimes `value` where its type matches.
    fn values_or(&mut self, types: &[Type], of: Type, value: Value) -> Vec<Value> {
        let mut values = self.values_of(types);
        for (chosen, ty) in values.iter_mut().zip(types) {
            if *ty == of && self.draw.bool() {
                *chosen = value;
            }
        }
        values
    }
    /// Continues at `join`, with a phi of each type for the values of the incoming edges.
    pub(super) fn join(&mut self, join: Block, types: &[Type], ways: &[(Block, Vec<Value>)]) {
        self.block = join;
        if ways.is_empty() {
            return;
        }
        for (i, ty) in types.iter().enumerate() {
            let incoming: Vec<(Value, Block)> = ways.iter().map(|(block, v)| (v[i], *block)).collect();
            let phi = self.at().phi(*ty, &incoming, "");
            self.push(phi);
        }
    }
    /// A switch with up to three cases, whose blocks join afterwards.
    fn switch(&mut self) {
        let ty = self.int_type();
        let value = self.operand(ty);
        let from = self.block;
        let join = self.new_block("join");
        let mut types = self.join_types();
        if self.draw.bool() {
            types.push(ty);
        }
        let (cases, targets) = self.cases(ty, join);
        let mut ways = Vec::new();
        // A phi has one entry per edge, with equal values for all edges from one block.
        let straight = targets.iter().filter(|t| **t == join).count();
        let values = self.values_or(&types, ty, value);
        ways.extend((0..straight).map(|_| (from, values.clone())));
        let mark = self.mark();
        let operands = std::iter::once(value).chain(cases.iter().copied());
        self.insert(InstData::new(InstKind::Switch, Type::VOID, operands, targets.clone()));
        let mut done = vec![join];
        for arm in targets {
            if done.contains(&arm) {
                continue;
            }
            done.push(arm);
            self.block = arm;
            if self.draw.bool() {
                // The case is known here unless several cases lead to this block.
                let case = if cases.is_empty() { self.constant(ty) } else { self.draw.pick(&cases) };
                let is_case = self.icmp(IntPredicate::Eq, value, case);
                let ty = self.int_type();
                let (left, right) = (self.operand(ty), self.operand(ty));
                let chosen = self.at().select(is_case, left, right, "");
                self.push(chosen);
            }
            self.few(1);
            let values = self.values_of(&types);
            self.at().br(join);
            ways.push((self.block, values));
            self.cut(mark);
        }
        self.join(join, &types, &ways);
    }
    /// Distinct case constants of a switch and its targets, the default first: new blocks or `other`.
    fn cases(&mut self, ty: Type, other: Block) -> (Vec<Value>, Vec<Block>) {
        let mut cases: Vec<Value> = Vec::new();
        let first = if self.draw.bool() { self.new_block("case") } else { other };
        let mut targets = vec![first];
        for _ in 0..self.draw.between(1, 3) {
            let case = self.constant(ty);
            if cases.contains(&case) {
                continue;
            }
            cases.push(case);
            let target = match self.draw.below(3) {
                0 => other,
                1 => self.draw.pick(&targets),
                _ => self.new_block("case"),
            };
            targets.push(target);
        }
        (cases, targets)
    }
    /// An irreducible cycle with two entries, bounded by a counter.
    fn irreducible(&mut self) {
        let ty = Type::int(self.draw.pick(&[8, 5, 32]));
        let condition = self.condition();
        let from = self.block;
        let blocks = [self.new_block("left"), self.new_block("right")];
        let out = self.new_block("out");
        self.at().cond_br(condition, blocks[0], blocks[1]);
        let mark = self.mark();
        let phis = blocks.map(|block| {
            self.block = block;
            let start = self.int(ty.int_bits().unwrap_or(8), 0);
            self.at().phi(ty, &[(start, from)], "")
        });
        let types = self.join_types();
        let mut ways = Vec::new();
        let mut steps = Vec::new();
        for (at, phi) in phis.into_iter().enumerate() {
            self.block = blocks[at];
            self.cut(mark);
            self.push(phi);
            self.few(2);
            let width = ty.int_bits().unwrap_or(8);
            let (one, bound) = (self.int(width, 1), self.draw.between(1, 9) as i128);
            let bound = self.int(width, bound);
            let next = self.binary(BinaryOp::Add, phi, one, BinaryFlags::default());
            let on = self.icmp(IntPredicate::Ult, next, bound);
            let values = self.values_of(&types);
            ways.push((self.block, values));
            self.at().cond_br(on, blocks[1 - at], out);
            steps.push((next, self.block));
        }
        for (at, phi) in phis.into_iter().enumerate() {
            let (next, block) = steps[1 - at];
            if let Some(phi) = phi.as_inst() {
                self.editor.add_incoming(phi, next, block);
            }
        }
        self.cut(mark);
        self.join(out, &types, &ways);
        self.loop_count += 1;
    }
    /// A phi without entries in `block`, after the existing phis.
    pub(super) fn empty_phi(&mut self, block: Block, ty: Type) -> Value {
        let data = InstData::new(InstKind::Phi(FastMath::NONE), ty, [], []);
        self.editor.insert(backedge_ir::editor::Position::AfterPhis(block), data).into()
    }
}
