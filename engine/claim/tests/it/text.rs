//! Handwritten texts of claims: the formats of LLVM's versions, names of every kind, text beyond limits, syntax errors,
//! and the extension lines.

use backedge_claim::claim::{ClaimKind, Claims, CountKind, Predicate, RecurrenceKind, Scope};
use backedge_claim::derive::derive_flag_claims;
use backedge_claim::expr::{Flag, Foreign, Node};
use backedge_claim::json::{Record, records};
use backedge_claim::text::{
    FunctionClaims, MAX_LINE, PrintOptions, ReadError, Reader, parse_claims, print_claims,
};
use backedge_ir::inst::IntPredicate;
use backedge_ir::module::Module;
use backedge_ir::parse::parse_module;
use backedge_testkit::Dice;

const SCOPES: PrintOptions = PrintOptions { scopes: true, limit: 1 << 16, budget: usize::MAX };

fn module(source: &str) -> Module {
    parse_module(source.as_bytes()).expect("a module").module
}

fn only(module: &Module, text: &str) -> Claims {
    let mut all = parse_claims(module, text.as_bytes()).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(all.len(), 1);
    all.remove(0)
}

fn error(module: &Module, text: &str) -> String {
    match parse_claims(module, text.as_bytes()) {
        Ok(claims) => panic!("was read: {claims:?}"),
        Err(error) => error.to_string(),
    }
}

/// Records without the fields that differ between equivalent texts.
fn statements(module: &Module, claims: &Claims) -> Vec<Record> {
    let strip = |r: Record| Record { line: None, index: 0, ..r };
    records(module, claims, usize::MAX).into_iter().map(strip).collect()
}

const TWO_EXITS: &str = include_str!("../data/two-exits.ll");

#[test]
fn all_llvm_versions_give_the_same_claims() {
    let module = module(TWO_EXITS);
    let text_22 = include_str!("../data/two-exits.llvm-22.txt");
    let newest = only(&module, text_22);
    assert!(newest.notes.is_empty());
    assert_eq!(print_claims(&module, &newest, PrintOptions::default()), text_22);
    let newest = statements(&module, &newest);
    let older = [
        (13, include_str!("../data/two-exits.llvm-13.txt")),
        (16, include_str!("../data/two-exits.llvm-16.txt")),
        (19, include_str!("../data/two-exits.llvm-19.txt")),
    ];
    for (version, text) in older {
        let claims = only(&module, text);
        assert_eq!(claims.notes, [], "LLVM {version}");
        let counts = |r: &&Record| r.claim.ends_with("count") && r.predicates.is_none();
        for record in statements(&module, &claims).iter().filter(counts) {
            assert!(newest.contains(record), "LLVM {version}: {record:?}");
        }
        let predicated =
            |k: &ClaimKind| matches!(k, ClaimKind::TakenCount { predicates: Some(p), .. } if p.is_empty());
        let found = claims.claims.iter().filter(|c| predicated(&c.kind)).count();
        assert_eq!(found, if version < 18 { 2 } else { 0 }, "LLVM {version}");
    }
}

#[test]
fn old_counts_without_a_type_take_the_width_of_the_condition() {
    let module = module(TWO_EXITS);
    let claims = only(&module, include_str!("../data/two-exits.llvm-13.txt"));
    let exact = claims.claims.iter().find_map(|c| match c.kind {
        ClaimKind::TakenCount { kind: CountKind::Exact, count, .. } => claims.exprs.as_int(count),
        _ => None,
    });
    assert_eq!(exact.map(|int| (int.width(), int.signed())), Some((64, -13)));
}

const NAMES: &str = r#"
@g = global i32 0
@"odd name" = global i32 0
define i64 @"my f\22"(i64 %0, i64 %"a b", ptr %p) {
  br label %2
2:
  %3 = phi i64 [ %0, %1 ], [ %4, %2 ]
  %4 = add i64 %3, %"a b"
  %"x\\y" = getelementptr i8, ptr inttoptr (i64 8 to ptr), i64 ptrtoint (ptr @g to i64)
  %q = ptrtoint ptr @g to i64
  %c = icmp eq i64 %4, 7
  br i1 %c, label %"out: b", label %2
"out: b":
  ret i64 %4
}
"#;

#[test]
fn names_numbers_and_constants_are_found() {
    let module = module(NAMES);
    let text = concat!(
        "Classifying expressions for: @\"my f\\22\"\n",
        "  %3 = phi i64 [ %0, %1 ], [ %4, %2 ]\n",
        "  -->  {%0,+,%\"a b\"}<nuw><nsw><%2> U: [-3,5) S: empty-set\t\tExits: <<Unknown>>",
        "\t\tLoopDispositions: { %2: Computable }\n",
        "  %4 = add i64 %3, %\"a b\"\n",
        "  -->  (undef + (-1 * (ptrtoint ptr @\"odd name\" to i64)) + ptrtoint (ptr @g to i64))\n",
        "  %\"x\\\\y\" = getelementptr i8, ptr inttoptr (i64 8 to ptr), i64 ptrtoint (ptr @g to i64)\n",
        "  -->  (inttoptr (i64 8 to ptr) + (4 umin_seq %0))<nuw>\n",
        "  %q = ptrtoint ptr @g to i64\n",
        "  -->  (sext i1 (true smax (trunc i64 (vscale /u 3) to i1)) to i64)\n",
        "Determining loop execution counts for: @\"my f\\22\"\n",
        "Loop %2: backedge-taken count is ***COULDNOTCOMPUTE***\n",
        "  exit count for : i64 3\n",
    );
    let claims = only(&module, text);
    assert_eq!(claims.notes, []);
    let foreign: Vec<&Foreign> = claims
        .exprs
        .iter()
        .filter_map(|(_, n)| if let Node::Foreign(f) = n { Some(f) } else { None })
        .collect();
    assert!(matches!(foreign[..], [Foreign::Undef, Foreign::Global(_)]), "{foreign:?}");
    let printed = print_claims(&module, &claims, SCOPES);
    let again = only(&module, &printed);
    assert_eq!(statements(&module, &again), statements(&module, &claims));
    assert_eq!(print_claims(&module, &again, SCOPES), printed);
    let flags: Vec<Flag> = derive_flag_claims(&claims).into_iter().map(|f| f.flag).collect();
    assert_eq!(flags, [Flag::Nuw, Flag::Nsw, Flag::Nuw]);
}

#[test]
fn predicates_belong_to_the_count_in_front_of_them() {
    let module = module(TWO_EXITS);
    let text = concat!(
        "Determining loop execution counts for: @f\n",
        "Loop %h: <multiple exits> Unpredictable backedge-taken count.\n",
        "  exit count for h: ***COULDNOTCOMPUTE***\n",
        "  predicated exit count for h: (zext i8 %s to i32)\n",
        "   Predicates:\n",
        "    {%s,+,1}<%h> Added Flags: <nusw>\n",
        "    Equal predicate: %n == -1\n",
        "\n",
        "  exit count for latch: i32 4\n",
        "Loop %h: Predicated symbolic max backedge-taken count is i32 9\n",
        " Predicates:\n",
        "    Compare predicate: (2 * %n) ult) 100\n",
        "Loop %h: Trip multiple is 12\n",
    );
    let claims = only(&module, text);
    assert_eq!(claims.notes, []);
    let predicates: Vec<Option<&[Predicate]>> = claims
        .claims
        .iter()
        .filter_map(|c| match &c.kind {
            ClaimKind::ExitCount { predicates, .. } | ClaimKind::TakenCount { predicates, .. } => {
                Some(predicates.as_deref())
            }
            _ => None,
        })
        .collect();
    let numbers: Vec<Option<usize>> = predicates.iter().map(|p| p.map(<[_]>::len)).collect();
    assert_eq!(numbers, [None, None, Some(2), None, Some(1)]);
    let Some([Predicate::Compare { predicate, .. }]) = predicates[4] else { panic!("{predicates:?}") };
    assert_eq!(*predicate, IntPredicate::Ult);
    let again = only(&module, &print_claims(&module, &claims, SCOPES));
    assert_eq!(statements(&module, &again), statements(&module, &claims));
}

#[test]
fn scoped_facts_are_printed_and_read() {
    let module = module(TWO_EXITS);
    let text = concat!(
        "Scoped facts for: @f\n",
        "  flag nuw of i32 (1 + %n) in loop %h\n",
        "  flag nw of i32 {0,+,%n}<%h> everywhere\n",
        "  range of i8 %s from block %latch U: [0,8)\n",
        "  value %i = i32 (%i.next + -1)\n",
        "  recurrence %i = xor i32 %n, i32 3 in loop %h\n",
        "  edge 0 of %h in loop %h predicated symbolic max exit count i32 5\n",
        "    Equal predicate: %n == 1\n",
    );
    let claims = only(&module, text);
    assert_eq!(claims.notes, []);
    let scopes: Vec<Scope> = claims
        .claims
        .iter()
        .filter_map(|c| match c.kind {
            ClaimKind::Flag { scope, .. } | ClaimKind::Range { scope, .. } => Some(scope),
            _ => None,
        })
        .collect();
    assert!(matches!(scopes[..], [Scope::Loop(_), Scope::Defining, Scope::Block(_)]));
    let xor = |c: &ClaimKind| matches!(c, ClaimKind::Recurrence { kind: RecurrenceKind::Xor, .. });
    assert!(claims.claims.iter().any(|c| xor(&c.kind)));
    let printed = print_claims(&module, &claims, SCOPES);
    let again = only(&module, &printed);
    // The first value becomes the line of its instruction.
    let value_first = |mut s: Vec<Record>| {
        s.sort_by_key(|r| r.claim != "value");
        s
    };
    assert_eq!(value_first(statements(&module, &again)), value_first(statements(&module, &claims)));
}

#[test]
fn unknown_text_is_an_error_with_its_position() {
    let module = module(TWO_EXITS);
    let in_function = |lines: &str| format!("Classifying expressions for: @f\n{lines}\n");
    let cases = [
        ("Loop %h: backedge-taken count is 1\n".to_owned(), "line 1, column 1: expected `Classifying"),
        (
            "Classifying expressions for: @g\n".to_owned(),
            "line 1, column 30: expected a function of the module",
        ),
        (in_function("  %zz = add i32 1, 2"), "line 2, column 3: expected a value of the function"),
        (in_function("  -->  %n"), "line 2, column 1: expected an instruction in front of its expression"),
        (in_function("  %i = phi\n  -->  (%n + )"), "line 3, column 14: expected an expression"),
        (in_function("  %i = phi\n  -->  (%n ++ 1)"), "line 3, column 11: expected an operator"),
        (in_function("  %i = phi\n  -->  {%n}<%h>"), "line 3, column 12: expected a step"),
        (in_function("  %i = phi\n  -->  {%n,+,1}<%n>"), "line 3, column 17: expected a block"),
        (
            in_function("  %i = phi\n  -->  %n U: [0,4294967296) S: full-set"),
            "column 17: expected an integer of 32",
        ),
        (
            in_function("  %i = phi\n  -->  %n U: [4,4) S: full-set"),
            "column 14: expected a range with two different",
        ),
        (
            in_function("  %i = phi\n  -->  %n U: full-set T: full-set"),
            "column 23: expected the end of the line",
        ),
        (
            in_function("  %i = phi\n  -->  %n\t\tLoopDispositions: { %h: Odd }"),
            "expected a loop disposition",
        ),
        (
            "Determining loop execution counts for: @f\nLoop %h: odd\n".to_owned(),
            "expected a count of a loop",
        ),
        (
            "Determining loop execution counts for: @f\n  exit count for h: i32 1\n".to_owned(),
            "expected a loop in",
        ),
    ];
    for (text, expected) in cases {
        let message = error(&module, &text);
        assert!(message.contains(expected), "{text}\ngives {message}\nexpected {expected}");
    }
}

#[test]
fn unrepresentable_text_becomes_a_note() {
    let module = module(TWO_EXITS);
    let deep = format!("{}%n{}", "(1 + ".repeat(100_000), ")".repeat(100_000));
    let long = format!("(1 + {}%n)", "%n + ".repeat(MAX_LINE / 5));
    let wide = "(trunc i200 (zext i32 %n to i200) to i32)";
    for (what, expr) in [("nested", &*deep), ("longer than", &*long), ("200 bits", wide), ("cut", "(1 + ...")]
    {
        let text = format!(
            "Classifying expressions for: @f\n  %i = phi\n  -->  {expr} U: full-set S: full-set\n  \
             %r = phi\n  -->  %r U: full-set S: full-set\n"
        );
        let claims = only(&module, &text);
        assert_eq!(claims.notes.len(), 1, "{what}");
        assert!(claims.notes[0].text.contains(what), "{what}: {:?}", claims.notes);
        assert_eq!(claims.claims.len(), 3, "{what}: the second instruction's line");
    }
}

#[test]
fn functions_that_are_not_modelled_are_read_over() {
    let module = module("define void @w(i200 %x) {\n  %y = add i200 %x, 1\n  ret void\n}\n");
    let text = "Classifying expressions for: @w\n  %y = add i200 %x, 1\n  -->  (1 + %x) U: anything\n\
                Determining loop execution counts for: @w\n";
    let read: Vec<_> = Reader::new(&module, text.as_bytes()).collect::<Result<_, ReadError>>().expect("text");
    assert!(matches!(&read[..], [FunctionClaims::Skipped { .. }]), "{read:?}");
}

#[test]
fn shared_parts_are_printed_within_the_limit() {
    let module = module(TWO_EXITS);
    let mut claims = Claims::new(module.env.func_named("f").expect("@f"));
    let body = module.body(claims.func).expect("a body");
    let n = body.value_named("n").expect("%n");
    let mut expr = claims.exprs.unknown(n, body.ty(n));
    for _ in 0..200 {
        expr = claims.exprs.udiv(expr, expr);
    }
    let value = body.value_named("i").expect("%i");
    claims.push(ClaimKind::Value { value, expr }, backedge_claim::claim::Source::Analysis);
    let printed = print_claims(&module, &claims, PrintOptions { limit: 1000, ..SCOPES });
    assert!(printed.contains("...") && printed.len() < 2000, "{} bytes", printed.len());
    assert_eq!(only(&module, &printed).notes.len(), 1);
}

/// Each value's expression is that of the previous one divided by itself, so the text doubles with each value.
#[test]
fn all_expressions_together_are_printed_within_the_budget() {
    const VALUES: usize = 500;
    let lines: String = (0..VALUES).map(|i| format!("  %v{i} = add i32 %n, {i}\n")).collect();
    let module = module(&format!("define void @f(i32 %n) {{\n{lines}  ret void\n}}\n"));
    let mut claims = Claims::new(module.env.func_named("f").expect("@f"));
    let body = module.body(claims.func).expect("a body");
    let n = body.value_named("n").expect("%n");
    let mut expr = claims.exprs.unknown(n, body.ty(n));
    for i in 0..VALUES {
        let value = body.value_named(&format!("v{i}")).expect("a value");
        claims.push(ClaimKind::Value { value, expr }, backedge_claim::claim::Source::Analysis);
        expr = claims.exprs.udiv(expr, expr);
    }
    let of = |budget| print_claims(&module, &claims, PrintOptions { budget, ..SCOPES });
    let (small, large) = (of(10_000), of(usize::MAX));
    assert!(small.len() < 10_000 + VALUES * 450, "{} bytes", small.len());
    assert!(large.len() > VALUES * (60 << 10), "{} bytes", large.len());
    // Each truncated line yields a note; all other lines are read.
    for (text, whole) in [(small, 10..15), (large, 12..17)] {
        let read = only(&module, &text);
        assert!(whole.contains(&read.claims.len()), "{} claims are read", read.claims.len());
        assert_eq!(read.claims.len() + read.notes.len(), VALUES);
    }
}

#[test]
fn operands_of_different_widths_are_a_note() {
    let module = module(TWO_EXITS);
    for expr in
        ["(%n + %s)", "{%n,+,%s}<%h>", "(%n /u %s)", "(zext i32 %n to i8)", "%s", "(trunc i8 %s to i32)"]
    {
        let claims = only(&module, &format!("Classifying expressions for: @f\n  %i = phi\n  -->  {expr}\n"));
        assert_eq!((claims.notes.len(), claims.claims.len()), (1, 0), "{expr}");
    }
}

#[test]
fn damaged_text_is_read_or_refused() {
    let module = module(TWO_EXITS);
    let texts =
        [include_str!("../data/two-exits.llvm-22.txt"), include_str!("../data/two-exits.llvm-13.txt")];
    let pieces = [
        "(",
        ")",
        "{",
        "}",
        "<%h>",
        "<nuw>",
        "i32 ",
        "-1",
        "%n",
        " + ",
        "\n",
        "  -->  ",
        "Loop %h: ",
        "(trunc i8 ",
    ];
    let mut dice = Dice::new(1);
    let (mut read, mut refused) = (0, 0);
    for case in 0..6000 {
        let mut text = texts[case % 2].as_bytes().to_vec();
        for _ in 0..=dice.below(3) {
            let at = dice.below(text.len());
            match dice.below(3) {
                0 => text[at] = dice.below(256) as u8,
                1 => drop(text.drain(at..(at + dice.below(12)).min(text.len()))),
                _ => drop(text.splice(at..at, dice.pick(&pieces).bytes())),
            }
        }
        match parse_claims(&module, &text) {
            Ok(all) => {
                read += 1;
                for claims in all {
                    print_claims(&module, &claims, SCOPES);
                    derive_flag_claims(&claims);
                }
            }
            Err(_) => refused += 1,
        }
    }
    assert!(read > 100 && refused > 100, "{read} read, {refused} refused");
}
