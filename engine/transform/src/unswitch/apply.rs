//! The edits that move an exit out of the loop. The caller restores the preheader and dedicated exits afterwards.

use super::branch::{add_edge, add_same_edge, set_kept};
use super::check::{BranchExit, Exits, Facts, Trivial, entry_value};
use super::condition::Invariant;
use super::known::{fold_users, replace_in};
use crate::edges::go_to;
use crate::shape::Shape;
use crate::split::{BlockPosition, NewPhis, Split, split_predecessors};
use backedge_ir::editor::{Editor, Position};
use backedge_ir::entity::{Block, EntitySet, Inst};
use backedge_ir::inst::{BinaryFlags, BinaryOp, InstData, InstKind, Value};
use backedge_ir::int::Int;
use backedge_ir::metadata::{MdKind, MdRef};
use backedge_ir::types::Type;
use smallvec::SmallVec;

/// A condition to compute before a loop.
#[derive(Copy, Clone, Debug)]
pub(super) struct Guard<'a> {
    /// The invariant values of the condition.
    pub(super) invariant: &'a Invariant,
    /// The values that must be frozen.
    pub(super) freeze: &'a [Value],
}

/// Inserts a new preheader between the old one, which tests a hoisted exit, and the header.
pub(super) fn next_preheader(editor: &mut Editor<'_>, facts: &Facts) -> Block {
    let split = Split {
        preds: &[facts.preheader],
        suffix: "preheader",
        phi_suffix: "ph",
        phis: NewPhis::WhereNeeded,
        place: BlockPosition::Before(facts.header),
    };
    // No unwind edge leads to the header of a loop that has a preheader.
    split_predecessors(editor, facts.header, &[], split)
}

/// Moves the test of the exit `trivial` before the loop, which consists of `blocks`.
pub(super) fn take_exit(
    editor: &mut Editor<'_>,
    shape: &Shape,
    facts: &Facts,
    blocks: &EntitySet<Block>,
    trivial: &Trivial,
    freeze: &[Value],
) {
    match &trivial.exits {
        Exits::Branch(exit) => {
            branch_in_front(editor, shape, facts, trivial.block, exit, freeze);
            let users = know(editor, blocks, &exit.invariant, !exit.on);
            fold_users(editor, users);
        }
        Exits::Switch(exits) => switch_in_front(editor, shape, facts, trivial.block, exits),
    }
}

/// Leaves by a branch before the loop if `exit`, at the end of `block`, leaves in the first iteration.
fn branch_in_front(
    editor: &mut Editor<'_>,
    shape: &Shape,
    facts: &Facts,
    block: Block,
    &BranchExit { ref invariant, on, to }: &BranchExit,
    freeze: &[Value],
) {
    let Some(branch) = editor.body().terminator(block) else { return };
    let condition = make_condition(editor, shape, facts, Guard { invariant, freeze });
    let ways = if on { [to, facts.header] } else { [facts.header, to] };
    let mut data = InstData::new(InstKind::CondBr, Type::VOID, [condition], ways);
    let whole = matches!(invariant, Invariant::Whole(_));
    data.metadata = hoisted_metadata(editor, branch, Hoisted { whole, certain: whole });
    editor.set_terminator(facts.preheader, data);
    add_entry_edge(editor, shape, facts, to, block);
    if whole {
        let stay = editor.body().successors(block)[usize::from(on)];
        go_to(editor, block, stay);
    }
}

/// Replaces the condition by `value` in `blocks`, or every part of it.
pub(super) fn know(
    editor: &mut Editor<'_>,
    blocks: &EntitySet<Block>,
    invariant: &Invariant,
    value: bool,
) -> Vec<Inst> {
    let constant = editor.int(Int::bool(value));
    let mut users = Vec::new();
    let known = match invariant {
        Invariant::Whole(condition) => std::slice::from_ref(condition),
        Invariant::Parts { parts, .. } => parts,
    };
    for &known in known {
        replace_in(editor, blocks, known, constant, &mut users);
    }
    users
}

/// Relation between a branch before the loop and the branch in it that it replaces.
#[derive(Copy, Clone, Debug)]
pub(super) struct Hoisted {
    /// Whether it has the same condition, and not only parts of it.
    pub(super) whole: bool,
    /// Whether the source certainly reaches the branch.
    pub(super) certain: bool,
}

/// The metadata of `branch` that is valid before the loop too. Profile data and predictability of the whole condition
/// do not apply to its parts.
pub(super) fn hoisted_metadata(
    editor: &Editor<'_>,
    branch: Inst,
    Hoisted { whole, certain }: Hoisted,
) -> Vec<(MdKind, MdRef)> {
    let kept = |k: &MdKind| match k {
        MdKind::Dbg => true,
        MdKind::Prof | MdKind::Unpredictable => whole,
        MdKind::MakeImplicit => whole && certain,
        _ => false,
    };
    editor.body().inst(branch).metadata.iter().filter(|(k, _)| kept(k)).cloned().collect()
}

/// The condition at the end of `preheader`: the value itself, or whether one of the parts decides it.
pub(super) fn make_condition(
    editor: &mut Editor<'_>,
    shape: &Shape,
    facts: &Facts,
    guard: Guard<'_>,
) -> Value {
    let preheader = facts.preheader;
    let frozen = |editor: &mut Editor<'_>, value: Value| {
        if guard.freeze.contains(&value) { freeze(editor, shape, facts, value) } else { value }
    };
    match guard.invariant {
        Invariant::Whole(value) => frozen(editor, *value),
        Invariant::Parts { parts, decides } => {
            let op = if *decides { BinaryOp::Or } else { BinaryOp::And };
            let kind = InstKind::Binary(op, BinaryFlags::default());
            let mut whole = None;
            for &part in parts {
                let part = frozen(editor, part);
                whole = Some(match whole {
                    None => part,
                    Some(left) => {
                        let data = InstData::new(kind.clone(), Type::I1, [left, part], []);
                        editor.insert_new(Position::BeforeTerminator(preheader), data).into()
                    }
                });
            }
            // There is at least one part.
            whole.unwrap_or_else(|| editor.int(Int::bool(!decides)))
        }
    }
}

/// `value`, frozen before the outermost loop in which it is invariant: one choice for all runs of this loop, so that
/// dependent values stay invariant there.
fn freeze(editor: &mut Editor<'_>, shape: &Shape, facts: &Facts, value: Value) -> Value {
    let Shape { cfg, loops, .. } = shape;
    let body = editor.body();
    let outer = loops.ancestors(facts.l).take_while(|l| loops.is_invariant(body, *l, value));
    let place = outer.filter_map(|l| loops.preheader(cfg, l)).last().unwrap_or(facts.preheader);
    let data = InstData::new(InstKind::Freeze, body.ty(value), [value], []);
    let name = body.value_name(value).map(|n| format!("{n}.fr"));
    let freeze = editor.insert_new(Position::BeforeTerminator(place), data);
    if let Some(name) = name {
        editor.set_name(freeze, &name);
    }
    freeze.into()
}

/// Adds phi entries of `exit` for an edge from the preheader that replaces one from `block`.
fn add_entry_edge(editor: &mut Editor<'_>, shape: &Shape, facts: &Facts, exit: Block, block: Block) {
    add_edge(editor, exit, facts.preheader, |editor, phi| {
        let value = editor.body().incoming_from(phi, block)?;
        entry_value(editor.body(), shape, facts, value)
    });
}

/// The cases of the switch before the loop: those that leave, or all if the default leaves.
fn cases_in_front(exits: &[bool]) -> impl Iterator<Item = usize> {
    (1..exits.len()).filter(|i| exits[0] || exits[*i])
}

/// The successors that the switch in the loop keeps. If the default is removed, the first case that stays becomes the
/// default, which is correct since the condition is one of the remaining cases.
fn kept_ways(exits: &[bool]) -> impl Iterator<Item = usize> {
    (0..exits.len()).filter(|i| !exits[*i])
}

/// Splits the weights of a switch some of whose successors leave: into the weights of the switch before the loop, and
/// of the one in it.
pub(super) fn weights_of_parts(weights: &[u64], exits: &[bool]) -> [Vec<u64>; 2] {
    let cases: Vec<usize> = cases_in_front(exits).collect();
    let others = (1..exits.len()).filter(|i| !cases.contains(i)).map(|i| weights[i]);
    let default = others.fold(weights[0], u64::saturating_add);
    let in_front = std::iter::once(default).chain(cases.iter().map(|i| weights[*i])).collect();
    [in_front, kept_ways(exits).map(|i| weights[i]).collect()]
}

fn switch_in_front(editor: &mut Editor<'_>, shape: &Shape, facts: &Facts, block: Block, exits: &[bool]) {
    let Some(old) = editor.body().terminator(block) else { return };
    let data = editor.body().inst(old).clone();
    let condition = data.operands[0];
    // Before the loop: exits keep their targets, everything else goes to the header.
    let target = |i: usize| if exits[i] { data.blocks[i] } else { facts.header };
    let (mut operands, mut blocks) = (vec![condition], vec![target(0)]);
    for i in cases_in_front(exits) {
        operands.push(data.operands[i]);
        blocks.push(target(i));
    }
    let to_header = blocks.iter().filter(|b| **b == facts.header).count();
    let mut front = InstData::new(InstKind::Switch, Type::VOID, operands, blocks);
    let moved = |k: &MdKind| *k == MdKind::Dbg;
    front.metadata = data.metadata.iter().filter(|(k, _)| moved(k)).cloned().collect();
    editor.set_terminator(facts.preheader, front);
    for _ in 1..to_header {
        add_same_edge(editor, facts.header, facts.preheader);
    }
    for (i, &exit) in data.blocks.iter().enumerate() {
        if exits[i] {
            add_entry_edge(editor, shape, facts, exit, block);
        }
    }
    stay(editor, block, old, &data, exits);
}

/// In the loop: the switch `data` without the successors that leave.
fn stay(editor: &mut Editor<'_>, block: Block, old: Inst, data: &InstData, exits: &[bool]) {
    for (i, &exit) in data.blocks.iter().enumerate() {
        if exits[i] {
            editor.remove_edge_from_phis(exit, block);
        }
    }
    let mut left: SmallVec<[usize; 8]> = kept_ways(exits).collect();
    let Some(&first) = left.first() else { return };
    let same = left.iter().all(|i| data.blocks[*i] == data.blocks[first]);
    let new = if same {
        for _ in 1..left.len() {
            editor.remove_edge_from_phis(data.blocks[first], block);
        }
        InstData::new(InstKind::Br, Type::VOID, [], [data.blocks[first]])
    } else {
        left.remove(0);
        let cases = left.iter().map(|i| data.operands[*i]);
        let operands: Vec<Value> = std::iter::once(data.operands[0]).chain(cases).collect();
        let blocks = std::iter::once(first).chain(left.iter().copied()).map(|i| data.blocks[i]);
        InstData::new(InstKind::Switch, Type::VOID, operands, blocks)
    };
    set_kept(editor, block, old, new);
}
