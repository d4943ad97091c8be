//! Profile data of a loop: its expected trip count, and how often parts of an iteration are executed.

use crate::clone::Ring;
use crate::counted::Facts;
use crate::loop_metadata;
use crate::size::weight_of;
use crate::weights;
use backedge_analysis::cache::At;
use backedge_ir::body::Body;
use backedge_ir::entity::{Block, FuncId};
use backedge_ir::metadata::{MdKind, MdOperand, MdRef};
use backedge_ir::module::Env;
use rustc_hash::FxHashMap;

/// The profiled call count of the function, if it has one; its branch weights were counted over these calls.
pub(crate) fn entry_count(env: &Env, func: FuncId) -> Option<u64> {
    let kinds = env.funcs[func].metadata.iter().filter(|(kind, _)| *kind == MdKind::Prof);
    let mut counts = kinds.filter_map(|(_, node)| match node {
        MdRef::Node(id) => match env.metadata.tuple(*id)? {
            [MdOperand::String(name), MdOperand::Const(count), ..] if &**name == "function_entry_count" => {
                u64::try_from(env.consts.as_int(*count)?.bits()).ok()
            }
            _ => None,
        },
        MdRef::Const(_) => None,
    });
    counts.next()
}

/// Frequency of a block that every iteration executes. Frequencies are fixed-point numbers, so that results are the
/// same on every host.
const ALWAYS: u64 = 1 << 16;

/// The numbers of instructions and branches of an iteration that are usually not executed, according to the weights
/// of branches within the loop. Weights of exits are ignored, and a branch without weights may take either successor.
pub(super) fn cold_part(at: At<'_>, ring: &Ring) -> (u32, u32) {
    let (env, body) = (at.env, at.body);
    let profiled = |b: &Block| body.terminator(*b).is_some_and(|t| weights::of(env, body, t).is_some());
    if !ring.blocks.iter().any(profiled) {
        return (0, 0);
    }
    let (mut insts, mut branches) = (0, 0);
    for (block, often) in frequencies(at, ring) {
        let seldom = ALWAYS - often;
        let weight: u64 = body.insts(block).iter().map(|i| u64::from(weight_of(env, body, *i))).sum();
        insts += weight * seldom;
        branches += u64::from(body.successors(block).len() > 1) * seldom;
    }
    [insts, branches].map(|n| u32::try_from(n / ALWAYS).unwrap_or(u32::MAX)).into()
}

/// Frequencies of the blocks within an iteration, relative to [`ALWAYS`]. Inner loops count as one iteration.
fn frequencies(at: At<'_>, ring: &Ring) -> Vec<(Block, u64)> {
    let (env, body, cfg) = (at.env, at.body, at.cfg());
    let mut blocks = ring.blocks.clone();
    blocks.sort_unstable_by_key(|block| cfg.position(*block));
    let mut often: FxHashMap<Block, u64> = FxHashMap::default();
    often.insert(ring.header, ALWAYS);
    let mut all = Vec::with_capacity(blocks.len());
    for block in blocks {
        let here = often.get(&block).copied().unwrap_or(0).min(ALWAYS);
        all.push((block, here));
        let successors = body.successors(block);
        let leaves = successors.iter().any(|to| !ring.blocks.contains(to));
        let known = body.terminator(block).and_then(|t| weights::of(env, body, t)).filter(|_| !leaves);
        let total: u128 = known.iter().flatten().map(|w| u128::from(*w)).sum();
        for (i, &to) in successors.iter().enumerate() {
            let share = match &known {
                Some(weights) if total > 0 => {
                    u64::try_from(u128::from(here) * u128::from(weights[i]) / total).unwrap_or(here)
                }
                _ => here,
            };
            let sum = often.entry(to).or_default();
            *sum = sum.saturating_add(share);
        }
    }
    all
}

/// The trip count that profile data predicts. The loop's own `llvm.loop.estimated_trip_count` takes precedence over
/// branch weights, as in LLVM.
pub(super) fn expected_trips(env: &Env, body: &Body, facts: &Facts) -> Option<u64> {
    match loop_metadata::number(env, body, facts.ring.latch, loop_metadata::ESTIMATE) {
        Some(trips) => trips.to_u64().filter(|trips| *trips > 0),
        None => expected_by_weights(env, body, facts),
    }
}

/// The trip count predicted by the weights of the exits that each iteration passes, rounded: the loop continues if it
/// stays at each of them. Exits without weights are assumed never to leave.
pub(crate) fn expected_by_weights(env: &Env, body: &Body, facts: &Facts) -> Option<u64> {
    // The ratio of iterations that pass all exits to executions of the header.
    let (mut stays, mut arrives) = (1_u128, 1_u128);
    for exit in facts.exits.iter().filter(|e| e.passed && e.stay.is_some() && e.leave.is_some()) {
        let Some([stay, leave]) = weights::of_exit(env, body, exit) else { continue };
        (stays, arrives) = (stays * u128::from(stay), arrives * (u128::from(stay) + u128::from(leave)));
        // With 32-bit weights and a similar bound on the previous product, the lost bits are insignificant.
        let excess = (u128::BITS - arrives.leading_zeros()).saturating_sub(62);
        (stays, arrives) = (stays >> excess, arrives >> excess);
    }
    let leaves = arrives.checked_sub(stays)?;
    u64::try_from((stays + leaves / 2).checked_div(leaves)? + 1).ok()
}
