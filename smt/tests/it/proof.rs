//! Proofs for all iterations: correct pairs are proved, wrong pairs never are, and a certificate only proves its own
//! pair.

use backedge_ir::module::Module;
use backedge_ir::parse::parse_module;
use backedge_smt::proof::{Certificate, Options, Outcome, prove, recheck};
use backedge_smt::refinement::{FunctionRef, Uninit};
use std::time::Duration;

fn options() -> Options {
    Options {
        units: 20_000_000,
        time: Duration::from_secs(600),
        memory: 4096,
        uninit: Uninit::Undef,
        undef_inputs: true,
        poison_inputs: true,
    }
}

fn module(text: &str) -> Module {
    parse_module(text.as_bytes()).expect("a module").module
}

fn function<'m>(module: &'m Module, name: &str) -> FunctionRef<'m> {
    FunctionRef { module, func: module.env.func_named(name).expect("a function") }
}

fn certificate(text: &str) -> Result<Certificate, String> {
    certificate_within(text, options().units)
}
fn certificate_within(text: &str, units: u64) -> Result<Certificate, String> {
    let module = module(text);
    let options = Options { units, ..options() };
    match prove(function(&module, "src"), function(&module, "tgt"), &options).outcome {
        Outcome::Refines(proved) => {
            assert!(proved.assumed().is_empty(), "{:?}", proved.assumed());
            Ok(proved.into_certificate())
        }
        Outcome::NotProved(why) => Err(why),
    }
}

/// A sum over a counter, computed by a multiplication or by a second counter.
const STRENGTH: &str = "
define i64 @src(i64 noundef %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi i64 [ 0, %entry ], [ %s.next, %loop ]
  %m = mul i64 %i, 12
  %s.next = add i64 %s, %m
  %i.next = add nuw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret i64 %s.next
}
define i64 @tgt(i64 noundef %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %m = phi i64 [ 0, %entry ], [ %m.next, %loop ]
  %s = phi i64 [ 0, %entry ], [ %s.next, %loop ]
  %s.next = add i64 %s, %m
  %m.next = add i64 %m, 12
  %i.next = add nuw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret i64 %s.next
}";

#[test]
fn strength_reduction_is_proved_at_full_width() {
    let certificate = certificate(STRENGTH).expect("a proof");
    let fact = "-12*source %i + target %m = 0";
    assert!(certificate.shown.iter().any(|line| line.contains(fact)), "{:#?}", certificate.shown);
}

#[test]
fn a_wrong_step_or_a_flag_that_fails_late_is_not_proved() {
    for (from, to) in [
        ("add i64 %m, 12", "add i64 %m, 13"),
        ("add i64 %m, 12", "add nsw i64 %m, 12"),
        ("add i64 %m, 12", "add nuw i64 %m, 12"),
        ("phi i64 [ 0, %entry ], [ %m.next, %loop ]", "phi i64 [ 12, %entry ], [ %m.next, %loop ]"),
        ("add i64 %s, %m\n  %m.next", "add nsw i64 %s, %m\n  %m.next"),
    ] {
        let (source, target) = STRENGTH.split_at(STRENGTH.find("define i64 @tgt").expect("the target"));
        let wrong = format!("{source}{}", target.replacen(from, to, 1));
        assert_ne!(wrong, STRENGTH);
        assert!(certificate_within(&wrong, 3_000_000).is_err(), "{to}");
    }
}

#[test]
fn a_certificate_is_a_proof_of_its_own_pair_alone() {
    let certificate = certificate(STRENGTH).expect("a proof");
    let text = serde_json::to_string(&certificate).expect("plain data");
    let read: Certificate = serde_json::from_str(&text).expect("the same");
    assert_eq!(read, certificate);
    let check = |text: &str, certificate: &Certificate| {
        let module = module(text);
        let report = recheck(function(&module, "src"), function(&module, "tgt"), certificate, &options());
        matches!(report.outcome, Outcome::Refines(_))
    };
    assert!(check(STRENGTH, &read));
    assert!(!check(&STRENGTH.replace("add i64 %m, 12", "add i64 %m, 8"), &read));
    // Any of its numbers may have been tampered with.
    let mut tried = 0;
    for (at, _) in text.match_indices(|c: char| c.is_ascii_digit()) {
        let mut other = text.clone().into_bytes();
        other[at] = if other[at] == b'9' { b'8' } else { other[at] + 1 };
        let other = String::from_utf8(other).expect("digits");
        if let Ok(other) = serde_json::from_str::<Certificate>(&other) {
            // The result may still be a proof, but not of another pair, and must not end the process.
            assert!(!check(&STRENGTH.replace("mul i64 %i, 12", "mul i64 %i, 11"), &other), "{other:?}");
            tried += 1;
        }
        if tried >= 40 {
            break;
        }
    }
    assert!(tried >= 20);
}

/// A loop that counts to `%n` in steps; only its termination is observable.
fn counting(step: u32, attributes: &str) -> String {
    format!(
        "
define void @src(i64 noundef %n) {attributes} {{
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %i.next = add i64 %i, {step}
  %done = icmp eq i64 %i.next, %n
  br i1 %done, label %exit, label %loop
exit:
  ret void
}}
define void @tgt(i64 noundef %n) {attributes} {{
  ret void
}}"
    )
}

#[test]
fn a_loop_that_may_run_for_ever_is_removed_only_where_it_must_make_progress() {
    assert!(certificate(&counting(1, "")).is_ok());
    let why = certificate(&counting(2, "")).expect_err("it may run for ever");
    assert!(why.contains("the source alone may run forever"), "{why}");
    assert!(certificate(&counting(2, "mustprogress")).is_ok());
    // In the other direction the target runs forever, and nothing excuses that.
    let reversed = |text: String| text.replace("@src", "@x").replace("@tgt", "@src").replace("@x", "@tgt");
    assert!(certificate(&reversed(counting(1, ""))).is_ok());
    let why = certificate(&reversed(counting(2, "mustprogress"))).expect_err("it may run for ever");
    assert!(why.contains("the target alone may run forever"), "{why}");
}

#[test]
fn a_target_that_must_make_progress_where_the_source_need_not_is_not_proved() {
    const MUST_PROGRESS: &str = "must make progress although the source need not";
    // Both run forever for odd bounds, which is UB in the target only.
    let text = counting(2, "");
    let (source, _) = text.split_at(text.find("define void @tgt").expect("the target"));
    for attribute in ["mustprogress", "willreturn"] {
        let target = source.replace("@src(i64 noundef %n) ", &format!("@tgt(i64 noundef %n) {attribute}"));
        let why = certificate(&format!("{source}{target}")).expect_err("the target may be undefined");
        let named = format!("`{attribute}`, which the source does not have");
        assert!(why.contains(&named) || why.contains(MUST_PROGRESS), "{why}");
    }
    let target = source
        .replace("@src", "@tgt")
        .replace("label %exit, label %loop", "label %exit, label %loop, !llvm.loop !0");
    let metadata = "!0 = distinct !{!0, !1}\n!1 = !{!\"llvm.loop.mustprogress\"}\n";
    let why = certificate(&format!("{source}{target}{metadata}")).expect_err("the target may be undefined");
    let named = "`llvm.loop.mustprogress` of a loop, which the source does not have";
    assert!(why.contains(named) || why.contains(MUST_PROGRESS), "{why}");
    let both = source.replace("label %exit, label %loop", "label %exit, label %loop, !llvm.loop !0");
    assert!(certificate(&format!("{both}{target}{metadata}")).is_ok());
}

#[test]
fn a_call_of_the_source_that_may_not_return_is_not_left_out_of_a_certificate() {
    const DIES: &str = "
declare void @die()
define i32 @src(i32 noundef %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %next ]
  %five = icmp eq i32 %i, 5
  br i1 %five, label %dies, label %next
dies:
  call void @die()
  br label %next
next:
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret i32 7
}
define i32 @tgt(i32 noundef %n) {
  ret i32 7
}";
    assert!(certificate(DIES).is_err());
    // The same pair without the call is proved; its certificate with forged steps does not prove the other pair.
    let without = DIES.replace("  call void @die()\n", "");
    let proof = serde_json::to_value(certificate(&without).expect("a proof")).expect("plain data");
    for (kind, argument) in [("Stays", None), ("Ends", Some(0)), ("Ends", Some(1))] {
        let mut forged = proof.clone();
        let steps = forged["draft"]["steps"].as_array_mut().expect("steps");
        let waiting = steps.iter().filter(|s| s["end"] == "Waits").map(|s| s["from"].clone());
        let waiting: Vec<serde_json::Value> = waiting.collect();
        assert!(!waiting.is_empty());
        for from in waiting {
            let source = match argument {
                None => serde_json::json!(kind),
                Some(within) => serde_json::json!({ kind: { "within": within } }),
            };
            steps.push(serde_json::json!({ "from": from, "end": "Stops", "source": source }));
        }
        let forged: Certificate = serde_json::from_value(forged).expect("a certificate");
        let module = module(DIES);
        let report = recheck(function(&module, "src"), function(&module, "tgt"), &forged, &options());
        assert!(matches!(report.outcome, Outcome::NotProved(_)), "{kind} {argument:?}");
    }
}

#[test]
fn memory_at_a_header_may_hold_what_the_function_has_stored_there() {
    // From the second iteration on, %q is %a, and the store changes the memory that it points to.
    let text = "
define i32 @src(ptr noalias noundef %a, ptr noundef %p, i64 noundef %n) {
entry:
  store ptr %a, ptr %p
  store i32 3, ptr %a
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %q = load ptr, ptr %p
  %before = load i32, ptr %q
  store i32 5, ptr %a
  %after = load i32, ptr %q
  %i.next = add i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret i32 %after
}";
    let target = text.replace("@src", "@tgt").replace("ret i32 %after", "ret i32 %before");
    let why = certificate(&format!("{text}{target}")).expect_err("they differ");
    assert!(why.contains("its own memory block"), "{why}");
}

/// A rotated loop that tests at its end, and counts up to the value of `@n`; `after` follows the call.
fn turned_around(after: &str) -> String {
    format!(
        "
@n = external global i32
define void @src() {{
entry:
  %n = load i32, ptr @n
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %done = icmp eq i32 %i, %n
  br i1 %done, label %exit, label %body
body:
  %i.next = add i32 %i, 1
  call void @use(i32 %i.next)
  br label %loop
exit:
  ret void
}}
define void @tgt() {{
entry:
  %n = load i32, ptr @n
  %none = icmp eq i32 %n, 0
  br i1 %none, label %exit, label %body
body:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %i.next = add i32 %i, 1
  call void @use(i32 %i.next)
  {after}
  br i1 %done, label %exit, label %body
exit:
  ret void
}}
declare void @use(i32)
"
    )
}

/// Whether the pair is proved, possibly only for inputs without undef bits.
fn proved(text: &str) -> bool {
    attempt(text, 20_000_000)
}
/// Whether the pair is not proved even with a considerable budget.
fn not_proved(text: &str) -> bool {
    !attempt(text, 3_000_000)
}
fn attempt(text: &str, units: u64) -> bool {
    let module = module(text);
    let options = Options { units, ..options() };
    let report = prove(function(&module, "src"), function(&module, "tgt"), &options);
    matches!(report.outcome, Outcome::Refines(_))
}

#[test]
fn a_loop_that_is_turned_around_meets_its_body_in_the_source() {
    assert!(proved(&turned_around("%done = icmp eq i32 %i.next, %n")));
    assert!(not_proved(&turned_around("%done = icmp eq i32 %i, %n")));
    assert!(not_proved(&turned_around("%m = load i32, ptr @n\n  %done = icmp eq i32 %i.next, %m")));
}

/// A load in a loop that stores to `at`, and the same load hoisted before the loop.
fn hoisted_load(params: &str) -> String {
    format!(
        "
define i32 @src(ptr %p, {params}, i32 noundef %n) {{
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %loop ]
  %v = load i32, ptr %p
  %s.next = add i32 %s, %v
  store i32 %s.next, ptr %q
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret i32 %s.next
}}
define i32 @tgt(ptr %p, {params}, i32 noundef %n) {{
entry:
  %v = load i32, ptr %p
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %loop ]
  %s.next = add i32 %s, %v
  store i32 %s.next, ptr %q
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret i32 %s.next
}}
"
    )
}

#[test]
fn a_load_is_hoisted_where_no_store_reaches_it() {
    assert!(proved(&hoisted_load("ptr noalias %q")));
    assert!(not_proved(&hoisted_load("ptr %q")));
}

/// A counter in memory that is promoted to a register, and written back to `back`.
fn promoted(value: &str, back: &str) -> String {
    format!(
        "
define void @src(ptr %p, i8 noundef %n) {{
entry:
  br label %loop
loop:
  %i = phi i8 [ 0, %entry ], [ %i.next, %loop ]
  %v = load i8, ptr %p
  %w = add i8 %v, %i
  store i8 %w, ptr %p
  %i.next = add nuw i8 %i, 1
  %more = icmp ult i8 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}}
define void @tgt(ptr %p, i8 noundef %n) {{
entry:
  %first = load i8, ptr %p
  br label %loop
loop:
  %i = phi i8 [ 0, %entry ], [ %i.next, %loop ]
  %v = phi i8 [ %first, %entry ], [ %w, %loop ]
  %w = add i8 %v, %i
  %i.next = add nuw i8 %i, 1
  %more = icmp ult i8 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  store i8 {value}, ptr {back}
  ret void
}}
"
    )
}

#[test]
fn what_is_kept_in_a_register_is_proved_if_it_is_written_back() {
    let text = promoted("%w", "%p");
    assert!(proved(&text));
    assert!(not_proved(&promoted("%v", "%p")));
    // Memories may differ inside the loop but not at the start; a certificate that allows that is invalid.
    let module = module(&text);
    let pair = (function(&module, "src"), function(&module, "tgt"));
    let Outcome::Refines(proved) = prove(pair.0, pair.1, &options()).outcome else {
        panic!("it is proved");
    };
    let mut json = serde_json::to_value(proved.certificate()).expect("a certificate");
    let apart = json.pointer_mut("/draft/apart").and_then(|a| a.as_array_mut()).expect("a list");
    assert!(!apart.is_empty());
    apart.clear();
    let forged: Certificate = serde_json::from_value(json).expect("a certificate");
    assert!(matches!(recheck(pair.0, pair.1, &forged, &options()).outcome, Outcome::NotProved(_)));
}

/// The sum of `value` over a counter from 0 to `%n - 1`, and the closed form `closed`.
fn closed_form(value: &str, closed: &str) -> String {
    format!(
        "
define i32 @src(i32 noundef %n) mustprogress {{
entry:
  br label %header
header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %body ]
  %c = icmp ult i32 %i, %n
  br i1 %c, label %body, label %exit
body:
  {value}
  %s.next = add i32 %s, %v
  %i.next = add nuw i32 %i, 1
  br label %header
exit:
  ret i32 %s
}}
define i32 @tgt(i32 noundef %n) mustprogress {{
entry:
  {closed}
  ret i32 %r
}}"
    )
}

#[test]
fn a_polynomial_in_place_of_a_sum_is_proved_unless_it_is_another_one() {
    let halved = |less: &str, wide: &str, shift: u32| {
        format!(
            "%w = zext i32 %n to {wide}\n  %m = add {wide} %w, {less}\n  %p = mul {wide} %w, %m\n  \
             %h = lshr {wide} %p, {shift}\n  %r = trunc {wide} %h to i32"
        )
    };
    let counter = "%v = add i32 %i, 0";
    assert!(certificate(&closed_form(counter, &halved("-1", "i64", 1))).is_ok());
    assert!(certificate(&closed_form(counter, &halved("-1", "i33", 1))).is_ok());
    let wraps = "%m = sub i32 %n, 1\n  %p = mul i32 %n, %m\n  %r = lshr i32 %p, 1".to_owned();
    for (value, closed) in [
        (counter, wraps),
        (counter, halved("1", "i64", 1)),
        (counter, halved("-1", "i64", 2)),
        ("%v = add i32 %i, 1", halved("-1", "i64", 1)),
        ("%v = xor i32 %i, 65536", halved("-1", "i64", 1)),
    ] {
        let module = module(&closed_form(value, &closed));
        let options = Options { units: 2_000_000, ..options() };
        let report = prove(function(&module, "src"), function(&module, "tgt"), &options);
        assert!(matches!(report.outcome, Outcome::NotProved(_)), "{value} {closed}");
    }
}

/// A thousand iterations, and the same in steps of four until `last`; one counter is computed from the other.
fn by_four(last: u32) -> String {
    format!(
        "define i32 @src(i32 noundef %x) {{
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %j = phi i32 [ 7, %entry ], [ %j.next, %loop ]
  %s = phi i32 [ %x, %entry ], [ %s.next, %loop ]
  %s.next = xor i32 %s, %j
  %j.next = add i32 %j, 3
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i.next, 1000
  br i1 %done, label %exit, label %loop
exit:
  ret i32 %s.next
}}
define i32 @tgt(i32 noundef %x) {{
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi i32 [ %x, %entry ], [ %s.3, %loop ]
  %low = trunc i64 %i to i32
  %j = mul i32 %low, 3
  %j.0 = add i32 %j, 7
  %j.1 = add i32 %j, 10
  %j.2 = add i32 %j, 13
  %j.3 = add i32 %j, 16
  %s.0 = xor i32 %s, %j.0
  %s.1 = xor i32 %s.0, %j.1
  %s.2 = xor i32 %s.1, %j.2
  %s.3 = xor i32 %s.2, %j.3
  %i.next = add nuw nsw i64 %i, 4
  %done = icmp eq i64 %i.next, {last}
  br i1 %done, label %exit, label %loop
exit:
  ret i32 %s.3
}}
"
    )
}

/// Usual runs are too short to reach the end, and only the last test determines the trip count.
#[test]
fn a_constant_number_of_rounds_is_proved_four_at_a_time() {
    assert!(proved(&by_four(1000)));
    assert!(not_proved(&by_four(1004)));
    // The last four iterations have no effect, but earlier ones do.
    assert!(proved(&by_four(996)));
    assert!(not_proved(&by_four(992)));
    assert!(not_proved(&by_four(1002)), "it never comes to that");
}

const HOISTED_FREEZE: &str = include_str!("../../../corpus/proofs/freeze/hoisted.ll");
const SUNK_FREEZE: &str = include_str!("../../../corpus/proofs/freeze/sunk.ll");
const UNSWITCHED_FREEZE: &str = include_str!("../../../corpus/proofs/freeze/unswitch-of-a-frozen-branch.ll");

/// Each iteration of the source may choose the value that the target chose once, whatever its name there.
#[test]
fn what_is_frozen_in_each_iteration_may_be_frozen_once() {
    assert!(proved(HOISTED_FREEZE));
    assert!(proved(UNSWITCHED_FREEZE));
    let swapped = UNSWITCHED_FREEZE
        .replace("%f, label %header, label %else.header", "%f, label %else.header, label %header");
    let of_another = HOISTED_FREEZE.replacen(
        "entry:\n  %f = freeze i8 %x",
        "entry:\n  %y = add i8 %x, 1\n  %f = freeze i8 %y",
        1,
    );
    for (text, wrong) in [(UNSWITCHED_FREEZE, &swapped), (HOISTED_FREEZE, &of_another)] {
        assert_ne!(text, wrong);
        assert!(not_proved(wrong), "{wrong}");
    }
    assert!(not_proved(SUNK_FREEZE));
}

const BY_EIGHT: &str = include_str!("../../../corpus/proofs/vectors/in-place-by-eight.ll");
const TO_ANOTHER_PLACE: &str = include_str!("../../../corpus/proofs/vectors/to-another-place-by-eight.ll");

/// Slightly wrong variants of the vectorized loop, as text replacements.
const WRONG_BY_EIGHT: [(&str, &str); 9] = [
    // The remainder is counted differently.
    ("and i64 %n1, -8", "and i64 %n1, -4"),
    ("icmp uge i64 %n1, 8", "icmp uge i64 %n1, 4"),
    // The scalar loop starts at the wrong place, or is skipped.
    ("[ %n.vec, %middle.block ]", "[ 0, %middle.block ]"),
    ("[ %n.vec, %middle.block ]", "[ %index, %middle.block ]"),
    ("icmp eq i64 %n1, %n.vec", "icmp eq i64 %n.vec, %n.vec"),
    // Lanes are at other addresses, or are swapped.
    ("%second = add nuw i64 %index, 4", "%second = add nuw i64 %index, 5"),
    ("%index.next = add nuw i64 %index, 8", "%index.next = add nuw i64 %index, 16"),
    (
        "%m2 = sub <4 x i32> zeroinitializer, %v2",
        "%w2 = shufflevector <4 x i32> %v2, <4 x i32> poison, <4 x i32> <i32 1, i32 0, i32 2, i32 3>\n  \
         %m2 = sub <4 x i32> zeroinitializer, %w2",
    ),
    // The promised alignment is larger than the known one.
    ("store <4 x i32> %m2, ptr %p2, align 4", "store <4 x i32> %m2, ptr %p2, align 16"),
];

#[test]
fn interleaved_lanes_are_proved_unless_they_are_wrong() {
    assert!(proved(BY_EIGHT));
    for (right, wrong) in WRONG_BY_EIGHT {
        let text = BY_EIGHT.replacen(right, wrong, 1);
        assert_ne!(text, BY_EIGHT);
        assert!(!attempt(&text, 1_000_000), "{wrong}");
    }
}

/// Indices are narrower than addresses.
#[test]
fn lanes_at_extended_indices_are_proved_unless_they_are_wrong() {
    let extended = |text: &str| text.replace("i64", "i32");
    assert!(proved(&extended(BY_EIGHT)));
    for (right, wrong) in WRONG_BY_EIGHT.iter().skip(3).step_by(2) {
        let text = BY_EIGHT.replacen(right, wrong, 1);
        assert_ne!(text, BY_EIGHT);
        assert!(!attempt(&extended(&text), 1_000_000), "{wrong}");
    }
}

#[test]
fn noalias_parameters_are_distinguished_in_vectorized_loops() {
    assert!(proved(TO_ANOTHER_PLACE));
    let shared = TO_ANOTHER_PLACE.replace("ptr noalias", "ptr");
    assert!(!attempt(&shared, 1_000_000));
    let too_many =
        TO_ANOTHER_PLACE.replacen("icmp eq i64 %index.next, 4096", "icmp eq i64 %index.next, 4104", 1);
    assert!(!attempt(&too_many, 1_000_000));
}

/// A source whose counter is wider than its bound, and a target that takes two steps at a time after a test and uses
/// the narrow counter: the target adds `%{step}`, and `%{mask}` is its bound.
fn two_at_a_time(wide: &str, mask: &str, step: &str) -> String {
    format!(
        "
define i32 @src(i32 noundef %n, ptr noundef %p) {{
entry:
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %loop, label %exit
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %q = getelementptr i8, ptr %p, i64 %i
  store i8 3, ptr %q
  %i.next = add i64 %i, 1
  %low = trunc i64 %i.next to i32
  %done = icmp eq i32 %low, %n
  br i1 %done, label %exit, label %loop
exit:
  ret i32 0
}}
define i32 @tgt(i32 noundef %n, ptr noundef %p) {{
entry:
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %check, label %exit
check:
  %enough = icmp uge i32 %n, 2
  br i1 %enough, label %ahead, label %rest
ahead:
  %most = and i32 %n, {mask}
  br label %pairs
pairs:
  %index = phi i32 [ 0, %ahead ], [ %index.next, %pairs ]
  %w = {wide} i32 %index to i64
  %a = getelementptr i8, ptr %p, i64 %w
  %b = getelementptr i8, ptr %a, i64 1
  store i8 3, ptr %a
  store i8 3, ptr %b
  %index.next = add i32 %index, {step}
  %end = icmp eq i32 %index.next, %most
  br i1 %end, label %middle, label %pairs
middle:
  %m = {wide} i32 %most to i64
  %all = icmp eq i32 %most, %n
  br i1 %all, label %exit, label %rest
rest:
  %from = phi i64 [ 0, %check ], [ %m, %middle ]
  br label %loop
loop:
  %i = phi i64 [ %from, %rest ], [ %i.next, %loop ]
  %q = getelementptr i8, ptr %p, i64 %i
  store i8 3, ptr %q
  %i.next = add i64 %i, 1
  %low = trunc i64 %i.next to i32
  %done = icmp eq i32 %low, %n
  br i1 %done, label %exit, label %loop
exit:
  ret i32 0
}}"
    )
}

#[test]
fn a_counter_that_is_narrower_than_the_source_s_is_extended() {
    for wide in ["zext", "sext"] {
        certificate(&two_at_a_time(wide, "-2", "2")).expect("a proof");
    }
}

#[test]
fn a_counter_that_goes_too_far_or_by_another_step_is_not_the_source_s() {
    for (mask, step) in [("-1", "2"), ("-2", "1"), ("-2", "4"), ("-4", "2"), ("1073741822", "2")] {
        assert!(certificate_within(&two_at_a_time("zext", mask, step), 5_000_000).is_err(), "{mask} {step}");
    }
}

#[test]
fn what_memory_held_in_runs_is_not_what_is_carried_in_lanes() {
    let right = include_str!("../../../corpus/proofs/vectors/twice-carried-by-eight.ll");
    for (from, to) in [
        ("extractelement <4 x i16> %18, i64 3", "extractelement <4 x i16> %18, i64 2"),
        ("extractelement <4 x i16> %17, i64 3", "extractelement <4 x i16> %18, i64 3"),
        ("[ %12, %vector.body ]\n  %4", "[ %14, %vector.body ]\n  %4"),
        ("%n.vec = and i64 999, -8", "%n.vec = and i64 1000, -8"),
        ("[ 33, %entry ], [ %20, %middle.block ]", "[ 33, %entry ], [ 0, %middle.block ]"),
    ] {
        let wrong = right.replacen(from, to, 1);
        assert_ne!(wrong, right, "{from}");
        assert!(certificate_within(&wrong, 5_000_000).is_err(), "{to}");
    }
}

/// Sums of two arrays, one of which is overwritten; the target takes four steps at a time if a runtime check shows that
/// the arrays do not overlap.
const CHECKED: &str = "
define void @src(i32 noundef %n, ptr noundef %x, ptr noundef %y) {
entry:
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %loop, label %end
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %p = getelementptr inbounds i32, ptr %x, i32 %i
  %q = getelementptr inbounds i32, ptr %y, i32 %i
  %a = load i32, ptr %p, align 4
  %b = load i32, ptr %q, align 4
  %c = xor i32 %a, %b
  store i32 %c, ptr %p, align 4
  %i.next = add i32 %i, 1
  %done = icmp eq i32 %i.next, %n
  br i1 %done, label %end, label %loop
end:
  ret void
}
define void @tgt(i32 noundef %n, ptr noundef %x, ptr noundef %y) {
entry:
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %check, label %end
check:
  %enough = icmp uge i32 %n, 4
  %less = add i32 %n, -1
  %wide = zext i32 %less to i64
  %bytes = mul i64 %wide, 4
  %last = add i64 %bytes, 3
  %y.last = getelementptr i8, ptr %y, i64 %last
  %y.fine = icmp uge ptr %y.last, %y
  %x.last = getelementptr i8, ptr %x, i64 %last
  %x.fine = icmp uge ptr %x.last, %x
  %y.below = icmp ult ptr %y.last, %x
  %x.below = icmp ult ptr %x.last, %y
  %apart = or i1 %y.below, %x.below
  %both.fine = and i1 %y.fine, %x.fine
  %fine = and i1 %enough, %both.fine
  %go = and i1 %fine, %apart
  br i1 %go, label %ahead, label %rest
ahead:
  %n.vec = and i32 %n, -4
  br label %vector
vector:
  %index = phi i32 [ 0, %ahead ], [ %index.next, %vector ]
  %p = getelementptr inbounds i32, ptr %x, i32 %index
  %q = getelementptr inbounds i32, ptr %y, i32 %index
  %a = load <4 x i32>, ptr %p, align 4
  %b = load <4 x i32>, ptr %q, align 4
  %c = xor <4 x i32> %a, %b
  store <4 x i32> %c, ptr %p, align 4
  %index.next = add nuw i32 %index, 4
  %vector.done = icmp eq i32 %index.next, %n.vec
  br i1 %vector.done, label %middle, label %vector
middle:
  %all = icmp eq i32 %n, %n.vec
  br i1 %all, label %end, label %rest
rest:
  %resume = phi i32 [ 0, %check ], [ %n.vec, %middle ]
  br label %loop
loop:
  %i = phi i32 [ %resume, %rest ], [ %i.next, %loop ]
  %s.p = getelementptr inbounds i32, ptr %x, i32 %i
  %s.q = getelementptr inbounds i32, ptr %y, i32 %i
  %s.a = load i32, ptr %s.p, align 4
  %s.b = load i32, ptr %s.q, align 4
  %s.c = xor i32 %s.a, %s.b
  store i32 %s.c, ptr %s.p, align 4
  %i.next = add i32 %i, 1
  %done = icmp eq i32 %i.next, %n
  br i1 %done, label %end, label %loop
end:
  ret void
}";

#[test]
fn arrays_that_a_check_shows_to_be_apart_are_read_past_each_other() {
    let module = module(CHECKED);
    let report = prove(function(&module, "src"), function(&module, "tgt"), &options());
    // Assumes memory without undef bits: otherwise the loads of both sides might see different values.
    assert!(matches!(report.outcome, Outcome::Refines(_)), "{:?}", report.outcome);
}

#[test]
fn checks_that_let_arrays_overlap_prove_nothing() {
    let (source, target) = CHECKED.split_at(CHECKED.find("define void @tgt").expect("the target"));
    for (from, to) in [
        // The checked range is shorter than the actual one.
        ("mul i64 %wide, 4", "mul i64 %wide, 0"),
        ("ptr %y, i64 %last", "ptr %y, i64 3"),
        // The check tests another condition, or its result is ignored.
        ("icmp ult ptr %y.last, %x", "icmp ugt ptr %y.last, %x"),
        ("icmp ult ptr %x.last, %y", "icmp ult ptr %y, %x.last"),
        ("%go = and i1 %fine, %apart", "%go = and i1 %fine, %fine"),
        ("%apart = or i1 %y.below, %x.below", "%apart = or i1 %y.below, %enough"),
        // The check is correct, but the code after it is wrong.
        (
            "%q = getelementptr inbounds i32, ptr %y, i32 %index",
            "%q = getelementptr inbounds i32, ptr %x, i32 %index",
        ),
        ("%c = xor <4 x i32> %a, %b", "%c = xor <4 x i32> %a, %a"),
        ("store <4 x i32> %c, ptr %p, align 4", "store <4 x i32> %c, ptr %q, align 4"),
    ] {
        let wrong = target.replacen(from, to, 1);
        assert_ne!(wrong, target);
        assert!(certificate_within(&format!("{source}{wrong}"), 5_000_000).is_err(), "{to}");
    }
}
