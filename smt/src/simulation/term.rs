//! Values and memories of both functions as one graph of terms.
//!
//! Requires: operands belong to the same [`Terms`].
//!
//! Guarantees: equal terms have equal ids. A term of the target is a value that the target's value refines, and a value
//! of the source refines its term, so equal terms at an observation show refinement. [`super::normal`] has the rules by
//! which terms become equal.
//!
//! Operations that choose (an operand has undef bits, a NaN has a payload) can give two results for equal operands. The
//! executions of the target are therefore different terms as long as both results are in use ([`Terms::nth`]); the
//! source can choose as the target does, so any of these terms describes its execution.

use backedge_ir::inst::{GepFlags, InstKind};
use backedge_ir::int::Int;
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::opcode::FastMath;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::rc::Rc;

/// A term, by its index.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Term(u32);

/// A type, by the index of its text. Types of two modules are equal if they have the same structure.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Ty(u32);

/// One step of an address computation.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Step {
    /// A constant number of bytes.
    Bytes(i64),
    /// The next operand times this number of bytes.
    Times(u64),
}

/// A pointer as a sum modulo 2^64.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Address {
    /// The pointer that the computation starts from.
    pub(super) root: Term,
    /// Indices of 64 bits with their scales, in order of terms.
    pub(super) indices: Vec<(Term, i64)>,
    /// The constant part, in bytes.
    pub(super) offset: i64,
}

/// Operands.
pub(super) type Operands = SmallVec<[Term; 3]>;

/// The operation of a term.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Op {
    /// An integer.
    Int(Int),
    /// Another constant, by its text.
    Constant(Rc<str>),
    /// `undef`: chosen anew at each use.
    Undef,
    /// `poison`.
    Poison,
    /// The address of a global.
    Global(Rc<str>),
    /// An argument of the function.
    Arg(u32),
    /// The address of an alloca. Paired allocas of both functions share a number.
    Local(u32),
    /// Any value: a result that the environment chose, or a place where runs differ.
    Symbol(u32),
    /// An instruction that only computes, except `getelementptr`.
    Inst(InstKind),
    /// `getelementptr`: operands `[base, indices…]`.
    Gep { flags: GepFlags, steps: Box<[Step]> },
    /// A load of this many bytes: operands `[memory, pointer]`.
    Load { size: u64 },
    /// The operand, or poison if it violates one of these statements about values.
    Stated(Rc<[Box<str>]>),
    /// An intrinsic that only computes, with its types and with what the call states about values.
    Math { which: Intrinsic, name: Rc<str>, fast: FastMath, chooses: bool },
    /// A call without effects, by its signature: operands `[arguments…]`, then the memory if it reads memory.
    Call(Rc<str>),
    /// The memory at the entry.
    Entry,
    /// The contents of an alloca before the first store.
    Uninit(u32),
    /// A memory after a store: operands `[memory, value, pointer]`.
    Store { size: u64 },
    /// A memory after a fill or a copy, by its signature: operands `[memory, pointer, length, value or (source pointer,
    /// source memory)]`.
    Bulk(Rc<str>),
}

/// A term's definition.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Node {
    pub(super) op: Op,
    pub(super) operands: Operands,
    pub(super) ty: Ty,
    /// Which execution of an operation that chooses.
    pub(super) execution: u32,
}

/// What a term's definition alone says about its value.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Nature {
    /// The value may have undef bits.
    pub(super) undef: bool,
    /// The value may be poison.
    pub(super) poison: bool,
}

impl Nature {
    /// Neither undef nor poison.
    pub(super) const DEFINED: Self = Self { undef: false, poison: false };
    /// Anything.
    pub(super) const ANY: Self = Self { undef: true, poison: true };
    /// The union.
    pub(super) fn or(self, other: Self) -> Self {
        Self { undef: self.undef || other.undef, poison: self.poison || other.poison }
    }
}

/// The graph.
#[derive(Default)]
pub(super) struct Terms {
    nodes: Vec<(Node, Nature)>,
    known: FxHashMap<Node, Term>,
    types: Vec<(Rc<str>, Option<u32>)>,
    type_ids: FxHashMap<Rc<str>, Ty>,
    symbols: u32,
    /// Addresses of pointers.
    pub(super) addresses: FxHashMap<Term, Address>,
    /// What single loads read from memories that are symbols: a fact of the state in which the terms are used.
    pub(super) holds: FxHashMap<(Term, Term, Ty), Term>,
    /// Terms that replaced values of the source that are less defined.
    pub(super) hides: FxHashSet<Term>,
    /// The number of bytes that accesses of a type cover.
    pub(super) sizes: FxHashMap<Ty, u64>,
    /// Symbols of integers that leave this remainder (second) when divided by this power of two (first).
    pub(super) strides: FxHashMap<Term, (u128, u128)>,
    /// The size and alignment of each alloca, in bytes.
    pub(super) locals: FxHashMap<u32, (u64, u64)>,
    /// Whether uninitialized memory is poison instead of undef.
    pub(super) uninit_is_poison: bool,
    /// Global variables that overlap no other global.
    pub(super) own: FxHashSet<Rc<str>>,
    /// Constants that hold their initializers.
    pub(super) immutable: FxHashSet<Rc<str>>,
}

impl Terms {
    /// The type with this text; `bits` is its width if it is an integer type.
    pub(super) fn ty(&mut self, text: &str, bits: Option<u32>) -> Ty {
        if let Some(&id) = self.type_ids.get(text) {
            return id;
        }
        let text: Rc<str> = text.into();
        let id = Ty(u32::try_from(self.types.len()).expect("fewer than 2^32 types"));
        self.types.push((text.clone(), bits));
        self.type_ids.insert(text, id);
        id
    }
    /// The type of memories.
    pub(super) fn memory_ty(&mut self) -> Ty {
        self.ty("memory", None)
    }
    /// The integer type of this width.
    pub(super) fn int_ty(&mut self, bits: u32) -> Ty {
        self.ty(&format!("i{bits}"), Some(bits))
    }
    /// The width of an integer type.
    pub(super) fn bits(&self, ty: Ty) -> Option<u32> {
        self.types[ty.0 as usize].1
    }
    /// The definition of a term.
    pub(super) fn get(&self, term: Term) -> &Node {
        &self.nodes[term.0 as usize].0
    }
    /// The operation of a term.
    pub(super) fn op(&self, term: Term) -> &Op {
        &self.get(term).op
    }
    /// The nature of a term.
    pub(super) fn nature(&self, term: Term) -> Nature {
        self.nodes[term.0 as usize].1
    }
    /// The number of terms.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }
    /// The number of bytes that an access of this type covers.
    pub(super) fn size_of(&self, ty: Ty) -> Option<u64> {
        self.sizes.get(&ty).copied()
    }
    /// The size and alignment of an alloca, in bytes.
    pub(super) fn local(&self, number: u32) -> (u64, u64) {
        self.locals.get(&number).copied().unwrap_or((0, 1))
    }
    /// A power of two and the remainder that the integer, if it is not poison, leaves when divided by it; 1 and 0 if
    /// nothing is known.
    pub(super) fn stride(&self, term: Term) -> (u128, u128) {
        let (base, more) = self.parts(term);
        let known = self.strides.get(&base).copied();
        known.map_or((1, 0), |(modulus, rest)| (modulus, rest.wrapping_add(more.bits()) % modulus))
    }
    /// Whether the remainders of the integer exclude this value.
    pub(super) fn never_equals(&self, term: Term, value: Int) -> bool {
        let (modulus, rest) = self.stride(term);
        value.bits() % modulus != rest
    }
    /// What a load reads by a fact of the state.
    pub(super) fn held(&self, memory: Term, pointer: Term, ty: Ty) -> Option<Term> {
        self.holds.get(&(memory, pointer, ty)).copied()
    }
    /// Whether the global overlaps no other global.
    pub(super) fn is_own(&self, name: &str) -> bool {
        self.own.contains(name)
    }
    /// Whether the global always holds its initializer.
    pub(super) fn is_immutable(&self, name: &str) -> bool {
        self.immutable.contains(name)
    }
    /// The value of an integer constant.
    pub(super) fn as_int(&self, term: Term) -> Option<Int> {
        if let Op::Int(value) = self.op(term) { Some(*value) } else { None }
    }
    /// Whether the term is a constant of any kind.
    pub(super) fn is_constant(&self, term: Term) -> bool {
        matches!(self.op(term), Op::Int(_) | Op::Constant(_) | Op::Undef | Op::Poison | Op::Global(_))
    }
    /// The term with this definition as it is, without rules.
    pub(super) fn raw(&mut self, op: Op, operands: impl IntoIterator<Item = Term>, ty: Ty) -> Term {
        let operands: Operands = operands.into_iter().collect();
        let nature = self.nature_of(&op, &operands);
        self.with_nature(Node { op, operands, ty, execution: 0 }, nature)
    }
    fn with_nature(&mut self, node: Node, nature: Nature) -> Term {
        if let Some(&term) = self.known.get(&node) {
            return term;
        }
        let term = Term(u32::try_from(self.nodes.len()).expect("fewer than 2^32 terms"));
        self.known.insert(node.clone(), term);
        self.nodes.push((node, nature));
        term
    }
    /// Another execution of an operation that chooses.
    pub(super) fn nth(&mut self, term: Term, execution: u32) -> Term {
        let nature = self.nature(term);
        let node = Node { execution, ..self.get(term).clone() };
        self.with_nature(node, nature)
    }
    /// An integer.
    pub(super) fn int(&mut self, value: Int) -> Term {
        let ty = self.int_ty(value.width());
        self.raw(Op::Int(value), [], ty)
    }
    /// A new symbol.
    pub(super) fn symbol(&mut self, ty: Ty, nature: Nature) -> Term {
        self.symbols += 1;
        self.with_nature(
            Node { op: Op::Symbol(self.symbols), operands: Operands::new(), ty, execution: 0 },
            nature,
        )
    }
    /// An argument. Its nature follows from the attributes of the source.
    pub(super) fn arg(&mut self, index: u32, ty: Ty, nature: Nature) -> Term {
        self.with_nature(Node { op: Op::Arg(index), operands: Operands::new(), ty, execution: 0 }, nature)
    }
    /// The nature of a value by its definition.
    fn nature_of(&self, op: &Op, operands: &[Term]) -> Nature {
        let all = || operands.iter().fold(Nature::DEFINED, |n, t| n.or(self.nature(*t)));
        match op {
            Op::Int(_) | Op::Global(_) | Op::Local(_) => Nature::DEFINED,
            Op::Undef => Nature { undef: true, poison: false },
            Op::Poison => Nature { undef: false, poison: true },
            Op::Inst(InstKind::Freeze) => Nature::DEFINED,
            Op::Inst(kind) => Nature { poison: all().poison || super::flags::may_be_poison(kind), ..all() },
            Op::Gep { flags, .. } => {
                Nature { poison: all().poison || *flags != GepFlags::default(), ..all() }
            }
            Op::Stated(_) | Op::Math { .. } => Nature { poison: true, ..all() },
            Op::Constant(_) => all(),
            Op::Arg(_)
            | Op::Symbol(_)
            | Op::Load { .. }
            | Op::Call(_)
            | Op::Entry
            | Op::Uninit(_)
            | Op::Store { .. }
            | Op::Bulk(_) => Nature::ANY,
        }
    }
    /// All terms that `roots` contain.
    pub(super) fn reachable(&self, roots: impl IntoIterator<Item = Term>) -> FxHashSet<Term> {
        let mut found: FxHashSet<Term> = FxHashSet::default();
        let mut work: Vec<Term> = roots.into_iter().collect();
        while let Some(term) = work.pop() {
            if found.insert(term) {
                work.extend(self.get(term).operands.iter().copied());
            }
        }
        found
    }
    /// Whether the term contains a symbol or one of `others`.
    pub(super) fn contains_any(&self, term: Term, others: &FxHashSet<Term>) -> bool {
        self.reachable([term])
            .iter()
            .any(|part| matches!(self.op(*part), Op::Symbol(_)) || others.contains(part))
    }
    /// The term with symbols replaced, rebuilt by the rules. `None` if a symbol is not bound.
    pub(super) fn instance(
        &mut self,
        term: Term,
        bound: &FxHashMap<Term, Term>,
        done: &mut FxHashMap<Term, Term>,
    ) -> Option<Term> {
        let mut work = vec![term];
        while let Some(&at) = work.last() {
            if done.contains_key(&at) {
                work.pop();
                continue;
            }
            if matches!(self.op(at), Op::Symbol(_)) {
                done.insert(at, *bound.get(&at)?);
                continue;
            }
            let missing: Operands =
                self.get(at).operands.iter().copied().filter(|o| !done.contains_key(o)).collect();
            if !missing.is_empty() {
                work.extend(missing);
                continue;
            }
            let node = self.get(at).clone();
            let operands: Operands = node.operands.iter().map(|o| done[o]).collect();
            let new = if operands == node.operands {
                at
            } else {
                let is_same = |op: &Op| std::mem::discriminant(op) == std::mem::discriminant(&node.op);
                let built = self.build(node.op.clone(), operands, node.ty);
                if node.execution != 0 && is_same(self.op(built)) {
                    self.nth(built, node.execution)
                } else {
                    built
                }
            };
            done.insert(at, new);
        }
        done.get(&term).copied()
    }
}
