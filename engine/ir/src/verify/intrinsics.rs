//! Checks that intrinsics are declared with a valid type, and that immediate arguments of their calls are constants.

use super::insts::One;
use super::signatures::{Form, P, Signature, signature_of};
use super::types::Types;
use super::{Finding, FindingKind};
use crate::entity::FuncId;
use crate::inst::CallInfo;
use crate::intrinsic::Intrinsic;
use crate::module::Function;
use crate::types::Type;

/// The error in the declared type of `func`, if it is an intrinsic.
pub(super) fn check_declaration(types: &Types<'_>, func: FuncId, header: &Function) -> Option<Finding> {
    let (intrinsic, (ret, params, vararg)) = (header.intrinsic?, types.table.signature(header.ty)?);
    let Signature { text, forms } = signature_of(intrinsic);
    let fits = forms.is_empty() || !vararg && forms.iter().any(|f| f.fits(types, ret, params));
    let has_bits = |odd: fn(u32) -> bool| types.int_bits(ret).is_some_and(odd);
    let signature = if !fits {
        text
    } else if intrinsic == Intrinsic::BSwap && has_bits(|bits| bits % 16 != 0) {
        "it is for an even number of bytes"
    } else if intrinsic == Intrinsic::StepVector && has_bits(|bits| bits < 8) {
        "it is for integers of at least 8 bits"
    } else {
        return None;
    };
    let (name, found) = (header.name.as_ref().into(), types.name(header.ty));
    let kind = FindingKind::IntrinsicSignature { name, found, signature };
    Some(Finding { func: Some(func), block: None, inst: None, kind })
}

impl Form {
    fn fits(&self, types: &Types<'_>, ret: Type, params: &[Type]) -> bool {
        let mut bound = None;
        self.params.len() == params.len()
            && self.params.iter().zip(params).all(|(p, ty)| p.fits(types, &mut bound, *ty))
            && self.ret.fits(types, &mut bound, ret)
    }
}

impl P {
    fn fits(self, types: &Types<'_>, bound: &mut Option<Type>, ty: Type) -> bool {
        let shaped = |bound: &Option<Type>, ty| bound.is_some_and(|t| types.shape(t) == types.shape(ty));
        let holds = match self {
            Self::Int => types.is_int_like(ty),
            Self::Float => types.is_float_like(ty),
            Self::IntVector => types.is_int_like(ty) && types.shape(ty).is_some(),
            Self::PtrLike => types.is_ptr_like(ty),
            Self::Any => types.is_first_class(ty),
            Self::Mask => types.is_bool_like(ty) && types.shape(ty).is_some(),
            Self::InShape => types.is_first_class(ty) && shaped(bound, ty),
            Self::T => return *bound == Some(ty),
            Self::Overflow => {
                let Some((&[value, flag], false)) = types.table.struct_fields(ty) else { return false };
                return *bound == Some(value) && types.is_bool_like(flag) && shaped(bound, flag);
            }
            Self::Element => return bound.map(|t| types.scalar(t)) == Some(ty),
            Self::BoolOfT => return types.is_bool_like(ty) && shaped(bound, ty),
            Self::IntOfT => return types.is_int_like(ty) && shaped(bound, ty),
            Self::PtrOfT => return types.is_ptr_like(ty) && shaped(bound, ty),
            Self::PairOfT => {
                return matches!(types.table.struct_fields(ty), Some((&[a, b], false))
                    if *bound == Some(a) && a == b);
            }
            Self::WithInt => {
                let Some((&[value, int], false)) = types.table.struct_fields(ty) else { return false };
                return *bound == Some(value) && types.is_int_like(int) && shaped(bound, int);
            }
            Self::VectorOfT => return types.shape(ty).is_some() && Some(types.scalar(ty)) == *bound,
            Self::PartOfT => {
                let whole = bound.filter(|t| types.shape(*t).is_some());
                return types.shape(ty).is_some()
                    && whole.is_some_and(|t| types.scalar(t) == types.scalar(ty));
            }
            Self::Ptr => return ty.is_ptr(),
            Self::Scalar => return ty.is_int(),
            Self::Is(wanted) => return ty == wanted,
        };
        *bound = Some(ty);
        holds
    }
}

impl One<'_, '_, '_> {
    /// Checks the immediate arguments of a call. The call's type is that of the declaration.
    pub(super) fn intrinsic_call(&mut self, intrinsic: Intrinsic, info: &CallInfo) {
        let Some((ret, params, _)) = self.types().table.signature(info.fn_ty) else { return };
        let Signature { forms, .. } = signature_of(intrinsic);
        let Some(form) = forms.iter().find(|f| f.fits(self.types(), ret, params)) else { return };
        for &index in form.immediate {
            let constant = self.data.operands.get(index).is_some_and(|v| self.is_immediate(*v));
            if !constant {
                self.report(FindingKind::ImmediateArgument { index });
            }
        }
    }
}
