//! Freezes an operand, or removes a `freeze`.

use super::work::{Work, place_of};
use backedge_ir::builder::Builder;
use backedge_ir::editor::Position;
use backedge_ir::inst::InstKind;

pub(super) fn run(work: &mut Work<'_, '_, '_>) -> Option<()> {
    if work.draw.chance(30)
        && let Some(inst) = work.inst(|body, inst| body.inst(inst).kind == InstKind::Freeze)
    {
        let operand = work.body().inst(inst).operands[0];
        if operand == inst.into() {
            return None;
        }
        work.editor.replace_uses(inst.into(), operand);
        work.editor.remove(inst);
        return Some(());
    }
    let (use_, old) =
        work.operand(|body, _, value| value.as_const().is_none() && !body.ty(value).is_float())?;
    let before = place_of(work.body(), use_);
    let mut builder = Builder::new(&mut work.editor, Position::Before(before));
    let frozen = builder.freeze(old, "");
    if work.draw.bool() {
        work.set_operand(use_, frozen);
    } else {
        // Replaces all dominated uses.
        work.refresh();
        let graph = work.graph.clone();
        let after = |body: &backedge_ir::body::Body, u| graph.dominators.dominates_use(body, frozen, u);
        work.editor
            .replace_uses_if(old, frozen, |body, u| Some(u.user) != frozen.as_inst() && after(body, u));
    }
    Some(())
}
