//! The only writer of function bodies. It keeps use lists, names and epochs consistent. It does not check types or
//! dominance (the verifier does), so a body may be invalid between two edits.
//!
//! An edit of blocks, edges or terminators bumps the CFG epoch; every edit bumps the body epoch.

mod blocks;
mod edges;
mod insts;
mod names;
mod uses;

use crate::body::{ArgNode, Body, Local};
use crate::constant::{ConstPool, Constant};
use crate::entity::{Arg, Block, Const, Inst, PrimaryMap};
use crate::inst::Value;
use crate::int::Int;
use crate::metadata::MdRef;
use crate::types::Type;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// An insertion point in a body.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Position {
    /// Before the given instruction.
    Before(Inst),
    /// After the given instruction.
    After(Inst),
    /// At the start of the block, before its phis.
    Start(Block),
    /// After the block's phis.
    AfterPhis(Block),
    /// At the end of the block, after its terminator if it has one.
    End(Block),
    /// Before the block's terminator, or at the end if it has none.
    BeforeTerminator(Block),
}

/// Edits a body.
#[derive(Debug)]
pub struct Editor<'a> {
    body: &'a mut Body,
    location: Option<MdRef>,
}

impl<'a> Editor<'a> {
    /// An editor of `body`.
    pub fn new(body: &'a mut Body) -> Self {
        Self { body, location: None }
    }
    /// The location set by [`Editor::set_location`].
    pub fn location(&self) -> Option<MdRef> {
        self.location
    }
    /// Sets the debug location that [`Editor::insert_new`] attaches to the instructions it inserts from now on.
    pub fn set_location(&mut self, location: Option<MdRef>) {
        self.location = location;
    }
    /// The body in its current state.
    pub fn body(&self) -> &Body {
        self.body
    }

    fn bump(&mut self) {
        self.body.body_epoch += 1;
    }
    fn bump_cfg(&mut self) {
        self.body.cfg_epoch += 1;
        self.body.body_epoch += 1;
    }

    /// Records that the current edit changes `block`.
    fn touch(&mut self, block: Block) {
        let now = self.body.body_epoch + 1;
        if self.body.blocks[block].since == now {
            return;
        }
        self.body.blocks[block].since = now;
        match self.body.changes.last_mut() {
            Some((since, last)) if *last == block => *since = now,
            _ => self.note_change(now, block),
        }
    }
    fn note_change(&mut self, now: u64, block: Block) {
        let Body { changes, blocks, .. } = &mut *self.body;
        // Dropping superseded entries leaves at most one per block, so the cost is amortized.
        if changes.len() > 64 + 2 * blocks.len() {
            changes.retain(|(since, block)| blocks[*block].since == *since);
        }
        changes.push((now, block));
    }
    /// Records that the current edit changes the block of `inst`.
    fn touch_block_of(&mut self, inst: Inst) {
        if let Some(block) = self.body.insts[inst].block {
            self.touch(block);
        }
    }

    // Constants.

    /// The constant pool; constants may be added at any time.
    pub fn consts(&mut self) -> &mut ConstPool {
        &mut self.body.consts
    }
    /// The constant `constant`, whose operands must belong to this body's pool.
    pub fn constant(&mut self, constant: Constant) -> Const {
        self.body.consts.intern(constant)
    }
    /// The integer constant `value`.
    pub fn int(&mut self, value: Int) -> Value {
        self.body.consts.int(value).into()
    }
    /// `poison` of type `ty`.
    pub fn poison(&mut self, ty: Type) -> Value {
        self.body.consts.poison(ty).into()
    }

    // Arguments.

    /// Appends an argument.
    pub fn add_arg(&mut self, ty: Type, name: Option<&str>) -> Arg {
        let arg = self.body.args.push(ArgNode { ty, name: None, uses: SmallVec::new() });
        if let Some(name) = name {
            let name = self.claim_name(name, Local::Arg(arg));
            self.body.args[arg].name = Some(name);
        }
        self.bump();
        arg
    }

    /// Changes the type of `arg`. The caller must update the users and the function's header.
    pub fn set_arg_type(&mut self, arg: Arg, ty: Type) {
        self.body.args[arg].ty = ty;
        self.bump();
    }
    /// Reorders the arguments and removes those not in `kept`, which lists the remaining ones in their new order. The
    /// removed arguments must have no uses.
    pub fn keep_args(&mut self, kept: &[Arg]) {
        let mut place: FxHashMap<Arg, Arg> = FxHashMap::default();
        let mut args = PrimaryMap::new();
        for &old in kept {
            place.insert(old, args.push(self.body.args[old].clone()));
        }
        for (old, node) in self.body.args.iter() {
            assert!(place.contains_key(&old) || node.uses.is_empty(), "{old:?} is in use");
        }
        self.body.args = args;
        for (_, node) in self.body.insts.iter_mut() {
            for operand in &mut node.data.operands {
                if let Value::Arg(arg) = operand {
                    *arg = place[arg];
                }
            }
        }
        self.body.locals.retain(|_, local| match local {
            Local::Arg(arg) => match place.get(arg) {
                Some(new) => {
                    *arg = *new;
                    true
                }
                None => false,
            },
            Local::Block(_) | Local::Inst(_) => true,
        });
        self.bump();
    }
}
