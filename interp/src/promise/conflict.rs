//! The rules for two accesses of one byte: `!tbaa`, `!alias.scope` with `!noalias`, and `!llvm.access.group`.

use super::tbaa::{Tag, Types};
use backedge_ir::entity::{Block, FuncId, Inst, MdId};

/// Metadata that applies to an access within one active function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Level {
    pub(super) frame: u32,
    /// Scope, its domain, and the number of the declaration's execution.
    pub(super) scopes: Vec<(MdId, MdId, u32)>,
    pub(super) noalias: Vec<(MdId, u32)>,
    /// Loops of which this is a parallel access: header, entry number, iteration.
    pub(super) loops: Vec<(Block, u32, u64)>,
}

/// A class of accesses that the rules treat alike.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Class {
    pub(super) place: (FuncId, Inst),
    pub(super) write: bool,
    pub(super) tags: Vec<Tag>,
    pub(super) levels: Vec<Level>,
}

/// The promise that two accesses of one byte violate, if any.
pub(super) fn conflict(types: Types<'_>, a: &Class, b: &Class) -> Option<&'static str> {
    if !a.write && !b.write {
        return None;
    }
    if a.tags.iter().any(|x| b.tags.iter().any(|y| !types.may_alias(*x, *y))) {
        return Some("`!tbaa`");
    }
    let pairs =
        || a.levels.iter().flat_map(|x| b.levels.iter().filter(|y| x.frame == y.frame).map(move |y| (x, y)));
    if pairs().any(|(x, y)| excludes(x, y) || excludes(y, x)) {
        return Some("`!alias.scope`");
    }
    let crosses = |x: &Level, y: &Level| {
        x.loops.iter().any(|(h, e, n)| y.loops.iter().any(|(g, f, m)| h == g && e == f && n != m))
    };
    pairs().any(|(x, y)| crosses(x, y)).then_some("`!llvm.access.group`")
}

/// Whether `!noalias` of `y` lists, for some domain, all scopes of `x` in that domain.
fn excludes(x: &Level, y: &Level) -> bool {
    x.scopes.iter().any(|(_, domain, _)| {
        let own = x.scopes.iter().filter(|(_, d, _)| d == domain);
        own.into_iter().all(|(scope, _, which)| y.noalias.contains(&(*scope, *which)))
    })
}
