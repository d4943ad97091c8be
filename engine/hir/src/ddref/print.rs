//! References as text: `%x.018`, `i1 + %n`, `(%b)[i1 + 1]`, `(@c)[0][i1][2 * i2]`, `&((%p)[i1])`. The outermost dimension
//! comes first; bytes that fields add come last, as `.8`. Subscripts are signed: that one is sign-extended to the width of
//! addresses is not shown, that zeros are put in front of it is.

use super::{Access, Form, MemRef, RegDdRef};
use crate::blob::Blobs;

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
            text += &format!("[{}]", dim.subscript.text_as_signed(blobs));
        }
        if !self.offset.is_zero() {
            text += &format!(".{}", self.offset.signed());
        }
        match self.access {
            Access::AddressOf(_) => format!("&({text})"),
            Access::Load(..) | Access::Store(..) => text,
        }
    }
}
