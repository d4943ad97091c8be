//! Whether a pass changed a function, determined by comparing the function, not by asking the pass.

use backedge_ir::body::Body;
use backedge_ir::entity::{Block, Inst, SecondaryMap};
use backedge_ir::inst::Value;

/// Whether `before` and `after` are the same code: the same blocks and instructions in the same order, with the same
/// names, operands, flags and metadata. Their ids may differ. `after` must have been derived from a clone of `before`
/// by editing, so that a constant has the same id in both.
pub fn is_same_code(before: &Body, after: &Body) -> bool {
    if before.body_epoch() == after.body_epoch() {
        return true;
    }
    before.block_count() == after.block_count()
        && before.args().len() == after.args().len()
        && before.args().all(|a| before.value_name(a.into()) == after.value_name(a.into()))
        && before.blocks().zip(after.blocks()).all(|(a, b)| {
            before.block_name(a) == after.block_name(b) && before.insts(a).len() == after.insts(b).len()
        })
        && Pairing::new(before, after).is_same()
}

/// The blocks and instructions of two bodies, paired by position.
struct Pairing<'a> {
    before: &'a Body,
    after: &'a Body,
    insts: SecondaryMap<Inst, Option<Inst>>,
    blocks: SecondaryMap<Block, Option<Block>>,
}

impl<'a> Pairing<'a> {
    fn new(before: &'a Body, after: &'a Body) -> Self {
        let mut insts = SecondaryMap::new();
        let mut blocks = SecondaryMap::new();
        for (a, b) in before.all_insts().zip(after.all_insts()) {
            insts[a] = Some(b);
        }
        for (a, b) in before.blocks().zip(after.blocks()) {
            blocks[a] = Some(b);
        }
        Self { before, after, insts, blocks }
    }
    fn is_same(&self) -> bool {
        self.before.all_insts().zip(self.after.all_insts()).all(|(a, b)| self.is_same_inst(a, b))
    }
    fn is_same_inst(&self, a: Inst, b: Inst) -> bool {
        let (x, y) = (self.before.inst(a), self.after.inst(b));
        x.kind == y.kind
            && x.ty == y.ty
            && x.metadata == y.metadata
            && self.before.value_name(a.into()) == self.after.value_name(b.into())
            && x.operands.len() == y.operands.len()
            && x.operands.iter().zip(&y.operands).all(|(a, b)| self.is_same_value(*a, *b))
            && x.blocks.len() == y.blocks.len()
            && x.blocks.iter().zip(&y.blocks).all(|(a, b)| self.blocks[*a] == Some(*b))
    }
    fn is_same_value(&self, a: Value, b: Value) -> bool {
        match (a, b) {
            (Value::Inst(a), Value::Inst(b)) => self.insts[a] == Some(b),
            (Value::Arg(a), Value::Arg(b)) => a == b,
            (Value::Const(a), Value::Const(b)) => a == b,
            _ => false,
        }
    }
}
