//! Debug records of a nest, transferred to the lowered code.
//!
//! Trees do not contain debug records, so they do not depend on them. A record is before an instruction, or at the
//! end of a block. It is placed before the lowered instruction, or after the lowered last instruction of the block;
//! in a header without instructions of the tree, at the beginning of the loop's body. A record in a block without any
//! node of the tree is dropped.
//!
//! A record keeps the operands that still exist: constants; values defined outside of the nest; values that an
//! instruction of the tree computes, stores, or uses as an address, if all loops around that instruction are also
//! around the record; the value of a variable at the beginning of an iteration, as long as the variable has it; and
//! the iteration number, if the code counted it. Other operands become poison, which means "unknown". No code is
//! created for records. If neighbouring instructions are in different loops now, the record goes to one after which
//! all its values are known.

use super::Plan;
use crate::blob::Temp;
use crate::node::{Hir, Kind, Node};
use backedge_analysis::alias::location::pointer_operand;
use backedge_ir::body::Body;
use backedge_ir::entity::Inst;
use backedge_ir::inst::{InstData, InstKind, Value};
use backedge_ir::types::Type;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// The position of a record relative to a node.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum RecordSide {
    /// Before an instruction.
    Before,
    /// After an instruction.
    After,
    /// At the beginning of a loop's body.
    Within,
}

/// An operand of an access that may be computed by no node of the tree.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Part {
    /// The address.
    Address,
    /// The stored value.
    Stored,
}

/// A place in the tree.
pub(super) type RecordPlace = (Node, RecordSide);

/// Limit on the accesses recorded for one value: any one of them can recover it for a debug record.
const MOST_USES: usize = 8;

/// The origin in the tree of a value that a record uses.
#[derive(Debug)]
pub(super) struct Source {
    pub(super) ty: Type,
    /// Lowering removes the value.
    pub(super) is_gone: bool,
    /// The node that computes the value.
    pub(super) computed: Option<Node>,
    /// The nodes that store the value or use it as their address.
    pub(super) used: Vec<(Node, Part)>,
    /// The loop, and the variable that has this value at the beginning of its iterations.
    pub(super) begun: Option<(Node, Temp)>,
    /// The phi that may count iterations.
    pub(super) phi: Option<Inst>,
}

/// A record, with the origin of each of its operands.
pub(super) type TracedRecord = (InstData, Vec<Source>);

/// The records of a nest, by their new places.
#[derive(Debug, Default)]
pub(super) struct Records(pub(super) FxHashMap<RecordPlace, Vec<TracedRecord>>);

/// The tables for finding the origins of values.
struct Sources<'s> {
    body: &'s Body,
    hir: &'s Hir,
    plan: &'s Plan,
    local: &'s FxHashSet<Inst>,
    /// The accesses that use a value of the nest.
    used: FxHashMap<Value, Vec<(Node, Part)>>,
    definitions: Rc<FxHashMap<Temp, Vec<Node>>>,
}

impl<'s> Sources<'s> {
    fn new(body: &'s Body, hir: &'s Hir, plan: &'s Plan, local: &'s FxHashSet<Inst>) -> Self {
        let mut used: FxHashMap<Value, Vec<(Node, Part)>> = FxHashMap::default();
        for inst in plan.blocks.iter().flat_map(|block| body.insts(*block)) {
            let Some(node) = plan.nodes.get(inst) else { continue };
            let data = body.inst(*inst);
            let stored = data.operands.first().filter(|_| matches!(data.kind, InstKind::Store(_)));
            let address = pointer_operand(body, *inst).map(|at| (at, Part::Address));
            for (value, part) in address.into_iter().chain(stored.map(|value| (*value, Part::Stored))) {
                let all = used.entry(value).or_default();
                if all.len() < MOST_USES {
                    all.push((*node, part));
                }
            }
        }
        Self { body, hir, plan, local, used, definitions: hir.definitions(plan.region) }
    }
    fn of(&self, value: Value) -> Source {
        let inst = value.as_inst();
        let phi = inst.filter(|inst| self.body.inst(*inst).kind.is_phi());
        let header = phi.and_then(|phi| self.body.block_of(phi));
        let l = header.and_then(|header| self.plan.headers.get(&header));
        let temp = phi.and_then(|phi| self.plan.phis.get(&phi));
        Source {
            ty: self.body.ty(value),
            is_gone: inst.is_some_and(|inst| self.local.contains(&inst)),
            computed: inst.and_then(|inst| self.plan.nodes.get(&inst)).copied(),
            used: self.used.get(&value).cloned().unwrap_or_default(),
            begun: l.copied().zip(temp.copied()),
            phi,
        }
    }
    /// Whether all operands of a record are known at a place.
    fn are_known(&self, all: &[Source], at: RecordPlace) -> bool {
        let is_known = |of: &Source| {
            !of.is_gone
                || of.computed.is_some_and(|node| is_done_before(self.hir, node, at))
                || of.used.iter().any(|(node, _)| is_done_before(self.hir, *node, at))
                || of.begun.is_some_and(|of| is_begun(self.hir, &self.definitions, of, at))
                || of.phi.is_some_and(|phi| counted(self.hir, phi, at).is_some())
        };
        all.iter().all(is_known)
    }
}

/// Whether the variable still has, at that place, its value from the beginning of the loop's iteration: all its
/// writes in the loop are after the place, and not in an inner loop that reaches the place again.
pub(super) fn is_begun(
    hir: &Hir,
    definitions: &FxHashMap<Temp, Vec<Node>>,
    (l, temp): (Node, Temp),
    (node, side): RecordPlace,
) -> bool {
    if !(hir.loops_around(node).any(|around| around == l) || node == l && side == RecordSide::Within) {
        return false;
    }
    let within = Some(node).filter(|node| side == RecordSide::Within && *node != l);
    let inner: Vec<Node> =
        within.into_iter().chain(hir.loops_around(node).take_while(|around| *around != l)).collect();
    let is_after = |written: &Node| {
        !hir.comes_before(*written, node)
            && (*written != node || side == RecordSide::Before)
            && inner.iter().all(|around| !hir.is_in(*around, *written))
    };
    let all = definitions.get(&temp).map_or(&[][..], |all| all);
    let is_inside = |written: &&Node| hir.loops_around(**written).any(|around| around == l);
    let mut inside = all.iter().filter(is_inside).peekable();
    inside.peek().is_some() && inside.all(is_after)
}

/// Whether the last execution of `of` before a place is in the same iterations of all loops around `of`.
pub(super) fn is_done_before(hir: &Hir, of: Node, (node, side): RecordPlace) -> bool {
    let is_before = hir.dominates(of, node) && (of != node || side == RecordSide::After);
    is_before && hir.loops_around(of).all(|l| hir.is_in(l, node))
}

/// The loop around a place whose iterations the phi counted.
pub(super) fn counted(hir: &Hir, phi: Inst, (node, side): RecordPlace) -> Option<Node> {
    let counts = |l: &Node| matches!(hir.kind(*l), Kind::Loop(of) if of.counters.contains(&phi));
    let own = Some(node).filter(|_| side == RecordSide::Within);
    own.into_iter().chain(hir.loops_around(node)).find(counts)
}

impl Records {
    /// The records in the blocks of a nest, which still exist; lowering removes the instructions in `local`.
    pub(super) fn of(body: &Body, hir: &Hir, plan: &Plan, local: &FxHashSet<Inst>) -> Self {
        let mut records = Self::default();
        let sources = Sources::new(body, hir, plan, local);
        for block in &plan.blocks {
            let (mut pending, mut last): (Vec<TracedRecord>, _) = (Vec::new(), None);
            for inst in body.insts(*block) {
                let data = body.inst(*inst);
                if matches!(data.kind, InstKind::DebugRecord(_)) {
                    let of = data.operands.iter().map(|value| sources.of(*value)).collect();
                    pending.push((data.clone(), of));
                } else if let Some(node) = plan.nodes.get(inst) {
                    let after = last.map(|node| (node, RecordSide::After));
                    records.put(&sources, [Some((*node, RecordSide::Before)), after], &mut pending);
                    last = Some(*node);
                }
            }
            let header = plan.headers.get(block).map(|l| (*l, RecordSide::Within));
            records.put(
                &sources,
                [last.map(|node| (node, RecordSide::After)).or(header), None],
                &mut pending,
            );
        }
        records
    }
    /// Assigns each record to one of the places, or to a place after one of its operands: the first place where all
    /// operands are known, or else the first place.
    fn put(
        &mut self,
        sources: &Sources<'_>,
        places: [Option<RecordPlace>; 2],
        pending: &mut Vec<TracedRecord>,
    ) {
        let Some(first) = places[0] else { return pending.clear() };
        for (data, all) in pending.drain(..) {
            let told = all
                .iter()
                .flat_map(|of| of.computed.into_iter().chain(of.used.iter().map(|(node, _)| *node)));
            let after = told.map(|node| (node, RecordSide::After));
            let known = places.into_iter().flatten().chain(after).find(|at| sources.are_known(&all, *at));
            self.0.entry(known.unwrap_or(first)).or_default().push((data, all));
        }
    }
}
