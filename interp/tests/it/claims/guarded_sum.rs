//! Claims of several versions of LLVM on the examples of the notes on wrap flags.

use super::{holds, refuted, run};
use backedge_claim::claim::Source;
use backedge_claim::text::parse_claims;
use backedge_interp::claims::{Evidence, Form};
use backedge_testkit::claims::{GUARDED_SUM, at_width, classify, scoped};
use backedge_testkit::module;

#[test]
fn what_llvm_13_claimed_of_the_guarded_sum_is_refuted() {
    let guarded_sum = at_width(GUARDED_SUM, 32);
    let llvm_13 = classify("  %c = add i32 %a, %b\n  -->  (%a + %b)<nuw><nsw> U: full-set S: full-set");
    let wrong = refuted(&guarded_sum, &llvm_13);
    assert!(matches!(&wrong.evidence, Evidence::Wrap { form: Form::Weak, .. }), "{wrong:?}");
    assert!(!wrong.hidden);
    holds(&guarded_sum, &classify("  %c = add i32 %a, %b\n  -->  (%a + %b) U: full-set S: full-set"));
    holds(
        &guarded_sum,
        &scoped("  flag nuw of i32 (%a + %b) in loop %loop\n  flag nsw of i32 (%a + %b) in loop %loop"),
    );
    refuted(&guarded_sum, &scoped("  flag nuw of i32 (%a + %b) from block %exit1"));
}

/// The claims in one version's text that are refuted and shown by a value, as function and line.
fn refuted_lines(source: &str, text: &str) -> Vec<(String, String)> {
    let module = module(source);
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for claims in parse_claims(&module, text.as_bytes()).expect("LLVM's text") {
        for violation in run(&module, &claims).violations.iter().filter(|v| !v.hidden) {
            let Source::Line(line) = claims.claims[violation.subject.claim()].source else { continue };
            let name = module.env.funcs[claims.func].name.to_string();
            found.push((name, lines[line as usize - 2].trim().to_owned()));
        }
    }
    found.sort();
    found.dedup();
    found
}

#[test]
fn versions_of_llvm_on_the_guarded_sum() {
    let source = include_str!("../../claims_data/guarded-sum.ll");
    let of_13 = refuted_lines(source, include_str!("../../claims_data/guarded-sum.llvm-13.txt"));
    // If the loop comes last, the sum outside was queried before the flag was found. The flag is then only in the
    // start of %iv.next, and is equally wrong in the scope of the arguments.
    let in_function = |name: &str| -> Vec<&str> {
        of_13.iter().filter(|(func, _)| func == name).map(|(_, line)| &**line).collect()
    };
    assert_eq!(in_function("loop_first"), ["%c = add i32 %a, %b"]);
    assert_eq!(in_function("loop_last"), ["%iv.next = add nuw nsw i32 %iv, %b"]);
    assert_eq!(refuted_lines(source, include_str!("../../claims_data/guarded-sum.llvm-14.txt")), []);
    assert_eq!(refuted_lines(source, include_str!("../../claims_data/guarded-sum.llvm-22.txt")), []);
}

#[test]
fn versions_of_llvm_on_two_phis_of_one_recurrence() {
    let source = include_str!("../../claims_data/two-phis.ll");
    for text in [
        include_str!("../../claims_data/two-phis.llvm-14.txt"),
        include_str!("../../claims_data/two-phis.llvm-22.txt"),
    ] {
        let found = refuted_lines(source, text);
        assert!(found.iter().any(|(_, line)| line.starts_with("%x = phi")), "{found:?}");
    }
}
