//! Short forms of common operations, of one small size, for registers with 16-bit numbers.
//!
//! A short form says what an operation does as long as its operands are plain words, or pointers, and its result is
//! defined. Everything else is left to the full form ([`super::op::Op`]) at the same place: undefined bits, poison,
//! flags that fail, accesses that are not allowed, numbers of registers beyond 16 bits. Some short forms do the
//! operation at the next place too; where they can't, the full form does the first of the two alone.

/// A register's number.
pub(crate) type Near = u16;

/// Operands of integer arithmetic at a width of 64 - `drop` bits.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Bin {
    pub(crate) dst: Near,
    pub(crate) a: Near,
    pub(crate) b: Near,
    pub(crate) drop: u8,
    /// [`NUW`] and [`NSW`], where the operation looks at flags.
    pub(crate) flags: u8,
}

/// In flags: no unsigned wrap.
pub(crate) const NUW: u8 = 1;
/// In flags: no signed wrap.
pub(crate) const NSW: u8 = 2;
/// In flags of address arithmetic: in bounds.
pub(crate) const INBOUNDS: u8 = 4;

/// Operands of a comparison.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Cmp {
    pub(crate) dst: Near,
    pub(crate) a: Near,
    pub(crate) b: Near,
    pub(crate) drop: u8,
    /// Whether the result is the opposite.
    pub(crate) negate: bool,
}

/// A comparison and the branch on it behind. The edge is the one taken if it holds; the next one is the other.
#[derive(Copy, Clone, Debug)]
pub(crate) struct CmpBr {
    pub(crate) cmp: Cmp,
    pub(crate) edge: u32,
}

/// A comparison and a `select` on it behind, its only use.
#[derive(Copy, Clone, Debug)]
pub(crate) struct CmpSelect {
    pub(crate) cmp: Cmp,
    pub(crate) if_true: Near,
    pub(crate) if_false: Near,
}

/// `getelementptr` with one index of 64 - `drop` bits and 64-bit pointers.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Gep {
    pub(crate) dst: Near,
    pub(crate) base: Near,
    pub(crate) index: Near,
    pub(crate) drop: u8,
    /// [`NUW`] and [`INBOUNDS`].
    pub(crate) flags: u8,
    pub(crate) scale: u16,
}

/// `getelementptr` by a constant, not negative.
#[derive(Copy, Clone, Debug)]
pub(crate) struct GepConst {
    pub(crate) dst: Near,
    pub(crate) base: Near,
    pub(crate) flags: u8,
    pub(crate) offset: u32,
}

/// Operands of floating-point arithmetic.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Float {
    pub(crate) dst: Near,
    pub(crate) a: Near,
    pub(crate) b: Near,
    /// Whether the operands are `double`; `float` if not.
    pub(crate) double: bool,
}

/// A load or store of a whole-byte integer or float, or of a 64-bit pointer.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Access {
    /// The register loaded to or stored from.
    pub(crate) val: Near,
    pub(crate) ptr: Near,
    pub(crate) align_log2: u8,
}

/// Address arithmetic and an access behind.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Indexed {
    pub(crate) gep: Gep,
    pub(crate) val: Near,
    pub(crate) align_log2: u8,
}

/// A short form.
#[derive(Copy, Clone, Debug)]
pub(crate) enum Quick {
    /// There is none.
    Full,
    Add(Bin),
    AddFlags(Bin),
    Sub(Bin),
    SubFlags(Bin),
    Mul(Bin),
    MulFlags(Bin),
    Shl(Bin),
    ShlFlags(Bin),
    LShr(Bin),
    LShrExact(Bin),
    AShr(Bin),
    AShrExact(Bin),
    And(Bin),
    Or(Bin),
    OrDisjoint(Bin),
    Xor(Bin),
    UDiv(Bin),
    SDiv(Bin),
    URem(Bin),
    SRem(Bin),
    FAdd(Float),
    FSub(Float),
    FMul(Float),
    FDiv(Float),
    UMin(Bin),
    UMax(Bin),
    SMin(Bin),
    SMax(Bin),
    Eq(Cmp),
    Ult(Cmp),
    Slt(Cmp),
    EqBr(CmpBr),
    UltBr(CmpBr),
    SltBr(CmpBr),
    EqSelect(CmpSelect),
    UltSelect(CmpSelect),
    SltSelect(CmpSelect),
    /// A word that stays as it is.
    Copy {
        dst: Near,
        a: Near,
    },
    Trunc {
        dst: Near,
        a: Near,
        drop: u8,
    },
    SExt {
        dst: Near,
        a: Near,
        from_drop: u8,
        to_drop: u8,
    },
    Select {
        dst: Near,
        cond: Near,
        a: Near,
        b: Near,
    },
    Gep(Gep),
    GepConst(GepConst),
    Load8(Access),
    Load16(Access),
    Load32(Access),
    Load64(Access),
    LoadPtr(Access),
    Store8(Access),
    Store16(Access),
    Store32(Access),
    Store64(Access),
    StorePtr(Access),
    LoadAt8(Indexed),
    LoadAt32(Indexed),
    LoadAt64(Indexed),
    StoreAt8(Indexed),
    StoreAt32(Indexed),
    StoreAt64(Indexed),
    Br(u32),
    /// To the edge, or the next one.
    CondBr {
        cond: Near,
        edge: u32,
    },
    /// By the value of a register; the full form has the cases.
    Switch(Near),
    /// A call of a function of the module that says nothing of its arguments and result but `noundef`.
    Call,
    Ret(Near),
    RetVoid,
}
