//! Memories: which accesses are disjoint, what a load reads, and the order of stores.
//!
//! A memory is a chain of stores on top of the memory at the entry, after an event, or of an alloca. Disjoint stores
//! are kept in one order, and a store drops what it overwrites, so memories with equal contents are often equal terms.
//!
//! Requires: the accesses of the run are defined. Then accesses with pointers to different objects are disjoint, an
//! address that a wrapping index would give is never used, and no access starts from an undef pointer: some choice of it
//! would be out of bounds.

use super::term::{Address, Op, Operands, Step, Term, Terms, Ty};
use backedge_ir::inst::{CastFlags, InstKind};
use backedge_ir::int::Int;
use backedge_ir::opcode::{BinaryOp, CastOp};

/// Maximum number of stores that a load or a store looks through.
const MANY_STORES: usize = 200;

impl Terms {
    /// The address of a pointer. Only for pointers that an access uses: the flags of the computation then hold.
    pub(super) fn address(&mut self, pointer: Term) -> Address {
        if !matches!(self.op(pointer), Op::Gep { .. }) {
            return Address { root: pointer, indices: Vec::new(), offset: 0 };
        }
        if let Some(known) = self.addresses.get(&pointer) {
            return known.clone();
        }
        let found = self.new_address(pointer);
        self.addresses.insert(pointer, found.clone());
        found
    }
    fn new_address(&mut self, pointer: Term) -> Address {
        let mut found = Address { root: pointer, indices: Vec::new(), offset: 0 };
        loop {
            let node = self.get(found.root).clone();
            let Op::Gep { steps, .. } = &node.op else { break };
            let mut indices = node.operands[1..].iter();
            for step in steps {
                match step {
                    Step::Bytes(bytes) => found.offset = found.offset.wrapping_add(*bytes),
                    Step::Times(scale) => {
                        let index = *indices.next().expect("an operand for each step");
                        let scale = *scale as i64;
                        let (base, more) = self.wide_index(index);
                        found.offset = found.offset.wrapping_add(more.wrapping_mul(scale));
                        if let Some(base) = base {
                            found.indices.push((base, scale));
                        }
                    }
                }
            }
            found.root = node.operands[0];
        }
        found.indices.sort_unstable();
        let mut sums: Vec<(Term, i64)> = Vec::with_capacity(found.indices.len());
        for (index, scale) in found.indices {
            match sums.last_mut() {
                Some((last, sum)) if *last == index => *sum = sum.wrapping_add(scale),
                _ => sums.push((index, scale)),
            }
        }
        sums.retain(|(_, scale)| *scale != 0);
        Address { indices: sums, ..found }
    }
    /// An index as a term of 64 bits plus a constant; no term for a constant index.
    fn wide_index(&mut self, index: Term) -> (Option<Term>, i64) {
        if let Some(value) = self.as_int(index) {
            return (None, value.signed() as i64);
        }
        if self.bits(self.get(index).ty).is_none_or(|bits| bits > 64) {
            return (Some(index), 0);
        }
        let node = self.get(index).clone();
        let wide = self.int_ty(64);
        match &node.op {
            Op::Inst(InstKind::Binary(BinaryOp::Add, flags)) => {
                let fits = node.ty == wide || flags.nsw;
                let Some(c) = self.as_int(node.operands[1]).filter(|_| fits) else {
                    return self.extended(index);
                };
                let (base, more) = self.wide_index(node.operands[0]);
                (base, more.wrapping_add(c.signed() as i64))
            }
            Op::Inst(InstKind::Cast(op @ (CastOp::SExt | CastOp::ZExt), _)) if node.ty == wide => {
                let inner = self.get(node.operands[0]).clone();
                let Op::Inst(InstKind::Binary(BinaryOp::Add, flags)) = &inner.op else {
                    return (Some(index), 0);
                };
                let keeps = if *op == CastOp::SExt { flags.nsw } else { flags.nuw };
                let Some(c) = self.as_int(inner.operands[1]).filter(|_| keeps) else {
                    return (Some(index), 0);
                };
                let kind = InstKind::Cast(*op, CastFlags::default());
                let base = self.compute(kind, Operands::from_slice(&inner.operands[..1]), wide);
                let more = if *op == CastOp::SExt { c.signed() as i64 } else { c.bits() as i64 };
                (Some(base), more)
            }
            _ => self.extended(index),
        }
    }
    /// The index as a term of 64 bits.
    fn extended(&mut self, index: Term) -> (Option<Term>, i64) {
        let wide = self.int_ty(64);
        if self.get(index).ty == wide {
            return (Some(index), 0);
        }
        let kind = InstKind::Cast(CastOp::SExt, CastFlags::default());
        (Some(self.compute(kind, Operands::from_slice(&[index]), wide)), 0)
    }

    /// Whether accesses of these numbers of bytes have no byte in common.
    fn are_disjoint(&mut self, (p, p_size): (Term, u64), (q, q_size): (Term, u64)) -> bool {
        let (a, b) = (self.address(p), self.address(q));
        if a.root == b.root {
            // Both distances are modulo 2^64.
            let distance = b.offset.wrapping_sub(a.offset) as u64;
            let may_choose = a.indices.iter().any(|(index, _)| self.nature(*index).undef);
            return a.indices == b.indices
                && !may_choose
                && distance >= p_size
                && distance.wrapping_neg() >= q_size;
        }
        self.are_different_objects(a.root, b.root)
    }
    /// Whether two pointers certainly lead to different objects.
    fn are_different_objects(&self, p: Term, q: Term) -> bool {
        match (self.op(p), self.op(q)) {
            // The caller cannot know an alloca of this call.
            (Op::Local(_), Op::Arg(_) | Op::Global(_)) | (Op::Arg(_) | Op::Global(_), Op::Local(_)) => true,
            (Op::Local(a), Op::Local(b)) => a != b,
            (Op::Global(a), Op::Global(b)) => a != b && self.is_own(a) && self.is_own(b),
            _ => false,
        }
    }

    /// The value that a load of `size` bytes reads from `memory`.
    pub(super) fn read(&mut self, memory: Term, pointer: Term, size: u64, ty: Ty) -> Term {
        let mut at = memory;
        let root = self.address(pointer).root;
        if matches!(self.op(root), Op::Global(name) if self.is_immutable(name)) {
            let memory_ty = self.memory_ty();
            at = self.raw(Op::Entry, [], memory_ty);
        }
        for _ in 0..MANY_STORES {
            if let Some(value) = self.held(at, pointer, ty) {
                return value;
            }
            let node = self.get(at).clone();
            match &node.op {
                Op::Store { size: stored } => {
                    let (value, place) = (node.operands[1], node.operands[2]);
                    if place == pointer && self.get(value).ty == ty {
                        return value;
                    }
                    if !self.are_disjoint((pointer, size), (place, *stored)) {
                        break;
                    }
                }
                Op::Bulk(_) => {
                    let len = self.as_int(node.operands[2]).and_then(Int::to_u64);
                    let apart = match len {
                        Some(len) => self.are_disjoint((pointer, size), (node.operands[1], len)),
                        None => {
                            let other = self.address(node.operands[1]).root;
                            self.are_different_objects(root, other)
                        }
                    };
                    if !apart {
                        break;
                    }
                }
                Op::Uninit(_) => {
                    let op = if self.uninit_is_poison { Op::Poison } else { Op::Undef };
                    return self.raw(op, [], ty);
                }
                _ => break,
            }
            at = node.operands[0];
        }
        self.raw(Op::Load { size }, [at, pointer], ty)
    }

    /// `memory` after a store.
    pub(super) fn store(&mut self, memory: Term, value: Term, pointer: Term, size: u64) -> Term {
        let memory_ty = self.memory_ty();
        let mut above: Vec<Term> = Vec::new();
        let mut at = memory;
        // The new store goes below later ones in the order of pointers.
        let mut place = None;
        for _ in 0..MANY_STORES {
            let node = self.get(at).clone();
            let Op::Store { size: stored } = node.op else { break };
            let other = node.operands[2];
            if other == pointer && stored <= size {
                // Overwritten.
                at = node.operands[0];
                place = Some((at, above.len()));
                break;
            }
            if !self.are_disjoint((pointer, size), (other, stored)) {
                break;
            }
            above.push(at);
            at = node.operands[0];
            if other > pointer {
                place = Some((at, above.len()));
            }
        }
        let (below, count) = place.unwrap_or((memory, 0));
        let mut new = self.raw(Op::Store { size }, [below, value, pointer], memory_ty);
        for store in above[..count].iter().rev() {
            let node = self.get(*store).clone();
            new = self.raw(node.op, [new, node.operands[1], node.operands[2]], memory_ty);
        }
        new
    }
}
