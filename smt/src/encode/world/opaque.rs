//! Operations whose result is an opaque function of their operands.
//!
//! Guarantees: equal operands give equal results (Ackermann's reduction), in either order of the first two operands if
//! the operation commutes. Only the latest operations with the same key are compared, so the axioms may allow more than
//! a function does.

use crate::encode::world::World;
use crate::term::Term;
use std::sync::Arc;

/// A floating-point operation whose result is an opaque function of its operands.
#[derive(Clone, Debug)]
pub(crate) struct OpaqueOp {
    /// Name of the operation and of its types.
    pub(crate) key: Arc<str>,
    pub(crate) args: Vec<Term>,
    pub(crate) result: Term,
    /// Whether the operation commutes in its first two operands.
    pub(crate) commutes: bool,
}

impl OpaqueOp {
    /// The orders of the operands that yield this result.
    pub(crate) fn orders(args: &[Term], commutes: bool) -> Vec<Vec<Term>> {
        let mut orders = vec![args.to_vec()];
        if commutes && args.len() > 1 && args[0] != args[1] {
            let mut swapped = args.to_vec();
            swapped.swap(0, 1);
            orders.push(swapped);
        }
        orders
    }
}

impl World {
    /// [`Self::opaque_op`] for a floating-point operation.
    pub(crate) fn opaque_float(&mut self, key: &str, args: &[Term], width: u32, commutes: bool) -> Term {
        self.approximate("floating-point arithmetic is an opaque function of its operands");
        self.opaque_op(key, args, width, commutes)
    }
    /// The result of an opaque operation: equal operands give equal results, in either order of the first two operands
    /// if the operation `commutes`. The caller records the approximation.
    pub(crate) fn opaque_op(&mut self, key: &str, args: &[Term], width: u32, commutes: bool) -> Term {
        const MANY: usize = 64;
        let key: Arc<str> = key.into();
        for order in OpaqueOp::orders(args, commutes) {
            if let Some(&result) = self.opaque_results.get(&(key.clone(), order)) {
                return result;
            }
        }
        let result = self.fresh(&key, width);
        let others: Vec<OpaqueOp> = self.opaque_ops.iter().filter(|o| o.key == key).cloned().collect();
        for other in others.iter().rev().take(MANY) {
            let mut equal = Vec::new();
            for order in OpaqueOp::orders(args, commutes) {
                let pairs = order.iter().zip(&other.args);
                let all: Vec<Term> = pairs.map(|(a, b)| self.terms.eq(*a, *b)).collect();
                equal.push(self.terms.and_all(all));
            }
            let equal = self.terms.or_all(equal);
            let same = self.terms.eq(result, other.result);
            let fact = self.terms.implies(equal, same);
            self.axioms.push(fact);
        }
        self.opaque_ops.push(OpaqueOp { key: key.clone(), args: args.to_vec(), result, commutes });
        self.opaque_results.insert((key, args.to_vec()), result);
        result
    }
}
