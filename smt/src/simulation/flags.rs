//! Flags of instructions: the instruction without them, and which flags promise or permit more than others.

use backedge_ir::inst::{BinaryFlags, CastFlags, GepFlags, InstKind};
use backedge_ir::opcode::{BinaryOp, CastOp, FastMath};

/// The instruction without flags.
pub(super) fn bare(kind: &InstKind) -> InstKind {
    match kind {
        InstKind::Binary(op, _) => InstKind::Binary(*op, BinaryFlags::default()),
        InstKind::Cast(op, _) => InstKind::Cast(*op, CastFlags::default()),
        InstKind::ICmp { pred, .. } => InstKind::ICmp { pred: *pred, samesign: false },
        InstKind::FNeg(_) => InstKind::FNeg(FastMath::NONE),
        InstKind::FloatBinary(op, _) => InstKind::FloatBinary(*op, FastMath::NONE),
        InstKind::FCmp(pred, _) => InstKind::FCmp(*pred, FastMath::NONE),
        InstKind::Select(_) => InstKind::Select(FastMath::NONE),
        other => other.clone(),
    }
}

/// Whether `weaker` is the same instruction as `kind` with some of its flags.
pub(super) fn has_fewer(weaker: &InstKind, kind: &InstKind) -> bool {
    match (weaker, kind) {
        (InstKind::Binary(a, w), InstKind::Binary(b, k)) => {
            a == b && w.nuw <= k.nuw && w.nsw <= k.nsw && w.exact <= k.exact && w.disjoint <= k.disjoint
        }
        (InstKind::Cast(a, w), InstKind::Cast(b, k)) => {
            a == b && w.nneg <= k.nneg && w.nuw <= k.nuw && w.nsw <= k.nsw && k.fast.contains(w.fast)
        }
        (InstKind::ICmp { pred: a, samesign: w }, InstKind::ICmp { pred: b, samesign: k }) => {
            a == b && w <= k
        }
        (InstKind::FNeg(w), InstKind::FNeg(k)) | (InstKind::Select(w), InstKind::Select(k)) => k.contains(*w),
        (InstKind::FloatBinary(a, w), InstKind::FloatBinary(b, k)) => a == b && k.contains(*w),
        (InstKind::FCmp(a, w), InstKind::FCmp(b, k)) => a == b && k.contains(*w),
        (a, b) => a == b,
    }
}

/// The instruction with the flags that both have; `None` for different instructions.
pub(super) fn common(a: &InstKind, b: &InstKind) -> Option<InstKind> {
    Some(match (a, b) {
        (InstKind::Binary(op, x), InstKind::Binary(other, y)) if op == other => {
            let flags = BinaryFlags {
                nuw: x.nuw && y.nuw,
                nsw: x.nsw && y.nsw,
                exact: x.exact && y.exact,
                disjoint: x.disjoint && y.disjoint,
            };
            InstKind::Binary(*op, flags)
        }
        (InstKind::Cast(op, x), InstKind::Cast(other, y)) if op == other => {
            let flags = CastFlags {
                nneg: x.nneg && y.nneg,
                nuw: x.nuw && y.nuw,
                nsw: x.nsw && y.nsw,
                fast: x.fast.intersect(y.fast),
            };
            InstKind::Cast(*op, flags)
        }
        _ => return (a == b).then(|| a.clone()),
    })
}

/// Whether `weaker` has some of the flags of `flags`. `inbounds` implies `nusw`.
pub(super) fn gep_has_fewer(weaker: GepFlags, flags: GepFlags) -> bool {
    weaker.inbounds <= flags.inbounds
        && weaker.nusw <= (flags.nusw || flags.inbounds)
        && weaker.nuw <= flags.nuw
}

/// Whether the instruction may give poison for operands that are neither poison nor undef.
pub(super) fn may_be_poison(kind: &InstKind) -> bool {
    match kind {
        InstKind::Binary(BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr, _) => true,
        InstKind::Binary(_, flags) => *flags != BinaryFlags::default(),
        InstKind::Cast(CastOp::FpToSi | CastOp::FpToUi, _) => true,
        InstKind::Cast(_, flags) => *flags != CastFlags::default(),
        InstKind::ICmp { samesign, .. } => *samesign,
        InstKind::FNeg(fast)
        | InstKind::FloatBinary(_, fast)
        | InstKind::FCmp(_, fast)
        | InstKind::Select(fast) => !fast.is_empty(),
        InstKind::ExtractValue(_) | InstKind::InsertValue(_) => false,
        _ => true,
    }
}

/// Whether two evaluations on equal operands may differ even if these have no undef bits: the payload of a NaN is
/// chosen, and so is what fast-math flags permit.
pub(super) fn chooses(kind: &InstKind) -> bool {
    match kind {
        InstKind::FloatBinary(..) | InstKind::Freeze => true,
        InstKind::Cast(op, flags) => matches!(op, CastOp::FpTrunc | CastOp::FpExt) || !flags.fast.is_empty(),
        InstKind::FNeg(fast) | InstKind::FCmp(_, fast) | InstKind::Select(fast) => !fast.is_empty(),
        _ => false,
    }
}

/// Whether the operation only moves its operands, so that undef bits stay what they are.
pub(super) fn only_moves(kind: &InstKind) -> bool {
    matches!(kind, InstKind::ExtractValue(_) | InstKind::InsertValue(_) | InstKind::ShuffleVector(_))
}
