//! The dictionary for targets that read text is valid for libFuzzer and contains the parser's keywords.

use backedge_ir::attr::{FlagAttr, IntAttr, TypeAttr};
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::opcode::{
    AtomicOrdering, BinaryOp, CastOp, FloatBinaryOp, FloatPredicate, IntPredicate, RmwOp, TailKind,
};
use std::collections::BTreeSet;

/// The entries, without their quotes.
fn entries() -> Vec<String> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../llvm.dict");
    let text = std::fs::read_to_string(path).expect("there is a dictionary");
    let lines = text.lines().filter(|l| !l.is_empty() && !l.starts_with('#'));
    let inside = |line: &str| {
        let inside = line.strip_prefix('"').and_then(|l| l.strip_suffix('"'));
        inside.unwrap_or_else(|| panic!("this is no entry: {line}")).to_owned()
    };
    lines.map(inside).collect()
}

#[test]
fn each_entry_is_one() {
    let entries = entries();
    for entry in &entries {
        let mut rest = entry.bytes();
        while let Some(byte) = rest.next() {
            assert!(byte.is_ascii_graphic() && byte != b'"', "{entry}");
            // The escape sequences that libFuzzer supports.
            if byte == b'\\' {
                match rest.next() {
                    Some(b'\\' | b'"') => {}
                    Some(b'x') => {
                        let digits = [rest.next(), rest.next()];
                        assert!(
                            digits.iter().flatten().filter(|d| d.is_ascii_hexdigit()).count() == 2,
                            "{entry}"
                        );
                    }
                    other => panic!("{entry}: {other:?}"),
                }
            }
        }
        assert!(!entry.is_empty());
    }
    let distinct: BTreeSet<&String> = entries.iter().collect();
    assert_eq!(distinct.len(), entries.len(), "an entry stands there twice");
}

#[test]
fn the_words_of_the_parser_are_there() {
    let entries: BTreeSet<String> = entries().into_iter().collect();
    let mut words: Vec<String> = Vec::new();
    words.extend(BinaryOp::ALL.iter().map(|w| w.name().to_owned()));
    words.extend(FloatBinaryOp::ALL.iter().map(|w| w.name().to_owned()));
    words.extend(CastOp::ALL.iter().map(|w| w.name().to_owned()));
    words.extend(IntPredicate::ALL.iter().map(|w| w.name().to_owned()));
    words.extend(FloatPredicate::ALL.iter().map(|w| w.name().to_owned()));
    words.extend(AtomicOrdering::ALL.iter().map(|w| w.name().to_owned()));
    words.extend(RmwOp::ALL.iter().map(|w| w.name().to_owned()));
    words.extend(TailKind::ALL.iter().map(|w| w.name().to_owned()).filter(|w| !w.is_empty()));
    words.extend(FlagAttr::ALL.iter().map(|w| w.name().to_owned()));
    words.extend(TypeAttr::ALL.iter().map(|w| format!("{}(", w.name())));
    let numbered =
        [IntAttr::Align, IntAttr::AlignStack, IntAttr::Dereferenceable, IntAttr::DereferenceableOrNull];
    words.extend(numbered.iter().map(|w| format!("{}(", w.name())));
    words.extend(Intrinsic::ALL.iter().map(|w| format!("@llvm.{}", w.name())));
    let missing: Vec<&String> = words.iter().filter(|w| !entries.contains(*w)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
