//! Compiles a body: assigns registers, emits blocks in text order, phis as copies on edges, and one operation per
//! instruction.
//!
//! An unmodelled instruction becomes [`Op::Unsupported`], which ends a run that reaches it; the rest of the function
//! still runs. Unreachable blocks are omitted.

use super::Program;
use super::denormal::Flushing;
use super::exposure::is_unseen;
use super::op::{
    AggOp, AllocaOp, CmpXchgArgs, Code, Edge, EdgeId, GepOp, GepTerm, LaneOp, MemOp, Op, Reg, RmwArgs,
    ScalarOp, SwitchOp,
};
use super::progress::Progress;
use super::shorten::shorten;
use crate::exec::gep::{Scale, Walk};
use crate::exec::regs::Template;
use crate::facts::{Facts, null_is_address};
use crate::layout::Shape;
use crate::outcome::Feature;
use crate::value::Val;
use backedge_ir::attr::{Attr, AttrList, IntAttr};
use backedge_ir::body::Body;
use backedge_ir::cfg::Cfg;
use backedge_ir::entity::{Block, Const, EntityId, FuncId, Inst, SecondaryMap};
use backedge_ir::inst::{
    AtomicOrdering, BinaryFlags, BinaryOp, CastFlags, CastOp, FastMath, GepFlags, InstData, InstKind,
    MemAccess, Value,
};
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::meaning::metadata::may_skip_bytes;
use backedge_ir::types::Type;
use std::collections::HashMap;

/// Compiles `body` to dense form.
pub(super) fn compile(program: &Program<'_>, func: FuncId, body: &Body) -> Result<Code, Feature> {
    let mut builder = Builder::new(program, func, body);
    builder.assign_registers();
    builder.emit_blocks()?;
    builder.finish()
}

/// Phis with more entries than this use a lookup table while they are compiled; the others are searched linearly, which
/// is faster for few entries.
const SEARCHED_ENTRIES: usize = 16;

/// Incoming values of large phis by block.
type LargePhis = HashMap<(Inst, Block), Value>;

pub(super) struct Builder<'a> {
    pub(super) func: FuncId,
    pub(super) flushing: Flushing,
    pub(super) program: &'a Program<'a>,
    pub(super) body: &'a Body,
    cfg: Cfg,
    regs: SecondaryMap<Inst, Option<Reg>>,
    const_regs: SecondaryMap<Const, Option<Reg>>,
    block_pcs: SecondaryMap<Block, u32>,
    block_costs: SecondaryMap<Block, u32>,
    /// Positions of blocks in the text; `order` holds those in reverse post-order.
    position: SecondaryMap<Block, u32>,
    order: SecondaryMap<Block, u32>,
    progress: Progress,
    /// Edges with their source blocks.
    edges: Vec<(Block, Edge)>,
    /// Initial register contents of a new frame.
    values: Vec<Val>,
    pub(super) code: Code,
}

impl<'a> Builder<'a> {
    fn new(program: &'a Program<'a>, func: FuncId, body: &'a Body) -> Self {
        let cfg = Cfg::new(body);
        Self {
            func,
            flushing: Flushing::of(&program.module.env, func),
            program,
            body,
            progress: Progress::new(program.module, body, &cfg),
            cfg,
            regs: SecondaryMap::new(),
            const_regs: SecondaryMap::new(),
            block_pcs: SecondaryMap::new(),
            block_costs: SecondaryMap::new(),
            position: SecondaryMap::new(),
            order: SecondaryMap::new(),
            edges: Vec::new(),
            values: Vec::new(),
            code: Code {
                ops: Vec::new(),
                places: Vec::new(),
                edges: Vec::new(),
                moves: Vec::new(),
                quick: Vec::new(),
                near_moves: Vec::new(),
                template: Template::default(),
                first_const: 0,
                regs: SecondaryMap::new(),
                entry_cost: 0,
                phis: Vec::new(),
            },
        }
    }
    fn assign_registers(&mut self) {
        self.values = vec![Val::Poison; self.body.args().len()];
        for block in self.body.blocks() {
            for &inst in self.body.insts(block) {
                if self.body.inst(inst).ty != Type::VOID {
                    let reg = self.new_reg(Val::Poison);
                    self.regs[inst] = Some(reg);
                    self.code.regs[inst] = Some(reg);
                }
            }
        }
        self.code.first_const = self.values.len() as Reg;
    }
    pub(super) fn new_reg(&mut self, value: Val) -> Reg {
        self.values.push(value);
        (self.values.len() - 1) as Reg
    }
    /// The register that holds `value`.
    pub(super) fn reg(&mut self, value: Value) -> Result<Reg, Feature> {
        match value {
            Value::Arg(arg) => Ok(arg.index() as Reg),
            Value::Inst(inst) => {
                self.regs[inst].ok_or(Feature::Other("a use of a result that does not exist"))
            }
            Value::Const(c) => {
                if let Some(reg) = self.const_regs[c] {
                    return Ok(reg);
                }
                let value = self.program.constant(self.body, c)?;
                let reg = self.new_reg(value);
                self.const_regs[c] = Some(reg);
                Ok(reg)
            }
        }
    }
    pub(super) fn regs_of(&mut self, values: &[Value]) -> Result<Box<[Reg]>, Feature> {
        values.iter().map(|v| self.reg(*v)).collect()
    }
    pub(super) fn shape(&self, ty: Type) -> Result<Shape, Feature> {
        Shape::of(&self.program.module.env, ty)
    }
    pub(super) fn shape_of(&self, value: Value) -> Result<Shape, Feature> {
        self.shape(self.body.ty(value))
    }
    pub(super) fn dst(&self, inst: Inst) -> Reg {
        self.regs[inst].unwrap_or(Reg::MAX)
    }
    pub(super) fn push(&mut self, inst: Inst, op: Op) {
        self.code.ops.push(op);
        self.code.places.push(inst);
    }
    fn emit_blocks(&mut self) -> Result<(), Feature> {
        let body = self.body;
        for (i, block) in body.blocks().enumerate() {
            self.position[block] = i as u32;
        }
        for (i, &block) in self.cfg.rpo().iter().enumerate() {
            self.order[block] = i as u32;
        }
        for block in body.blocks().filter(|b| self.cfg.is_reachable(*b)).collect::<Vec<_>>() {
            self.block_pcs[block] = self.code.ops.len() as u32;
            self.block_costs[block] = body.insts(block).len() as u32;
            let phis: Vec<(Inst, Reg)> = body.phis(block).map(|p| (p, self.dst(p))).collect();
            if !phis.is_empty() {
                self.code.phis.push((block, phis));
            }
            for &inst in body.insts(block) {
                let emitted = self.emit(block, inst).and_then(|()| match self.flushing.any() {
                    true => self.emit_denormal_check(inst),
                    false => Ok(()),
                });
                if let Err(feature) = emitted {
                    self.push(inst, Op::Unsupported(Box::new(feature)));
                }
            }
            if body.terminator(block).is_none() {
                return Err(Feature::Other("a block without a terminator"));
            }
        }
        self.code.phis.sort_by_key(|(b, _)| *b);
        let entry = body.entry().ok_or(Feature::Other("a function without blocks"))?;
        self.code.entry_cost = self.block_costs[entry];
        Ok(())
    }
    /// Creates an edge; `finish` fills in its target.
    pub(super) fn edge(&mut self, from: Block, to: Block) -> EdgeId {
        let retreats = self.order[to] <= self.order[from];
        let edge = Edge {
            target: 0,
            block: to,
            moves: (0, 0),
            near: true,
            cost: 0,
            backward: retreats || self.position[to] <= self.position[from],
            mustprogress: !retreats || self.progress.is_demanded(from, to),
        };
        self.edges.push((from, edge));
        (self.edges.len() - 1) as EdgeId
    }
    fn finish(mut self) -> Result<Code, Feature> {
        let spare = self.new_reg(Val::Poison);
        let incoming = self.large_phis();
        let near = |reg: Reg| u16::try_from(reg).ok();
        for (from, mut edge) in std::mem::take(&mut self.edges) {
            edge.target = self.block_pcs[edge.block];
            edge.cost = self.block_costs[edge.block];
            let start = self.code.moves.len();
            let moves = self.phi_moves(from, edge.block, &incoming)?;
            self.code.moves.extend(sequence(moves, spare));
            edge.moves = (start as u32, self.code.moves.len() as u32);
            let pairs = self.code.moves[start..].iter().map(|(dst, src)| near(*dst).zip(near(*src)));
            edge.near = pairs.clone().all(|pair| pair.is_some());
            self.code.near_moves.extend(pairs.map(Option::unwrap_or_default));
            self.code.edges.push(edge);
        }
        self.code.template = Template::new(&self.values);
        self.code.quick = shorten(self.program, self.body, &self.code);
        Ok(self.code)
    }
    /// The entries of phis that are too large to search for each edge.
    fn large_phis(&self) -> LargePhis {
        let body = self.body;
        let phis = body.blocks().flat_map(|block| body.phis(block));
        let large = phis.filter(|phi| body.inst(*phi).blocks.len() > SEARCHED_ENTRIES);
        large
            .flat_map(|phi| body.inst(phi).incoming().map(move |(value, from)| ((phi, from), value)))
            .collect()
    }
    fn phi_moves(&mut self, from: Block, to: Block, large: &LargePhis) -> Result<Vec<(Reg, Reg)>, Feature> {
        let mut moves = Vec::new();
        for phi in self.body.phis(to).collect::<Vec<_>>() {
            let missing = Feature::Other("a phi without an entry for an edge");
            let found = large.get(&(phi, from)).copied();
            let value = found.or_else(|| self.body.incoming_from(phi, from)).ok_or(missing)?;
            let source = self.reg(value)?;
            moves.push((self.dst(phi), source));
        }
        Ok(moves)
    }
}

/// Orders parallel copies (destination, source) so that none overwrites the source of a later one; cycles go through
/// `spare`.
fn sequence(mut pending: Vec<(Reg, Reg)>, spare: Reg) -> Vec<(Reg, Reg)> {
    let mut ordered = Vec::with_capacity(pending.len() + 1);
    pending.retain(|(dst, src)| dst != src);
    while !pending.is_empty() {
        let free = pending.iter().position(|(dst, _)| !pending.iter().any(|(_, src)| src == dst));
        match free {
            Some(i) => ordered.push(pending.swap_remove(i)),
            None => {
                let (_, src) = pending[0];
                ordered.push((spare, src));
                for copy in &mut pending {
                    if copy.1 == src {
                        copy.1 = spare;
                    }
                }
            }
        }
    }
    ordered
}

impl Builder<'_> {
    #[expect(clippy::too_many_lines, reason = "a dispatch over all instructions")]
    fn emit(&mut self, block: Block, inst: Inst) -> Result<(), Feature> {
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
            InstKind::Phi(fast) => {
                if !fast.is_empty() {
                    let shape = self.shape(data.ty)?;
                    self.push(inst, Op::FastPhi(self.dst(inst), Box::new((*fast, shape))));
                }
            }
            InstKind::Freeze => {
                let shape = self.shape(data.ty)?;
                let args = self.regs_of(&data.operands)?;
                let op = LaneOp { dst: self.dst(inst), args, op: ScalarOp::Freeze(shape), lanes: None };
                self.push(inst, Op::Lanes(Box::new(op)));
            }
            InstKind::Alloca(_) => self.emit_alloca(inst, data)?,
            InstKind::Load(access) => self.emit_load(inst, data, access)?,
            InstKind::Store(access) => self.emit_store(inst, data, access)?,
            InstKind::Gep { source, flags } => self.emit_gep(inst, data, *source, *flags)?,
            InstKind::ExtractValue(path) => {
                let agg = self.reg(data.operands[0])?;
                self.push_agg(inst, AggOp::ExtractValue { dst: self.dst(inst), agg, path: path.clone() });
            }
            InstKind::InsertValue(path) => {
                let (agg, elem) = (self.reg(data.operands[0])?, self.reg(data.operands[1])?);
                self.push_agg(
                    inst,
                    AggOp::InsertValue { dst: self.dst(inst), agg, elem, path: path.clone() },
                );
            }
            InstKind::ExtractElement => {
                let (vec, index) = (self.reg(data.operands[0])?, self.reg(data.operands[1])?);
                let width = self.int_width(data.operands[1])?;
                self.push_agg(inst, AggOp::ExtractElement { dst: self.dst(inst), vec, index, width });
            }
            InstKind::InsertElement => {
                let (vec, elem) = (self.reg(data.operands[0])?, self.reg(data.operands[1])?);
                let (index, width) = (self.reg(data.operands[2])?, self.int_width(data.operands[2])?);
                self.push_agg(inst, AggOp::InsertElement { dst: self.dst(inst), vec, elem, index, width });
            }
            InstKind::ShuffleVector(mask) => {
                let (a, b) = (self.reg(data.operands[0])?, self.reg(data.operands[1])?);
                self.shape(data.ty)?;
                self.push_agg(inst, AggOp::Shuffle { dst: self.dst(inst), a, b, mask: mask.clone() });
            }
            InstKind::Fence(..) => self.push(inst, Op::Fence),
            InstKind::AtomicRmw(op, access) => {
                let mem = self.mem_op(data.ty, data.operands[0], access, Reg::MAX)?;
                let arg = self.reg(data.operands[1])?;
                let dst = self.dst(inst);
                self.push(inst, Op::Rmw(Box::new(RmwArgs { op: *op, dst, arg, mem })));
            }
            InstKind::CmpXchg(info) => {
                let mem = self.mem_op(body.ty(data.operands[1]), data.operands[0], &info.access, Reg::MAX)?;
                let (expected, new) = (self.reg(data.operands[1])?, self.reg(data.operands[2])?);
                let dst = self.dst(inst);
                let weak = info.weak;
                self.push(inst, Op::CmpXchg(Box::new(CmpXchgArgs { dst, expected, new, mem, weak })));
            }
            InstKind::VaArg => return Err(Feature::Instruction("va_arg")),
            InstKind::LandingPad { .. } => {
                let shape = self.shape(data.ty)?;
                self.push(inst, Op::LandingPad(self.dst(inst), Box::new(shape)));
            }
            InstKind::DebugRecord(_) => {}
        }
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
