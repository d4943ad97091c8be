//! Reads and writes loop metadata ([`backedge_ir::loop_options`]): options with numbers, and adding or replacing
//! options. Also removes loop metadata that an edge deletion would otherwise attach to another loop.

use crate::pass::Unit;
use crate::shape::Shape;
use backedge_ir::body::Body;
use backedge_ir::editor::Editor;
use backedge_ir::entity::{Block, EntitySet, MdId};
use backedge_ir::int::Int;
use backedge_ir::loop_options::{option, options};
use backedge_ir::metadata::{MdBody, MdKind, MdOperand, MdRef};
use backedge_ir::module::Env;

/// The numeric value of the option `name` of the loop with latch `latch`.
pub(crate) fn number(env: &Env, body: &Body, latch: Block, name: &str) -> Option<Int> {
    match option(env, body, latch, name)? {
        [MdOperand::Const(c)] => env.consts.as_int(*c),
        _ => None,
    }
}

/// Option with the measured average trip count.
pub(crate) const ESTIMATE: &str = "llvm.loop.estimated_trip_count";

/// Updates the estimated trip count of the loop with latch `latch`, if it has one: to the result of `now`, or removes
/// it if `now` returns `None`.
pub(crate) fn estimate(unit: &mut Unit<'_>, latch: Block, now: impl FnOnce(u64) -> Option<u64>) {
    let (env, body) = unit.env_and_body();
    let Some(said) = number(env, body, latch, ESTIMATE) else { return };
    let id = match said.to_u64().and_then(now).and_then(|n| u32::try_from(n).ok()) {
        Some(trips) => with_number(env, body, latch, ESTIMATE, trips),
        None => without(env, body, latch, &[ESTIMATE]),
    };
    set(&mut unit.editor(), latch, MdRef::Node(id));
}

/// The metadata that follow-up options prescribe for a derived loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum FollowUp {
    /// This node.
    Node(MdId),
    /// No metadata.
    Nothing,
}

/// The follow-up metadata that the loop with latch `latch` prescribes for a derived loop: exactly the options listed
/// under `names`. `None` if the loop has none of these; then the pass decides.
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

/// Metadata for loops derived from one loop, collected before that loop changes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Inherited {
    follows: Option<FollowUp>,
    options: Vec<MdOperand>,
    /// The estimated trip count of the old loop, if any.
    pub trips: Option<u64>,
}

impl Inherited {
    /// Whether follow-up options of the old loop prescribe the metadata, so that nothing may be added to it.
    pub fn is_follow_up(&self) -> bool {
        self.follows.is_some()
    }
    /// Collects the metadata of the loop with latch `latch`: the options listed under the follow-up names `names`, or
    /// else all options except the trip-count estimate and those that begin with one of `instead_of`.
    pub(crate) fn of(env: &mut Env, body: &Body, latch: Block, names: &[&str], instead_of: &[&str]) -> Self {
        let left_out: Vec<&str> = instead_of.iter().copied().chain([ESTIMATE]).collect();
        Self {
            follows: follow_up(env, body, latch, names),
            options: kept(env, body, latch, &left_out),
            trips: number(env, body, latch, ESTIMATE).and_then(Int::to_u64),
        }
    }
    /// Sets the collected metadata on the loop with latch `latch`.
    pub(crate) fn say(&self, unit: &mut Unit<'_>, latch: Block) {
        match &self.follows {
            Some(FollowUp::Node(id)) => set(&mut unit.editor(), latch, MdRef::Node(*id)),
            None if !self.options.is_empty() => {
                // Loop nodes are distinct: each loop needs its own.
                let (env, _) = unit.env_and_body();
                let id = env.metadata.add_distinct(self.options.iter().cloned());
                set(&mut unit.editor(), latch, MdRef::Node(id));
            }
            Some(FollowUp::Nothing) | None => take(&mut unit.editor(), &[latch]),
        }
    }
}

/// Sets the follow-up metadata `follows` on the loop with latch `latch`, or `usual` if there is none.
pub(crate) fn set_follow_up(editor: &mut Editor<'_>, latch: Block, follows: Option<&FollowUp>, usual: MdId) {
    match follows {
        Some(FollowUp::Node(id)) => set(editor, latch, MdRef::Node(*id)),
        Some(FollowUp::Nothing) => take(editor, &[latch]),
        None => set(editor, latch, MdRef::Node(usual)),
    }
}

/// A node with the option `name` and the options of the loop with latch `latch`, except those that begin with one of
/// `instead_of`.
pub(crate) fn with_option(env: &mut Env, body: &Body, latch: Block, name: &str, instead_of: &[&str]) -> MdId {
    with(env, body, latch, vec![MdOperand::String(name.into())], instead_of)
}

/// Like [`with_option`], with a number; replaces an old value of the option.
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

/// The options of the loop with latch `latch`, except those that begin with one of `instead_of`.
fn kept(env: &Env, body: &Body, latch: Block, instead_of: &[&str]) -> Vec<MdOperand> {
    let replaced = |env: &Env, operand: &MdOperand| {
        let MdOperand::Node(option) = operand else { return false };
        let first = env.metadata.tuple(*option).and_then(|o| o.first());
        matches!(first, Some(MdOperand::String(s)) if instead_of.iter().any(|p| s.starts_with(p)))
    };
    let old = options(env, body, latch).get(1..).unwrap_or_default();
    old.iter().filter(|o| !replaced(env, o)).cloned().collect()
}

/// Sets the loop metadata of the loop with latch `latch`.
pub(crate) fn set(editor: &mut Editor<'_>, latch: Block, metadata: MdRef) {
    if let Some(branch) = editor.body().terminator(latch) {
        editor.set_metadata(branch, MdKind::Loop, metadata);
    }
}

/// The loop metadata of the latches `blocks`, if all have the same.
pub(crate) fn common(body: &Body, blocks: &[Block]) -> Option<MdRef> {
    let mut found = blocks.iter().map(|b| of_block(body, *b));
    let first = found.next().flatten()?;
    found.all(|md| md == Some(first)).then_some(first)
}

/// Drops the loop metadata of the terminators of `blocks`.
pub(crate) fn take(editor: &mut Editor<'_>, blocks: &[Block]) {
    for &block in blocks {
        if of_block(editor.body(), block).is_some()
            && let Some(terminator) = editor.body().terminator(block)
        {
            editor.retain_metadata(terminator, |kind| *kind != MdKind::Loop);
        }
    }
}

/// Drops loop metadata that belongs to no loop: on branches that are not backedges (of an irreducible cycle, say),
/// and on latches of one loop that disagree. After an edge is removed, such metadata might be attributed to a
/// remaining loop.
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

impl Unit<'_> {
    /// Adds the valueless property `name` to the metadata of the loop with that header and a single latch, once.
    pub fn add_loop_property(&mut self, header: Block, name: &str) {
        let Some(latch) = self.single_latch(header) else { return };
        let (env, body) = self.env_and_body();
        let id = with_option(env, body, latch, name, &[name]);
        set(&mut self.editor(), latch, MdRef::Node(id));
    }
    /// The metadata that loops derived from this one inherit. The loop has that header and a single latch. If it has
    /// follow-up options that begin with one of `names`, these are used; otherwise all its options except those that
    /// begin with one of `instead_of`.
    pub fn inherited(&mut self, header: Block, names: &[&str], instead_of: &[&str]) -> Option<Inherited> {
        let latch = self.single_latch(header)?;
        let (env, body) = self.env_and_body();
        Some(Inherited::of(env, body, latch, names, instead_of))
    }
    /// Sets the metadata of the loop with that header and a single latch to exactly `inherited`.
    pub fn inherit(&mut self, header: Block, inherited: &Inherited) {
        if let Some(latch) = self.single_latch(header) {
            inherited.say(self, latch);
        }
    }
    fn single_latch(&mut self, header: Block) -> Option<Block> {
        let shape = self.shape();
        let Shape { cfg, loops, .. } = &*shape;
        loops.single_latch(cfg, loops.with_header(header)?)
    }
    /// Sets the option `name` of the loop with that header and a single latch to `number`, replacing an old value.
    pub fn set_loop_number(&mut self, header: Block, name: &str, number: u32) {
        let Some(latch) = self.single_latch(header) else { return };
        let (env, body) = self.env_and_body();
        let id = with_number(env, body, latch, name, number);
        set(&mut self.editor(), latch, MdRef::Node(id));
    }
}
