//! Sets or clears a flag: poison-generating flags, fast-math flags, `volatile`, alignment, `tail`.

use super::work::Work;
use backedge_ir::inst::{BinaryFlags, BinaryOp, CastFlags, CastOp, FastMath, InstKind, MemAccess, TailKind};

pub(super) fn run(work: &mut Work<'_, '_, '_>) -> Option<()> {
    let inst = work.inst(|body, inst| has_flags(&body.inst(inst).kind))?;
    let mut kind = work.body().inst(inst).kind.clone();
    match &mut kind {
        InstKind::Binary(op, flags) => binary(work, *op, flags)?,
        InstKind::Cast(op, flags) => cast(work, *op, flags)?,
        InstKind::ICmp { samesign, .. } => *samesign ^= true,
        InstKind::Gep { flags, .. } => match work.draw.below(3) {
            0 => {
                flags.inbounds ^= true;
                // `inbounds` implies `nusw`.
                flags.nusw = flags.inbounds;
            }
            1 => flags.nuw ^= true,
            _ if flags.inbounds => flags.nuw ^= true,
            _ => flags.nusw ^= true,
        },
        InstKind::FNeg(fast) | InstKind::FloatBinary(_, fast) | InstKind::FCmp(_, fast) => {
            let flag = work.draw.pick(&[FastMath::NNAN, FastMath::NINF, FastMath::NSZ, FastMath::REASSOC]);
            *fast = if fast.contains(flag) { fast.without(flag) } else { fast.union(flag) };
        }
        InstKind::Load(access) | InstKind::Store(access) => memory(work, access),
        InstKind::Call(info) => {
            info.tail = if info.tail == TailKind::None { TailKind::Tail } else { TailKind::None };
        }
        _ => return None,
    }
    work.editor.set_kind(inst, kind);
    Some(())
}

fn has_flags(kind: &InstKind) -> bool {
    match kind {
        InstKind::Binary(op, _) => op.allowed_flags() != (false, false, false),
        InstKind::Cast(op, _) => matches!(op, CastOp::ZExt | CastOp::Trunc | CastOp::UiToFp),
        // `musttail` is not a flag that can be changed freely.
        InstKind::Call(info) => info.tail != TailKind::MustTail,
        InstKind::ICmp { .. }
        | InstKind::Gep { .. }
        | InstKind::FNeg(_)
        | InstKind::FloatBinary(..)
        | InstKind::FCmp(..)
        | InstKind::Load(_)
        | InstKind::Store(_) => true,
        _ => false,
    }
}

fn binary(work: &mut Work<'_, '_, '_>, op: BinaryOp, flags: &mut BinaryFlags) -> Option<()> {
    match op.allowed_flags() {
        (true, ..) => {
            let flag = if work.draw.bool() { &mut flags.nsw } else { &mut flags.nuw };
            *flag ^= true;
        }
        (_, true, _) => flags.exact ^= true,
        (_, _, true) => flags.disjoint ^= true,
        _ => return None,
    }
    Some(())
}

fn cast(work: &mut Work<'_, '_, '_>, op: CastOp, flags: &mut CastFlags) -> Option<()> {
    let flag = match op {
        CastOp::ZExt | CastOp::UiToFp => &mut flags.nneg,
        CastOp::Trunc if work.draw.bool() => &mut flags.nuw,
        CastOp::Trunc => &mut flags.nsw,
        _ => return None,
    };
    *flag ^= true;
    Some(())
}

fn memory(work: &mut Work<'_, '_, '_>, access: &mut MemAccess) {
    if work.draw.chance(30) && access.ordering.is_none() {
        access.volatile ^= true;
    } else {
        access.align = Some(work.draw.pick(&[1, 2, 4, 8, 16]));
    }
}
