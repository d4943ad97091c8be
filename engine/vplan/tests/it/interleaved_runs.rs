//! Interleaved loads and stores in every order: group accesses must behave like the single accesses, for all members
//! that move up or down past others. Covers all short sequences of accesses, and longer random ones.

use crate::common::{Pair, formed};
use backedge_interp::Config;
use backedge_interp::input::{ArgSpec, Input};
use backedge_interp::memory::Contents;
use backedge_ir::print::module_to_string;
use backedge_pipeline::{Nobody, Options, parse_pipeline, run};
use backedge_testkit::Dice;
use std::fmt::Write;

/// An access in each iteration.
#[derive(Copy, Clone, Debug)]
struct Access {
    is_store: bool,
    /// The offset from the counter, in values.
    offset: u8,
}

/// A loop with the stride `step` (in values) and the given accesses in order. Loaded values are added to a sum. A
/// stored value depends on the last loaded one and differs from store to store.
fn program(accesses: &[Access], step: usize) -> String {
    let (mut body, mut last, mut sum) = (String::new(), "%n".to_owned(), "%sum".to_owned());
    for (k, Access { is_store, offset }) in accesses.iter().enumerate() {
        let _ = writeln!(body, "  %k{k} = add nuw nsw i64 %i, {offset}");
        let _ = writeln!(body, "  %at{k} = getelementptr inbounds i16, ptr %p, i64 %k{k}");
        if *is_store {
            let _ = writeln!(body, "  %s{k} = add i16 {last}, {}\n  store i16 %s{k}, ptr %at{k}", k + 3);
        } else {
            let _ = writeln!(body, "  %v{k} = load i16, ptr %at{k}\n  %m{k} = mul i16 %v{k}, {}", 2 * k + 1);
            let _ = writeln!(body, "  %t{k} = add i16 {sum}, %m{k}");
            (last, sum) = (format!("%v{k}"), format!("%t{k}"));
        }
    }
    format!(
        "define i16 @f(ptr %p, i16 %n) {{\nentry:\n  br label %loop\nloop:\n  %i = phi i64 [ 0, %entry ], [ %j, %loop ]\n  \
         %sum = phi i16 [ %n, %entry ], [ {sum}, %loop ]\n{body}  %j = add nuw nsw i64 %i, {step}\n  \
         %more = icmp ult i64 %j, {}\n  br i1 %more, label %loop, label %exit\nexit:\n  ret i16 {sum}\n}}\n",
        9 * step
    )
}

/// Vectorizes the loop, runs it, and returns whether a group access was created.
fn check(accesses: &[Access], step: usize, lanes: u32) -> bool {
    let source = formed(&program(accesses, step));
    let pass = format!("loop-vectorize<force-vector-width={lanes};force-vector-interleave=1>");
    let mut target = source.clone();
    let pass = parse_pipeline(&pass).expect("a pipeline");
    run(&mut target, &pass, Options::default(), &mut Nobody).expect("the pass");
    let bytes: Vec<u8> = (0..200u8).map(|k| k.wrapping_mul(37) ^ 0x5a).collect();
    let input = Input::new(vec![ArgSpec::Buffer(Box::new(Contents::from_bytes(bytes))), ArgSpec::Int(-7)]);
    let pair = Pair::new([&source, &target], &Config { fuel: 20_000, ..Config::default() });
    let text = module_to_string(&target);
    let verdict = pair.run(&input).unwrap_or_else(|why| panic!("{accesses:?} by {step}: {why}\n{text}"));
    assert_eq!(verdict, "refines", "{accesses:?} by {step}\n{text}");
    let wide = lanes * step as u32;
    // A load may end at the last member of the last lane.
    let loads = (wide - step as u32 + 2..=wide).any(|n| text.contains(&format!("load <{n} x i16>")));
    loads || text.contains(&format!("store <{wide} x i16>"))
}

#[test]
fn all_orders_of_a_few() {
    let mut grouped = 0;
    for count in 2..=4u32 {
        for number in 0..6u32.pow(count) {
            let accesses: Vec<Access> = (0..count)
                .map(|k| number / 6u32.pow(k) % 6)
                .map(|one| Access { is_store: one % 2 == 1, offset: (one / 2) as u8 })
                .collect();
            grouped += u32::from(check(&accesses, 2, 4));
        }
    }
    assert!(grouped > 200, "{grouped}");
}

#[test]
fn longer_ones() {
    let mut grouped = 0;
    for seed in backedge_testkit::seeds(3000) {
        let mut dice = Dice::new(seed);
        let step = dice.pick(&[2, 2, 3, 4]);
        let accesses: Vec<Access> = (0..4 + dice.below(5))
            .map(|_| Access { is_store: dice.one_in(2), offset: dice.below(step + 2) as u8 })
            .collect();
        let lanes = dice.pick(&[2, 4]);
        grouped += u32::from(check(&accesses, step, lanes));
    }
    println!("{grouped} with groups");
    assert!(grouped > 100, "{grouped}");
}
