//! Inserts a load or store through an existing pointer, at an address that other code may access.

use super::work::{Work, is_place};
use backedge_ir::builder::Builder;
use backedge_ir::constant::GlobalRef;
use backedge_ir::editor::Position;
use backedge_ir::entity::Inst;
use backedge_ir::inst::{AllocaInfo, BinaryFlags, BinaryOp, GepFlags, InstData, InstKind, Value};
use backedge_ir::int::Int;
use backedge_ir::types::Type;

/// Size in bytes of a new object, as of those of generated programs.
const BYTES: u64 = 64;

pub(super) fn run(work: &mut Work<'_, '_, '_>) -> Option<()> {
    let before = work.place(is_place)?;
    let base = base(work, before)?;
    let address = address(work, base, before)?;
    if work.draw.bool() {
        let value = work.integer(before).or_else(|| work.constant(Type::I8))?;
        Builder::new(&mut work.editor, Position::Before(before)).store(value, address, Some(1));
        return Some(());
    }
    let like = work.integer(before).map(|v| work.body().ty(v));
    let ty = like.unwrap_or(Type::I8);
    let loaded = Builder::new(&mut work.editor, Position::Before(before)).load(ty, address, Some(1), "");
    work.create_use(loaded)
}

/// An available pointer; if there is none, a global variable or a new object.
fn base(work: &mut Work<'_, '_, '_>, before: Inst) -> Option<Value> {
    let there = work.available_of(Type::PTR, before);
    let vars: Vec<_> = work.env.vars.keys().filter(|v| work.env.vars[*v].addrspace == 0).collect();
    if let Some(value) = work.one_of(&there)
        && work.draw.chance(85)
    {
        return Some(value);
    }
    if let Some(var) = work.one_of(&vars) {
        return Some(work.editor.consts().global(Type::PTR, GlobalRef::Var(var)).into());
    }
    let entry = work.body().entry()?;
    let ty = work.env.types.array(BYTES, Type::I8);
    let info = AllocaInfo { ty, align: Some(8), inalloca: false, swifterror: false };
    let data = InstData::new(InstKind::Alloca(Box::new(info)), Type::PTR, [], []);
    Some(work.editor.insert(Position::AfterPhis(entry), data).into())
}

/// `base`, or `base` with a constant or variable offset in bytes.
fn address(work: &mut Work<'_, '_, '_>, base: Value, before: Inst) -> Option<Value> {
    let index = match work.draw.below(3) {
        0 => return Some(base),
        1 => {
            let offset = work.draw.below(16) as i128;
            work.editor.int(Int::from_i128(64, offset))
        }
        _ => {
            let Some(index) = work.integer(before) else { return Some(base) };
            let width = work.body().ty(index).int_bits()?;
            let mask = work.editor.int(Int::from_i128(width, 7));
            let mut builder = Builder::new(&mut work.editor, Position::Before(before));
            let masked = builder.binary(BinaryOp::And, index, mask, BinaryFlags::default(), "");
            work.resized(masked, Type::I64, before)?
        }
    };
    let inbounds = work.draw.chance(40);
    let flags = GepFlags { inbounds, nusw: inbounds, nuw: work.draw.chance(20) };
    let source = work.draw.pick(&[Type::I8, Type::I8, Type::I32]);
    let mut builder = Builder::new(&mut work.editor, Position::Before(before));
    Some(builder.gep(source, base, &[index], flags, ""))
}
