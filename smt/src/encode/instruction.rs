//! The semantics of each non-terminator instruction: one line per opcode; sibling files do the work.

use crate::encode::function::{Encoded, Encoder, choose};
use crate::encode::value::{Scalar, Sym};
use crate::encode::world::{ChoiceKind, POINTER_BITS};
use crate::term::{Bits, Term};
use backedge_ir::entity::Inst;
use backedge_ir::inst::{CastFlags, InstData, InstKind, Value};
use backedge_ir::types::{Compound, Type, TypeKind};

impl Encoder<'_, '_> {
    /// The result of `inst`, or `None` if it has none.
    pub(crate) fn instruction(&mut self, inst: Inst) -> Encoded<Option<Sym>> {
        let body = self.body;
        let data = body.inst(inst);
        let ops = &data.operands;
        let value = match &data.kind {
            InstKind::Binary(op, flags) => self.binary(data.ty, *op, *flags, ops[0], ops[1])?,
            InstKind::FNeg(fast) => self.fneg(data.ty, *fast, ops[0])?,
            InstKind::FloatBinary(op, fast) => {
                self.float_binary(data.ty, *op, data.evaluated(*fast), ops[0], ops[1])?
            }
            InstKind::Cast(op, flags) => {
                let flags = CastFlags { fast: data.evaluated(flags.fast), ..*flags };
                self.cast(*op, flags, ops[0], data.ty)?
            }
            InstKind::ICmp { pred, samesign } => self.icmp(*pred, *samesign, ops[0], ops[1])?,
            InstKind::FCmp(pred, fast) => self.fcmp(*pred, *fast, ops[0], ops[1])?,
            InstKind::Select(fast) => {
                let value = self.select(ops[0], ops[1], ops[2])?;
                self.moved_float(data.ty, value, *fast)
            }
            InstKind::Freeze => self.freeze(ops[0])?,
            InstKind::Alloca(info) => self.alloca(inst, info)?,
            InstKind::Load(access) => return self.load_instruction(inst, access).map(Some),
            InstKind::Store(access) => return self.store_instruction(inst, access).map(|()| None),
            InstKind::Gep { source, flags } => self.gep(*source, *flags, ops)?,
            InstKind::Call(_) => return self.call(inst),
            InstKind::ExtractValue(path) => {
                let aggregate = self.value(ops[0])?;
                element(&aggregate, path).clone()
            }
            InstKind::InsertValue(path) => {
                let (mut aggregate, new) = (self.value(ops[0])?, self.value(ops[1])?);
                *element_mut(&mut aggregate, path) = new;
                aggregate
            }
            InstKind::ExtractElement => self.extract_element(ops[0], ops[1])?,
            InstKind::InsertElement => self.insert_element(ops[0], ops[1], ops[2])?,
            InstKind::ShuffleVector(mask) => self.shuffle(data, mask)?,
            InstKind::LandingPad { .. } => self.landing_pad(inst, data.ty)?,
            InstKind::DebugRecord(_) => return Ok(None),
            InstKind::Fence(..)
            | InstKind::AtomicRmw(..)
            | InstKind::CmpXchg(_)
            | InstKind::VaArg
            | InstKind::Phi(_)
            | InstKind::Ret
            | InstKind::Br
            | InstKind::CondBr
            | InstKind::Switch
            | InstKind::Unreachable
            | InstKind::Invoke(_)
            | InstKind::CallBr(_)
            | InstKind::IndirectBr
            | InstKind::Resume => {
                return Err(self.unsupported(&format!("the instruction `{}`", data.kind.mnemonic())));
            }
        };
        Ok(Some(value))
    }

    /// Width in bits of a scalar of type `ty`.
    pub(crate) fn width(&self, ty: Type) -> Encoded<u32> {
        match ty.kind() {
            TypeKind::Int(bits) if bits <= Type::MAX_INT_BITS => Ok(bits),
            TypeKind::Int(_) => Err(self.unsupported("an integer of more than 128 bits")),
            TypeKind::Float(kind) => Ok(kind.bits()),
            TypeKind::Ptr(_) => Ok(POINTER_BITS),
            TypeKind::Void
            | TypeKind::Label
            | TypeKind::Metadata
            | TypeKind::Token
            | TypeKind::Compound(_) => Err(self.unsupported("a type without a scalar value")),
        }
    }
    /// A value of type `ty` whose scalars `scalar` builds from their types.
    pub(crate) fn build(
        &mut self,
        ty: Type,
        scalar: &mut dyn FnMut(&mut Self, Type) -> Encoded<Scalar>,
    ) -> Encoded<Sym> {
        if !matches!(ty.kind(), TypeKind::Compound(_)) {
            return scalar(self, ty).map(Sym::from);
        }
        let count = self.element_count(ty)?;
        let mut list = Vec::with_capacity(count as usize);
        for index in 0..count {
            let element = self.element_type(ty, index)?;
            list.push(self.build(element, scalar)?);
        }
        Ok(Sym::List(list))
    }
    /// The type of element `index` of an aggregate or vector.
    pub(crate) fn element_type(&self, ty: Type, index: u64) -> Encoded<Type> {
        let member = self.module.env.types.member(ty, index);
        member.ok_or_else(|| self.unsupported("an aggregate that is not known"))
    }
    /// Poison of type `ty`.
    pub(crate) fn poison_of(&mut self, ty: Type) -> Encoded<Sym> {
        self.build(ty, &mut |e, ty| {
            let width = e.width(ty)?;
            Ok(Scalar::poison(&mut e.w.terms, width))
        })
    }
    /// Applies `f` to the scalars of two vectors element by element, or to two scalars.
    pub(crate) fn zip(
        &mut self,
        a: &Sym,
        b: &Sym,
        f: &mut dyn FnMut(&mut Self, Scalar, Scalar) -> Encoded<Scalar>,
    ) -> Encoded<Sym> {
        match (a, b) {
            (Sym::Scalar(a), Sym::Scalar(b)) => f(self, *a, *b).map(Sym::from),
            (Sym::List(a), Sym::List(b)) if a.len() == b.len() => {
                let list: Encoded<Vec<Sym>> = a.iter().zip(b).map(|(a, b)| self.zip(a, b, f)).collect();
                list.map(Sym::List)
            }
            _ => Err(self.unsupported("operands of different shapes")),
        }
    }
    /// Applies `f` to the scalars of a vector element by element, or to a scalar.
    pub(crate) fn each(
        &mut self,
        a: &Sym,
        f: &mut dyn FnMut(&mut Self, Scalar) -> Encoded<Scalar>,
    ) -> Encoded<Sym> {
        match a {
            Sym::Scalar(a) => f(self, *a).map(Sym::from),
            Sym::List(list) => {
                let list: Encoded<Vec<Sym>> = list.iter().map(|a| self.each(a, f)).collect();
                list.map(Sym::List)
            }
        }
    }

    fn select(&mut self, condition: Value, if_true: Value, if_false: Value) -> Encoded<Sym> {
        let (condition, a, b) = (self.value(condition)?, self.value(if_true)?, self.value(if_false)?);
        self.select_between(&condition, &a, &b)
    }
    fn select_between(&mut self, condition: &Sym, a: &Sym, b: &Sym) -> Encoded<Sym> {
        match condition {
            Sym::Scalar(condition) => {
                let condition = self.used(*condition);
                let taken = self.w.terms.is_nonzero(condition.bits);
                let value = Sym::ite(&mut self.w.terms, taken, a, b);
                Ok(value.map(&mut |s| s.or_poison(&mut self.w.terms, condition.poison)))
            }
            Sym::List(conditions) => {
                let (Sym::List(a), Sym::List(b)) = (a, b) else {
                    return Err(self.unsupported("a select of different shapes"));
                };
                let lanes = conditions.iter().zip(a).zip(b);
                let list: Encoded<Vec<Sym>> = lanes.map(|((c, a), b)| self.select_between(c, a, b)).collect();
                list.map(Sym::List)
            }
        }
    }
    fn freeze(&mut self, value: Value) -> Encoded<Sym> {
        let value = self.value(value)?;
        self.each(&value, &mut |e, s| {
            let terms = &mut e.w.terms;
            let width = terms.width(s.bits);
            let (ones, zero) = (terms.constant(Bits::ones(width)), terms.number(width, 0));
            let open = terms.ite(s.poison, ones, s.undef);
            if terms.as_bits(open).is_some_and(Bits::is_zero) {
                return Ok(s);
            }
            let chosen = e.choice(ChoiceKind::Freeze, open);
            let terms = &mut e.w.terms;
            let bits = choose(terms, s.bits, open, chosen);
            Ok(Scalar { bits, poison: terms.bool(false), undef: zero })
        })
    }

    fn lanes(&self, value: Sym) -> Encoded<Vec<Sym>> {
        match value {
            Sym::List(list) if !list.is_empty() => Ok(list),
            Sym::List(_) | Sym::Scalar(_) => Err(self.unsupported("a vector without elements")),
        }
    }
    fn extract_element(&mut self, vector: Value, index: Value) -> Encoded<Sym> {
        let (vector, index) = (self.value(vector)?, self.scalar(index)?);
        let (lanes, index) = (self.lanes(vector)?, self.used(index));
        let mut value = lanes[0].clone();
        let mut inside = self.w.terms.bool(false);
        for (i, lane) in lanes.iter().enumerate() {
            let here = self.lane_is(index.bits, i);
            value = Sym::ite(&mut self.w.terms, here, lane, &value);
            inside = self.w.terms.or(inside, here);
        }
        let outside = self.w.terms.not(inside);
        let bad = self.w.terms.or(outside, index.poison);
        Ok(value.map(&mut |s| s.or_poison(&mut self.w.terms, bad)))
    }
    fn insert_element(&mut self, vector: Value, element: Value, index: Value) -> Encoded<Sym> {
        let (vector, element, index) = (self.value(vector)?, self.value(element)?, self.scalar(index)?);
        let (lanes, index) = (self.lanes(vector)?, self.used(index));
        let mut inside = self.w.terms.bool(false);
        let mut new = Vec::new();
        for (i, lane) in lanes.iter().enumerate() {
            let here = self.lane_is(index.bits, i);
            new.push(Sym::ite(&mut self.w.terms, here, &element, lane));
            inside = self.w.terms.or(inside, here);
        }
        let outside = self.w.terms.not(inside);
        let bad = self.w.terms.or(outside, index.poison);
        Ok(Sym::List(new).map(&mut |s| s.or_poison(&mut self.w.terms, bad)))
    }
    fn lane_is(&mut self, index: Term, lane: usize) -> Term {
        let width = self.w.terms.width(index);
        if width < 64 && lane as u64 >= 1 << width {
            return self.w.terms.bool(false);
        }
        let number = self.w.terms.number(width, lane as u128);
        self.w.terms.eq(index, number)
    }
    fn shuffle(&mut self, data: &InstData, mask: &[Option<u32>]) -> Encoded<Sym> {
        let (a, b) = (self.value(data.operands[0])?, self.value(data.operands[1])?);
        let (mut lanes, more) = (self.lanes(a)?, self.lanes(b)?);
        lanes.extend(more);
        let element = match self.module.env.types.compound(data.ty) {
            Some(Compound::Vector { elem, scalable: false, .. }) => *elem,
            _ => return Err(self.unsupported("a shuffle of vectors that are not fixed")),
        };
        let mut list = Vec::with_capacity(mask.len());
        for lane in mask {
            list.push(match lane.and_then(|l| lanes.get(l as usize)) {
                Some(value) => value.clone(),
                None => self.poison_of(element)?,
            });
        }
        Ok(Sym::List(list))
    }
}

/// The element at `path`. The verifier has checked the indices.
fn element<'a>(value: &'a Sym, path: &[u32]) -> &'a Sym {
    path.iter().fold(value, |value, &i| match value {
        Sym::List(list) => &list[i as usize],
        Sym::Scalar(_) => unreachable!("an index into a scalar passes no verifier"),
    })
}

fn element_mut<'a>(value: &'a mut Sym, path: &[u32]) -> &'a mut Sym {
    path.iter().fold(value, |value, &i| match value {
        Sym::List(list) => &mut list[i as usize],
        Sym::Scalar(_) => unreachable!("an index into a scalar passes no verifier"),
    })
}
