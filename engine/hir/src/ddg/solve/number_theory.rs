//! Greatest common divisors, rounded quotients, and products and inverses modulo a number.

/// The greatest common divisor of all values; zero for no values.
pub(super) fn common_divisor(all: impl IntoIterator<Item = i128>) -> u128 {
    let mut divisor = 0;
    for value in all {
        divisor = gcd(divisor, value.unsigned_abs());
        if divisor == 1 {
            break;
        }
    }
    divisor
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b > 1 {
        (a, b) = (b, a % b);
    }
    if b == 1 { 1 } else { a }
}

/// The quotient by a positive number, rounded up.
pub(super) fn div_up(a: i128, by: i128) -> i128 {
    let floor = a.div_euclid(by);
    if a.rem_euclid(by) == 0 { floor } else { floor + 1 }
}

/// The product modulo a positive number; `None` on overflow, which cannot happen for a modulus up to 2^64.
pub(super) fn product_modulo(a: i128, b: i128, modulus: i128) -> Option<i128> {
    // Residues around zero are smaller in magnitude.
    let near_zero = |value: i128| {
        let residue = value.rem_euclid(modulus);
        if residue > modulus / 2 { residue - modulus } else { residue }
    };
    near_zero(a).checked_mul(near_zero(b)).map(|product| product.rem_euclid(modulus))
}

/// The inverse of `a` modulo `modulus`, if both are coprime.
pub(super) fn inverse(a: i128, modulus: i128) -> Option<i128> {
    let (mut old, mut rest) = (a, modulus);
    let (mut of_old, mut of_rest) = (1i128, 0i128);
    while rest != 0 {
        let quotient = old / rest;
        (old, rest) = (rest, old - quotient * rest);
        (of_old, of_rest) = (of_rest, of_old.checked_sub(quotient.checked_mul(of_rest)?)?);
    }
    (old == 1).then(|| of_old.rem_euclid(modulus))
}
