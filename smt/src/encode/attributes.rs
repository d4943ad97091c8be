//! Attributes and metadata that constrain values: of parameters and returned values, of loads, and of arguments and
//! results of all calls, including intrinsics.
//!
//! LangRef ("Parameter Attributes", "Metadata"): a value that violates `range`, `nonnull`, `align` or `nofpclass` is
//! poison; poison or undef bits under `noundef` are UB. `dereferenceable` and `dereferenceable_or_null` imply
//! `noundef`. The attributes of one value, at the call and at the callee, apply together: `noundef` at a call makes a
//! violation of the callee's `range` UB. Metadata applies to the result after its attributes: the attribute `noundef`
//! does not make a violation of `!range` UB, because LangRef gives this effect only to `!noundef`.

use super::stated::Stated;
use crate::encode::cube::may_be_outside;
use crate::encode::function::{Encoded, Encoder};
use crate::encode::pointer::{block_of, offset_of};
use crate::encode::value::{Scalar, Sym};
use crate::encode::world::OFFSET_BITS;
use crate::term::Term;
use backedge_ir::attr::{Attr, AttrList, FlagAttr, IntAttr};
use backedge_ir::int::Int;
use backedge_ir::metadata::{MdKind, MdOperand, MdRef};
use backedge_ir::types::Type;

/// One constraint.
#[derive(Clone, Debug)]
enum Constraint {
    NoUndef,
    NonNull,
    Align(u64),
    Dereferenceable {
        bytes: u64,
        or_null: bool,
    },
    /// Half-open ranges; the value must lie in one of them.
    Ranges(Vec<(Int, Int)>),
    /// Floating-point classes as in `llvm.is.fpclass`; the value must be in none of them.
    NoClass(u128),
}

impl Encoder<'_, '_> {
    /// Applies all attributes and metadata to the value of type `ty`. Narrows the path where a violation is UB.
    pub(crate) fn constrain(&mut self, stated: Stated<'_>, ty: Type, value: Sym) -> Encoded<Sym> {
        let (value, noundef) = self.narrowed(stated, ty, value)?;
        Ok(if noundef { self.defined_or_ub(value) } else { value })
    }
    /// The result of a function that never has UB: if its declaration says `noundef`, the result satisfies the whole
    /// declaration.
    pub(crate) fn answer_as_declared(&mut self, declared: &AttrList, ty: Type, value: Sym) -> Encoded<Sym> {
        let stated = Stated { lists: &[declared], metadata: &[] };
        let (narrowed, noundef) = self.narrowed(stated, ty, value.clone())?;
        if !noundef {
            return Ok(value);
        }
        let terms = &mut self.w.terms;
        let bad = narrowed.any_poison_or_undef(terms);
        let fine = terms.not(bad);
        let fact = terms.implies(self.path, fine);
        self.w.axioms.push(fact);
        Ok(value.map(&mut |s| Scalar::defined(&mut self.w.terms, s.bits)))
    }
    /// Makes the value poison where it violates a constraint. Also returns whether poison is UB.
    fn narrowed(&mut self, stated: Stated<'_>, ty: Type, value: Sym) -> Encoded<(Sym, bool)> {
        let constraints = self.constraints(stated);
        let mut value = value;
        let mut noundef = false;
        let is_pointer = self.module.env.types.scalar(ty).is_ptr();
        for constraint in constraints {
            value = match constraint {
                Constraint::NoUndef => {
                    noundef = true;
                    value
                }
                Constraint::NonNull if is_pointer => self.poison_if_null(value),
                Constraint::Align(align) if is_pointer => self.poison_if_misaligned(value, align),
                Constraint::Dereferenceable { bytes, or_null } if is_pointer => {
                    noundef |= bytes > 0;
                    self.poison_if_not_dereferenceable(value, bytes, or_null || self.may_lie_at_null(ty))
                }
                Constraint::NonNull | Constraint::Align(_) | Constraint::Dereferenceable { .. } => value,
                Constraint::Ranges(ranges) => self.poison_outside(value, &ranges),
                Constraint::NoClass(classes) => self.poison_of_classes(ty, value, classes)?,
            };
        }
        Ok((value, noundef))
    }
    fn constraints(&self, stated: Stated<'_>) -> Vec<Constraint> {
        let env = &self.module.env;
        let attrs = stated.lists.iter().flat_map(|list| env.attrs(list));
        let of_attribute = |attr: &Attr| match env.pointee_bytes(attr) {
            0 => of_attribute(attr),
            bytes => Some(Constraint::Dereferenceable { bytes, or_null: false }),
        };
        let mut found: Vec<Constraint> = attrs.filter_map(of_attribute).collect();
        found.extend(stated.metadata.iter().filter_map(|(kind, md)| self.of_metadata(kind, *md)));
        found
    }
    fn of_metadata(&self, kind: &MdKind, md: MdRef) -> Option<Constraint> {
        let env = &self.module.env;
        let number = || self.metadata_number(md);
        Some(match kind {
            MdKind::NoUndef => Constraint::NoUndef,
            MdKind::NonNull => Constraint::NonNull,
            MdKind::Align => Constraint::Align(number()?),
            MdKind::Dereferenceable => Constraint::Dereferenceable { bytes: number()?, or_null: false },
            MdKind::DereferenceableOrNull => Constraint::Dereferenceable { bytes: number()?, or_null: true },
            MdKind::Range => {
                let MdRef::Node(node) = md else { return None };
                Constraint::Ranges(env.metadata.ranges(node, &env.consts)?)
            }
            _ => return None,
        })
    }
    fn metadata_number(&self, md: MdRef) -> Option<u64> {
        let env = &self.module.env;
        let constant = match md {
            MdRef::Const(c) => c,
            MdRef::Node(node) => match env.metadata.tuple(node)? {
                [MdOperand::Const(c)] => *c,
                _ => return None,
            },
        };
        env.consts.as_int(constant).and_then(|i| u64::try_from(i.bits()).ok())
    }
    /// Whether an object may lie at address zero for pointers of type `ty`, so that null may be dereferenceable.
    fn may_lie_at_null(&self, ty: Type) -> bool {
        self.module.env.types.scalar(ty).ptr_space().is_some_and(|space| space != 0)
    }

    /// UB if the value is poison or undef. On the remaining paths it is neither.
    fn defined_or_ub(&mut self, value: Sym) -> Sym {
        let bad = value.any_poison_or_undef(&mut self.w.terms);
        self.ub(bad);
        self.settle_loaded(&value);
        value.map(&mut |s| Scalar::defined(&mut self.w.terms, s.bits))
    }
    /// Makes the value poison if it may lie outside all of the half-open ranges.
    fn poison_outside(&mut self, value: Sym, ranges: &[(Int, Int)]) -> Sym {
        value.map(&mut |s| {
            let outside = may_be_outside(&mut self.w.terms, s, ranges);
            s.or_poison(&mut self.w.terms, outside)
        })
    }
    fn poison_if_null(&mut self, value: Sym) -> Sym {
        value.map(&mut |s| {
            let null = self.w.is_null(s.bits);
            self.undef_or_poison(s, null)
        })
    }
    fn poison_if_misaligned(&mut self, value: Sym, align: u64) -> Sym {
        if align <= 1 {
            return value;
        }
        value.map(&mut |s| {
            let (block, offset) = (block_of(&mut self.w.terms, s.bits), offset_of(&mut self.w.terms, s.bits));
            let aligned = self.is_aligned(block, offset, align);
            let bad = self.w.terms.not(aligned);
            self.undef_or_poison(s, bad)
        })
    }
    /// Makes the pointer poison if `cond` holds or if it has undef bits: an undef pointer may be any pointer, including
    /// one that violates the constraint.
    fn undef_or_poison(&mut self, pointer: Scalar, cond: Term) -> Scalar {
        let undef = pointer.has_undef(&mut self.w.terms);
        let bad = self.w.terms.or(cond, undef);
        pointer.or_poison(&mut self.w.terms, bad)
    }
    fn poison_if_not_dereferenceable(&mut self, value: Sym, bytes: u64, or_null: bool) -> Sym {
        if bytes == 0 {
            return value;
        }
        value.map(&mut |s| {
            let bytes = self.w.terms.number(OFFSET_BITS, bytes.into());
            let fine = self.is_dereferenceable(s.bits, bytes, or_null);
            let bad = self.w.terms.not(fine);
            self.undef_or_poison(s, bad)
        })
    }
    /// Whether `bytes` bytes starting at `pointer` are readable here: they lie in an object that is alive and not
    /// freed.
    pub(crate) fn is_dereferenceable(&mut self, pointer: Term, bytes: Term, or_null: bool) -> Term {
        let (block, offset) = (block_of(&mut self.w.terms, pointer), offset_of(&mut self.w.terms, pointer));
        let size = self.block_size(block);
        let fits = self.w.terms.ule(bytes, size);
        let last = self.w.terms.sub(size, bytes);
        let inside = self.w.terms.ule(offset, last);
        self.depends_on_frees = true;
        let (there, left) = (self.is_live(block), self.is_left(block));
        let stays = self.w.terms.not(left);
        let fine = self.w.terms.and_all([fits, inside, there, stays]);
        if !or_null {
            return fine;
        }
        let null = self.w.is_null(pointer);
        self.w.terms.or(fine, null)
    }
}

fn of_attribute(attr: &Attr) -> Option<Constraint> {
    Some(match attr {
        Attr::Flag(FlagAttr::NoUndef) => Constraint::NoUndef,
        Attr::Flag(FlagAttr::NonNull) => Constraint::NonNull,
        Attr::Int(IntAttr::Align, align) => Constraint::Align(*align),
        Attr::Int(IntAttr::Dereferenceable, bytes) => {
            Constraint::Dereferenceable { bytes: *bytes, or_null: false }
        }
        Attr::Int(IntAttr::DereferenceableOrNull, bytes) => {
            Constraint::Dereferenceable { bytes: *bytes, or_null: true }
        }
        Attr::Range(low, high) => Constraint::Ranges(vec![(*low, *high)]),
        Attr::Text(_) if attr.excluded_classes() != 0 => Constraint::NoClass(attr.excluded_classes()),
        Attr::Flag(_)
        | Attr::Int(IntAttr::AlignStack, _)
        | Attr::Type(..)
        | Attr::Memory(_)
        | Attr::NoCapture
        | Attr::String(..)
        | Attr::Text(_) => return None,
    })
}
