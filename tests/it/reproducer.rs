//! `tv --reproducer`, `backedge replay`, and the message for a source with UB: through the command line.

use crate::common::{backedge, run};

/// Wrong pairs that fail in different ways.
const WRONG: [(&str, &str, &str); 6] = [
    ("corpus/pairs/wrong/off-by-one.ll", "src", "tgt"),
    ("corpus/pairs/wrong/nsw-kept-on-reassociation.ll", "src", "tgt"),
    ("corpus/proofs/prototype/tgt-diverges.ll", "src_i64", "tgt_i64"),
    ("corpus/proofs/termination/endless-loses-an-event.ll", "src", "tgt"),
    ("corpus/proofs/memory/increment-unroll2-skips-last.ll", "src", "tgt"),
    ("corpus/proofs/calls/division-over-a-call.ll", "src", "tgt"),
];

#[test]
fn what_is_refuted_is_refuted_again_from_its_file() {
    let dir = tempfile::tempdir().unwrap();
    for (nth, (file, source, target)) in WRONG.iter().enumerate() {
        let path = dir.path().join(format!("wrong {nth}.ll"));
        let path = path.to_str().expect("a path in UTF-8");
        let args = ["tv", file, "--src-fn", source, "--tgt-fn", target, "--reproducer", path];
        let first = run(&args, b"", std::path::Path::new(env!("CARGO_MANIFEST_DIR"))).exits(1);
        let error = first.stdout.lines().find(|l| l.starts_with("ERROR: ")).expect("an error").to_owned();
        let text = std::fs::read_to_string(path).unwrap();
        let expected = format!("; expected verdict: refuted: {} (exit code 1)", &error["ERROR: ".len()..]);
        assert!(text.lines().any(|l| l == expected), "{text}");
        run(&["tv", path], b"", dir.path()).exits(1).prints(&error);
        run(&["replay", path], b"", dir.path()).exits(1).prints(&error);
        run(&["replay", "-"], text.as_bytes(), dir.path()).exits(1).prints(&error);
        // The commands are shown, quoted for a shell.
        assert!(text.contains(&format!("; run it again:  backedge replay '{path}'\n")), "{text}");
    }
}

#[test]
fn what_shows_nothing_is_not_refuted() {
    let dir = tempfile::tempdir().unwrap();
    let pair = "define i32 @src(i32 %x) {\n  ret i32 %x\n}\ndefine i32 @tgt(i32 %x) {\n  %r = mul i32 %x, 2\n  ret i32 %r\n}\n";
    let replay = |case: &str| run(&["replay", "-"], format!("{case}\n{pair}").as_bytes(), dir.path());
    replay("; backedge-case: {\"input\": \"1\", \"fuel\": 100}").exits(1).prints("ERROR: value mismatch");
    replay("; backedge-case: {\"input\": \"0\", \"fuel\": 100}").exits(3).prints("not refuted by this case");
    replay("; backedge-case: {\"input\": \"poison\", \"fuel\": 100}").exits(3);
    replay("; backedge-case: {\"input\": \"1, 2\", \"fuel\": 100}").exits(2);
    replay("; backedge-case: {\"input\": ").exits(2);
    replay("; no case").exits(2).says("holds no case");
    let kept = dir.path().join("kept.ll");
    std::fs::write(&kept, "as it was").unwrap();
    let kept = kept.to_str().expect("a path in UTF-8");
    backedge(&format!("tv corpus/pairs/right/strength-reduction.ll --reproducer {kept}"))
        .exits(0)
        .says("no reproducer is written: the pair is not refuted");
    assert_eq!(std::fs::read_to_string(kept).unwrap(), "as it was");
}

#[test]
fn an_undefined_source_is_told_first() {
    let dir = tempfile::tempdir().unwrap();
    let text = "define i32 @src(i32 %n) {\nentry:\n  br label %loop\nloop:\n  %i = phi i32 [ 3, %entry ], [ %d, %loop ]\n  \
                %d = sub i32 %i, 1\n  %q = udiv i32 %n, %d\n  %c = icmp ne i32 %q, -1\n  br i1 %c, label %loop, label %exit\n\
                exit:\n  ret i32 %q\n}\ndefine i32 @tgt(i32 %n) {\n  ret i32 1\n}\n";
    let out = run(
        &["run", "-", "--function", "src", "--with-function", "tgt", "--args", "8"],
        text.as_bytes(),
        dir.path(),
    );
    let out = out.exits(0);
    let first = out.stdout.lines().next().expect("a line");
    assert_eq!(
        first,
        "@src is not defined on this input: undefined behaviour [division-by-zero] at `%q = udiv i32 %n, %d` in %loop of \
         @src, iteration 3 of %loop"
    );
}
