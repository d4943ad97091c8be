//! Swaps the successors of a branch, mostly without inverting the condition.

use super::work::Work;
use backedge_ir::builder::Builder;
use backedge_ir::editor::Position;
use backedge_ir::inst::{BinaryFlags, BinaryOp, InstKind, Use};
use backedge_ir::int::Int;

pub(super) fn run(work: &mut Work<'_, '_, '_>) -> Option<()> {
    let branch = work.inst(|body, inst| body.inst(inst).kind == InstKind::CondBr)?;
    let data = work.body().inst(branch).clone();
    work.editor.set_successor(branch, 0, data.blocks[1]);
    work.editor.set_successor(branch, 1, data.blocks[0]);
    if work.draw.chance(30) {
        let one = work.editor.int(Int::bool(true));
        let mut builder = Builder::new(&mut work.editor, Position::Before(branch));
        let not = builder.binary(BinaryOp::Xor, data.operands[0], one, BinaryFlags::default(), "");
        work.editor.set_operand(Use { user: branch, index: 0 }, not);
    }
    (data.blocks[0] != data.blocks[1]).then_some(())
}
