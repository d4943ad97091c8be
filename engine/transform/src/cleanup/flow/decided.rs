//! Branches and switches with a single possible successor, or with redundant cases.

use super::{drop_cases, end_unreachable};
use crate::cleanup::dead::remove_unneeded;
use crate::cleanup::simplify::known;
use crate::edges::go_to_all;
use crate::pass::Unit;
use crate::weights;
use backedge_analysis::cache::At;
use backedge_analysis::values::Demanded;
use backedge_ir::body::Body;
use backedge_ir::builder::Builder;
use backedge_ir::constant::ConstData;
use backedge_ir::editor::Position;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::{InstData, InstKind, Value};
use backedge_ir::metadata::MdKind;
use backedge_ir::opcode::IntPredicate;
use backedge_ir::types::Type;
use smallvec::SmallVec;

/// The simplification of a terminator.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Decided {
    /// The edge at that index is the only one taken.
    Edge(usize),
    /// The condition is poison or `undef`.
    Undefined,
    /// These edges of a switch, all of them cases, are never taken or lead to the default successor.
    Drop(SmallVec<[usize; 4]>),
    /// A switch with one case.
    OneCase,
}

/// Folds the terminators of `blocks` with a constant condition; returns their number.
pub fn fold_terminators(unit: &mut Unit<'_>, blocks: &[Block]) -> usize {
    let found: Vec<(Block, Decided)> =
        blocks.iter().filter_map(|b| decided(unit.body(), *b).map(|d| (*b, d))).collect();
    apply(unit, found)
}

/// Folds the terminators of `blocks` that a constant or the analyses decide; returns their number.
pub fn fold_terminators_by_facts(unit: &mut Unit<'_>, blocks: &[Block]) -> usize {
    let found: Vec<(Block, Decided)> = {
        let at = unit.at();
        let reachable = blocks.iter().filter(|b| at.cfg().is_reachable(**b));
        reachable.filter_map(|b| decided(at.body, *b).or_else(|| known(at, *b)).map(|d| (*b, d))).collect()
    };
    apply(unit, found)
}

fn decided(body: &Body, block: Block) -> Option<Decided> {
    let data = body.inst(body.terminator(block)?);
    match &data.kind {
        InstKind::CondBr if data.blocks[0] == data.blocks[1] => Some(Decided::Edge(0)),
        InstKind::CondBr => match body.as_int(data.operands[0]) {
            Some(c) => Some(Decided::Edge(usize::from(c.is_zero()))),
            None => is_undefined(body, data.operands[0]).then_some(Decided::Undefined),
        },
        InstKind::Switch => switch(body, data),
        _ => None,
    }
}

/// Whether branching on `value` is UB.
fn is_undefined(body: &Body, value: Value) -> bool {
    value.as_const().is_some_and(|c| matches!(body.constant(c).data, ConstData::Undef | ConstData::Poison))
}

fn switch(body: &Body, data: &InstData) -> Option<Decided> {
    let condition = data.operands[0];
    if is_undefined(body, condition) {
        return Some(Decided::Undefined);
    }
    if let Some(value) = body.as_int(condition) {
        let case = data.operands[1..].iter().position(|c| body.as_int(*c) == Some(value));
        return Some(Decided::Edge(case.map_or(0, |i| i + 1)));
    }
    let idle: SmallVec<[usize; 4]> =
        (1..data.blocks.len()).filter(|i| data.blocks[*i] == data.blocks[0]).collect();
    if idle.len() + 1 == data.blocks.len() {
        return Some(Decided::Edge(0));
    }
    if data.blocks.len() == 2 {
        return Some(Decided::OneCase);
    }
    (!idle.is_empty()).then_some(Decided::Drop(idle))
}

fn known(at: At<'_>, block: Block) -> Option<Decided> {
    let terminator = at.body.terminator(block)?;
    let data = at.body.inst(terminator);
    match &data.kind {
        InstKind::CondBr => {
            let truth = known::condition_at(at, data.operands[0], terminator)?;
            Some(Decided::Edge(usize::from(!truth)))
        }
        InstKind::Switch => {
            let facts = at.get::<Demanded>().at(at, data.operands[0], terminator)?;
            let never = |i: &usize| at.body.as_int(data.operands[*i]).is_some_and(|c| !facts.contains(c));
            let idle: SmallVec<[usize; 4]> = (1..data.blocks.len()).filter(never).collect();
            if idle.len() + 1 == data.blocks.len() {
                return Some(Decided::Edge(0));
            }
            (!idle.is_empty()).then_some(Decided::Drop(idle))
        }
        _ => None,
    }
}

fn apply(unit: &mut Unit<'_>, found: Vec<(Block, Decided)>) -> usize {
    let body = unit.body();
    let conditions =
        found.iter().filter_map(|(b, _)| body.inst(body.terminator(*b)?).operands.first()?.as_inst());
    let conditions: Vec<Inst> = conditions.collect();
    let mut ways = Vec::new();
    for (block, decided) in &found {
        match decided {
            Decided::Edge(index) => ways.push((*block, unit.body().successors(*block)[*index])),
            Decided::Undefined => end_unreachable(&mut unit.editor(), *block),
            Decided::Drop(cases) => {
                let left = weights_without(unit, *block, cases);
                drop_cases(&mut unit.editor(), *block, cases);
                weights::set(unit, *block, &left);
            }
            Decided::OneCase => branch_on_case(unit, *block),
        }
    }
    go_to_all(&mut unit.editor(), &ways);
    let (env, mut editor) = unit.env_and_editor();
    remove_unneeded(env, &mut editor, conditions);
    found.len()
}

/// The weights of the switch that ends `block` without those cases, if it has weights. The weight of a case with the
/// default successor is added to the default's.
fn weights_without(unit: &Unit<'_>, block: Block, cases: &[usize]) -> Vec<u64> {
    let body = unit.body();
    let Some(mut weights) = body.terminator(block).and_then(|s| weights::of(unit.env(), body, s)) else {
        return Vec::new();
    };
    let blocks = body.successors(block);
    for &case in cases.iter().rev() {
        let weight = weights.remove(case);
        if blocks[case] == blocks[0] {
            weights[0] = weights[0].saturating_add(weight);
        }
    }
    weights
}

/// Replaces the switch with one case that ends `block` by a branch.
fn branch_on_case(unit: &mut Unit<'_>, block: Block) {
    let Some(switch) = unit.body().terminator(block) else { return };
    let weights = weights::of(unit.env(), unit.body(), switch);
    let mut editor = unit.editor();
    let old = editor.body().inst(switch).clone();
    let (&[condition, case], &[default, to]) = (old.operands.as_slice(), old.blocks.as_slice()) else {
        return;
    };
    let mut at = Builder::new(&mut editor, Position::Before(switch));
    let is_case = at.icmp(IntPredicate::Eq, condition, case, "");
    let mut branch = InstData::new(InstKind::CondBr, Type::VOID, [is_case], [to, default]);
    branch.metadata = old.metadata.into_iter().filter(|(kind, _)| *kind != MdKind::Prof).collect();
    editor.set_terminator(block, branch);
    if let Some([of_default, of_case]) = weights.as_deref() {
        weights::set(unit, block, &[*of_case, *of_default]);
    }
}
