//! Changes an opcode: of an arithmetic operation, of an extension (`zext`, `sext`), or of a minimum or maximum.

use super::work::Work;
use backedge_ir::constant::GlobalRef;
use backedge_ir::entity::Inst;
use backedge_ir::inst::{BinaryOp, CastFlags, CastOp, InstKind, Use};
use backedge_ir::intrinsic::Intrinsic;

const MIN_MAX: [Intrinsic; 4] = [Intrinsic::UMin, Intrinsic::UMax, Intrinsic::SMin, Intrinsic::SMax];

pub(super) fn run(work: &mut Work<'_, '_, '_>) -> Option<()> {
    let may_change = |kind: &InstKind| {
        matches!(
            kind,
            InstKind::Binary(..) | InstKind::Cast(CastOp::ZExt | CastOp::SExt, _) | InstKind::Call(_)
        )
    };
    let inst = work.inst(|body, inst| may_change(&body.inst(inst).kind))?;
    let kind = match work.body().inst(inst).kind.clone() {
        InstKind::Binary(old, flags) => {
            let new = work.draw.pick(BinaryOp::ALL);
            // Keeps the flags, right or wrong, if both opcodes allow the same flags.
            let kept = if new.allowed_flags() == old.allowed_flags() { flags } else { work.flags(new) };
            (new != old).then_some(InstKind::Binary(new, kept))?
        }
        InstKind::Cast(CastOp::ZExt, _) => InstKind::Cast(CastOp::SExt, CastFlags::default()),
        InstKind::Cast(CastOp::SExt, _) => InstKind::Cast(CastOp::ZExt, CastFlags::default()),
        InstKind::Call(_) => return min_max(work, inst),
        _ => return None,
    };
    work.editor.set_kind(inst, kind);
    Some(())
}

fn min_max(work: &mut Work<'_, '_, '_>, inst: Inst) -> Option<()> {
    let data = work.body().inst(inst);
    let callee = data.call()?.callee();
    let func = work.body().called_function(callee)?;
    let index = data.operands.len() as u32 - 1;
    let header = &work.env.funcs[func];
    let old = header.intrinsic.filter(|i| MIN_MAX.contains(i))?;
    let (ty, suffix) = (header.ty, header.name.rsplit('.').next()?.to_owned());
    let new = work.draw.pick(&MIN_MAX);
    if new == old {
        return None;
    }
    let func = work.env.declare_intrinsic(&format!("llvm.{}.{suffix}", new.name()), ty)?;
    let pointer = work.body().ty(callee);
    let callee = work.editor.consts().global(pointer, GlobalRef::Func(func));
    work.editor.set_operand(Use { user: inst, index }, callee.into());
    Some(())
}
