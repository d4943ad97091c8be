//! Fixed-size short forms of common operations, for registers with 16-bit numbers.
//!
//! A short form applies while its operands are plain words or pointers and its result is defined. All other cases are
//! left to the full form ([`super::op::Op`]) at the same place: undefined bits, poison, violated flags, accesses that
//! are not allowed, register numbers beyond 16 bits. Some short forms also execute the next operation; if they
//! cannot, the full form executes only the first of the two.

/// A 16-bit register number.
pub(crate) type Near = u16;

/// Operands of integer arithmetic at a width of 64 - `drop` bits.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Bin {
    pub(crate) dst: Near,
    pub(crate) a: Near,
    pub(crate) b: Near,
    pub(crate) drop: u8,
    /// [`NUW`] and [`NSW`], if the operation checks flags.
    pub(crate) flags: u8,
}

/// Flag: no unsigned wrap.
pub(crate) const NUW: u8 = 1;
/// Flag: no signed wrap.
pub(crate) const NSW: u8 = 2;
/// Flag of address arithmetic: in bounds.
pub(crate) const INBOUNDS: u8 = 4;

/// Operands of a comparison.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Cmp {
    pub(crate) dst: Near,
    pub(crate) a: Near,
    pub(crate) b: Near,
    pub(crate) drop: u8,
    /// Whether the result is negated.
    pub(crate) negate: bool,
}

/// A comparison and the following branch on it. `edge` is taken if the comparison holds; the next edge otherwise.
#[derive(Copy, Clone, Debug)]
pub(crate) struct CmpBr {
    pub(crate) cmp: Cmp,
    pub(crate) edge: u32,
}

/// A comparison and the following `select` on it, which is its only use.
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

/// `getelementptr` with a constant, nonnegative offset.
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
    /// Whether the operands are `double`; otherwise `float`.
    pub(crate) double: bool,
}

/// A load or store of a whole-byte integer or float, or of a 64-bit pointer.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Access {
    /// The destination of a load or the value of a store.
    pub(crate) val: Near,
    pub(crate) ptr: Near,
    pub(crate) align_log2: u8,
}

/// Address arithmetic and the following access.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Indexed {
    pub(crate) gep: Gep,
    pub(crate) val: Near,
    pub(crate) align_log2: u8,
}

/// A short form.
#[derive(Copy, Clone, Debug)]
pub(crate) enum Quick {
    /// No short form.
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
    /// Copies a word unchanged.
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
    /// Branches to `edge` or to the next edge.
    CondBr {
        cond: Near,
        edge: u32,
    },
    /// By the value of a register; the full form has the cases.
    Switch(Near),
    /// A call of a function of the module whose arguments and result have no facts except `noundef`.
    Call,
    Ret(Near),
    RetVoid,
}
