//! Runs one function on terms, from a position to the next point where both functions must agree or a condition is not
//! decided.
//!
//! What may be undefined is noted as a fact ([`Run::noted`]): the source's facts then hold, and the target's facts have
//! to follow from them. Nothing observable happens before the stop, so the order of both within a step does not matter.
//!
//! The values of the source may be replaced by more defined ones ([`Terms::lowered`]): its terms then describe a run
//! that refines the source's. A fact about such a run also holds for the source's own, except that a division may be
//! defined because its dividend is poison ([`Terms::hides`]).

use super::flags;
use super::function::{Said, View, Why};
use super::state::{Fact, Object, Place, SideState, decide};
use super::term::{Nature, Op, Operands, Step, Term, Terms, Ty};
use crate::encode::intrinsic::is_float_function;
use backedge_ir::attr::{Attr, AttrList, IntAttr};
use backedge_ir::constant::{ConstData, ConstOp, ConstPool, GlobalRef};
use backedge_ir::entity::{Block, Const, EntityId, Inst};
use backedge_ir::inst::{CallView, CastFlags, InstData, InstKind, MemAccess, Value};
use backedge_ir::int::Int;
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::opcode::{BinaryOp, IntPredicate};
use backedge_ir::types::{Compound, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::smallvec;
use std::collections::BTreeSet;

/// Maximum number of instructions between two stops.
const LONG_RUN: usize = 20_000;
/// Maximum number of instructions of a whole proof.
const LONG_PROOF: usize = 2_000_000;

/// What both functions share.
#[derive(Default)]
pub(super) struct Context {
    pub(super) terms: Terms,
    /// Terms of the target by their operation without flags.
    pub(super) of_target: FxHashMap<(Op, Operands), Vec<Term>>,
    /// Allocas, by number, whose address other code may learn.
    pub(super) escaped: FxHashSet<u32>,
    /// Numbers of allocas, by side.
    pub(super) numbers: [FxHashMap<Inst, u32>; 2],
    /// Instructions executed.
    pub(super) executed: usize,
}

impl Context {
    /// How much is known about both functions: the source's terms depend on it.
    pub(super) fn noted(&self) -> (usize, usize) {
        (self.terms.hides.len(), self.of_target.values().map(Vec::len).sum())
    }
    /// The term, or one of the target with fewer flags. Looks at `parts` parts of the term at most.
    pub(super) fn lower(&mut self, term: Term, parts: &mut usize) -> Term {
        let node = self.terms.get(term).clone();
        let has_flags = matches!(node.op, Op::Inst(_) | Op::Gep { .. } | Op::Stated(_));
        if !has_flags || node.execution != 0 || *parts == 0 {
            return term;
        }
        *parts -= 1;
        let operands: Operands = node.operands.iter().map(|part| self.lower(*part, parts)).collect();
        let new = if operands == node.operands { term } else { self.terms.build(node.op, operands, node.ty) };
        self.terms.lowered(new, &self.of_target)
    }
}

/// A way to go on from a branch.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Next {
    /// An edge to this block.
    Block(Block),
    /// The next case of the `switch`.
    Case,
}

/// Something that the environment observes or answers.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Event {
    pub(super) inst: Inst,
    pub(super) said: Said,
    pub(super) args: Vec<Term>,
    /// The type of the result.
    pub(super) ty: Option<Ty>,
}

/// Why a run stopped.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Stop {
    /// A condition that is not decided; `opposite` if the first way is taken where it is false.
    Branch { condition: Term, opposite: bool, ways: [Next; 2] },
    /// The header of a cycle.
    Header,
    /// An event.
    Event(Box<Event>),
    /// The function returns.
    Return(Option<Term>),
    /// Undefined behavior.
    Unreachable,
}

/// One run.
pub(super) struct Run<'a, 'm> {
    pub(super) context: &'a mut Context,
    pub(super) view: &'a View<'m>,
    pub(super) is_target: bool,
    pub(super) facts: &'a BTreeSet<Fact>,
    pub(super) headers: &'a FxHashSet<Block>,
    pub(super) at: SideState,
    /// Facts, with the instruction that notes them.
    pub(super) noted: Vec<(Fact, Inst)>,
    /// Operations of the target that choose: of this run, or for the source those of the target's run.
    pub(super) chosen: Vec<Term>,
    /// Earlier ones whose results are in use.
    pub(super) in_use: &'a FxHashSet<Term>,
    /// How often the source has executed an operation.
    pub(super) repeated: FxHashMap<Term, usize>,
    /// The blocks that the run entered.
    pub(super) blocks: Vec<Block>,
}

impl Run<'_, '_> {
    fn note(&mut self, fact: Fact, inst: Inst) {
        self.noted.push((fact, inst));
    }
    /// A value.
    pub(super) fn value(&mut self, value: Value) -> Result<Term, Why> {
        match value {
            Value::Inst(inst) => {
                self.at.values.get(&inst).copied().ok_or_else(|| "a value of an unreachable block".to_owned())
            }
            Value::Arg(arg) => {
                let ty = self.view.ty(&mut self.context.terms, self.view.body.ty(value));
                Ok(self.context.terms.arg(arg.index() as u32, ty, Nature::ANY))
            }
            Value::Const(c) => self.constant(self.view.body.consts(), c),
        }
    }
    fn constant(&mut self, pool: &ConstPool, c: Const) -> Result<Term, Why> {
        let constant = pool.get(c).clone();
        let ty = self.view.ty(&mut self.context.terms, constant.ty);
        let terms = &mut self.context.terms;
        Ok(match constant.data {
            ConstData::Int(value) => terms.int(value),
            ConstData::Undef => terms.raw(Op::Undef, [], ty),
            ConstData::Poison => terms.raw(Op::Poison, [], ty),
            ConstData::Global(global) => {
                let name = self.view.env.name_of(global);
                if let GlobalRef::Alias(_) = global {
                    return Err(format!("the alias @{name}"));
                }
                terms.raw(Op::Global(name.into()), [], ty)
            }
            ConstData::Float(bits) => terms.raw(Op::Constant(format!("{bits:#x}").into()), [], ty),
            ConstData::Zero => terms.raw(Op::Constant("zero".into()), [], ty),
            ConstData::Bytes(bytes) => terms.raw(Op::Constant(format!("{bytes:?}").into()), [], ty),
            ConstData::Aggregate(elements) => {
                let all: Result<Operands, Why> = elements.iter().map(|e| self.constant(pool, *e)).collect();
                self.context.terms.raw(Op::Constant("aggregate".into()), all?, ty)
            }
            ConstData::Splat(element) => {
                let element = self.constant(pool, element)?;
                self.context.terms.raw(Op::Constant("splat".into()), [element], ty)
            }
            ConstData::Expr(expr) => {
                let all: Result<Operands, Why> =
                    expr.operands.iter().map(|e| self.constant(pool, *e)).collect();
                let all = all?;
                match expr.op {
                    ConstOp::Gep { source, flags, inrange: None } => self.gep(source, flags, all, ty)?,
                    ConstOp::Gep { .. } => return Err("`inrange`".to_owned()),
                    ConstOp::Cast(op) => {
                        let kind = InstKind::Cast(op, CastFlags::default());
                        self.context.terms.compute(kind, all, ty)
                    }
                    ConstOp::Binary(op, flags) if !op.is_division() => {
                        self.context.terms.compute(InstKind::Binary(op, flags), all, ty)
                    }
                    ConstOp::Binary(..) => return Err("a division in a constant".to_owned()),
                }
            }
            ConstData::BlockAddress(_) => return Err("the address of a block".to_owned()),
            ConstData::Metadata(_) => return Err("a metadata operand".to_owned()),
        })
    }
    fn gep(
        &mut self,
        source: Type,
        flags: backedge_ir::inst::GepFlags,
        operands: Operands,
        ty: Ty,
    ) -> Result<Term, Why> {
        let env = self.view.env;
        let size = |ty: Type| {
            env.layout
                .alloc_bytes(&env.types, ty)
                .ok_or_else(|| "an address over a type without a size".to_owned())
        };
        let mut steps: Vec<Step> = Vec::with_capacity(operands.len());
        let mut kept = Operands::from_slice(&operands[..1]);
        let mut at = source;
        for (i, &index) in operands[1..].iter().enumerate() {
            if i == 0 {
                steps.push(Step::Times(size(at)?));
            } else if let Some(layout) = env.layout.struct_layout(&env.types, at) {
                let field = self.context.terms.as_int(index).and_then(Int::to_u64);
                let field = field.ok_or_else(|| "the index of a field that is not constant".to_owned())?;
                let offset =
                    layout.offsets.get(field as usize).ok_or("the index of a field that is not there")?;
                at = env.types.member(at, field).ok_or("the index of a field that is not there")?;
                steps.push(Step::Bytes(*offset as i64));
                continue;
            } else {
                at = match env.types.compound(at) {
                    Some(Compound::Array { elem, .. } | Compound::Vector { elem, scalable: false, .. }) => {
                        *elem
                    }
                    _ => return Err("an address into a type without elements".to_owned()),
                };
                steps.push(Step::Times(size(at)?));
            }
            kept.push(index);
        }
        Ok(self.context.terms.build(Op::Gep { flags, steps: steps.into() }, kept, ty))
    }

    /// Runs to the next stop.
    pub(super) fn run(&mut self) -> Result<Stop, Why> {
        let mut steps = 0;
        loop {
            let Place { block, at, .. } = self.at.place;
            let inst = self.view.body.insts(block)[at];
            steps += 1;
            self.context.executed += 1;
            if steps > LONG_RUN || self.context.executed > LONG_PROOF {
                return Err("too many instructions".to_owned());
            }
            let data = self.view.body.inst(inst);
            if data.kind.is_terminator() {
                if let Some(stop) = self.terminator(inst, data)? {
                    return Ok(stop);
                }
                continue;
            }
            if let Some(event) = self.instruction(inst, data)? {
                return Ok(Stop::Event(Box::new(event)));
            }
            self.at.place.at += 1;
        }
    }

    fn terminator(&mut self, inst: Inst, data: &InstData) -> Result<Option<Stop>, Why> {
        match &data.kind {
            InstKind::Ret => {
                let value = data.operands.first().map(|value| self.value(*value)).transpose()?;
                Ok(Some(Stop::Return(value)))
            }
            InstKind::Unreachable => Ok(Some(Stop::Unreachable)),
            InstKind::Br => self.go_on(data.blocks[0]),
            InstKind::CondBr => {
                let value = self.value(data.operands[0])?;
                let value = self.condition(value, inst);
                let (condition, opposite) = self.context.terms.decision(value);
                let ways = [Next::Block(data.blocks[0]), Next::Block(data.blocks[1])];
                self.decide(condition, opposite, ways)
            }
            InstKind::Switch => {
                let value = self.value(data.operands[0])?;
                let case = self.at.place.case;
                if case == 0 {
                    self.note(Fact::Defined(value), inst);
                }
                if case + 1 == data.operands.len() {
                    return self.go_on(data.blocks[0]);
                }
                let label = self.value(data.operands[case + 1])?;
                let ty = self.context.terms.int_ty(1);
                let kind = InstKind::ICmp { pred: IntPredicate::Eq, samesign: false };
                let equal = self.context.terms.compute(kind, smallvec![value, label], ty);
                let (condition, opposite) = self.context.terms.decision(equal);
                self.decide(condition, opposite, [Next::Block(data.blocks[case + 1]), Next::Case])
            }
            kind => Err(format!("`{}`", kind.mnemonic())),
        }
    }
    /// The condition of a branch, which must be neither undef nor poison.
    fn condition(&mut self, value: Term, inst: Inst) -> Term {
        let mut value = value;
        if !self.is_target {
            let ty = self.context.terms.get(value).ty;
            let frozen = self.context.terms.compute(InstKind::Freeze, smallvec![value], ty);
            let key = (Op::Inst(InstKind::Freeze), smallvec![value]);
            // The target branches on the frozen value; a branch on the value itself makes both equal.
            if frozen != value && self.context.of_target.contains_key(&key) {
                self.note(Fact::Defined(value), inst);
                value = frozen;
            }
        }
        let has_flag =
            matches!(self.context.terms.op(value), Op::Inst(InstKind::ICmp { samesign: true, .. }));
        let (decision, _) = self.context.terms.decision(value);
        if !self.is_target || has_flag {
            self.note(Fact::Defined(value), inst);
        }
        if !self.is_target || !has_flag {
            self.note(Fact::Defined(decision), inst);
        }
        value
    }
    fn decide(&mut self, condition: Term, opposite: bool, ways: [Next; 2]) -> Result<Option<Stop>, Why> {
        match decide(&mut self.context.terms, self.facts, condition) {
            None => Ok(Some(Stop::Branch { condition, opposite, ways })),
            Some(value) => match ways[usize::from(value == opposite)] {
                Next::Block(block) => self.go_on(block),
                Next::Case => {
                    self.at.place.case += 1;
                    Ok(None)
                }
            },
        }
    }
    fn go_on(&mut self, to: Block) -> Result<Option<Stop>, Why> {
        self.enter(to)?;
        Ok(self.headers.contains(&to).then_some(Stop::Header))
    }
    /// Takes a way from a branch.
    pub(super) fn take(&mut self, next: Next) -> Result<(), Why> {
        match next {
            Next::Block(block) => self.enter(block),
            Next::Case => {
                self.at.place.case += 1;
                Ok(())
            }
        }
    }
    fn enter(&mut self, to: Block) -> Result<(), Why> {
        let from = self.at.place.block;
        let body = self.view.body;
        let phis: Vec<Inst> = body.phis(to).collect();
        let mut new = Vec::with_capacity(phis.len());
        for phi in &phis {
            let incoming = body.incoming_from(*phi, from).ok_or("a phi without a value for an edge")?;
            if let InstKind::Phi(fast) = body.inst(*phi).kind
                && !fast.is_empty()
                && self.is_target
            {
                return Err("fast-math flags of a phi".to_owned());
            }
            new.push(self.value(incoming)?);
        }
        for (phi, value) in phis.iter().zip(new) {
            self.at.values.insert(*phi, value);
        }
        self.at.place = Place { block: to, at: phis.len(), case: 0 };
        self.blocks.push(to);
        Ok(())
    }

    fn instruction(&mut self, inst: Inst, data: &InstData) -> Result<Option<Event>, Why> {
        let result = match &data.kind {
            InstKind::Phi(_) | InstKind::DebugRecord(_) => return Ok(None),
            InstKind::Alloca(_) => {
                let number = self.context.numbers[usize::from(self.is_target)][&inst];
                let ty = self.view.ty(&mut self.context.terms, data.ty);
                self.context.terms.raw(Op::Local(number), [], ty)
            }
            InstKind::Load(access) if access.volatile => return self.volatile(inst, data, access).map(Some),
            InstKind::Store(access) if access.volatile => return self.volatile(inst, data, access).map(Some),
            InstKind::Load(access) => self.load(inst, data, access)?,
            InstKind::Store(access) => {
                self.store(inst, data, access)?;
                return Ok(None);
            }
            InstKind::Gep { source, flags } => {
                let operands: Result<Operands, Why> = data.operands.iter().map(|o| self.value(*o)).collect();
                let ty = self.view.ty(&mut self.context.terms, data.ty);
                let term = self.gep(*source, *flags, operands?, ty)?;
                self.finished(term)
            }
            InstKind::Call(_) => return self.call(inst, data),
            kind if kind.is_pure() => self.pure(inst, data)?,
            kind => return Err(format!("`{}`", kind.mnemonic())),
        };
        self.at.values.insert(inst, result);
        Ok(None)
    }

    /// An instruction that only computes.
    fn pure(&mut self, inst: Inst, data: &InstData) -> Result<Term, Why> {
        let operands: Result<Operands, Why> = data.operands.iter().map(|o| self.value(*o)).collect();
        let operands = operands?;
        let ty = self.view.ty(&mut self.context.terms, data.ty);
        let kind = match &data.kind {
            InstKind::FloatBinary(op, fast) => InstKind::FloatBinary(*op, data.evaluated(*fast)),
            InstKind::FNeg(fast) => InstKind::FNeg(data.evaluated(*fast)),
            InstKind::FCmp(pred, fast) => InstKind::FCmp(*pred, data.evaluated(*fast)),
            InstKind::Select(fast) => InstKind::Select(data.evaluated(*fast)),
            InstKind::Cast(op, cast) => {
                InstKind::Cast(*op, CastFlags { fast: data.evaluated(cast.fast), ..*cast })
            }
            kind => kind.clone(),
        };
        if let InstKind::Binary(op, _) = &kind
            && op.is_division()
        {
            self.division(inst, *op, &kind, &operands, ty);
        }
        let term = self.context.terms.compute(kind, operands, ty);
        Ok(self.finished(term))
    }
    fn division(&mut self, inst: Inst, op: BinaryOp, kind: &InstKind, operands: &Operands, ty: Ty) {
        let is_signed = matches!(op, BinaryOp::SDiv | BinaryOp::SRem);
        let divisor = self.context.terms.as_int(operands[1]);
        let is_safe = divisor.is_some_and(|d| d.bits() != 0 && !(is_signed && d == Int::all_ones(d.width())));
        if is_safe {
            return;
        }
        let may_hide = is_signed && self.context.terms.contains_any(operands[0], &self.context.terms.hides);
        if self.is_target || !may_hide {
            let key = self.context.terms.raw(Op::Inst(flags::bare(kind)), operands.iter().copied(), ty);
            self.note(Fact::Ran(key), inst);
        }
    }
    /// Registers the target's result, or lowers the source's.
    fn finished(&mut self, term: Term) -> Term {
        if self.is_target {
            self.register(term);
            return if self.chooses(term) { self.next_choice(term) } else { term };
        }
        let lowered = self.context.terms.lowered(term, &self.context.of_target);
        if lowered != term {
            self.context.terms.hides.insert(lowered);
        }
        self.choice_of_target(lowered)
    }
    /// The target's execution of an operation that chooses.
    fn next_choice(&mut self, term: Term) -> Term {
        for execution in 0.. {
            let nth = self.context.terms.nth(term, execution);
            if !self.in_use.contains(&nth) && !self.chosen.contains(&nth) {
                self.chosen.push(nth);
                return nth;
            }
        }
        unreachable!("finitely many executions are in use")
    }
    /// The execution of the target whose result the source chooses.
    fn choice_of_target(&mut self, term: Term) -> Term {
        let terms = &self.context.terms;
        let is_same = |other: &Term| {
            let (a, b) = (terms.get(*other), terms.get(term));
            a.op == b.op && a.operands == b.operands
        };
        let in_step: Vec<Term> = self.chosen.iter().copied().filter(is_same).collect();
        if let Some(last) = in_step.last() {
            let count = self.repeated.entry(term).or_default();
            *count += 1;
            return in_step.get(*count - 1).copied().unwrap_or(*last);
        }
        let earlier = self.in_use.iter().copied().filter(is_same);
        earlier.max_by_key(|other| terms.get(*other).execution).unwrap_or(term)
    }
    fn register(&mut self, term: Term) {
        if let Some(key) = self.context.terms.without_flags(term) {
            self.register_as(key, term);
        }
    }
    fn register_as(&mut self, key: (Op, Operands), term: Term) {
        let known = self.context.of_target.entry(key).or_default();
        if !known.contains(&term) {
            known.push(term);
        }
    }
    /// Whether the result may differ between two executions.
    fn chooses(&self, term: Term) -> bool {
        let terms = &self.context.terms;
        let node = terms.get(term);
        let has_undef = || node.operands.iter().any(|o| super::state::nature_in(terms, self.facts, *o).undef);
        match &node.op {
            Op::Inst(kind) => flags::chooses(kind) || !flags::only_moves(kind) && has_undef(),
            Op::Gep { .. } => has_undef(),
            Op::Math { chooses, .. } => *chooses || has_undef(),
            Op::Call(_) => true,
            _ => false,
        }
    }

    /// An access. It is undefined if the pointer that the address starts from is undef or poison.
    fn access(&mut self, pointer: Term, (size, align, writes): (u64, u64, bool), inst: Inst) {
        self.note(Fact::Access { pointer, size, align, writes }, inst);
        if !self.is_target {
            let root = self.context.terms.address(pointer).root;
            self.note(Fact::Defined(root), inst);
            self.note(Fact::Defined(pointer), inst);
        }
    }
    /// The alloca with its own memory that a pointer leads to.
    fn own_object(&mut self, pointer: Term) -> Option<u32> {
        let root = self.context.terms.address(pointer).root;
        match self.context.terms.op(root) {
            Op::Local(number) if !self.context.escaped.contains(number) => Some(*number),
            _ => None,
        }
    }
    fn memory_of(&mut self, pointer: Term) -> Term {
        let object = self.own_object(pointer);
        object.map_or(self.at.memory, |number| self.at.objects[&number].memory)
    }
    fn set_memory_of(&mut self, pointer: Term, memory: Term) {
        match self.own_object(pointer) {
            Some(number) => {
                let object = self.at.objects.get_mut(&number).expect("each own alloca has a memory");
                object.memory = memory;
            }
            None => self.at.memory = memory,
        }
    }
    /// Whether the pointer leads to an alloca outside its lifetime.
    fn is_dead(&mut self, pointer: Term) -> bool {
        self.own_object(pointer).is_some_and(|number| !self.at.objects[&number].alive)
    }

    fn load(&mut self, inst: Inst, data: &InstData, access: &MemAccess) -> Result<Term, Why> {
        if access.ordering.is_some() {
            return Err("an atomic access".to_owned());
        }
        if backedge_ir::meaning::metadata::may_skip_bytes(self.view.env, self.view.body, inst) {
            return Err("`!tbaa.struct` that leaves out bytes of the access".to_owned());
        }
        let pointer = self.value(data.operands[0])?;
        let (size, align) = (self.view.store_bytes(data.ty)?, self.view.align(access.align, data.ty));
        let ty = self.view.ty(&mut self.context.terms, data.ty);
        self.context.terms.sizes.insert(ty, size);
        if self.is_dead(pointer) {
            return Err("a load from an alloca outside its lifetime".to_owned());
        }
        self.access(pointer, (size, align, false), inst);
        let memory = self.memory_of(pointer);
        let read = self.context.terms.read(memory, pointer, size, ty);
        let (statements, is_defined) = self.view.statements(data);
        let term = self.stated(read, statements, ty);
        if is_defined {
            self.note(Fact::Defined(term), inst);
        }
        Ok(term)
    }
    /// A value that is poison where it violates a statement.
    fn stated(&mut self, value: Term, statements: Vec<Box<str>>, ty: Ty) -> Term {
        let key = || (Op::Stated(std::rc::Rc::from([])), smallvec![value]);
        if self.is_target {
            if statements.is_empty() {
                self.register_as(key(), value);
                return value;
            }
            let term = self.context.terms.raw(Op::Stated(statements.into()), [value], ty);
            self.register_as(key(), term);
            return term;
        }
        if statements.is_empty() {
            return value;
        }
        let term = self.context.terms.raw(Op::Stated(statements.into()), [value], ty);
        self.finished(term)
    }
    fn store(&mut self, inst: Inst, data: &InstData, access: &MemAccess) -> Result<(), Why> {
        if access.ordering.is_some() {
            return Err("an atomic access".to_owned());
        }
        if backedge_ir::meaning::metadata::may_skip_bytes(self.view.env, self.view.body, inst) {
            return Err("`!tbaa.struct` that leaves out bytes of the access".to_owned());
        }
        let (value, pointer) = (self.value(data.operands[0])?, self.value(data.operands[1])?);
        let of = self.view.body.ty(data.operands[0]);
        let (size, align) = (self.view.store_bytes(of)?, self.view.align(access.align, of));
        let ty = self.context.terms.get(value).ty;
        self.context.terms.sizes.insert(ty, size);
        if self.is_dead(pointer) {
            return Err("a store to an alloca outside its lifetime".to_owned());
        }
        self.access(pointer, (size, align, true), inst);
        let memory = self.memory_of(pointer);
        // A store of what the memory holds. Without it, the memory is more defined: a load spreads poison to all bits.
        let is_idle = !self.is_target
            && matches!(self.context.terms.op(value), Op::Load { .. })
            && self.context.terms.read(memory, pointer, size, ty) == value;
        if !is_idle {
            let memory = self.context.terms.store(memory, value, pointer, size);
            self.set_memory_of(pointer, memory);
        }
        Ok(())
    }
    fn volatile(&mut self, inst: Inst, data: &InstData, access: &MemAccess) -> Result<Event, Why> {
        if access.ordering.is_some() {
            return Err("an atomic access".to_owned());
        }
        let args: Result<Vec<Term>, Why> = data.operands.iter().map(|o| self.value(*o)).collect();
        let is_load = matches!(data.kind, InstKind::Load(_));
        let of = if is_load { data.ty } else { self.view.body.ty(data.operands[0]) };
        let (statements, is_defined) = self.view.statements(data);
        let signature = format!(
            "volatile {} {} {} {statements:?} {is_defined}",
            data.kind.mnemonic(),
            self.view.shape(of),
            self.view.align(access.align, of)
        );
        let ty = is_load.then(|| self.view.ty(&mut self.context.terms, data.ty));
        Ok(Event { inst, said: Said::event(&signature, is_defined), args: args?, ty })
    }

    fn call(&mut self, inst: Inst, data: &InstData) -> Result<Option<Event>, Why> {
        let view = data.call().ok_or("a call without a callee")?;
        if let Some(which) = self.view.intrinsic(data) {
            return self.intrinsic(inst, data, which, view);
        }
        let func = self.view.callee(data);
        if func.is_some_and(|func| self.view.env.funcs[func].name.starts_with("llvm.")) {
            return Err("an intrinsic that is not modelled".to_owned());
        }
        let said = self.view.said(data, view)?;
        let mut args: Vec<Term> =
            view.args().iter().map(|arg| self.value(*arg)).collect::<Result<_, Why>>()?;
        if func.is_none() {
            let callee = self.value(view.callee())?;
            args.push(callee);
        }
        let ty = (data.ty != Type::VOID).then(|| self.view.ty(&mut self.context.terms, data.ty));
        if !said.returns || said.memory.any().writes {
            return Ok(Some(Event { inst, said, args, ty }));
        }
        let signature = format!("{} {:?}", said.signature, said.promises);
        let memory = said.memory.any().reads.then_some(self.at.memory);
        let operands: Operands = args.iter().copied().chain(memory).collect();
        let unit = self.context.terms.memory_ty();
        let term = self.context.terms.raw(Op::Call(signature.into()), operands, ty.unwrap_or(unit));
        if !said.speculatable || !said.value_statements().is_empty() {
            self.note(Fact::Ran(term), inst);
        }
        if said.result_is_defined {
            self.note(Fact::Defined(term), inst);
        }
        let result = match said.returned {
            Some(index) => args[index],
            None => self.finished(term),
        };
        if ty.is_none() {
            return Ok(None);
        }
        self.at.values.insert(inst, result);
        Ok(None)
    }

    fn intrinsic(
        &mut self,
        inst: Inst,
        data: &InstData,
        which: Intrinsic,
        view: CallView<'_>,
    ) -> Result<Option<Event>, Why> {
        use Intrinsic as I;
        if which != I::Assume && !view.info.bundles.is_empty() {
            return Err("an operand bundle".to_owned());
        }
        let constraints = self.view.constraints(data, view);
        let is_open = |text: &String| match which {
            // A fill or copy has them in its signature, and computations have them in their names.
            I::Memcpy | I::Memmove | I::Memset => false,
            // An assumption of undef is undefined anyway.
            I::Assume => text != "0 noundef",
            // A marker is about an alloca.
            I::LifetimeStart | I::LifetimeEnd => !text.ends_with(" nonnull") && !text.ends_with(" noundef"),
            _ => !computes(which) && !is_float_function(which),
        };
        if self.is_target && constraints.iter().any(is_open) {
            return Err("attributes of values at a call of an intrinsic".to_owned());
        }
        match which {
            I::DoNothing | I::NoAliasScopeDecl | I::Prefetch | I::PseudoProbe => Ok(None),
            _ if which.is_debug() => Ok(None),
            I::Assume => self.assume(inst, view).map(|()| None),
            I::LifetimeStart | I::LifetimeEnd => self.lifetime(inst, which, view),
            I::Memcpy | I::Memmove | I::Memset => self.bulk(inst, (which, &constraints), view).map(|()| None),
            I::Expect | I::ExpectWithProbability => {
                let value = self.value(view.args()[0])?;
                self.at.values.insert(inst, value);
                Ok(None)
            }
            I::Trap | I::UbsanTrap => {
                let args: Result<Vec<Term>, Why> = view.args().iter().map(|arg| self.value(*arg)).collect();
                Ok(Some(Event { inst, said: Said::event(which.name(), false), args: args?, ty: None }))
            }
            _ if computes(which) || is_float_function(which) => {
                let term = self.math(inst, data, which, view)?;
                self.at.values.insert(inst, term);
                Ok(None)
            }
            _ => Err(format!("the intrinsic `llvm.{}`", which.name())),
        }
    }
    fn math(
        &mut self,
        inst: Inst,
        data: &InstData,
        which: Intrinsic,
        view: CallView<'_>,
    ) -> Result<Term, Why> {
        let said = self.view.said(data, view)?;
        if said.returned.is_some() {
            return Err("`returned` at an intrinsic".to_owned());
        }
        let operands: Result<Operands, Why> = view.args().iter().map(|arg| self.value(*arg)).collect();
        let ty = self.view.ty(&mut self.context.terms, data.ty);
        let fast = data.evaluated(view.info.fast);
        let statements = said.value_statements();
        let name = format!("{} {statements:?}", self.view.shape(view.info.fn_ty));
        let op = Op::Math {
            which,
            name: name.into(),
            fast,
            chooses: is_float_function(which) || !fast.is_empty(),
        };
        let term = self.context.terms.raw(op, operands?, ty);
        if !statements.is_empty() {
            self.note(Fact::Ran(term), inst);
        }
        if said.result_is_defined {
            self.note(Fact::Defined(term), inst);
        }
        Ok(self.finished(term))
    }
    fn assume(&mut self, inst: Inst, view: CallView<'_>) -> Result<(), Why> {
        let condition = self.value(view.args()[0])?;
        let (decision, opposite) = self.context.terms.decision(condition);
        self.note(Fact::Defined(condition), inst);
        self.note(Fact::Truth(decision, !opposite), inst);
        let unit = self.context.terms.int_ty(1);
        for (bundle, operands) in view.bundles() {
            let operands: Result<Operands, Why> = operands.iter().map(|o| self.value(*o)).collect();
            let op = Op::Call(format!("assume {}", bundle.tag).into());
            let key = self.context.terms.raw(op, operands?, unit);
            self.note(Fact::Ran(key), inst);
        }
        Ok(())
    }
    fn lifetime(&mut self, inst: Inst, which: Intrinsic, view: CallView<'_>) -> Result<Option<Event>, Why> {
        let pointer = *view.args().last().ok_or("a lifetime without a pointer")?;
        let pointer = self.value(pointer)?;
        let is_start = which == Intrinsic::LifetimeStart;
        if let Some(number) = self.own_object(pointer) {
            if !matches!(self.context.terms.op(pointer), Op::Local(_)) {
                return Err("a lifetime of a part of an alloca".to_owned());
            }
            let memory_ty = self.context.terms.memory_ty();
            let memory = self.context.terms.raw(Op::Uninit(number), [], memory_ty);
            self.at.objects.insert(number, Object { memory, alive: is_start });
            return Ok(None);
        }
        Ok(Some(Event { inst, said: Said::event(which.name(), false), args: vec![pointer], ty: None }))
    }
    fn bulk(
        &mut self,
        inst: Inst,
        (which, constraints): (Intrinsic, &[String]),
        view: CallView<'_>,
    ) -> Result<(), Why> {
        let args: Vec<Term> = view.args().iter().map(|arg| self.value(*arg)).collect::<Result<_, Why>>()?;
        if backedge_ir::meaning::metadata::may_skip_bytes(self.view.env, self.view.body, inst) {
            return Err("`!tbaa.struct` that leaves out bytes of the copy".to_owned());
        }
        let is_fill = which == Intrinsic::Memset;
        if self.context.terms.as_int(args[3]).is_none_or(|volatile| volatile.bits() != 0) {
            return Err(format!("a volatile `llvm.{}`", which.name()));
        }
        let (to, from, length) = (args[0], args[1], args[2]);
        let none = AttrList::default();
        let align = |i: usize| {
            let list = view.info.arg_attrs.get(i).unwrap_or(&none);
            let aligns = self.view.env.attrs(list).filter_map(|attr| match attr {
                Attr::Int(IntAttr::Align, align) => Some(*align),
                _ => None,
            });
            aligns.max().unwrap_or(1)
        };
        let (to_align, from_align) = (align(0), if is_fill { 1 } else { align(1) });
        if self.is_dead(to) || !is_fill && self.is_dead(from) {
            return Err("a fill or copy outside a lifetime".to_owned());
        }
        let memory_ty = self.context.terms.memory_ty();
        let signature = format!("{} {constraints:?}", which.name());
        let operands: Operands = if is_fill { smallvec![to, length] } else { smallvec![to, length, from] };
        let key = self.context.terms.raw(Op::Call(signature.into()), operands, memory_ty);
        self.note(Fact::Ran(key), inst);
        if let Some(size) = self.context.terms.as_int(length).and_then(Int::to_u64)
            && !self.is_target
        {
            self.note(Fact::Access { pointer: to, size, align: to_align, writes: true }, inst);
            if !is_fill {
                self.note(Fact::Access { pointer: from, size, align: from_align, writes: false }, inst);
            }
        }
        let before = self.memory_of(to);
        let (name, operands): (_, Operands) = if is_fill {
            ("fill", smallvec![before, to, length, from])
        } else {
            ("copy", smallvec![before, to, length, from, self.memory_of(from)])
        };
        let memory = self.context.terms.raw(Op::Bulk(name.into()), operands, memory_ty);
        self.set_memory_of(to, memory);
        Ok(())
    }
}

/// Intrinsics of integers whose result follows from their operands, and whose only other result is poison.
fn computes(which: Intrinsic) -> bool {
    use Intrinsic as I;
    matches!(
        which,
        I::Abs
            | I::UMin
            | I::UMax
            | I::SMin
            | I::SMax
            | I::UCmp
            | I::SCmp
            | I::UAddWithOverflow
            | I::SAddWithOverflow
            | I::USubWithOverflow
            | I::SSubWithOverflow
            | I::UMulWithOverflow
            | I::SMulWithOverflow
            | I::UAddSat
            | I::SAddSat
            | I::USubSat
            | I::SSubSat
            | I::UShlSat
            | I::SShlSat
            | I::Ctpop
            | I::Ctlz
            | I::Cttz
            | I::BSwap
            | I::BitReverse
            | I::FShl
            | I::FShr
            | I::FAbs
            | I::CopySign
            | I::IsFpClass
            | I::FpToSiSat
            | I::FpToUiSat
            | I::VectorReduceAdd
            | I::VectorReduceMul
            | I::VectorReduceAnd
            | I::VectorReduceOr
            | I::VectorReduceXor
            | I::VectorReduceUMin
            | I::VectorReduceUMax
            | I::VectorReduceSMin
            | I::VectorReduceSMax
    )
}
