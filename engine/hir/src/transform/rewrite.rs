//! Closed forms of whole subtrees in terms of other loops and variables. What follows from the forms is to be made right
//! afterwards ([`Hir::refresh_all`]).

use crate::blob::{Blobs, TempData};
use crate::canon::{IvSum, Level};
use crate::node::{Hints, Hir, HlInst, HlLoop, Kind, List, LoopKind, Node, Operation};
use crate::{CanonExpr, RegDdRef, ScalarType, Temp};
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::metadata::MdKind;

/// Changes all closed forms of `node`.
pub(super) fn forms(hir: &mut Hir, node: Node, change: &dyn Fn(&CanonExpr, &mut Blobs) -> CanonExpr) {
    hir.edit(node, |kind, blobs| {
        for of in kind.refs_mut() {
            for form in of.forms_mut() {
                *form = change(form, blobs);
            }
        }
    });
}

/// A new variable for integers of that width.
pub(super) fn integer(hir: &mut Hir, name: String, width: u32) -> Temp {
    let symbase = hir.new_symbase();
    hir.blobs.add_temp(TempData { name: name.into(), ty: ScalarType::int(width), symbase, value: None })
}

/// `temp = form`, in no list yet.
pub(super) fn assign(hir: &mut Hir, temp: Temp, form: CanonExpr) -> Node {
    let lval = RegDdRef::terminal(CanonExpr::of_temp(&mut hir.blobs, temp, 0));
    hir.create(Kind::Inst(HlInst::copy(lval, RegDdRef::terminal(form))))
}

/// Gives a counted loop another last value of its induction variable, which is another number then.
pub(super) fn set_upper(of: &mut HlLoop, to: CanonExpr) {
    of.counters.clear();
    if let LoopKind::Do { upper, .. } = &mut of.kind {
        *upper = RegDdRef::terminal(to);
    }
}

/// Brings the loops of a perfect nest, `now` from outside to inside, into the order of `then`. The test, the preheader
/// and the postexit of the outermost one stay where they are; what is in the preheader of another loop goes with it, and has no induction
/// variables but of loops that are around that in both orders.
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

/// A variable like `temp`, for the copy of that number.
pub(super) fn renamed(hir: &mut Hir, temp: Temp, number: u32) -> Temp {
    let mut data = hir.blobs.temp(temp).clone();
    data.name = format!("{}.{number}", data.name).into();
    data.symbase = hir.new_symbase();
    data.value = None;
    hir.blobs.add_temp(data)
}

/// Takes away what was said of the loops in `root` as they were, and of the order in which it is executed.
pub(super) fn forget_order(hir: &mut Hir, root: Node) {
    for node in hir.nodes_in(root) {
        hir.edit_loop(node, |of| {
            of.options = None;
            of.hints = Hints::default();
        });
    }
    forget_scopes(hir, root);
}

/// Takes away what is said of accesses in `root` by alias scopes, if one is declared in it: that means what is executed until
/// the declaration is executed again. Two accesses are apart by what is said of both, so that what is said of others says
/// nothing of these any more.
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
