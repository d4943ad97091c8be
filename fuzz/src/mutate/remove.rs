//! Removes an instruction; its users get another value.

use super::work::Work;
use backedge_ir::types::Type;

pub(super) fn run(work: &mut Work<'_, '_, '_>) -> Option<()> {
    let inst = work.inst(|body, inst| !body.inst(inst).kind.is_terminator())?;
    let ty = work.body().inst(inst).ty;
    if ty != Type::VOID && !work.body().uses(inst.into()).is_empty() {
        let operands: Vec<_> = work.body().inst(inst).operands.to_vec();
        let body = work.body();
        let like: Vec<_> = operands.into_iter().filter(|v| body.ty(*v) == ty && *v != inst.into()).collect();
        let new = match work.one_of(&like) {
            Some(value) if work.draw.chance(70) => value,
            _ => work.value(ty, inst)?,
        };
        work.editor.replace_uses(inst.into(), new);
    }
    work.editor.remove(inst);
    Some(())
}
