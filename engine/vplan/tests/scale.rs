//! Nests of the maximum size and beyond: no step takes quadratic time, and nothing recurses.

#[path = "it/common/mod.rs"]
mod common;

use backedge_vplan::build::Landing;
use backedge_vplan::massage::{Massagings, NothingUniform};
use backedge_vplan::{hierarchy, verify};
use common::{after, body, in_form, module, named, plans};
use std::fmt::Write;
use std::time::{Duration, Instant};

/// A loop with the body `inside`, which leads from `%first` to `%last`.
fn around(inside: &str) -> String {
    format!(
        "define i32 @f(i32 %n, i32 %k) {{\nentry:\n  br label %loop\nloop:\n  \
         %i = phi i32 [ 0, %entry ], [ %j, %last ]\n  br label %first\n{inside}\n  %j = add i32 %i, 1\n  \
         %again = icmp ult i32 %j, %n\n  br i1 %again, label %loop, label %exit\nexit:\n  ret i32 %j\n}}\n"
    )
}

/// Builds, massages, executes and verifies the plans of `@f`; returns the number of regions of the first plan, if any.
fn regions(text: &str) -> Option<usize> {
    let module = in_form(&module(text));
    let func = named(&module);
    let start = Instant::now();
    let mut plans = plans(&module, func, Landing::default());
    for plan in &mut plans {
        Massagings::ALL.run(plan, &NothingUniform);
        hierarchy::build(plan);
        assert_eq!(verify::plain(plan, body(&module, func)), []);
        assert_eq!(verify::hierarchy(plan), []);
    }
    assert!(start.elapsed() < Duration::from_secs(10), "took {:?}", start.elapsed());
    println!("{:?}", start.elapsed());
    after(&module, "vplan-roundtrip");
    plans.first().map(|plan| plan.regions().len())
}

/// Nested branches with one common join, which is split into as many exits as there are branches.
fn shared_exit(branches: usize) -> String {
    let mut inside = String::from("first:\n  br label %b0\n");
    for n in 0..branches {
        let next = if n + 1 < branches { format!("b{}", n + 1) } else { "end".to_owned() };
        let _ = writeln!(
            inside,
            "b{n}:\n  %c{n} = icmp eq i32 %k, {n}\n  br i1 %c{n}, label %o{n}, label %{next}\no{n}:\n  br label %last"
        );
    }
    inside += "end:\n  br label %last\nlast:\n  %v = phi i32 [ -1, %end ]";
    for n in 0..branches {
        let _ = write!(inside, ", [ {n}, %o{n} ]");
    }
    around(&inside)
}

#[test]
fn one_exit_of_many_branches() {
    // The Top Region, the loop region, and one region for each branch.
    assert_eq!(regions(&shared_exit(480)), Some(482));
}

#[test]
fn branches_in_a_row() {
    let mut inside = String::from("first:\n  br label %b0\n");
    for n in 0..320 {
        let _ = writeln!(
            inside,
            "b{n}:\n  %c{n} = icmp eq i32 %k, {n}\n  br i1 %c{n}, label %o{n}, label %b{m}\no{n}:\n  br label %b{m}",
            m = n + 1
        );
    }
    inside += "b320:\n  br label %last\nlast:";
    assert_eq!(regions(&around(&inside)), Some(322));
}

/// Nested loops; the innermost may leave all of them.
#[test]
fn loops_in_loops() {
    let depth = 60;
    let mut text = String::from("define i32 @f(i32 %n, i32 %k) {\nentry:\n  br label %h0\n");
    for n in 0..depth {
        let from = if n == 0 { "entry".to_owned() } else { format!("p{}", n - 1) };
        let _ = writeln!(
            text,
            "h{n}:\n  %i{n} = phi i32 [ 0, %{from} ], [ %j{n}, %l{n} ]\n  br label %p{n}\np{n}:"
        );
        let inner = if n + 1 < depth { format!("h{}", n + 1) } else { "body".to_owned() };
        let _ = writeln!(text, "  br label %{inner}");
    }
    text += "body:\n  %c = icmp eq i32 %i59, %k\n  br i1 %c, label %out, label %l59\n";
    for n in (0..depth).rev() {
        let next = if n == 0 { "exit".to_owned() } else { format!("l{}", n - 1) };
        let _ = writeln!(
            text,
            "l{n}:\n  %j{n} = add i32 %i{n}, 1\n  %c{n} = icmp ult i32 %j{n}, %n\n  br i1 %c{n}, label %h{n}, label %{next}"
        );
    }
    text += "out:\n  ret i32 %i59\nexit:\n  ret i32 %j0\n}\n";
    // Each loop except the outermost is masked.
    let found = regions(&text);
    assert!(found > Some(120), "{found:?}");
}

#[test]
fn a_switch_of_many_cases() {
    let mut inside = String::from("first:\n  switch i32 %k, label %last [");
    for n in 0..900 {
        let _ = write!(inside, " i32 {n}, label %o{}", n / 2);
    }
    inside += " ]\n";
    for n in 0..450 {
        let _ = writeln!(inside, "o{n}:\n  br label %last");
    }
    inside += "last:";
    assert!(regions(&around(&inside)).is_some());
}

#[test]
fn what_is_too_large_is_left_at_once() {
    assert_eq!(regions(&shared_exit(5_000)), None);
}
