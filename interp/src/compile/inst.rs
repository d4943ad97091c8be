//! Compiles instructions: mostly one operation for each.

use super::builder::Builder;
use super::exposure::is_unseen;
use super::op::{
    AggOp, AllocaOp, CmpXchgArgs, GepOp, GepTerm, LaneOp, MemOp, Op, RmwArgs, ScalarOp, SwitchOp,
};
use super::reg::Reg;
use crate::exec::gep::{Scale, Walk};
use crate::facts::{Facts, null_is_address};
use crate::layout::Shape;
use crate::outcome::Feature;
use backedge_ir::attr::{Attr, AttrList, IntAttr};
use backedge_ir::entity::{Block, FuncId, Inst};
use backedge_ir::inst::{
    AtomicOrdering, BinaryFlags, BinaryOp, CastFlags, CastOp, CmpXchgInfo, FastMath, GepFlags, InstData,
    InstKind, MemAccess, RmwOp, Value,
};
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::meaning::metadata::may_skip_bytes;
use backedge_ir::types::Type;

impl Builder<'_> {
    /// Emits the operations of `inst`.
    pub(super) fn emit(&mut self, block: Block, inst: Inst) -> Result<(), Feature> {
        let body = self.body;
        let data = body.inst(inst);
        if may_skip_bytes(&self.program.module.env, body, inst) {
            return Err(Feature::Other("`!tbaa.struct` that leaves out bytes of the access"));
        }
        match &data.kind {
            InstKind::Ret => {
                let value = data.operands.first().map(|v| self.reg(*v)).transpose()?;
                self.push(inst, Op::Ret(value));
            }
            InstKind::Br => {
                let edge = self.edge(block, data.blocks[0]);
                self.push(inst, Op::Br(edge));
            }
            InstKind::CondBr => {
                let cond = self.reg(data.operands[0])?;
                let if_true = self.edge(block, data.blocks[0]);
                let if_false = self.edge(block, data.blocks[1]);
                self.push(inst, Op::CondBr { cond, if_true, if_false });
            }
            InstKind::Switch => self.emit_switch(block, inst, data)?,
            InstKind::IndirectBr => self.emit_indirect_br(block, inst, data)?,
            InstKind::CallBr(info) => self.emit_call_br(block, inst, data, info)?,
            InstKind::Unreachable => self.push(inst, Op::Unreachable),
            InstKind::Resume => {
                let exception = self.reg(data.operands[0])?;
                self.push(inst, Op::Resume(exception));
            }
            InstKind::Invoke(info) => {
                let (normal, unwind) = (data.blocks[0], data.blocks[1]);
                let edges = (self.edge(block, normal), self.edge(block, unwind));
                self.emit_call(inst, data, info, Some(edges))?;
            }
            InstKind::Call(info) => self.emit_call(inst, data, info, None)?,
            InstKind::Binary(op, flags) => self.emit_binary(inst, data, *op, *flags)?,
            InstKind::FloatBinary(op, fast) => {
                let op = ScalarOp::Float(*op, data.evaluated(*fast), self.scalar_shape(data.ty)?);
                self.emit_lanes(inst, data, op)?;
            }
            InstKind::FNeg(fast) => {
                let op = ScalarOp::FNeg(*fast, self.scalar_shape(data.ty)?);
                self.emit_lanes(inst, data, op)?;
            }
            InstKind::Cast(op, flags) => {
                let flags = CastFlags { fast: data.evaluated(flags.fast), ..*flags };
                self.emit_cast(inst, data, *op, flags)?;
            }
            InstKind::ICmp { pred, samesign } => self.emit_icmp(inst, data, *pred, *samesign)?,
            InstKind::FCmp(pred, fast) => {
                let shape = self.scalar_shape(body.ty(data.operands[0]))?;
                self.emit_lanes(inst, data, ScalarOp::FCmp(*pred, *fast, shape))?;
            }
            InstKind::Select(fast) => self.emit_select(inst, data, *fast)?,
            InstKind::Phi(fast) => self.emit_phi_flags(inst, data, *fast)?,
            InstKind::Freeze => self.emit_freeze(inst, data)?,
            InstKind::Alloca(_) => self.emit_alloca(inst, data)?,
            InstKind::Load(access) => self.emit_load(inst, data, access)?,
            InstKind::Store(access) => self.emit_store(inst, data, access)?,
            InstKind::Gep { source, flags } => self.emit_gep(inst, data, *source, *flags)?,
            InstKind::ExtractValue(path) => self.emit_extract_value(inst, data, path)?,
            InstKind::InsertValue(path) => self.emit_insert_value(inst, data, path)?,
            InstKind::ExtractElement => self.emit_extract_element(inst, data)?,
            InstKind::InsertElement => self.emit_insert_element(inst, data)?,
            InstKind::ShuffleVector(mask) => self.emit_shuffle(inst, data, mask)?,
            InstKind::Fence(..) => self.push(inst, Op::Fence),
            InstKind::AtomicRmw(op, access) => self.emit_rmw(inst, data, *op, access)?,
            InstKind::CmpXchg(info) => self.emit_cmpxchg(inst, data, info)?,
            InstKind::VaArg => return Err(Feature::Instruction("va_arg")),
            InstKind::LandingPad { .. } => {
                let shape = self.shape(data.ty)?;
                self.push(inst, Op::LandingPad(self.dst(inst), Box::new(shape)));
            }
            InstKind::DebugRecord(_) => {}
        }
        Ok(())
    }
    fn emit_extract_value(&mut self, inst: Inst, data: &InstData, path: &[u32]) -> Result<(), Feature> {
        let agg = self.reg(data.operands[0])?;
        self.push_agg(inst, AggOp::ExtractValue { dst: self.dst(inst), agg, path: path.into() });
        Ok(())
    }
    fn emit_insert_value(&mut self, inst: Inst, data: &InstData, path: &[u32]) -> Result<(), Feature> {
        let (agg, elem) = (self.reg(data.operands[0])?, self.reg(data.operands[1])?);
        self.push_agg(inst, AggOp::InsertValue { dst: self.dst(inst), agg, elem, path: path.into() });
        Ok(())
    }
    fn emit_extract_element(&mut self, inst: Inst, data: &InstData) -> Result<(), Feature> {
        let (vec, index) = (self.reg(data.operands[0])?, self.reg(data.operands[1])?);
        let width = self.int_width(data.operands[1])?;
        self.push_agg(inst, AggOp::ExtractElement { dst: self.dst(inst), vec, index, width });
        Ok(())
    }
    fn emit_insert_element(&mut self, inst: Inst, data: &InstData) -> Result<(), Feature> {
        let (vec, elem) = (self.reg(data.operands[0])?, self.reg(data.operands[1])?);
        let (index, width) = (self.reg(data.operands[2])?, self.int_width(data.operands[2])?);
        self.push_agg(inst, AggOp::InsertElement { dst: self.dst(inst), vec, elem, index, width });
        Ok(())
    }
    fn emit_shuffle(&mut self, inst: Inst, data: &InstData, mask: &[Option<u32>]) -> Result<(), Feature> {
        let (a, b) = (self.reg(data.operands[0])?, self.reg(data.operands[1])?);
        self.shape(data.ty)?;
        self.push_agg(inst, AggOp::Shuffle { dst: self.dst(inst), a, b, mask: mask.into() });
        Ok(())
    }
    fn push_agg(&mut self, inst: Inst, op: AggOp) {
        self.push(inst, Op::Agg(Box::new(op)));
    }
    fn int_width(&self, value: Value) -> Result<u32, Feature> {
        let width = self.body.ty(value).int_bits().filter(|w| *w <= Type::MAX_INT_BITS);
        width.ok_or(Feature::Other("integers wider than 128 bits"))
    }
    /// The shape of a scalar, or of the elements of a vector.
    pub(super) fn scalar_shape(&self, ty: Type) -> Result<Shape, Feature> {
        Ok(self.shape(ty)?.element().clone())
    }
    pub(super) fn lanes(&self, ty: Type) -> Option<u64> {
        self.program.module.env.types.fixed_vector(ty).map(|(len, _)| len)
    }
    /// Emits an operation on scalars or lane by lane.
    pub(super) fn emit_lanes(&mut self, inst: Inst, data: &InstData, op: ScalarOp) -> Result<(), Feature> {
        self.shape(data.ty)?;
        let lanes = self.lanes(data.ty);
        let args = self.regs_of(&data.operands)?;
        self.push(inst, Op::Lanes(Box::new(LaneOp { dst: self.dst(inst), args, op, lanes })));
        Ok(())
    }
    fn emit_switch(&mut self, block: Block, inst: Inst, data: &InstData) -> Result<(), Feature> {
        let value = self.reg(data.operands[0])?;
        let default = self.edge(block, data.blocks[0]);
        let mut cases = Vec::with_capacity(data.operands.len() - 1);
        for (case, target) in data.operands[1..].iter().zip(&data.blocks[1..]) {
            let key = self.body.as_int(*case).ok_or(Feature::Other("a switch case that is no integer"))?;
            cases.push((key.bits(), self.edge(block, *target)));
        }
        cases.sort_by_key(|(key, _)| *key);
        self.push(inst, Op::Switch(Box::new(SwitchOp { value, cases: cases.into(), default })));
        Ok(())
    }
    fn emit_binary(
        &mut self,
        inst: Inst,
        data: &InstData,
        op: BinaryOp,
        flags: BinaryFlags,
    ) -> Result<(), Feature> {
        let shape = self.scalar_shape(data.ty)?;
        let Shape::Int(width) = shape else {
            return Err(Feature::Other("integer arithmetic on another type"));
        };
        self.emit_lanes(inst, data, ScalarOp::Binary(op, flags, width))
    }
    fn emit_icmp(
        &mut self,
        inst: Inst,
        data: &InstData,
        pred: backedge_ir::inst::IntPredicate,
        samesign: bool,
    ) -> Result<(), Feature> {
        let shape = self.scalar_shape(self.body.ty(data.operands[0]))?;
        let width = shape.scalar_bits().ok_or(Feature::Other("a comparison of aggregates"))?;
        let pointers = shape.is_ptr();
        self.emit_lanes(inst, data, ScalarOp::ICmp { pred, samesign, width, pointers })
    }
    fn emit_cast(
        &mut self,
        inst: Inst,
        data: &InstData,
        op: CastOp,
        flags: CastFlags,
    ) -> Result<(), Feature> {
        let source_ty = self.body.ty(data.operands[0]);
        let env = &self.program.module.env;
        if env.layout.converts_non_integral(&env.types, op, source_ty, data.ty) {
            return Err(Feature::Other("a conversion of a non-integral pointer"));
        }
        let (from, to) = (self.scalar_shape(source_ty)?, self.scalar_shape(data.ty)?);
        // An unused address exposes nothing, because the conversion may be removed.
        if op == CastOp::PtrToInt && is_unseen(self.body, inst) {
            return self.emit_lanes(inst, data, ScalarOp::UnseenAddress(to));
        }
        if op == CastOp::BitCast {
            // The number of lanes may change, so the whole vector is converted at once.
            let (from, to) = (self.shape(source_ty)?, self.shape(data.ty)?);
            let args = self.regs_of(&data.operands)?;
            let op = ScalarOp::Cast { op, flags, from, to };
            self.push(inst, Op::Lanes(Box::new(LaneOp { dst: self.dst(inst), args, op, lanes: None })));
            return Ok(());
        }
        self.emit_lanes(inst, data, ScalarOp::Cast { op, flags, from, to })
    }
    fn emit_select(&mut self, inst: Inst, data: &InstData, fast: FastMath) -> Result<(), Feature> {
        let shape = self.shape(data.ty)?;
        if self.lanes(self.body.ty(data.operands[0])).is_some() {
            return self.emit_lanes(inst, data, ScalarOp::Select(fast, self.scalar_shape(data.ty)?));
        }
        let args = self.regs_of(&data.operands)?;
        let dst = self.dst(inst);
        let op = LaneOp { dst, args, op: ScalarOp::Select(fast, shape), lanes: None };
        self.push(inst, Op::Lanes(Box::new(op)));
        Ok(())
    }
    /// Emits the fast-math flags of a phi; its value is copied on the edges.
    fn emit_phi_flags(&mut self, inst: Inst, data: &InstData, fast: FastMath) -> Result<(), Feature> {
        if !fast.is_empty() {
            let shape = self.shape(data.ty)?;
            self.push(inst, Op::FastPhi(self.dst(inst), Box::new((fast, shape))));
        }
        Ok(())
    }
    fn emit_freeze(&mut self, inst: Inst, data: &InstData) -> Result<(), Feature> {
        let shape = self.shape(data.ty)?;
        let args = self.regs_of(&data.operands)?;
        let op = LaneOp { dst: self.dst(inst), args, op: ScalarOp::Freeze(shape), lanes: None };
        self.push(inst, Op::Lanes(Box::new(op)));
        Ok(())
    }
    fn emit_alloca(&mut self, inst: Inst, data: &InstData) -> Result<(), Feature> {
        let InstKind::Alloca(info) = &data.kind else { return Ok(()) };
        let env = &self.program.module.env;
        let no_size = Feature::Other("an alloca of a type without a size");
        let elem_bytes = env.layout.alloc_bytes(&env.types, info.ty).ok_or_else(|| no_size.clone())?;
        let align = info.align.or_else(|| env.layout.preferred_align(&env.types, info.ty)).ok_or(no_size)?;
        let count = match data.operands.first() {
            Some(count) => Some((self.reg(*count)?, self.int_width(*count)?)),
            None => None,
        };
        let pointer_bits = self.shape(data.ty)?.scalar_bits().unwrap_or(64);
        let has_lifetime = self.body.uses(inst.into()).iter().any(|u| {
            let user = self.body.inst(u.user);
            self.called_intrinsic(user) == Some(Intrinsic::LifetimeStart)
        });
        let dst = self.dst(inst);
        let op = AllocaOp { dst, count, elem_bytes, align, pointer_bits, has_lifetime };
        self.push(inst, Op::Alloca(Box::new(op)));
        Ok(())
    }
    /// The intrinsic that `data` calls.
    pub(super) fn called_intrinsic(&self, data: &InstData) -> Option<Intrinsic> {
        let callee = self.called_function(data.call()?.callee())?;
        self.program.module.env.funcs[callee].intrinsic
    }
    /// The function that a callee operand names.
    pub(super) fn called_function(&self, callee: Value) -> Option<FuncId> {
        self.body.called_function(callee)
    }
    fn mem_op(&mut self, ty: Type, ptr: Value, access: &MemAccess, val: Reg) -> Result<MemOp, Feature> {
        let env = &self.program.module.env;
        let shape = self.shape(ty)?;
        check_vector_size(&shape)?;
        let align = access.align.or_else(|| env.layout.abi_align(&env.types, ty)).unwrap_or(1);
        let synchronizes = access.ordering.is_some_and(|o| o != AtomicOrdering::Unordered);
        let (ptr, align) = (self.reg(ptr)?, align.max(1));
        Ok(MemOp { val, ptr, shape, align, volatile: access.volatile, synchronizes })
    }
    fn emit_load(&mut self, inst: Inst, data: &InstData, access: &MemAccess) -> Result<(), Feature> {
        let dst = self.dst(inst);
        let op = self.mem_op(data.ty, data.operands[0], access, dst)?;
        let shape = op.shape.clone();
        self.push(inst, Op::Load(Box::new(op)));
        if let Some(facts) = self.metadata_facts(data) {
            self.push(inst, Op::Check(dst, Box::new((*facts, shape))));
        }
        Ok(())
    }
    fn emit_store(&mut self, inst: Inst, data: &InstData, access: &MemAccess) -> Result<(), Feature> {
        let val = self.reg(data.operands[0])?;
        let op = self.mem_op(self.body.ty(data.operands[0]), data.operands[1], access, val)?;
        self.push(inst, Op::Store(Box::new(op)));
        Ok(())
    }
    fn emit_rmw(
        &mut self,
        inst: Inst,
        data: &InstData,
        op: RmwOp,
        access: &MemAccess,
    ) -> Result<(), Feature> {
        let mem = self.mem_op(data.ty, data.operands[0], access, Reg::MAX)?;
        let arg = self.reg(data.operands[1])?;
        let dst = self.dst(inst);
        self.push(inst, Op::Rmw(Box::new(RmwArgs { op, dst, arg, mem })));
        Ok(())
    }
    fn emit_cmpxchg(&mut self, inst: Inst, data: &InstData, info: &CmpXchgInfo) -> Result<(), Feature> {
        let ty = self.body.ty(data.operands[1]);
        let mem = self.mem_op(ty, data.operands[0], &info.access, Reg::MAX)?;
        let (expected, new) = (self.reg(data.operands[1])?, self.reg(data.operands[2])?);
        let dst = self.dst(inst);
        let weak = info.weak;
        self.push(inst, Op::CmpXchg(Box::new(CmpXchgArgs { dst, expected, new, mem, weak })));
        Ok(())
    }
    fn emit_gep(
        &mut self,
        inst: Inst,
        data: &InstData,
        source: Type,
        flags: GepFlags,
    ) -> Result<(), Feature> {
        let env = &self.program.module.env;
        let scalar = env.types.scalar(data.ty);
        let space = scalar.ptr_space().ok_or(Feature::Other("address arithmetic on another type"))?;
        let pointer_bits = self.shape(scalar)?.scalar_bits().unwrap_or(64);
        let index_bits = env.layout.index_bits(space);
        let mut walk = Walk::new(env, source);
        let mut terms = Vec::with_capacity(data.operands.len() - 1);
        for &index in &data.operands[1..] {
            let width = env.types.scalar(self.body.ty(index)).int_bits().filter(|w| *w <= Type::MAX_INT_BITS);
            let width = width.ok_or(Feature::Other("integers wider than 128 bits"))?;
            terms.push(match walk.step(self.body.as_int(index).and_then(|i| i.to_u64()))? {
                Scale::Field(offset) => GepTerm::Const(offset),
                Scale::Bytes(scale) => GepTerm::Index { reg: self.reg(index)?, width, scale },
            });
        }
        let base = self.reg(data.operands[0])?;
        let dst = self.dst(inst);
        let lanes = self.lanes(data.ty);
        let terms = terms.into();
        let op = GepOp { dst, base, terms, flags, index_bits, pointer_bits, lanes };
        self.push(inst, Op::Gep(Box::new(op)));
        Ok(())
    }
    /// Facts stated by attributes.
    pub(super) fn facts(&self, list: &AttrList, ty: Type) -> Option<Box<Facts>> {
        let facts = Facts::of_attrs(&self.program.module.env, list)?;
        Some(facts.with_null(self.null_is_address(ty)))
    }
    /// Facts stated by the metadata of a load or call about its result.
    pub(super) fn metadata_facts(&self, data: &InstData) -> Option<Box<Facts>> {
        let facts = Facts::of_metadata(&self.program.module.env, &data.metadata)?;
        Some(facts.with_null(self.null_is_address(data.ty)))
    }
    fn null_is_address(&self, ty: Type) -> bool {
        let env = &self.program.module.env;
        null_is_address(env, &env.funcs[self.func].attrs, ty)
    }
    /// The `align` stated by an attribute list; 1 if there is none.
    pub(super) fn stated_align(&self, list: &AttrList) -> u64 {
        let attrs = self.program.module.env.attrs(list);
        let aligns = attrs.filter_map(|a| if let Attr::Int(IntAttr::Align, n) = a { Some(*n) } else { None });
        aligns.max().unwrap_or(1).max(1)
    }
}

/// Checks a vector's size: vectors whose elements are not whole bytes are moved as one number of up to 128 bits.
pub(super) fn check_vector_size(shape: &Shape) -> Result<(), Feature> {
    match shape {
        Shape::Vector { elem, .. }
            if elem.scalar_bits().is_some_and(|b| b % 8 != 0) && shape.bits() > 128 =>
        {
            Err(Feature::Other(
                "a vector of more than 128 bits whose elements are not whole bytes, in memory",
            ))
        }
        Shape::Int(_) | Shape::Float(_) | Shape::Ptr(_) | Shape::Vector { .. } => Ok(()),
        Shape::Array { elem, .. } => check_vector_size(elem),
        Shape::Struct { fields, .. } => fields.iter().try_for_each(|(_, f)| check_vector_size(f)),
    }
}
