//! Flushing of denormals, as function attributes state it.

use crate::layout::Shape;
use backedge_ir::attr::Attr;
use backedge_ir::entity::FuncId;
use backedge_ir::module::Env;
use backedge_ir::types::FloatKind;

/// Formats whose denormal numbers may be flushed.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Flushing {
    pub(super) float: bool,
    pub(super) others: bool,
}

impl Flushing {
    /// Reads the attributes of `func`.
    pub(super) fn of(env: &Env, func: FuncId) -> Self {
        let (mut general, mut of_float) = (false, None);
        for attr in env.attrs(&env.funcs[func].attrs) {
            match attr {
                Attr::String(key, value) if &**key == "denormal-fp-math" => {
                    general = may_flush(value.as_deref());
                }
                Attr::String(key, value) if &**key == "denormal-fp-math-f32" => {
                    of_float = Some(may_flush(value.as_deref()));
                }
                Attr::Text(text) if text.starts_with("denormal_fpenv") => general = true,
                Attr::String(..)
                | Attr::Text(_)
                | Attr::Flag(_)
                | Attr::Int(..)
                | Attr::Type(..)
                | Attr::Range(..)
                | Attr::Memory(_)
                | Attr::NoCapture => {}
            }
        }
        Self { float: of_float.unwrap_or(general), others: general }
    }
    pub(super) fn any(self) -> bool {
        self.float || self.others
    }
    pub(super) fn concerns(self, shape: &Shape) -> bool {
        match shape {
            Shape::Float(FloatKind::Float) => self.float,
            Shape::Float(_) => self.others,
            Shape::Int(_) | Shape::Ptr(_) => false,
            Shape::Vector { elem, .. } | Shape::Array { elem, .. } => self.concerns(elem),
            Shape::Struct { fields, .. } => fields.iter().any(|(_, f)| self.concerns(f)),
        }
    }
}

/// Whether `output,input`, or one word for both, specifies a mode other than `ieee`.
fn may_flush(value: Option<&str>) -> bool {
    value.is_none_or(|v| v.split(',').any(|mode| !matches!(mode.trim(), "ieee" | "")))
}
