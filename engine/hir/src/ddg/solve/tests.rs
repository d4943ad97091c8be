//! Random systems against all their points, and the test classes of the literature.

use super::*;

fn plenty() -> Steps {
    Steps(u32::MAX)
}

/// Random systems with small intervals, checked against all points.
#[test]
fn nothing_that_holds_is_lost() {
    let mut state = 12345u64;
    let mut dice = move |n: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % n) as i128
    };
    let (mut holds, mut proved) = (0, 0);
    for case in 0..4000 {
        let mut system = System::default();
        let boxes: Vec<(i128, i128)> = (0..3).map(|_| (dice(9) - 4, dice(6))).collect();
        let vars: Vec<Var> = boxes.iter().map(|(lo, n)| system.add_var(Interval::new(*lo, lo + n))).collect();
        let mut all = Vec::new();
        for _ in 0..=dice(3) {
            let terms: Vec<(Var, i128)> = vars.iter().map(|v| (*v, dice(13) - 6)).collect();
            let terms: Vec<(Var, i128)> = terms.into_iter().filter(|(_, c)| *c != 0).collect();
            let lo = dice(25) - 12;
            let bounds = match dice(4) {
                0 => Interval { lo: Some(lo), hi: None },
                1 => Interval { lo: None, hi: Some(lo) },
                2 => Interval::new(lo, lo),
                _ => Interval::new(lo, lo + dice(4)),
            };
            let form = Linear { terms, constant: dice(5) - 2 };
            system.require(&form, bounds);
            all.push((form, bounds));
        }
        let mut points = Vec::new();
        for x in 0..=boxes[0].1 {
            for y in 0..=boxes[1].1 {
                for z in 0..=boxes[2].1 {
                    let at = [boxes[0].0 + x, boxes[1].0 + y, boxes[2].0 + z];
                    let value =
                        |f: &Linear| f.terms.iter().map(|(v, c)| at[*v] * c).sum::<i128>() + f.constant;
                    let inside = |(f, b): &(Linear, Interval)| Interval::new(value(f), value(f)).is_in(*b);
                    if all.iter().all(inside) {
                        points.push(at);
                    }
                }
            }
        }
        let mut narrowed = system.clone();
        let mut may = narrowed.narrow(&mut plenty());
        if may {
            narrowed.derive(&mut plenty());
            may = narrowed.narrow(&mut plenty());
        }
        for point in &points {
            assert!(may, "case {case}: {system:?} holds at {point:?}");
            for var in &vars {
                let here = Interval::new(point[*var], point[*var]);
                assert!(here.is_in(narrowed.domain(*var)), "case {case}: {system:?} lost {point:?}");
            }
        }
        // With enough halvings the answer is exact.
        assert_eq!(system.may_hold(10_000, &mut plenty()), !points.is_empty(), "case {case}");
        holds += usize::from(!points.is_empty());
        proved += usize::from(points.is_empty() && !may);
    }
    assert!(holds > 500 && proved > 500, "{holds} hold, {proved} do not without halving");
}

/// An upper bound that is an unknown interacts with an equation for that unknown.
#[test]
fn bounds_that_are_unknowns() {
    let mut system = System::default();
    let [n, d, i] = [1, 1, 0].map(|lo| system.add_var(Interval::new(lo, i128::from(i64::MAX))));
    let form = |terms: &[(Var, i128)]| Linear { terms: terms.to_vec(), constant: 0 };
    system.require(&form(&[(n, 4), (d, -4)]), Interval::new(-3, 3));
    system.require(&form(&[(n, 1), (d, -1), (i, -1)]), Interval { lo: Some(1), hi: None });
    assert!(system.clone().narrow(&mut plenty()), "not by intervals alone");
    system.derive(&mut plenty());
    assert!(!system.narrow(&mut plenty()));
}

/// One sum has a lower bound that exceeds its upper bound.
#[test]
fn bounds_on_one_sum() {
    let mut system = System::default();
    let [n, i] = [0, 0].map(|lo| system.add_var(Interval::new(lo, i128::from(i64::MAX))));
    let form = |terms: &[(Var, i128)]| Linear { terms: terms.to_vec(), constant: 0 };
    system.require(&form(&[(n, 2), (i, -2)]), Interval { lo: Some(-1), hi: None });
    let mut other = system.clone();
    system.require(&form(&[(i, 1), (n, -1)]), Interval { lo: Some(1), hi: None });
    assert!(system.clone().narrow(&mut plenty()), "not by intervals alone");
    system.derive(&mut plenty());
    assert!(!system.narrow(&mut plenty()));
    other.require(&form(&[(i, 1), (n, -1)]), Interval { lo: Some(0), hi: None });
    other.derive(&mut plenty());
    assert!(other.narrow(&mut plenty()), "both may be the same");
}

/// Coefficients with the bounds of their unknowns, the value of their sum, and whether the equation may hold.
type Case<'c> = (&'c str, &'c [(i128, Interval)], i128, bool);

/// The test classes of the literature, each decided without bisection.
#[test]
fn classes() {
    let upto = |n| Interval::new(0, n);
    let huge = Interval::new(0, i128::from(u64::MAX));
    let cases: [Case<'_>; 11] = [
        ("GCD", &[(2, huge), (-4, huge)], 1, false),
        ("Banerjee", &[(1, upto(9)), (1, upto(9))], 19, false),
        ("Banerjee, at the bound", &[(1, upto(9)), (1, upto(9))], 18, true),
        ("weak-zero, in bounds", &[(3, upto(9))], 27, true),
        ("weak-zero, beyond", &[(3, upto(9))], 30, false),
        ("weak-zero, between", &[(3, upto(9))], 28, false),
        ("exact, between", &[(7, upto(2)), (-5, upto(2))], 1, false),
        ("exact, one", &[(7, upto(3)), (-5, upto(4))], 1, true),
        ("exact, huge", &[(6, huge), (-9, huge)], 3, true),
        ("class, downwards", &[(-1, upto(9)), (1 << 64, Interval::ALL), (-(1 << 64), huge)], -9, true),
        ("class, beyond", &[(-1, upto(9)), (1 << 64, Interval::ALL), (-(1 << 64), huge)], -10, false),
    ];
    for (name, terms, value, may) in cases {
        let mut system = System::default();
        let terms = terms.iter().map(|(c, d)| (system.add_var(*d), *c)).collect();
        system.require(&Linear { terms, constant: 0 }, Interval::new(value, value));
        assert_eq!(system.narrow(&mut plenty()), may, "{name}: {system:?}");
    }
}
