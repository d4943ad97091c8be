//! Variables whose next value is already computed when an address derived from the current value is used, tested by
//! execution. `BACKEDGE_CASES` sets the number of loops, `BACKEDGE_SEED` the first seed.

use crate::common::apply::{Tally, compare, in_form, module, named, transformed};
use crate::common::rectangles::{RUNS, input};
use backedge_testkit::{Dice, seeds};
use rand::RngExt;

/// A loop that, in each iteration, computes an address from its variable, computes the variable's next value, and
/// uses the address, in an order chosen by `seed`.
fn walk(seed: u64) -> String {
    let mut rng = Dice::new(seed);
    let (ty, start, next) = if rng.random() {
        ("ptr", "%p", "getelementptr i8, ptr %x, i64 %by")
    } else {
        ("i64", "0", ["xor i64 %x, %by", "add nuw nsw i64 %x, %by"][rng.random_range(0..2)])
    };
    let mut address = vec![
        match (ty, rng.random_range(0..3)) {
            ("ptr", 0) => "%a0 = getelementptr inbounds i8, ptr %x, i64 %i",
            ("ptr", _) => "%a0 = getelementptr inbounds [3 x i8], ptr %x, i64 1, i64 2",
            (_, 0) => "%a0 = getelementptr [2 x i8], ptr %p, i64 %x, i64 %i",
            (_, 1) => "%w = mul nuw nsw i64 %x, 5\n  %a0 = getelementptr i8, ptr %p, i64 %w",
            _ => "%a0 = getelementptr inbounds i8, ptr %p, i64 %x",
        }
        .to_owned(),
    ];
    for step in 0..rng.random_range(0..3) {
        let index = ["%i", "3", "%by"][rng.random_range(0..3)];
        address.push(format!("%a{} = getelementptr inbounds i16, ptr %a{step}, i64 {index}", step + 1));
    }
    let at = address.len() - 1;
    let mut parts = vec![address.join("\n  "), format!("%next = {next}")];
    if rng.random() {
        parts.swap(0, 1);
    }
    let used = format!("%v = load i8, ptr %a{at}\n  %s.next = add i8 %s, %v\n  store i8 %s.next, ptr %a{at}");
    let place = if parts[1].starts_with("%next") { rng.random_range(1..3) } else { 2 };
    parts.insert(place, used);
    format!(
        "define i8 @f(ptr %p, ptr %q, i64 %n, i8 %m) {{\nentry:\n  br label %loop\nloop:\n  \
         %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]\n  %x = phi {ty} [ {start}, %entry ], [ %next, %loop ]\n  \
         %s = phi i8 [ %m, %entry ], [ %s.next, %loop ]\n  %from = getelementptr inbounds i8, ptr %q, i64 %i\n  \
         %l = load i8, ptr %from\n  %few = and i8 %l, 7\n  %by = zext nneg i8 %few to i64\n  {}\n  \
         %i.next = add nuw nsw i64 %i, 1\n  %more = icmp ult i64 %i.next, %n\n  \
         br i1 %more, label %loop, label %exit\nexit:\n  ret i8 %s.next\n}}\n",
        parts.join("\n  ")
    )
}

#[test]
fn addresses_are_of_the_value_before() {
    let mut tally = Tally::default();
    let cases = 300;
    let mut after = 0;
    for seed in seeds(cases) {
        let text = walk(seed);
        let is_after = text.find("%v = ") > text.find("%next = ");
        let mut source = module(&text);
        in_form(&mut source);
        let Some((target, trees)) = transformed(&source, named(&source), &mut |_, _| true) else { continue };
        after += u64::from(is_after);
        let mut inputs = (0..RUNS).map(|run| input(seed * RUNS + run));
        let what = || format!("seed {seed}\n{trees}");
        compare([&source, &target], named(&source), &mut inputs, &mut tally, &what, 20_000);
    }
    println!("{tally:?}, {after} after the next value");
    assert!(after >= cases / 3 && tally.refined >= cases, "{tally:?}, {after}");
}
