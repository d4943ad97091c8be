//! Numbers that all values of an expression are multiples of, as unsigned integers.
//!
//! A product or a sum modulo 2^width keeps only the powers of two of its operands' divisors; one that does not wrap as
//! unsigned keeps them all. Zero stands for the divisor of zero alone: every number divides it.

use super::{RENEWED, ScalarEvolution};
use crate::expr::{Cast, Expr, NAry, Node};
use backedge_ir::int::Int;

/// The greatest common divisor; of zero and `n`, `n`.
fn gcd(mut a: Int, mut b: Int) -> Int {
    while let Some(rest) = a.urem(b) {
        (a, b) = (b, rest);
    }
    a
}

/// The greatest power of two that divides `n`; zero of zero.
fn power_of_two_part(n: Int) -> Int {
    power(n.width(), n.trailing_zeros())
}

/// 2^`exponent` modulo 2^`width`.
fn power(width: u32, exponent: u32) -> Int {
    if exponent >= width { Int::zero(width) } else { Int::new(width, 1 << exponent) }
}

impl ScalarEvolution<'_> {
    /// How many low bits of `expr` are certainly zero.
    pub fn trailing_zeros(&mut self, expr: Expr) -> u32 {
        self.constant_multiple(expr).trailing_zeros()
    }
    /// A number of which `expr`, as an unsigned integer, is certainly a multiple; zero if it is always zero.
    pub fn constant_multiple(&mut self, expr: Expr) -> Int {
        self.multiple(expr, 0)
    }
    /// The same, not zero.
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
            // Of what is always zero something positive is said too: users divide by it.
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
            // The values that a sign is copied of are others as unsigned.
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
    /// What divides all of `operands`: any number, or only powers of two.
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
            // Where it overflows, the product of all values is zero, or the flag does not hold.
            let fits = whole && !product.mul_overflows_unsigned(multiple);
            product = if fits { product.mul(multiple) } else { product };
        }
        // Without wrapping, the product of the divisors divides too; but if one was left out, only its rest does.
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
