//! Peeling two iterations of alternating recurrences.
//!
//! A phi with the next value `p ^ x` or `x - p` alternates between two values. Two peeled iterations compute both,
//! and the loop computes neither: two phis swap values. The same is done for values computed from such phis, and from
//! phis that are swapped in the source (`a, b = b, a`), if these computations cost more than the phis.

use crate::clone::Copies;
use crate::clone::chain::{prepend, replace_incoming};
use crate::counted::Facts;
use crate::size::weight_of;
use crate::split::{inherit_name, new_phi};
use crate::unroll::apply::decide_tests_in_order;
use backedge_ir::body::Body;
use backedge_ir::editor::Editor;
use backedge_ir::entity::{Block, EntitySet, Inst};
use backedge_ir::inst::{BinaryOp, InstKind, Value};
use backedge_ir::module::Env;
use backedge_ir::types::Type;

/// Peels two iterations before the loop, and turns alternating phis into phis that swap.
pub(super) fn peel(editor: &mut Editor<'_>, facts: &Facts, computed: &[Inst]) -> Vec<Copies> {
    let ring = &facts.ring;
    let phis: Vec<Inst> = editor.body().phis(ring.header).collect();
    let alternating: Vec<(Inst, Value)> =
        phis.iter().filter_map(|phi| Some((*phi, carried_on(editor.body(), facts, *phi)?))).collect();
    let copies = prepend(editor, ring, 2, "peel");
    decide_tests_in_order(editor, &facts.exits, &copies);
    let [first, second] = &copies[..] else { return copies };
    let entry = second.block(ring.latch);
    // Values computed from phis still have these phis as operands.
    for &inst in computed {
        let both = [first.value(inst.into()), second.value(inst.into())];
        let Some(&model) = phis.first() else { break };
        let ty = editor.body().inst(inst).ty;
        let even = in_turn(editor, facts, model, ty, entry, both);
        inherit_name(editor, even, inst, "even");
        replace_in_loop(editor, facts, inst.into(), even.into());
    }
    for (phi, carried) in alternating {
        // In iteration 2 the phi has its value of iteration 0, and in iteration 3 that of iteration 1.
        let (even, odd) = (first.value(phi.into()), second.value(phi.into()));
        let ty = editor.body().inst(phi).ty;
        // One entry per edge, as in `phi`.
        let blocks = editor.body().inst(phi).blocks.clone();
        let values: Vec<Value> = blocks.iter().map(|b| if *b == entry { odd } else { phi.into() }).collect();
        let other = new_phi(editor, ring.header, ty, &values, &blocks);
        inherit_name(editor, other, phi, "other");
        replace_incoming(editor, phi, ring.latch, ring.latch, other.into());
        replace_incoming(editor, phi, entry, entry, even);
        // The computed next value equals the other phi.
        replace_in_loop(editor, facts, carried, other.into());
    }
    copies
}

/// Two header phis, with edges like those of `model`, that alternate between the values `both`. Returns the one that
/// has the first value in the first iteration.
fn in_turn(
    editor: &mut Editor<'_>,
    facts: &Facts,
    model: Inst,
    ty: Type,
    entry: Block,
    [even, odd]: [Value; 2],
) -> Inst {
    let (header, latch) = (facts.ring.header, facts.ring.latch);
    let blocks = editor.body().inst(model).blocks.clone();
    let first = new_phi(editor, header, ty, &vec![even; blocks.len()], &blocks);
    let values: Vec<Value> = blocks.iter().map(|b| if *b == entry { odd } else { first.into() }).collect();
    let second = new_phi(editor, header, ty, &values, &blocks);
    replace_incoming(editor, first, latch, latch, second.into());
    first
}

/// Replaces `old` by `new` in the loop and in phis that use it after the loop.
fn replace_in_loop(editor: &mut Editor<'_>, facts: &Facts, old: Value, new: Value) {
    let blocks = &facts.ring.blocks;
    editor.replace_uses_if(old, new, |body, u| {
        body.block_of(u.user).is_some_and(|b| blocks.contains(&b)) || body.inst(u.user).kind.is_phi()
    });
}

/// The values of each iteration that are computed from alternating phis and invariants.
#[derive(Clone, Debug, Default)]
pub(super) struct Computed {
    /// All of them.
    pub(super) all: Vec<Inst>,
    /// Those with other uses, which need phis of their own.
    pub(super) used: Vec<Inst>,
}

impl Computed {
    /// The computed values of the loop, if their weight is more than twice the number of new phis: each phi costs a
    /// copy in the latch.
    pub(super) fn of(env: &Env, body: &Body, facts: &Facts) -> Option<Self> {
        let ring = &facts.ring;
        let mut alternates: EntitySet<Inst> = EntitySet::new();
        for phi in body.phis(ring.header) {
            if let Some(carried) = carried_on(body, facts, phi) {
                alternates.insert(phi);
                alternates.extend(carried.as_inst());
            } else if is_swapped(body, facts, phi) {
                alternates.insert(phi);
            }
        }
        let mut computed: EntitySet<Inst> = EntitySet::new();
        let mut all = Vec::new();
        for &inst in &facts.executed {
            let data = body.inst(inst);
            let from =
                |v: &Value| v.as_inst().is_some_and(|i| alternates.contains(i) || computed.contains(i));
            let known = |v: &Value| from(v) || is_invariant(body, facts, *v);
            let computes = data.kind.is_pure()
                && !data.kind.is_phi()
                && !matches!(data.kind, InstKind::Freeze)
                && !alternates.contains(inst);
            if computes && data.operands.iter().any(from) && data.operands.iter().all(known) {
                computed.insert(inst);
                all.push(inst);
            }
        }
        let elsewhere = |i: &Inst| body.code_uses((*i).into()).any(|u| !computed.contains(u.user));
        let used: Vec<Inst> = all.iter().copied().filter(elsewhere).collect();
        let weight: u32 = all.iter().map(|i| weight_of(env, body, *i)).sum();
        (!used.is_empty() && weight as usize > 2 * used.len()).then_some(Self { all, used })
    }
}

/// Whether the next value of `phi` is another header phi, whose next value is `phi`.
fn is_swapped(body: &Body, facts: &Facts, phi: Inst) -> bool {
    let carried = |phi: Inst| {
        let next = body.incoming_from(phi, facts.ring.latch)?.as_inst()?;
        let is_phi = body.inst(next).kind.is_phi() && body.block_of(next) == Some(facts.ring.header);
        is_phi.then_some(next)
    };
    carried(phi).is_some_and(|other| other != phi && carried(other) == Some(phi))
}

fn is_invariant(body: &Body, facts: &Facts, value: Value) -> bool {
    value.as_inst().and_then(|i| body.block_of(i)).is_none_or(|b| !facts.ring.blocks.contains(&b))
}

/// The next value of `phi`, if it is an xor with, or a difference from, an invariant value.
fn carried_on(body: &Body, facts: &Facts, phi: Inst) -> Option<Value> {
    let carried = body.incoming_from(phi, facts.ring.latch)?;
    let inst = carried.as_inst()?;
    let data = body.inst(inst);
    let InstKind::Binary(op, flags) = data.kind else { return None };
    let invariant = |v: Value| is_invariant(body, facts, v);
    let p = Value::from(phi);
    let (a, b) = (data.operands[0], data.operands[1]);
    let wraps = !flags.nuw && !flags.nsw;
    let alternates = match op {
        BinaryOp::Xor => a == p && invariant(b) || b == p && invariant(a),
        BinaryOp::Sub => b == p && invariant(a) && wraps,
        _ => false,
    };
    alternates.then_some(carried)
}
