//! Adds unreachable code that branches to reachable code: one or two blocks before a block, with phi entries for
//! them.

use super::work::Work;
use backedge_ir::editor::Position;
use backedge_ir::entity::Block;
use backedge_ir::inst::{BinaryFlags, BinaryOp, InstData, InstKind, Use};
use backedge_ir::types::Type;

pub(super) fn run(work: &mut Work<'_, '_, '_>) -> Option<()> {
    let blocks: Vec<Block> = work.body().blocks().filter(|b| work.may_be_target(*b)).collect();
    let (target, other) = (work.one_of(&blocks)?, work.one_of(&blocks)?);
    let after = work.one_of(&blocks)?;
    let never = work.editor.add_block_after(after, Some("never"));
    let targets = match work.draw.below(3) {
        0 => vec![target],
        1 => vec![target, other],
        _ => vec![target, never],
    };
    let end = if let [only] = *targets {
        InstData::new(InstKind::Br, Type::VOID, [], [only])
    } else {
        let condition = work.constant(Type::I1)?;
        InstData::new(InstKind::CondBr, Type::VOID, [condition], targets.clone())
    };
    work.editor.set_terminator(never, end);
    if work.draw.bool() {
        insert_self_use(work, never);
    }
    work.refresh();
    for target in targets {
        work.add_to_phis(target, never)?;
    }
    Some(())
}

/// Inserts an instruction in `block` that uses its own result, which is valid in unreachable code.
fn insert_self_use(work: &mut Work<'_, '_, '_>, block: Block) {
    let ty = work.draw.pick(&[Type::I1, Type::I8, Type::I32]);
    let poison = work.editor.poison(ty);
    let kind = InstKind::Binary(BinaryOp::Add, BinaryFlags::default());
    let data = InstData::new(kind, ty, [poison, poison], []);
    let user = work.editor.insert(Position::BeforeTerminator(block), data);
    work.editor.set_operand(Use { user, index: 0 }, user.into());
}
