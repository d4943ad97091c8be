//! Interleave groups: accesses with a common constant stride of several values, each at its own position in the stride.
//! Together they form one consecutive access, of which each member has every n-th value.
//!
//! A group of loads executes at its first member, a group of stores at its last member. So no access in between may
//! interfere: between the members of a load group there must be no store, and between the members of a store group no
//! other access, that may touch the group's bytes in any iteration. If two groups cross, a load that moves up must also
//! not read bytes stored before it by a member that moves down. Members execute in each iteration.
//!
//! Stores must fill all positions, because the group would overwrite the gaps. Loads may have gaps; nothing after the
//! last member of the last lane is read. The bytes between two members of one iteration are dereferenceable, because
//! both addresses derive from one pointer and objects have no holes.

use super::Form;
use super::access::{Access, Pattern};
use backedge_analysis::alias::{AliasResult, Aliasing, Iterations};
use backedge_ir::entity::Inst;
use backedge_ir::types::Type;
use backedge_scev::{Expr, ScalarEvolution};

/// Limit for the stride, in values: a wide access has as many values for each lane, and gaps are loaded in vain.
const MOST_FACTOR: u64 = 8;

/// An interleave group.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Interleaved {
    /// The member at each position of the stride, in order of addresses; the first position is occupied.
    pub members: Vec<Option<Inst>>,
    /// Whether the members are stores.
    pub is_store: bool,
    /// The member at which the group executes.
    pub at: Inst,
}

impl Interleaved {
    /// The position of a member.
    pub fn place(&self, inst: Inst) -> Option<usize> {
        self.members.iter().position(|m| *m == Some(inst))
    }
    /// The number of values that the group accesses for that many lanes, up to the last member of the last lane.
    pub fn values(&self, lanes: usize) -> usize {
        let last = self.members.iter().rposition(Option::is_some).unwrap_or(0);
        lanes.saturating_sub(1) * self.members.len() + last + 1
    }
}

struct Group {
    is_store: bool,
    ty: Type,
    start: Expr,
    step: i64,
    /// Indices of accesses, each with its position relative to the first member found.
    members: Vec<(usize, i64)>,
}

impl Group {
    fn first(&self) -> Option<usize> {
        self.members.iter().map(|(at, _)| *at).min()
    }
    fn last(&self) -> Option<usize> {
        self.members.iter().map(|(at, _)| *at).max()
    }
    fn has(&self, at: usize) -> bool {
        self.members.iter().any(|(member, _)| *member == at)
    }
}

pub(super) fn find(scev: &mut ScalarEvolution<'_>, form: &Form, accesses: &[Access]) -> Vec<Interleaved> {
    let mut groups: Vec<Group> = Vec::new();
    for (at, access) in accesses.iter().enumerate() {
        let (Some((start, step)), Pattern::Strided(_), false) =
            (access.affine, access.pattern, access.masked)
        else {
            continue;
        };
        let factor = step.unsigned_abs() / access.bytes;
        if step < 0
            || !step.unsigned_abs().is_multiple_of(access.bytes)
            || !(2..=MOST_FACTOR).contains(&factor)
        {
            continue;
        }
        let mut joined = None;
        for (g, group) in groups.iter().enumerate() {
            if (group.is_store, group.ty, group.step) != (access.is_store, access.ty, step) {
                continue;
            }
            let Some(place) = place(scev, (group.start, start), access.bytes) else { continue };
            let places = || group.members.iter().map(|(_, p)| *p).chain([place]);
            let (low, high) = (places().min().unwrap_or(0), places().max().unwrap_or(0));
            let free = group.members.iter().all(|(_, p)| *p != place);
            if free && high.abs_diff(low) < factor && may_join(scev, form, accesses, &groups, group, at) {
                joined = Some((g, place));
                break;
            }
        }
        if let Some((g, place)) = joined {
            groups[g].members.push((at, place));
        } else {
            let (is_store, ty) = (access.is_store, access.ty);
            groups.push(Group { is_store, ty, start, step, members: vec![(at, 0)] });
        }
    }
    groups.into_iter().filter_map(|group| finished(accesses, group)).collect()
}

/// The distance of `start` from the start of a group, in values.
fn place(scev: &mut ScalarEvolution<'_>, (of_group, start): (Expr, Expr), bytes: u64) -> Option<i64> {
    if scev.ty(of_group) != scev.ty(start) {
        return None;
    }
    let difference = scev.sub(start, of_group);
    if scev.is_could_not_compute(difference) {
        return None;
    }
    let bytes = i64::try_from(bytes).ok()?;
    let offset = scev.as_constant(difference)?.to_i64()?;
    (offset % bytes == 0).then(|| offset / bytes)
}

/// Whether no access prevents the later access `at` from joining `group`.
fn may_join(
    scev: &ScalarEvolution<'_>,
    form: &Form,
    accesses: &[Access],
    groups: &[Group],
    group: &Group,
    at: usize,
) -> bool {
    let aliasing = Aliasing::new(scev.at);
    let apart = |x: usize, y: usize| {
        let (x, y) = (accesses[x].inst, accesses[y].inst);
        aliasing.alias_accesses(x, y, Iterations::Any(form.l)) == AliasResult::NoAlias
    };
    let Some(first) = group.first() else { return false };
    let mut between = (first + 1..at).filter(|n| !group.has(*n));
    if group.is_store {
        // The members move down past the accesses in between.
        return between
            .all(|other| group.members.iter().filter(|(m, _)| *m < other).all(|(m, _)| apart(*m, other)));
    }
    // The new member moves up past the accesses in between, and past earlier stores whose groups have moved down after
    // it.
    let delayed = groups.iter().filter(|g| g.is_store && g.last() > Some(first));
    between.all(|other| !accesses[other].is_store || apart(other, at))
        && delayed
            .flat_map(|g| &g.members)
            .filter(|(store, _)| *store < first)
            .all(|(store, _)| apart(*store, at))
}

fn finished(accesses: &[Access], group: Group) -> Option<Interleaved> {
    let low = group.members.iter().map(|(_, place)| *place).min()?;
    let (first, last) = (group.first()?, group.last()?);
    let factor = usize::try_from(group.step.unsigned_abs() / accesses[first].bytes).ok()?;
    let mut members = vec![None; factor];
    for (at, place) in &group.members {
        *members.get_mut(usize::try_from(place - low).ok()?)? = Some(accesses[*at].inst);
    }
    let is_full = members.iter().all(Option::is_some);
    if group.members.len() < 2 || group.is_store && !is_full {
        return None;
    }
    let at = accesses[if group.is_store { last } else { first }].inst;
    Some(Interleaved { members, is_store: group.is_store, at })
}
