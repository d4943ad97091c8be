//! Laws of closed-form arithmetic: the result of an operation has the value of the operation on the values, for forms
//! with casts, denominators and blob coefficients; operations refuse only what they document.

use backedge_hir::blob::{Cast, NAry, ScalarType, TempData};
use backedge_hir::canon::{Extension, IvSum, NoWrap};
use backedge_hir::{Blob, Blobs, CanonExpr, Level, Symbase, Temp};
use backedge_ir::int::Int;
use proptest::prelude::*;

/// Bits of the first three temps. Two small widths suffice for casts in both directions.
const NARROW: u32 = 4;
/// Bits of the other temps.
const WIDE: u32 = 8;

/// The construction of a form. Operands of unequal width are truncated or extended by the operations themselves.
#[derive(Clone, Debug)]
enum Tree {
    Int(u8),
    Iv(u8),
    /// One of three variables of four bits, or of three of eight bits.
    Temp(u8),
    Add(Box<[Tree; 2]>),
    Sub(Box<[Tree; 2]>),
    Mul(Box<[Tree; 2]>),
    UDiv(Box<Tree>, u8),
    Cast(Box<Tree>, bool),
    Blob(u8, Box<[Tree; 2]>),
    Shift(Box<[Tree; 2]>),
    Replace(Box<[Tree; 2]>),
    /// Substitutes a multiple of the first induction variable, plus the other one, a variable, and a constant, for
    /// the first.
    Ivs(Box<Tree>, [u8; 3]),
    /// Permutes variables.
    Temps(Box<Tree>),
}

fn tree() -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![
        any::<u8>().prop_map(Tree::Int),
        (1u8..3).prop_map(Tree::Iv),
        (0u8..6).prop_map(Tree::Temp)
    ];
    leaf.prop_recursive(5, 32, 2, |inner| {
        let two = prop::array::uniform2(inner.clone());
        prop_oneof![
            4 => two.clone().prop_map(|of| Tree::Add(of.into())),
            2 => two.clone().prop_map(|of| Tree::Sub(of.into())),
            3 => two.clone().prop_map(|of| Tree::Mul(of.into())),
            1 => (inner.clone(), 1u8..16).prop_map(|(of, by)| Tree::UDiv(of.into(), by)),
            3 => (inner.clone(), any::<bool>()).prop_map(|(of, signed)| Tree::Cast(of.into(), signed)),
            1 => (0u8..6, two.clone()).prop_map(|(op, of)| Tree::Blob(op, of.into())),
            1 => two.clone().prop_map(|of| Tree::Shift(of.into())),
            1 => two.prop_map(|of| Tree::Replace(of.into())),
            1 => (inner.clone(), any::<[u8; 3]>()).prop_map(|(of, by)| Tree::Ivs(of.into(), by)),
            1 => inner.prop_map(|of| Tree::Temps(of.into())),
        ]
    })
}

/// Iterations of the loops of levels 1 and 2, and values of the variables.
#[derive(Clone, Copy, Debug)]
struct Point {
    ivs: [u8; 2],
    temps: [u8; 6],
}

impl Point {
    fn temp(&self, index: usize) -> Int {
        Int::new(if index < 3 { NARROW } else { WIDE }, self.temps[index].into())
    }
    fn value(&self, form: &CanonExpr, blobs: &Blobs) -> Int {
        let iv = |level: Level| self.ivs[level as usize - 1].into();
        let temp = |temp: Temp| blobs.temps().position(|t| t == temp).map(|at| self.temp(at));
        form.value(blobs, &iv, &temp).expect("no variable is poison, nothing is divided by zero")
    }
}

/// The expected value at a point.
type Meaning = Box<dyn Fn(&Point) -> Int>;

fn brought(value: Int, width: u32, signed: bool) -> Int {
    match (value.width() < width, signed) {
        (true, true) => value.sext(width),
        (true, false) => value.zext(width),
        (false, _) => value.trunc(width),
    }
}

struct Made {
    form: CanonExpr,
    meaning: Meaning,
}

impl Tree {
    /// The form and its expected meaning, if all operations have forms.
    fn make(&self, blobs: &mut Blobs) -> Option<Made> {
        let both = |of: &[Self; 2], blobs: &mut Blobs| {
            let [a, b] = [of[0].make(blobs)?, of[1].make(blobs)?];
            let width = a.form.dest_type().width;
            let form = b.form.cast_to(width, Extension::Zero, blobs)?;
            let meaning = b.meaning;
            Some((a, Made { form, meaning: Box::new(move |p| brought(meaning(p), width, false)) }))
        };
        Some(match self {
            Self::Int(_) | Self::Iv(_) | Self::Temp(_) => self.leaf(blobs)?,
            Self::Add(of) => {
                let (a, b) = both(of, blobs)?;
                let form = a.form.add(&b.form, NoWrap::Unknown, blobs)?;
                Made { form, meaning: Box::new(move |p| (a.meaning)(p).add((b.meaning)(p))) }
            }
            Self::Sub(of) => {
                let (a, b) = both(of, blobs)?;
                let form = a.form.sub(&b.form, NoWrap::Unknown, blobs)?;
                Made { form, meaning: Box::new(move |p| (a.meaning)(p).sub((b.meaning)(p))) }
            }
            Self::Mul(of) => {
                let (a, b) = both(of, blobs)?;
                let form = a.form.mul(&b.form, NoWrap::Unknown, blobs)?;
                Made { form, meaning: Box::new(move |p| (a.meaning)(p).mul((b.meaning)(p))) }
            }
            Self::UDiv(of, by) => {
                let of = of.make(blobs)?;
                let by = Int::new(of.form.dest_type().width, (*by).into());
                let form = of.form.udiv(by, blobs)?;
                Made { form, meaning: Box::new(move |p| (of.meaning)(p).udiv(by).expect("not by zero")) }
            }
            Self::Cast(of, signed) => {
                let (of, signed) = (of.make(blobs)?, *signed);
                let width = if of.form.dest_type().width == NARROW { WIDE } else { NARROW };
                let extension = if signed { Extension::Sign } else { Extension::Zero };
                let form = of.form.cast_to(width, extension, blobs)?;
                Made { form, meaning: Box::new(move |p| brought((of.meaning)(p), width, signed)) }
            }
            Self::Blob(op, of) => {
                let (a, b) = both(of, blobs)?;
                let operands = [a.form.as_blob(blobs)?, b.form.as_blob(blobs)?];
                let result = operation(*op, &operands, blobs);
                let form = CanonExpr::of_blob(blobs, result);
                let op = *op;
                Made {
                    form,
                    meaning: Box::new(move |p| operation_on_values(op, (a.meaning)(p), (b.meaning)(p))),
                }
            }
            Self::Shift(of) => {
                let (a, b) = both(of, blobs)?;
                let form = a.form.shift_iv(1, &b.form, blobs)?;
                let meaning = move |p: &Point| {
                    let by = (b.meaning)(p).bits() as u8;
                    (a.meaning)(&Point { ivs: [p.ivs[0].wrapping_add(by), p.ivs[1]], ..*p })
                };
                Made { form, meaning: Box::new(meaning) }
            }
            Self::Replace(of) => {
                let (a, b) = (of[0].make(blobs)?, of[1].make(blobs)?);
                let form = a.form.replace_iv(1, &b.form, blobs)?;
                let meaning = move |p: &Point| {
                    let by = (b.meaning)(p).bits() as u8;
                    (a.meaning)(&Point { ivs: [by, p.ivs[1]], ..*p })
                };
                Made { form, meaning: Box::new(meaning) }
            }
            Self::Ivs(..) | Self::Temps(_) => self.replaced(blobs)?,
        })
    }
    /// A constant or a variable.
    fn leaf(&self, blobs: &mut Blobs) -> Option<Made> {
        Some(match self {
            Self::Int(value) => {
                let value = Int::new(if value % 2 == 0 { NARROW } else { WIDE }, (*value).into());
                Made { form: CanonExpr::of_constant(value), meaning: Box::new(move |_| value) }
            }
            Self::Iv(level) => {
                let (level, width) = (*level, if level % 2 == 0 { NARROW } else { WIDE });
                let meaning = move |p: &Point| Int::new(width, p.ivs[usize::from(level) - 1].into());
                Made { form: CanonExpr::of_iv(width, level.into()), meaning: Box::new(meaning) }
            }
            Self::Temp(index) => {
                let index = usize::from(*index);
                let temp = blobs.temps().nth(index).expect("six variables");
                let form = CanonExpr::of_temp(blobs, temp, 0);
                Made { form, meaning: Box::new(move |p| p.temp(index)) }
            }
            _ => return None,
        })
    }
    /// A form after substitution.
    fn replaced(&self, blobs: &mut Blobs) -> Option<Made> {
        Some(match self {
            Self::Ivs(of, [by, base, constant]) => {
                let (of, base) = (of.make(blobs)?, usize::from(base % 6));
                let (by, constant) = (*by, *constant);
                let temp = blobs.temps().nth(base).expect("six variables");
                let blob = blobs.of_temp(temp);
                let sum = IvSum {
                    terms: [(1, 1), (2, by.into())].into_iter().collect(),
                    base: Some(blob),
                    constant: constant.into(),
                };
                let of_level = |level| if level == 1 { sum.clone() } else { IvSum::of_level(level) };
                let form = of.form.with_ivs(&of_level, blobs);
                let meaning = move |p: &Point| {
                    let more = p.ivs[1].wrapping_mul(by).wrapping_add(constant);
                    let first = p.ivs[0].wrapping_add(more).wrapping_add(p.temp(base).bits() as u8);
                    (of.meaning)(&Point { ivs: [first, p.ivs[1]], ..*p })
                };
                Made { form, meaning: Box::new(meaning) }
            }
            Self::Temps(of) => {
                let of = of.make(blobs)?;
                let temps: Vec<Temp> = blobs.temps().collect();
                let others = [(0, 1), (1, 0), (3, 5)].map(|(from, to)| (temps[from], temps[to]));
                let form = of.form.with_temps(&others.into_iter().collect(), blobs);
                let meaning = move |p: &Point| {
                    let [a, b, c, _, e, f] = p.temps;
                    (of.meaning)(&Point { temps: [b, a, c, f, e, f], ..*p })
                };
                Made { form, meaning: Box::new(meaning) }
            }
            _ => return None,
        })
    }
}

const OPS: [NAry; 5] = [NAry::UMin, NAry::UMax, NAry::SMin, NAry::SMax, NAry::UMinSeq];

/// An operation that has no form other than a blob; the last one is a product of extended operands.
fn operation(op: u8, of: &[Blob; 2], blobs: &mut Blobs) -> Blob {
    let width = blobs.width(of[0]);
    match OPS.get(usize::from(op)) {
        Some(op) => blobs.nary(*op, width, of),
        None => {
            let wide = of.map(|b| blobs.cast(Cast::SExt, b, 16));
            let product = blobs.mul(16, &wide);
            let quotient = blobs.constant(Int::new(16, 3));
            let quotient = blobs.udiv(product, quotient);
            blobs.cast(Cast::Trunc, quotient, width)
        }
    }
}

fn operation_on_values(op: u8, a: Int, b: Int) -> Int {
    match OPS.get(usize::from(op)) {
        Some(NAry::UMin | NAry::UMinSeq) => a.umin(b),
        Some(NAry::UMax) => a.umax(b),
        Some(NAry::SMin) => a.smin(b),
        Some(_) => a.smax(b),
        None => a.sext(16).mul(b.sext(16)).udiv(Int::new(16, 3)).expect("not by zero").trunc(a.width()),
    }
}

fn six_temps() -> Blobs {
    let mut blobs = Blobs::default();
    for (at, name) in ["%a", "%b", "%c", "%x", "%y", "%z"].into_iter().enumerate() {
        let ty = ScalarType::int(if at < 3 { NARROW } else { WIDE });
        blobs.add_temp(TempData { name: name.into(), ty, symbase: Symbase::FIRST, value: None });
    }
    blobs
}

fn points() -> impl Strategy<Value = Vec<Point>> {
    let point = (any::<[u8; 2]>(), any::<[u8; 6]>()).prop_map(|(ivs, temps)| Point { ivs, temps });
    prop::collection::vec(point, 16)
}

proptest! {
    #![proptest_config(backedge_testkit::kept(4000))]

    #[test]
    fn operations_have_their_values(tree in tree(), points in points()) {
        let mut blobs = six_temps();
        let Some(made) = tree.make(&mut blobs) else { return Ok(()) };
        let corners = [0, 1, 7, 8, 15, 127, 128, 255].map(|v| Point { ivs: [v; 2], temps: [v; 6] });
        for point in points.into_iter().chain(corners) {
            let expected = (made.meaning)(&point);
            prop_assert_eq!(made.form.dest_type().width, expected.width());
            prop_assert_eq!(point.value(&made.form, &blobs), expected, "{} at {:?}", made.form.text(&blobs), point);
        }
    }
}

/// `c1 * i1 + bc * %a + c0` over a denominator, in all casts: sums of two and replaced induction variables,
/// exhaustively over coefficients that are small or near the ends of the range.
#[test]
fn sums_of_two_are_exact_or_refused() {
    let mut blobs = six_temps();
    let temp = blobs.temps().next().expect("a variable");
    let a = CanonExpr::of_temp(&mut blobs, temp, 0);
    let iv = CanonExpr::of_iv(NARROW, 1);
    let mut forms = Vec::new();
    for [c1, bc, c0] in (0..64u128).map(|case| [case & 3, case >> 2 & 3, case >> 4]) {
        let of = |c: u128| Int::new(NARROW, [0, 1, 7, 15][c as usize]);
        let of_iv = iv.mul_constant(of(c1), NoWrap::Unknown, &mut blobs).expect("a product");
        let of_blob = a.mul_constant(of(bc), NoWrap::Unknown, &mut blobs).expect("a product");
        let sum = of_iv.add(&of_blob, NoWrap::Unknown, &mut blobs).expect("a sum");
        let sum = sum.add_constant(of(c0), NoWrap::Unknown, &mut blobs).expect("a sum");
        forms.push(sum.udiv(Int::new(NARROW, 3), &mut blobs).expect("a quotient"));
        for (width, extension) in
            [(NARROW, Extension::Zero), (2, Extension::Zero), (6, Extension::Zero), (6, Extension::Sign)]
        {
            forms.push(sum.cast_to(width, extension, &mut blobs).expect("a cast"));
        }
    }
    let points: Vec<Point> = (0..=255u8).map(|p| Point { ivs: [p & 15, 0], temps: [p >> 4; 6] }).collect();
    let (mut merged, mut refused) = (0, 0);
    for x in &forms {
        let values: Vec<Int> = points.iter().map(|p| p.value(x, &blobs)).collect();
        for y in &forms {
            let (sum, difference) =
                (x.add(y, NoWrap::Unknown, &mut blobs), x.sub(y, NoWrap::Unknown, &mut blobs));
            if sum.is_none() {
                refused += 1;
            }
            for (form, is_sum) in [(sum, true), (difference, false)] {
                let Some(form) = form else { continue };
                merged += 1;
                for (p, a) in points.iter().zip(&values).step_by(7) {
                    let b = p.value(y, &blobs);
                    let expected = if is_sum { a.add(b) } else { a.sub(b) };
                    assert_eq!(p.value(&form, &blobs), expected, "{} and {}", x.text(&blobs), y.text(&blobs));
                }
            }
        }
    }
    assert!(merged > 10_000 && refused > 10_000, "{merged} merged, {refused} refused");
}

/// Extensions are merged only if the caller knows that nothing wraps.
#[test]
fn extensions_merge_only_without_wrapping() {
    let mut blobs = six_temps();
    let iv = CanonExpr::of_iv(NARROW, 1);
    let wide = iv.cast_to(WIDE, Extension::Zero, &mut blobs).expect("a cast");
    let signed = iv.cast_to(WIDE, Extension::Sign, &mut blobs).expect("a cast");
    assert!(!wide.mergeable(&wide, NoWrap::Unknown) && wide.mergeable(&wide, NoWrap::Known));
    assert!(!wide.mergeable(&signed, NoWrap::Known));
    let twice = wide.add(&wide, NoWrap::Known, &mut blobs).expect("mergeable");
    assert_eq!(twice.text(&blobs), "zext(2 * i1)");
    assert!(
        wide.sub(&wide, NoWrap::Unknown, &mut blobs)
            .is_some_and(|d| d.as_constant() == Some(Int::zero(WIDE)))
    );
    // A constant outside the range of the narrow type cannot be added inside the extension.
    assert!(wide.add_constant(Int::new(WIDE, 16), NoWrap::Known, &mut blobs).is_none());
    assert!(wide.add_constant(Int::new(WIDE, 15), NoWrap::Known, &mut blobs).is_some());
    assert!(signed.add_constant(Int::new(WIDE, 15), NoWrap::Known, &mut blobs).is_none());
    // The iteration number is truncated if the form is narrower, but never widened.
    assert!(CanonExpr::of_iv(WIDE, 1).replace_iv(1, &CanonExpr::of_iv(NARROW, 2), &mut blobs).is_none());
    assert!(iv.replace_iv(1, &CanonExpr::of_iv(WIDE, 2), &mut blobs).is_some_and(|f| f.text(&blobs) == "i2"));
    let product = CanonExpr::of_iv(WIDE, 1).mul(&CanonExpr::of_iv(WIDE, 2), NoWrap::Known, &mut blobs);
    assert!(product.is_none(), "a product of two induction variables is not linear");
}

/// `A[0][2*i][b*i]` on `int A[10][10]`: the sum that the document (docs/hir-terms.md) computes for the stride.
#[test]
fn blobs_are_coefficients_and_add_up() {
    let mut blobs = six_temps();
    let b = blobs.temps().nth(3).expect("a variable");
    let b = CanonExpr::of_temp(&mut blobs, b, 0);
    let by = |form: &CanonExpr, c: u128, blobs: &mut Blobs| {
        form.mul_constant(Int::new(WIDE, c), NoWrap::Unknown, blobs).expect("a product")
    };
    let iv = CanonExpr::of_iv(WIDE, 1);
    let row = by(&iv, 80, &mut blobs);
    let column = iv.mul(&b, NoWrap::Unknown, &mut blobs).expect("a product");
    assert_eq!(column.text(&blobs), "%x * i1");
    let column = by(&column, 4, &mut blobs);
    let all = row.add(&column, NoWrap::Unknown, &mut blobs).expect("a sum");
    assert_eq!(all.ivs().len(), 1, "one coefficient per level");
    let back = all.sub(&column, NoWrap::Unknown, &mut blobs).expect("a difference");
    assert!(back.same_as(&row), "{}", back.text(&blobs));
    let next = all.shift_iv(1, &CanonExpr::of_constant(Int::one(WIDE)), &mut blobs).expect("a form");
    let stride = next.sub(&all, NoWrap::Unknown, &mut blobs).expect("a difference");
    assert_eq!(stride.text(&blobs), "4 * %x + 80");
}
