//! What debuggers are told in a nest, brought over to what it becomes.
//!
//! Trees know nothing of debug records, so that they do not depend on these. A record stands in front of an instruction, or at
//! the end of a block: it is put in front of what the instruction becomes, or behind what the last one of the block becomes; in a
//! header without instructions of the tree, at the beginning of the loop's body. In a block that the tree has nothing of it is
//! lost.
//!
//! A record goes on telling what is still there: constants, what is defined outside of the nest, what an instruction of the tree
//! computes in loops that are around the record too, and the number of the iteration as long as that is what the code counted. Of
//! other values it says that they are not known any more. No code is made for it.

use super::Plan;
use super::control::Lowering;
use super::ssa::Var;
use crate::node::{Kind, Node};
use backedge_ir::body::Body;
use backedge_ir::editor::Position;
use backedge_ir::inst::{InstData, InstKind, Value};
use backedge_ir::types::Type;
use rustc_hash::FxHashMap;

/// Where a record is, as seen from a node.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Side {
    /// In front of an instruction.
    Before,
    /// Behind an instruction.
    Behind,
    /// At the beginning of a loop's body.
    Within,
}

/// A record, with the type of each value that it tells of, and the node that computes it, if one does.
type Told = (InstData, Vec<(Type, Option<Node>)>);

/// The records of a nest, by where they go.
#[derive(Debug, Default)]
pub(super) struct Records(FxHashMap<(Node, Side), Vec<Told>>);

impl Records {
    /// Those in the blocks of a nest, which are still there.
    pub(super) fn of(body: &Body, plan: &Plan) -> Self {
        let mut records = Self::default();
        for block in &plan.blocks {
            let (mut pending, mut last) = (Vec::new(), None);
            for inst in body.insts(*block) {
                let data = body.inst(*inst);
                if matches!(data.kind, InstKind::DebugRecord(_)) {
                    let of = |value: &Value| {
                        let node = value.as_inst().and_then(|inst| plan.nodes.get(&inst));
                        (body.ty(*value), node.copied())
                    };
                    pending.push((data.clone(), data.operands.iter().map(of).collect()));
                } else if let Some(node) = plan.nodes.get(inst) {
                    last = Some(*node);
                    records.put(*node, Side::Before, &mut pending);
                }
            }
            let header = plan.headers.get(block).map(|l| (*l, Side::Within));
            if let Some((node, side)) = last.map(|node| (node, Side::Behind)).or(header) {
                records.put(node, side, &mut pending);
            }
        }
        records
    }
    fn put(&mut self, node: Node, side: Side, pending: &mut Vec<Told>) {
        if !pending.is_empty() {
            self.0.entry((node, side)).or_default().append(pending);
        }
    }
}

impl Lowering<'_, '_, '_> {
    /// Tells what is to be told there.
    pub(super) fn tell(&mut self, node: Node, side: Side) {
        for (mut data, of) in self.records.0.remove(&(node, side)).unwrap_or_default() {
            for (operand, (ty, of)) in data.operands.iter_mut().zip(of) {
                let is_gone = operand.as_inst().is_some_and(|inst| self.local.contains(&inst));
                if is_gone {
                    let known = of.and_then(|of| self.computed(of, (node, side)));
                    let known = known.or_else(|| self.number(*operand, (node, side), ty));
                    *operand = known.unwrap_or_else(|| self.editor.poison(ty));
                }
            }
            self.editor.insert(Position::End(self.at), data);
        }
    }
    /// What `of` computed, if that is the last that it computed before a record there.
    fn computed(&self, of: Node, (node, side): (Node, Side)) -> Option<Value> {
        let hir = self.hir;
        let mut around = hir.loops_around(of);
        let is_before = hir.dominates(of, node) && (of != node || side == Side::Behind);
        let value = self.made.get(&of).filter(|_| is_before && around.all(|l| hir.is_in(l, node)));
        value.copied()
    }
    /// The number of the iteration that the phi `value` was, if it is known at a record there.
    fn number(&self, value: Value, (node, side): (Node, Side), ty: Type) -> Option<Value> {
        let (hir, phi) = (self.hir, value.as_inst()?);
        let counts = |l: &Node| matches!(hir.kind(*l), Kind::Loop(of) if of.counters.contains(&phi));
        let own = Some(node).filter(|_| side == Side::Within);
        let l = own.into_iter().chain(hir.loops_around(node)).find(counts)?;
        let number = self.ssa.value(*self.headers.get(&l)?, Var::Iv(l))?;
        (self.editor.body().ty(number) == ty).then_some(number)
    }
}
