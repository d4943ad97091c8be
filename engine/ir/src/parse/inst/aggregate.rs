//! Parses instructions on members of structs and arrays and on vector elements.

use super::super::body::FnState;
use super::super::cursor::Parser;
use super::super::error::{PResult, invalid};
use super::super::spans::Span;
use crate::constant::{ConstData, ConstPool};
use crate::entity::Const;
use crate::inst::{InstData, InstKind};
use crate::types::{Compound, Type};

impl<'s> Parser<'s> {
    /// Parses `, n, n, …`; returns the path and the member type that it selects in `ty`.
    fn member_path(&mut self, ty: Type) -> PResult<(Box<[u32]>, Type)> {
        let mut path = Vec::new();
        let mut current = ty;
        while self.eat_comma_before_operand()? {
            let span = self.span;
            let index = self.number_u32("the index of a member")?;
            let vector = matches!(self.env.types.compound(current), Some(Compound::Vector { .. }));
            let Some(member) = self.env.types.member(current, index.into()).filter(|_| !vector) else {
                return Err(self.bad_type(span, "a type with a member of this index is wanted", current));
            };
            current = member;
            path.push(index);
        }
        if path.is_empty() {
            return Err(self.expected("',' and the index of a member"));
        }
        Ok((path.into(), current))
    }
    pub(super) fn extract_value(&mut self, f: &mut FnState) -> PResult<InstData> {
        let (value, ty, span) = self.spanned_value(f)?;
        let (path, member) = self.member_path(ty)?;
        self.modelled_type(span, member)?;
        Ok(InstData::new(InstKind::ExtractValue(path), member, [value], []))
    }
    pub(super) fn insert_value(&mut self, f: &mut FnState) -> PResult<InstData> {
        let (value, ty, _) = self.spanned_value(f)?;
        self.expect(b',')?;
        let (element, element_ty, span) = self.spanned_value(f)?;
        let (path, member) = self.member_path(ty)?;
        if element_ty != member {
            return Err(self.mismatch(span, member, element_ty).into());
        }
        Ok(InstData::new(InstKind::InsertValue(path), ty, [value, element], []))
    }

    /// The length and element type of a fixed vector.
    fn vector_of(&self, ty: Type, span: Span) -> PResult<(u64, Type)> {
        self.env.types.fixed_vector(ty).ok_or_else(|| self.bad_type(span, "a vector is wanted", ty))
    }
    fn element_index(&mut self, f: &mut FnState) -> PResult<crate::inst::Value> {
        let (index, ty, span) = self.spanned_value(f)?;
        if !ty.is_int() {
            return Err(self.bad_type(span, "the index of an element is an integer", ty));
        }
        Ok(index)
    }
    pub(super) fn extract_element(&mut self, f: &mut FnState) -> PResult<InstData> {
        let (vector, ty, span) = self.spanned_value(f)?;
        let (_, element) = self.vector_of(ty, span)?;
        self.expect(b',')?;
        let index = self.element_index(f)?;
        Ok(InstData::new(InstKind::ExtractElement, element, [vector, index], []))
    }
    pub(super) fn insert_element(&mut self, f: &mut FnState) -> PResult<InstData> {
        let (vector, ty, span) = self.spanned_value(f)?;
        let (_, wanted) = self.vector_of(ty, span)?;
        self.expect(b',')?;
        let (element, found, element_span) = self.spanned_value(f)?;
        if found != wanted {
            return Err(self.mismatch(element_span, wanted, found).into());
        }
        self.expect(b',')?;
        let index = self.element_index(f)?;
        Ok(InstData::new(InstKind::InsertElement, ty, [vector, element, index], []))
    }
    pub(super) fn shuffle_vector(&mut self, f: &mut FnState) -> PResult<InstData> {
        let (left, ty, span) = self.spanned_value(f)?;
        let (len, element) = self.vector_of(ty, span)?;
        self.expect(b',')?;
        let right_span = self.span;
        let right_ty = self.body_type()?;
        if right_ty != ty {
            return Err(self.wrong_type(self.since(right_span), ty, right_ty));
        }
        let right = self.value(f, ty)?;
        self.expect(b',')?;
        let mask_span = self.span;
        let mask_ty = self.body_type()?;
        let mask_len = match self.env.types.fixed_vector(mask_ty) {
            Some((n, Type::I32)) => n,
            _ => return Err(self.bad_type(self.since(mask_span), "a mask is a vector of i32", mask_ty)),
        };
        // The mask is not a value of the function, so it is parsed into a separate pool.
        let mut pool = ConstPool::default();
        let mask = self.constant(&mut pool, mask_ty)?;
        let Some(lanes) = lanes(&pool, mask, mask_len, len.saturating_mul(2)) else {
            return Err(invalid(self.since(mask_span), "a mask has constant lanes within both vectors"));
        };
        let result = self.env.types.vector(mask_len, element);
        Ok(InstData::new(InstKind::ShuffleVector(lanes), result, [left, right], []))
    }
}

/// The lanes of a shuffle mask; `None` for a poison lane.
fn lanes(pool: &ConstPool, mask: Const, len: u64, limit: u64) -> Option<Box<[Option<u32>]>> {
    let lane = |c: Const| match &pool.get(c).data {
        ConstData::Int(value) => {
            let value = value.to_u64().filter(|v| *v < limit)?;
            u32::try_from(value).ok().map(Some)
        }
        ConstData::Undef | ConstData::Poison => Some(None),
        ConstData::Float(_)
        | ConstData::Zero
        | ConstData::Aggregate(_)
        | ConstData::Bytes(_)
        | ConstData::Splat(_)
        | ConstData::Global(_)
        | ConstData::BlockAddress(_)
        | ConstData::Expr(_)
        | ConstData::Metadata(_) => None,
    };
    // A mask without spelled lanes may have any length, so its length is bounded.
    let repeat = |lane: Option<u32>| (len <= 1 << 20).then(|| vec![lane; len as usize].into());
    match &pool.get(mask).data {
        ConstData::Zero => repeat(Some(0)),
        ConstData::Undef | ConstData::Poison => repeat(None),
        ConstData::Splat(c) => repeat(lane(*c)?),
        ConstData::Aggregate(elements) => elements.iter().map(|c| lane(*c)).collect(),
        ConstData::Int(_)
        | ConstData::Float(_)
        | ConstData::Bytes(_)
        | ConstData::Global(_)
        | ConstData::BlockAddress(_)
        | ConstData::Expr(_)
        | ConstData::Metadata(_) => None,
    }
}
