//! Undef inputs: a refutation that needs one is a separate verdict, next to the verdict for all other inputs. Bundles
//! of `llvm.assume`: adding a bundle that does not hold is refuted, dropping a bundle is correct.

use backedge_ir::module::Module;
use backedge_ir::parse::parse_module;
use backedge_validate::case::{Case, Replayed};
use backedge_validate::check::{Options, Side, by_few_runs, check, refuted_by_case};
use backedge_validate::record::{Finding, Record, Summary};
use backedge_validate::verdict::{Verdict, VerdictKind};

/// Runs do not pass this guard; the solver does.
const GUARD: &str = "  %kx = xor i64 %k, 81985529216486895\n  %kc = icmp eq i64 %kx, 1234567890123\n  \
                     br i1 %kc, label %in, label %out\n";

/// `source` and `target` as bodies of functions with parameters `params` that return an i8. If guarded, `target` is in
/// a branch that runs do not take, and `source` in the other one.
fn pair(params: &str, source: &str, target: &str, guarded: bool) -> Module {
    let lines = |text: &str| text.split("; ").map(|line| format!("  {line}\n")).collect::<String>();
    let (s, t) = (lines(source), lines(target));
    let t = if guarded { format!("{GUARD}in:\n{t}out:\n{}", s.replace("%s", "%o")) } else { t };
    let params = format!("i64 noundef %k, {params}");
    let text = format!(
        "declare void @llvm.assume(i1)\ndeclare void @g()\n\
         define i8 @src({params}) {{\n{s}}}\ndefine i8 @tgt({params}) {{\n{t}}}\n"
    );
    parse_module(text.as_bytes()).unwrap_or_else(|e| panic!("{}: {text}", e.kind)).module
}

fn sides(module: &Module) -> (Side<'_>, Side<'_>) {
    let side = |name| Side { module, func: module.env.func_named(name).expect("it") };
    (side("src"), side("tgt"))
}

/// The verdicts on the plain and the guarded pair.
fn verdicts(params: &str, source: &str, target: &str, options: &Options) -> [Verdict; 2] {
    [false, true].map(|guarded| {
        let module = pair(params, source, target, guarded);
        let (s, t) = sides(&module);
        check(s, t, options).verdict
    })
}

const TWICE: (&str, &str, &str) = ("i8 %x", "%s = shl i8 %x, 1; ret i8 %s", "%t = add i8 %x, %x; ret i8 %t");
/// Undef in memory: one load chooses it for both uses, two loads choose twice.
const LOADED: (&str, &str, &str) = (
    "ptr noundef %p",
    "%s = load i8, ptr %p; %s1 = freeze i8 %s; %s2 = sub i8 %s1, %s1; ret i8 %s2",
    "%t = load i8, ptr %p; %t1 = freeze i8 %t; %t2 = freeze i8 %t; %t3 = sub i8 %t1, %t2; ret i8 %t3",
);

fn without() -> Options {
    Options { undef_inputs: false, ..Options::default() }
}

#[test]
fn a_refutation_that_needs_an_undef_input_is_a_verdict_of_its_own() {
    let (params, source, target) = TWICE;
    for verdict in verdicts(params, source, target, &Options::default()) {
        let Verdict::RefutedByUndef { refutation, otherwise } = &verdict else { panic!("{verdict}") };
        assert!(refutation.undef_input);
        assert!(
            refutation.witness.arguments.iter().any(|a| a.name == "%x" && a.value.contains(['u', '?'])),
            "{verdict}"
        );
        assert!(refutation.to_string().contains("needs an undef input"), "{refutation}");
        assert!(matches!(**otherwise, Verdict::RefinesAll { .. }), "{verdict}");
        assert_eq!(verdict.kind(), VerdictKind::RefutedByUndef);
        let json = serde_json::to_string(&verdict).expect("an object");
        assert!(json.starts_with("{\"kind\":\"refuted-by-undef\""), "{json}");
    }
    for verdict in verdicts(params, source, target, &without()) {
        assert_eq!(verdict.kind(), VerdictKind::RefinesAllIfNoUndef, "{verdict}");
        assert!(verdict.to_string().ends_with(", if no input is undef"), "{verdict}");
    }
    // With a `noundef` argument nothing is assumed, and nothing is refuted.
    for verdict in verdicts("i8 noundef %x", source, target, &Options::default()) {
        assert_eq!(verdict.kind(), VerdictKind::RefinesAll, "{verdict}");
    }
    let (params, source, target) = LOADED;
    for verdict in verdicts(params, source, target, &without()) {
        // Poison in memory is frozen twice. The solver's counterexample may have a larger block than runs get.
        let is_right = [VerdictKind::Refuted, VerdictKind::Inconclusive].contains(&verdict.kind());
        assert!(is_right, "{verdict}");
    }
}

#[test]
fn an_input_without_undef_bits_is_preferred() {
    let (params, source, _) = TWICE;
    let wrong = "%t = add i8 %x, %x; %t2 = add i8 %t, 2; ret i8 %t2";
    for verdict in verdicts(params, source, wrong, &Options::default()) {
        let Verdict::Refuted(refutation) = &verdict else { panic!("{verdict}") };
        assert!(!refutation.undef_input);
    }
}

#[test]
fn cases_and_summaries_tell_undef_inputs_apart() {
    let (params, source, target) = TWICE;
    let module = pair(params, source, target, false);
    let (s, t) = sides(&module);
    let options = Options { solver: false, ..Options::default() };
    let report = by_few_runs(s, t, &options);
    assert_eq!(report.verdict.kind(), VerdictKind::RefutedByUndef, "{}", report.verdict);
    let case: Case = report.verdict.refutation().expect("a refutation").case.clone();
    assert!(case.has_undef_input());
    assert!(matches!(case.replay(s, t, &options), Ok(Replayed::Refuted(again)) if again.undef_input));
    assert!(refuted_by_case(&case, s, t, &options).is_some());
    assert!(refuted_by_case(&case, s, t, &without()).is_none());
    let record = |verdict: Verdict| {
        let Finding::Validation {
            pass, step, rlimit, runs, defined, cached, unproved, loops, remarks, ..
        } = Finding::unjudged("tgt".to_owned(), backedge_validate::verdict::Reason::Time { limit_ms: 1 })
        else {
            panic!("a verdict")
        };
        let finding = Finding::Validation {
            pass,
            step,
            verdict,
            rlimit,
            runs,
            defined,
            cached,
            unproved,
            loops,
            remarks,
        };
        Record::new("f.ll", "src", 0, finding)
    };
    let decided = check(s, t, &Options::default()).verdict;
    let assumed = check(s, t, &without()).verdict;
    let summary = Summary::of(&[record(report.verdict), record(decided), record(assumed)]);
    assert_eq!(summary.count(VerdictKind::Refuted), 0);
    assert_eq!(summary.count(VerdictKind::RefutedByUndef), 2);
    assert_eq!(summary.count(VerdictKind::RefinesAllIfNoUndef), 1);
    assert_eq!(summary.count(VerdictKind::RefinesAll), 0);
    // Runs alone decide nothing about other inputs.
    assert_eq!(summary.open_without_undef, 1);
    let text = summary.to_string();
    assert!(text.contains("1 refines if no input is undef (all), 2 refuted by an undef input"), "{text}");
}

/// Bundles on `%p` or `%x`, and whether they hold for every pointer or value.
const BUNDLES: [(&str, bool); 14] = [
    ("\"nonnull\"(ptr %p)", false),
    ("\"align\"(ptr %p, i32 8)", false),
    ("\"align\"(ptr %p, i64 1)", true),
    ("\"align\"(ptr %p, i8 %x)", false),
    ("\"align\"(ptr %p, i32 0)", false),
    ("\"align\"(ptr %p, i64 16, i64 8)", false),
    ("\"align\"(ptr null, i32 3)", true),
    ("\"dereferenceable\"(ptr %p, i64 4)", false),
    ("\"dereferenceable\"(ptr %p, i64 0)", true),
    ("\"dereferenceable_or_null\"(ptr %p, i64 4)", false),
    ("\"dereferenceable_or_null\"(ptr null, i64 4)", true),
    ("\"noundef\"(i8 %x)", false),
    ("\"noundef\"(ptr %p), \"cold\"()", true),
    ("\"ignore\"(ptr %p, i8 %x)", true),
];

#[test]
fn bundles_of_assumptions_are_undefined_behaviour_where_they_do_not_hold() {
    let plain = "%s = add i8 %x, 1; ret i8 %s";
    let mut refuted = 0;
    for (bundle, holds) in BUNDLES {
        let assumed = format!("call void @llvm.assume(i1 true) [{bundle}]; %s = add i8 %x, 1; ret i8 %s");
        let params = "ptr noundef %p, i8 %x";
        for verdict in verdicts(params, &assumed, plain, &Options::default()) {
            assert!(matches!(verdict, Verdict::RefinesAll { .. }), "{bundle} dropped: {verdict}");
        }
        let target = assumed.replace("%s", "%t");
        for verdict in verdicts(params, plain, &target, &Options::default()) {
            refuted += u32::from(matches!(verdict, Verdict::Refuted(_)));
            // The solver may choose a pointer to a function, which runs do not get as an input.
            let fits = match &verdict {
                Verdict::RefinesAll { .. } => holds,
                Verdict::Refuted(_) | Verdict::Inconclusive { .. } => !holds,
                _ => false,
            };
            assert!(fits, "{bundle} added: {verdict}");
        }
    }
    assert!(refuted >= 8, "{refuted} of 16 are refuted");
}
