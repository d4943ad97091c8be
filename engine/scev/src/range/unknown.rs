//! Ranges of the opaque values of the body.
//!
//! Sources: the [facts of values](facts_at_scale); for a phi, also the known expressions of its incoming values, whose
//! ranges may reflect loop counts; for a phi that is shifted in each iteration, the number of iterations; for a
//! pointer, the size of its object, which does not extend past the end of the address space.

use super::{Ranges, ScalarEvolution};
use backedge_analysis::LoopId;
use backedge_analysis::effects::called_function;
use backedge_analysis::range::{ConstantRange, Prefer};
use backedge_analysis::values::{Facts, facts_at_scale};
use backedge_ir::attr::{Attr, AttrList, IntAttr};
use backedge_ir::constant::{ConstData, GlobalRef};
use backedge_ir::entity::{EntityId, Inst};
use backedge_ir::inst::{InstKind, Value};
use backedge_ir::int::Int;
use backedge_ir::module::Linkage;
use backedge_ir::opcode::BinaryOp;
use smallvec::SmallVec;

/// Limit on the nesting depth of phis whose incoming expressions are evaluated: bounds the recursion. A deeper phi has
/// only the range of its facts.
const PHIS_DEEP: usize = 6;
/// Limit on the number of incoming values of a phi: each is evaluated. The union of more ranges would seldom be
/// narrower than the facts of the phi.
const MOST_INCOMING: usize = 16;

impl ScalarEvolution<'_> {
    /// The facts of `value`, if they have the width of its expression.
    pub(super) fn facts_of_value(&self, value: Value, width: u32) -> Option<Facts> {
        facts_at_scale(self.at, value).filter(|f| f.width() == width && !f.is_none())
    }
    pub(super) fn ranges_of_value(&mut self, value: Value, width: u32) -> Ranges {
        let mut ranges = Ranges::full(width);
        if let Some(facts) = self.facts_of_value(value, width) {
            ranges = ranges.meet_range(facts.range);
            if !facts.bits.is_unknown() {
                ranges = ranges.meet(Ranges {
                    unsigned: ConstantRange::from_known_bits(facts.bits, false),
                    signed: ConstantRange::from_known_bits(facts.bits, true),
                });
            }
        }
        if let Some(bytes) = self.object_size(value).filter(|n| *n > 0 && *n <= Int::all_ones(width).bits()) {
            let last = Int::all_ones(width).sub(Int::new(width, bytes));
            ranges = ranges.meet_range(ConstantRange::inclusive(Int::zero(width), last));
        }
        let Some(inst) = value.as_inst().filter(|i| self.at.body.inst(*i).kind.is_phi()) else {
            return ranges;
        };
        // Incoming values may depend on the phi itself.
        if self.ranges.pending.len() >= PHIS_DEEP || self.ranges.pending.contains(&value) {
            self.ranges.left_out += 1;
        } else {
            self.ranges.looked += u64::from(self.ranges.pending.is_empty());
            self.ranges.pending.insert(value);
            if let Some(range) = self.range_of_shifted(inst) {
                ranges = ranges.meet_range(range);
            }
            if let Some(incoming) = self.ranges_of_incoming(inst, width) {
                ranges = ranges.meet(incoming);
            }
            self.ranges.pending.remove(&value);
        }
        ranges
    }
    /// The union of the ranges of the known expressions of a phi's incoming values.
    fn ranges_of_incoming(&mut self, phi: Inst, width: u32) -> Option<Ranges> {
        let incoming: SmallVec<[Value; 4]> = self.at.body.inst(phi).operands.clone().into_iter().collect();
        if incoming.len() > MOST_INCOMING {
            return None;
        }
        let mut union: Option<Ranges> = None;
        for value in incoming.into_iter().filter(|v| *v != Value::from(phi)) {
            let ranges = self.ranges_of_known(value, width);
            let so_far = union.map_or(ranges, |u| Ranges {
                unsigned: u.unsigned.union_with(ranges.unsigned, Prefer::Unsigned),
                signed: u.signed.union_with(ranges.signed, Prefer::Signed),
            });
            union = Some(so_far);
            if so_far.unsigned.is_full() && so_far.signed.is_full() {
                break;
            }
        }
        union
    }
    /// The ranges of `value`, from the best of its existing expressions.
    fn ranges_of_known(&mut self, value: Value, width: u32) -> Ranges {
        if let Some(constant) = self.at.body.as_int(value) {
            return Ranges::both(ConstantRange::constant(constant));
        }
        match self.exprs(value).first().copied() {
            Some(expr) if self.width(expr) == width => self.ranges(expr, 0),
            _ => self.facts_of_value(value, width).map_or(Ranges::full(width), |f| Ranges::both(f.range)),
        }
    }

    /// The range of a header phi that each iteration shifts, in a loop with a known maximum count.
    fn range_of_shifted(&mut self, phi: Inst) -> Option<ConstantRange> {
        let block = self.at.body.block_of(phi)?;
        let l = self.loops.with_header(block)?;
        let data = self.at.body.inst(phi);
        let mut incoming: SmallVec<[(Value, bool); 2]> = SmallVec::new();
        for (value, from) in data.incoming() {
            let inside = self.loops.contains(l, from);
            if !incoming.contains(&(value, inside)) {
                incoming.push((value, inside));
            }
        }
        let ([(start, false), (next, true)] | [(next, true), (start, false)]) = *incoming else {
            return None;
        };
        let shift = self.at.body.inst(next.as_inst()?);
        let (InstKind::Binary(op, _), &[of, amount]) = (&shift.kind, shift.operands.as_slice()) else {
            return None;
        };
        if of != Value::from(phi) {
            return None;
        }
        let width = self.at.body.ty(start).int_bits().filter(|w| *w <= Int::MAX_WIDTH)?;
        let from = self.ranges_of_known(start, width);
        let most = self.total_shift(l, amount, width);
        let (min, max) = (from.unsigned.unsigned_min()?, from.unsigned.unsigned_max()?);
        let (smin, smax) = (from.signed.signed_min()?, from.signed.signed_max()?);
        let by = |n: u128| Int::new(width, n.min(u128::from(width - 1)));
        let gone = most >= u128::from(width);
        match op {
            BinaryOp::LShr => {
                let low = if gone { Int::zero(width) } else { min.lshr(by(most))? };
                Some(ConstantRange::inclusive(low, max))
            }
            BinaryOp::AShr => {
                let low = if smin.is_negative() { smin } else { smin.ashr(by(most))? };
                let high = if smax.is_negative() { smax.ashr(by(most))? } else { smax };
                Some(ConstantRange::inclusive(low, high))
            }
            // No bit is shifted out of the largest start, so values only increase.
            BinaryOp::Shl if most < u128::from(max.leading_zeros()) || max.is_zero() => {
                Some(ConstantRange::inclusive(min, if max.is_zero() { max } else { max.shl(by(most))? }))
            }
            _ => None,
        }
    }
    /// The maximum total shift over all iterations of the loop, saturating at a large number.
    fn total_shift(&mut self, l: LoopId, amount: Value, width: u32) -> u128 {
        let max = self.ranges_of_known(amount, width).unsigned.unsigned_max().map_or(u128::MAX, Int::bits);
        let times = self.known_constant_max(l).map_or(u128::MAX, Int::bits);
        max.saturating_mul(times)
    }

    /// A lower bound of the number of bytes that `value` points to, if it is a pointer that is neither null nor poison.
    /// Null satisfies the derived range as well: it is the smallest address.
    fn object_size(&self, value: Value) -> Option<u128> {
        let (env, body) = (self.at.env, self.at.body);
        if body.ty(value).ptr_space() != Some(0) {
            return None;
        }
        let of_type = |ty| env.layout.alloc_bytes(&env.types, ty).map(u128::from);
        match value {
            Value::Const(c) => match &body.constant(c).data {
                ConstData::Global(GlobalRef::Var(var)) => {
                    let data = &env.vars[*var];
                    (data.linkage != Linkage::ExternWeak).then(|| of_type(data.ty)).flatten()
                }
                _ => None,
            },
            Value::Arg(arg) => {
                let func = self.at.func?;
                dereferenceable(env.attrs(env.funcs[func].param_attrs.get(arg.index())?))
            }
            Value::Inst(inst) => {
                let data = body.inst(inst);
                match &data.kind {
                    InstKind::Alloca(info) => {
                        let count =
                            data.operands.first().map_or(Some(1), |n| Some(body.as_int(*n)?.bits()))?;
                        of_type(info.ty)?.checked_mul(count)
                    }
                    InstKind::Call(_) => {
                        let call = data.call()?;
                        let of = |list: &AttrList| dereferenceable(env.attrs(list));
                        let callee = called_function(body, call);
                        of(&call.info.ret_attrs).or_else(|| of(&env.funcs[callee?].ret_attrs))
                    }
                    _ => None,
                }
            }
        }
    }
}

fn dereferenceable<'a>(attrs: impl IntoIterator<Item = &'a Attr>) -> Option<u128> {
    let sizes = attrs.into_iter().filter_map(|attr| match attr {
        Attr::Int(IntAttr::Dereferenceable | IntAttr::DereferenceableOrNull, bytes) => {
            Some(u128::from(*bytes))
        }
        _ => None,
    });
    sizes.max()
}
