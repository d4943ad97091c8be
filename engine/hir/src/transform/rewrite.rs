//! Closed forms of whole subtrees in terms of other loops and variables. What follows from the forms is to be made right
//! afterwards ([`Hir::refresh_all`]).

use crate::blob::{Blobs, TempData};
use crate::node::{Hir, HlInst, HlLoop, Kind, LoopKind, Node};
use crate::{CanonExpr, RegDdRef, ScalarType, Temp};

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

/// Gives a counted loop another last value of its induction variable.
pub(super) fn set_upper(kind: &mut Kind, to: CanonExpr) {
    if let Kind::Loop(HlLoop { kind: LoopKind::Do { upper, .. }, .. }) = kind {
        *upper = RegDdRef::terminal(to);
    }
}
