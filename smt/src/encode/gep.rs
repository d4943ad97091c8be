//! Address arithmetic: `getelementptr` in the index width. Its flags are checked at every step.

use crate::encode::function::{Encoded, Encoder};
use crate::encode::pointer::{block_of, offset_of};
use crate::encode::value::{Scalar, Sym};
use crate::encode::world::POINTER_BITS;
use crate::term::{Bits, Term};
use backedge_ir::inst::{GepFlags, Value};
use backedge_ir::types::{Compound, Type, TypeKind};

/// The offsets of a `getelementptr`, accumulated step by step.
struct Steps {
    total: Term,
    visited: Vec<Visited>,
}

/// One addition: the sum before it, the offset added, and the sum after it.
struct Visited {
    before: Term,
    offset: Term,
    after: Term,
}

impl Encoder<'_, '_> {
    /// `getelementptr`.
    pub(crate) fn gep(&mut self, source: Type, flags: GepFlags, operands: &[Value]) -> Encoded<Sym> {
        let mut values = Vec::with_capacity(operands.len());
        for &operand in operands {
            values.push((self.value(operand)?, self.ty(operand)));
        }
        self.gep_of(source, flags, &values)
    }
    /// `getelementptr` on encoded operands.
    pub(crate) fn gep_of(&mut self, source: Type, flags: GepFlags, values: &[(Sym, Type)]) -> Encoded<Sym> {
        let lanes = values.iter().find_map(|(v, _)| if let Sym::List(l) = v { Some(l.len()) } else { None });
        let Some(lanes) = lanes else {
            let scalars: Option<Vec<Scalar>> =
                values.iter().map(|(v, _)| if let Sym::Scalar(s) = v { Some(*s) } else { None }).collect();
            let scalars = scalars.expect("no value is a list");
            return self.gep_scalar(source, flags, &scalars, values[0].1).map(Sym::from);
        };
        let mut list = Vec::new();
        for lane in 0..lanes {
            let scalars: Option<Vec<Scalar>> = values
                .iter()
                .map(|(v, _)| match v {
                    Sym::Scalar(s) => Some(*s),
                    Sym::List(l) => {
                        l.get(lane).and_then(|e| if let Sym::Scalar(s) = e { Some(*s) } else { None })
                    }
                })
                .collect();
            let scalars = scalars.ok_or_else(|| self.unsupported("a getelementptr of unequal vectors"))?;
            let base = self.module.env.types.scalar(values[0].1);
            list.push(self.gep_scalar(source, flags, &scalars, base)?.into());
        }
        Ok(Sym::List(list))
    }
    fn gep_scalar(
        &mut self,
        source: Type,
        flags: GepFlags,
        operands: &[Scalar],
        base_ty: Type,
    ) -> Encoded<Scalar> {
        let index_bits = self.module.env.layout.index_bits(base_ty.ptr_space().unwrap_or(0));
        let base = self.used(operands[0]);
        let (mut poison, mut ty) = (base.poison, source);
        let mut steps = Steps { total: self.w.terms.number(index_bits, 0), visited: Vec::new() };
        for (i, &index) in operands[1..].iter().enumerate() {
            let index = self.used(index);
            poison = self.w.terms.or(poison, index.poison);
            let scale;
            if i == 0 {
                scale = self.alloc_size(ty)?;
            } else if let Some((offset, field)) = self.struct_field(ty, index.bits)? {
                ty = field;
                let offset = self.w.terms.number(index_bits, offset.into());
                let wraps = self.add_step(&mut steps, offset, flags);
                poison = self.w.terms.or(poison, wraps);
                continue;
            } else {
                ty = self.sequence_element(ty)?;
                scale = self.alloc_size(ty)?;
            }
            let (offset, wraps) = self.scaled_index(index.bits, scale, index_bits, flags);
            poison = self.w.terms.or(poison, wraps);
            let wraps = self.add_step(&mut steps, offset, flags);
            poison = self.w.terms.or(poison, wraps);
        }
        let leaves = self.leaves_object(flags, base.bits, &steps);
        poison = self.w.terms.or(poison, leaves);
        let bits = self.move_pointer(base.bits, steps.total);
        Ok(Scalar { bits, poison, undef: self.w.terms.number(POINTER_BITS, 0) })
    }
    /// The offset in bytes of an index, and whether its truncation or its product violates a flag.
    fn scaled_index(&mut self, index: Term, scale: u64, index_bits: u32, flags: GepFlags) -> (Term, Term) {
        let terms = &mut self.w.terms;
        let scalar = terms.sext_or_truncate(index, index_bits);
        let mut wraps = terms.bool(false);
        if terms.width(index) > index_bits {
            if flags.nusw || flags.inbounds {
                let back = terms.sext(scalar, terms.width(index));
                let lost = terms.ne(back, index);
                wraps = terms.or(wraps, lost);
            }
            if flags.nuw {
                let back = terms.zext(scalar, terms.width(index));
                let lost = terms.ne(back, index);
                wraps = terms.or(wraps, lost);
            }
        }
        let scale = terms.number(index_bits, scale.into());
        if flags.nusw || flags.inbounds {
            let over = terms.smul_overflows(scalar, scale);
            wraps = terms.or(wraps, over);
        }
        if flags.nuw {
            let over = terms.umul_overflows(scalar, scale);
            wraps = terms.or(wraps, over);
        }
        (terms.mul(scalar, scale), wraps)
    }
    /// Adds an offset to the sum of offsets. Returns whether the sum violates a flag. An offset that is always zero
    /// changes nothing.
    fn add_step(&mut self, steps: &mut Steps, offset: Term, flags: GepFlags) -> Term {
        let terms = &mut self.w.terms;
        let mut wraps = terms.bool(false);
        if terms.as_bits(offset).is_some_and(Bits::is_zero) {
            return wraps;
        }
        if flags.nusw || flags.inbounds {
            let over = terms.sadd_overflows(steps.total, offset);
            wraps = terms.or(wraps, over);
        }
        if flags.nuw {
            let over = terms.uadd_overflows(steps.total, offset);
            wraps = terms.or(wraps, over);
        }
        let before = steps.total;
        steps.total = terms.add(before, offset);
        steps.visited.push(Visited { before, offset, after: steps.total });
        wraps
    }
    /// Whether a step starting at `base` violates `inbounds`, `nusw` or `nuw`. LangRef constrains each address that the
    /// successive addition of the offsets yields.
    fn leaves_object(&mut self, flags: GepFlags, base: Term, steps: &Steps) -> Term {
        let mut bad = self.w.terms.bool(false);
        if steps.visited.is_empty() {
            return bad;
        }
        if flags.inbounds {
            // A `getelementptr` with all offsets zero is always in bounds.
            let moves: Vec<Term> =
                steps.visited.iter().map(|step| self.w.terms.is_nonzero(step.offset)).collect();
            let moves = self.w.terms.or_all(moves);
            let block = block_of(&mut self.w.terms, base);
            let size = self.block_size(block);
            let mut pointers = vec![base];
            pointers.extend(steps.visited.iter().map(|step| self.move_pointer(base, step.after)));
            let mut inside = self.w.terms.bool(true);
            for pointer in pointers {
                let offset = offset_of(&mut self.w.terms, pointer);
                let here = self.w.terms.ule(offset, size);
                inside = self.w.terms.and(inside, here);
            }
            let outside = self.w.terms.not(inside);
            bad = self.w.terms.and(moves, outside);
            if flags.nuw {
                // Within an object, the unsigned sum of address and offset wraps if and only if the offset is negative.
                for step in &steps.visited {
                    let down = self.w.terms.is_negative(step.offset);
                    bad = self.w.terms.or(bad, down);
                }
            }
        } else if flags.nusw || flags.nuw {
            for step in &steps.visited {
                let wraps = self.address_wraps(flags, base, step);
                bad = self.w.terms.or(bad, wraps);
            }
        }
        bad
    }
    /// Whether the sum of address and offset wraps in one step, as `nusw` or `nuw` forbids.
    fn address_wraps(&mut self, flags: GepFlags, base: Term, step: &Visited) -> Term {
        let bits = self.w.layout.address_bits;
        let from = self.move_pointer(base, step.before);
        let address = self.w.address_of(from);
        let terms = &mut self.w.terms;
        let address = terms.truncate(address, bits);
        let offset = terms.sext_or_truncate(step.offset, bits);
        let mut bad = terms.bool(false);
        if flags.nuw {
            let over = terms.uadd_overflows(address, offset);
            bad = terms.or(bad, over);
        }
        if flags.nusw {
            let address = terms.zext(address, bits + 2);
            let offset = terms.sext(offset, bits + 2);
            let sum = terms.add(address, offset);
            let high = terms.extract(sum, bits + 1, bits);
            let over = terms.is_nonzero(high);
            bad = terms.or(bad, over);
        }
        bad
    }
    fn alloc_size(&self, ty: Type) -> Encoded<u64> {
        let env = &self.module.env;
        let size = env.layout.alloc_bytes(&env.types, ty);
        size.ok_or_else(|| self.unsupported("a getelementptr over a type without a size"))
    }
    /// The element type of an array, possibly with zero elements, or of a fixed-length vector.
    fn sequence_element(&self, ty: Type) -> Encoded<Type> {
        match self.module.env.types.compound(ty) {
            Some(Compound::Array { elem, .. } | Compound::Vector { elem, scalable: false, .. }) => Ok(*elem),
            _ => Err(self.unsupported("a getelementptr into a type without elements")),
        }
    }
    /// Offset and type of a field, if `ty` is a struct.
    fn struct_field(&self, ty: Type, index: Term) -> Encoded<Option<(u64, Type)>> {
        let env = &self.module.env;
        let TypeKind::Compound(_) = ty.kind() else { return Ok(None) };
        let Some(layout) = env.layout.struct_layout(&env.types, ty) else { return Ok(None) };
        let index = self.w.terms.as_bits(index).and_then(Bits::to_u128);
        let index = index.ok_or_else(|| self.unsupported("a struct index that is not constant"))? as u64;
        let offset = layout.offsets.get(index as usize).copied();
        let field = env.types.member(ty, index);
        Ok(offset.zip(field))
    }
}
