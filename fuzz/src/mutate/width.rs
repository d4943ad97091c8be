//! Changes the width of all integers of one width in a function. Constants keep their value if it fits, constants
//! near a limit keep their distance from it, and others lose upper bits. The other functions of the module lose their
//! bodies.

use crate::generate::draw::Draw;
use crate::reduce::edit::repair_cast;
use backedge_ir::editor::Editor;
use backedge_ir::entity::{FuncId, Inst};
use backedge_ir::inst::{CastOp, InstKind};
use backedge_ir::int::Int;
use backedge_ir::module::Module;
use backedge_ir::retype::{int_widths, with_int_widths};
use backedge_ir::types::Type;
use std::collections::BTreeMap;

/// The new widths, in bits. A width that the module uses already is skipped.
const WIDTHS: [u32; 14] = [8, 4, 3, 16, 32, 64, 2, 5, 7, 13, 33, 31, 63, 128];

pub(super) fn run(module: &mut Module, func: FuncId, draw: &mut Draw<'_, '_>) -> Option<()> {
    let (own, others) = int_widths(module, func)?;
    // The type `i1` of conditions stays.
    let from: Vec<u32> = own.iter().copied().filter(|w| *w > 1 && *w <= Type::MAX_INT_BITS).collect();
    let to: Vec<u32> = WIDTHS.into_iter().filter(|w| !own.contains(w) && !others.contains(w)).collect();
    if from.is_empty() || to.is_empty() {
        return None;
    }
    let (from, to) = (draw.pick(&from), draw.pick(&to));
    let widths = BTreeMap::from([(from, to)]);
    let mut copy = with_int_widths(module, func, &widths, &|int| Some(number(int, to))).ok()?;
    let (_, body) = copy.body_mut(func)?;
    let casts: Vec<Inst> = body
        .all_insts()
        .filter(|i| {
            matches!(body.inst(*i).kind, InstKind::Cast(CastOp::Trunc | CastOp::ZExt | CastOp::SExt, _))
        })
        .collect();
    let mut editor = Editor::new(body);
    casts.into_iter().for_each(|cast| repair_cast(&mut editor, cast));
    *module = copy;
    Some(())
}

fn number(int: Int, to: u32) -> Int {
    let from = int.width();
    if to < from {
        let fits = !int.trunc_loses_signed(to) || !int.trunc_loses_unsigned(to);
        return if fits { int.trunc(to) } else { int.extract(from - to, to) };
    }
    // The minimum and maximum and their neighbors keep their distance from the limit.
    let from_limit = |limit: Int| int.sub(limit).sext(to);
    let near = |limit: Int| int.sub(limit).signed().unsigned_abs() <= 2 && from > 4;
    if near(Int::signed_max(from)) {
        Int::signed_max(to).add(from_limit(Int::signed_max(from)))
    } else if near(Int::signed_min(from)) {
        Int::signed_min(to).add(from_limit(Int::signed_min(from)))
    } else {
        int.sext(to)
    }
}
