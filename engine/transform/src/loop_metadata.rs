//! Reading and writing what is said of a loop ([`backedge_ir::loop_options`]): options with numbers, and options that are
//! added or replaced; and what must go before edges do, lest it be said of a loop of which it was not.

use crate::pass::Unit;
use backedge_ir::body::Body;
use backedge_ir::editor::Editor;
use backedge_ir::entity::{Block, EntitySet, MdId};
use backedge_ir::int::Int;
use backedge_ir::loop_options::{option, options};
use backedge_ir::metadata::{MdBody, MdKind, MdOperand, MdRef};
use backedge_ir::module::Env;

/// The number that the option `name` of the loop that `latch` closes has.
pub(crate) fn number(env: &Env, body: &Body, latch: Block, name: &str) -> Option<Int> {
    match option(env, body, latch, name)? {
        [MdOperand::Const(c)] => env.consts.as_int(*c),
        _ => None,
    }
}

/// How many iterations a loop makes on average, by what was counted.
pub(crate) const ESTIMATE: &str = "llvm.loop.estimated_trip_count";

/// Where it is said how many iterations the loop that `latch` closes makes on average, says what `now` makes of that, or
/// nothing any more.
pub(crate) fn estimate(unit: &mut Unit<'_>, latch: Block, now: impl FnOnce(u64) -> Option<u64>) {
    let (env, body) = unit.env_and_body();
    let Some(said) = number(env, body, latch, ESTIMATE) else { return };
    let id = match said.to_u64().and_then(now).and_then(|n| u32::try_from(n).ok()) {
        Some(trips) => with_number(env, body, latch, ESTIMATE, trips),
        None => without(env, body, latch, &[ESTIMATE]),
    };
    set(&mut unit.editor(), latch, MdRef::Node(id));
}

/// What is to be said of a loop that is made of the one that `latch` closes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum FollowUp {
    /// This node.
    Node(MdId),
    /// Nothing.
    Nothing,
}

/// What is said to be said of a loop made of the one that `latch` closes: the options that follow the names `names`, and
/// nothing else. None if it has none of these; then the pass decides.
pub(crate) fn follow_up(env: &mut Env, body: &Body, latch: Block, names: &[&str]) -> Option<FollowUp> {
    let found: Vec<&[MdOperand]> = names.iter().filter_map(|name| option(env, body, latch, name)).collect();
    if found.is_empty() {
        return None;
    }
    let options: Vec<MdOperand> = found.concat();
    if options.is_empty() {
        return Some(FollowUp::Nothing);
    }
    Some(FollowUp::Node(env.metadata.add_distinct(options)))
}

/// What is to be said of loops that are made of one, found before that is changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Inherited {
    follows: Option<FollowUp>,
    options: Vec<MdOperand>,
    /// How many iterations the old loop makes on average, if that is said.
    pub trips: Option<u64>,
}

impl Inherited {
    /// Whether options of the old loop say what is to be said, so that nothing is added to that.
    pub fn is_follow_up(&self) -> bool {
        self.follows.is_some()
    }
    /// What is said of the loop that `latch` closes: what follows one of `names`, or else all but what begins with one of
    /// `instead_of`, or is of the number of iterations.
    pub(crate) fn of(env: &mut Env, body: &Body, latch: Block, names: &[&str], instead_of: &[&str]) -> Self {
        let left_out: Vec<&str> = instead_of.iter().copied().chain([ESTIMATE]).collect();
        Self {
            follows: follow_up(env, body, latch, names),
            options: kept(env, body, latch, &left_out),
            trips: number(env, body, latch, ESTIMATE).and_then(Int::to_u64),
        }
    }
    /// Says it of the loop that `latch` closes.
    pub(crate) fn say(&self, unit: &mut Unit<'_>, latch: Block) {
        match &self.follows {
            Some(FollowUp::Node(id)) => set(&mut unit.editor(), latch, MdRef::Node(*id)),
            None if !self.options.is_empty() => {
                // Each loop has a node of its own.
                let (env, _) = unit.env_and_body();
                let id = env.metadata.add_distinct(self.options.iter().cloned());
                set(&mut unit.editor(), latch, MdRef::Node(id));
            }
            Some(FollowUp::Nothing) | None => take(&mut unit.editor(), &[latch]),
        }
    }
}

/// Says of the loop that `latch` closes what follows, and otherwise `usual`.
pub(crate) fn set_follow_up(editor: &mut Editor<'_>, latch: Block, follows: Option<&FollowUp>, usual: MdId) {
    match follows {
        Some(FollowUp::Node(id)) => set(editor, latch, MdRef::Node(*id)),
        Some(FollowUp::Nothing) => take(editor, &[latch]),
        None => set(editor, latch, MdRef::Node(usual)),
    }
}

/// A node that says `name` of a loop, and all that was said of the loop that `latch` closes but what begins with one of
/// `instead_of`.
pub(crate) fn with_option(env: &mut Env, body: &Body, latch: Block, name: &str, instead_of: &[&str]) -> MdId {
    with(env, body, latch, vec![MdOperand::String(name.into())], instead_of)
}

/// The same with a number, instead of what the option had before.
pub(crate) fn with_number(env: &mut Env, body: &Body, latch: Block, name: &str, number: u32) -> MdId {
    let number = env.consts.int(Int::new(32, u128::from(number)));
    with(env, body, latch, vec![MdOperand::String(name.into()), MdOperand::Const(number)], &[name])
}

fn with(env: &mut Env, body: &Body, latch: Block, option: Vec<MdOperand>, instead_of: &[&str]) -> MdId {
    let mut operands = kept(env, body, latch, instead_of);
    let said = env.metadata.add(false, MdBody::Tuple(option));
    operands.push(MdOperand::Node(said));
    env.metadata.add_distinct(operands)
}

fn without(env: &mut Env, body: &Body, latch: Block, names: &[&str]) -> MdId {
    let operands = kept(env, body, latch, names);
    env.metadata.add_distinct(operands)
}

/// What is said of the loop that `latch` closes, but for what begins with one of `instead_of`.
fn kept(env: &Env, body: &Body, latch: Block, instead_of: &[&str]) -> Vec<MdOperand> {
    let replaced = |env: &Env, operand: &MdOperand| {
        let MdOperand::Node(option) = operand else { return false };
        let first = env.metadata.tuple(*option).and_then(|o| o.first());
        matches!(first, Some(MdOperand::String(s)) if instead_of.iter().any(|p| s.starts_with(p)))
    };
    let old = options(env, body, latch).get(1..).unwrap_or_default();
    old.iter().filter(|o| !replaced(env, o)).cloned().collect()
}

/// Says `metadata` of the loop that `latch` closes.
pub(crate) fn set(editor: &mut Editor<'_>, latch: Block, metadata: MdRef) {
    if let Some(branch) = editor.body().terminator(latch) {
        editor.set_metadata(branch, MdKind::Loop, metadata);
    }
}

/// What the latches `blocks` of a loop say of it, if all say the same.
pub(crate) fn common(body: &Body, blocks: &[Block]) -> Option<MdRef> {
    let mut found = blocks.iter().map(|b| of_block(body, *b));
    let first = found.next().flatten()?;
    found.all(|md| md == Some(first)).then_some(first)
}

/// The terminators of `blocks` lose their loop metadata.
pub(crate) fn take(editor: &mut Editor<'_>, blocks: &[Block]) {
    for &block in blocks {
        if of_block(editor.body(), block).is_some()
            && let Some(terminator) = editor.body().terminator(block)
        {
            editor.retain_metadata(terminator, |kind| *kind != MdKind::Loop);
        }
    }
}

/// Takes away what is said of no loop: at branches that are no backedges (of an irreducible cycle, say), and at latches
/// of one loop that say different things. Once an edge is gone, what is left may be a loop of which it would be said.
pub(crate) fn drop_stray(unit: &mut Unit<'_>) {
    let body = unit.body();
    if !body.blocks().any(|b| of_block(body, b).is_some()) {
        return;
    }
    let shape = unit.shape();
    let body = unit.body();
    let mut said: EntitySet<Block> = EntitySet::new();
    for l in shape.loops.ids() {
        let latches = shape.loops.latches(&shape.cfg, l);
        if common(body, &latches).is_some() {
            said.extend(latches);
        }
    }
    let stray: Vec<Block> =
        body.blocks().filter(|b| of_block(body, *b).is_some() && !said.contains(*b)).collect();
    take(&mut unit.editor(), &stray);
}

fn of_block(body: &Body, block: Block) -> Option<MdRef> {
    body.inst(body.terminator(block)?).metadata_of(&MdKind::Loop).copied()
}
