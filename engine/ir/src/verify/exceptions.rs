//! Basic checks of `landingpad`, `resume` and their requirements on the function.

use super::insts::One;
use super::{Check, ExceptionFault, FindingKind};
use crate::inst::{InstKind, LandingClause};
use crate::types::{Compound, Type};

impl One<'_, '_, '_> {
    pub(super) fn landing_pad(&mut self, clauses: &[LandingClause]) {
        self.blocks(0);
        let fault = |one: &mut Self, fault| one.report(FindingKind::Exception(fault));
        let InstKind::LandingPad { cleanup, .. } = self.data.kind else { return };
        if !cleanup && clauses.is_empty() {
            fault(self, ExceptionFault::NoClause);
        }
        if clauses.len() != self.data.operands.len() {
            fault(self, ExceptionFault::ClauseCount);
        } else {
            for (index, clause) in clauses.iter().enumerate() {
                let ty = self.ty(index);
                let fits = match clause {
                    LandingClause::Catch => ty.is_ptr(),
                    LandingClause::Filter => {
                        matches!(self.types().table.compound(ty), Some(Compound::Array { .. }))
                    }
                };
                if !fits || self.data.operands[index].as_const().is_none() {
                    fault(self, ExceptionFault::ClauseType);
                }
            }
        }
    }
}

impl Check<'_, '_> {
    /// Rules about all landing pads of the function together.
    pub(super) fn landing_pads(&mut self) {
        let body = self.body;
        let pads: Vec<_> =
            body.all_insts().filter(|i| matches!(body.inst(*i).kind, InstKind::LandingPad { .. })).collect();
        let mut wanted: Option<Type> = pads.first().map(|p| body.inst(*p).ty);
        for &pad in &pads {
            if Some(body.inst(pad).ty) != wanted {
                self.report_inst(pad, FindingKind::Exception(ExceptionFault::TypesDiffer));
            }
        }
        for inst in body.all_insts() {
            let data = body.inst(inst);
            if matches!(data.kind, InstKind::Resume)
                && let Some(&value) = data.operands.first()
            {
                let ty = body.ty(value);
                if *wanted.get_or_insert(ty) != ty {
                    self.report_inst(inst, FindingKind::Exception(ExceptionFault::TypesDiffer));
                }
            }
        }
        if pads.is_empty() {
            return;
        }
        let header = &self.env.funcs[self.func];
        if !header.suffix.iter().any(|w| w.starts_with("personality")) {
            self.report_inst(pads[0], FindingKind::Exception(ExceptionFault::NoPersonality));
        }
        for block in body.blocks() {
            let Some(terminator) = body.terminator(block) else { continue };
            let data = body.inst(terminator);
            let invoke = matches!(data.kind, InstKind::Invoke(_));
            for (index, &target) in data.blocks.iter().enumerate() {
                let first = body.has_block(target).then(|| body.first_non_phi(target)).flatten();
                let is_pad = first.is_some_and(|i| matches!(body.inst(i).kind, InstKind::LandingPad { .. }));
                if is_pad && !(invoke && index == 1) {
                    self.report_inst(terminator, FindingKind::Exception(ExceptionFault::PadReachedNormally));
                }
            }
        }
    }
}
