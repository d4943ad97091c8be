//! The nests of a function that Backedge may transform, and those that it transforms.

use super::cases::Ours;
use backedge_analysis::Analyses;
use backedge_hir::build::{Built, build};
use backedge_hir::lower;
use backedge_hir::node::Kind;
use backedge_hir::transform::TransformMissed;
use backedge_ir::entity::FuncId;
use backedge_ir::module::Module;
use backedge_scev::ScalarEvolution;

/// The results for a function.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct NestResult {
    /// Whether the transform is legal for some loop.
    pub(crate) is_legal: bool,
    /// Whether some loop is transformed.
    pub(crate) is_done: bool,
    /// The reasons against loops, by the names of their headers.
    pub(crate) missed: Vec<(String, String)>,
}

/// The results of `ours` on `func`.
pub(crate) fn find(ours: Ours, module: &Module, func: FuncId) -> NestResult {
    let mut found = NestResult::default();
    let Some(body) = module.body(func) else { return found };
    let analyses = Analyses::of(func);
    let at = analyses.at(&module.env, body);
    let loops = at.loops();
    let slots = body.slots();
    let Built { mut hir, taken, missed, .. } = build(&mut ScalarEvolution::new(at));
    for (l, missed) in missed {
        let header = slots.block_label(body, loops.header(l));
        found.missed.push((header, format!("not taken: {missed}")));
    }
    for of in &taken {
        (ours.prepare)(&mut hir, of.region);
        let mut is_legal = false;
        for node in hir.nodes_in(of.region) {
            let Kind::Loop(data) = hir.kind(node) else { continue };
            let name = data.name.to_string();
            match (ours.check)(&mut hir, node) {
                Ok(()) => is_legal = true,
                // An inner loop without a nested or following loop says nothing about its nest.
                Err(TransformMissed::NoNest) if hir.parent_loop(node).is_some() => {}
                Err(missed) => found.missed.push((name, missed.to_string())),
            }
        }
        if !is_legal {
            continue;
        }
        let mut then = hir.clone();
        let is_done = (ours.run)(&mut then, of.region).iter().any(|outcome| outcome.result.is_ok());
        match lower::check(at, &then, of) {
            Ok(_) => {
                found.is_legal = true;
                found.is_done |= is_done;
            }
            Err(obstacle) => {
                let header = slots.block_label(body, loops.header(of.l));
                found.missed.push((header, format!("not lowered: {obstacle}")));
            }
        }
    }
    found
}
