//! Prints constants: scalars, aggregates, addresses, constant expressions.

use super::Printer;
use super::float::write_float;
use super::names::{write_hex, write_signed};
use crate::constant::{ConstData, ConstExpr, ConstOp, ConstPool, GlobalRef, MetadataConst};
use crate::entity::{BlockAddressId, Const};
use crate::flags::{BinaryFlags, GepFlags};
use crate::int::Int;
use crate::types::{Compound, Type, TypeKind};
use std::fmt::Write;

impl Printer<'_> {
    /// `i32 7`.
    pub(super) fn typed_const(&mut self, pool: &ConstPool, c: Const) {
        self.ty(pool.ty(c));
        self.push(" ");
        self.constant(pool, c);
    }

    /// `7`.
    pub(super) fn constant(&mut self, pool: &ConstPool, c: Const) {
        let constant = pool.get(c);
        match &constant.data {
            ConstData::Int(value) => self.int(*value),
            ConstData::Float(bits) => {
                if let TypeKind::Float(kind) = constant.ty.kind() {
                    write_float(self.out, kind, *bits);
                } else {
                    self.push("<a float of another type>");
                }
            }
            ConstData::Zero => self.zero(constant.ty),
            ConstData::Undef => self.push("undef"),
            ConstData::Poison => self.push("poison"),
            ConstData::Aggregate(elements) => self.aggregate(pool, constant.ty, elements),
            ConstData::Bytes(bytes) => self.bytes(bytes),
            ConstData::Splat(element) => {
                self.push("splat (");
                self.typed_const(pool, *element);
                self.push(")");
            }
            ConstData::Global(global) => self.global_name(*global),
            ConstData::BlockAddress(id) => self.block_address(*id),
            ConstData::Expr(expr) => self.const_expr(pool, constant.ty, expr),
            ConstData::Metadata(MetadataConst::Node(id)) => self.md_ref(*id),
            ConstData::Metadata(MetadataConst::Const(c)) => self.typed_const(pool, *c),
        }
    }

    pub(super) fn int(&mut self, value: Int) {
        match (value.width(), value.to_i64()) {
            (1, _) => self.push(if value.is_zero() { "false" } else { "true" }),
            (_, Some(small)) => write_signed(self.out, small),
            // Writing to a `String` can't fail.
            (_, None) => drop(write!(self.out, "{value}")),
        }
    }

    fn zero(&mut self, ty: Type) {
        match ty.kind() {
            TypeKind::Ptr(_) => self.push("null"),
            TypeKind::Token => self.push("none"),
            TypeKind::Int(1) => self.push("false"),
            TypeKind::Int(_) => self.push("0"),
            TypeKind::Float(kind) => write_float(self.out, kind, 0),
            TypeKind::Compound(_) | TypeKind::Void | TypeKind::Label | TypeKind::Metadata => {
                self.push("zeroinitializer");
            }
        }
    }

    fn aggregate(&mut self, pool: &ConstPool, ty: Type, elements: &[Const]) {
        let (open, close) = match self.env.types.compound(ty) {
            Some(Compound::Array { .. }) => ("[", "]"),
            Some(Compound::Vector { .. }) => ("<", ">"),
            _ => match (self.env.types.struct_fields(ty), elements) {
                (Some((_, true)), []) => ("<{", "}>"),
                (Some((_, true)), _) => ("<{ ", " }>"),
                (_, []) => ("{", "}"),
                (_, _) => ("{ ", " }"),
            },
        };
        self.push(open);
        self.const_list(pool, elements);
        self.push(close);
    }

    fn const_list(&mut self, pool: &ConstPool, list: &[Const]) {
        for (i, element) in list.iter().enumerate() {
            if i > 0 {
                self.push(", ");
            }
            self.typed_const(pool, *element);
        }
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.push("c\"");
        for &byte in bytes {
            if matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\') {
                self.out.push(byte.into());
            } else {
                self.push("\\");
                write_hex(self.out, byte.into(), 2);
            }
        }
        self.push("\"");
    }

    /// `@name`.
    pub(super) fn global_name(&mut self, global: GlobalRef) {
        if let GlobalRef::Func(id) = global
            && let Some(asm) = &self.env.funcs[id].asm
        {
            return self.push(asm);
        }
        self.push("@");
        super::names::write_global_name(self.out, self.env.name_of(global));
    }

    fn block_address(&mut self, id: BlockAddressId) {
        let Some(block) = self.env.block_addresses.get(id) else { return self.push("<no block>") };
        self.push("blockaddress(");
        self.global_name(GlobalRef::Func(block.func));
        self.push(", %");
        super::names::write_local_name(self.out, &block.label);
        self.push(")");
    }

    fn const_expr(&mut self, pool: &ConstPool, ty: Type, expr: &ConstExpr) {
        match &expr.op {
            ConstOp::Gep { source, flags, inrange } => {
                self.push("getelementptr");
                self.gep_flags(*flags);
                if let Some((from, to)) = inrange {
                    self.push(" inrange(");
                    write_signed(self.out, *from);
                    self.push(", ");
                    write_signed(self.out, *to);
                    self.push(")");
                }
                self.push(" (");
                self.ty(*source);
                self.push(", ");
                self.const_list(pool, &expr.operands);
                self.push(")");
            }
            ConstOp::Cast(op) => {
                self.push(op.name());
                self.push(" (");
                self.const_list(pool, &expr.operands);
                self.push(" to ");
                self.ty(ty);
                self.push(")");
            }
            ConstOp::Binary(op, flags) => {
                self.push(op.name());
                self.binary_flags(*flags);
                self.push(" (");
                self.const_list(pool, &expr.operands);
                self.push(")");
            }
        }
    }

    pub(super) fn gep_flags(&mut self, flags: GepFlags) {
        if flags.inbounds {
            self.push(" inbounds");
        } else if flags.nusw {
            self.push(" nusw");
        }
        if flags.nuw {
            self.push(" nuw");
        }
    }

    pub(super) fn binary_flags(&mut self, flags: BinaryFlags) {
        let words = [
            (flags.nuw, " nuw"),
            (flags.nsw, " nsw"),
            (flags.exact, " exact"),
            (flags.disjoint, " disjoint"),
        ];
        for (set, word) in words {
            if set {
                self.push(word);
            }
        }
    }
}
