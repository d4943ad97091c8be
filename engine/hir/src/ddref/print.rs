//! References as text: `%x.018`, `i1 + %n`, `(%b)[i1 + 1]`, `(@c)[0][i1][2 * i2]`, `&((%p)[i1])`. The outermost
//! dimension is first; bytes that fields add are last, as `.8`; volatile and atomic markers precede the reference.
//!
//! Subscripts are signed. The sign extension of a variable, or of an index narrower than addresses, is not shown, as in
//! the document (docs/hir-terms.md). The sign extension of a sum with induction variables is shown,
//! `(%p)[sext(%m * i1 + i2)]`, because the sum is not known to be linear in the wider type. Zero extensions are always
//! shown.

use super::{Access, Form, MemRef, RegDdRef};
use crate::blob::Blobs;
use crate::canon::CanonExpr;
use backedge_ir::inst::MemAccess;

impl RegDdRef {
    /// The reference as text.
    pub fn text(&self, blobs: &Blobs) -> String {
        match &self.form {
            Form::Terminal(form) => form.text(blobs),
            Form::Memory(form) => form.text(blobs),
        }
    }
}

impl MemRef {
    /// The reference as text.
    pub fn text(&self, blobs: &Blobs) -> String {
        let mut text = format!("({})", self.base.text(blobs));
        for dim in self.dims.iter().rev() {
            text += &format!("[{}]", subscript(&dim.subscript, blobs));
        }
        if !self.offset.is_zero() {
            text += &format!(".{}", self.offset.signed());
        }
        match &self.access {
            Access::AddressOf(_) => format!("&({text})"),
            Access::Load(_, how) | Access::Store(_, how) => order(how) + &text,
        }
    }
}

/// A subscript as text.
fn subscript(form: &CanonExpr, blobs: &Blobs) -> String {
    if form.has_any_iv() { form.text(blobs) } else { form.text_as_signed(blobs) }
}

/// The volatile and atomic markers of an access, printed before the reference; empty for a plain access.
pub(crate) fn order(how: &MemAccess) -> String {
    let mut text = String::new();
    if how.volatile {
        text += "volatile ";
    }
    if let Some(ordering) = how.ordering {
        text += &format!("atomic {} ", ordering.name());
    }
    text
}
