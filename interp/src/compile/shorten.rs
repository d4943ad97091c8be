//! Selects the short form of each operation, and of pairs of operations that have a common one.

use super::Program;
use super::op::{CallOp, Callee, Code, GepTerm, LaneOp, MemOp, Op, ScalarOp, Signature};
use super::quick::{
    Access, Bin, Cmp, CmpBr, CmpSelect, Float, Gep, GepConst, INBOUNDS, Indexed, NSW, NUW, Near, Quick,
};
use super::reg::Reg;
use crate::layout::Shape;
use backedge_ir::attr::{MemoryEffects, ModRef};
use backedge_ir::body::Body;
use backedge_ir::inst::{BinaryFlags, BinaryOp, CastFlags, CastOp, FloatBinaryOp, IntPredicate};
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::types::FloatKind;

/// The short forms of all operations of `code`.
pub(super) fn shorten(program: &Program<'_>, body: &Body, code: &Code) -> Vec<Quick> {
    let shortener = Shortener { program, body, code };
    (0..code.ops.len())
        .map(|pc| shortener.pair(pc).or_else(|| shortener.single(pc)).unwrap_or(Quick::Full))
        .collect()
}

struct Shortener<'a> {
    program: &'a Program<'a>,
    body: &'a Body,
    code: &'a Code,
}

fn near(reg: Reg) -> Option<Near> {
    Near::try_from(reg).ok()
}

/// 64 minus the width.
fn drop(width: u32) -> Option<u8> {
    64u32.checked_sub(width).map(|d| d as u8)
}

impl Shortener<'_> {
    #[expect(clippy::wildcard_enum_match_arm, reason = "the rest has no short form")]
    fn single(&self, pc: usize) -> Option<Quick> {
        match &self.code.ops[pc] {
            Op::Lanes(op) if op.lanes.is_none() => lanes(op),
            Op::Gep(_) => self.gep_const(pc).map(Quick::GepConst).or_else(|| self.gep(pc).map(Quick::Gep)),
            Op::Load(op) => {
                let access = self.access(op)?;
                Some(match op.shape.scalar_bits()? {
                    _ if op.shape.is_ptr() => Quick::LoadPtr(access),
                    8 => Quick::Load8(access),
                    16 => Quick::Load16(access),
                    32 => Quick::Load32(access),
                    _ => Quick::Load64(access),
                })
            }
            Op::Store(op) => {
                let access = self.access(op)?;
                Some(match op.shape.scalar_bits()? {
                    _ if op.shape.is_ptr() => Quick::StorePtr(access),
                    8 => Quick::Store8(access),
                    16 => Quick::Store16(access),
                    32 => Quick::Store32(access),
                    _ => Quick::Store64(access),
                })
            }
            Op::Br(edge) => Some(Quick::Br(*edge)),
            Op::CondBr { cond, if_true, if_false } if *if_false == if_true + 1 => {
                Some(Quick::CondBr { cond: near(*cond)?, edge: *if_true })
            }
            Op::Switch(op) => near(op.value).map(Quick::Switch),
            Op::Call(op) => self.is_plain_call(op).then_some(Quick::Call),
            Op::Ret(None) => Some(Quick::RetVoid),
            Op::Ret(Some(reg)) => near(*reg).map(Quick::Ret),
            _ => None,
        }
    }
    /// The joint short form of the operation at `pc` and the next one.
    fn pair(&self, pc: usize) -> Option<Quick> {
        match (&self.code.ops[pc], self.code.ops.get(pc + 1)?) {
            (Op::Lanes(first), Op::CondBr { cond, if_true, if_false }) if *cond == first.dst => {
                let (kind, cmp) = comparison(first)?;
                let pair = CmpBr { cmp, edge: *if_true };
                (*if_false == if_true + 1).then_some(match kind {
                    Kind::Eq => Quick::EqBr(pair),
                    Kind::Ult => Quick::UltBr(pair),
                    Kind::Slt => Quick::SltBr(pair),
                })
            }
            (Op::Lanes(first), Op::Lanes(second)) => {
                let (kind, cmp) = comparison(first)?;
                let Some(Quick::Select { dst, cond, a, b }) = lanes(second) else { return None };
                if cond != cmp.dst || a == cond || b == cond || !self.used_once(pc) {
                    return None;
                }
                let pair = CmpSelect { cmp: Cmp { dst, ..cmp }, if_true: a, if_false: b };
                Some(match kind {
                    Kind::Eq => Quick::EqSelect(pair),
                    Kind::Ult => Quick::UltSelect(pair),
                    Kind::Slt => Quick::SltSelect(pair),
                })
            }
            (Op::Gep(first), Op::Load(second)) if second.ptr == first.dst => {
                let indexed = self.indexed(pc, second)?;
                match second.shape.scalar_bits()? {
                    8 => Some(Quick::LoadAt8(indexed)),
                    32 => Some(Quick::LoadAt32(indexed)),
                    64 => Some(Quick::LoadAt64(indexed)),
                    _ => None,
                }
            }
            (Op::Gep(first), Op::Store(second)) if second.ptr == first.dst && second.val != first.dst => {
                let indexed = self.indexed(pc, second)?;
                match second.shape.scalar_bits()? {
                    8 => Some(Quick::StoreAt8(indexed)),
                    32 => Some(Quick::StoreAt32(indexed)),
                    64 => Some(Quick::StoreAt64(indexed)),
                    _ => None,
                }
            }
            _ => None,
        }
    }
    /// Whether the result of the operation at `pc` has exactly one use.
    fn used_once(&self, pc: usize) -> bool {
        self.body.uses(self.code.places[pc].into()).len() == 1
    }
    fn access(&self, op: &MemOp) -> Option<Access> {
        let bits = match op.shape {
            Shape::Int(bits) => bits,
            Shape::Float(kind) => kind.bits(),
            Shape::Ptr(64) => 64,
            Shape::Ptr(_) | Shape::Vector { .. } | Shape::Array { .. } | Shape::Struct { .. } => return None,
        };
        if !matches!(bits, 8 | 16 | 32 | 64)
            || op.volatile
            || op.synchronizes
            || self.program.memory.big_endian
        {
            return None;
        }
        let align_log2 = op.align.trailing_zeros() as u8;
        Some(Access { val: near(op.val)?, ptr: near(op.ptr)?, align_log2 })
    }
    /// The short form of the address arithmetic at `pc` with the following access.
    fn indexed(&self, pc: usize, access: &MemOp) -> Option<Indexed> {
        let gep = self.gep(pc)?;
        let Access { val, align_log2, .. } = self.access(access).filter(|_| !access.shape.is_ptr())?;
        Some(Indexed { gep, val, align_log2 })
    }
    /// Address arithmetic with exactly one index that is not a constant zero.
    fn gep(&self, pc: usize) -> Option<Gep> {
        let Op::Gep(op) = &self.code.ops[pc] else { return None };
        let flags = self.gep_flags(op)?;
        let zero = |t: &GepTerm| match t {
            GepTerm::Const(bytes) => *bytes == 0,
            GepTerm::Index { reg, .. } => self.constant(*reg) == Some(0),
        };
        let mut terms = op.terms.iter().filter(|t| !zero(t));
        let (Some(GepTerm::Index { reg, width, scale }), None) = (terms.next(), terms.next()) else {
            return None;
        };
        let (index, scale) = (near(*reg)?, u16::try_from(*scale).ok()?);
        let (dst, base) = (near(op.dst)?, near(op.base)?);
        Some(Gep { dst, base, index, drop: drop(*width)?, flags, scale })
    }
    fn gep_const(&self, pc: usize) -> Option<GepConst> {
        let Op::Gep(op) = &self.code.ops[pc] else { return None };
        let flags = self.gep_flags(op)?;
        let mut sum = 0u64;
        for term in &op.terms {
            let offset = match term {
                GepTerm::Const(bytes) => *bytes,
                GepTerm::Index { reg, width, scale } => {
                    // A negative index would appear as a large one.
                    let index = self.constant(*reg).filter(|i| *width <= 64 && i >> (width - 1) == 0)?;
                    index.checked_mul(*scale)?
                }
            };
            sum = sum.checked_add(offset)?;
        }
        let offset = u32::try_from(sum).ok()?;
        Some(GepConst { dst: near(op.dst)?, base: near(op.base)?, flags, offset })
    }
    /// The flags, if the short forms support them. `inbounds` implies that offsets do not wrap in the signed sense.
    fn gep_flags(&self, op: &super::op::GepOp) -> Option<u8> {
        let known = op.lanes.is_none()
            && (!op.flags.nusw || op.flags.inbounds)
            && (op.pointer_bits, op.index_bits) == (64, 64);
        let flag = |set: bool, flag: u8| if set { flag } else { 0 };
        known.then_some(flag(op.flags.nuw, NUW) | flag(op.flags.inbounds, INBOUNDS))
    }
    /// The word in a constant's register.
    fn constant(&self, reg: Reg) -> Option<u64> {
        if reg < self.code.first_const { None } else { self.code.template.plain(reg) }
    }
    fn is_plain_call(&self, op: &CallOp) -> bool {
        let Callee::Func(func) = op.callee else { return false };
        let Ok(callee) = self.program.signature(func) else { return false };
        let facts = op.arg_facts.iter().chain([&op.ret_facts, &op.ret_metadata]);
        let plain = facts.flatten().all(|f| f.is_noundef_alone())
            && op.invoke.is_none()
            && !op.musttail
            && !op.effects.noreturn
            && op.returned.is_none()
            && restricts_nothing(op.effects.memory)
            && op.fn_ty == callee.fn_ty
            && op.args.len() == callee.params.len()
            && op.args.iter().all(|r| near(*r).is_some());
        plain && self.program.is_defined(func) && is_plain_callee(callee)
    }
}

fn restricts_nothing(memory: MemoryEffects) -> bool {
    [memory.argmem, memory.other, memory.errnomem].iter().all(|m| *m == ModRef::READ_WRITE)
}

/// Whether a callee takes its arguments and returns its result without facts or copies.
fn is_plain_callee(callee: &Signature) -> bool {
    let facts = callee.param_facts.iter().chain([&callee.ret_facts]);
    facts.flatten().all(|f| f.is_noundef_alone())
        && !callee.effects.noreturn
        && !callee.must_not_recur
        && callee.returned.is_none()
        && restricts_nothing(callee.effects.memory)
        && callee.byval.iter().all(Option::is_none)
        && callee.restrictions.iter().all(|r| r.is_none())
}

/// The basic comparisons; all others swap operands or negate the result.
enum Kind {
    Eq,
    Ult,
    Slt,
}

#[expect(clippy::wildcard_enum_match_arm, reason = "the rest is no comparison")]
fn comparison(op: &LaneOp) -> Option<(Kind, Cmp)> {
    let (pred, width) = match op.op {
        ScalarOp::ICmp { pred, samesign: false, width, .. } if op.lanes.is_none() => (pred, width),
        _ => return None,
    };
    let (kind, swap, negate) = match pred {
        IntPredicate::Eq => (Kind::Eq, false, false),
        IntPredicate::Ne => (Kind::Eq, false, true),
        IntPredicate::Ult => (Kind::Ult, false, false),
        IntPredicate::Uge => (Kind::Ult, false, true),
        IntPredicate::Ugt => (Kind::Ult, true, false),
        IntPredicate::Ule => (Kind::Ult, true, true),
        IntPredicate::Slt => (Kind::Slt, false, false),
        IntPredicate::Sge => (Kind::Slt, false, true),
        IntPredicate::Sgt => (Kind::Slt, true, false),
        IntPredicate::Sle => (Kind::Slt, true, true),
    };
    let (a, b) = (near(op.args[0])?, near(op.args[1])?);
    let (a, b) = if swap { (b, a) } else { (a, b) };
    Some((kind, Cmp { dst: near(op.dst)?, a, b, drop: drop(width)?, negate }))
}

#[expect(clippy::wildcard_enum_match_arm, reason = "the rest has no short form")]
fn lanes(op: &LaneOp) -> Option<Quick> {
    let dst = near(op.dst)?;
    match &op.op {
        ScalarOp::Binary(which, flags, width) => {
            let (a, b) = (near(op.args[0])?, near(op.args[1])?);
            let set = |on: bool, flag: u8| if on { flag } else { 0 };
            let bits = set(flags.nuw, NUW) | set(flags.nsw, NSW);
            binary(*which, *flags, Bin { dst, a, b, drop: drop(*width)?, flags: bits })
        }
        ScalarOp::ICmp { .. } => comparison(op).map(|(kind, cmp)| match kind {
            Kind::Eq => Quick::Eq(cmp),
            Kind::Ult => Quick::Ult(cmp),
            Kind::Slt => Quick::Slt(cmp),
        }),
        ScalarOp::Float(which, fast, Shape::Float(kind)) if fast.is_empty() => {
            let double = match kind {
                FloatKind::Double => true,
                FloatKind::Float => false,
                _ => return None,
            };
            let args = Float { dst, a: near(op.args[0])?, b: near(op.args[1])?, double };
            match which {
                FloatBinaryOp::FAdd => Some(Quick::FAdd(args)),
                FloatBinaryOp::FSub => Some(Quick::FSub(args)),
                FloatBinaryOp::FMul => Some(Quick::FMul(args)),
                FloatBinaryOp::FDiv => Some(Quick::FDiv(args)),
                FloatBinaryOp::FRem => None,
            }
        }
        ScalarOp::Intrinsic { which, shape: Shape::Int(width), .. } => {
            let (a, b) = (near(*op.args.first()?)?, near(*op.args.get(1)?)?);
            let args = Bin { dst, a, b, drop: drop(*width)?, flags: 0 };
            match which {
                Intrinsic::UMin => Some(Quick::UMin(args)),
                Intrinsic::UMax => Some(Quick::UMax(args)),
                Intrinsic::SMin => Some(Quick::SMin(args)),
                Intrinsic::SMax => Some(Quick::SMax(args)),
                _ => None,
            }
        }
        ScalarOp::Cast { op: cast, flags, from: Shape::Int(from), to: Shape::Int(to) } => {
            let (a, from, to) = (near(op.args[0])?, drop(*from)?, drop(*to)?);
            let plain = *flags == CastFlags::default();
            match cast {
                CastOp::Trunc if plain => Some(Quick::Trunc { dst, a, drop: to }),
                CastOp::ZExt if plain => Some(Quick::Copy { dst, a }),
                CastOp::SExt => Some(Quick::SExt { dst, a, from_drop: from, to_drop: to }),
                _ => None,
            }
        }
        ScalarOp::Select(fast, shape) if fast.is_empty() && shape.scalar_bits().is_some() => {
            Some(Quick::Select { dst, cond: near(op.args[0])?, a: near(op.args[1])?, b: near(op.args[2])? })
        }
        _ => None,
    }
}

fn binary(op: BinaryOp, flags: BinaryFlags, args: Bin) -> Option<Quick> {
    let wraps = args.flags == 0;
    Some(match op {
        BinaryOp::Add if wraps => Quick::Add(args),
        BinaryOp::Add => Quick::AddFlags(args),
        BinaryOp::Sub if wraps => Quick::Sub(args),
        BinaryOp::Sub => Quick::SubFlags(args),
        BinaryOp::Mul if wraps => Quick::Mul(args),
        BinaryOp::Mul => Quick::MulFlags(args),
        BinaryOp::Shl if wraps => Quick::Shl(args),
        BinaryOp::Shl => Quick::ShlFlags(args),
        BinaryOp::LShr if flags.exact => Quick::LShrExact(args),
        BinaryOp::LShr => Quick::LShr(args),
        BinaryOp::AShr if flags.exact => Quick::AShrExact(args),
        BinaryOp::AShr => Quick::AShr(args),
        BinaryOp::And => Quick::And(args),
        BinaryOp::Or if flags.disjoint => Quick::OrDisjoint(args),
        BinaryOp::Or => Quick::Or(args),
        BinaryOp::Xor => Quick::Xor(args),
        BinaryOp::UDiv | BinaryOp::SDiv if flags.exact => return None,
        BinaryOp::UDiv => Quick::UDiv(args),
        BinaryOp::SDiv => Quick::SDiv(args),
        BinaryOp::URem => Quick::URem(args),
        BinaryOp::SRem => Quick::SRem(args),
    })
}
