//! Loop-carried values of the vector loop: its phis, their start values and their operands from the latch.
//!
//! Each part of a reduction accumulates separately. The first part begins with the start in one lane and the identity
//! in the others; all other parts begin with the identity. Min/max begin with the start in all lanes. An in-order
//! reduction has a single scalar phi.

use super::body::Body;
use super::emitted::{Pick, Rep};
use super::results::float_identity;
use crate::legality::{HeaderPhi, Reduction, ReductionKind, Selection};
use backedge_ir::builder::Builder;
use backedge_ir::constant::{ConstData, Constant};
use backedge_ir::editor::Position;
use backedge_ir::entity::Inst;
use backedge_ir::inst::{InstData, InstKind, Value};
use backedge_ir::int::Int;
use backedge_ir::opcode::FastMath;
use backedge_ir::types::Type;
use rustc_hash::FxHashMap;

/// The final values of reductions and of selections, per part.
pub(super) type Collected = (FxHashMap<Inst, Vec<Value>>, FxHashMap<Inst, Vec<Pick>>);

impl Body<'_, '_, '_> {
    /// Emits the phis of a loop-carried value.
    pub(super) fn begin_carried(&mut self, phi: Inst) {
        let ty = self.tools.vector(self.editor.body().inst(phi).ty);
        match self.choice.legality.phi(phi) {
            Some(HeaderPhi::Reduction(r)) => self.begin_reduction(phi, r, ty),
            Some(HeaderPhi::Selection(s)) => self.begin_selection(phi, s, ty),
            Some(HeaderPhi::FirstOrder(f)) => {
                let last = self.lanes() - 1;
                let poison = self.editor.poison(ty);
                let start = self.in_front(InstKind::InsertElement, ty, &[poison, f.start], Some(last));
                let first = self.new_phi(ty, start);
                self.carried.insert(phi, vec![first]);
            }
            Some(HeaderPhi::Induction(_)) | None => {}
        }
    }
    fn begin_reduction(&mut self, phi: Inst, r: &Reduction, ty: Type) {
        if r.in_order {
            let scalar = self.editor.body().inst(phi).ty;
            let only = self.new_phi(scalar, r.start);
            self.carried.insert(phi, vec![only]);
            return;
        }
        let element = self.editor.body().inst(phi).ty;
        let mut given = r.start;
        let may_skip_operation =
            self.choice.legality.early.is_some() || r.may_skip_operation(self.editor.body());
        if may_skip_operation && r.may_start_with_nan(self.editor.body()) {
            given = self.frozen_in_front(given);
            self.kept.insert(phi, given);
        }
        let (first, others) = match self.identity(r.kind, element) {
            Some(identity) => {
                let all = self.constant_splat(identity, element);
                let first = self.in_front(InstKind::InsertElement, ty, &[all, given], Some(0));
                (first, all)
            }
            // Min/max are idempotent, so the start may be in any number of lanes.
            None => {
                let start = self.kept.get(&phi).copied();
                let start = start.unwrap_or_else(|| self.frozen_in_front(given));
                let all = self.splat_in_front(start, element);
                (all, all)
            }
        };
        let parts = self.parts();
        let phis: Vec<Inst> =
            (0..parts).map(|part| self.new_phi(ty, if part == 0 { first } else { others })).collect();
        self.reps.insert(phi, Rep::Lanes(phis.iter().map(|p| Value::Inst(*p)).collect()));
        self.carried.insert(phi, phis);
    }
    fn frozen_in_front(&mut self, value: Value) -> Value {
        Builder::new(self.editor, Position::End(self.frame.vector_ph)).freeze(value, "")
    }
    fn begin_selection(&mut self, phi: Inst, s: &Selection, ty: Type) {
        let when = if s.any_of.is_some() { Type::I1 } else { self.frame.count };
        let none = self.editor.int(Int::zero(when.int_bits().unwrap_or(1)));
        let (none, when) = (self.constant_splat(none, when), self.tools.vector(when));
        let whens: Vec<Inst> = (0..self.parts()).map(|_| self.new_phi(when, none)).collect();
        let mut picks: Vec<Pick> = whens.iter().map(|w| Pick { when: (*w).into(), what: None }).collect();
        if s.any_of.is_none() {
            let nothing = self.editor.poison(ty);
            let selected_phis: Vec<Inst> = (0..self.parts()).map(|_| self.new_phi(ty, nothing)).collect();
            for (pick, what) in picks.iter_mut().zip(&selected_phis) {
                pick.what = Some((*what).into());
            }
            self.selected_phis.insert(phi, selected_phis);
        }
        self.carried.insert(phi, whens);
        self.picks.insert(phi, picks);
    }
    fn new_phi(&mut self, ty: Type, start: Value) -> Inst {
        let kind = InstKind::Phi(FastMath::NONE);
        let data = InstData::new(kind, ty, [start], [self.frame.vector_ph]);
        self.editor.insert_new(Position::AfterPhis(self.frame.body), data)
    }
    /// The identity of the operation, if it has a constant that can be combined any number of times.
    fn identity(&mut self, kind: ReductionKind, ty: Type) -> Option<Value> {
        let bits = ty.int_bits().unwrap_or(1);
        let constant = match kind {
            ReductionKind::Add | ReductionKind::Or | ReductionKind::Xor => Int::zero(bits),
            ReductionKind::Mul => Int::one(bits),
            ReductionKind::And => Int::all_ones(bits),
            ReductionKind::FAdd | ReductionKind::FMul => {
                let data = ConstData::Float(float_identity(kind, ty)?);
                return Some(self.editor.constant(Constant { ty, data }).into());
            }
            _ => return None,
        };
        Some(self.editor.int(constant))
    }

    /// The value of a reduction in a part at the end of a vector iteration; inactive lanes keep the previous value.
    fn counted(&mut self, result: Inst, carried: Inst, part: usize) -> Value {
        let value = self.vector(result.into(), part);
        let Some(counting) = self.counting(part) else { return value };
        let ty = self.editor.body().ty(value);
        self.put(InstKind::Select(FastMath::NONE), ty, &[counting, value, carried.into()])
    }
    /// The same for a selection, in all parts.
    fn counted_picks(&mut self, phi: Inst, s: &Selection) -> Vec<Pick> {
        let picks = self.picks.get(&s.result).cloned().unwrap_or_default();
        let before = self.picks.get(&phi).cloned().unwrap_or_default();
        let mut all = Vec::new();
        for (part, (pick, before)) in picks.into_iter().zip(before).enumerate() {
            all.push(match self.counting(part) {
                Some(counting) => self.choose_pick(counting, pick, before),
                None => pick,
            });
        }
        all
    }
    /// Adds the latch operands of the phis; returns the final values of reductions and selections.
    pub(super) fn finish(&mut self) -> Collected {
        let (choice, body) = (self.choice, self.frame.rest);
        let (mut results, mut picked) = (FxHashMap::default(), FxHashMap::default());
        for (phi, kind) in &choice.legality.phis {
            let Some(carried) = self.carried.get(phi).cloned() else { continue };
            let parts = self.parts();
            let values: Vec<Value> = match kind {
                HeaderPhi::Induction(_) => continue,
                HeaderPhi::Reduction(r) if r.in_order => vec![self.first(r.result.into(), parts - 1)],
                HeaderPhi::Reduction(r) => {
                    (0..parts).map(|part| self.counted(r.result, carried[part], part)).collect()
                }
                HeaderPhi::Selection(s) => {
                    let picks = self.counted_picks(*phi, s);
                    for (what, pick) in self.selected_phis.get(phi).into_iter().flatten().zip(&picks) {
                        if let Some(value) = pick.what {
                            self.editor.add_incoming(*what, value, body);
                        }
                    }
                    let whens = picks.iter().map(|pick| pick.when).collect();
                    picked.insert(*phi, picks);
                    whens
                }
                HeaderPhi::FirstOrder(f) => vec![self.vector(f.previous.into(), parts - 1)],
            };
            for (phi, value) in carried.iter().zip(&values) {
                self.editor.add_incoming(*phi, *value, body);
            }
            results.insert(*phi, values);
        }
        (results, picked)
    }
}
