//! Tests of the cost model and its choices.

use crate::common::{kind, of_loop};
use backedge_transform::cost::{MACHINES, Machine};
use backedge_vplan::cost::{Forced, Table, weigh};
use backedge_vplan::legality::{Legality, Limits, check};
use backedge_vplan::widen::{Recipe, plans};

fn legal(scev: &mut backedge_scev::ScalarEvolution<'_>, l: backedge_analysis::LoopId) -> Legality {
    check(scev, l, Limits::default()).unwrap_or_else(|missed| panic!("{missed}"))
}

fn weighed(text: &str, machine: &Machine, forced: Forced) -> Table {
    of_loop(text, |scev, l| {
        let legality = legal(scev, l);
        let plans = plans(scev, &legality, forced.lanes).expect("addresses that can be computed");
        weigh(scev, &legality, &plans, machine, forced)
    })
}

/// `p[i] = q[i * stride] + 1` for elements of a given type, with `trips` iterations.
fn copy(ty: &str, stride: u32, trips: &str) -> String {
    format!(
        "define void @f(ptr noalias %p, ptr noalias %q, i64 %n) {{\nentry:\n  br label %loop\nloop:\n  \
         %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]\n  %k = mul i64 %i, {stride}\n  \
         %from = getelementptr {ty}, ptr %q, i64 %k\n  %v = load {ty}, ptr %from\n  %w = add {ty} %v, 1\n  \
         %to = getelementptr {ty}, ptr %p, i64 %i\n  store {ty} %w, ptr %to\n  %i.next = add nuw nsw i64 %i, 1\n  \
         %more = icmp ult i64 %i.next, {trips}\n  br i1 %more, label %loop, label %exit\nexit:\n  ret void\n}}\n"
    )
}

fn sum(op: &str) -> String {
    format!(
        "define i32 @f(ptr %p, i64 %n) {{\nentry:\n  br label %loop\nloop:\n  \
         %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]\n  %s = phi i32 [ 0, %entry ], [ %t, %loop ]\n  \
         %at = getelementptr i32, ptr %p, i64 %i\n  %v = load i32, ptr %at\n  %x = {op}\n  %t = add i32 %s, %x\n  \
         %i.next = add nuw nsw i64 %i, 1\n  %more = icmp ult i64 %i.next, 1000\n  \
         br i1 %more, label %loop, label %exit\nexit:\n  ret i32 %t\n}}\n"
    )
}

#[test]
fn wide_registers_hold_more_lanes() {
    let chosen = |ty: &str, machine: &str| {
        let machine = Machine::named(machine).expect("a machine");
        weighed(&copy(ty, 1, "10000"), machine, Forced::default()).best().map(|row| row.lanes)
    };
    // Bytes fit into one register where 64-bit numbers need several.
    let lanes = |machine: &str| ["i8", "i64"].map(|ty| chosen(ty, machine).unwrap_or(1));
    for machine in MACHINES {
        let [bytes, words] = lanes(machine.name);
        assert!(bytes >= words && bytes == 16, "{}: {bytes} and {words}", machine.name);
    }
}

#[test]
fn unprofitable_loops_stay_scalar() {
    let machine = Machine::named("in-order").expect("a machine");
    // Each lane is loaded separately.
    let of_stride = |stride| weighed(&copy("i64", stride, "10000"), machine, Forced::default());
    let (gathered, whole) = (of_stride(9), of_stride(1));
    let pairs = gathered.rows.iter().zip(&whole.rows).skip(1);
    assert!(pairs.into_iter().all(|(g, w)| g.iteration > w.iteration * 3 / 2), "{gathered}\n{whole}");
    // Each lane is divided separately.
    let divided = weighed(&sum("sdiv i32 %v, 7"), machine, Forced::default());
    let before = divided.rows[0].iteration;
    assert!(divided.rows.iter().all(|row| row.iteration > before * 8 / 10), "{divided}");
    // Too few iterations to amortize the one-time cost.
    let few = weighed(&copy("i32", 1, "3"), machine, Forced::default());
    assert_eq!(few.best(), None, "{few}");
}

#[test]
fn sums_are_interleaved() {
    let table = weighed(&sum("xor i32 %v, 5"), &MACHINES[0], Forced::default());
    let best = table.best().expect("worth it");
    assert!(best.lanes >= 8 && best.parts == 4, "{table}");
    assert!(table.to_string().starts_with("weighed for ooo and 1000 iterations: 1x1 cost "), "{table}");
}

#[test]
fn a_sum_in_order_waits_for_each_addition() {
    let floats = |op: &str| {
        sum("xor i32 %v, 5")
            .replace("%x = xor i32 %v, 5", op)
            .replace("add i32 %s", "fadd float %s")
            .replace("phi i32 [ 0,", "phi float [ 0.0,")
            .replace("define i32", "define float")
            .replace("load i32", "load float")
            .replace("ret i32", "ret float")
    };
    let table = weighed(&floats("%x = fmul float %v, 2.0"), &MACHINES[0], Forced::default());
    assert_eq!(table.best(), None, "{table}");
    let costs: Vec<u32> = table.rows.iter().map(|row| row.iteration).collect();
    assert!(costs.len() > 2 && costs.iter().all(|cost| *cost == 160), "{table}");
    // If there is enough other work, it is vectorized.
    let table = weighed(
        &floats("%d = fdiv float 1.0, %v\n  %x = fdiv float %d, 3.0"),
        &MACHINES[0],
        Forced::default(),
    );
    assert!(table.best().is_some(), "{table}");
    let reordered = floats("%x = fmul float %v, 2.0").replace("= fadd float", "= fadd reassoc float");
    assert!(weighed(&reordered, &MACHINES[0], Forced::default()).best().is_some());
}

#[test]
fn what_is_asked_for_is_taken() {
    let forced = Forced { lanes: Some(4), parts: Some(2) };
    let table = weighed(&copy("i64", 9, "3"), &MACHINES[0], forced);
    assert_eq!(table.best().map(|row| (row.lanes, row.parts)), Some((4, 2)), "{table}");
}

#[test]
fn no_more_lanes_than_memory_allows() {
    let text = "define void @f(ptr %p) {\nentry:\n  br label %loop\nloop:\n  \
        %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]\n  %from = getelementptr i32, ptr %p, i64 %i\n  \
        %v = load i32, ptr %from\n  %k = add i64 %i, 5\n  %to = getelementptr i32, ptr %p, i64 %k\n  \
        store i32 %v, ptr %to\n  %i.next = add nuw nsw i64 %i, 1\n  %more = icmp ult i64 %i.next, 1000\n  \
        br i1 %more, label %loop, label %exit\nexit:\n  ret void\n}\n";
    let table = weighed(text, &MACHINES[0], Forced::default());
    assert!(table.rows.iter().all(|row| row.lanes * row.parts <= 5), "{table}");
    assert!(table.rows.iter().any(|row| row.lanes == 4), "{table}");
    let forced = Forced { lanes: Some(8), parts: None };
    assert_eq!(weighed(text, &MACHINES[0], forced).best(), None);
}

/// The recipes of the plan for `lanes` lanes, each with the name of its value.
fn recipes(text: &str, lanes: u32) -> Vec<(String, Recipe)> {
    of_loop(text, |scev, l| {
        let legality = legal(scev, l);
        let plans = plans(scev, &legality, Some(lanes)).expect("addresses that can be computed");
        let body = scev.body();
        let name = |recipe: &Recipe| {
            recipe.inst().and_then(|i| body.value_name(i.into())).unwrap_or_default().to_owned()
        };
        plans.all[0].recipes().map(|recipe| (name(recipe), recipe.clone())).collect()
    })
}

/// The variant name of the recipe for `name`.
fn of(recipes: &[(String, Recipe)], name: &str) -> String {
    recipes.iter().find(|(named, _)| named == name).map(|(_, recipe)| kind(recipe)).unwrap_or_default()
}

#[test]
fn counters_and_addresses_need_no_vectors() {
    let recipes = recipes(&copy("i32", 1, "%n"), 4);
    assert_eq!(["v", "w"].map(|name| of(&recipes, name)), ["Memory", "Widen"]);
    assert_eq!(["k", "from", "to"].map(|name| of(&recipes, name)), ["First"; 3].map(str::to_owned));
    assert_eq!(of(&recipes, "i"), "ScalarSteps");
    // They have no users in vector code.
    assert_eq!(["more", "i.next"].map(|name| of(&recipes, name)), [""; 2]);
}

#[test]
fn common_values_are_computed_once() {
    let text = copy("i64", 1, "%n").replace(
        "%w = add i64 %v, 1",
        "%d = lshr i64 %i, 2\n  %at = getelementptr i64, ptr %table, i64 %d\n  %s = load i64, ptr %at\n  \
         %r = and i64 %i, 3\n  %t = add i64 %s, %r\n  %u = mul i64 %s, 3\n  %w = add i64 %v, %t\n  %x = add i64 %w, %u",
    );
    let text = text
        .replace("store i64 %w", "store i64 %x")
        .replace("ptr noalias %q,", "ptr noalias %q, ptr noalias %table,");
    let four = recipes(&text, 4);
    // `i / 4` and the value loaded with it are the same in four lanes; `i % 4` is known in each lane.
    assert_eq!(["d", "at"].map(|name| of(&four, name)), ["First"; 2].map(str::to_owned));
    assert_eq!(["s", "u"].map(|name| of(&four, name)), ["Clone"; 2].map(str::to_owned));
    assert_eq!(["r", "t", "w"].map(|name| of(&four, name)), ["Fixed", "Widen", "Widen"]);
    let eight = recipes(&text, 8);
    assert_eq!(["d", "at", "s", "r"].map(|name| of(&eight, name)), ["Widen", "Widen", "Memory", "Fixed"]);
}
