//! Named folds: operations and the text of the folded result, in LLVM's notation.

use crate::common::bodies;
use crate::common::bodies::{Text, value};
use backedge_analysis::LoopId;
use backedge_ir::int::Int;
use backedge_scev::{Expr, Flags, NAry, ScalarEvolution};

const FUNCTION: &str = "
declare i1 @more()
define void @f(i32 %a, i32 %b, i32 %c, i64 %x, ptr %p, ptr %q, i32 noundef %d) {
entry:
  br label %outer
outer:
  br label %inner
inner:
  %again = call i1 @more()
  br i1 %again, label %inner, label %latch
latch:
  %once = call i1 @more()
  br i1 %once, label %outer, label %between
between:
  br label %next
next:
  %last = call i1 @more()
  br i1 %last, label %next, label %behind
behind:
  %null = getelementptr i8, ptr null, i64 0
  ret void
}
";

/// The leaves and loops of the function.
struct Names {
    a: Expr,
    b: Expr,
    c: Expr,
    d: Expr,
    x: Expr,
    p: Expr,
    q: Expr,
    outer: LoopId,
    inner: LoopId,
    next: LoopId,
}

fn fold(expected: &str, build: impl FnOnce(&mut ScalarEvolution<'_>, &Names) -> Expr) {
    let text = Text::new(FUNCTION);
    text.with(|se| {
        let leaf = |se: &mut ScalarEvolution<'_>, name| {
            let value = value(se, name);
            se.unknown(value)
        };
        let of = |se: &ScalarEvolution<'_>, name| {
            se.loops().with_header(bodies::block(se, name)).expect("a loop header")
        };
        let names = Names {
            a: leaf(se, "a"),
            b: leaf(se, "b"),
            c: leaf(se, "c"),
            d: leaf(se, "d"),
            x: leaf(se, "x"),
            p: leaf(se, "p"),
            q: leaf(se, "q"),
            outer: of(se, "outer"),
            inner: of(se, "inner"),
            next: of(se, "next"),
        };
        let folded = build(se, &names);
        assert_eq!(se.text(folded), expected);
    });
}
fn i32s(se: &mut ScalarEvolution<'_>, value: i128) -> Expr {
    se.int(32, value)
}

#[test]
fn sums() {
    fold("0", |se, n| se.sub(n.a, n.a));
    fold("(3 * %a)", |se, n| {
        let twice = se.add(&[n.a, n.a]);
        se.add(&[n.a, twice])
    });
    fold("(3 + %a)<nuw>", |se, n| {
        let (one, two) = (i32s(se, 1), i32s(se, 2));
        let inner = se.add_flagged(&[one, n.a], Flags::NUW);
        se.add_flagged(&[inner, two], Flags::NUW)
    });
    fold("(3 + %a)<nsw>", |se, n| {
        let (one, two) = (i32s(se, 1), i32s(se, 2));
        let inner = se.add_flagged(&[one, n.a], Flags::NSW);
        se.add_flagged(&[inner, two], Flags::NSW)
    });
    // Exact as a whole, but `%a + %b` may wrap: no flag in the strong form.
    fold("(%a + %b + %c)", |se, n| {
        let inner = se.add_flagged(&[n.a, n.b], Flags::NSW);
        se.add_flagged(&[inner, n.c], Flags::NSW)
    });
    fold("(%a + %b + %c)<nuw><nsw>", |se, n| {
        let inner = se.add_flagged(&[n.a, n.b], Flags::BOTH);
        se.add_flagged(&[inner, n.c], Flags::BOTH)
    });
    // A constant that moves towards zero keeps the flags.
    fold("(3 + %a)<nuw><nsw>", |se, n| {
        let (five, minus_two) = (i32s(se, 5), i32s(se, -2));
        let inner = se.add_flagged(&[five, n.a], Flags::BOTH);
        se.add(&[inner, minus_two])
    });
    fold("(-2 + %a)", |se, n| {
        let (five, minus_seven) = (i32s(se, 5), i32s(se, -7));
        let inner = se.add_flagged(&[five, n.a], Flags::BOTH);
        se.add(&[inner, minus_seven])
    });
    fold("(-1 * %b)", |se, n| {
        let both = se.add(&[n.a, n.b]);
        se.sub(n.a, both)
    });
    fold("((%b + %c) * %a)", |se, n| {
        let (left, right) = (se.mul(&[n.a, n.b]), se.mul(&[n.a, n.c]));
        se.add(&[left, right])
    });
    fold("((1 + %b) * %a)", |se, n| {
        let product = se.mul(&[n.a, n.b]);
        se.add(&[n.a, product])
    });
    fold("(trunc i64 %x to i32)", |se, n| {
        let wide = se.zext(n.a, 64);
        let sum = se.add(&[n.x, wide]);
        let narrow = se.trunc(sum, 32);
        se.sub(narrow, n.a)
    });
}

#[test]
fn products() {
    fold("0", |se, n| {
        let zero = i32s(se, 0);
        se.mul(&[n.a, zero])
    });
    fold("(12 * %a)", |se, n| {
        let (three, four) = (i32s(se, 3), i32s(se, 4));
        let inner = se.mul(&[n.a, three]);
        se.mul(&[inner, four])
    });
    fold("(6 + (3 * %a))", |se, n| {
        let (two, three) = (i32s(se, 2), i32s(se, 3));
        let sum = se.add(&[two, n.a]);
        se.mul(&[sum, three])
    });
    fold("(3 * (%a + %b))", |se, n| {
        let three = i32s(se, 3);
        let sum = se.add(&[n.a, n.b]);
        se.mul(&[sum, three])
    });
    fold("(-2 + (-1 * %a))", |se, n| {
        let two = i32s(se, 2);
        let sum = se.add(&[two, n.a]);
        se.neg(sum)
    });
    // i * i
    fold("{0,+,1,+,2}<%inner>", |se, n| {
        let (zero, one) = (i32s(se, 0), i32s(se, 1));
        let i = se.add_rec(n.inner, &[zero, one]);
        se.mul(&[i, i])
    });
    // i * i * i
    fold("{0,+,1,+,6,+,6}<%inner>", |se, n| {
        let (zero, one) = (i32s(se, 0), i32s(se, 1));
        let i = se.add_rec(n.inner, &[zero, one]);
        se.mul(&[i, i, i])
    });
    fold("{(%a * %b),+,%b}<%inner>", |se, n| {
        let one = i32s(se, 1);
        let i = se.add_rec(n.inner, &[n.a, one]);
        se.mul(&[i, n.b])
    });
    fold("{{0,+,%a}<%outer>,+,1}<%inner>", |se, n| {
        let (zero, one) = (i32s(se, 0), i32s(se, 1));
        let row = se.add_rec(n.outer, &[zero, one]);
        let start = se.mul(&[row, n.a]);
        let column = se.add_rec(n.inner, &[zero, one]);
        se.add(&[column, start])
    });
}

#[test]
fn quotients() {
    fold("(%a /u 12)", |se, n| {
        let (three, four) = (i32s(se, 3), i32s(se, 4));
        let inner = se.udiv(n.a, three);
        se.udiv(inner, four)
    });
    fold("0", |se, n| {
        let big = i32s(se, 1 << 20);
        let inner = se.udiv(n.a, big);
        se.udiv(inner, big)
    });
    fold("%a", |se, n| {
        let four = i32s(se, 4);
        let product = se.mul_flagged(&[n.a, four], Flags::NUW);
        se.udiv(product, four)
    });
    fold("((4 * %a) /u 4)", |se, n| {
        let four = i32s(se, 4);
        let product = se.mul(&[n.a, four]);
        se.udiv(product, four)
    });
    fold("(%a /u 2)", |se, n| {
        let (four, eight) = (i32s(se, 4), i32s(se, 8));
        let product = se.mul_flagged(&[n.a, four], Flags::NUW);
        se.udiv(product, eight)
    });
    fold("%a", |se, n| {
        let product = se.mul_flagged(&[n.a, n.b], Flags::NUW);
        se.udiv(product, n.b)
    });
    fold("{0,+,2}<nuw><%inner>", |se, n| {
        let (zero, four, eight) = (i32s(se, 0), i32s(se, 4), i32s(se, 8));
        let rec = se.add_rec_flagged(n.inner, &[zero, eight], Flags::NUW);
        se.udiv(rec, four)
    });
    fold("({8,+,4}<nuw><%inner> /u 8)", |se, n| {
        let (nine, four, eight) = (i32s(se, 9), i32s(se, 4), i32s(se, 8));
        let rec = se.add_rec_flagged(n.inner, &[nine, four], Flags::NUW);
        se.udiv(rec, eight)
    });
    fold("0", |se, n| {
        let (one, minus_one) = (i32s(se, 1), i32s(se, -1));
        let max = se.smax(one, n.a);
        let excess = se.add(&[max, minus_one]);
        se.udiv(excess, n.a)
    });
    fold("(zext i3 (trunc i32 %a to i3) to i32)", |se, n| {
        let eight = i32s(se, 8);
        se.urem(n.a, eight)
    });
    fold("((-3 * (%a /u 3)) + %a)", |se, n| {
        let three = i32s(se, 3);
        se.urem(n.a, three)
    });
    // x - x % 8 and x - x % 3
    fold("(8 * (%a /u 8))<nuw>", |se, n| {
        let eight = i32s(se, 8);
        let rest = se.urem(n.a, eight);
        se.sub(n.a, rest)
    });
    fold("(3 * (%a /u 3))<nuw>", |se, n| {
        let three = i32s(se, 3);
        let rest = se.urem(n.a, three);
        se.sub(n.a, rest)
    });
}

#[test]
fn casts() {
    fold("(trunc i32 %a to i8)", |se, n| {
        let wide = se.sext(n.a, 64);
        se.trunc(wide, 8)
    });
    fold("(zext i32 %a to i128)", |se, n| {
        let wide = se.zext(n.a, 64);
        se.sext(wide, 128)
    });
    fold("((zext i32 %a to i64) + (zext i32 %b to i64))<nuw><nsw>", |se, n| {
        let sum = se.add_flagged(&[n.a, n.b], Flags::NUW);
        se.zext(sum, 64)
    });
    fold("((sext i32 %a to i64) + (sext i32 %b to i64))<nsw>", |se, n| {
        let sum = se.add_flagged(&[n.a, n.b], Flags::NSW);
        se.sext(sum, 64)
    });
    fold("(1 + (zext i32 (2 * %a) to i64))<nuw><nsw>", |se, n| {
        let (one, two) = (i32s(se, 1), i32s(se, 2));
        let product = se.mul(&[n.a, two]);
        let sum = se.add(&[one, product]);
        se.zext(sum, 64)
    });
    fold("{0,+,1}<nuw><nsw><%inner>", |se, n| {
        let (zero, one) = (i32s(se, 0), i32s(se, 1));
        let rec = se.add_rec_flagged(n.inner, &[zero, one], Flags::NUW);
        se.zext(rec, 64)
    });
    fold("{(sext i32 %a to i64),+,-1}<nsw><%inner>", |se, n| {
        let minus_one = i32s(se, -1);
        let rec = se.add_rec_flagged(n.inner, &[n.a, minus_one], Flags::NSW);
        se.sext(rec, 64)
    });
    fold("(3 + (zext i32 {0,+,4}<%inner> to i64))<nuw><nsw>", |se, n| {
        let (three, four) = (i32s(se, 3), i32s(se, 4));
        let rec = se.add_rec(n.inner, &[three, four]);
        se.zext(rec, 64)
    });
    fold("((zext i32 %a to i64) umax (zext i32 %b to i64))", |se, n| {
        let max = se.umax(n.a, n.b);
        se.zext(max, 64)
    });
    fold("(1 smax (sext i32 %a to i64))", |se, n| {
        let one = i32s(se, 1);
        let wide = se.sext(n.a, 64);
        let one_wide = se.zext(one, 64);
        se.smax(one_wide, wide)
    });
    fold("(zext i32 (1 smax %a) to i64)", |se, n| {
        let one = i32s(se, 1);
        let max = se.smax(n.a, one);
        se.sext(max, 64)
    });
    fold("{(trunc i64 %x to i32),+,2}<%inner>", |se, n| {
        let two = se.int(64, 2);
        let rec = se.add_rec(n.inner, &[n.x, two]);
        se.trunc(rec, 32)
    });
    fold("0", |se, n| {
        let scale = se.int(64, 1 << 32);
        let product = se.mul(&[n.x, scale]);
        se.trunc(product, 32)
    });
    fold("((zext i32 %a to i64) /u (zext i32 %b to i64))", |se, n| {
        let quotient = se.udiv(n.a, n.b);
        se.zext(quotient, 64)
    });
}

#[test]
fn minima_and_maxima() {
    fold("(3 umax %a)", |se, n| {
        let (two, three) = (i32s(se, 2), i32s(se, 3));
        let max = se.umax(two, n.a);
        se.umax(max, three)
    });
    fold("-1", |se, n| {
        let most = i32s(se, -1);
        se.umax(n.a, most)
    });
    fold("%a", |se, n| {
        let max = se.umax(n.a, n.b);
        se.umin(n.a, max)
    });
    fold("(%a smin %b)", |se, n| {
        let inner = se.smin(n.b, n.a);
        se.smin(inner, n.a)
    });
    fold("(1 + %a)<nsw>", |se, n| {
        let one = i32s(se, 1);
        let more = se.add_flagged(&[n.a, one], Flags::NSW);
        se.smax(more, n.a)
    });
    fold("(%a + %b)<nuw>", |se, n| {
        let sum = se.add_flagged(&[n.a, n.b], Flags::NUW);
        se.umax(sum, n.b)
    });
    fold("(2 + %a + %b)<nuw>", |se, n| {
        let (one, two) = (i32s(se, 1), i32s(se, 2));
        let less = se.add_flagged(&[n.a, n.b, one], Flags::NUW);
        let more = se.add_flagged(&[n.a, n.b, two], Flags::NUW);
        se.umax(less, more)
    });
    fold("((%a + %b)<nsw> smax %b)", |se, n| {
        let sum = se.add_flagged(&[n.a, n.b], Flags::NSW);
        se.smax(sum, n.b)
    });
    fold("(%a smin %b)", |se, n| {
        let (a, b) = (se.not(n.a), se.not(n.b));
        let max = se.smax(a, b);
        se.not(max)
    });
    fold("(1 umax %a)", |se, n| {
        let (one, zero) = (i32s(se, 1), i32s(se, 0));
        let max = se.umax(one, n.a);
        se.umax(zero, max)
    });
}

#[test]
fn sequential_minima() {
    let seq = |se: &mut ScalarEvolution<'_>, operands: &[Expr]| se.min_max(NAry::UMinSeq, operands);
    fold("(%a umin_seq %b)", |se, n| seq(se, &[n.a, n.b, n.a]));
    fold("(%b umin_seq %a)", |se, n| {
        let inner = seq(se, &[n.b, n.a]);
        seq(se, &[inner, n.b])
    });
    fold("0", |se, n| {
        let zero = i32s(se, 0);
        seq(se, &[zero, n.a])
    });
    fold("(%a umin %d)", |se, n| seq(se, &[n.a, n.d]));
    fold("(7 umin %a)", |se, n| {
        let seven = i32s(se, 7);
        seq(se, &[seven, n.a])
    });
    fold("((1 + %a) umin %a)", |se, n| {
        let one = i32s(se, 1);
        let more = se.add(&[one, n.a]);
        seq(se, &[n.a, more])
    });
    // The second operand would divide by zero if the first is zero.
    fold("(%a umin_seq (%d /u %a))", |se, n| {
        let quotient = se.udiv(n.d, n.a);
        seq(se, &[n.a, quotient])
    });
    fold("(%a umin_seq %b umin_seq %c)", |se, n| {
        let rest = se.umin(n.a, n.c);
        seq(se, &[n.a, n.b, rest])
    });
}

#[test]
fn recurrences() {
    fold("%a", |se, n| {
        let zero = i32s(se, 0);
        se.add_rec(n.inner, &[n.a, zero, zero])
    });
    fold("{(1 + %a),+,%b}<nw><%inner>", |se, n| {
        let one = i32s(se, 1);
        let rec = se.add_rec_flagged(n.inner, &[n.a, n.b], Flags::NUW);
        se.add(&[rec, one])
    });
    fold("{(1 + %a),+,%b}<nuw><%inner>", |se, n| {
        let one = i32s(se, 1);
        let rec = se.add_rec_flagged(n.inner, &[n.a, n.b], Flags::NUW);
        se.add_flagged(&[rec, one], Flags::NUW)
    });
    fold("{(%a + %b),+,3}<%inner>", |se, n| {
        let (one, two) = (i32s(se, 1), i32s(se, 2));
        let (left, right) = (se.add_rec(n.inner, &[n.a, one]), se.add_rec(n.inner, &[n.b, two]));
        se.add(&[left, right])
    });
    fold("{{%a,+,1}<%outer>,+,2}<%next>", |se, n| {
        let (one, two) = (i32s(se, 1), i32s(se, 2));
        let early = se.add_rec(n.outer, &[n.a, one]);
        se.add_rec(n.next, &[early, two])
    });
    fold("0", |se, n| {
        let one = i32s(se, 1);
        let rec = se.add_rec(n.inner, &[n.a, one]);
        se.sub(rec, rec)
    });
    fold("{0,+,1}<nuw><%inner>", |se, n| {
        let (zero, one) = (i32s(se, 0), i32s(se, 1));
        se.add_rec_flagged(n.inner, &[zero, one], Flags::NW)
    });
}

#[test]
fn pointers() {
    fold("(8 + %p)", |se, n| {
        let eight = se.int(64, 8);
        se.add(&[n.p, eight])
    });
    fold("8", |se, n| {
        let eight = se.int(64, 8);
        let further = se.add(&[n.p, eight]);
        se.sub(further, n.p)
    });
    fold("***COULDNOTCOMPUTE***", |se, n| se.sub(n.p, n.q));
    fold("{(-1 * %x),+,4}<nw><%inner>", |se, n| {
        let four = se.int(64, 4);
        let rec = se.add_rec_flagged(n.inner, &[n.p, four], Flags::NUW);
        let end = se.add(&[n.p, n.x]);
        se.sub(rec, end)
    });
    fold("{(ptrtoint ptr %p to i64),+,4}<nuw><%inner>", |se, n| {
        let four = se.int(64, 4);
        let rec = se.add_rec_flagged(n.inner, &[n.p, four], Flags::NUW);
        se.ptr_to_int(rec)
    });
    fold("((ptrtoint ptr %p to i64) umax (ptrtoint ptr %q to i64))", |se, n| {
        let max = se.umax(n.p, n.q);
        se.ptr_to_int(max)
    });
    fold("0", |se, _| {
        let inst = value(se, "null").as_inst().expect("an instruction");
        let null = se.body().inst(inst).operands[0];
        let null = se.unknown(null);
        se.ptr_to_int(null)
    });
}

#[test]
fn a_start_keeps_in_its_loop_what_the_sum_had() {
    let text = Text::new(FUNCTION);
    text.with(|se| {
        let [a, b] = ["a", "b"].map(|name| value(se, name));
        let (a, b) = (se.unknown(a), se.unknown(b));
        let header = bodies::block(se, "inner");
        let l = se.loops().with_header(header).expect("a loop");
        let one = se.constant(Int::one(32));
        let rec = se.add_rec_flagged(l, &[a, one], Flags::NSW);
        let sum = se.add_flagged(&[rec, b], Flags::NSW);
        assert_eq!(se.text(sum), "{(%a + %b),+,1}<nsw><%inner>");
        let start = se.add(&[a, b]);
        assert_eq!(se.flags(start), Flags::NONE, "outside of the loop it may wrap");
        assert_eq!(se.flags_at(start, header), Flags::NSW);
        assert_eq!(se.flags_at(start, bodies::block(se, "entry")), Flags::NONE);
        // The extension moves inside only where the fact holds.
        let wide = se.within(Some(header), |se| se.sext(start, 64));
        assert_eq!(se.text(wide), "((sext i32 %a to i64) + (sext i32 %b to i64))<nsw>");
        let outside = se.sext(start, 64);
        assert_eq!(se.text(outside), "(sext i32 (%a + %b) to i64)");
    });
}
