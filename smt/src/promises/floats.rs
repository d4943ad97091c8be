//! `nsz` on `phi` and `select`: the sign of a zero that they give does not matter, so that the target may have either.
//! The engines take such a result as it is, which is fine of a source. Which instruction of the target came of which of
//! the source is told by names, as passes make them: a copy keeps its name up to a dot or digits.

use super::Promised;
use crate::refinement::FunctionRef;
use backedge_ir::inst::{FastMath, InstKind};
use backedge_ir::types::TypeKind;
use std::collections::BTreeSet;

/// That there is an `nsz` on a `phi` or `select` of the target that the source has not.
pub(super) fn beyond(source: FunctionRef<'_>, target: FunctionRef<'_>) -> Option<Promised> {
    let (with, without) = names(source);
    let more = |name: &String| !with.contains(name) || without.contains(name);
    let (of_target, _) = names(target);
    of_target.iter().any(more).then(|| Promised::new("`nsz`", "on a phi or select"))
}

/// What floats chosen with `nsz` are called, and those chosen without.
fn names(side: FunctionRef<'_>) -> (BTreeSet<String>, BTreeSet<String>) {
    let (mut with, mut without) = (BTreeSet::new(), BTreeSet::new());
    let Some(body) = side.module.body(side.func) else { return (with, without) };
    for inst in body.all_insts() {
        let data = body.inst(inst);
        let (InstKind::Phi(fast) | InstKind::Select(fast)) = data.kind else { continue };
        if !matches!(side.module.env.types.scalar(data.ty).kind(), TypeKind::Float(_)) {
            continue;
        }
        let name = body.value_name(inst.into()).unwrap_or_default();
        let stem = name.split('.').next().unwrap_or_default().trim_end_matches(|c: char| c.is_ascii_digit());
        if fast.contains(FastMath::NSZ) { &mut with } else { &mut without }.insert(stem.to_owned());
    }
    (with, without)
}
