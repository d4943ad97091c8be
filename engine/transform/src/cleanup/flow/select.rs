//! If-conversion of branches around little code: executes both sides, and a `select` chooses the value.
//!
//! ```text
//! block ── c ──► side ──┐          block: …; what `side` computes; select c, …
//!   └──────────────────►join        └──► join
//! ```
//! The other side may have a block of its own. The instructions of a side must have no side effects and no UB; they
//! keep their flags, since only the selects use them, and choose them exactly where they were executed before. A
//! branch on poison was UB, a `select` on poison is only poison. Vectors are selected as a whole by one scalar
//! condition, so lanes that are poison or undef stay so, and no others become so. A vector costs as many instructions
//! as it fills registers.
//!
//! Guarantees: loop-simplify form and LCSSA form are kept, since all blocks are in the same loops, and neither the
//! side nor the join block is a header.

use crate::pass::Unit;
use crate::shape::Shape;
use crate::{debug_records, weights};
use backedge_ir::body::Body;
use backedge_ir::builder::Builder;
use backedge_ir::editor::Position;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::{InstKind, Value};
use backedge_ir::metadata::{MdKind, MdRef};
use backedge_ir::module::Env;
use backedge_ir::types::Type;

/// Maximum number of instructions on both sides, all of which then execute on every path; a vector instruction counts
/// once for each register.
const MOST_COMPUTED: u64 = 3;
/// Maximum number of selects that replace a branch, counted in the same way.
const MOST_SELECTS: u64 = 2;
/// Percentage from which on a branch is predictable (LLVM's `-predictable-branch-threshold`).
const PREDICTABLE: u64 = 99;
/// Bits of a vector register; a wider value fills several.
const REGISTER: u64 = 128;

/// A branch whose sides join again.
struct Hammock {
    block: Block,
    condition: Value,
    /// The predecessor of `join` on each side: the side block, or `block` itself.
    from: [Block; 2],
    join: Block,
}

/// Replaces branches of `blocks` around little code; returns their number.
pub fn branches_to_selects(unit: &mut Unit<'_>, blocks: &[Block]) -> usize {
    let mut replaced = 0;
    for &block in blocks {
        if !unit.body().has_block(block) || !ends_in_branch(unit.body(), block) {
            continue;
        }
        let shape = unit.shape();
        if let Some(hammock) = hammock(unit.env(), unit.body(), &shape, block) {
            replace(unit, &hammock);
            replaced += 1;
        }
    }
    replaced
}

fn ends_in_branch(body: &Body, block: Block) -> bool {
    body.terminator(block).is_some_and(|t| matches!(body.inst(t).kind, InstKind::CondBr))
}

fn hammock(env: &Env, body: &Body, shape: &Shape, block: Block) -> Option<Hammock> {
    let branch = body.terminator(block)?;
    let &[if_true, if_false] = body.successors(block) else { return None };
    let side = |b: Block| -> Option<Block> {
        let alone =
            shape.cfg.preds(b) == [block] && !body.is_pinned(b) && shape.loops.with_header(b).is_none();
        let &[to] = body.successors(b) else { return None };
        let ends = matches!(body.inst(body.terminator(b)?).kind, InstKind::Br);
        (alone && ends).then_some(to)
    };
    let (join, from) = match (side(if_true), side(if_false)) {
        (Some(a), Some(b)) if a == b => (a, [if_true, if_false]),
        (Some(a), _) if a == if_false => (a, [if_true, block]),
        (_, Some(b)) if b == if_true => (b, [block, if_false]),
        _ => return None,
    };
    let sides: Vec<Block> = from.into_iter().filter(|b| *b != block).collect();
    let together =
        sides.iter().chain([&join]).all(|b| shape.loops.innermost(*b) == shape.loops.innermost(block));
    if !together
        || !may_be_selects(env, body, branch)
        || join == block
        || shape.loops.with_header(join).is_some()
    {
        return None;
    }
    let is_work = |i: &&Inst| {
        let kind = &body.inst(**i).kind;
        !kind.is_terminator() && !matches!(kind, InstKind::DebugRecord(_))
    };
    let work = |b: &Block| body.insts(*b).iter().filter(is_work).copied();
    let computed: Vec<Inst> = sides.iter().flat_map(work).collect();
    let mut chosen = body.phis(join).filter(|phi| {
        let [a, b] = from.map(|f| body.incoming_from(*phi, f));
        a != b
    });
    let computable = computed.iter().all(|i| may_be_computed(body, *i));
    let ty = |inst: Inst| body.inst(inst).ty;
    let work = computed.iter().map(|i| registers(env, ty(*i)).unwrap_or(1));
    let cheap = work.fold(0, u64::saturating_add) <= MOST_COMPUTED
        && chosen.try_fold(0, |n: u64, i| Some(n.saturating_add(registers(env, ty(i))?)))? <= MOST_SELECTS;
    let condition = body.inst(branch).operands[0];
    (computable && cheap).then_some(Hammock { block, condition, from, join })
}

/// Whether the metadata of `branch` allows selects: a predictable branch is cheaper than computing the other side's
/// values.
fn may_be_selects(env: &Env, body: &Body, branch: Inst) -> bool {
    let metadata = &body.inst(branch).metadata;
    let known = |k: &MdKind| matches!(k, MdKind::Dbg | MdKind::Prof | MdKind::Unpredictable);
    let is_foreseen = || {
        let weights = weights::of(env, body, branch).unwrap_or_default();
        let (all, most) = (weights.iter().sum::<u64>(), weights.iter().max().copied().unwrap_or(0));
        all > 0 && most.saturating_mul(100) >= all.saturating_mul(PREDICTABLE)
    };
    let unforeseen = metadata.iter().any(|(k, _)| *k == MdKind::Unpredictable);
    metadata.iter().all(|(k, _)| known(k)) && (unforeseen || !is_foreseen())
}

/// The number of registers that a value of type `ty` fills; `None` if unknown, or if a `select` can't choose it.
fn registers(env: &Env, ty: Type) -> Option<u64> {
    if env.types.fixed_vector(ty).is_some() {
        return Some(env.layout.size_bits(&env.types, ty)?.div_ceil(REGISTER).max(1));
    }
    (ty.is_int() || ty.is_ptr() || ty.is_float()).then_some(1)
}

/// Whether `inst` can be executed speculatively: it has no side effect, and no UB for any operands.
fn may_be_computed(body: &Body, inst: Inst) -> bool {
    match body.inst(inst).kind {
        InstKind::Binary(op, _) => !op.is_division(),
        ref kind => kind.is_pure(),
    }
}

fn replace(unit: &mut Unit<'_>, hammock: &Hammock) {
    let &Hammock { block, condition, from, join } = hammock;
    let mut editor = unit.editor();
    for side in from.into_iter().filter(|b| *b != block) {
        let insts: Vec<Inst> = editor.body().insts(side).to_vec();
        for inst in insts {
            match editor.body().inst(inst).kind {
                InstKind::DebugRecord(_) => debug_records::make_unknown_at(&mut editor, inst, block),
                ref kind if kind.is_terminator() => {}
                _ => editor.move_to(inst, Position::BeforeTerminator(block)),
            }
        }
    }
    let said = editor.body().terminator(block).map(|b| editor.body().inst(b).metadata.clone());
    let of_choice = |(k, _): &(MdKind, MdRef)| matches!(k, MdKind::Prof | MdKind::Unpredictable);
    let said: Vec<(MdKind, MdRef)> = said.unwrap_or_default().into_iter().filter(of_choice).collect();
    let phis: Vec<Inst> = editor.body().phis(join).collect();
    let mut entries = Vec::new();
    for phi in phis {
        let [Some(a), Some(b)] = from.map(|f| editor.body().incoming_from(phi, f)) else { continue };
        let value = if a == b {
            a
        } else {
            let mut at = Builder::new(&mut editor, Position::BeforeTerminator(block));
            let select = at.select(condition, a, b, "");
            if let Some(inst) = select.as_inst() {
                said.iter().for_each(|(kind, node)| editor.set_metadata(inst, kind.clone(), *node));
            }
            select
        };
        entries.push((phi, value));
    }
    for side in from {
        editor.remove_edge_from_phis(join, side);
    }
    for (phi, value) in entries {
        editor.add_incoming(phi, value, block);
    }
    if let Some(branch) = editor.body().terminator(block) {
        editor.remove(branch);
    }
    for side in from.into_iter().filter(|b| *b != block) {
        if let Some(branch) = editor.body().terminator(side) {
            editor.remove(branch);
        }
        editor.remove_block(side);
    }
    Builder::new(&mut editor, Position::End(block)).br(join);
}
