//! Claims reduced to the compared facts: counts by loop and exit, flags by recurrence.

use backedge_claim::claim::{ClaimKind, Claims, CountKind};
use backedge_claim::expr::{ExprId, Flags, Node};
use backedge_ir::body::Body;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::Value;
use backedge_ir::int::Int;
use std::collections::BTreeMap;

/// The facts about one function.
#[derive(Debug, Default)]
pub(crate) struct FunctionKnown {
    /// By the name of the header.
    pub(crate) loops: BTreeMap<String, LoopKnown>,
    /// By the name of the value: the header of the recurrence's loop, and the recurrence's flags.
    pub(crate) recurrences: BTreeMap<String, (String, Flags)>,
}

/// The facts about one loop.
#[derive(Debug, Default)]
pub(crate) struct LoopKnown {
    pub(crate) exact: bool,
    pub(crate) constant_max: Option<Int>,
    pub(crate) symbolic_max: bool,
    /// By the name of the exiting block: whether the exact count and the symbolic maximum are known.
    pub(crate) exits: BTreeMap<String, (bool, bool)>,
}

impl FunctionKnown {
    /// The facts in `claims` about `body`.
    pub(crate) fn of(body: &Body, claims: &Claims) -> Self {
        let slots = body.slots();
        let label = |block: Block| slots.block_label(body, block);
        let name = |inst: Inst| match (body.value_name(inst.into()), slots.insts[inst]) {
            (Some(name), _) => name.to_owned(),
            (None, number) => number.map_or_else(|| format!("{inst:?}"), |n| n.to_string()),
        };
        let known = |expr: ExprId| !claims.exprs.is_could_not_compute(expr);
        let mut all = Self::default();
        for claim in &claims.claims {
            match &claim.kind {
                ClaimKind::Value { value: Value::Inst(inst), expr } => {
                    if let Node::AddRec { header, flags, .. } = claims.exprs.node(*expr) {
                        // The first expression of a value is the most precise.
                        let found = (label(*header), implied(*flags));
                        all.recurrences.entry(name(*inst)).or_insert(found);
                    }
                }
                ClaimKind::ExitCount { header, block, kind, count, predicates: None, .. } => {
                    let l = all.loops.entry(label(*header)).or_default();
                    let exit = l.exits.entry(label(*block)).or_default();
                    match kind {
                        CountKind::Exact => exit.0 |= known(*count),
                        CountKind::SymbolicMax | CountKind::ConstantMax => exit.1 |= known(*count),
                    }
                }
                ClaimKind::TakenCount { header, kind, count, predicates: None, .. } => {
                    let l = all.loops.entry(label(*header)).or_default();
                    match kind {
                        CountKind::Exact => l.exact = known(*count),
                        CountKind::ConstantMax => l.constant_max = claims.exprs.as_int(*count),
                        CountKind::SymbolicMax => l.symbolic_max = known(*count),
                    }
                }
                _ => {}
            }
        }
        // LLVM lists exits only for loops with several; a single exit has the counts of its loop.
        for l in all.loops.values_mut() {
            if l.exits.len() <= 1 {
                l.exits = BTreeMap::from([("the only exit".to_owned(), (l.exact, l.symbolic_max))]);
            }
        }
        all
    }
}

/// `flags` including the implied ones.
fn implied(flags: Flags) -> Flags {
    Flags { nw: flags.nw || flags.nuw || flags.nsw, ..flags }
}
