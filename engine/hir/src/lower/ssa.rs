//! Variables as SSA values: finds the value of each read.
//!
//! Blocks are added in the order in which control reaches them, each with all its predecessors. The exceptions are
//! loop headers, whose backedges are added last; the variables that the loop writes are known from the start. For
//! other targets of backward jumps they are unknown: every variable may have been written.

use crate::blob::Temp;
use crate::node::Node;
use backedge_ir::editor::{Editor, Position};
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::{FastMath, InstData, InstKind, Value};
use backedge_ir::types::Type;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// A variable that is read and written.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Var {
    Temp(Temp),
    /// The induction variable of a loop.
    Iv(Node),
}

/// A header whose backedges are not known yet.
#[derive(Debug)]
struct Open {
    /// The entry block of the loop and the variables that it writes, if known.
    known: Option<(Block, FxHashSet<Var>)>,
    phis: Vec<(Var, Inst)>,
}

/// The values of variables.
#[derive(Debug, Default)]
pub(super) struct Ssa {
    values: FxHashMap<(Block, Var), Value>,
    preds: FxHashMap<Block, SmallVec<[Block; 2]>>,
    open: FxHashMap<Block, Open>,
    /// The phis of headers.
    begun: FxHashMap<(Block, Var), Inst>,
    made: Vec<Inst>,
    /// The most recently created phi of each block. Phis are in the order in which their variables are first read, so
    /// that an operation whose operands are in textual order keeps that order.
    last: FxHashMap<Block, Inst>,
}

impl Ssa {
    pub(super) fn write(&mut self, block: Block, var: Var, value: Value) {
        self.values.insert((block, var), value);
    }
    /// Whether the variable was written or read in that block.
    pub(super) fn is_known(&self, block: Block, var: Var) -> bool {
        self.values.contains_key(&(block, var))
    }
    /// The value of the variable at the end of that block, if known.
    pub(super) fn value(&self, block: Block, var: Var) -> Option<Value> {
        self.values.get(&(block, var)).copied()
    }
    /// The header phi of a variable that the loop writes, if the variable has been read there.
    pub(super) fn begun(&self, header: Block, var: Var) -> Option<Inst> {
        self.begun.get(&(header, var)).copied()
    }
    pub(super) fn edge(&mut self, from: Block, to: Block) {
        self.preds.entry(to).or_default().push(from);
    }
    pub(super) fn preds(&self, block: Block) -> &[Block] {
        self.preds.get(&block).map_or(&[], |preds| preds)
    }
    /// Opens the header of a loop that writes these variables.
    pub(super) fn open(&mut self, header: Block, entry: Block, written: FxHashSet<Var>) {
        self.open.insert(header, Open { known: Some((entry, written)), phis: Vec::new() });
    }
    /// Opens a block that is the target of a backward jump and whose written variables are unknown.
    pub(super) fn open_any(&mut self, block: Block) {
        self.open.insert(block, Open { known: None, phis: Vec::new() });
    }
    /// Closes a header: all its edges are known now.
    pub(super) fn close(&mut self, editor: &mut Editor<'_>, header: Block, ty: &dyn Fn(Var) -> Type) {
        let Some(open) = self.open.remove(&header) else { return };
        for (var, phi) in open.phis {
            self.fill(editor, header, var, phi, ty);
        }
    }
    fn fill(&mut self, editor: &mut Editor<'_>, block: Block, var: Var, phi: Inst, ty: &dyn Fn(Var) -> Type) {
        for pred in self.preds(block).to_vec() {
            let value = self.read(editor, pred, var, ty);
            editor.add_incoming(phi, value, pred);
        }
    }
    /// The current value of the variable at the end of a block.
    pub(super) fn read(
        &mut self,
        editor: &mut Editor<'_>,
        block: Block,
        var: Var,
        ty: &dyn Fn(Var) -> Type,
    ) -> Value {
        let mut passed = Vec::new();
        let mut at = block;
        let value = loop {
            if let Some(known) = self.values.get(&(at, var)) {
                break *known;
            }
            if let Some(open) = self.open.get_mut(&at) {
                if let Some((entry, written)) = &open.known
                    && !written.contains(&var)
                {
                    passed.push(at);
                    at = *entry;
                    continue;
                }
                let phi = make(editor, &mut self.last, at, ty(var));
                open.phis.push((var, phi));
                self.begun.insert((at, var), phi);
                self.made.push(phi);
                break phi.into();
            }
            match self.preds(at) {
                [] => break editor.poison(ty(var)),
                [one] => {
                    let one = *one;
                    passed.push(at);
                    at = one;
                }
                _ => {
                    let phi = make(editor, &mut self.last, at, ty(var));
                    self.made.push(phi);
                    // A cycle may lead back to this block.
                    self.values.insert((at, var), phi.into());
                    self.fill(editor, at, var, phi, ty);
                    break phi.into();
                }
            }
        };
        for block in passed.into_iter().chain([at]) {
            self.values.insert((block, var), value);
        }
        value
    }
    /// Removes the phis with the same value on all edges.
    pub(super) fn tidy(self, editor: &mut Editor<'_>) {
        let mut left: FxHashSet<Inst> = self.made.iter().copied().collect();
        loop {
            let mut changed = false;
            for phi in self.made.iter().rev() {
                if !left.contains(phi) {
                    continue;
                }
                let body = editor.body();
                let mut others = body.inst(*phi).operands.iter().copied().filter(|v| *v != Value::Inst(*phi));
                let first = others.next();
                if others.any(|v| Some(v) != first) {
                    continue;
                }
                let ty = body.inst(*phi).ty;
                let value = first.unwrap_or_else(|| editor.poison(ty));
                editor.replace_uses((*phi).into(), value);
                editor.remove(*phi);
                left.remove(phi);
                changed = true;
            }
            if !changed {
                break;
            }
        }
    }
}

/// Inserts a new phi after the `last` one of its block.
fn make(editor: &mut Editor<'_>, last: &mut FxHashMap<Block, Inst>, block: Block, ty: Type) -> Inst {
    let place = last.get(&block).map_or(Position::Start(block), |phi| Position::After(*phi));
    let phi = editor.insert(place, InstData::new(InstKind::Phi(FastMath::NONE), ty, [], []));
    last.insert(block, phi);
    phi
}
