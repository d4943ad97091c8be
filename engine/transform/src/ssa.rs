//! SSA repair for a value with several definitions: finds the reaching definition at each place, with phis where
//! several meet.
//!
//! Phis belong at the iterated dominance frontier of the blocks that define the value (Cytron, Ferrante, Rosen,
//! Wegman, Zadeck, "Efficiently Computing Static Single Assignment Form and the Control Dependence Graph", 1991). They
//! Phis are created on demand: a lookup climbs the dominator tree to the nearest block with an answer, and a new phi
//! looks up the values of its predecessors in turn. So no unused phi is created.
//!
//! Needs that definitions reach every queried place on all paths. A place without a reaching definition gets poison;
//! this happens only on edges from unreachable blocks.

use crate::split::new_phi;
use backedge_analysis::{Cfg, Dominators};
use backedge_ir::editor::Editor;
use backedge_ir::entity::{Block, EntitySet, Inst};
use backedge_ir::inst::Value;
use backedge_ir::types::Type;
use rustc_hash::FxHashMap;

/// The reaching definitions of one value.
pub struct Reaching<'a> {
    cfg: &'a Cfg,
    dominators: &'a Dominators,
    /// The definition that is live at the end of a block that defines the value.
    at_end: &'a dyn Fn(Block) -> Option<Value>,
    /// The blocks at whose start definitions meet.
    joins: &'a EntitySet<Block>,
    ty: Type,
    name: Option<Box<str>>,
    phis: FxHashMap<Block, Inst>,
    made: Vec<Inst>,
    /// Number of `made` phis whose entries are complete.
    filled: usize,
}

/// Where a value is defined, and where definitions meet.
#[derive(Copy, Clone)]
pub struct Definitions<'a> {
    /// The CFG.
    pub cfg: &'a Cfg,
    /// Its dominator tree.
    pub dominators: &'a Dominators,
    /// The definition that is live at the end of a block that defines the value.
    pub at_end: &'a dyn Fn(Block) -> Option<Value>,
    /// The blocks at whose start definitions meet.
    pub joins: &'a EntitySet<Block>,
}

impl<'a> Reaching<'a> {
    /// The reaching definitions of a value of type `ty`; new phis are called `name`.
    pub fn new(definitions: Definitions<'a>, ty: Type, name: Option<&str>) -> Self {
        let Definitions { cfg, dominators, at_end, joins } = definitions;
        Self {
            cfg,
            dominators,
            at_end,
            joins,
            ty,
            name: name.map(Into::into),
            phis: FxHashMap::default(),
            made: Vec::new(),
            filled: 0,
        }
    }
    /// Uses the existing `phi` as the phi of `block`.
    pub fn seed(&mut self, block: Block, phi: Inst) {
        self.phis.insert(block, phi);
    }
    /// The value at the end of `block`.
    pub fn at_end(&mut self, editor: &mut Editor<'_>, block: Block) -> Value {
        let value = self.look_up(editor, block, true);
        self.fill(editor);
        value
    }
    /// The value at the start of `block`, after its phis.
    pub fn at_start(&mut self, editor: &mut Editor<'_>, block: Block) -> Value {
        let value = self.look_up(editor, block, false);
        self.fill(editor);
        value
    }
    /// The value at the start of `block`, if no new phi is needed for it.
    pub fn existing_at_start(&self, block: Block) -> Option<Value> {
        let mut at = block;
        let mut end = false;
        loop {
            if let Some(value) = (self.at_end)(at).filter(|_| end) {
                return Some(value);
            }
            if self.joins.contains(at) {
                return self.phis.get(&at).map(|phi| (*phi).into());
            }
            at = self.dominators.idom(at)?;
            end = true;
        }
    }
    /// The phis created so far.
    pub fn into_phis(self) -> Vec<Inst> {
        self.made
    }

    fn look_up(&mut self, editor: &mut Editor<'_>, block: Block, mut end: bool) -> Value {
        let mut at = Some(block);
        while let Some(block) = at {
            if let Some(value) = (self.at_end)(block).filter(|_| end) {
                return value;
            }
            if self.joins.contains(block) {
                return self.phi(editor, block).into();
            }
            at = self.dominators.idom(block);
            end = true;
        }
        editor.poison(self.ty)
    }
    fn phi(&mut self, editor: &mut Editor<'_>, block: Block) -> Inst {
        if let Some(&phi) = self.phis.get(&block) {
            return phi;
        }
        let phi = new_phi(editor, block, self.ty, &[], &[]);
        if let Some(name) = &self.name {
            editor.set_name(phi, name);
        }
        self.phis.insert(block, phi);
        self.made.push(phi);
        phi
    }
    /// Completes the entries of the phis created so far; this may create more phis.
    fn fill(&mut self, editor: &mut Editor<'_>) {
        while let Some(&phi) = self.made.get(self.filled) {
            self.filled += 1;
            let Some(block) = editor.body().block_of(phi) else { continue };
            for &pred in self.cfg.preds(block) {
                let value = self.look_up(editor, pred, true);
                editor.add_incoming(phi, value, pred);
            }
        }
    }
}
