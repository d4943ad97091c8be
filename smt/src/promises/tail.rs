//! Calls that are `musttail` in the source: the program may depend on their staying so.

use super::Promised;
use super::guards::{Guards, Loops};
use crate::refinement::FunctionRef;
use backedge_ir::entity::Inst;
use backedge_ir::inst::TailKind;
use std::collections::BTreeSet;

/// The calls of a function by callee name, which is empty for an indirect call.
struct Calls {
    sure: Vec<(String, Inst)>,
    others: Vec<String>,
}

impl Calls {
    fn of(side: FunctionRef<'_>) -> Self {
        let mut calls = Self { sure: Vec::new(), others: Vec::new() };
        let Some(body) = side.module.body(side.func) else { return calls };
        for inst in body.all_insts() {
            let Some(call) = body.inst(inst).call() else { continue };
            let called = body.called_function(call.callee());
            let name = called.map(|func| side.module.env.funcs[func].name.to_string()).unwrap_or_default();
            match call.info.tail {
                TailKind::MustTail => calls.sure.push((name, inst)),
                TailKind::None | TailKind::Tail | TailKind::NoTail => calls.others.push(name),
            }
        }
        calls
    }
    fn count(&self, name: &str) -> usize {
        self.sure.iter().filter(|(other, _)| other == name).count()
    }
    fn count_of_others(&self, name: &str) -> usize {
        self.others.iter().filter(|other| *other == name).count()
    }
    /// Hashes of the branches that decide whether the `musttail` calls of a function execute.
    fn branches(&self, name: &str, guards: &mut Guards<'_>) -> BTreeSet<u64> {
        let own = self.sure.iter().filter(|(other, _)| other == name);
        own.map(|(_, inst)| guards.branches(*inst)).collect()
    }
}

/// A call that is `musttail` in the source but not in the target.
pub(super) fn beyond(source: FunctionRef<'_>, target: FunctionRef<'_>) -> Option<Promised> {
    let (own, other) = (Calls::of(source), Calls::of(target));
    let are_fewer = |name: &str| other.count(name) < own.count(name);
    // If source and target have calls of both kinds, their numbers do not show which calls correspond.
    let are_others = |name: &str| {
        let guards = || Guards::of_pair([source, target], Loops::MayStay);
        own.count_of_others(name) > 0
            && guards().is_none_or(|[mut there, mut here]| {
                !own.branches(name, &mut there).is_subset(&other.branches(name, &mut here))
            })
    };
    // An indirect call may have become a direct one.
    let is_lost = |name: &&String| {
        let are_more = other.count_of_others(name) > own.count_of_others(name);
        own.count(name) > 0 && (are_more || are_fewer(name) || are_others(name))
            || are_more && are_fewer("") && !name.starts_with("llvm.")
    };
    let lost = other.others.iter().find(is_lost)?;
    let place = if lost.is_empty() { "of a call".to_owned() } else { format!("of the call of @{lost}") };
    Some(Promised::differing("`musttail`", place))
}
