//! Reassociation: rewrites an expression of the loop so that a part of it is loop-invariant, and computes that part
//! before the loop.
//!
//! | in the loop | becomes | before the loop |
//! |---|---|---|
//! | `gep (gep p, var), inv` | `gep (gep p, inv), var` | `gep p, inv` |
//! | `gep p, (var + inv)` | `gep (gep p, inv), var` | `gep p, inv` |
//! | `(var op a) op b`, of `+ * & \| ^` | `var op (a op b)` | `a op b` |
//! | `var < a && var < b` | `var < min(a, b)` | `min(a, b)` |
//! | `(var + a) < b`, `(var + a) == b` | `var < b - a` | `b - a` |
//!
//! Check: the intermediate results have no other use, and both forms are equal: addresses and integers are modulo a
//! power of two; for ordered comparisons, neither the sum nor the difference wraps. Decide: each rewrite takes work
//! out of the loop, so all are done; except that an extended sum known not to wrap stays, since widening its counter
//! needs the flag. Apply: immediately, so that longer chains are rewritten from the inside out.
//!
//! The new instructions get the flags that follow from the old ones, so that the hoisted part is poison only if the
//! original expression was:
//!
//! | flag | kept if both had it and |
//! |---|---|
//! | `nuw` of sums, addresses | always: a partial sum is at most the sum |
//! | `nuw` of products | in the loop only; not on the hoisted part, since the omitted factor may be zero |
//! | `nsw` of sums | none of the three is negative, or `a + b` is known to be in range |
//! | `nsw` of products | `a * b` is known to be in range |
//! | `disjoint` | always |
//! | `inbounds`, `nusw` | no index is negative (and an index that is a sum does not wrap as signed) |
//! | of the difference `b - a` | it was shown not to wrap, signed or unsigned like the comparison |
//!
//! Facts about operands are those at the expression: the new instructions have no other use.

use crate::fold::fold;
use crate::pass::Unit;
use crate::shape::Shape;
use backedge_analysis::LoopId;
use backedge_analysis::cache::At;
use backedge_analysis::range::Overflow;
use backedge_analysis::values::facts_at_scale_at;
use backedge_ir::body::Body;
use backedge_ir::constant::GlobalRef;
use backedge_ir::editor::Position;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::{BinaryFlags, BinaryOp, CallInfo, CastOp, GepFlags, InstData, InstKind, Value};
use backedge_ir::int::Int;
use backedge_ir::opcode::IntPredicate as P;
use backedge_ir::types::Type;
use smallvec::{SmallVec, smallvec};

/// The part that is computed before the loop.
enum Invariant {
    Known(Int),
    Code(InstData, &'static str),
    /// Minimum or maximum, by the intrinsic of that name; the second operand may be poison where the first comparison
    /// decides.
    Extreme {
        name: &'static str,
        of: [Value; 2],
        freeze: bool,
    },
}

/// An instruction and its replacement.
struct Rewrite {
    inst: Inst,
    /// The instructions that become unused.
    inner: SmallVec<[Inst; 2]>,
    invariant: Invariant,
    kind: InstKind,
    /// `None` is the invariant part.
    operands: SmallVec<[Option<Value>; 4]>,
}

/// Reassociates expressions in the blocks of the loop `l` itself; returns the number of rewritten expressions.
pub(super) fn run(unit: &mut Unit<'_>, shape: &Shape, l: LoopId, preheader: Block) -> usize {
    let blocks: Vec<Block> = shape.loops.own_blocks(l).collect();
    let mut done = 0;
    for block in blocks {
        for inst in unit.body().insts(block).to_vec() {
            let of = Expression { body: unit.body(), shape, l };
            // Instructions removed by earlier rewrites precede this one.
            if let Some(rewrite) = of.find(unit, inst)
                && apply(unit, preheader, rewrite).is_some()
            {
                done += 1;
            }
        }
    }
    done
}

/// The context of the expressions.
#[derive(Copy, Clone)]
struct Expression<'a> {
    body: &'a Body,
    shape: &'a Shape,
    l: LoopId,
}

impl<'a> Expression<'a> {
    fn find(self, unit: &Unit<'_>, inst: Inst) -> Option<Rewrite> {
        self.body.block_of(inst)?;
        match self.body.inst(inst).kind {
            InstKind::Gep { .. } => self.address(unit, inst).or_else(|| self.address_of_sum(unit, inst)),
            InstKind::Binary(op, flags) => self
                .chain(unit.at(), inst, op, flags)
                .or_else(|| self.two_bounds(inst, op == BinaryOp::And, false)),
            InstKind::Select(_) => self.logical(inst),
            InstKind::ICmp { pred, .. } => self.shifted(unit.at(), inst, pred),
            _ => None,
        }
    }
    fn is_invariant(self, value: Value) -> bool {
        self.shape.loops.is_invariant(self.body, self.l, value)
    }
    /// An instruction of the loop itself that has a single use.
    fn inner(self, value: Value) -> Option<Inst> {
        let inst = value.as_inst()?;
        let block = self.body.block_of(inst)?;
        let own = self.shape.loops.innermost(block) == Some(self.l);
        (own && self.body.code_uses(value).count() == 1).then_some(inst)
    }
    /// The variant and the invariant operand, if there is one of each.
    fn parted(self, inst: Inst) -> Option<(Value, Value)> {
        let &[a, b] = self.body.inst(inst).operands.as_slice() else { return None };
        match (self.is_invariant(a), self.is_invariant(b)) {
            (false, true) => Some((a, b)),
            (true, false) => Some((b, a)),
            _ => None,
        }
    }

    fn gep(self, inst: Inst) -> Option<(Type, GepFlags, Value, &'a [Value])> {
        let data = self.body.inst(inst);
        let InstKind::Gep { source, flags } = data.kind else { return None };
        let (&base, indices) = data.operands.split_first()?;
        let scalar = data.ty.is_ptr()
            && self.body.ty(base) == data.ty
            && indices.iter().all(|i| self.body.ty(*i).is_int());
        (scalar && !indices.is_empty()).then_some((source, flags, base, indices))
    }
    /// `gep (gep p, var), inv`.
    fn address(self, unit: &Unit<'_>, inst: Inst) -> Option<Rewrite> {
        let (source, flags, from, by) = self.gep(inst)?;
        let inner = self.inner(from)?;
        let (inner_source, inner_flags, base, inner_by) = self.gep(inner)?;
        let fits = self.is_invariant(base)
            && by.iter().all(|v| self.is_invariant(*v))
            && !inner_by.iter().all(|v| self.is_invariant(*v));
        if !fits {
            return None;
        }
        let ty = self.body.ty(base);
        let bits = unit.env().layout.index_bits(ty.ptr_space()?);
        let nusw = (flags.inbounds || flags.nusw) && (inner_flags.inbounds || inner_flags.nusw);
        // Indices wider than the index type would be truncated.
        let forward = |v: &Value| {
            self.body.ty(*v).int_bits().is_some_and(|w| w <= bits) && is_not_negative(unit.at(), inst, *v)
        };
        let nusw = nusw && by.iter().chain(inner_by).all(forward);
        let inbounds = nusw && flags.inbounds && inner_flags.inbounds;
        let flags = GepFlags { inbounds, nusw, nuw: flags.nuw && inner_flags.nuw };
        let first = std::iter::once(base).chain(by.iter().copied());
        Some(Rewrite {
            inst,
            inner: smallvec![inner],
            invariant: Invariant::Code(
                InstData::new(InstKind::Gep { source, flags }, ty, first, []),
                "invariant.gep",
            ),
            kind: InstKind::Gep { source: inner_source, flags },
            operands: std::iter::once(None).chain(inner_by.iter().copied().map(Some)).collect(),
        })
    }
    /// `gep p, (var + inv)`.
    fn address_of_sum(self, unit: &Unit<'_>, inst: Inst) -> Option<Rewrite> {
        let (source, flags, base, by) = self.gep(inst)?;
        let ty = self.body.ty(base);
        let &[index] = by else { return None };
        let sum = self.inner(index).filter(|_| self.is_invariant(base))?;
        let InstKind::Binary(BinaryOp::Add, sum_flags) = self.body.inst(sum).kind else { return None };
        let (variant, invariant) = self.parted(sum)?;
        let bits = unit.env().layout.index_bits(ty.ptr_space()?);
        if self.body.ty(index).int_bits() != Some(bits) {
            return None;
        }
        let at = unit.at();
        let nusw = (flags.inbounds || flags.nusw)
            && [variant, invariant].iter().all(|v| is_not_negative(at, inst, *v))
            && (sum_flags.nsw || stays_in_range(at, inst, BinaryOp::Add, [variant, invariant], true));
        let flags = GepFlags { inbounds: nusw && flags.inbounds, nusw, nuw: flags.nuw && sum_flags.nuw };
        let kind = InstKind::Gep { source, flags };
        Some(Rewrite {
            inst,
            inner: smallvec![sum],
            invariant: Invariant::Code(
                InstData::new(kind.clone(), ty, [base, invariant], []),
                "invariant.gep",
            ),
            kind,
            operands: smallvec![None, Some(variant)],
        })
    }

    /// `(var op a) op b`.
    fn chain(self, at: At<'_>, inst: Inst, op: BinaryOp, flags: BinaryFlags) -> Option<Rewrite> {
        let associative =
            matches!(op, BinaryOp::Add | BinaryOp::Mul | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor);
        let ty = self.body.inst(inst).ty;
        if !associative || !ty.is_int() || flags.nsw && self.is_extended(inst) {
            return None;
        }
        let (outer, b) = self.parted(inst)?;
        let inner = self.inner(outer)?;
        let InstKind::Binary(inner_op, inner_flags) = self.body.inst(inner).kind else { return None };
        let (variant, a) = self.parted(inner).filter(|_| inner_op == op)?;
        let nuw = flags.nuw && inner_flags.nuw;
        let in_range = || match op {
            BinaryOp::Add if [variant, a, b].iter().all(|v| is_not_negative(at, inst, *v)) => true,
            BinaryOp::Add | BinaryOp::Mul => stays_in_range(at, inst, op, [a, b], true),
            _ => false,
        };
        let nsw = flags.nsw && inner_flags.nsw && in_range();
        let disjoint = flags.disjoint && inner_flags.disjoint;
        let kept = |nuw| InstKind::Binary(op, BinaryFlags { nuw, nsw, disjoint, ..BinaryFlags::default() });
        // A product with zero does not wrap, whatever the other factor is.
        let first = kept(nuw && op == BinaryOp::Add);
        let known = match (self.body.as_int(a), self.body.as_int(b)) {
            (Some(a), Some(b)) => Some(fold(&InstKind::Binary(op, BinaryFlags::default()), ty, &[a, b])?),
            _ => None,
        };
        let code = || Invariant::Code(InstData::new(first, ty, [a, b], []), "invariant.op");
        Some(Rewrite {
            inst,
            inner: smallvec![inner],
            invariant: known.map_or_else(code, Invariant::Known),
            kind: kept(nuw),
            operands: smallvec![Some(variant), None],
        })
    }
    fn is_extended(self, inst: Inst) -> bool {
        let extends =
            |i: Inst| matches!(self.body.inst(i).kind, InstKind::Cast(CastOp::SExt | CastOp::ZExt, _));
        self.body.uses(inst.into()).iter().any(|u| extends(u.user))
    }

    /// `select (var < a), (var < b), false` and `select (var < a), true, (var < b)`.
    fn logical(self, inst: Inst) -> Option<Rewrite> {
        let &[condition, yes, no] = self.body.inst(inst).operands.as_slice() else { return None };
        let known = |v| self.body.as_int(v).filter(|_| self.body.ty(v) == Type::I1);
        match (known(yes), known(no)) {
            (None, Some(no)) if no.is_zero() => self.bounds(inst, [condition, yes], true, true),
            (Some(yes), None) if yes.is_one() => self.bounds(inst, [condition, no], false, true),
            _ => None,
        }
    }
    fn two_bounds(self, inst: Inst, both: bool, logical: bool) -> Option<Rewrite> {
        let data = self.body.inst(inst);
        let InstKind::Binary(BinaryOp::And | BinaryOp::Or, _) = data.kind else { return None };
        let &[a, b] = data.operands.as_slice() else { return None };
        if data.ty == Type::I1 { self.bounds(inst, [a, b], both, logical) } else { None }
    }
    /// Two comparisons of one value, combined by `and` if `both`, otherwise by `or`.
    fn bounds(self, inst: Inst, tests: [Value; 2], both: bool, logical: bool) -> Option<Rewrite> {
        let [(first, pred, variant, a), (second, pred2, variant2, b)] =
            [self.bound(tests[0])?, self.bound(tests[1])?];
        if first == second || pred != pred2 || variant != variant2 {
            return None;
        }
        let (less, signed) = match pred {
            P::Ult | P::Ule => (true, false),
            P::Slt | P::Sle => (true, true),
            P::Ugt | P::Uge => (false, false),
            P::Sgt | P::Sge => (false, true),
            P::Eq | P::Ne => return None,
        };
        let name = match (less == both, signed) {
            (true, false) => "umin",
            (true, true) => "smin",
            (false, false) => "umax",
            (false, true) => "smax",
        };
        Some(Rewrite {
            inst,
            inner: smallvec![first, second],
            invariant: Invariant::Extreme { name, of: [a, b], freeze: logical },
            kind: InstKind::ICmp { pred, samesign: false },
            operands: smallvec![Some(variant), None],
        })
    }
    /// An integer comparison: the instruction, and its form `variant pred invariant`.
    fn bound(self, test: Value) -> Option<(Inst, P, Value, Value)> {
        let inst = self.inner(test)?;
        let InstKind::ICmp { pred, .. } = self.body.inst(inst).kind else { return None };
        let (pred, variant, invariant) = self.compared(inst, pred)?;
        Some((inst, pred, variant, invariant))
    }
    fn compared(self, inst: Inst, pred: P) -> Option<(P, Value, Value)> {
        let (variant, invariant) = self.parted(inst)?;
        let swapped = self.body.inst(inst).operands[0] == invariant;
        let pred = if swapped { pred.swapped() } else { pred };
        self.body.ty(variant).is_int().then_some((pred, variant, invariant))
    }

    /// `(var + a) pred b` and `(var - a) pred b`.
    fn shifted(self, at: At<'_>, inst: Inst, pred: P) -> Option<Rewrite> {
        let (pred, shifted, b) = self.compared(inst, pred)?;
        let inner = self.inner(shifted)?;
        let InstKind::Binary(op, flags) = self.body.inst(inner).kind else { return None };
        let (variant, a) = self.parted(inner)?;
        let back = match op {
            BinaryOp::Add => BinaryOp::Sub,
            BinaryOp::Sub if self.body.inst(inner).operands[1] == a => BinaryOp::Add,
            _ => return None,
        };
        let ordered = !matches!(pred, P::Eq | P::Ne);
        let (nsw, nuw) = (ordered && pred.is_signed(), ordered && !pred.is_signed());
        let same = !ordered
            || (if nsw { flags.nsw } else { flags.nuw }) && stays_in_range(at, inst, back, [b, a], nsw);
        let ty = self.body.ty(variant);
        let kind = InstKind::Binary(back, BinaryFlags { nuw, nsw, ..BinaryFlags::default() });
        let invariant = match (self.body.as_int(b), self.body.as_int(a)) {
            (Some(b), Some(a)) => Invariant::Known(fold(&kind, ty, &[b, a])?),
            _ => Invariant::Code(InstData::new(kind, ty, [b, a], []), "invariant.op"),
        };
        same.then(|| Rewrite {
            inst,
            inner: smallvec![inner],
            invariant,
            kind: InstKind::ICmp { pred, samesign: false },
            operands: smallvec![Some(variant), None],
        })
    }
}

/// Whether `value` is known to be non-negative at `inst`.
fn is_not_negative(at: At<'_>, inst: Inst, value: Value) -> bool {
    let least = facts_at_scale_at(at, value, inst).and_then(|facts| facts.range.signed_min());
    least.is_some_and(|least| !least.is_negative())
}

/// Whether `a op b` is known not to wrap at `inst`.
fn stays_in_range(at: At<'_>, inst: Inst, op: BinaryOp, of: [Value; 2], signed: bool) -> bool {
    let [Some(a), Some(b)] = of.map(|v| facts_at_scale_at(at, v, inst)) else { return false };
    let overflow =
        if signed { a.range.signed_overflow(op, b.range) } else { a.range.unsigned_overflow(op, b.range) };
    overflow == Overflow::Never
}

/// Applies the rewrite; fails if the module uses the name of the needed intrinsic for something else.
fn apply(unit: &mut Unit<'_>, preheader: Block, rewrite: Rewrite) -> Option<()> {
    let Rewrite { inst, inner, invariant, kind, operands } = rewrite;
    let end = Position::BeforeTerminator(preheader);
    let invariant: Value = match invariant {
        Invariant::Known(int) => unit.editor().int(int),
        Invariant::Code(data, name) => unit.editor().insert_named(end, data, name).into(),
        Invariant::Extreme { name, of: [a, mut b], freeze } => {
            let ty = unit.body().ty(a);
            let bits = ty.int_bits()?;
            let callee = unit.declare_intrinsic(&format!("llvm.{name}.i{bits}"), ty, &[ty, ty])?;
            let (fn_ty, global) = (unit.env().funcs[callee].ty, GlobalRef::Func(callee));
            let address_ty = unit.env().address_type(global);
            let mut editor = unit.editor();
            if freeze && editor.body().as_int(b).is_none() {
                b = editor.insert_new(end, InstData::new(InstKind::Freeze, ty, [b], [])).into();
            }
            let address: Value = editor.consts().global(address_ty, global).into();
            let call = InstKind::Call(Box::new(CallInfo::plain(fn_ty, 2)));
            let named = format!("invariant.{name}");
            editor.insert_named(end, InstData::new(call, ty, [a, b, address], []), &named).into()
        }
    };
    let mut editor = unit.editor();
    let ty = editor.body().inst(inst).ty;
    let operands = operands.into_iter().map(|v| v.unwrap_or(invariant));
    let name = editor.body().value_name(inst.into()).map(str::to_owned);
    let new = editor.insert_new(Position::Before(inst), InstData::new(kind, ty, operands, []));
    editor.replace_uses(inst.into(), new.into());
    editor.remove(inst);
    if let Some(name) = name {
        editor.set_name(new, &name);
    }
    for gone in inner {
        editor.remove(gone);
    }
    Some(())
}
