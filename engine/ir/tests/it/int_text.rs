//! The spellings of integer constants: each form and each error, the literal's value computed a second time in big
//! integers, and, if LLVM is installed, a comparison with how it parses and prints the same text.

use std::fmt::Write as _;

use backedge_ir::int::{Int, IntParseError};
use backedge_testkit::peer;
use num_bigint::{BigInt, Sign};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// The integer that a well-formed literal denotes.
fn denotes(text: &str) -> BigInt {
    let hex = |digits: &str| BigInt::parse_bytes(digits.as_bytes(), 16).expect("hexadecimal digits");
    if let Some(digits) = text.strip_prefix("u0x") {
        hex(digits)
    } else if let Some(digits) = text.strip_prefix("s0x") {
        let value = hex(digits);
        if value.sign() == Sign::NoSign { value } else { &value - (BigInt::from(1) << value.bits()) }
    } else {
        BigInt::parse_bytes(text.as_bytes(), 10).expect("decimal digits")
    }
}

fn modulus(width: u32) -> BigInt {
    BigInt::from(1) << width
}

/// Checks both ways to parse a well-formed literal.
fn check_literal(width: u32, text: &str) {
    let exact = denotes(text);
    let wrapped = ((&exact % modulus(width)) + modulus(width)) % modulus(width);
    let got = Int::parse_wrapping(width, text).expect("well-formed");
    assert_eq!((got.width(), BigInt::from(got.bits())), (width, wrapped), "{text} at i{width}");
    let fits = -(modulus(width) >> 1u32) <= exact && exact < modulus(width);
    let want = if fits { Ok(got) } else { Err(IntParseError::OutOfRange { width }) };
    assert_eq!(Int::parse(width, text), want, "{text} at i{width}");
}

#[test]
fn values() {
    let read = |width, text: &str| Int::parse(width, text).map(Int::signed);
    assert_eq!(read(8, "255"), Ok(-1));
    assert_eq!(read(8, "-128"), Ok(-128));
    assert_eq!(read(8, "-0"), Ok(0));
    assert_eq!(read(8, "-00128"), Ok(-128));
    assert_eq!(read(8, "000255"), Ok(-1));
    assert_eq!(read(1, "1"), Ok(-1));
    assert_eq!(read(1, "-1"), Ok(-1));
    assert_eq!(read(8, "u0xfF"), Ok(-1));
    assert_eq!(read(16, "u0x8000"), Ok(-32768));
    assert_eq!(read(32, "u0x8000"), Ok(32768));
    assert_eq!(read(32, "s0x8000"), Ok(-32768));
    assert_eq!(read(16, "s0x0001"), Ok(-1));
    assert_eq!(read(16, "s0x7F"), Ok(-1));
    assert_eq!(read(8, "s0x0"), Ok(0));
    assert_eq!(read(8, "s0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF80"), Ok(-128));
    assert_eq!(read(128, "s0x7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF"), Ok(-1));
    assert_eq!(read(128, "-170141183460469231731687303715884105728"), Ok(i128::MIN));
    assert_eq!(read(128, "340282366920938463463374607431768211455"), Ok(-1));
}

#[test]
fn out_of_range() {
    for (width, text, wrapped) in [
        (8, "256", 0),
        (8, "-129", 127),
        (1, "2", 0),
        (1, "-2", 0),
        (8, "u0x100", 0),
        (8, "s0x100", 0),
        (8, "s0xFF7F", 127),
        (3, "s0xF8", 0),
        (8, "99999999999999999999999999999999999999999999999999", -1),
        (8, "-99999999999999999999999999999999999999999", 1),
        (128, "340282366920938463463374607431768211456", 0),
        (128, "-170141183460469231731687303715884105729", i128::MAX),
        (128, "s0x80000000000000000000000000000000FF", 255),
        (128, "s0x9FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF", -1),
        (128, "s0x1EFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF", -1),
    ] {
        assert_eq!(Int::parse(width, text), Err(IntParseError::OutOfRange { width }), "{text} at i{width}");
        assert_eq!(Int::parse_wrapping(width, text).map(Int::signed), Ok(wrapped), "{text} at i{width}");
    }
}

#[test]
fn malformed() {
    use IntParseError::{InvalidDigit, MissingDigits};
    for (text, error) in [
        ("", MissingDigits { offset: 0 }),
        ("-", MissingDigits { offset: 1 }),
        ("u0x", MissingDigits { offset: 3 }),
        ("s0x", MissingDigits { offset: 3 }),
        ("+5", InvalidDigit { offset: 0 }),
        (" 5", InvalidDigit { offset: 0 }),
        ("5 ", InvalidDigit { offset: 1 }),
        ("--5", InvalidDigit { offset: 1 }),
        ("1_0", InvalidDigit { offset: 1 }),
        ("0x12", InvalidDigit { offset: 1 }),
        ("-u0x1", InvalidDigit { offset: 1 }),
        ("U0x1", InvalidDigit { offset: 0 }),
        ("u0X1", InvalidDigit { offset: 0 }),
        ("u0x-1", InvalidDigit { offset: 3 }),
        ("s0x1g", InvalidDigit { offset: 4 }),
        ("u0x12_3", InvalidDigit { offset: 5 }),
        ("true", InvalidDigit { offset: 0 }),
        ("12é", InvalidDigit { offset: 2 }),
        ("9999999999999999999999999999999999999999999999x", InvalidDigit { offset: 46 }),
    ] {
        assert_eq!(Int::parse(8, text), Err(error), "{text:?}");
        assert_eq!(Int::parse_wrapping(8, text), Err(error), "{text:?}");
    }
}

#[test]
fn small_literals_exhaustively() {
    for width in 1..=8 {
        for value in -600..=600 {
            check_literal(width, &value.to_string());
        }
        for value in 0..=0x2000 {
            check_literal(width, &format!("s0x{value:x}"));
            check_literal(width, &format!("u0x{value:X}"));
        }
    }
}

/// A well-formed literal, from one digit to more than 128 bits; runs of one digit are likely, because signs repeat in
/// them.
fn literal() -> impl Strategy<Value = String> {
    prop_oneof![
        "-?[0-9]{1,45}",
        "[us]0x[0-9a-fA-F]{1,40}",
        "[us]0x0{0,3}[137fF]?[fF]{0,36}[0-9a-fA-F]{1,34}",
        "[us]0x0{0,3}[1248][0]{0,36}[0-9a-fA-F]",
    ]
}

fn width() -> impl Strategy<Value = u32> {
    prop_oneof![3 => 1..=Int::MAX_WIDTH, 1 => 120..=Int::MAX_WIDTH]
}

proptest! {
    #![proptest_config(backedge_testkit::kept(8192))]

    #[test]
    fn random_literals(width in width(), text in literal()) {
        check_literal(width, &text);
    }

    /// The bounds of the ranges, where parsing at 128 bits must not be off by one.
    #[test]
    fn random_literals_at_the_border(width in width(), offset in -2i32..=2, negative: bool) {
        let border = if negative { -(modulus(width) >> 1u32) } else { modulus(width) };
        check_literal(width, &(border + offset).to_string());
    }

    #[test]
    fn any_text_is_read_or_refused(width in width(), text in "\\PC{0,8}|[-us0xX1-9a-g]{0,8}") {
        let well_formed = Int::parse_wrapping(width, &text).is_ok();
        let grammar = text.strip_prefix("u0x").or(text.strip_prefix("s0x")).map_or_else(
            || (text.strip_prefix('-').unwrap_or(&text), 10),
            |digits| (digits, 16),
        );
        prop_assert_eq!(well_formed, !grammar.0.is_empty() && grammar.0.chars().all(|c| c.is_digit(grammar.1)));
        if well_formed {
            check_literal(width, &text);
        }
    }
}

/// LLVM parses the same literals at the same widths; its output for each is compared with ours.
#[test]
fn llvm_reads_and_prints_the_same() {
    let Some(opt) = peer("opt", "literals as LLVM reads and prints them") else { return };
    let mut runner =
        TestRunner::new_with_rng(Config::default(), TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let (mut module, mut expected) = (String::new(), Vec::new());
    for index in 0..2000 {
        // i1 prints as true and false, which `Int` does not handle.
        let strategy = (2..=Int::MAX_WIDTH, literal());
        let (width, text) = strategy.new_tree(&mut runner).expect("no filters to fail").current();
        writeln!(module, "@g{index} = global i{width} {text}").expect("writing to a string");
        let value = Int::parse_wrapping(width, &text).expect("well-formed");
        expected.push((text, format!("@g{index} = global i{width} {value}")));
    }

    let answer = opt.run(&["-S"], module.as_bytes());
    assert!(answer.ok(), "opt refused the module: {}", answer.stderr);
    let lines: Vec<&str> = answer.stdout.lines().filter(|line| line.starts_with('@')).collect();
    assert_eq!(lines.len(), expected.len());
    for (line, (text, want)) in lines.into_iter().zip(expected) {
        assert_eq!(line, want, "{text}");
    }
}
