//! Addresses: lowers the steps of a reference's path to `getelementptr`s, with their flags.
//!
//! The flags of steps hold if the access is defined, or if the address was not poison; so do the flags of the result.
//! If dimensions were recovered and no subscript is negative, the index is computed from them as
//! `(d3 * e2 + d2) * e1 + d1`. Every intermediate result is at most the final index, which is in range, so nothing
//! wraps, and the dimensions remain recoverable.

use super::control::Lowering;
use super::records::Part;
use crate::ddref::{Dimension, Flat, MemRef, Path, Step};
use crate::node::Node;
use backedge_ir::inst::{BinaryFlags, BinaryOp, GepFlags, InstData, InstKind, Value};
use backedge_ir::int::Int;
use backedge_ir::types::Type;
use smallvec::SmallVec;

/// A `getelementptr` under construction: the element type of its first index, and its indices.
type Begun = Option<(Type, SmallVec<[Value; 4]>)>;

impl Lowering<'_, '_, '_> {
    /// The address of a memory reference.
    pub(super) fn address(&mut self, node: Node, of: &MemRef) -> Value {
        let base = self.form(node, &of.base);
        let address = match of.path.as_deref() {
            _ if of.adds_nothing() => base,
            Some(path) => self.walk(node, of, base, path),
            None => self.by_bytes(node, of, base),
        };
        if of.is_access() {
            self.used.insert((node, Part::Address), address);
        }
        address
    }
    fn walk(&mut self, node: Node, of: &MemRef, base: Value, path: &Path) -> Value {
        let (mut at, mut begun) = (base, Begun::None);
        for step in &path.steps {
            match step {
                Step::Elements { dim, of: ty, inside } => {
                    let index = self.index(node, of, *dim);
                    match &mut begun {
                        Some((_, indices)) if *inside => indices.push(index),
                        _ => {
                            at = self.gep(at, begun.take(), path.flags);
                            begun = Some((*ty, SmallVec::from_slice(&[index])));
                        }
                    }
                }
                Step::Bytes(bytes) => {
                    at = self.gep(at, begun.take(), path.flags);
                    let bytes = self.editor.int(*bytes);
                    at = self.gep(at, Some((Type::I8, SmallVec::from_slice(&[bytes]))), path.flags);
                }
            }
        }
        self.gep(at, begun, path.flags)
    }
    fn gep(&mut self, base: Value, begun: Begun, flags: GepFlags) -> Value {
        let body = self.editor.body();
        let is_zero = |index: &Value| body.as_int(*index).is_some_and(Int::is_zero);
        let Some((source, indices)) = begun.filter(|(_, indices)| indices.len() > 1 || !is_zero(&indices[0]))
        else {
            return base;
        };
        let ty = body.ty(base);
        let operands = std::iter::once(base).chain(indices);
        self.put(InstData::new(InstKind::Gep { source, flags }, ty, operands, []))
    }
    /// The subscript of a dimension of the address computation, in the width of addresses.
    fn index(&mut self, node: Node, of: &MemRef, dim: usize) -> Value {
        let width = of.base.dest_type().width;
        if let Some(flat) = of.flat.as_deref().filter(|flat| flat.is_positive && of.is_access()) {
            return self.index_of_rows(node, of, flat);
        }
        match dim.checked_sub(1).and_then(|dim| of.computed_dims().get(dim)) {
            Some(dim) => self.subscript(node, dim, width),
            None => self.editor.int(Int::zero(width)),
        }
    }
    fn subscript(&mut self, node: Node, dim: &Dimension, width: u32) -> Value {
        if let Some(index) = dim.subscript.as_constant() {
            return self.editor.int(index.sext_or_trunc(width));
        }
        let index = self.form(node, &dim.subscript);
        self.brought(index, width, true)
    }
    /// The index of an element, computed from the recovered dimensions.
    fn index_of_rows(&mut self, node: Node, of: &MemRef, flat: &Flat) -> Value {
        let width = of.base.dest_type().width;
        let flags = BinaryFlags { nuw: true, nsw: true, ..BinaryFlags::default() };
        let mut dims = of.dims.iter().rev();
        let Some(outermost) = dims.next() else { return self.editor.int(Int::zero(width)) };
        let mut index = self.subscript(node, outermost, width);
        for (dim, extent) in dims.zip(flat.extents.iter().rev()) {
            let extent = self.form(node, extent);
            index = self.exact(BinaryOp::Mul, index, extent, flags);
            let column = self.subscript(node, dim, width);
            if !self.editor.body().as_int(column).is_some_and(Int::is_zero) {
                index = self.exact(BinaryOp::Add, index, column, flags);
            }
        }
        index
    }
    /// The address of a reference without a path.
    fn by_bytes(&mut self, node: Node, of: &MemRef, base: Value) -> Value {
        let width = of.base.dest_type().width;
        let mut sum = self.editor.int(of.offset);
        for dim in of.computed_dims() {
            let index = self.subscript(node, dim, width);
            let bytes = match dim.stride.as_constant() {
                Some(stride) => self.times(index, stride),
                None => {
                    let stride = self.form(node, &dim.stride);
                    self.binary(BinaryOp::Mul, index, stride)
                }
            };
            sum = self.binary(BinaryOp::Add, sum, bytes);
        }
        self.gep(base, Some((Type::I8, SmallVec::from_slice(&[sum]))), GepFlags::default())
    }
}
