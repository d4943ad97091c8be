//! Results of the legality analysis of innermost loops, kind by kind, and reasons for rejection.

use crate::common::of_loop;
use backedge_vplan::legality::{Limits, check};

/// The facts about the loop of `@f`, or the name of the reason for its rejection.
fn found(text: &str) -> String {
    of_loop(text, |scev, l| match check(scev, l, Limits::default()) {
        Ok(legality) => legality.to_text(scev),
        Err(missed) => format!("{}\n", missed.name()),
    })
}

/// `@f` with a single-block loop that runs `%n` times from 0, with the given phis, instructions and exit block.
fn one_block(phis: &str, body: &str, exit: &str) -> String {
    format!(
        "declare i32 @llvm.smax.i32(i32, i32)\ndeclare float @llvm.minnum.f32(float, float)\n\
         declare float @llvm.maximum.f32(float, float)\ndeclare void @ext()\n\
         declare float @llvm.fmuladd.f32(float, float, float)\ndeclare i32 @silent(i32) memory(none) nounwind willreturn\n\
         declare i32 @reads(i32) memory(read) nounwind willreturn\ndeclare i32 @stays(i32) memory(none) nounwind\n\
         define i32 @f(ptr noalias %p, ptr noalias %q, ptr %r, i64 %n, i32 %a, i1 %c, float %x) {{\nentry:\n  \
         br label %loop\nloop:\n  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]\n  {phis}\n  {body}\n  \
         %i.next = add nuw nsw i64 %i, 1\n  %more = icmp ult i64 %i.next, %n\n  \
         br i1 %more, label %loop, label %exit\nexit:\n  {exit}\n}}\n"
    )
}

/// The lines of [`found`] that begin with `what`, for such a loop.
fn lines(what: &str, phis: &str, body: &str, exit: &str) -> String {
    let text = found(&one_block(phis, body, exit));
    let lines: Vec<&str> = text.lines().filter(|l| l.starts_with(what)).collect();
    if lines.is_empty() { text } else { lines.join("\n") }
}

#[test]
fn inductions() {
    let phi = |phi: &str, next: &str| lines("phi", phi, next, "ret i32 0");
    let i = "phi %i: induction from 0 by 1\n";
    assert_eq!(phi("", ""), i.trim_end());
    let cases = [
        ("i32 [ %a, %entry ], [ %next, %loop ]", "add i32 %j, %a", "%a by %a"),
        ("i32 [ 7, %entry ], [ %next, %loop ]", "sub i32 %j, %a", "7 by (-1 * %a)"),
        ("i8 [ 0, %entry ], [ %next, %loop ]", "add i8 %j, -3", "0 by -3"),
        ("ptr [ %p, %entry ], [ %next, %loop ]", "getelementptr i32, ptr %j, i64 2", "%p by 8"),
    ];
    for (ty, next, expected) in cases {
        let got = phi(&format!("%j = phi {ty}"), &format!("%next = {next}"));
        assert_eq!(got, format!("{i}phi %j: induction from {expected}"));
    }
}

#[test]
fn reductions() {
    let load = "%at = getelementptr i32, ptr %p, i64 %i\n  %v = load i32, ptr %at";
    let of = |next: &str| {
        lines(
            "phi %s",
            "%s = phi i32 [ %a, %entry ], [ %next, %loop ]",
            &format!("{load}\n  {next}"),
            "ret i32 %next",
        )
    };
    let cases = [
        ("%next = add nsw i32 %s, %v", "reduction add from %a by %next"),
        ("%next = sub i32 %s, %v", "reduction add from %a by %next"),
        ("%next = mul i32 %v, %s", "reduction mul from %a by %next"),
        ("%next = and i32 %v, %s", "reduction and from %a by %next"),
        ("%next = or i32 %v, %s", "reduction or from %a by %next"),
        ("%next = xor i32 %v, %s", "reduction xor from %a by %next"),
        ("%next = call i32 @llvm.smax.i32(i32 %v, i32 %s)", "reduction smax from %a by %next"),
        (
            "%l = icmp ult i32 %s, %v\n  %next = select i1 %l, i32 %s, i32 %v",
            "reduction umin from %a by %l, %next",
        ),
        (
            "%l = icmp ult i32 %s, %v\n  %next = select i1 %l, i32 %v, i32 %s",
            "reduction umax from %a by %l, %next",
        ),
        (
            "%l = icmp sge i32 %v, %s\n  %next = select i1 %l, i32 %v, i32 %s",
            "reduction smax from %a by %l, %next",
        ),
        // A condition independent of the chain; several operations.
        (
            "%t = add i32 %s, %v\n  %k = icmp eq i32 %v, 7\n  %u = select i1 %k, i32 %t, i32 %s\n  %next = add i32 %u, %a",
            "reduction add from %a by %t, %u, %next",
        ),
        // Stored to an address that no other access touches.
        ("%next = add i32 %s, %v\n  store i32 %next, ptr %q", "reduction add from %a by %next"),
        ("%k = icmp eq i32 %v, 7\n  %next = select i1 %k, i32 %a, i32 %s", "any-of %a from %a by %next"),
        ("%k = icmp eq i32 %v, 7\n  %next = select i1 %k, i32 %s, i32 3", "any-of 3 from %a by %next"),
        ("%k = icmp eq i32 %v, 7\n  %next = select i1 %k, i32 %v, i32 %s", "find-last from %a by %next"),
    ];
    for (next, expected) in cases {
        assert_eq!(of(next), format!("phi %s: {expected}"), "{next}");
    }
    let refused = [
        // With swapped operands it is no sum.
        "%next = sub i32 %v, %s",
        // Two kinds; both operands in the chain; a use of an intermediate value.
        "%t = add i32 %s, %v\n  %next = mul i32 %t, %v",
        "%next = add i32 %s, %s",
        // The result is stored to varying addresses; the previous value is stored.
        "%next = add i32 %s, %v\n  store i32 %next, ptr %at",
        "%next = add i32 %s, %v\n  store i32 %s, ptr %r",
        // The choice depends on the chain.
        "%k = icmp eq i32 %s, 7\n  %t = add i32 %s, %v\n  %next = select i1 %k, i32 %t, i32 %s",
        // No minimum: the compared value is not the selected one.
        "%l = icmp ult i32 %s, 5\n  %next = select i1 %l, i32 %v, i32 %s",
        "%next = shl i32 %s, 1",
    ];
    for next in refused {
        assert_eq!(of(next), "NonReductionValueUsedOutsideLoop\n", "{next}");
    }
}

#[test]
fn floating_point_reductions() {
    let load = "%at = getelementptr float, ptr %p, i64 %i\n  %v = load float, ptr %at";
    let of = |next: &str| {
        lines(
            "phi %s",
            "%s = phi float [ %x, %entry ], [ %next, %loop ]",
            &format!("{load}\n  {next}"),
            "ret i32 0",
        )
    };
    let cases = [
        ("%next = fadd reassoc float %s, %v", "phi %s: reduction fadd from %x by %next"),
        ("%next = fsub fast float %s, %v", "phi %s: reduction fadd from %x by %next"),
        ("%next = fmul reassoc nsz float %v, %s", "phi %s: reduction fmul from %x by %next"),
        ("%next = fadd float %s, %v", "phi %s: reduction fadd in order from %x by %next"),
        ("%next = fmul float %s, %v", "CantReorderFPOps\n"),
        (
            "%next = call reassoc float @llvm.fmuladd.f32(float %v, float %x, float %s)",
            "phi %s: reduction fadd from %x by %next",
        ),
        ("%next = call float @llvm.fmuladd.f32(float %v, float %x, float %s)", "CantReorderFPOps\n"),
        (
            "%next = call reassoc float @llvm.fmuladd.f32(float %v, float %s, float %x)",
            "NonReductionValueUsedOutsideLoop\n",
        ),
        ("%t = fadd float %s, %v\n  %next = fadd reassoc float %t, %v", "CantReorderFPOps\n"),
        (
            "%next = call nnan nsz float @llvm.minnum.f32(float %s, float %v)",
            "phi %s: reduction fmin from %x by %next",
        ),
        ("%next = call float @llvm.minnum.f32(float %s, float %v)", "NonReductionValueUsedOutsideLoop\n"),
        (
            "%next = call float @llvm.maximum.f32(float %s, float %v)",
            "phi %s: reduction fmaximum from %x by %next",
        ),
        (
            "%l = fcmp nnan olt float %s, %v\n  %next = select nnan nsz i1 %l, float %s, float %v",
            "phi %s: reduction fmin from %x by %l, %next",
        ),
        (
            "%l = fcmp olt float %s, %v\n  %next = select nsz i1 %l, float %s, float %v",
            "NonReductionValueUsedOutsideLoop\n",
        ),
    ];
    for (next, expected) in cases {
        assert_eq!(of(next), expected, "{next}");
    }
}

#[test]
fn recurrences() {
    let of = |body: &str| lines("phi %s", "%s = phi i32 [ %a, %entry ], [ %v, %loop ]", body, "ret i32 0");
    let load = "%at = getelementptr i32, ptr %p, i64 %i\n  %v = load i32, ptr %at";
    let store = "%to = getelementptr i32, ptr %q, i64 %i\n  store i32 %u, ptr %to";
    assert_eq!(of(&format!("{load}\n  %u = add i32 %s, %v\n  {store}")), "phi %s: recurrence of %v from %a");
    assert_eq!(
        of(&format!("%t = add i32 %s, 1\n  {load}\n  %u = add i32 %t, %v\n  {store}")),
        "phi %s: recurrence of %v from %a, moving %t"
    );
    // The next value of one recurrence is moved for another: the users of the first would have to be moved again.
    let two = lines(
        "phi %s",
        "%s = phi i32 [ %a, %entry ], [ %v, %loop ]\n  %r2 = phi i32 [ %a, %entry ], [ %t, %loop ]",
        &format!("%t = add i32 %s, 1\n  %w = add i32 %r2, 1\n  {load}\n  %u = add i32 %w, %t\n  {store}"),
        "ret i32 0",
    );
    assert_eq!(two, "RecurrenceOrder\n");
    // A user that cannot be moved; a next value that depends on the phi.
    assert_eq!(of(&format!("store i32 %s, ptr %q\n  {load}")), "RecurrenceOrder\n");
    assert_eq!(
        of("%at = getelementptr i32, ptr %p, i32 %s\n  %v = load i32, ptr %at"),
        "NonReductionValueUsedOutsideLoop\n"
    );
}

#[test]
fn accesses() {
    let of = |address: &str| lines("load", "", &format!("{address}\n  %v = load i32, ptr %at"), "ret i32 0");
    let at = |index: &str| format!("{index}\n  %at = getelementptr i32, ptr %p, i64 %k");
    let cases = [
        (at("%k = add i64 %i, 5"), "consecutive"),
        (at("%k = sub i64 100, %i"), "reverse"),
        (at("%k = mul i64 %i, 3"), "strided by 12"),
        (at("%k = mul i64 %i, -2"), "strided by -8"),
        (at("%k = mul i64 %i, %n"), "scattered"),
        (at("%k = lshr i64 %i, 1"), "scattered"),
        (at("%k = and i64 %n, 7"), "uniform"),
        ("%at = getelementptr i8, ptr %p, i64 %i".to_owned(), "strided by 1"),
    ];
    for (address, expected) in cases {
        assert_eq!(of(&address), format!("load %v: {expected}"), "{address}");
    }
    let padded = "%at = getelementptr i24, ptr %p, i64 %i\n  %v = load i24, ptr %at";
    assert_eq!(lines("load", "", padded, "ret i32 0"), "IrregularType\n");
    let volatile = "%v = load volatile i32, ptr %p";
    assert_eq!(lines("load", "", volatile, "ret i32 0"), "NonSimpleAccess\n");
}

#[test]
fn accesses_that_interleave() {
    let of = |body: &str| lines("interleaved", "", body, "ret i32 0");
    let part = |name: &str, index: u32| {
        format!(
            "%{name}.k = add i64 %twice, {index}\n  %{name}.at = getelementptr i32, ptr %p, i64 %{name}.k\n  "
        )
    };
    let two = "%twice = mul i64 %i, 2\n  ";
    let both = format!(
        "{two}{}%x0 = load i32, ptr %a.at\n  {}%x1 = load i32, ptr %b.at",
        part("a", 0),
        part("b", 1)
    );
    assert_eq!(of(&both), "interleaved %x0 | %x1 at %x0");
    let crossed = format!(
        "{two}{}%x1 = load i32, ptr %b.at\n  {}%x0 = load i32, ptr %a.at",
        part("b", 1),
        part("a", 0)
    );
    assert_eq!(of(&crossed), "interleaved %x0 | %x1 at %x1");
    let stores =
        format!("{two}{}store i32 1, ptr %a.at\n  {}store i32 2, ptr %b.at", part("a", 0), part("b", 1));
    assert_eq!(
        of(&stores),
        "interleaved store i32 1, ptr %a.at | store i32 2, ptr %b.at at store i32 2, ptr %b.at"
    );
    let four = "%twice = mul i64 %i, 4\n  ";
    let gaps = format!(
        "{four}{}%x0 = load i32, ptr %a.at\n  {}%x1 = load i32, ptr %b.at",
        part("a", 0),
        part("b", 2)
    );
    assert_eq!(of(&gaps), "interleaved %x0 | - | %x1 | - at %x0");
    // A store that may alias is between the members.
    let between = format!(
        "{two}{}%x0 = load i32, ptr %a.at\n  {}store i32 %x0, ptr %c.at\n  {}%x1 = load i32, ptr %b.at",
        part("a", 0),
        part("c", 3),
        part("b", 1)
    );
    assert!(!of(&between).contains("interleaved"), "{}", of(&between));
}

#[test]
fn dependences() {
    let of = |load: &str, store: &str| {
        let body = format!(
            "%j = add i64 %i, {load}\n  %from = getelementptr i32, ptr %p, i64 %j\n  %v = load i32, ptr %from\n  \
             %k = add i64 %i, {store}\n  %to = getelementptr i32, ptr %p, i64 %k\n  store i32 %v, ptr %to"
        );
        let text = found(&one_block("", &body, "ret i32 0"));
        text.lines().filter(|l| l.starts_with("lanes") || !l.contains(' ')).collect::<Vec<_>>().join("\n")
    };
    // Read before it is written, also in vectors.
    assert_eq!(of("0", "0"), "");
    assert_eq!(of("1", "0"), "");
    assert_eq!(of("7", "0"), "");
    // Written that many iterations before it is read.
    assert_eq!(of("0", "1"), "UnsafeDep");
    assert_eq!(of("0", "2"), "lanes at most 2");
    assert_eq!(of("0", "9"), "lanes at most 9");
    assert_eq!(of("0", "1000"), "");
    let pair = |first: &str, second: &str| {
        let text = found(&one_block("", &format!("{first}\n  {second}"), "ret i32 0"));
        let keep = |l: &&str| l.starts_with("lanes") || l.starts_with("check") || !l.contains(' ');
        text.lines().filter(keep).collect::<Vec<_>>().join("\n")
    };
    // Even and odd elements.
    let even = "%e = shl i64 %i, 1\n  %at = getelementptr i32, ptr %p, i64 %e\n  %v = load i32, ptr %at";
    let odd =
        "%o = or disjoint i64 %e, 1\n  %to = getelementptr i32, ptr %p, i64 %o\n  store i32 %v, ptr %to";
    assert_eq!(pair(even, odd), "");
    // An invariant address: read, then written.
    assert_eq!(pair("%v = load i32, ptr %p", "%w = add i32 %v, 1\n  store i32 %w, ptr %p"), "UnsafeDep");
    // The last lane wins.
    assert_eq!(
        pair("store i32 %a, ptr %p", "%at = getelementptr i32, ptr %q, i64 %i\n  store i32 1, ptr %at"),
        ""
    );
    // At an unknown distance; with different strides; at unknown addresses.
    let shifted = "%k = add i64 %i, %n\n  %to = getelementptr i32, ptr %p, i64 %k\n  store i32 1, ptr %to";
    let plain = "%at = getelementptr i32, ptr %p, i64 %i\n  %v = load i32, ptr %at";
    assert_eq!(pair(plain, shifted), "check 0 against 1");
    assert_eq!(
        pair(even, "%to = getelementptr i32, ptr %p, i64 %i\n  store i32 %v, ptr %to"),
        "check 0 against 1"
    );
    let anywhere =
        "%far = mul i64 %i, %i\n  %to = getelementptr i32, ptr %p, i64 %far\n  store i32 1, ptr %to";
    assert_eq!(pair(plain, anywhere), "CantIdentifyArrayBounds");
}

#[test]
fn checks_at_run_time() {
    let text = found(
        "define void @f(ptr %p, ptr %q, i64 %n) {\nentry:\n  br label %loop\nloop:\n  \
         %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]\n  %from = getelementptr inbounds i32, ptr %q, i64 %i\n  \
         %v = load i32, ptr %from\n  %b = sub i64 %n, %i\n  %to = getelementptr inbounds i16, ptr %p, i64 %b\n  \
         %t = trunc i32 %v to i16\n  store i16 %t, ptr %to\n  %next.to = getelementptr i8, ptr %to, i64 2\n  \
         store i16 %t, ptr %next.to\n  %i.next = add nuw i64 %i, 1\n  %more = icmp ult i64 %i.next, %n\n  \
         br i1 %more, label %loop, label %exit\nexit:\n  ret void\n}\n",
    );
    let expected = "exit %loop -> %exit: counted (-1 + (1 umax %n))\ntaken (-1 + (1 umax %n))\n\
        phi %i: induction from 0 by 1\nload %v: consecutive\n\
        store store i16 %t, ptr %to: reverse\nstore store i16 %t, ptr %next.to: reverse\n\
        range 0: %q by 4, 0 to 3, taken at most 4611686018427387903\n\
        range 1: ((2 * %n) + %p) by -2, 0 to 3, taken at most 9223372036854775806\ncheck 0 against 1\n";
    assert_eq!(text, expected);
}

/// `@f` with a loop of several blocks.
fn blocks(signature: &str, code: &str) -> String {
    found(&format!(
        "declare void @ext()\ndefine i32 @f({signature}) {{\nentry:\n  br label %loop\n{code}\n}}\n"
    ))
}

#[test]
fn exits() {
    let two = |first: &str| {
        blocks(
            "ptr noalias dereferenceable(400) align 4 %p, i32 %n, i32 %m",
            &format!(
                "loop:\n  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]\n  %s = phi i32 [ 0, %entry ], [ %t, %latch ]\n  \
                 %x = zext i32 %i to i64\n  %at = getelementptr inbounds i32, ptr %p, i64 %x\n  {first}\nlatch:\n  \
                 %v = load i32, ptr %at\n  %t = add i32 %s, %v\n  %i.next = add nuw nsw i32 %i, 1\n  \
                 %more = icmp ult i32 %i.next, %n\n  br i1 %more, label %loop, label %done\ndone:\n  \
                 %r = phi i32 [ %s, %loop ], [ %t, %latch ]\n  ret i32 %r"
            ),
        )
    };
    let counted = two("%stop = icmp uge i32 %i, %m\n  br i1 %stop, label %done, label %latch");
    let expected = "exit %loop -> %done: counted %m\nexit %latch -> %done: counted (-1 + (1 umax %n))\n\
        taken (%m umin_seq (-1 + (1 umax %n))), scalar loop required\n\
        phi %i: induction from 0 by 1\nphi %s: reduction add from 0 by %t\nload %v: consecutive\n\
        out %r from %loop: scalar\nout %r from %latch: collected by %s\n";
    assert_eq!(counted, expected);
    // By data: loads must be dereferenceable in all iterations that may execute.
    let by_data =
        two("%w = load i32, ptr %at\n  %stop = icmp eq i32 %w, %m\n  br i1 %stop, label %done, label %latch");
    assert_eq!(by_data, "EarlyExitCount\n");
    // Nothing is loaded, so excess iterations do not matter.
    let by_square =
        two("%w = mul i32 %i, %i\n  %stop = icmp eq i32 %w, %m\n  br i1 %stop, label %done, label %latch");
    assert!(by_square.contains("tested %i, %w, %stop, then the scalar loop\n"), "{by_square}");
}

#[test]
fn exits_by_data() {
    let search = |bound: &str, attrs: &str, [first, test, more]: [&str; 3]| {
        blocks(
            &format!("ptr noalias {attrs} %p, ptr noalias %q, i32 noundef %n, i32 %m"),
            &format!(
                "loop:\n  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]\n  \
                 %before = phi i32 [ 0, %entry ], [ %v, %latch ]\n  {first}\n  \
                 %at = getelementptr inbounds i32, ptr %p, i64 %i\n  %v = load i32, ptr %at, align 4\n  \
                 {test}\n  br i1 %found, label %done, label %latch\nlatch:\n  {more}\n  \
                 %i.next = add nuw nsw i64 %i, 1\n  %more = icmp ne i64 %i.next, {bound}\n  \
                 br i1 %more, label %loop, label %none\ndone:\n  ret i32 1\nnone:\n  ret i32 0"
            ),
        )
    };
    let (readable, test) = ("dereferenceable(400) align 4", "%found = icmp eq i32 %v, %m");
    let expected = "exit %loop -> %done: by data\nexit %latch -> %none: counted 99\ntaken 99\n\
        phi %i: induction from 0 by 1\nphi %before: recurrence of %v from 0\nload %v: consecutive\n\
        tested %v, %found, then the lane that leaves\n";
    assert_eq!(search("100", readable, ["", test, ""]), expected);
    assert_eq!(search("101", readable, ["", test, ""]), "EarlyExitNotReadable\n");
    assert_eq!(search("100", "align 4", ["", test, ""]), "EarlyExitNotReadable\n");
    assert_eq!(search("100", "dereferenceable(400)", ["", test, ""]), "EarlyExitNotReadable\n");
    // Code after the test executes only if no lane leaves, or in the scalar loop.
    let after = |more: &str| search("100", readable, ["", test, more]);
    assert!(after("store i32 0, ptr %at").ends_with("tested %v, %found, then the scalar loop\n"));
    assert!(after("%d = udiv i32 1, %v").ends_with("tested %v, %found, then the lane that leaves\n"));
    let other = "%to = getelementptr i32, ptr %q, i64 %i\n  store i32 0, ptr %to";
    assert!(search("100", readable, [other, test, ""]).ends_with("then the scalar loop\n"));
    let same = "%to = getelementptr i32, ptr %p, i64 %i\n  store i32 0, ptr %to";
    assert_eq!(search("100", readable, [same, test, ""]), "EarlyExitStore\n");
    let of = |test: &str| search("100", readable, ["", test, ""]);
    assert_eq!(of("%d = udiv i32 1, %v\n  %found = icmp eq i32 %d, %m"), "EarlyExitUnsafe\n");
    assert!(of("%d = udiv i32 %v, 7\n  %found = icmp eq i32 %d, %m").contains("tested %v, %d, %found"));
    assert_eq!(of("%found = icmp eq i32 %v, %before"), "RecurrencesInEarlyExitLoop\n");
}

#[test]
fn calls() {
    let call = |callee: &str, ends: &str| {
        lines(
            "phi %s",
            "%s = phi i32 [ 0, %entry ], [ %t, %loop ]",
            &format!("{callee}\n  %t = add i32 %s, {ends}"),
            "ret i32 %t",
        )
    };
    let sum = "phi %s: reduction add from 0 by %t";
    assert_eq!(call("%y = call i32 @silent(i32 %a)", "%y"), sum);
    for callee in ["reads", "stays"] {
        assert_eq!(call(&format!("%y = call i32 @{callee}(i32 %a)"), "%y"), "CantVectorizeCall\n");
    }
    // In some iterations only.
    let masked = |given: &str, attrs: &str| {
        blocks(
            "ptr noalias %p, i64 %n, i1 %c",
            &format!(
                "loop:\n  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]\n  br i1 %c, label %then, label %latch\nthen:\n  \
                 %y = call i32 @one(i32 {given} 7) {attrs}\n  %at = getelementptr i32, ptr %p, i64 %i\n  \
                 store i32 %y, ptr %at\n  br label %latch\nlatch:\n  %i.next = add nuw nsw i64 %i, 1\n  \
                 %more = icmp ult i64 %i.next, %n\n  br i1 %more, label %loop, label %done\ndone:\n  ret i32 0\n}}\n\
                 declare i32 @one(i32)\ndefine void @g() {{\n  ret void"
            ),
        )
    };
    let silent = "memory(none) nounwind willreturn";
    assert_eq!(masked("", silent), "CantVectorizeCall\n");
    assert!(masked("", &format!("{silent} speculatable")).starts_with("exit"));
    // The argument may be poison in inactive lanes.
    assert_eq!(masked("noundef", &format!("{silent} speculatable")), "CantVectorizeCall\n");
}

#[test]
fn masks() {
    let text = blocks(
        "ptr noalias %p, ptr noalias %q, i64 %n",
        "loop:\n  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]\n  %s = phi i32 [ 0, %entry ], [ %t, %latch ]\n  \
         %at = getelementptr i32, ptr %p, i64 %i\n  %v = load i32, ptr %at\n  %c = icmp sgt i32 %v, 0\n  \
         br i1 %c, label %then, label %latch\nthen:\n  %to = getelementptr i32, ptr %q, i64 %i\n  \
         %w = load i32, ptr %to\n  %d = sdiv i32 %w, %v\n  store i32 %d, ptr %to\n  %u = add i32 %s, %d\n  \
         br label %latch\nlatch:\n  %t = phi i32 [ %s, %loop ], [ %u, %then ]\n  %i.next = add nuw nsw i64 %i, 1\n  \
         %more = icmp ult i64 %i.next, %n\n  br i1 %more, label %loop, label %done\ndone:\n  ret i32 %t",
    );
    let expected = "exit %latch -> %done: counted (-1 + (1 umax %n))\ntaken (-1 + (1 umax %n))\nmask %then\n\
        phi %i: induction from 0 by 1\nphi %s: reduction add from 0 by %u, %t\nload %v: consecutive\n\
        load %w: consecutive masked\nstore store i32 %d, ptr %to: consecutive masked\n\
        out %t.lcssa from %latch: collected by %s\n";
    assert_eq!(text, expected);
}

#[test]
fn refusals() {
    let of = |body: &str| lines("none", "", body, "ret i32 0").trim_end().to_owned();
    assert_eq!(of("%y = add i32 undef, %a"), "UndefinedOperand");
    assert_eq!(of("call void @ext()"), "CantVectorizeCall");
    assert_eq!(of("%x1 = atomicrmw add ptr %p, i32 1 seq_cst"), "CantVectorizeInstruction");
    assert_eq!(of("%y = insertelement <2 x i32> poison, i32 %a, i32 0"), "CantVectorizeInstruction");
    assert_eq!(of("%y = load <2 x i32>, ptr %p"), "CantVectorizeInstructionReturnType");
    let endless = "loop:\n  br i1 %c, label %loop, label %done\ndone:\n  ret i32 0";
    assert_eq!(blocks("i1 %c", endless), "CantComputeNumberOfIterations\n");
    let conditional = "loop:\n  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]\n  br i1 %c, label %a, label %latch\na:\n  \
        %e = icmp eq i64 %i, 5\n  br i1 %e, label %done, label %latch\nlatch:\n  %i.next = add i64 %i, 1\n  \
        %m = icmp ult i64 %i.next, 100\n  br i1 %m, label %loop, label %done\ndone:\n  ret i32 0";
    assert_eq!(blocks("i1 %c", conditional), "ConditionalExit\n");
}
