//! Facts about the variables of a region, collected for dependence tests while the code still exists.

use super::Taken;
use crate::blob::{Blob, Cast, NAry, Node as Tree, Temp};
use crate::canon::CanonExpr;
use crate::ddg::solve::Interval;
use crate::ddref::{Access, RegDdRef};
use crate::node::{Hir, Kind, LoopKind, Node};
use backedge_analysis::alias::location::access_bytes;
use backedge_analysis::alias::{AliasResult, Aliasing, Iterations, MemoryLocation};
use backedge_ir::attr::FlagAttr;
use backedge_ir::constant::ConstData;
use backedge_ir::inst::{IntPredicate, Value};
use backedge_scev::ScalarEvolution;
use backedge_scev::expr::Expr;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Limit on the pointers of a region, which are compared pair by pair; with more pointers none are compared.
const MOST_POINTERS: usize = 40;
/// Limit on the parts of a blob: each becomes an expression of ScalarEvolution. Nothing is derived for larger blobs
/// beyond what their parts imply.
const MOST_PARTS: usize = 32;
/// Limit on the width in bits of integers with known ranges: the dependence tests compute with an `i128`.
const WIDEST: u32 = 64;

/// Collects the facts about a region.
pub(super) fn gather(scev: &mut ScalarEvolution<'_>, hir: &mut Hir, taken: &Taken) {
    let (mut integers, mut bases, mut lengths) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    let mut written = BTreeSet::new();
    let mut types = Vec::new();
    for node in hir.nodes_in(taken.region) {
        written.extend(hir.written(node));
        if let Kind::Loop(l) = hir.kind(node)
            && let LoopKind::Do { upper, .. } = &l.kind
        {
            integers.extend(upper.collect_temp_blobs(&hir.blobs));
            let blobs = upper.as_terminal().into_iter().flat_map(CanonExpr::all_blobs);
            lengths.extend(blobs.filter(|blob| hir.blobs.as_temp(*blob).is_none()));
        }
        for of in hir.kind(node).refs() {
            let Some(memory) = of.as_memory().filter(|m| m.is_access()) else { continue };
            integers.extend(memory.forms().skip(1).flat_map(|f| f.collect_temp_blobs(&hir.blobs)));
            bases.extend(memory.base.self_blob(&hir.blobs));
            let (Access::Load(ty, _) | Access::Store(ty, _) | Access::AddressOf(ty)) = memory.access;
            types.extend(access_bytes(scev.at.env, ty).map(|bytes| (ty, bytes)));
        }
        for address in reached(hir, node) {
            integers.extend(address.forms().skip(1).flat_map(|f| f.collect_temp_blobs(&hir.blobs)));
            bases.extend(address.forms().next().and_then(|base| base.self_blob(&hir.blobs)));
        }
    }
    hir.facts.bytes.extend(types);
    let nowhere: Vec<Temp> = bases.iter().copied().filter(|temp| is_nowhere(scev, hir, *temp)).collect();
    hir.facts.nowhere.extend(nowhere);
    for temp in integers.difference(&written) {
        if let Some(range) = range(scev, hir, taken, *temp) {
            hir.facts.ranges.insert((taken.region, *temp), range);
        }
    }
    for blob in lengths {
        if hir.blobs.temps_in([blob]).iter().all(|temp| !written.contains(temp))
            && let Some(expr) = computed(scev, hir, taken, blob)
            && let Some(range) = range_of(scev, taken, expr)
        {
            hir.facts.lengths.insert((taken.region, blob), range);
        }
    }
    let pointers: Vec<(Temp, Value)> =
        bases.into_iter().filter_map(|temp| Some((temp, pointer(scev, hir, taken, temp)?))).collect();
    if pointers.len() > MOST_POINTERS {
        return;
    }
    let aliasing = Aliasing::new(scev.at);
    for (at, (a, x)) in pointers.iter().enumerate() {
        for (b, y) in &pointers[..at] {
            let [x, y] = [*x, *y].map(MemoryLocation::anywhere);
            if aliasing.alias(x, y, Iterations::All, None) == AliasResult::NoAlias {
                hir.facts.apart.insert((*a.min(b), *a.max(b)));
            }
        }
    }
}

/// The pointer operands of a node's effects on memory beyond its references.
fn reached(hir: &Hir, node: Node) -> impl Iterator<Item = &RegDdRef> {
    let of = match hir.kind(node) {
        Kind::Inst(of) => Some(of),
        Kind::Region(_) | Kind::Loop(_) | Kind::If(_) | Kind::Switch(_) | Kind::Label(_) | Kind::Goto(_) => {
            None
        }
    };
    of.into_iter().flat_map(|of| of.reaches.iter().filter_map(|(reach, _)| of.pointer_of(*reach)))
}

/// The range of an integer from outside whenever the nest is entered.
fn range(scev: &mut ScalarEvolution<'_>, hir: &Hir, taken: &Taken, temp: Temp) -> Option<Interval> {
    let data = hir.blobs.temp(temp);
    let value = data.value.filter(|_| data.ty.is_int() && data.ty.width <= WIDEST)?;
    if is_inside(scev, taken, value) {
        return None;
    }
    let expr = scev.expr(value)?;
    range_of(scev, taken, expr)
}

/// The SCEV of a blob of integers from outside, if it has few parts.
fn computed(scev: &mut ScalarEvolution<'_>, hir: &Hir, taken: &Taken, blob: Blob) -> Option<Expr> {
    let mut parts = Vec::new();
    hir.blobs.all_parts([blob], |part, _| parts.push(part));
    if parts.len() > MOST_PARTS {
        return None;
    }
    // Operands have lower indices than their users.
    parts.sort_unstable();
    let mut exprs: FxHashMap<Blob, Expr> = FxHashMap::default();
    for part in parts {
        let width = hir.blobs.width(part);
        if width > WIDEST || !hir.blobs.ty(part).is_int() {
            return None;
        }
        let expr = match hir.blobs.node(part) {
            Tree::Constant(value) => scev.constant(*value),
            Tree::Temp(temp) => {
                let value = hir.blobs.temp(*temp).value.filter(|value| !is_inside(scev, taken, *value))?;
                scev.expr(value)?
            }
            Tree::Cast(Cast::ZExt, operand) => scev.zext(exprs[operand], width),
            Tree::Cast(Cast::SExt, operand) => scev.sext(exprs[operand], width),
            Tree::Cast(Cast::Trunc, operand) => scev.trunc(exprs[operand], width),
            Tree::Cast(Cast::PtrToInt, _) | Tree::NAry(NAry::UMinSeq, _) => return None,
            Tree::UDiv([left, right]) => scev.udiv(exprs[left], exprs[right]),
            Tree::NAry(op, operands) => {
                let operands: Vec<Expr> = operands.iter().map(|operand| exprs[operand]).collect();
                match op {
                    NAry::Add => scev.add(&operands),
                    NAry::Mul => scev.mul(&operands),
                    NAry::UMax | NAry::SMax | NAry::UMin | NAry::SMin | NAry::UMinSeq => {
                        let of_two = |scev: &mut ScalarEvolution<'_>, a, b| match op {
                            NAry::UMax => scev.umax(a, b),
                            NAry::SMax => scev.smax(a, b),
                            NAry::SMin => scev.smin(a, b),
                            _ => scev.umin(a, b),
                        };
                        operands.into_iter().reduce(|a, b| of_two(scev, a, b))?
                    }
                }
            }
        };
        exprs.insert(part, expr);
    }
    exprs.get(&blob).copied()
}

/// The range of the expression whenever the nest is entered, as unsigned or as signed, whichever is tighter.
fn range_of(scev: &mut ScalarEvolution<'_>, taken: &Taken, expr: Expr) -> Option<Interval> {
    // Guards of the first loop hold in all of the region if the region begins with it.
    let guarded = match taken.extent.head {
        None => scev.apply_guards(expr, taken.extent.loops[0]),
        Some(_) => expr,
    };
    let mut unsigned = [scev.unsigned_min(guarded).bits() as i128, scev.unsigned_max(guarded).bits() as i128];
    let zero = scev.int(scev.width(expr), 0);
    if unsigned[0] == 0
        && taken.extent.head.is_none()
        && scev.is_entry_guarded(taken.extent.loops[0], IntPredicate::Ne, expr, zero)
    {
        unsigned[0] = 1;
    }
    let signed = [scev.signed_min(guarded).signed(), scev.signed_max(guarded).signed()];
    let [lo, hi] = if signed[1] - signed[0] < unsigned[1] - unsigned[0] { signed } else { unsigned };
    (lo <= hi).then(|| Interval::new(lo, hi))
}

/// Whether every access through the pointer is UB.
fn is_nowhere(scev: &ScalarEvolution<'_>, hir: &Hir, temp: Temp) -> bool {
    let at = scev.at;
    let Some(value) = hir.blobs.temp(temp).value else { return false };
    let is_valid = || {
        let attrs = at.func.map(|f| &at.env.funcs[f].attrs);
        attrs.is_none_or(|attrs| at.env.has_attr(attrs, FlagAttr::NullPointerIsValid))
    };
    match value.as_const().map(|c| &at.body.constant(c).data) {
        Some(ConstData::Undef | ConstData::Poison) => true,
        Some(ConstData::Zero) => at.body.ty(value).ptr_space() == Some(0) && !is_valid(),
        _ => false,
    }
}

/// The pointer value of a variable, if it is unique: a phi in the region has several values.
fn pointer(scev: &ScalarEvolution<'_>, hir: &Hir, taken: &Taken, temp: Temp) -> Option<Value> {
    let value = hir.blobs.temp(temp).value?;
    let body = scev.body();
    let is_phi = value.as_inst().is_some_and(|inst| body.inst(inst).kind.is_phi());
    let is_written_often = is_phi && is_inside(scev, taken, value);
    (body.ty(value).is_ptr() && !is_written_often).then_some(value)
}

/// Whether the value is computed in the region.
fn is_inside(scev: &ScalarEvolution<'_>, taken: &Taken, value: Value) -> bool {
    let block = value.as_inst().and_then(|inst| scev.body().block_of(inst));
    block.is_some_and(|block| taken.extent.contains(block))
}
