//! Values that consist of one repeated byte.

use backedge_ir::body::Body;
use backedge_ir::constant::ConstData;
use backedge_ir::entity::Const;
use backedge_ir::inst::Value;
use backedge_ir::int::Int;
use backedge_ir::module::Env;
use backedge_ir::types::Type;

/// The repeated byte of a stored value.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Byte {
    /// A constant.
    Known(u8),
    /// A value of type `i8`.
    Value(Value),
}

/// Maximum number of parts of a constant examined: bounds the time for one stored value, which is no splat beyond it.
const MAX_PARTS: usize = 1024;

/// The repeated byte of `value`, which has no padding.
pub(super) fn byte_of(env: &Env, body: &Body, value: Value) -> Option<Byte> {
    match value.as_const() {
        Some(c) => {
            let mut parts = MAX_PARTS;
            constant(env, body, c, &mut parts).map(Byte::Known)
        }
        None => (body.ty(value) == Type::I8).then_some(Byte::Value(value)),
    }
}

fn constant(env: &Env, body: &Body, c: Const, parts: &mut usize) -> Option<u8> {
    // The recursion is bounded by `parts`, since each level uses at least one.
    *parts = parts.checked_sub(1)?;
    let constant = body.constant(c);
    let same = |bits: u128, width: u32| {
        let byte = bits as u8;
        let bytes = width.is_multiple_of(8).then_some(width / 8)?;
        (0..bytes).all(|i| (bits >> (8 * i)) as u8 == byte).then_some(byte)
    };
    match &constant.data {
        ConstData::Int(value) => same(value.bits(), value.width()),
        ConstData::Float(bits) => {
            let width = env.layout.size_bits(&env.types, constant.ty).and_then(|w| u32::try_from(w).ok())?;
            (width <= Int::MAX_WIDTH).then(|| same(*bits, width))?
        }
        // Null is all-zero bits in address space 0; other address spaces may differ.
        ConstData::Zero => (constant.ty.ptr_space().unwrap_or(0) == 0).then_some(0),
        ConstData::Bytes(bytes) => {
            let first = *bytes.first()?;
            bytes.iter().all(|b| *b == first).then_some(first)
        }
        ConstData::Splat(element) => flat(env, body, &[*element], parts),
        ConstData::Aggregate(elements) => flat(env, body, elements, parts),
        ConstData::Undef
        | ConstData::Poison
        | ConstData::Global(_)
        | ConstData::BlockAddress(_)
        | ConstData::Expr(_)
        | ConstData::Metadata(_) => None,
    }
}

/// The repeated byte of elements that are integers, floats or null; deeper nesting is not handled.
fn flat(env: &Env, body: &Body, elements: &[Const], parts: &mut usize) -> Option<u8> {
    let nested = |c: &Const| {
        matches!(body.constant(*c).data, ConstData::Aggregate(_) | ConstData::Splat(_) | ConstData::Bytes(_))
    };
    if elements.iter().any(nested) {
        return None;
    }
    let first = constant(env, body, *elements.first()?, parts)?;
    elements[1..].iter().all(|e| constant(env, body, *e, parts) == Some(first)).then_some(first)
}
