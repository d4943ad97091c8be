//! Functions of two i8 arguments are decided by running all 65,536 inputs: a single differing input is found wherever
//! it is.

use backedge_ir::module::Module;
use backedge_validate::check::{Options, Side, check};
use backedge_validate::verdict::{Method, Verdict};
use backedge_validate::witness::FoundBy;

fn module(source: &str, target: &str) -> Module {
    let text = format!(
        "define i8 @src(i8 noundef %x, i8 noundef %y) {{\n{source}}}\ndefine i8 @tgt(i8 noundef %x, i8 noundef %y) {{\n{target}}}\n"
    );
    backedge_ir::parse::read_module(text.as_bytes()).expect("the source is right").module
}

fn judge(source: &str, target: &str) -> (Verdict, u64) {
    let module = module(source, target);
    let side = |name| Side { module: &module, func: module.env.func_named(name).expect("it is there") };
    let report = check(side("src"), side("tgt"), &Options::default());
    (report.verdict, report.runs)
}

const AVERAGE: &str =
    "%a = and i8 %x, %y\n%b = xor i8 %x, %y\n%c = lshr i8 %b, 1\n%r = add i8 %a, %c\nret i8 %r\n";

#[test]
fn equal_functions() {
    let wide = "%a = zext i8 %x to i16\n%b = zext i8 %y to i16\n%s = add i16 %a, %b\n%h = lshr i16 %s, 1\n%r = trunc i16 %h to i8\nret i8 %r\n";
    let (verdict, runs) = judge(AVERAGE, wide);
    assert!(matches!(verdict, Verdict::RefinesAll { method: Method::ExhaustiveRuns, .. }), "{verdict:?}");
    assert_eq!(runs, 65_536);
}

#[test]
fn one_input_in_all_that_differs() {
    for (x, y) in [(0, 0), (77, 200), (255, 255)] {
        let wrong = AVERAGE.replace(
            "ret i8 %r\n",
            &format!(
                "%p = icmp eq i8 %x, {x}\n%q = icmp eq i8 %y, {y}\n%c2 = and i1 %p, %q\n\
                 %d = xor i8 %r, 1\n%e = select i1 %c2, i8 %d, i8 %r\nret i8 %e\n"
            ),
        );
        let Verdict::Refuted(refutation) = judge(AVERAGE, &wrong).0 else { panic!("{x}, {y}: not refuted") };
        assert_eq!(refutation.found_by, FoundBy::Runs);
        let args: Vec<&str> = refutation.witness.arguments.iter().map(|a| a.value.as_str()).collect();
        let bits = |text: &str| text.parse::<i32>().expect("a number") & 255;
        assert_eq!(args.iter().map(|a| bits(a)).collect::<Vec<_>>(), [x, y]);
    }
}

#[test]
fn poison_and_undefined_behaviour() {
    let flagged = "%r = add nsw i8 %x, %y\nret i8 %r\n";
    let plain = "%r = add i8 %x, %y\nret i8 %r\n";
    let holds = |v: &Verdict| matches!(v, Verdict::RefinesAll { method: Method::ExhaustiveRuns, .. });
    assert!(holds(&judge(flagged, plain).0));
    assert!(matches!(judge(plain, flagged).0, Verdict::Refuted(_)));
    let frozen = "%r = add nsw i8 %x, %y\n%f = freeze i8 %r\nret i8 %f\n";
    // More choices than are tried: the solver decides.
    assert!(matches!(judge(flagged, frozen).0, Verdict::RefinesAll { .. }));
    let never = "%z = sub i8 %x, %x\n%r = udiv i8 %y, %z\nret i8 %r\n";
    let vacuous = judge(never, plain).0;
    let Verdict::Vacuous { example: Some(example), .. } = &vacuous else { panic!("{vacuous}") };
    assert_eq!(
        (&*example.undefined.id, &*example.undefined.instruction),
        ("division-by-zero", "%r = udiv i8 %y, %z")
    );
    assert!(
        vacuous.to_string().contains("undefined behaviour [division-by-zero] at `%r = udiv i8 %y, %z` in"),
        "{vacuous}"
    );
    let guarded = "%r = udiv i8 %x, %y\nret i8 %r\n";
    let same = "%z = add i8 %y, 0\n%r = udiv i8 %x, %z\nret i8 %r\n";
    assert!(holds(&judge(guarded, same).0));
    assert!(matches!(judge(plain, guarded).0, Verdict::Refuted(_)));
}
