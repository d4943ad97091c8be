//! Prints attributes of parameters, results, functions, calls and groups.

use super::Printer;
use super::names::write_signed;
use crate::attr::{Attr, AttrList, IntAttr, MemoryEffects, ModRef};
use crate::int::Int;
use std::fmt::Write;

impl Printer<'_> {
    /// The attributes of `list` and its groups, each preceded by a space.
    pub(super) fn attr_list(&mut self, list: &AttrList) {
        for attr in &list.own {
            self.push(" ");
            self.attr(attr, false);
        }
        for group in &list.groups {
            self.push(" #");
            self.number((*group).into());
        }
    }

    /// `attributes #n = { … }`.
    pub(super) fn attr_group(&mut self, group: u32) {
        self.push("attributes #");
        self.number(group.into());
        self.push(" = {");
        let env = self.env;
        for attr in env.attr_groups.get(&group).into_iter().flatten() {
            self.push(" ");
            self.attr(attr, true);
        }
        self.push(" }\n");
    }

    fn attr(&mut self, attr: &Attr, in_group: bool) {
        match attr {
            Attr::Flag(flag) => self.push(flag.name()),
            Attr::Int(attr, value) => self.int_attr(*attr, *value, in_group),
            Attr::Type(attr, ty) => {
                self.push(attr.name());
                if let Some(ty) = ty {
                    self.push("(");
                    self.ty(*ty);
                    self.push(")");
                }
            }
            Attr::Range(low, high) => {
                self.push("range(i");
                self.number(low.width().into());
                self.push(" ");
                self.plain_int(*low);
                self.push(", ");
                self.plain_int(*high);
                self.push(")");
            }
            Attr::Memory(effects) => self.memory_effects(*effects),
            Attr::NoCapture => self.push("captures(none)"),
            Attr::String(key, value) => {
                self.push("\"");
                self.push(key);
                self.push("\"");
                if let Some(value) = value {
                    self.push("=\"");
                    self.push(value);
                    self.push("\"");
                }
            }
            Attr::Text(text) => self.push(text),
        }
    }

    /// Decimal, also for `i1`.
    fn plain_int(&mut self, value: Int) {
        match value.to_i64() {
            Some(small) => write_signed(self.out, small),
            // Writing to a `String` can't fail.
            None => drop(write!(self.out, "{value}")),
        }
    }

    fn int_attr(&mut self, attr: IntAttr, value: u64, in_group: bool) {
        let (before, after) = match attr {
            IntAttr::Align | IntAttr::AlignStack if in_group => ("=", ""),
            IntAttr::Align => (" ", ""),
            IntAttr::AlignStack | IntAttr::Dereferenceable | IntAttr::DereferenceableOrNull => ("(", ")"),
        };
        self.push(attr.name());
        self.push(before);
        self.number(value);
        self.push(after);
    }

    /// Prints the effect on other memory first, as the default, then the kinds of memory that differ.
    fn memory_effects(&mut self, effects: MemoryEffects) {
        self.push("memory(");
        let mut first = true;
        if effects.other != ModRef::NONE || effects.any() == effects.other {
            self.push(mod_ref_name(effects.other));
            first = false;
        }
        let places = [
            ("argmem: ", effects.argmem),
            ("inaccessiblemem: ", effects.inaccessiblemem),
            ("errnomem: ", effects.errnomem),
            ("target_mem0: ", effects.target_mem[0]),
            ("target_mem1: ", effects.target_mem[1]),
        ];
        for (name, effect) in places {
            if effect != effects.other {
                if !first {
                    self.push(", ");
                }
                first = false;
                self.push(name);
                self.push(mod_ref_name(effect));
            }
        }
        self.push(")");
    }
}

fn mod_ref_name(effect: ModRef) -> &'static str {
    match (effect.reads, effect.writes) {
        (false, false) => "none",
        (true, false) => "read",
        (false, true) => "write",
        (true, true) => "readwrite",
    }
}
