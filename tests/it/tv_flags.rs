//! The flags of `tv`, among them those of alive-tv.

use crate::common::Files;

/// Two right pairs, a wrong one, and a helper.
const PAIRS: &str = "\
define i8 @src(i8 %x) {
  %r = mul i8 %x, 2
  ret i8 %r
}
define i8 @tgt(i8 %x) {
  %r = shl i8 %x, 1
  ret i8 %r
}
define i8 @src_freeze(i8 %x) {
  %f = freeze i8 %x
  ret i8 %f
}
define i8 @tgt_freeze(i8 %x) {
  ret i8 %x
}
define i8 @src_wrong(i8 noundef %x) {
  ret i8 %x
}
define i8 @tgt_wrong(i8 noundef %x) {
  ret i8 1
}
define i8 @same(i8 %x) {
  %r = shl i8 %x, 1
  ret i8 %r
}
";

/// A loop in both functions, with an invariant that licm hoists.
const LOOP: &str = "\
define i32 @f(i32 noundef %n, i32 noundef %a) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi i32 [ 0, %entry ], [ %t, %loop ]
  %v = mul i32 %a, 3
  %t = add i32 %s, %v
  %i.next = add i32 %i, 1
  %c = icmp ult i32 %i.next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret i32 %t
}
";

#[test]
fn functions_are_selected_by_either_name() {
    let files = Files::new(&[("p.ll", PAIRS.as_bytes()), ("q.ll", PAIRS.as_bytes())]);
    files.backedge("tv p.ll --src-fn src").exits(0).prints("@src => @tgt: refines");
    files.backedge("tv p.ll -src-fn=src_wrong").exits(1).prints("@src_wrong => @tgt_wrong: refuted");
    files.backedge("tv p.ll --src-fn same").exits(0).prints("@same => @tgt: refines");
    files.backedge("tv p.ll --tgt-fn same").exits(0).prints("@src => @same: refines");
    files.backedge("tv p.ll q.ll --src-fn same").exits(0).prints("@same => @same: refines");
    files.backedge("tv p.ll --src-fn nothing").exits(2).says("no function @nothing");
    let one = Files::new(&[("one.ll", b"define void @f() {\n  ret void\n}\n")]);
    one.backedge("tv one.ll --src-fn f").exits(2).says("@f has no target").says("--tgt-fn NAME");
    let some = files.backedge("tv p.ll -func=src -func=@tgt_wrong").exits(1);
    assert!(!some.stdout.contains("freeze"), "{}", some.stdout);
    files
        .backedge("tv p.ll -func=scr")
        .exits(2)
        .says("no pair has a function of that name")
        .says("@src_wrong");
}

#[test]
fn both_directions_are_judged() {
    let files = Files::new(&[("p.ll", PAIRS.as_bytes())]);
    let both = files.backedge("tv p.ll -bidirectional --src-fn src").exits(0);
    both.prints("@src => @tgt: refines").prints("@tgt => @src, in reverse: refines");
    let wrong = files.backedge("tv p.ll -bidirectional -func=src_wrong --quiet").exits(1);
    wrong.prints("@src_wrong => @tgt_wrong: refuted").prints("@tgt_wrong => @src_wrong, in reverse: refuted");
    files.backedge("tv p.ll -bidirectional --certificate x").exits(2).says("cannot be used with");
}

#[test]
fn quiet_shows_what_is_not_accepted_and_fail_fast_stops() {
    let files = Files::new(&[("p.ll", PAIRS.as_bytes())]);
    let quiet = files.backedge("tv p.ll -quiet").exits(1);
    assert!(!quiet.stdout.contains("@src => @tgt"), "{}", quiet.stdout);
    quiet.prints("@src_freeze => @tgt_freeze: refuted").prints("refuted");
    let first = files.backedge("tv p.ll --fail-fast -j 1").exits(1).says("checks not begun: 1");
    assert!(!first.stdout.contains("src_wrong"), "{}", first.stdout);
}

#[test]
fn identical_functions_can_be_verified() {
    let files = Files::new(&[("a.ll", LOOP.as_bytes())]);
    files.backedge("tv a.ll a.ll").exits(0).prints("identical functions");
    let always = files.backedge("tv a.ll a.ll -always-verify").exits(0);
    assert!(!always.stdout.contains("identical functions"), "{}", always.stdout);
}

#[test]
fn factors_and_timeouts_of_alive_tv_are_limits() {
    let files = Files::new(&[("a.ll", LOOP.as_bytes())]);
    let line = "tv a.ll a.ll --always-verify --no-induction";
    let answer = files.backedge(&format!("{line} -src-unroll=2 -tgt-unroll=3 -smt-to=20000")).exits(0);
    answer
        .says("--src-unroll 2 --tgt-unroll 3: one bound holds for both functions, --bound 3")
        .prints("up to 3");
    let equal = files.backedge(&format!("{line} -src-unroll=2 -tgt-unroll=2 --json -")).exits(0);
    assert!(equal.stderr.is_empty(), "{}", equal.stderr);
    equal.prints("\"bound\":2").prints("\"max_bound\":2");
    files.backedge(&format!("{line} -smt-to=1500 --json - --bound 1")).prints("\"nanos\":500000000");
    files.backedge("tv a.ll a.ll -src-unroll=2 --bound 3").exits(2).says("cannot be used with");
    files.backedge("tv a.ll a.ll -smt-to=9 --timeout 3").exits(2).says("cannot be used with");
}

/// A pair that only poison refutes: by runs, by the solver, by a proof, and in memory.
#[test]
fn poison_inputs_can_be_excluded() {
    let files = Files::new(&[("p.ll", PAIRS.as_bytes())]);
    let line = "tv p.ll --src-fn src_freeze";
    files.backedge(line).exits(1).prints("poison");
    files.backedge(&format!("{line} -disable-poison-input")).exits(1).prints("refuted by an undef input");
    let flags = "-disable-poison-input -disable-undef-input";
    let both = files.backedge(&format!("{line} {flags}")).exits(0);
    both.prints("if no input is poison, if no input is undef").prints("refines if no input is poison (all)");

    // 32 bits are too many for runs on all inputs.
    let wide = PAIRS.replace("i8", "i32");
    let load = "  %v = load i32, ptr @g\n";
    let memory = format!(
        "@g = global i32 0\ndefine i32 @src() {{\n{load}  %f = freeze i32 %v\n  ret i32 %f\n}}\n\
         define i32 @tgt() {{\n{load}  ret i32 %v\n}}\n"
    );
    let proof =
        LOOP.replace("i32 noundef %a", "i32 %a").replace("ret i32 %t", "%r = freeze i32 %t\n  ret i32 %r");
    let proof = proof.replace("@f", "@src") + &LOOP.replace("i32 noundef %a", "i32 %a").replace("@f", "@tgt");
    let all = [("w.ll", wide.as_bytes()), ("m.ll", memory.as_bytes()), ("l.ll", proof.as_bytes())];
    let files = Files::new(&all);
    files.backedge("tv w.ll --src-fn src_freeze --assume-no-undef").exits(1);
    for (line, how) in [
        ("w.ll --src-fn src_freeze", "every path was encoded"),
        ("m.ll", "every path was encoded"),
        ("l.ll", "from one iteration to the next"),
    ] {
        files
            .backedge(&format!("tv {line} {flags} --cache c"))
            .exits(0)
            .prints(how)
            .prints("if no input is poison");
    }
    files.backedge("tv m.ll --assume-no-undef --cache c").exits(1).prints("poison");
    files.backedge(&format!("tv m.ll {flags} --cache c")).exits(0).prints("(from the cache)");

    // Memory that a call returns may be new, and hold poison.
    let call = "declare noalias ptr @new() memory(inaccessiblemem: readwrite)\n".to_owned()
        + &memory.replace("  %v", "  %p = call ptr @new()\n  %v").replace("ptr @g\n", "ptr %p\n");
    std::fs::write(files.path("n.ll"), call).unwrap();
    let open = files.backedge(&format!("tv n.ll {flags}"));
    assert!(matches!(open.code, Some(1 | 3)), "{}", open.stdout);

    files.backedge(&format!("tv l.ll {flags} --certificate c.json")).exits(0);
    assert!(files.read("c.json").contains("\"poison\": false"));
    files.backedge("recheck c.json").exits(0).prints("if no input is poison");
    let zero = "define i32 @src(i32 %x) {\n  ret i32 0\n}\n\
                define i32 @tgt(i32 %x) {\n  %r = sub i32 %x, %x\n  ret i32 %r\n}\n";
    std::fs::write(files.path("z.ll"), zero).unwrap();
    files.backedge("tv z.ll --reproducer r.ll").exits(1);
    files.backedge("replay r.ll").exits(1);
    files.backedge("replay r.ll --assume-no-poison").exits(3).prints("its input is poison");
    files.backedge("tv w.ll -func=src_wrong --assume-no-poison --reproducer r2.ll").exits(1);
    assert!(files.read("r2.ll").contains("--assume-no-poison"));
}

#[test]
fn passes_are_validated() {
    let files = Files::new(&[("a.ll", LOOP.as_bytes())]);
    let each = files.backedge("tv a.ll -passes='loop-simplify,lcssa,licm'").exits(0);
    each.prints("@f, licm: refines").prints("@f, lcssa: refines");
    let whole = files.backedge("tv a.ll -passes='lcssa,licm' --whole-pipeline --certificate c.json").exits(0);
    whole.prints("@f, lcssa,licm: refines");
    files.backedge("recheck c.json").exits(0);
    files.backedge("tv a.ll -passes=loop-simplify").exits(0).prints("no pass changed the only function");
    files.backedge("tv a.ll -passes=licn").exits(2).says("licm");
    files.backedge("tv a.ll -passes=gvn").exits(2).says("--opt 'opt -passes=gvn -S'");
    files.backedge("tv a.ll a.ll -passes=licm").exits(2).says("cannot be used with");
    files.backedge("tv a.ll -func=g -passes=licm").exits(2).says("no function @g");
}
