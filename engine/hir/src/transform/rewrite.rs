//! Rewrites closed forms of subtrees for other loops and variables. The caller must then refresh the references
//! ([`Hir::refresh_all`]).

use crate::blob::{Blobs, TempData};
use crate::canon::{IvSum, Level};
use crate::node::{Hints, Hir, HlInst, HlLoop, Kind, List, LoopKind, Node, Operation};
use crate::{CanonExpr, RegDdRef, ScalarType, Temp};
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::metadata::MdKind;

/// Rewrites all closed forms of `node`.
pub(super) fn forms(hir: &mut Hir, node: Node, change: &dyn Fn(&CanonExpr, &mut Blobs) -> CanonExpr) {
    hir.edit(node, |kind, blobs| {
        for of in kind.refs_mut() {
            for form in of.forms_mut() {
                *form = change(form, blobs);
            }
        }
    });
}

/// Creates an integer variable of that width.
pub(super) fn integer(hir: &mut Hir, name: String, width: u32) -> Temp {
    let symbase = hir.new_symbase();
    hir.blobs.add_temp(TempData { name: name.into(), ty: ScalarType::int(width), symbase, value: None })
}

/// Creates `temp = form`, which is in no list yet.
pub(super) fn assign(hir: &mut Hir, temp: Temp, form: CanonExpr) -> Node {
    let lval = RegDdRef::terminal(CanonExpr::of_temp(&mut hir.blobs, temp, 0));
    hir.create(Kind::Inst(HlInst::copy(lval, RegDdRef::terminal(form))))
}

/// Changes the upper bound of a counted loop; its induction variable is another number from then on.
pub(super) fn set_upper(of: &mut HlLoop, to: CanonExpr) {
    of.counters.clear();
    if let LoopKind::Do { upper, .. } = &mut of.kind {
        *upper = RegDdRef::terminal(to);
    }
}

/// Permutes the loops of a perfect nest from the order `now` to the order `then`, both outermost first. The test, the
/// preheader and the postexit of the outermost loop stay outside. The preheader of another loop moves with its loop;
/// it must only use induction variables of loops that are around it in both orders.
pub(super) fn permute(hir: &mut Hir, now: &[Node], then: &[Node]) {
    let ([outermost, ..], [first, ..]) = (now, then) else { return };
    let ([.., innermost], [.., last]) = (now, then) else { return };
    let level = hir.loop_level(*outermost);
    forget_order(hir, *outermost);
    let moved = |of: Level| {
        let l = of.checked_sub(level).and_then(|at| now.get(at as usize));
        let at = l.and_then(|l| then.iter().position(|other| other == l));
        IvSum::of_level(match at {
            Some(at) => level + at as Level,
            None => of,
        })
    };
    let body: Vec<Node> = hir.children(*innermost, List::Body).collect();
    for node in body.iter().chain(&now[1..]) {
        hir.remove(*node);
    }
    if first != outermost {
        hir.insert_before(*outermost, *first);
        hir.remove(*outermost);
        let own: Vec<Node> = hir.children(*first, List::Preheader).collect();
        own.iter().for_each(|node| hir.remove(*node));
        hir.move_all((*outermost, List::Preheader), (*first, List::Preheader));
        own.iter().for_each(|node| hir.insert_last(*first, List::Preheader, *node));
        hir.move_all((*outermost, List::Postexit), (*first, List::Postexit));
        let mut asked = Vec::new();
        hir.edit_loop(*outermost, |of| std::mem::swap(&mut asked, &mut of.ztt));
        hir.edit_loop(*first, |of| of.ztt = asked);
    }
    for pair in then.windows(2) {
        hir.insert_last(pair[0], List::Body, pair[1]);
    }
    for node in body {
        hir.insert_last(*last, List::Body, node);
    }
    for node in hir.nodes_in(*first) {
        forms(hir, node, &|form, blobs| form.with_ivs(&moved, blobs));
    }
    if let Some(region) = hir.region(*first) {
        hir.refresh_all(region);
    }
}

/// Creates a variable like `temp`, for the copy with that number.
pub(super) fn renamed(hir: &mut Hir, temp: Temp, number: u32) -> Temp {
    let mut data = hir.blobs.temp(temp).clone();
    data.name = format!("{}.{number}", data.name).into();
    data.symbase = hir.new_symbase();
    data.value = None;
    hir.blobs.add_temp(data)
}

/// Drops the loop metadata and hints in `root`, which describe the original loops and their execution order.
pub(super) fn forget_order(hir: &mut Hir, root: Node) {
    for node in hir.nodes_in(root) {
        hir.edit_loop(node, |of| {
            of.options = None;
            of.hints = Hints::default();
        });
    }
    forget_scopes(hir, root);
}

/// Drops the alias scope metadata of accesses in `root` if a scope is declared in it: a scope covers the code
/// executed until its declaration executes again. The metadata of two accesses must be interpreted together, so
/// dropping it here suffices even if accesses elsewhere keep theirs.
pub(super) fn forget_scopes(hir: &mut Hir, root: Node) {
    let nodes = hir.nodes_in(root);
    if !nodes.iter().any(|node| declares_scopes(hir, *node)) {
        return;
    }
    for node in nodes {
        hir.edit(node, |kind, _| {
            if let Kind::Inst(HlInst { operation: Operation::Ir(template), .. }) = kind {
                template.metadata.retain(|(kind, _)| !matches!(kind, MdKind::AliasScope | MdKind::NoAlias));
            }
        });
    }
}

/// Whether the node declares alias scopes.
pub(super) fn declares_scopes(hir: &Hir, node: Node) -> bool {
    let Kind::Inst(inst) = hir.kind(node) else { return false };
    inst.intrinsic(&hir.blobs) == Some(Intrinsic::NoAliasScopeDecl)
}
