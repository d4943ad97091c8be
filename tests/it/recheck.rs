//! `backedge tv --certificate` and `backedge recheck`: certificates can be read back, and prove only the pair that
//! they contain.

use crate::common::{backedge, run};
use std::path::Path;

const PAIR: &str = "corpus/pairs/right/strength-reduction.ll";

/// Writes a certificate of the pair to `dir`.
fn certificate(dir: &Path) -> String {
    let path = dir.join("proof.json");
    let path = path.to_str().expect("a path in UTF-8");
    backedge(&format!("tv {PAIR} --certificate {path}")).exits(0).prints("refines, all iterations");
    path.to_owned()
}

#[test]
fn a_certificate_is_checked_again_and_shown() {
    let dir = tempfile::tempdir().unwrap();
    let path = certificate(dir.path());
    backedge(&format!("recheck {path}")).exits(0).prints("@src => @tgt: refines, all iterations");
    let shown = backedge(&format!("recheck {path} --show")).exits(0);
    shown.prints("define").prints("from %header / %header");
    let text = std::fs::read(&path).unwrap();
    run(&["recheck", "-"], &text, dir.path()).exits(0);
    // The displayed proof is recomputed, not copied from the file.
    let text = String::from_utf8(text).unwrap();
    let other = text.replace("from %header / %header", "from nowhere / nowhere");
    assert_ne!(text, other);
    let shown = run(&["recheck", "-", "--show"], other.as_bytes(), dir.path()).exits(0);
    assert!(!shown.prints("from %header / %header").stdout.contains("nowhere"));
}

#[test]
fn a_certificate_is_held_against_the_modules_that_it_is_to_be_about() {
    let dir = tempfile::tempdir().unwrap();
    let path = certificate(dir.path());
    backedge(&format!("recheck {path} {PAIR}")).exits(0).prints("refines, all iterations");
    backedge(&format!("recheck {path} {PAIR} {PAIR}")).exits(0).prints("refines, all iterations");
    let other = backedge(&format!("recheck {path} corpus/pairs/right/peel-first.ll")).exits(3);
    other.prints("it is about another @src than the module's");
    let none = backedge(&format!("recheck {path} corpus/kernels/sum.ll")).exits(3);
    none.prints("the source's module has no @src");
    backedge(&format!("recheck {path} nothing-there.ll")).exits(2);
}

#[test]
fn a_certificate_of_another_function_is_none() {
    let dir = tempfile::tempdir().unwrap();
    let text = std::fs::read_to_string(certificate(dir.path())).unwrap();
    // The target's step, in the text of its module.
    let other = text.replace("add i32 %m, 12", "add i32 %m, 13");
    assert_ne!(text, other);
    run(&["recheck", "-"], other.as_bytes(), dir.path()).exits(3).prints("not a proof");
}

#[test]
fn identical_functions_have_a_certificate_whatever_they_contain() {
    let dir = tempfile::tempdir().unwrap();
    let define = |name: &str| {
        format!(
            "define i32 @{name}(i32 %x) {{\n  %w = zext i32 %x to i256\n  call void @g(i256 %w)\n  ret i32 7\n}}\n"
        )
    };
    let text = format!("declare void @g(i256)\n{}{}", define("src"), define("tgt"));
    std::fs::write(dir.path().join("pair.ll"), text).unwrap();
    let args = ["tv", "pair.ll", "--certificate", "proof.json"];
    run(&args, b"", dir.path()).exits(0).prints("refines (identical functions)");
    let shown = run(&["recheck", "proof.json", "pair.ll", "--show"], b"", dir.path()).exits(0);
    shown.prints("(identical functions)").prints("are the same but for names of locals");
    let proof = std::fs::read_to_string(dir.path().join("proof.json")).unwrap();
    let other = proof.replacen("ret i32 7", "ret i32 8", 1);
    assert_ne!(proof, other);
    run(&["recheck", "-"], other.as_bytes(), dir.path()).exits(3).prints("the functions are not identical");
}

#[test]
fn what_is_no_certificate_is_refused_with_its_place() {
    let dir = tempfile::tempdir().unwrap();
    let text = std::fs::read_to_string(certificate(dir.path())).unwrap();
    let half = &text[..text.len() / 2];
    run(&["recheck", "-"], half.as_bytes(), dir.path()).exits(2).says("is no certificate").says("line");
    let other = text.replace("backedge-certificate-1", "backedge-certificate-9");
    run(&["recheck", "-"], other.as_bytes(), dir.path()).exits(2).says("the format is");
    let broken = text.replace("define i32", "defined i32");
    run(&["recheck", "-"], broken.as_bytes(), dir.path()).exits(2).says("is not read");
    run(&["recheck", "-"], &[0xff, 0xfe], dir.path()).exits(2);
    run(&["recheck", "nothing-there"], b"", dir.path()).exits(2);
}

#[test]
fn no_certificate_is_written_without_a_proof() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("proof.json");
    let shown = path.to_str().unwrap();
    backedge(&format!("tv corpus/pairs/wrong/lcssa-wrong-edge.ll --certificate {shown}")).exits(1);
    assert!(!path.exists());
    let both = format!("tv corpus/proofs/prototype/licm-add.ll --certificate {shown}");
    backedge(&both).exits(2).says("--certificate takes one pair");
    assert!(!path.exists());
}
