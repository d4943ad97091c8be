//! Facts of a value from the facts of its operands: one evaluation step.

use super::facts::Facts;
use crate::cache::At;
use crate::effects::called_function;
use crate::known_bits::KnownBits;
use crate::must_execute::called_intrinsic;
use crate::range::{ConstantRange, Overflow};
use backedge_ir::attr::{Attr, AttrList, FlagAttr, IntAttr};
use backedge_ir::constant::{ConstData, GlobalRef};
use backedge_ir::entity::{Arg, Const, EntityId, GlobalId, Inst};
use backedge_ir::inst::{BinaryFlags, CastFlags, GepFlags, InstData, InstKind, Value};
use backedge_ir::int::Int;
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::metadata::{MdKind, MdRef};
use backedge_ir::module::{Env, Linkage};
use backedge_ir::opcode::{BinaryOp, CastOp};
use backedge_ir::types::{Type, TypeKind};

/// The width of the integers or addresses in `ty`, if values of that type have facts.
pub fn width_of(env: &Env, ty: Type) -> Option<u32> {
    let width = match env.types.scalar(ty).kind() {
        TypeKind::Int(bits) => bits,
        TypeKind::Ptr(space) => env.layout.pointer(space).bits,
        TypeKind::Void
        | TypeKind::Label
        | TypeKind::Metadata
        | TypeKind::Token
        | TypeKind::Float(_)
        | TypeKind::Compound(_) => return None,
    };
    (width <= Int::MAX_WIDTH).then_some(width)
}

/// Limit on the nesting depth of constants: bounds the recursion. Nothing is known about the elements of a deeper
/// constant.
const DEPTH: u32 = 4;
/// Limit on the number of elements of a constant vector: each is evaluated. Nothing is known about a longer vector.
const ELEMENTS: usize = 64;

/// The facts of a constant.
pub fn constant(at: At<'_>, c: Const) -> Option<Facts> {
    constant_within(at, c, DEPTH)
}

fn constant_within(at: At<'_>, c: Const, depth: u32) -> Option<Facts> {
    let constant = at.body.constant(c);
    let width = width_of(at.env, constant.ty)?;
    Some(match &constant.data {
        ConstData::Int(value) => Facts::constant(*value),
        ConstData::Zero => Facts::constant(Int::zero(width)),
        ConstData::Poison => Facts::none(width),
        ConstData::Splat(of) if depth > 0 => constant_within(at, *of, depth - 1)?,
        ConstData::Aggregate(of) if depth > 0 && of.len() <= ELEMENTS => {
            let mut facts = Facts::none(width);
            for c in of {
                facts = facts.join(constant_within(at, *c, depth - 1)?);
            }
            facts
        }
        ConstData::Global(GlobalRef::Var(var)) => global(at.env, *var, width),
        _ => Facts::unknown(width),
    })
}

/// The address of a global variable: aligned, and not null if null is no object in its address space.
fn global(env: &Env, var: GlobalId, width: u32) -> Facts {
    let data = &env.vars[var];
    let align = data.align.or_else(|| env.layout.abi_align(&env.types, data.ty)).unwrap_or(1);
    let mut facts = aligned(width, align);
    if data.linkage != Linkage::ExternWeak && data.addrspace == 0 {
        facts = facts.meet(non_null(width));
    }
    facts
}

fn aligned(width: u32, align: u64) -> Facts {
    Facts::from_bits(KnownBits::with_trailing_zeros(width, align.max(1).trailing_zeros().min(width - 1)))
}

fn non_null(width: u32) -> Facts {
    Facts::from_range(ConstantRange::constant(Int::zero(width)).inverse())
}

/// The facts that attributes of a parameter or result imply; a value that violates an attribute is poison.
fn attributes(env: &Env, list: &AttrList, ty: Type, width: u32) -> Facts {
    let is_ptr = env.types.scalar(ty).is_ptr();
    let mut facts = Facts::unknown(width);
    for attr in env.attrs(list) {
        facts = match attr {
            Attr::Range(lo, hi) if lo.width() == width => {
                facts.meet(Facts::from_range(ConstantRange::non_empty(*lo, *hi)))
            }
            Attr::Int(IntAttr::Align, align) if is_ptr => facts.meet(aligned(width, *align)),
            Attr::Flag(FlagAttr::NonNull) if is_ptr => facts.meet(non_null(width)),
            _ => facts,
        };
    }
    facts
}

/// The facts of an argument from its attributes.
pub fn argument(at: At<'_>, arg: Arg) -> Option<Facts> {
    let ty = at.body.ty(arg.into());
    let width = width_of(at.env, ty)?;
    let list = at.func.and_then(|f| at.env.funcs[f].param_attrs.get(arg.index()));
    Some(list.map_or(Facts::unknown(width), |l| attributes(at.env, l, ty, width)))
}

/// The facts of the result of `inst`; `operand` returns the facts of an operand by index. `None` for types without
/// facts. A phi is the join of all incoming values; the caller may refine `operand` per edge.
pub fn instruction(at: At<'_>, inst: Inst, operand: &mut dyn FnMut(usize) -> Option<Facts>) -> Option<Facts> {
    let data = at.body.inst(inst);
    let width = width_of(at.env, data.ty)?;
    Some(Step { at, data, width, operand }.run(inst).unwrap_or(Facts::unknown(width)))
}

struct Step<'a, 'o> {
    at: At<'a>,
    data: &'a InstData,
    width: u32,
    operand: &'o mut dyn FnMut(usize) -> Option<Facts>,
}

impl Step<'_, '_> {
    fn op(&mut self, index: usize) -> Option<Facts> {
        (self.operand)(index)
    }
    fn run(&mut self, inst: Inst) -> Option<Facts> {
        match &self.data.kind {
            InstKind::Binary(op, flags) => Some(binary(*op, *flags, self.op(0)?, self.op(1)?)),
            InstKind::Cast(op, flags) => self.cast(*op, *flags),
            InstKind::ICmp { pred, .. } => {
                let known = self.op(0)?.icmp(*pred, self.op(1)?)?;
                Some(Facts::constant(Int::bool(known)))
            }
            InstKind::Select(_) => self.select(),
            InstKind::Phi(_) => self.all(),
            InstKind::Freeze => self.freeze(inst),
            InstKind::Alloca(info) => {
                let env = self.at.env;
                let align = info.align.or_else(|| env.layout.abi_align(&env.types, info.ty)).unwrap_or(1);
                let space = self.data.ty.ptr_space();
                let facts = aligned(self.width, align);
                Some(if space == Some(0) { facts.meet(non_null(self.width)) } else { facts })
            }
            InstKind::Load(_) => Some(self.load()),
            InstKind::Gep { source, flags } => self.gep(*source, *flags),
            InstKind::Call(_) | InstKind::Invoke(_) | InstKind::CallBr(_) => Some(self.call()),
            InstKind::ExtractValue(path) => self.with_overflow(path),
            InstKind::ExtractElement => self.op(0),
            InstKind::InsertElement => Some(self.op(0)?.join(self.op(1)?)),
            // Lanes that are not selected are poison.
            InstKind::ShuffleVector(_) => Some(self.op(0)?.join(self.op(1)?)),
            _ => None,
        }
    }
    fn all(&mut self) -> Option<Facts> {
        let mut facts = Facts::none(self.width);
        for i in 0..self.data.operands.len() {
            facts = facts.join(self.op(i)?);
        }
        Some(facts)
    }
    fn select(&mut self) -> Option<Facts> {
        let condition = self.op(0).and_then(Facts::as_constant);
        match condition {
            Some(c) => self.op(if c.is_one() { 1 } else { 2 }),
            None => Some(self.op(1)?.join(self.op(2)?)),
        }
    }
    fn freeze(&mut self, inst: Inst) -> Option<Facts> {
        use crate::poison::{Defined, is_guaranteed_defined};
        let value = self.data.operands[0];
        let keeps = is_guaranteed_defined(self.at, value, Some(inst), Defined::NotPoison);
        if keeps { self.op(0) } else { None }
    }
    fn cast(&mut self, op: CastOp, flags: CastFlags) -> Option<Facts> {
        let (from, to) = (self.op(0)?, self.width);
        let scalar_types = || {
            let lanes = |ty: Type| self.at.env.types.fixed_vector(ty).map(|(n, _)| n);
            lanes(self.data.ty) == lanes(self.at.body.ty(self.data.operands[0]))
        };
        match op {
            CastOp::Trunc => Some(Facts::new(
                from.bits.trunc(to, flags.nuw, flags.nsw),
                from.range.trunc(to, flags.nuw, flags.nsw),
            )),
            CastOp::ZExt => Some(Facts::new(from.bits.zext(to, flags.nneg), from.range.zext(to, flags.nneg))),
            CastOp::SExt => Some(Facts::new(from.bits.sext(to), from.range.sext(to))),
            CastOp::PtrToInt | CastOp::PtrToAddr | CastOp::IntToPtr => Some(if to <= from.width() {
                Facts::new(from.bits.trunc(to, false, false), from.range.trunc(to, false, false))
            } else {
                Facts::new(from.bits.zext(to, false), from.range.zext(to, false))
            }),
            CastOp::BitCast if from.width() == to && scalar_types() => Some(from),
            _ => None,
        }
    }
    fn load(&self) -> Facts {
        let env = self.at.env;
        let mut facts = Facts::unknown(self.width);
        if let Some(MdRef::Node(id)) = self.data.metadata_of(&MdKind::Range)
            && let Some(ranges) = env.metadata.ranges(*id, &env.consts)
            && ranges.iter().all(|(lo, _)| lo.width() == self.width)
        {
            facts = facts.meet(Facts::from_range(ranges_of(self.width, &ranges)));
        }
        if self.data.metadata_of(&MdKind::NonNull).is_some() {
            facts = facts.meet(non_null(self.width));
        }
        if let Some(MdRef::Node(id)) = self.data.metadata_of(&MdKind::Align)
            && let Some([backedge_ir::metadata::MdOperand::Const(c)]) = env.metadata.tuple(*id)
            && let Some(align) = env.consts.as_int(*c).and_then(Int::to_u64)
        {
            facts = facts.meet(aligned(self.width, align));
        }
        facts
    }
    fn gep(&mut self, source: Type, flags: GepFlags) -> Option<Facts> {
        let (env, body) = (self.at.env, self.at.body);
        let space = env.types.scalar(self.data.ty).ptr_space()?;
        if env.layout.index_bits(space) != self.width {
            return None;
        }
        let mut sum = self.op(0)?;
        let mut ty = source;
        let nuw = BinaryFlags { nuw: flags.nuw, ..BinaryFlags::default() };
        for i in 1..self.data.operands.len() {
            let index = self.data.operands[i];
            let step = if i == 1 { Some(source) } else { None };
            let stride = match step {
                Some(ty) => env.layout.alloc_bytes(&env.types, ty)?,
                None => match env.types.struct_fields(ty) {
                    Some(_) => {
                        let field = body.as_int(index)?.to_u64()?;
                        let layout = env.layout.struct_layout(&env.types, ty)?;
                        let offset = *layout.offsets.get(usize::try_from(field).ok()?)?;
                        sum = binary(BinaryOp::Add, nuw, sum, Facts::constant(self.number(offset)));
                        ty = env.types.member(ty, field)?;
                        continue;
                    }
                    None => {
                        ty = env.types.member(ty, 0)?;
                        env.layout.alloc_bytes(&env.types, ty)?
                    }
                },
            };
            let index = resize(self.op(i)?, self.width);
            let scaled =
                binary(BinaryOp::Mul, BinaryFlags::default(), index, Facts::constant(self.number(stride)));
            sum = binary(BinaryOp::Add, nuw, sum, scaled);
        }
        Some(sum)
    }
    fn number(&self, n: u64) -> Int {
        Int::new(self.width, n.into())
    }
    fn call(&mut self) -> Facts {
        let unknown = Facts::unknown(self.width);
        let Some(call) = self.data.call() else { return unknown };
        let (env, ty) = (self.at.env, self.data.ty);
        let mut facts = attributes(env, &call.info.ret_attrs, ty, self.width);
        if let Some(func) = called_function(self.at.body, call) {
            facts = facts.meet(attributes(env, &env.funcs[func].ret_attrs, ty, self.width));
        }
        if let Some(intrinsic) = called_intrinsic(env, self.at.body, call) {
            facts = facts.meet(self.intrinsic(intrinsic).unwrap_or(unknown));
        }
        facts
    }
    fn intrinsic(&mut self, intrinsic: Intrinsic) -> Option<Facts> {
        use Intrinsic as I;
        let a = self.op(0)?;
        let flag = |this: &Self| this.at.body.as_int(this.data.operands[1]).is_some_and(Int::is_one);
        if a.is_none() {
            return Some(Facts::none(self.width));
        }
        let one = |bits: KnownBits, range: ConstantRange| Some(Facts::new(bits, range));
        match intrinsic {
            I::Abs => one(a.bits.abs(flag(self)), a.range.abs(flag(self))),
            I::Ctpop => one(a.bits.ctpop(), a.range.ctpop()),
            I::Ctlz => one(a.bits.ctlz(flag(self)), a.range.ctlz(flag(self))),
            I::Cttz => one(a.bits.cttz(flag(self)), a.range.cttz(flag(self))),
            I::BSwap => Some(Facts::from_bits(a.bits.bswap())),
            I::BitReverse => Some(Facts::from_bits(a.bits.bitreverse())),
            I::Expect | I::ExpectWithProbability | I::SsaCopy | I::Annotation => Some(a),
            I::PtrMask => Some(Facts::from_bits(a.bits.and(resize(self.op(1)?, a.width()).bits))),
            I::UMin | I::UMax | I::SMin | I::SMax | I::UAddSat | I::USubSat | I::SAddSat | I::SSubSat => {
                let b = self.op(1)?;
                two(intrinsic, a, b)
            }
            I::FShl | I::FShr => {
                let (b, c) = (self.op(1)?, self.op(2)?);
                let shifted = if intrinsic == I::FShl {
                    a.bits.fshl(b.bits, c.bits)
                } else {
                    a.bits.fshr(b.bits, c.bits)
                };
                Some(Facts::from_bits(shifted))
            }
            I::UCmp | I::SCmp => {
                let (low, high) = (Int::all_ones(self.width), Int::one(self.width));
                Some(Facts::from_range(ConstantRange::inclusive(low, high)))
            }
            _ => None,
        }
    }
    /// The facts of a part of an arithmetic-with-overflow result.
    fn with_overflow(&mut self, path: &[u32]) -> Option<Facts> {
        let inst = self.data.operands[0].as_inst()?;
        let call = self.at.body.inst(inst).call()?;
        let intrinsic = called_intrinsic(self.at.env, self.at.body, call)?;
        let (op, signed) = intrinsic.arithmetic_with_overflow()?;
        // The operands belong to the intrinsic call; special indices denote them.
        let (a, b) = (self.op(usize::MAX - 1)?, self.op(usize::MAX)?);
        if path == [0] {
            return Some(binary(op, BinaryFlags::default(), a, b));
        }
        let overflow = if signed {
            a.range.signed_overflow(op, b.range)
        } else {
            a.range.unsigned_overflow(op, b.range)
        };
        match overflow {
            Overflow::Never => Some(Facts::constant(Int::bool(false))),
            Overflow::AlwaysHigh | Overflow::AlwaysLow => Some(Facts::constant(Int::bool(true))),
            Overflow::Maybe => None,
        }
    }
}

/// The operand of `inst` that an evaluation requests by `index`. [`usize::MAX`] - 1 and [`usize::MAX`] denote the first
/// and second argument of the call whose result an `extractvalue` reads.
pub fn operand_of(at: At<'_>, inst: Inst, index: usize) -> Option<Value> {
    let data = at.body.inst(inst);
    if index < data.operands.len() {
        return Some(data.operands[index]);
    }
    let call = at.body.inst(data.operands.first()?.as_inst()?).call()?;
    call.args().get(usize::from(index == usize::MAX)).copied()
}

/// Evaluates a binary operation in both lattices.
pub fn binary(op: BinaryOp, flags: BinaryFlags, a: Facts, b: Facts) -> Facts {
    if a.is_none() || b.is_none() {
        return Facts::none(a.width());
    }
    if learns_nothing(op, flags, a, b) {
        return Facts::unknown(a.width());
    }
    Facts::new(
        KnownBits::binary(op, flags, a.bits, b.bits),
        ConstantRange::binary(op, flags, a.range, b.range),
    )
}

/// Whether the result is certainly unknown: a shortcut for the common case. Does not apply to one-bit integers.
fn learns_nothing(op: BinaryOp, flags: BinaryFlags, a: Facts, b: Facts) -> bool {
    if a.width() == 1 {
        return false;
    }
    match (a.is_unknown(), b.is_unknown()) {
        (true, true) => true,
        // With one unknown operand, these operations can yield every result.
        (true, false) | (false, true) => {
            matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Xor) && flags == BinaryFlags::default()
        }
        (false, false) => false,
    }
}

fn two(intrinsic: Intrinsic, a: Facts, b: Facts) -> Option<Facts> {
    type Bits = fn(KnownBits, KnownBits) -> KnownBits;
    type Range = fn(ConstantRange, ConstantRange) -> ConstantRange;
    let (bits, range): (Bits, Range) = match intrinsic {
        Intrinsic::UMin => (KnownBits::umin, ConstantRange::umin),
        Intrinsic::UMax => (KnownBits::umax, ConstantRange::umax),
        Intrinsic::SMin => (KnownBits::smin, ConstantRange::smin),
        Intrinsic::SMax => (KnownBits::smax, ConstantRange::smax),
        Intrinsic::UAddSat => (KnownBits::uadd_sat, ConstantRange::uadd_sat),
        Intrinsic::USubSat => (KnownBits::usub_sat, ConstantRange::usub_sat),
        Intrinsic::SAddSat => (KnownBits::sadd_sat, ConstantRange::sadd_sat),
        Intrinsic::SSubSat => (KnownBits::ssub_sat, ConstantRange::ssub_sat),
        _ => return None,
    };
    Some(Facts::new(bits(a.bits, b.bits), range(a.range, b.range)))
}

/// Truncates or sign-extends, as GEP indices are.
fn resize(facts: Facts, width: u32) -> Facts {
    if width <= facts.width() {
        Facts::new(facts.bits.trunc(width, false, false), facts.range.trunc(width, false, false))
    } else {
        Facts::new(facts.bits.sext(width), facts.range.sext(width))
    }
}

/// The smallest range that contains all half-open ranges of a `!range` node.
fn ranges_of(width: u32, ranges: &[(Int, Int)]) -> ConstantRange {
    let ranges = ranges.iter().map(|(lo, hi)| ConstantRange::non_empty(*lo, *hi));
    ranges.fold(ConstantRange::empty(width), ConstantRange::union)
}
