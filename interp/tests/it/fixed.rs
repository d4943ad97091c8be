//! Fixed-point arithmetic, from its definition: all operands and scales of 4-bit integers, in exact fractions.

use crate::support;
use backedge_interp::chooser::EnumeratingChooser;
use backedge_interp::input::{ArgSpec, Input};
use backedge_interp::trace::NoObserver;
use backedge_interp::{Config, Machine, Program};
use std::collections::BTreeSet;

/// Bits of the operands: small enough to test all operands and scales.
const WIDTH: u32 = 4;

/// The allowed results: the integers adjacent to the exact result `over / under`, if the type has them.
fn allowed(over: i64, under: i64, (low, high): (i64, i64), saturates: bool) -> BTreeSet<String> {
    let (over, under) = if under < 0 { (-over, -under) } else { (over, under) };
    let floor = over.div_euclid(under);
    let ceiling = floor + i64::from(over.rem_euclid(under) != 0);
    let fit: BTreeSet<i64> = [floor, ceiling].into_iter().filter(|r| (low..=high).contains(r)).collect();
    if !fit.is_empty() {
        return fit.iter().map(i64::to_string).collect();
    }
    let nearest = if floor < low { low } else { high };
    [if saturates { nearest.to_string() } else { "fixed-point-overflow".to_owned() }].into()
}

#[test]
fn all_operands_of_four_bits() {
    for (signed, divides, saturates) in (0..8).map(|n| (n & 1 == 1, n & 2 == 2, n & 4 == 4)) {
        let name = format!(
            "{}{}.fix{}",
            if signed { "s" } else { "u" },
            if divides { "div" } else { "mul" },
            if saturates { ".sat" } else { "" }
        );
        for scale in 0..WIDTH + u32::from(!signed) {
            let text = format!(
                "define i4 @f(i4 %x, i4 %y) {{\n%r = call i4 @llvm.{name}.i4(i4 %x, i4 %y, i32 {scale})\nret i4 %r\n}}\n\
                 declare i4 @llvm.{name}.i4(i4, i4, i32)\n"
            );
            let module = support::module(&text);
            let program = Program::new(&module, &Config::default());
            let mut machine = Machine::new(&program, Config::default());
            let func = module.env.func_named("f").expect("it is there");
            let range = if signed { (-8, 7) } else { (0, 15) };
            for x in range.0..=range.1 {
                for y in range.0..=range.1 {
                    let input = Input::new([x, y].map(|v| ArgSpec::Int(v.into())).to_vec());
                    let mut chooser = EnumeratingChooser::new();
                    let mut found = BTreeSet::new();
                    loop {
                        let run = machine.run(func, &input, &mut chooser, &mut NoObserver).expect("it fits");
                        found.insert(match (run.outcome.ub(), run.value().and_then(|v| v.as_int(WIDTH))) {
                            (Some(kind), _) => kind.name().to_owned(),
                            (None, Some(int)) if signed => int.signed().to_string(),
                            (None, Some(int)) => int.bits().to_string(),
                            (None, None) => format!("{:?}", run.outcome),
                        });
                        if !chooser.advance() {
                            break;
                        }
                    }
                    let one = 1i64 << scale;
                    let expected = match (divides, y) {
                        (true, 0) => ["division-by-zero".to_owned()].into(),
                        (true, y) => allowed(x * one, y, range, saturates),
                        (false, y) => allowed(x * y, one, range, saturates),
                    };
                    assert_eq!(found, expected, "{name} of {x} and {y} at scale {scale}");
                }
            }
        }
    }
}
