//! Loops that metadata declares parallel: no iteration depends on another through memory.
//!
//! Follows LLVM's `isAnnotatedParallel`: all latches have the same `!llvm.loop` id, and every instruction in the loop
//! that may access memory is in an access group that the id lists under `llvm.loop.parallel_accesses`, or (the older
//! form) lists the id under `!llvm.mem.parallel_loop_access`.

use super::{LoopForest, LoopId};
use crate::Cfg;
use crate::effects::may_access_memory;
use backedge_ir::body::Body;
use backedge_ir::entity::{Inst, MdId};
use backedge_ir::metadata::{MdKind, MdOperand, MdRef, MdTable};
use backedge_ir::module::Env;

fn node_of(body: &Body, inst: Inst, kind: &MdKind) -> Option<MdId> {
    match body.inst(inst).metadata_of(kind)? {
        MdRef::Node(id) => Some(*id),
        MdRef::Const(_) => None,
    }
}

fn nodes(md: &MdTable, tuple: MdId) -> impl Iterator<Item = MdId> + '_ {
    let operands = md.tuple(tuple).unwrap_or(&[]).iter();
    operands.filter_map(|o| match o {
        MdOperand::Node(id) => Some(*id),
        MdOperand::Null | MdOperand::String(_) | MdOperand::Const(_) => None,
    })
}

/// The property of the loop id `id` called `name`: the tuple that starts with that string.
fn property(md: &MdTable, id: MdId, name: &str) -> Option<MdId> {
    let named = |tuple: MdId| match md.tuple(tuple)?.first()? {
        MdOperand::String(first) => (**first == *name).then_some(tuple),
        MdOperand::Null | MdOperand::Node(_) | MdOperand::Const(_) => None,
    };
    nodes(md, id).skip(1).find_map(named)
}

impl LoopForest {
    /// The loop id: the `!llvm.loop` node of the terminators of all latches, whose first operand is the node itself.
    pub fn loop_metadata(&self, env: &Env, body: &Body, cfg: &Cfg, l: LoopId) -> Option<MdId> {
        let latches = self.latches(cfg, l);
        let mut ids = latches.iter().map(|b| node_of(body, body.terminator(*b)?, &MdKind::Loop));
        let id = ids.next()??;
        let refers_to_itself = env.metadata.tuple(id)?.first() == Some(&MdOperand::Node(id));
        (refers_to_itself && ids.all(|other| other == Some(id))).then_some(id)
    }
    /// Whether the metadata of `l` has the property called `name`.
    pub fn has_property(&self, env: &Env, body: &Body, cfg: &Cfg, l: LoopId, name: &str) -> bool {
        self.loop_metadata(env, body, cfg, l).is_some_and(|id| property(&env.metadata, id, name).is_some())
    }
    /// Whether metadata declares that no iteration depends on another through memory.
    pub fn is_annotated_parallel(&self, env: &Env, body: &Body, cfg: &Cfg, l: LoopId) -> bool {
        let Some(id) = self.loop_metadata(env, body, cfg, l) else { return false };
        let md = &env.metadata;
        let groups: Vec<MdId> = property(md, id, "llvm.loop.parallel_accesses")
            .map_or_else(Vec::new, |list| nodes(md, list).collect());
        let in_group = |group: MdId| match md.tuple(group) {
            Some([]) => groups.contains(&group),
            _ => nodes(md, group).any(|g| groups.contains(&g)),
        };
        let is_parallel = |inst: Inst| {
            node_of(body, inst, &MdKind::AccessGroup).is_some_and(in_group)
                || node_of(body, inst, &MdKind::MemParallelLoopAccess)
                    .is_some_and(|list| nodes(md, list).any(|n| n == id))
        };
        let insts = self.blocks_unordered(l).iter().flat_map(|b| body.insts(*b));
        insts.copied().all(|i| !may_access_memory(env, body, i) || is_parallel(i))
    }
}
