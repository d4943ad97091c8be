//! Prints types and their definitions.

use super::Printer;
use super::names::{write_global_name, write_number};
use crate::types::{Compound, Type, TypeKind, TypeTable};

/// Appends the spelling of `ty`. Identified structs are printed by name, so the recursion depth is that of the
/// spelling.
pub(super) fn write_type(out: &mut String, types: &TypeTable, ty: Type) {
    match ty.kind() {
        TypeKind::Void => out.push_str("void"),
        TypeKind::Label => out.push_str("label"),
        TypeKind::Metadata => out.push_str("metadata"),
        TypeKind::Token => out.push_str("token"),
        TypeKind::Float(kind) => out.push_str(kind.name()),
        TypeKind::Int(bits) => {
            out.push('i');
            write_number(out, bits.into());
        }
        TypeKind::Ptr(space) => {
            out.push_str("ptr");
            if space != 0 {
                out.push_str(" addrspace(");
                write_number(out, space.into());
                out.push(')');
            }
        }
        TypeKind::Compound(id) => write_compound(out, types, types.get(id)),
    }
}

fn write_compound(out: &mut String, types: &TypeTable, compound: &Compound) {
    match compound {
        Compound::Array { len, elem } => {
            out.push('[');
            write_number(out, *len);
            out.push_str(" x ");
            write_type(out, types, *elem);
            out.push(']');
        }
        Compound::Vector { len, elem, scalable } => {
            out.push_str(if *scalable { "<vscale x " } else { "<" });
            write_number(out, *len);
            out.push_str(" x ");
            write_type(out, types, *elem);
            out.push('>');
        }
        Compound::Struct { fields, packed } => write_fields(out, types, fields, *packed),
        Compound::Named { name } => {
            out.push('%');
            write_global_name(out, name);
        }
        Compound::Function { ret, params, vararg } => {
            write_type(out, types, *ret);
            out.push_str(" (");
            write_list(out, types, params);
            if *vararg {
                out.push_str(if params.is_empty() { "..." } else { ", ..." });
            }
            out.push(')');
        }
        Compound::Target { text } => out.push_str(text),
    }
}

fn write_list(out: &mut String, types: &TypeTable, list: &[Type]) {
    for (i, ty) in list.iter().enumerate() {
        if i > 0 {
            out.push_str(", ");
        }
        write_type(out, types, *ty);
    }
}

fn write_fields(out: &mut String, types: &TypeTable, fields: &[Type], packed: bool) {
    out.push_str(if packed { "<{" } else { "{" });
    if !fields.is_empty() {
        out.push(' ');
        write_list(out, types, fields);
        out.push(' ');
    }
    out.push_str(if packed { "}>" } else { "}" });
}

impl Printer<'_> {
    /// `%name = type …`.
    pub(super) fn type_def(&mut self, ty: Type) {
        self.ty(ty);
        self.push(" = type ");
        match self.env.types.struct_fields(ty) {
            Some((fields, packed)) => write_fields(self.out, &self.env.types, fields, packed),
            None => self.push("opaque"),
        }
        self.push("\n");
    }
}
