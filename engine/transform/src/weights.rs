//! Branch weights, and what becomes of them where the iterations of a loop are taken apart.
//!
//! The weights of an exit say how many iterations the loop makes on average. Of the loops that are made of one, that is
//! not so any more: weights are made anew where it is known how many iterations a loop makes then, as LLVM does, and
//! dropped where it is not.

use crate::counted::Exit;
use crate::pass::Unit;
use backedge_ir::body::Body;
use backedge_ir::editor::Editor;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::int::Int;
use backedge_ir::metadata::{MdBody, MdKind, MdOperand, MdRef};
use backedge_ir::module::Env;

/// What the metadata of LLVM's that holds weights begins with.
const WEIGHTS: &str = "branch_weights";

/// The weights of the ways of `branch`, one for each successor, if it has any.
pub(crate) fn of(env: &Env, body: &Body, branch: Inst) -> Option<Vec<u64>> {
    let MdRef::Node(id) = body.inst(branch).metadata_of(&MdKind::Prof)? else { return None };
    let operands = env.metadata.tuple(*id)?;
    let (Some(MdOperand::String(name)), rest) = (operands.first(), operands.get(1..)?) else { return None };
    let number = |operand: &MdOperand| match operand {
        MdOperand::Const(c) => u64::try_from(env.consts.as_int(*c)?.bits()).ok(),
        _ => None,
    };
    let weights: Vec<u64> = rest.iter().filter_map(number).collect();
    (&**name == WEIGHTS && weights.len() == body.inst(branch).successors().len()).then_some(weights)
}

/// The weights with which `exit` stays and leaves.
pub(crate) fn of_exit(env: &Env, body: &Body, exit: &Exit) -> Option<[u64; 2]> {
    let weights = of(env, body, body.terminator(exit.block)?)?;
    let [a, b] = weights[..] else { return None };
    Some(if exit.stay_at == 0 { [a, b] } else { [b, a] })
}

/// The one of `exits` whose weights say how many iterations there are, and how many, if just one has weights.
pub(crate) fn telling<'e>(env: &Env, body: &Body, exits: &'e [Exit]) -> Option<(&'e Exit, u64)> {
    let passed = exits.iter().filter(|e| e.passed && e.stay.is_some() && e.leave.is_some());
    let mut telling = passed.filter_map(|e| Some((e, of_exit(env, body, e)?)));
    let (exit, [stay, leave]) = telling.next()?;
    telling.next().is_none().then_some((exit, stay.checked_div(leave)?.saturating_add(1)))
}

/// The terminators of `blocks` lose what profile data says of them.
pub(crate) fn forget(editor: &mut Editor<'_>, blocks: impl IntoIterator<Item = Block>) {
    for block in blocks {
        if let Some(branch) = editor.body().terminator(block)
            && editor.body().inst(branch).metadata_of(&MdKind::Prof).is_some()
        {
            editor.retain_metadata(branch, |kind| *kind != MdKind::Prof);
        }
    }
}

/// Lets the two-way branch at the end of `block`, whose successor at `stay_at` is the way on, say that it leaves in one of
/// `trips` iterations.
pub(crate) fn expect(unit: &mut Unit<'_>, block: Block, stay_at: usize, trips: u64) {
    let stays = u32::try_from(trips.saturating_sub(1)).unwrap_or(u32::MAX - 1);
    set(unit, block, if stay_at == 0 { [stays, 1] } else { [1, stays] });
}

/// Lets the two-way branch at the end of `block` say that it takes its first way with that probability.
pub(crate) fn expect_first(unit: &mut Unit<'_>, block: Block, probability: Probability) {
    let [first, second] = [probability, probability.not()].map(|p| u32::try_from(p.0).unwrap_or(u32::MAX));
    set(unit, block, [first, second]);
}

/// Lets the two-way branch at the end of `block` have those weights.
pub(crate) fn set(unit: &mut Unit<'_>, block: Block, weights: [u32; 2]) {
    let (env, body) = unit.env_and_body();
    let Some(branch) = body.terminator(block).filter(|b| body.inst(*b).successors().len() == 2) else {
        return;
    };
    let [a, b] = weights.map(|w| MdOperand::Const(env.consts.int(Int::new(32, u128::from(w)))));
    let node = env.metadata.add(false, MdBody::Tuple(vec![MdOperand::String(WEIGHTS.into()), a, b]));
    unit.editor().set_metadata(branch, MdKind::Prof, MdRef::Node(node));
}

/// The weights of a branch past a loop that is nearly always entered, as LLVM has them: where it is known that the loop has
/// a profile, and not what follows of it.
pub(crate) const SELDOM: [u32; 2] = [1, 127];

/// A probability, in units of 2^-31.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Probability(u64);

impl Probability {
    const ONE: u64 = 1 << 31;
    /// One in `n`, which is not zero.
    pub(crate) fn one_in(n: u64) -> Self {
        Self(Self::ONE / n.max(1))
    }
    /// That it does not happen.
    pub(crate) fn not(self) -> Self {
        Self(Self::ONE - self.0.min(Self::ONE))
    }
    /// That it happens `n` times, each time whatever happened before.
    pub(crate) fn times(self, n: usize) -> Self {
        (0..n).fold(Self(Self::ONE), |all, _| all.and(self))
    }
    /// That both happen.
    pub(crate) fn and(self, other: Self) -> Self {
        Self((self.0 * other.0) >> 31)
    }
    /// This one, if it is only a part of what happens with probability `of`.
    pub(crate) fn given(self, of: Self) -> Self {
        Self((self.0 << 31).checked_div(of.0).unwrap_or(0).min(Self::ONE))
    }
}
