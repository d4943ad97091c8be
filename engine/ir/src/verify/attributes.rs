//! Checks that attributes of parameters, arguments and results fit their types (LangRef, "Parameter Attributes"). Only
//! attributes with modelled semantics are checked. As in LLVM, an undefined group is empty.

use super::insts::One;
use super::types::Types;
use super::{AttrFault, FindingKind};
use crate::attr::{Attr, AttrList, FlagAttr, IntAttr};
use crate::inst::CallInfo;
use crate::module::Env;
use crate::types::Type;

/// The errors in `list` on a value of type `ty`.
pub(super) fn check_at(env: &Env, types: &Types<'_>, list: &AttrList, ty: Type) -> Vec<FindingKind> {
    let mut found = Vec::new();
    for attr in env.attrs(list) {
        if let Some((attr, fault)) = check_attr(types, attr, ty) {
            found.push(FindingKind::Attribute { attr, found: types.name(ty), fault });
        }
    }
    found
}

/// Flags that only pointers may have.
const POINTER_FLAGS: [FlagAttr; 9] = [
    FlagAttr::NoAlias,
    FlagAttr::NonNull,
    FlagAttr::ReadNone,
    FlagAttr::ReadOnly,
    FlagAttr::Nest,
    FlagAttr::Writable,
    FlagAttr::DeadOnUnwind,
    FlagAttr::AllocPtr,
    FlagAttr::SwiftError,
];

/// Flags that any value may have; all others are for functions.
const VALUE_FLAGS: [FlagAttr; 9] = [
    FlagAttr::ImmArg,
    FlagAttr::InReg,
    FlagAttr::NoExt,
    FlagAttr::NoFree,
    FlagAttr::NoUndef,
    FlagAttr::Returned,
    FlagAttr::SwiftAsync,
    FlagAttr::SwiftSelf,
    FlagAttr::WriteOnly,
];

/// The attributes kept as text that are for functions.
const FUNCTION_TEXTS: [&str; 4] = ["allockind", "allocsize", "uwtable", "vscale_range"];

fn check_attr(types: &Types<'_>, attr: &Attr, ty: Type) -> Option<(&'static str, AttrFault)> {
    let (name, fits, fault) = match attr {
        Attr::Flag(flag) if POINTER_FLAGS.contains(flag) => (flag.name(), ty.is_ptr(), AttrFault::NotPointer),
        Attr::Flag(flag @ (FlagAttr::AllocAlign | FlagAttr::SExt | FlagAttr::ZExt)) => {
            (flag.name(), ty.is_int(), AttrFault::NotInteger)
        }
        Attr::Flag(flag @ FlagAttr::NoUndef) => (flag.name(), ty != Type::VOID, AttrFault::NoValue),
        Attr::Int(attr, value) => match attr {
            IntAttr::Align if types.is_ptr_like(ty) => {
                (attr.name(), value.is_power_of_two() && *value <= 1 << 32, AttrFault::Alignment)
            }
            IntAttr::Align => (attr.name(), false, AttrFault::NotPointer),
            IntAttr::Dereferenceable | IntAttr::DereferenceableOrNull => {
                (attr.name(), ty.is_ptr(), AttrFault::NotPointer)
            }
            IntAttr::AlignStack => return None,
        },
        Attr::Type(attr, _) => (attr.name(), ty.is_ptr(), AttrFault::NotPointer),
        Attr::Range(low, high) => {
            let width = types.int_bits(ty);
            ("range", width == Some(low.width()) && width == Some(high.width()), AttrFault::RangeWidth)
        }
        Attr::NoCapture => ("captures", ty.is_ptr(), AttrFault::NotPointer),
        Attr::Flag(flag) if !VALUE_FLAGS.contains(flag) => (flag.name(), false, AttrFault::OfFunction),
        Attr::Memory(_) => ("memory", false, AttrFault::OfFunction),
        Attr::Text(text) => {
            let name = FUNCTION_TEXTS.iter().find(|name| text.starts_with(**name));
            return name.map(|name| (*name, AttrFault::OfFunction));
        }
        Attr::Flag(_) | Attr::String(..) => return None,
    };
    (!fits).then_some((name, fault))
}

impl One<'_, '_, '_> {
    pub(super) fn call_attributes(&mut self, info: &CallInfo) {
        let (env, types) = (self.check.env, self.types());
        let mut found = check_at(env, types, &info.ret_attrs, self.data.ty);
        for (index, attrs) in info.arg_attrs.iter().enumerate() {
            if !attrs.is_empty() {
                found.extend(check_at(env, types, attrs, self.ty(index)));
            }
        }
        for kind in found {
            self.report(kind);
        }
    }
}
