//! Reductions: variables that all iterations of a nest update by an operation whose order does not matter.
//!
//! ```text
//! DO i                      + DO j
//!   DO j                      DO i
//!     s = s + a[j][i]           s = s + a[j][i]
//! ```
//!
//! Requirements: an integer variable; a single node in the nest that writes it, as its old value combined with
//! another value by an operation that is associative and commutative in ℤ/2ⁿ (or a difference, which adds up the
//! subtrahends); and no other node that reads it. Then its value after all iterations does not depend on their order,
//! and its intermediate values are not observed. If one operand is poison, so is the result, in any order.
//!
//! Floating-point values may be combined in any order if the operation has `reassoc`: all updates come from the one
//! node.
//!
//! Flags of single steps need not hold in another order: [`reassociate`] drops `nuw`, `nsw` and `disjoint`, `nnan`
//! and `ninf`, and all attributes of calls.

use super::legal::is_beside;
use crate::blob::Blobs;
use crate::node::{Hir, HlInst, Kind, List, Node, Operation};
use crate::{CanonExpr, RegDdRef, Temp};
use backedge_ir::inst::{BinaryFlags, BinaryOp, CallInfo, FastMath, FloatBinaryOp, InstData, InstKind};
use backedge_ir::intrinsic::Intrinsic;
use rustc_hash::FxHashMap;

/// The reductions of the nest with outermost loop `outermost`, with the nodes that update them, all of which are in
/// the body of `inside`, a loop of the nest.
pub(super) fn reductions(hir: &Hir, outermost: Node, inside: Node) -> FxHashMap<Temp, Node> {
    let mut writers: FxHashMap<Temp, u32> = FxHashMap::default();
    let mut readers: FxHashMap<Temp, u32> = FxHashMap::default();
    for node in hir.nodes_in(outermost).into_iter().filter(|node| !is_beside(hir, *node, outermost)) {
        hir.written(node).into_iter().for_each(|temp| *writers.entry(temp).or_default() += 1);
        hir.read(node).into_iter().for_each(|temp| *readers.entry(temp).or_default() += 1);
    }
    let is_one = |of: &FxHashMap<Temp, u32>, temp: &Temp| of.get(temp) == Some(&1);
    let body = hir.children(inside, List::Body).flat_map(|node| hir.nodes_in(node));
    let combined = body.filter_map(|node| Some((hir.written(node)?, node)));
    combined
        .filter(|(temp, node)| {
            is_one(&writers, temp) && is_one(&readers, temp) && combines(hir, *node, *temp)
        })
        .collect()
}

/// Whether `node` writes `temp` as its old value combined with another value.
fn combines(hir: &Hir, node: Node, temp: Temp) -> bool {
    let Kind::Inst(inst) = hir.kind(node) else { return false };
    let HlInst { operation, rvals, .. } = inst;
    let blobs = &hir.blobs;
    let is_it = |of: &RegDdRef| of.as_temp(blobs) == Some(temp);
    let is_free = |of: &RegDdRef| !of.collect_temp_blobs(blobs).contains(&temp);
    let template = match operation {
        Operation::Copy => {
            return rvals[0].as_terminal().is_some_and(|form| is_sum(blobs, form, temp));
        }
        Operation::Ir(template) => template,
    };
    if !template.ty.is_int() && !template.ty.is_float() {
        return false;
    }
    let is_one_of = |a: &RegDdRef, b: &RegDdRef| is_it(a) && is_free(b) || is_it(b) && is_free(a);
    match (&template.kind, &rvals[..]) {
        (
            InstKind::Binary(BinaryOp::Add | BinaryOp::Mul | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor, _),
            [a, b],
        ) => is_one_of(a, b),
        (InstKind::Binary(BinaryOp::Sub, _), [from, by]) => is_it(from) && is_free(by),
        (InstKind::FloatBinary(FloatBinaryOp::FAdd | FloatBinaryOp::FMul, fast), [a, b]) => {
            fast.contains(FastMath::REASSOC) && is_one_of(a, b)
        }
        (InstKind::FloatBinary(FloatBinaryOp::FSub, fast), [from, by]) => {
            fast.contains(FastMath::REASSOC) && is_it(from) && is_free(by)
        }
        (InstKind::Call(info), [a, b, _]) => {
            info.bundles.is_empty() && is_least_or_greatest(inst, blobs) && is_one_of(a, b)
        }
        _ => false,
    }
}

/// Whether the form is `temp`, with coefficient one, plus terms without `temp`.
fn is_sum(blobs: &Blobs, form: &CanonExpr, temp: Temp) -> bool {
    let is_plain = form.dest_type().is_int() && form.cast().is_none() && form.denominator().is_one();
    let own = form.blobs().iter().find(|(blob, _)| blobs.as_temp(*blob) == Some(temp));
    let Some((own, by)) = own.filter(|_| is_plain) else { return false };
    let factors = form.ivs().iter().filter_map(|(_, coeff)| coeff.blob);
    let others = form.blobs().iter().map(|(blob, _)| *blob).filter(|blob| blob != own).chain(factors);
    by.is_one() && !blobs.temps_in(others).contains(&temp)
}

/// Whether it calls one of LLVM's integer minimum and maximum intrinsics.
fn is_least_or_greatest(inst: &HlInst, blobs: &Blobs) -> bool {
    matches!(
        inst.intrinsic(blobs),
        Some(Intrinsic::SMin | Intrinsic::SMax | Intrinsic::UMin | Intrinsic::UMax)
    )
}

/// Drops the flags and attributes of a reduction step that need not hold in another order.
pub(super) fn reassociate(hir: &mut Hir, node: Node) {
    hir.edit(node, |kind, _| {
        let Kind::Inst(HlInst { operation: Operation::Ir(template), .. }) = kind else { return };
        let kind = match &template.kind {
            InstKind::Binary(op, _) => InstKind::Binary(*op, BinaryFlags::default()),
            InstKind::FloatBinary(op, fast) => {
                InstKind::FloatBinary(*op, fast.without(FastMath::NNAN).without(FastMath::NINF))
            }
            InstKind::Call(info) => InstKind::Call(Box::new(CallInfo::plain(info.fn_ty, info.arg_count()))),
            kind => kind.clone(),
        };
        **template = InstData::new(kind, template.ty, [], []);
    });
}
