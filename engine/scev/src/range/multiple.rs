//! Constant divisors of all values of an expression, as unsigned integers.
//!
//! A product or sum modulo 2^width preserves only the powers of two in its operands' divisors; without unsigned wrap it
//! preserves them all. A divisor of zero means that the value is zero, which every number divides.

use super::{RENEWED, ScalarEvolution};
use crate::expr::{Cast, Expr, NAry, Node};
use backedge_ir::int::Int;

/// The greatest common divisor; `gcd(0, n)` is `n`.
fn gcd(mut a: Int, mut b: Int) -> Int {
    while let Some(rest) = a.urem(b) {
        (a, b) = (b, rest);
    }
    a
}

/// The greatest power of two that divides `n`; zero for zero.
fn power_of_two_part(n: Int) -> Int {
    power(n.width(), n.trailing_zeros())
}

/// 2^`exponent` modulo 2^`width`.
fn power(width: u32, exponent: u32) -> Int {
    if exponent >= width { Int::zero(width) } else { Int::new(width, 1 << exponent) }
}

impl ScalarEvolution<'_> {
    /// A lower bound of the number of trailing zero bits of `expr`.
    pub fn trailing_zeros(&mut self, expr: Expr) -> u32 {
        self.constant_multiple(expr).trailing_zeros()
    }
    /// A known divisor of `expr`, as an unsigned integer; zero only for the constant 0.
    pub fn constant_multiple(&mut self, expr: Expr) -> Int {
        self.multiple(expr, 0)
    }
    /// Like [`Self::constant_multiple`], but never zero.
    pub fn non_zero_multiple(&mut self, expr: Expr) -> Int {
        let multiple = self.constant_multiple(expr);
        if multiple.is_zero() { Int::one(multiple.width()) } else { multiple }
    }
    pub(super) fn multiple(&mut self, expr: Expr, level: u32) -> Int {
        if let Some(value) = self.as_constant(expr) {
            return value;
        }
        let version = self.range_version();
        match self.ranges.multiples.get(&expr) {
            Some((of, multiple)) if *of == version || level >= RENEWED => return *multiple,
            None if self.arena.depth(expr) > super::DEEP => self.multiples_of_parts(expr),
            _ => {}
        }
        let node = self.node(expr);
        let mut multiple = self.find_multiple(expr, &node, level);
        if multiple.is_zero() {
            // Report a positive divisor for values that are always zero, since callers divide by it.
            multiple = Int::one(multiple.width());
        }
        self.ranges.multiples.insert(expr, (version, multiple));
        multiple
    }
    fn multiples_of_parts(&mut self, root: Expr) {
        let mut parts = Vec::new();
        let mut seen = rustc_hash::FxHashSet::default();
        let mut work = vec![root];
        while let Some(expr) = work.pop() {
            if !self.ranges.multiples.contains_key(&expr) && seen.insert(expr) {
                parts.push(expr);
                work.extend_from_slice(self.arena.node(expr).operands());
            }
        }
        parts.sort_unstable();
        parts.pop();
        for part in parts {
            self.multiple(part, RENEWED);
        }
    }
    fn find_multiple(&mut self, expr: Expr, node: &Node, level: u32) -> Int {
        let width = self.width(expr);
        match node {
            Node::Constant(value) => *value,
            Node::Unknown(value) => {
                let facts = self.facts_of_value(*value, width);
                power(width, facts.map_or(0, |f| f.bits.min_trailing_zeros().min(width - 1)))
            }
            Node::Cast(Cast::PtrToInt, of) => self.multiple(*of, level + 1),
            Node::Cast(Cast::ZExt, of) => self.multiple(*of, level + 1).zext(width),
            // Sign extension and truncation change the unsigned value, so only powers of two remain divisors.
            Node::Cast(Cast::SExt | Cast::Trunc, of) => {
                let multiple = self.multiple(*of, level + 1);
                if multiple.is_zero() { Int::zero(width) } else { power(width, multiple.trailing_zeros()) }
            }
            Node::UDiv([left, right]) => self.multiple_of_quotient(*left, *right, level),
            Node::NAry(NAry::Mul, operands) => self.multiple_of_product(expr, operands, level),
            Node::NAry(op, operands) => {
                let whole = op.is_min_max() || self.flags(expr).nuw();
                self.common_multiple(operands, whole, level)
            }
            Node::AddRec(_, operands) => {
                let whole = operands.len() == 2 && self.flags(expr).nuw();
                self.common_multiple(operands, whole, level)
            }
            Node::CouldNotCompute => Int::one(width),
        }
    }
    /// A common divisor of all `operands`: any number if `whole`, otherwise a power of two.
    fn common_multiple(&mut self, operands: &[Expr], whole: bool, level: u32) -> Int {
        let mut common = Int::zero(self.width(operands[0]));
        for operand in operands {
            let multiple = self.multiple(*operand, level + 1);
            common = gcd(common, if whole { multiple } else { power_of_two_part(multiple) });
            if common.is_one() {
                break;
            }
        }
        common
    }
    fn multiple_of_product(&mut self, expr: Expr, operands: &[Expr], level: u32) -> Int {
        let width = self.width(expr);
        let whole = self.flags(expr).nuw();
        let mut product = Int::one(width);
        let mut zeros = 0u32;
        for operand in operands {
            let multiple = self.multiple(*operand, level + 1);
            zeros = zeros.saturating_add(multiple.trailing_zeros());
            // On overflow, the product of all values is zero, or the flag does not hold.
            let fits = whole && !product.mul_overflows_unsigned(multiple);
            product = if fits { product.mul(multiple) } else { product };
        }
        // Without unsigned wrap, both the product of the divisors (without omitted ones) and the power of two are
        // divisors.
        if whole { product.umax(power(width, zeros)) } else { power(width, zeros) }
    }
    fn multiple_of_quotient(&mut self, left: Expr, right: Expr, level: u32) -> Int {
        let multiple = self.multiple(left, level + 1);
        match self.as_constant(right) {
            Some(divisor) if !divisor.is_zero() && multiple.udiv_is_exact(divisor) => {
                multiple.udiv(divisor).unwrap_or(Int::one(multiple.width()))
            }
            _ => Int::one(multiple.width()),
        }
    }
}
