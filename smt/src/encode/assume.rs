//! `llvm.assume` with its operand bundles: LangRef, "Assume Operand Bundles".
//!
//! A violated condition or bundle is UB, as is a bundle with a poison or undef operand. Every pointer except null
//! violates an alignment that is not a power of two, including zero. Bundles with other tags or operands are not
//! modelled.

use crate::encode::function::{Encoded, Encoder};
use crate::encode::pointer::{block_of, offset_of};
use crate::encode::value::Scalar;
use crate::encode::world::OFFSET_BITS;
use crate::term::Term;
use backedge_ir::inst::{CallView, Value};
use backedge_ir::meaning::bundle::BundleTag;

impl Encoder<'_, '_> {
    /// Encodes the call and narrows the path to the runs on which the assumption holds.
    pub(crate) fn assume(&mut self, view: CallView<'_>) -> Encoded<()> {
        let condition = self.scalar(view.args()[0])?;
        let undef = condition.has_undef(&mut self.w.terms);
        let holds = self.w.terms.is_nonzero(condition.bits);
        let fails = self.w.terms.not(holds);
        let mut bad = vec![condition.poison, undef, fails];
        for (bundle, operands) in view.bundles() {
            let tag = BundleTag::from_name(&bundle.tag);
            let types: Vec<_> = operands.iter().map(|operand| self.body.ty(*operand)).collect();
            match tag.filter(|tag| tag.takes(&types)) {
                Some(tag) => bad.extend(self.violations(tag, operands)?),
                None => {
                    let what = format!("the operand bundle `{}` of an assume", bundle.tag);
                    return Err(self.unsupported(&what));
                }
            }
        }
        let bad = self.w.terms.or_all(bad);
        self.ub(bad);
        Ok(())
    }

    /// The conditions that violate a bundle whose operands fit its tag.
    fn violations(&mut self, tag: BundleTag, operands: &[Value]) -> Encoded<Vec<Term>> {
        if matches!(tag, BundleTag::Cold | BundleTag::Ignore) {
            return Ok(Vec::new());
        }
        let mut bad = Vec::new();
        for operand in operands {
            let value = self.value(*operand)?;
            bad.push(value.any_poison_or_undef(&mut self.w.terms));
        }
        if tag == BundleTag::NoUndef {
            return Ok(bad);
        }
        let pointer = self.scalar(operands[0])?.bits;
        let numbers = operands[1..].iter().map(|n| self.bundle_number(*n)).collect::<Encoded<Vec<_>>>()?;
        let holds = match (tag, &numbers[..]) {
            (BundleTag::Align, [align]) => self.is_multiple(pointer, None, *align),
            (BundleTag::Align, [align, offset]) => self.is_multiple(pointer, Some(*offset), *align),
            (BundleTag::NonNull, _) => {
                let address = self.w.address_of(pointer);
                self.w.terms.is_nonzero(address)
            }
            (BundleTag::Dereferenceable, [bytes]) => self.can_be_read(pointer, *bytes, false),
            (BundleTag::DereferenceableOrNull, [bytes]) => self.can_be_read(pointer, *bytes, true),
            _ => return Err(self.unsupported("an operand bundle of an assume")),
        };
        bad.push(self.w.terms.not(holds));
        Ok(bad)
    }

    /// A numeric operand, taken as unsigned.
    fn bundle_number(&mut self, operand: Value) -> Encoded<Term> {
        let Scalar { bits, .. } = self.scalar(operand)?;
        Ok(self.w.terms.zext(bits, OFFSET_BITS))
    }

    /// Whether the pointer, minus an offset, has this alignment.
    fn is_multiple(&mut self, pointer: Term, offset: Option<Term>, align: Term) -> Term {
        let known = self.w.terms.as_bits(align).and_then(|bits| u64::try_from(bits.to_u128()?).ok());
        if let (None, Some(known)) = (offset, known)
            && known.is_power_of_two()
        {
            let (block, at) = (block_of(&mut self.w.terms, pointer), offset_of(&mut self.w.terms, pointer));
            return self.is_aligned(block, at, known);
        }
        let address = self.w.address_of(pointer);
        let terms = &mut self.w.terms;
        let address = match offset {
            Some(offset) => terms.sub(address, offset),
            None => address,
        };
        let one = terms.number(OFFSET_BITS, 1);
        let below = terms.sub(align, one);
        let common = terms.bv_and(align, below);
        let (some, more) = (terms.is_nonzero(align), terms.is_nonzero(common));
        let single = terms.not(more);
        let is_power = terms.and(some, single);
        let ones = terms.number(OFFSET_BITS, u64::MAX.into());
        // For an alignment that is not a power of two, all bits count.
        let mask = terms.ite(is_power, below, ones);
        let rest = terms.bv_and(address, mask);
        let misaligned = terms.is_nonzero(rest);
        terms.not(misaligned)
    }

    /// Whether `bytes` bytes starting at the pointer are dereferenceable, or `bytes` is zero.
    fn can_be_read(&mut self, pointer: Term, bytes: Term, or_null: bool) -> Term {
        let fine = self.is_dereferenceable(pointer, bytes, or_null);
        let some = self.w.terms.is_nonzero(bytes);
        let none = self.w.terms.not(some);
        self.w.terms.or(none, fine)
    }
}
