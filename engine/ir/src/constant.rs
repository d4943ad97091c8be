//! Constants. They are interned per function body, so each body can be edited, cloned and moved between threads on its
//! own; the initializers of globals are in a pool of the module.
//!
//! Two constants of one pool are equal exactly if their ids are equal. Constants of different pools are compared by
//! their data.

use crate::entity::{AliasId, BlockAddressId, Const, FuncId, GlobalId, MdId, PrimaryMap};
use crate::flags::{BinaryFlags, GepFlags};
use crate::inst::{BinaryOp, CastOp};
use crate::int::Int;
use crate::types::Type;
use rustc_hash::FxHashMap;

/// A global with an address, defined or declared by the module.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum GlobalRef {
    /// A function.
    Func(FuncId),
    /// A global variable.
    Var(GlobalId),
    /// An alias or ifunc.
    Alias(AliasId),
}

/// A constant with its type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Constant {
    /// The type.
    pub ty: Type,
    /// The value.
    pub data: ConstData,
}

/// The value of a constant. Operands are constants of the same pool.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum ConstData {
    /// An integer of 1 to 128 bits.
    Int(Int),
    /// A floating-point value by its bits, in the format of the type.
    Float(u128),
    /// `null`, `zeroinitializer`, `none`: all bits zero, of a pointer, aggregate or vector type.
    Zero,
    /// `undef`: an arbitrary value, chosen anew at each use.
    Undef,
    /// `poison`.
    Poison,
    /// The elements of an array, struct or fixed vector.
    Aggregate(Box<[Const]>),
    /// `c"…"`: an array of i8 by its bytes.
    Bytes(Box<[u8]>),
    /// `splat (ty c)`: a vector of equal elements.
    Splat(Const),
    /// The address of a global.
    Global(GlobalRef),
    /// `blockaddress(@f, %block)`: the address of a block of the module.
    BlockAddress(BlockAddressId),
    /// A constant expression.
    Expr(Box<ConstExpr>),
    /// A metadata operand of a call: `metadata !n` and the like.
    Metadata(MetadataConst),
}

/// A metadata operand that does not refer to a local value.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum MetadataConst {
    /// A node.
    Node(MdId),
    /// A constant wrapped as metadata.
    Const(Const),
}

/// A constant expression.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ConstExpr {
    /// The operation.
    pub op: ConstOp,
    /// The operands in order.
    pub operands: Box<[Const]>,
}

/// The operation of a constant expression.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum ConstOp {
    /// `getelementptr`: base and indices.
    Gep {
        /// The source element type, which the first index scales by.
        source: Type,
        /// `inbounds`, `nusw`, `nuw`.
        flags: GepFlags,
        /// `inrange(from, to)` in bytes relative to the result.
        inrange: Option<(i64, i64)>,
    },
    /// A cast to the constant's type.
    Cast(CastOp),
    /// Integer arithmetic.
    Binary(BinaryOp, BinaryFlags),
}

/// An interning table of constants.
#[derive(Clone, Debug, Default)]
pub struct ConstPool {
    items: PrimaryMap<Const, Constant>,
    interned: FxHashMap<Constant, Const>,
}

impl ConstPool {
    /// The id of `constant`, whose operands must belong to this pool.
    pub fn intern(&mut self, constant: Constant) -> Const {
        if let Some(&id) = self.interned.get(&constant) {
            return id;
        }
        let id = self.items.push(constant.clone());
        self.interned.insert(constant, id);
        id
    }
    /// Replaces all constants with `items`; the index of an item is its id.
    pub(crate) fn replace(&mut self, items: Vec<Constant>) {
        *self = Self::default();
        for item in items {
            let id = self.items.push(item.clone());
            self.interned.entry(item).or_insert(id);
        }
    }
    /// Replaces the constant `id` with `constant`.
    pub(crate) fn set(&mut self, id: Const, constant: Constant) {
        self.interned.remove(&self.items[id]);
        self.items[id] = constant.clone();
        self.interned.entry(constant).or_insert(id);
    }
    /// The id of the integer `value`.
    pub fn int(&mut self, value: Int) -> Const {
        self.intern(Constant { ty: Type::int(value.width()), data: ConstData::Int(value) })
    }
    /// The id of `undef` of type `ty`.
    pub fn undef(&mut self, ty: Type) -> Const {
        self.intern(Constant { ty, data: ConstData::Undef })
    }
    /// The id of `poison` of type `ty`.
    pub fn poison(&mut self, ty: Type) -> Const {
        self.intern(Constant { ty, data: ConstData::Poison })
    }
    /// The id of the address of `global`, a pointer of type `ty`.
    pub fn global(&mut self, ty: Type, global: GlobalRef) -> Const {
        self.intern(Constant { ty, data: ConstData::Global(global) })
    }
    /// The element if all lanes of the constant `id` are equal, else the constant itself.
    pub fn lane(&self, id: Const) -> Const {
        match &self.items[id].data {
            ConstData::Splat(element) => *element,
            ConstData::Aggregate(elements) if elements.windows(2).all(|w| w[0] == w[1]) => {
                elements.first().copied().unwrap_or(id)
            }
            ConstData::Int(_)
            | ConstData::Float(_)
            | ConstData::Zero
            | ConstData::Undef
            | ConstData::Poison
            | ConstData::Aggregate(_)
            | ConstData::Bytes(_)
            | ConstData::Global(_)
            | ConstData::BlockAddress(_)
            | ConstData::Expr(_)
            | ConstData::Metadata(_) => id,
        }
    }
    /// The constant `id`.
    #[inline]
    pub fn get(&self, id: Const) -> &Constant {
        &self.items[id]
    }
    /// The type of `id`.
    #[inline]
    pub fn ty(&self, id: Const) -> Type {
        self.items[id].ty
    }
    /// The value of `id` if it is an integer.
    pub fn as_int(&self, id: Const) -> Option<Int> {
        if let ConstData::Int(value) = self.items[id].data { Some(value) } else { None }
    }
    /// The number of constants.
    pub fn len(&self) -> usize {
        self.items.len()
    }
    /// Whether the pool is empty.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
    /// All constants in order of creation.
    pub fn iter(&self) -> impl Iterator<Item = (Const, &Constant)> {
        self.items.iter()
    }
}
