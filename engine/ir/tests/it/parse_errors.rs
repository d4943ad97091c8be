//! Invalid input: each case with the position and text of its error, in one snapshot; and inputs that are invalid
//! because of their size.

use backedge_ir::parse::{LineIndex, ParseError, ParseErrorKind, parse_module};
use backedge_testkit::peer;
use std::fmt::Write;
use std::time::{Duration, Instant};

/// The cases of `data/parse/errors.txt`: `== name` followed by the text.
fn cases() -> Vec<(&'static str, &'static str)> {
    let text = include_str!("../data/parse/errors.txt");
    let cases: Vec<_> = text.split("\n== ").skip(1).filter_map(|c| c.split_once('\n')).collect();
    assert!(cases.len() > 60, "{} cases", cases.len());
    cases
}

fn describe(source: &[u8], error: &ParseError) -> String {
    let index = LineIndex::new(source);
    let at = |offset| {
        let place = index.line_col(offset);
        format!("{}:{}", place.line, place.column)
    };
    let mut out = format!("{}-{}: {}", at(error.span.start), at(error.span.end), error.kind);
    if *error.label != *error.kind.to_string() {
        let _ = write!(out, " [{}]", error.label);
    }
    if let Some((span, label)) = &error.second {
        let _ = write!(out, "; {}: {label}", at(span.start));
    }
    if let Some(help) = &error.help {
        let _ = write!(out, "; help: {help}");
    }
    out
}

#[test]
fn every_error_has_position_and_message() {
    let mut out = String::new();
    for (name, source) in cases() {
        let error = match parse_module(source.as_bytes()) {
            Ok(_) => "no error".to_owned(),
            Err(error) => describe(source.as_bytes(), &error),
        };
        let _ = writeln!(out, "{name}\n    {error}");
        assert_ne!(error, "no error", "{name}");
    }
    insta::assert_snapshot!("errors", out);
}

/// LLVM also rejects each case, so none is a valid construct that our parser fails to accept.
#[test]
fn llvm_as_refuses_the_same() {
    let Some(llvm_as) = peer("llvm-as", "llvm-as on bad input") else { return };
    for (name, source) in cases() {
        let answer = llvm_as.run(&["-disable-output"], source.as_bytes());
        assert!(!answer.ok() && !answer.timed_out, "{name}: llvm-as takes it");
    }
}

#[test]
fn bytes_that_are_no_text_are_an_error_outside_strings_and_comments_only() {
    let error = parse_module(b"@x = global i32 0 \xFF").expect_err("0xFF");
    assert_eq!((error.kind, error.span.start), (ParseErrorKind::InvalidText(0xFF), 18));
    let parsed =
        parse_module(b"; \xFF\n@\"\xC3\xA4\xFF\" = global [1 x i8] c\"\xFE\" ; \xFE\n").expect("text");
    let var = parsed.module.env.vars.values().next().expect("a variable");
    assert_eq!(&*var.name, "\\C3\\A4\\FF");
}

fn timed(name: &str, source: &[u8]) -> ParseError {
    let start = Instant::now();
    let error = parse_module(source).expect_err(name);
    assert!(start.elapsed() < Duration::from_secs(20), "{name} took {:?}", start.elapsed());
    error
}

/// Quotations in errors are truncated: a name of a megabyte does not make a message of a megabyte.
#[test]
fn errors_truncate_long_quotations() {
    let long = "1".repeat(1 << 20);
    for (before, after) in [
        ("@", ""),
        ("@x = global i32 @a", ""),
        ("@x = global [", " x i8] zeroinitializer"),
        ("define void @f() {\n  a", "\n}"),
        ("define void @f() {\n  br label %a", "\n}"),
        ("declare void @f(i32 a", ")"),
        ("@x = global i8 c\"", "\""),
        ("target datalayout = \"q", "\""),
        ("%a = type i32 %b", ""),
    ] {
        let error = timed(before, format!("{before}{long}{after}").as_bytes());
        let shown = describe(b"", &error).len();
        assert!(shown < 2_000, "{before}: {shown} bytes");
    }
}

#[test]
fn megabytes_of_brackets_are_an_error_at_once() {
    const SIZE: usize = 20 << 20;
    for bracket in b"{[<(}])>" {
        let brackets = vec![*bracket; SIZE];
        timed("brackets alone", &brackets);
        for prefix in [
            "define void @f() ",
            "define void @f() {\n",
            "@x = global ",
            "@x = global i32 ",
            "%t = type ",
            "!0 = !",
            "!0 = ",
            "declare void @f(",
            "attributes #0 = ",
            "define void @f() {\n  call void @g(",
            "^0 = module: ",
            "define void @f() {\n  %x = load ",
            "@x = alias i8, ptr getelementptr ",
            "define void @f() !dbg !",
        ] {
            let mut source = prefix.as_bytes().to_vec();
            source.extend(&brackets[..SIZE / 4]);
            timed(prefix, &source);
        }
    }
}

#[test]
fn deep_nesting_is_an_error_or_read_without_recursion_to_its_depth() {
    let nest = |open: &str, inner: &str, close: &str, depth: usize| {
        format!("{}{inner}{}", open.repeat(depth), close.repeat(depth))
    };
    let too_deep = |source: &str| {
        let error = timed(&source[..20], source.as_bytes());
        assert!(matches!(error.kind, ParseErrorKind::TooDeep(_)), "{error:?}");
    };
    for depth in [1_000, 1_000_000] {
        too_deep(&format!("@x = external global {}", nest("[1 x ", "i8", "]", depth)));
        too_deep(&format!("@x = external global {}", nest("{ ", "i8", " }", depth)));
        too_deep(&format!("@x = external global {}", nest("<{ ", "i8", " }>", depth)));
        too_deep(&format!("%t = type {}", nest("{ ", "i8", " }", depth)));
        too_deep(&format!("!0 = {}", nest("!{", "null", "}", depth)));
        too_deep(&format!(
            "@x = global ptr {}",
            nest("inttoptr (i64 ptrtoint (ptr ", "null", " to i64) to ptr)", depth)
        ));
        too_deep(&format!("define void @f() {{\n ret void, !a {}\n}}", nest("!{", "", "}", depth)));
        too_deep(&format!("declare void @f({})", nest("void (", "", ")", depth)));
    }
    let fine = nest("[1 x ", "i8", "]", 150);
    parse_module(format!("@x = global {fine} zeroinitializer").as_bytes()).expect("150 levels");
}

#[test]
fn long_chains_and_lists_are_read_in_linear_time() {
    let mut source = String::from("define i32 @f(i32 %a) {\n");
    for i in 0..200_000 {
        let _ = writeln!(source, "  %v{i} = add i32 %a, %w{i}");
    }
    for i in 0..200_000 {
        let _ = writeln!(source, "  %w{i} = add i32 %a, {i}");
    }
    source.push_str("  ret i32 %a\n}\n");
    let start = Instant::now();
    let parsed = parse_module(source.as_bytes()).expect("forward references");
    assert!(start.elapsed() < Duration::from_secs(20), "took {:?}", start.elapsed());
    let (_, body) = parsed.module.bodies().next().expect("a body");
    assert_eq!(body.all_insts().count(), 400_001);
}
