//! Checks instructions on memory and aggregates: `alloca`, `load`, `store`, atomics, `getelementptr`, `extractvalue`,
//! `insertvalue`.

use super::insts::One;
use super::{AtomicFault, FindingKind, Wanted};
use crate::inst::{AllocaInfo, CmpXchgInfo, MemAccess};
use crate::opcode::{AtomicOrdering, RmwOp};
use crate::types::{Compound, Type};

impl One<'_, '_, '_> {
    pub(super) fn align(&mut self, align: Option<u64>) {
        if let Some(align) = align.filter(|a| !a.is_power_of_two() || *a > 1 << 32) {
            self.report(FindingKind::Alignment { align });
        }
    }
    fn pointer(&mut self, index: usize) {
        let is_ptr = self.ty(index).is_ptr();
        self.operand_class(index, is_ptr, "a pointer");
    }
    fn inner_sized(&mut self, what: &'static str, ty: Type) {
        if !self.types().is_sized(ty) {
            let found = self.types().name(ty);
            self.report(FindingKind::InnerType { what, wanted: Wanted::Class("a type with a size"), found });
        }
    }

    pub(super) fn alloca(&mut self, info: &AllocaInfo) {
        self.align(info.align);
        self.inner_sized("the element type", info.ty);
        if !self.data.ty.is_ptr() {
            self.bad_result(Wanted::Class("a pointer"));
        }
        if self.data.operands.is_empty() {
            self.blocks(0);
        } else if self.counts(1, 0) {
            let is_int = self.ty(0).is_int();
            self.operand_class(0, is_int, "an integer");
        }
    }

    pub(super) fn load(&mut self, access: &MemAccess) {
        self.align(access.align);
        let ty = self.data.ty;
        if !self.types().is_first_class(ty) || !self.types().is_sized(ty) {
            self.bad_result(Wanted::Class("a type with a size"));
        }
        if self.counts(1, 0) {
            self.pointer(0);
        }
        if matches!(access.ordering, Some(AtomicOrdering::Release | AtomicOrdering::AcqRel)) {
            self.report(FindingKind::Atomic(AtomicFault::LoadReleases));
        }
        self.atomic(access, ty);
    }

    pub(super) fn store(&mut self, access: &MemAccess) {
        self.void();
        self.align(access.align);
        if matches!(access.ordering, Some(AtomicOrdering::Acquire | AtomicOrdering::AcqRel)) {
            self.report(FindingKind::Atomic(AtomicFault::StoreAcquires));
        }
        if !self.counts(2, 0) {
            return;
        }
        let ty = self.ty(0);
        let sized = self.types().is_sized(ty);
        self.operand_class(0, sized, "a type with a size");
        self.pointer(1);
        self.atomic(access, ty);
    }

    /// Checks an access of type `ty`: the rules for atomic accesses, and the keywords that only atomic accesses may
    /// have.
    fn atomic(&mut self, access: &MemAccess, ty: Type) {
        if access.ordering.is_none() {
            if access.syncscope.is_some() {
                self.report(FindingKind::Atomic(AtomicFault::ScopeWithoutOrdering));
            }
            return;
        }
        if access.align.is_none() {
            self.report(FindingKind::Atomic(AtomicFault::NoAlignment));
        }
        self.atomic_size(ty);
    }
    fn atomic_size(&mut self, ty: Type) {
        if self.types().shape(ty).is_some() || !(ty.is_int() || ty.is_ptr() || ty.is_float()) {
            // LLVM also accepts some vectors; it rejects the others by size.
            let scalar = self.types().scalar(ty);
            if !(scalar.is_int() || scalar.is_ptr() || scalar.is_float()) {
                return self.report(FindingKind::Atomic(AtomicFault::Size));
            }
        }
        let bits = self.check.env.layout.size_bits(self.types().table, ty);
        if bits.is_some_and(|b| b < 8 || !b.is_power_of_two()) {
            self.report(FindingKind::Atomic(AtomicFault::Size));
        }
    }
    fn read_modify_write(&mut self, access: &MemAccess, ty: Type) {
        self.align(access.align);
        match access.ordering {
            None => self.report(FindingKind::Atomic(AtomicFault::NoOrdering)),
            Some(AtomicOrdering::Unordered) => self.report(FindingKind::Atomic(AtomicFault::Unordered)),
            Some(
                AtomicOrdering::Monotonic
                | AtomicOrdering::Acquire
                | AtomicOrdering::Release
                | AtomicOrdering::AcqRel
                | AtomicOrdering::SeqCst,
            ) => {}
        }
        self.atomic_size(ty);
    }
    pub(super) fn fence(&mut self, ordering: AtomicOrdering) {
        self.void();
        self.counts(0, 0);
        if matches!(ordering, AtomicOrdering::Unordered | AtomicOrdering::Monotonic) {
            self.report(FindingKind::Atomic(AtomicFault::WeakFence));
        }
    }
    pub(super) fn atomic_rmw(&mut self, op: RmwOp, access: &MemAccess) {
        if !self.counts(2, 0) {
            return;
        }
        self.pointer(0);
        let ty = self.ty(1);
        if let Err(takes) = op.check_type(ty, self.types().scalar(ty)) {
            self.operand_class(1, false, takes);
        }
        self.result_is(ty);
        self.read_modify_write(access, ty);
    }
    pub(super) fn cmpxchg(&mut self, info: &CmpXchgInfo) {
        if !self.counts(3, 0) {
            return;
        }
        self.pointer(0);
        let ty = self.ty(1);
        self.operand_class(1, ty.is_int() || ty.is_ptr(), "an integer or a pointer");
        self.operand_is(2, ty);
        let fields = self.types().table.struct_fields(self.data.ty);
        if fields != Some((&[ty, Type::I1], false)) {
            self.bad_result(Wanted::Class("a struct of the operand's type and `i1`"));
        }
        self.read_modify_write(&info.access, ty);
        match info.failure {
            AtomicOrdering::Unordered => self.report(FindingKind::Atomic(AtomicFault::Unordered)),
            AtomicOrdering::Release | AtomicOrdering::AcqRel => {
                self.report(FindingKind::Atomic(AtomicFault::FailureReleases));
            }
            AtomicOrdering::Monotonic | AtomicOrdering::Acquire | AtomicOrdering::SeqCst => {}
        }
    }

    pub(super) fn gep(&mut self, source: Type) {
        self.inner_sized("the source type", source);
        let operands = self.data.operands.len().max(1);
        if !self.counts(operands, 0) {
            return;
        }
        let types = self.types();
        let base = self.ty(0);
        self.operand_class(0, types.is_ptr_like(base), "a pointer or a vector of pointers");
        let mut shape = types.shape(base);
        for index in 1..operands {
            let ty = self.ty(index);
            self.operand_class(index, types.is_int_like(ty), "an integer or a vector of integers");
            let own = types.shape(ty);
            if shape.is_some() && own.is_some() && own != shape {
                self.bad_operand(index, Wanted::Class("a scalar, or a vector as long as the others"));
            }
            shape = shape.or(own);
        }
        if types.scalar(self.data.ty) != types.scalar(base) || types.shape(self.data.ty) != shape {
            self.bad_result(Wanted::Class("the base's pointer type, as a vector if an operand is one"));
        }
        self.gep_path(source);
    }

    /// Checks the indices after the first one, which step into `source`.
    fn gep_path(&mut self, source: Type) {
        let types = self.types();
        let mut at = source;
        for index in 2..self.data.operands.len() {
            let next = match types.table.compound(at) {
                Some(Compound::Array { elem, .. } | Compound::Vector { elem, .. }) => Ok(*elem),
                Some(Compound::Struct { .. } | Compound::Named { .. }) => match self.constant_lane(index) {
                    Some(field) => types.table.member(at, field).ok_or("there is no such field"),
                    None => Err("a field is chosen by a constant of type `i32`"),
                },
                Some(Compound::Function { .. } | Compound::Target { .. }) | None => Err("it has no members"),
            };
            match next {
                Ok(next) => at = next,
                Err(why) => {
                    let into = types.name(at);
                    return self.report(FindingKind::GepIndex { index, into, why });
                }
            }
        }
    }

    /// The value of operand `index` if it is an `i32` constant, equal in all lanes.
    fn constant_lane(&self, index: usize) -> Option<u64> {
        use crate::constant::ConstData;
        let pool = self.body().consts();
        let c = self.data.operands[index].as_const()?;
        if matches!(pool.get(c).data, ConstData::Zero) && self.types().scalar(pool.ty(c)) == Type::I32 {
            return Some(0);
        }
        pool.as_int(pool.lane(c)).filter(|n| n.width() == 32).and_then(|n| n.to_u64())
    }

    /// The type that `path` selects in operand 0.
    fn path_target(&mut self, path: &[u32]) -> Option<Type> {
        let types = self.types();
        let mut at = self.ty(0);
        let mut wrong = path.is_empty().then_some(0);
        for (i, &index) in path.iter().enumerate() {
            let member = types.is_aggregate(at).then(|| types.table.member(at, index.into())).flatten();
            match member {
                Some(member) => at = member,
                None => {
                    wrong = Some(i);
                    break;
                }
            }
        }
        let Some(at_index) = wrong else { return Some(at) };
        let aggregate = types.name(self.ty(0));
        self.report(FindingKind::AggregateIndex { at: at_index, aggregate });
        None
    }
    pub(super) fn extract_value(&mut self, path: &[u32]) {
        if self.counts(1, 0)
            && let Some(member) = self.path_target(path)
        {
            self.result_is(member);
        }
    }
    pub(super) fn insert_value(&mut self, path: &[u32]) {
        if !self.counts(2, 0) {
            return;
        }
        self.result_is(self.ty(0));
        if let Some(member) = self.path_target(path) {
            self.operand_is(1, member);
        }
    }
}
