//! Calls of library functions.
//!
//! Functions of one number are formulas. All others are unknown functions of their arguments, of memory and of earlier
//! calls. The real functions are instances of these, so a proof for all such functions also holds for the real ones. A
//! counterexample may rely on behavior that the real function does not have; each call is therefore recorded as an
//! approximation, and the interpreter decides. A second attempt can encode functions on strings and memory byte by byte
//! ([`super::strings`]). Fresh memory contains undef bits, but the result of an unknown function does not, so the
//! encoder rejects a function that both allocates and reads memory.

use crate::encode::function::{Encoded, Encoder};
use crate::encode::intrinsic::one;
use crate::encode::value::{Scalar, Sym};
use crate::encode::world::LibraryModel;
use crate::term::{Bits, Term, Terms};
use backedge_ir::entity::{FuncId, Inst};
use backedge_ir::inst::{CallView, InstKind};
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::meaning::library::{Known, Library, called};

/// Marks the events of library functions.
pub(crate) const LIBRARY: &str = "a library function";

/// The library model's result for a call.
pub(crate) enum LibraryCall {
    /// The model computes the result, if the function has one.
    Computed(Option<Sym>),
    /// The environment answers the call.
    Unknown,
}

impl Encoder<'_, '_> {
    /// Encodes a call of a modelled library function. Other library calls are recorded as approximations.
    pub(crate) fn library_call(
        &mut self,
        inst: Inst,
        func: Option<FuncId>,
        view: CallView<'_>,
    ) -> Encoded<LibraryCall> {
        let known = called(self.module, self.func, self.body, inst);
        let Some(known) = known else { return Ok(LibraryCall::Unknown) };
        let name = func.map(|f| self.module.env.funcs[f].name.clone()).unwrap_or_default();
        match known {
            Known::Function(which) if which.is_arithmetic() => {
                let args = self.arguments(func, view)?;
                let Some(Sym::Scalar(x)) = args.first() else {
                    return Err(self.unsupported("a library function without an argument"));
                };
                let ret = self.body.inst(inst).ty;
                let width = ret.int_bits().unwrap_or(32);
                let result = self.library_arithmetic(which, *x, width)?.into();
                let result = self.constrained_result(inst, func, view, result)?;
                return Ok(LibraryCall::Computed(Some(result)));
            }
            Known::Function(which) if which.is_of_bytes() => {
                if self.w.library == LibraryModel::Bytes {
                    return self.string_function(which, inst, func, view).map(LibraryCall::Computed);
                }
                self.w.library_is_unknown = true;
            }
            Known::Function(which)
                if which.allocates() && which != Library::Calloc && self.reads_memory() =>
            {
                return Err(self.unsupported(&format!("memory from the library function `{name}`")));
            }
            Known::Function(_) | Known::Unmodelled => {}
        }
        self.w.approximate(&format!("the library function `{name}` is taken for an unknown function"));
        Ok(LibraryCall::Unknown)
    }
    /// Whether the function itself reads memory.
    fn reads_memory(&self) -> bool {
        self.body.all_insts().any(|inst| {
            let copies = matches!(
                self.intrinsic_of(inst),
                Some(Intrinsic::Memcpy | Intrinsic::MemcpyInline | Intrinsic::Memmove)
            );
            copies || matches!(self.body.inst(inst).kind, InstKind::Load(_)) || self.is_of_bytes(inst)
        })
    }
    /// Whether the instruction calls a library function that is encoded byte by byte.
    pub(super) fn is_of_bytes(&self, inst: Inst) -> bool {
        self.w.library == LibraryModel::Bytes
            && matches!(
                called(self.module, self.func, self.body, inst),
                Some(Known::Function(which)) if which.is_of_bytes()
            )
    }
    fn library_arithmetic(&mut self, which: Library, x: Scalar, width: u32) -> Encoded<Scalar> {
        let x = self.used(x);
        let terms = &mut self.w.terms;
        let from = terms.width(x.bits);
        let number = |terms: &mut Terms, n: u128| terms.number(from, n);
        let below = |terms: &mut Terms, x: Term, n: u128| {
            let n = terms.number(from, n);
            terms.ult(x, n)
        };
        let undef = terms.number(width, 0);
        let of = |bits: Term| Scalar { bits, poison: x.poison, undef };
        Ok(match which {
            Library::Abs => {
                let least = terms.constant(Bits::signed_min(from));
                let bad = terms.eq(x.bits, least);
                let bits = one(terms, Intrinsic::Abs, x.bits);
                of(bits).or_poison(terms, bad)
            }
            Library::Ffs => {
                let zero = number(terms, 0);
                let is_zero = terms.eq(x.bits, zero);
                let (count, first) = (one(terms, Intrinsic::Cttz, x.bits), number(terms, 1));
                let position = terms.add(count, first);
                let position = terms.zext_or_truncate(position, width);
                let nothing = terms.number(width, 0);
                of(terms.ite(is_zero, nothing, position))
            }
            Library::IsDigit => {
                let first = number(terms, u128::from(b'0'));
                let distance = terms.sub(x.bits, first);
                let cond = below(terms, distance, 10);
                self.truth((which, x), cond, width)?
            }
            Library::IsAscii => {
                let cond = below(terms, x.bits, 128);
                self.truth((which, x), cond, width)?
            }
            _ => {
                let low = number(terms, 0x7f);
                let bits = terms.bv_and(x.bits, low);
                of(terms.zext_or_truncate(bits, width))
            }
        })
    }
}
