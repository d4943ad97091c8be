//! Evaluates an expression by its definition in big integers: independent of folding, ranges and `Int`.
//!
//! A [`World`] gives each leaf a value (`None`: poison), and defines which leaves are defined, which loops are entered,
//! and how often their backedges are taken. A [`Moment`] selects an iteration of each loop.

use backedge_analysis::LoopId;
use backedge_ir::inst::Value;
use backedge_scev::{Cast, Expr, Flags, NAry, Node, ScalarEvolution, Scope};
use num_bigint::BigInt;
use std::collections::HashMap;

/// The values and loop counts of one execution.
#[derive(Clone, Debug, Default)]
pub(crate) struct World {
    /// The value of each defined leaf, as unsigned; `None` if it is poison.
    pub(crate) leaves: HashMap<Value, Option<BigInt>>,
    /// The backedge-taken count of each entered loop.
    pub(crate) loops: HashMap<LoopId, u32>,
}

/// An iteration of each entered loop.
pub(crate) type Moment = HashMap<LoopId, u32>;

impl World {
    /// All combinations of iterations.
    pub(crate) fn moments(&self) -> Vec<Moment> {
        let mut moments = vec![Moment::new()];
        let mut loops: Vec<_> = self.loops.iter().collect();
        loops.sort();
        for (l, last) in loops {
            let mut longer = Vec::new();
            for moment in &moments {
                longer.extend((0..=*last).map(|i| {
                    let mut with = moment.clone();
                    with.insert(*l, i);
                    with
                }));
            }
            moments = longer;
        }
        moments
    }
}

pub(crate) fn power(width: u32) -> BigInt {
    BigInt::from(1) << width
}
/// The value modulo 2^width, non-negative.
pub(crate) fn wrapped(value: &BigInt, width: u32) -> BigInt {
    let modulus = power(width);
    ((value % &modulus) + &modulus) % modulus
}
/// An unsigned value as signed.
pub(crate) fn signed(value: &BigInt, width: u32) -> BigInt {
    if *value >= power(width - 1) { value - power(width) } else { value.clone() }
}
pub(crate) fn fits_unsigned(value: &BigInt, width: u32) -> bool {
    *value >= BigInt::from(0) && *value < power(width)
}
pub(crate) fn fits_signed(value: &BigInt, width: u32) -> bool {
    *value >= -power(width - 1) && *value < power(width - 1)
}
fn binomial(n: u32, k: usize) -> BigInt {
    (0..k).fold(BigInt::from(1), |c, j| c * (BigInt::from(n) - j) / (j + 1))
}

/// The operation on unsigned values, each `None` if it is poison or UB.
pub(crate) fn nary(op: NAry, width: u32, operands: &[Option<BigInt>]) -> Option<BigInt> {
    if op == NAry::UMinSeq {
        let mut least: Option<BigInt> = None;
        for operand in operands {
            let operand = operand.clone()?;
            let now = least.map_or(operand.clone(), |l| l.min(operand));
            if now == BigInt::from(0) {
                return Some(now);
            }
            least = Some(now);
        }
        return least;
    }
    let operands: Vec<BigInt> = operands.iter().cloned().collect::<Option<_>>()?;
    let by_sign = |a: &BigInt| signed(a, width);
    Some(match op {
        NAry::Add => wrapped(&operands.iter().sum(), width),
        NAry::Mul => wrapped(&operands.iter().product(), width),
        NAry::UMax => operands.into_iter().max()?,
        NAry::UMin | NAry::UMinSeq => operands.into_iter().min()?,
        NAry::SMax => operands.into_iter().max_by_key(by_sign)?,
        NAry::SMin => operands.into_iter().min_by_key(by_sign)?,
    })
}
pub(crate) fn udiv(left: Option<BigInt>, right: Option<BigInt>) -> Option<BigInt> {
    let (left, right) = (left?, right?);
    (right != BigInt::from(0)).then(|| left / right)
}
pub(crate) fn cast(cast: Cast, from: u32, to: u32, value: Option<BigInt>) -> Option<BigInt> {
    let value = value?;
    Some(match cast {
        Cast::Trunc => wrapped(&value, to),
        Cast::ZExt | Cast::PtrToInt => value,
        Cast::SExt => wrapped(&signed(&value, from), to),
    })
}
pub(crate) fn add_rec(width: u32, operands: &[Option<BigInt>], i: u32) -> Option<BigInt> {
    let mut sum = BigInt::from(0);
    for (k, operand) in operands.iter().enumerate() {
        sum += operand.clone()? * binomial(i, k);
    }
    Some(wrapped(&sum, width))
}

/// Whether all `flags` hold for `op` on these operands, in the strong form.
pub(crate) fn nary_flags_hold(op: NAry, width: u32, flags: Flags, operands: &[BigInt]) -> bool {
    // Check every subset, by definition.
    (1..1u32 << operands.len()).all(|subset| {
        let chosen: Vec<&BigInt> =
            operands.iter().enumerate().filter(|(i, _)| subset >> i & 1 == 1).map(|(_, v)| v).collect();
        let exact = |by_sign: bool| -> BigInt {
            let values = chosen.iter().map(|v| if by_sign { signed(v, width) } else { (*v).clone() });
            if op == NAry::Add { values.sum() } else { values.product() }
        };
        (!flags.nuw() || fits_unsigned(&exact(false), width))
            && (!flags.nsw() || fits_signed(&exact(true), width))
    })
}
/// Whether all `flags` hold for `{start,+,step}` at iteration `i`.
pub(crate) fn add_rec_flags_hold(width: u32, flags: Flags, start: &BigInt, step: &BigInt, i: u32) -> bool {
    let unsigned = start + step * i;
    let by_sign = signed(start, width) + signed(step, width) * i;
    let magnitude = num_bigint::BigInt::from(signed(step, width).magnitude().clone()) * i;
    (!flags.nuw() || fits_unsigned(&unsigned, width))
        && (!flags.nsw() || fits_signed(&by_sign, width))
        && (!flags.nw() || fits_unsigned(&magnitude, width))
}

/// Values of the expressions of one analysis in one world and moment.
pub(crate) struct Evaluator<'e, 'a> {
    pub(crate) scev: &'e ScalarEvolution<'a>,
    pub(crate) world: &'e World,
    pub(crate) moment: &'e Moment,
    memo: HashMap<Expr, Option<BigInt>>,
}

impl<'e, 'a> Evaluator<'e, 'a> {
    pub(crate) fn new(scev: &'e ScalarEvolution<'a>, world: &'e World, moment: &'e Moment) -> Self {
        Self { scev, world, moment, memo: HashMap::new() }
    }
    /// Whether all leaves of `expr` are defined and the loops of its recurrences are entered.
    pub(crate) fn is_in_scope(&self, expr: Expr) -> bool {
        self.scev.arena().all_parts(expr, |_, node| match node {
            Node::Unknown(Value::Const(_)) => true,
            Node::Unknown(value) => self.world.leaves.contains_key(value),
            Node::AddRec(l, _) => self.world.loops.contains_key(l),
            Node::CouldNotCompute => false,
            _ => true,
        })
    }
    /// The value as unsigned, if it is defined and not poison.
    pub(crate) fn value(&mut self, expr: Expr) -> Option<BigInt> {
        if let Some(known) = self.memo.get(&expr) {
            return known.clone();
        }
        let width = self.scev.width(expr);
        let value = match self.scev.node(expr) {
            Node::Constant(value) => Some(BigInt::from(value.bits())),
            Node::Unknown(leaf) => self.world.leaves.get(&leaf).cloned().unwrap_or(None),
            Node::Cast(op, operand) => cast(op, self.scev.width(operand), width, self.value(operand)),
            Node::NAry(op, operands) => {
                let values: Vec<_> = operands.iter().map(|e| self.value(*e)).collect();
                nary(op, width, &values)
            }
            Node::UDiv([left, right]) => udiv(self.value(left), self.value(right)),
            Node::AddRec(l, operands) => {
                let values: Vec<_> = operands.iter().map(|e| self.value(*e)).collect();
                self.moment.get(&l).and_then(|i| add_rec(width, &values, *i))
            }
            Node::CouldNotCompute => None,
        };
        self.memo.insert(expr, value.clone());
        value
    }
    /// Whether `flags` hold for `expr` here; vacuously true if an operand is poison or UB.
    pub(crate) fn flags_hold(&mut self, expr: Expr, flags: Flags) -> bool {
        let width = self.scev.width(expr);
        let node = self.scev.node(expr);
        let Some(values) = node.operands().iter().map(|e| self.value(*e)).collect::<Option<Vec<_>>>() else {
            return true;
        };
        match node {
            Node::NAry(op @ (NAry::Add | NAry::Mul), _) => nary_flags_hold(op, width, flags, &values),
            Node::AddRec(l, _) => match (&values[..], self.moment.get(&l)) {
                ([start, step], Some(i)) => add_rec_flags_hold(width, flags, start, step, *i),
                _ => true,
            },
            _ => flags.is_empty(),
        }
    }
    /// The first fact that does not hold here.
    pub(crate) fn false_fact(&mut self) -> Option<(Expr, Flags, Scope)> {
        let scev = self.scev;
        let mut facts: Vec<(Expr, Flags, Scope)> = scev
            .arena()
            .iter()
            .map(|e| (e, scev.flags(e), Scope::Defining))
            .filter(|f| !f.1.is_empty())
            .collect();
        let scoped = scev.facts().all_scoped();
        facts.extend(scoped.map(|(e, block, flags)| (e, flags, Scope::From(block))));
        facts.into_iter().find(|(expr, flags, scope)| {
            let entered = match scope {
                Scope::Defining => true,
                Scope::From(block) => {
                    let loops = scev.loops();
                    loops.with_header(*block).is_none_or(|l| self.world.loops.contains_key(&l))
                }
            };
            entered && self.is_in_scope(*expr) && !self.flags_hold(*expr, *flags)
        })
    }
}
