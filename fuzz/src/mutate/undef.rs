//! Replaces an operand with undef or poison.

use super::work::Work;
use backedge_ir::constant::ConstData;

pub(super) fn run(work: &mut Work<'_, '_, '_>) -> Option<()> {
    let (use_, old) = work.operand(|body, _, value| {
        let data = value.as_const().map(|c| &body.constant(c).data);
        !matches!(data, Some(ConstData::Undef | ConstData::Poison))
    })?;
    let ty = work.body().ty(old);
    let new =
        if work.draw.chance(60) { work.editor.consts().undef(ty).into() } else { work.editor.poison(ty) };
    work.set_operand(use_, new);
    Some(())
}
