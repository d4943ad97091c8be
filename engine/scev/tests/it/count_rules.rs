//! Each counting rule on a small loop, with the text of the resulting count. The texts are those of LLVM 22's
//! `print<scalar-evolution>`, unless the case states an improvement.

use crate::common::bodies;
use crate::common::bodies::Text;
use backedge_scev::expr::ExprPrinter;

/// A loop: the contents of its header up to the branch, and the expected counts.
struct Case {
    /// The function's arguments, and the text after them.
    head: &'static str,
    /// Start and increment of `%i`.
    start: &'static str,
    next: &'static str,
    /// The rest of the loop, which continues to `%loop` or exits to `%out`.
    rest: &'static str,
    exact: &'static str,
    constant_max: &'static str,
    multiple: u128,
}

const CASES: &[Case] = &[
    // Order comparisons.
    Case {
        head: "(i32 %n)",
        start: "i32 [ 0",
        next: "add nuw nsw i32 %i, 1",
        rest: "%c = icmp ult i32 %i.next, %n\n br i1 %c, label %loop, label %out",
        exact: "(-1 + (1 umax %n))",
        constant_max: "-2",
        multiple: 1,
    },
    Case {
        head: "(i32 %s, i32 %n)",
        start: "i32 [ %s",
        next: "add nsw i32 %i, 4",
        rest: "%c = icmp slt i32 %i, %n\n br i1 %c, label %loop, label %out",
        exact: "((3 + (-1 * %s) + (%s smax %n)) /u 4)",
        constant_max: "1073741823",
        multiple: 1,
    },
    Case {
        head: "(i32 %s, i32 %n)",
        start: "i32 [ %s",
        next: "add nsw i32 %i, -1",
        rest: "%c = icmp sgt i32 %i, %n\n br i1 %c, label %loop, label %out",
        exact: "((-1 * (%s smin %n)) + %s)",
        constant_max: "-1",
        multiple: 1,
    },
    Case {
        // A stride that need not hit the bound may wrap: no count. LLVM has none either.
        head: "(i32 %n)",
        start: "i32 [ 0",
        next: "add i32 %i, 4",
        rest: "%c = icmp ult i32 %i, %n\n br i1 %c, label %loop, label %out",
        exact: "?",
        constant_max: "?",
        multiple: 1,
    },
    Case {
        // A loop that must end does not wrap.
        head: "(i32 %n) mustprogress",
        start: "i32 [ 0",
        next: "add i32 %i, 4",
        rest: "%c = icmp ult i32 %i, %n\n br i1 %c, label %loop, label %out",
        exact: "((3 + %n) /u 4)",
        constant_max: "1073741823",
        multiple: 1,
    },
    Case {
        head: "(i8 %n)",
        start: "i8 [ 0",
        next: "add nuw i8 %i, 1",
        rest: "%c = icmp ule i8 %i, %n\n br i1 %c, label %loop, label %out",
        exact: "(1 + (zext i8 %n to i16))<nuw><nsw>",
        constant_max: "256",
        multiple: 1,
    },
    // Equality comparisons.
    Case {
        head: "(i32 %n)",
        start: "i32 [ 0",
        next: "add i32 %i, 3",
        rest: "%c = icmp ne i32 %i, %n\n br i1 %c, label %loop, label %out",
        exact: "(-1431655765 * %n)",
        constant_max: "-1",
        multiple: 1,
    },
    Case {
        head: "(i32 %n)",
        start: "i32 [ %n",
        next: "add i32 %i, 1",
        rest: "switch i32 %i, label %loop [ i32 7, label %out ]",
        exact: "(7 + (-1 * %n))",
        constant_max: "-1",
        multiple: 1,
    },
    Case {
        // A bound that is not a multiple of four is never met; LLVM has no count.
        head: "(i32 %n)",
        start: "i32 [ 2",
        next: "add i32 %i, 4",
        rest: "%c = icmp ne i32 %i, 1024\n br i1 %c, label %loop, label %out",
        exact: "?",
        constant_max: "?",
        multiple: 1,
    },
    Case {
        // Exits in the first or the second iteration; LLVM has no count.
        head: "(i32 %n)",
        start: "i32 [ %n",
        next: "add i32 %i, 1",
        rest: "%c = icmp eq i32 %i, 5\n br i1 %c, label %loop, label %out",
        exact: "(1 + (-1 * (1 umin (-5 + %n)))<nuw><nsw>)<nsw>",
        constant_max: "1",
        multiple: 1,
    },
    // Combined conditions.
    Case {
        // A step that may be poison is never added if the loop exits in the first iteration.
        head: "(i32 %n, i32 noundef %m, i32 range(i32 1, 9) %s)",
        start: "i32 [ 1",
        next: "add nuw i32 %i, %s",
        rest: "%c = icmp ult i32 %i, %n\n br i1 %c, label %latch, label %out
               latch: %d = icmp ult i32 %i, %m\n br i1 %d, label %loop, label %out",
        exact: "?",
        constant_max: "-2",
        multiple: 1,
    },
    Case {
        head: "(i32 %n, i32 %m)",
        start: "i32 [ 0",
        next: "add i32 %i, 1",
        rest: "%c = icmp ult i32 %i, %n\n %d = icmp ult i32 %i, %m\n %e = select i1 %c, i1 %d, i1 false
               br i1 %e, label %loop, label %out",
        exact: "(%n umin_seq %m)",
        constant_max: "-1",
        multiple: 1,
    },
    Case {
        head: "(i32 %n, i32 %m)",
        start: "i32 [ 0",
        next: "add i32 %i, 1",
        rest: "%c = icmp ult i32 %i, %n\n %d = icmp ult i32 %i, %m\n %e = and i1 %c, %d
               br i1 %e, label %loop, label %out",
        exact: "(%n umin %m)",
        constant_max: "-1",
        multiple: 1,
    },
    Case {
        head: "(i32 %n, i32 %m)",
        start: "i32 [ 0",
        next: "add i32 %i, 1",
        rest: "%c = icmp ult i32 %i, %n\n br i1 %c, label %latch, label %out
               latch: %d = icmp ult i32 %i, %m\n br i1 %d, label %loop, label %out",
        exact: "(%n umin_seq %m)",
        constant_max: "-1",
        multiple: 1,
    },
    Case {
        // The edge to `unreachable` is never taken; LLVM counts it.
        head: "(i32 %n)",
        start: "i32 [ 0",
        next: "add i32 %i, 1",
        rest: "%c = icmp eq i32 %i, 50\n br i1 %c, label %trap, label %latch
               trap: unreachable
               latch: %d = icmp ult i32 %i, %n\n br i1 %d, label %loop, label %out",
        exact: "%n",
        constant_max: "50",
        multiple: 1,
    },
    // Solved or executed.
    Case {
        head: "()",
        start: "i8 [ 0",
        next: "add i8 %i, 2",
        rest: "%w = call {i8, i1} @llvm.uadd.with.overflow.i8(i8 %i, i8 2)\n %o = extractvalue {i8, i1} %w, 1
               br i1 %o, label %out, label %loop",
        exact: "127",
        constant_max: "127",
        multiple: 128,
    },
    Case {
        head: "()",
        start: "i32 [ 1",
        next: "mul i32 %i, 3",
        rest: "%c = icmp ult i32 %i, 1000\n br i1 %c, label %loop, label %out",
        exact: "7",
        constant_max: "7",
        multiple: 8,
    },
    Case {
        head: "(i32 %n)",
        start: "i32 [ %n",
        next: "lshr i32 %i, 2",
        rest: "%c = icmp ne i32 %i, 0\n br i1 %c, label %loop, label %out",
        exact: "?",
        // LLVM's bound is 32.
        constant_max: "16",
        multiple: 1,
    },
    Case {
        // The value wraps around the type; LLVM finds no count.
        head: "()",
        start: "i16 [ 7",
        next: "add i16 %i, 1003",
        rest: "%c = icmp ugt i16 %i, 5\n br i1 %c, label %loop, label %out",
        exact: "-22869",
        constant_max: "-22869",
        multiple: 42668,
    },
];

fn source(case: &Case) -> String {
    let ty = case.start.split(' ').next().expect("a type");
    format!(
        "declare {{i8, i1}} @llvm.uadd.with.overflow.i8(i8, i8)
         define void @f{} {{
         entry: br label %loop
         loop: %i = phi {}, %entry ], [ %i.next, %{} ]
         %i.next = {}
         {}
         out: ret void }} ; {ty}",
        case.head,
        case.start,
        if case.rest.contains("latch:") { "latch" } else { "loop" },
        case.next,
        case.rest
    )
}

#[test]
fn each_rule_gives_its_count() {
    for case in CASES {
        let text = Text::new(&source(case));
        text.with(|scev| {
            scev.settle();
            let l = scev.loops().ids().next().expect("a loop");
            let counts = scev.counts(l);
            let printer = ExprPrinter::new(scev);
            let shown = |e| if scev.is_could_not_compute(e) { "?".to_owned() } else { printer.text(scev, e) };
            let found = (shown(counts.exact), shown(counts.constant_max), counts.trip_multiple.bits());
            let expected = (case.exact.to_owned(), case.constant_max.to_owned(), case.multiple);
            assert_eq!(found, expected, "{}", source(case));
        });
    }
}

#[test]
fn trip_counts_do_not_wrap_in_a_wider_type() {
    let text = Text::new(&source(&CASES[0]));
    text.with(|scev| {
        scev.settle();
        let l = scev.loops().ids().next().expect("a loop");
        let exact = scev.backedge_taken(l);
        let printer = ExprPrinter::new(scev);
        let wide = scev.trip_count(exact, 33, Some(l));
        assert_eq!(printer.text(scev, wide), "(1 umax (zext i32 %n to i33))");
        let narrow = scev.trip_count(exact, 32, Some(l));
        assert_eq!(printer.text(scev, narrow), "(1 umax %n)");
        let top = scev.int(8, -1);
        let trips = scev.trip_count(top, 9, None);
        assert_eq!(scev.as_constant(trips).map(|c| c.bits()), Some(256));
        let trips = scev.trip_count(top, 8, None);
        assert_eq!(scev.as_constant(trips).map(|c| c.bits()), Some(0));
        assert_eq!(scev.constant_trip_count(l), None);
        assert_eq!(scev.constant_max_trip_count(l), Some(u32::MAX));
    });
}

#[test]
fn unused_addends_of_an_earlier_loop_may_be_poison() {
    let count = |given: &str| {
        let text = format!(
            "define void @f(i8 noundef %n, i8 noundef %m, i8 {given} %step) {{
             entry: br label %first
             first: %i = phi i8 [ 0, %entry ], [ %i.next, %again ]
             %sum = phi i8 [ %m, %entry ], [ %sum.next, %again ]
             %c = icmp ne i8 %i, %n br i1 %c, label %again, label %between
             again: %i.next = add i8 %i, 1 %sum.next = add i8 %sum, %step br label %first
             between: br label %loop
             loop: %j = phi i8 [ 0, %between ], [ %j.next, %loop ]
             %j.next = add i8 %j, 1 %d = icmp ne i8 %j, %sum
             br i1 %d, label %loop, label %out
             out: ret void }}"
        );
        let text = Text::new(&text);
        text.with(|scev| {
            scev.settle();
            let l = scev.loops().ids().find(|l| scev.loops().header(*l) == bodies::block(scev, "loop"));
            let exact = scev.backedge_taken(l.expect("a loop"));
            ExprPrinter::new(scev).text(scev, exact)
        })
    };
    assert_eq!(count("noundef"), "((%n * %step) + %m)");
    // With %n = 0 a poison %step does not matter.
    assert_eq!(count(""), "{%m,+,%step}<%first>");
}
