//! Unswitching by copies: each outcome of a decision gets its own copy of the loop.
//!
//! The header's phis have an entry from the preheader in each copy; exits get one entry per edge of each copy.
//! Unreachable code is removed from a copy, so a copy may have fewer exits and fewer inner loops, may leave a
//! surrounding loop, or may not be a loop at all. The caller restores preheaders and dedicated exits afterwards.

use super::apply::{Guard, Hoisted, hoisted_metadata, know, make_condition};
use super::branch::add_same_edge;
use super::candidates::{Candidate, Decides};
use super::check::Facts;
use super::condition::Invariant;
use super::dead::{fold_single_phis, remove_dead};
use super::known::{fold_users, replace_in};
use super::one_way;
use crate::clone::{Copies, copy_blocks};
use crate::debug_records;
use crate::edges::go_to;
use crate::shape::Shape;
use backedge_ir::editor::Editor;
use backedge_ir::entity::{Block, EntitySet, Inst};
use backedge_ir::inst::{InstData, InstKind, Use, Value};
use backedge_ir::int::Int;
use backedge_ir::types::Type;

/// One of the resulting loops; the first is the original loop.
struct UnswitchedLoop {
    copies: Copies,
    blocks: EntitySet<Block>,
}

/// Unswitches the loop on `candidate`; returns the headers of the copies. The values in `freeze` are frozen for the
/// condition before the loop.
pub(super) fn unswitch(
    editor: &mut Editor<'_>,
    shape: &Shape,
    facts: &Facts,
    candidate: &Candidate,
    freeze: &[Value],
) -> Vec<Block> {
    let records = debug_records::after(editor.body(), &facts.blocks);
    debug_records::detach(editor, &records);
    let mut sides =
        vec![UnswitchedLoop { copies: Copies::default(), blocks: facts.blocks.iter().copied().collect() }];
    let mut last = facts.blocks.last().copied().unwrap_or(facts.header);
    for _ in 1..candidate.sides() {
        let copies = copy_blocks(editor, &facts.blocks, "us", last);
        last = copies.block(last_of(facts));
        let blocks = facts.blocks.iter().map(|b| copies.block(*b)).collect();
        sides.push(UnswitchedLoop { copies, blocks });
    }
    choose_in_front(editor, shape, facts, candidate, freeze, &sides);
    let mut users = Vec::new();
    for (index, side) in sides.iter().enumerate() {
        learn(editor, candidate, index, side, &mut users);
    }
    fold_users(editor, users);
    let mut made: EntitySet<Block> = sides[1..].iter().flat_map(|s| s.blocks.iter()).collect();
    if let Decides::Guard(_) = candidate.decides {
        made.extend(settle_guard(editor, candidate.site, &sides));
    }
    remove_dead(editor, &shape.cfg, &made);
    let all: Vec<Block> = sides.iter().flat_map(|s| s.blocks.iter()).collect();
    fold_single_phis(editor, &all);
    sides[1..].iter().map(|s| s.copies.block(facts.header)).collect()
}

fn last_of(facts: &Facts) -> Block {
    facts.blocks.last().copied().unwrap_or(facts.header)
}

/// Makes the preheader branch to the loop for the actual outcome.
fn choose_in_front(
    editor: &mut Editor<'_>,
    shape: &Shape,
    facts: &Facts,
    candidate: &Candidate,
    freeze: &[Value],
    sides: &[UnswitchedLoop],
) {
    let header = |side: usize| sides[side].copies.block(facts.header);
    let old = editor.body().inst(candidate.site).clone();
    let mut data = match &candidate.decides {
        Decides::OneWay(way) => {
            let condition = one_way::make(editor, facts.preheader, way);
            InstData::new(InstKind::CondBr, Type::VOID, [condition], [header(0), header(1)])
        }
        Decides::Branch(invariant) => {
            let condition = make_condition(editor, shape, facts, Guard { invariant, freeze });
            InstData::new(InstKind::CondBr, Type::VOID, [condition], [header(0), header(1)])
        }
        Decides::Select(value) | Decides::Guard(value) => {
            let invariant = &Invariant::Whole(*value);
            let condition = make_condition(editor, shape, facts, Guard { invariant, freeze });
            InstData::new(InstKind::CondBr, Type::VOID, [condition], [header(0), header(1)])
        }
        Decides::Switch { condition, targets } => {
            let invariant = &Invariant::Whole(*condition);
            let condition = make_condition(editor, shape, facts, Guard { invariant, freeze });
            let operands = std::iter::once(condition).chain(old.operands[1..].iter().copied());
            let side = |b: &Block| targets.iter().position(|t| t == b).unwrap_or(0);
            let blocks: Vec<Block> = old.blocks.iter().map(|b| header(side(b))).collect();
            InstData::new(InstKind::Switch, Type::VOID, operands, blocks)
        }
    };
    // Metadata of a call does not apply to a branch.
    let whole = candidate.is_whole() && !matches!(candidate.decides, Decides::Guard(_));
    data.metadata = hoisted_metadata(editor, candidate.site, Hoisted { whole, certain: freeze.is_empty() });
    let targets = data.blocks.clone();
    editor.set_terminator(facts.preheader, data);
    let mut seen = EntitySet::new();
    for target in targets {
        if !seen.insert(target) {
            add_same_edge(editor, target, facts.preheader);
        }
    }
}

/// Removes the guard from the first side, where it holds, and the code after it from the second side, where it fails.
/// Returns the block that becomes unreachable there.
fn settle_guard(editor: &mut Editor<'_>, guard: Inst, sides: &[UnswitchedLoop]) -> Option<Block> {
    let of_side = |side: &UnswitchedLoop| side.copies.inst(guard).unwrap_or(guard);
    let fails = of_side(&sides[1]);
    let block = editor.body().block_of(fails)?;
    let mut after = editor.body().insts(block).iter().skip_while(|i| **i != fails).skip(1);
    let next = *after.next()?;
    let rest = editor.split_block(next, None);
    editor.set_terminator(block, InstData::new(InstKind::Unreachable, Type::VOID, [], []));
    editor.remove(of_side(&sides[0]));
    Some(rest)
}

/// Propagates the outcome of the decision into the loop `side`: of two sides, the first is for a true condition.
fn learn(
    editor: &mut Editor<'_>,
    candidate: &Candidate,
    index: usize,
    side: &UnswitchedLoop,
    users: &mut Vec<Inst>,
) {
    let site = side.copies.inst(candidate.site).unwrap_or(candidate.site);
    let truth = index == 0;
    match &candidate.decides {
        Decides::Branch(invariant @ Invariant::Whole(_)) => {
            users.extend(know(editor, &side.blocks, invariant, truth));
        }
        Decides::Select(value) | Decides::Guard(value) => {
            users.extend(know(editor, &side.blocks, &Invariant::Whole(*value), truth));
        }
        Decides::Branch(invariant @ Invariant::Parts { parts, decides }) => {
            if truth != *decides {
                users.extend(know(editor, &side.blocks, invariant, truth));
                return;
            }
            let constant = editor.int(Int::bool(truth));
            editor.set_operand(Use { user: site, index: 0 }, constant);
            users.push(site);
            if let [part] = **parts {
                users.extend(know(editor, &side.blocks, &Invariant::Whole(part), truth));
            }
        }
        Decides::OneWay(way) if truth == way.value || way.forever => {
            let constant = editor.int(Int::bool(truth));
            let condition = side.copies.value(way.condition.into());
            replace_in(editor, &side.blocks, condition, constant, users);
        }
        Decides::OneWay(_) => {}
        Decides::Switch { condition, targets } => {
            let Some(block) = editor.body().block_of(site) else { return };
            let target = side.copies.block(targets[index]);
            let data = editor.body().inst(site);
            let mut to_target = (0..data.blocks.len()).filter(|i| data.blocks[*i] == target);
            if let (Some(case @ 1..), None) = (to_target.next(), to_target.next()) {
                let constant = data.operands[case];
                replace_in(editor, &side.blocks, *condition, constant, users);
            }
            go_to(editor, block, target);
        }
    }
}
