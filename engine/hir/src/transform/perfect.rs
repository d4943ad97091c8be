//! Makes nests perfect if only copies of variables are in the way: copies that pass values from loop to loop, and
//! copies that keep a last value for code after a loop.
//!
//! ```text
//! s = 0                          t = 0
//! DO i = 0, U                    DO i = 0, U
//!   t = s                          DO j = 0, V
//!   DO j = 0, V                      t = t + a[j][i]
//!     t = t + a[j][i]            s = t
//!     last = j + 1               last = V + 1
//!   s = t
//! ```
//!
//! The order of all other code stays the same. The loop must be counted from 0, have no exit but its end, and each
//! part of its body must end by continuing with the next part:
//!
//! - A node of the body's list that writes a variable which nothing in the body reads needs to execute in the last
//!   iteration only, if no later node of the body writes its operands. It moves after the loop, with the number of
//!   the last iteration substituted for the induction variable.
//! - `t = s` before the inner loop is redundant in all iterations but the first if `s = t` at the end of the body is
//!   the only write of `s`, and `t` is not written after that. It moves before the loop.
//! - Reads of an unmodified copy are replaced by reads of its source, so that the copy becomes unnecessary.
//! - A write of a variable that is overwritten before it is read, or never read, is removed.
//!
//! For a loop with a zero-trip test, "before" and "after" mean its preheader and its postexit.

use super::legal::{counted, has_closed_parts, is_loop, is_orderly, loops_in, written_in};
use crate::blob::{Blob, Temp};
use crate::canon::IvSum;
use crate::node::{Hir, HlInst, Kind, List, Node, Operation};
use backedge_ir::inst::InstKind;
use rustc_hash::{FxHashMap, FxHashSet};

/// Makes the nests of a region perfect where possible.
pub fn run(hir: &mut Hir, region: Node) {
    // Innermost first.
    for l in loops_in(hir, region).into_iter().rev() {
        if hir.parent_loop(l).is_none() && loops_in(hir, l).len() == 1 {
            continue;
        }
        if let Ok(legal) = check(hir, l) {
            apply(hir, &legal);
        }
    }
    hir.refresh_all(region);
}

/// A loop from whose body nodes may be moved before and after it.
struct Legal {
    l: Node,
    /// The number of its last iteration; `None` if it is not known in a form that is valid everywhere.
    last: Option<Blob>,
}

fn check(hir: &mut Hir, l: Node) -> Result<Legal, super::TransformMissed> {
    let upper = counted(hir, l)?.upper.clone();
    is_orderly(hir, l)?;
    if !has_closed_parts(hir, l) {
        return Err(super::TransformMissed::Control);
    }
    let written = written_in(hir, l);
    let varies =
        upper.has_any_iv() || upper.collect_temp_blobs(&hir.blobs).iter().any(|temp| written.contains(temp));
    let last = if varies { None } else { upper.as_blob(&mut hir.blobs) };
    Ok(Legal { l, last })
}

fn apply(hir: &mut Hir, legal: &Legal) {
    let l = legal.l;
    propagate(hir, l);
    remove_overwritten(hir, l);
    let (before, after) = beside_inner(hir, l);
    let brought: FxHashSet<(Temp, Temp)> = after.into_iter().filter_map(|node| as_copy(hir, node)).collect();
    for node in before {
        let is_brought = as_copy(hir, node).is_some_and(|(t, s)| brought.contains(&(s, t)));
        if is_brought && is_kept(hir, l, node) {
            hir.remove(node);
            match has_test(hir, l) {
                true => hir.insert_last(l, List::Preheader, node),
                false => hir.insert_before(l, node),
            }
        }
    }
    // The variables read after the loop, including by the nodes moved there.
    let postexit = hir.children(l, List::Postexit).flat_map(|node| hir.nodes_in(node));
    let mut read: FxHashSet<Temp> = postexit.flat_map(|node| hir.read(node)).chain(hir.live_out(l)).collect();
    let mut uses = Uses::new(hir, l);
    for node in body(hir, l).into_iter().rev() {
        if !is_last_alone(hir, legal, &uses, node) {
            uses.later.extend(written_in(hir, node));
            continue;
        }
        uses.forget(hir, node);
        if hir.written(node).is_some_and(|temp| read.contains(&temp)) {
            move_after_loop(hir, legal, node);
            read.extend(hir.read(node));
        } else {
            hir.remove(node);
        }
    }
}

fn body(hir: &Hir, l: Node) -> Vec<Node> {
    hir.children(l, List::Body).collect()
}

/// The nodes before and after the inner loop in the body of `l`, if there is one inner loop and only instructions
/// beside it; otherwise nothing.
fn beside_inner(hir: &Hir, l: Node) -> (Vec<Node>, Vec<Node>) {
    let mut before = body(hir, l);
    let Some(at) = before.iter().position(|node| is_loop(hir, *node)) else { return Default::default() };
    let after = before.split_off(at + 1);
    before.pop();
    let is_inst = |node: &Node| matches!(hir.kind(*node), Kind::Inst(_));
    if before.iter().chain(&after).all(is_inst) { (before, after) } else { Default::default() }
}

fn has_test(hir: &Hir, l: Node) -> bool {
    matches!(hir.kind(l), Kind::Loop(of) if !of.ztt.is_empty())
}

/// All nodes in the body of `l`, at any depth.
fn inside(hir: &Hir, l: Node) -> impl Iterator<Item = Node> + '_ {
    hir.children(l, List::Body).flat_map(|node| hir.nodes_in(node))
}

/// The variables of `target = source`.
fn as_copy(hir: &Hir, node: Node) -> Option<(Temp, Temp)> {
    let Kind::Inst(HlInst { operation: Operation::Copy, rvals, .. }) = hir.kind(node) else { return None };
    Some((hir.written(node)?, rvals.first()?.as_temp(&hir.blobs)?))
}

/// Whether the only effect of `node` is to write a variable, computed from others.
fn is_free(hir: &Hir, node: Node) -> bool {
    let Kind::Inst(inst) = hir.kind(node) else { return false };
    let is_access = inst.rvals.iter().any(|of| of.as_memory().is_some_and(|m| m.is_access()));
    let is_plain = match &inst.operation {
        Operation::Copy => true,
        Operation::Ir(template) => template.kind.is_pure() && !matches!(template.kind, InstKind::Call(_)),
    };
    hir.written(node).is_some() && is_plain && inst.reorderable && !is_access && !inst.writes_beyond()
}

/// Replaces reads of copies by reads of their sources.
fn propagate(hir: &mut Hir, l: Node) {
    let (before, after) = beside_inner(hir, l);
    for part in [before, after] {
        let mut known: FxHashMap<Temp, Temp> = FxHashMap::default();
        for node in part {
            hir.edit(node, |kind, blobs| {
                let Kind::Inst(inst) = kind else { return };
                for form in inst.rvals.iter_mut().flat_map(|of| of.forms_mut()) {
                    *form = form.with_temps(&known, blobs);
                }
            });
            if let Some(written) = hir.written(node) {
                known.retain(|copy, of| *copy != written && *of != written);
            }
            known.extend(as_copy(hir, node).filter(|(target, source)| target != source));
        }
    }
}

/// Removes writes before the inner loop that are overwritten after it before being read.
fn remove_overwritten(hir: &mut Hir, l: Node) {
    let before: FxHashSet<Node> = beside_inner(hir, l).0.into_iter().collect();
    if before.is_empty() {
        return;
    }
    // Variables whose next access is a write.
    let mut written: FxHashSet<Temp> = FxHashSet::default();
    for node in body(hir, l).into_iter().rev() {
        let target = hir.written(node);
        if before.contains(&node) && target.is_some_and(|t| written.contains(&t)) && is_free(hir, node) {
            hir.remove(node);
            continue;
        }
        written.extend(target);
        for n in hir.nodes_in(node) {
            hir.read(n).iter().for_each(|temp| _ = written.remove(temp));
        }
    }
}

/// Whether `node`, before the inner loop, is `t = s`, and `t` already equals `s` there in all iterations but the
/// first.
fn is_kept(hir: &Hir, l: Node, node: Node) -> bool {
    let Some((t, s)) = as_copy(hir, node).filter(|(t, s)| t != s) else { return false };
    let (before, after) = beside_inner(hir, l);
    let mut brings = after.iter().skip_while(|n| as_copy(hir, **n) != Some((s, t)));
    let Some(bring) = brings.next().copied() else { return false };
    let is_own = hir.read(l).iter().any(|temp| [s, t].contains(temp));
    let is_s_elsewhere = inside(hir, l)
        .any(|n| hir.written(n) == Some(s) && n != bring || hir.read(n).contains(&s) && n != node);
    let is_t_before =
        before.iter().any(|n| *n != node && (hir.written(*n) == Some(t) || hir.read(*n).contains(&t)));
    let is_t_later = brings.any(|n| hir.written(*n) == Some(t));
    !is_own && !is_s_elsewhere && !is_t_before && !is_t_later
}

/// Read and write counts of variables in the body of a loop, for a backward traversal.
struct Uses {
    reads: FxHashMap<Temp, u32>,
    writes: FxHashMap<Temp, u32>,
    /// The variables written after the current position.
    later: FxHashSet<Temp>,
}

impl Uses {
    fn new(hir: &Hir, l: Node) -> Self {
        let (mut reads, mut writes) = (FxHashMap::default(), FxHashMap::default());
        for node in inside(hir, l) {
            hir.read(node).into_iter().for_each(|temp| *reads.entry(temp).or_default() += 1);
            hir.written(node).into_iter().for_each(|temp| *writes.entry(temp).or_default() += 1);
        }
        hir.read(l).into_iter().for_each(|temp| *reads.entry(temp).or_default() += 1);
        Self { reads, writes, later: FxHashSet::default() }
    }
    /// Removes `node` from the counts.
    fn forget(&mut self, hir: &Hir, node: Node) {
        hir.read(node).iter().filter_map(|t| self.reads.get_mut(t).map(|n| *n -= 1)).for_each(drop);
        hir.written(node).iter().filter_map(|t| self.writes.get_mut(t).map(|n| *n -= 1)).for_each(drop);
    }
}

/// Whether only the last execution of `node`, in the body's list, matters, and it would have the same result after
/// the loop.
fn is_last_alone(hir: &Hir, legal: &Legal, uses: &Uses, node: Node) -> bool {
    let Some(temp) = hir.written(node) else { return false };
    let is_read = uses.reads.get(&temp).is_some_and(|reads| *reads > 0);
    if is_read || uses.writes.get(&temp) != Some(&1) || !is_free(hir, node) {
        return false;
    }
    let level = hir.loop_level(legal.l);
    let Kind::Inst(inst) = hir.kind(node) else { return false };
    let counts = inst.rvals.iter().flat_map(|of| of.forms()).any(|form| form.has_iv(level));
    if counts && legal.last.is_none() {
        return false;
    }
    !hir.read(node).iter().any(|temp| uses.later.contains(temp))
}

/// Moves `node` after the loop, before everything that is there.
fn move_after_loop(hir: &mut Hir, legal: &Legal, node: Node) {
    let Legal { l, last } = *legal;
    let level = hir.loop_level(l);
    hir.remove(node);
    hir.edit(node, |kind, blobs| {
        let Kind::Inst(inst) = kind else { return };
        for form in inst.rvals.iter_mut().flat_map(|of| of.forms_mut()).filter(|form| form.has_iv(level)) {
            let of = |at| match at == level {
                true => IvSum { base: last, ..IvSum::default() },
                false => IvSum::of_level(at),
            };
            *form = form.with_ivs(&of, blobs);
        }
    });
    match has_test(hir, l) {
        true => hir.insert_first(l, List::Postexit, node),
        false => hir.insert_after(l, node),
    }
}
