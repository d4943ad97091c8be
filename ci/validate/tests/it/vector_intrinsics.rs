//! Intrinsics that combine, move or number lanes, and masked accesses: the interpreter and the encoder agree on each
//! run, on random inputs with poison and undef in lanes and masks. The encoder's results on them are then as reliable
//! as its other results (`agreement`).

use backedge_testkit::number;
use backedge_validate::agreement::{Agreement, Subject, random_case};
use std::collections::BTreeMap;

/// A function and its callees.
struct Form {
    declares: String,
    header: String,
    body: String,
}

fn form(declares: &str, header: &str, body: &str) -> Form {
    Form { declares: declares.to_owned(), header: header.to_owned(), body: body.to_owned() }
}

fn reductions(all: &mut Vec<Form>) {
    for (lanes, bits) in [(4, 8), (3, 5), (2, 32), (1, 8), (8, 1)] {
        for name in ["add", "mul", "and", "or", "xor", "umin", "umax", "smin", "smax"] {
            let (ty, suffix) = (format!("<{lanes} x i{bits}>"), format!("v{lanes}i{bits}"));
            let called = format!("i{bits} @llvm.vector.reduce.{name}.{suffix}");
            all.push(form(
                &format!("declare {called}({ty})"),
                &format!("i{bits} @f({ty} %v)"),
                &format!("%r = call {called}({ty} %v)\n  ret i{bits} %r"),
            ));
        }
    }
    for flags in ["", "nnan ", "ninf nsz ", "reassoc "] {
        for name in ["fadd", "fmul"] {
            let called = format!("float @llvm.vector.reduce.{name}.v3f32");
            all.push(form(
                &format!("declare {called}(float, <3 x float>)"),
                "float @f(float %s, <3 x float> %v)",
                &format!("%r = call {flags}{called}(float %s, <3 x float> %v)\n  ret float %r"),
            ));
        }
        for name in ["fmin", "fmax", "fminimum", "fmaximum"] {
            let called = format!("double @llvm.vector.reduce.{name}.v3f64");
            all.push(form(
                &format!("declare {called}(<3 x double>)"),
                "double @f(<3 x double> %v)",
                &format!("%r = call {flags}{called}(<3 x double> %v)\n  ret double %r"),
            ));
        }
    }
}

fn lanes(all: &mut Vec<Form>) {
    let v4 = "<4 x i8>";
    all.push(form(
        "declare <4 x i8> @llvm.vector.reverse.v4i8(<4 x i8>)",
        "<4 x i8> @f(<4 x i8> %v)",
        "%r = call <4 x i8> @llvm.vector.reverse.v4i8(<4 x i8> %v)\n  ret <4 x i8> %r",
    ));
    for at in [0, 2, 4] {
        all.push(form(
            "declare <4 x i8> @llvm.vector.insert.v4i8.v2i8(<4 x i8>, <2 x i8>, i64)",
            "<4 x i8> @f(<4 x i8> %v, <2 x i8> %w)",
            &format!(
                "%r = call {v4} @llvm.vector.insert.v4i8.v2i8({v4} %v, <2 x i8> %w, i64 {at})\n  ret {v4} %r"
            ),
        ));
        all.push(form(
            "declare <2 x i8> @llvm.vector.extract.v2i8.v4i8(<4 x i8>, i64)",
            "<2 x i8> @f(<4 x i8> %v)",
            &format!(
                "%r = call <2 x i8> @llvm.vector.extract.v2i8.v4i8({v4} %v, i64 {at})\n  ret <2 x i8> %r"
            ),
        ));
    }
    for (name, at) in [
        ("splice", 0),
        ("splice", 3),
        ("splice", -1),
        ("splice", -4),
        ("splice.left", 0),
        ("splice.left", 1),
        ("splice.left", 4),
        ("splice.left", 5),
        ("splice.right", 0),
        ("splice.right", 1),
        ("splice.right", 4),
    ] {
        let called = format!("{v4} @llvm.vector.{name}.v4i8");
        all.push(form(
            &format!("declare {called}({v4}, {v4}, i32)"),
            "<4 x i8> @f(<4 x i8> %v, <4 x i8> %w)",
            &format!("%r = call {called}({v4} %v, {v4} %w, i32 {at})\n  ret {v4} %r"),
        ));
    }
    all.push(form(
        "declare <4 x i8> @llvm.stepvector.v4i8()",
        "<4 x i8> @f(<4 x i8> %v)",
        "%s = call <4 x i8> @llvm.stepvector.v4i8()\n  %r = mul <4 x i8> %s, %v\n  ret <4 x i8> %r",
    ));
    for bits in [3, 8, 64] {
        let called = format!("<4 x i1> @llvm.get.active.lane.mask.v4i1.i{bits}");
        all.push(form(
            &format!("declare {called}(i{bits}, i{bits})"),
            &format!("<4 x i1> @f(i{bits} %a, i{bits} %n)"),
            &format!("%r = call {called}(i{bits} %a, i{bits} %n)\n  ret <4 x i1> %r"),
        ));
    }
    for flag in [false, true] {
        for (lanes, bits, result) in [(4, 1, 8), (3, 8, 32), (4, 1, 3), (3, 1, 2)] {
            let called = format!("i{result} @llvm.experimental.cttz.elts.i{result}.v{lanes}i{bits}");
            let ty = format!("<{lanes} x i{bits}>");
            all.push(form(
                &format!("declare {called}({ty}, i1)"),
                &format!("i{result} @f({ty} %v)"),
                &format!("%r = call {called}({ty} %v, i1 {flag})\n  ret i{result} %r"),
            ));
        }
    }
}

fn masked(all: &mut Vec<Form>) {
    for align in [1, 2, 4] {
        all.push(form(
            "declare <3 x i16> @llvm.masked.load.v3i16.p0(ptr, i32, <3 x i1>, <3 x i16>)",
            "<3 x i16> @f(ptr %p, <3 x i1> %m, <3 x i16> %v)",
            &format!(
                "%r = call <3 x i16> @llvm.masked.load.v3i16.p0(ptr %p, i32 {align}, <3 x i1> %m, <3 x i16> %v)\n  \
                 ret <3 x i16> %r"
            ),
        ));
        all.push(form(
            "declare void @llvm.masked.store.v3i16.p0(<3 x i16>, ptr, <3 x i1>)",
            "i16 @f(ptr %p, <3 x i1> %m, <3 x i16> %v)",
            &format!(
                "call void @llvm.masked.store.v3i16.p0(<3 x i16> %v, ptr align {align} %p, <3 x i1> %m)\n  \
                 %r = load i16, ptr %p, align 1\n  ret i16 %r"
            ),
        ));
        all.push(form(
            "declare <2 x i8> @llvm.masked.gather.v2i8.v2p0(<2 x ptr>, i32, <2 x i1>, <2 x i8>)",
            "<2 x i8> @f(ptr %p, <2 x i64> %at, <2 x i1> %m, <2 x i8> %v)",
            &format!(
                "%few = and <2 x i64> %at, splat (i64 3)\n  %q = getelementptr i8, ptr %p, <2 x i64> %few\n  \
                 %r = call <2 x i8> @llvm.masked.gather.v2i8.v2p0(<2 x ptr> %q, i32 {align}, <2 x i1> %m, <2 x i8> %v)\n  \
                 ret <2 x i8> %r"
            ),
        ));
        all.push(form(
            "declare void @llvm.masked.scatter.v2i8.v2p0(<2 x i8>, <2 x ptr>, <2 x i1>)",
            "void @f(ptr %p, <2 x i64> %at, <2 x i1> %m, <2 x i8> %v)",
            &format!(
                "%few = and <2 x i64> %at, splat (i64 3)\n  %q = getelementptr i8, ptr %p, <2 x i64> %few\n  \
                 call void @llvm.masked.scatter.v2i8.v2p0(<2 x i8> %v, <2 x ptr> align {align} %q, <2 x i1> %m)\n  \
                 ret void"
            ),
        ));
    }
    // If lanes share an address, the last lane's value remains; the stored value is loaded again.
    all.push(form(
        "declare void @llvm.masked.scatter.v2i8.v2p0(<2 x i8>, <2 x ptr>, <2 x i1>)\n\
         declare <2 x i8> @llvm.masked.load.v2i8.p0(ptr, <2 x i1>, <2 x i8>)",
        "<2 x i8> @f(<2 x i8> %v, <2 x i1> %m, <2 x i1> %n)",
        "%a = alloca [4 x i8], align 4\n  store i32 7, ptr %a\n  %q = getelementptr i8, ptr %a, <2 x i64> zeroinitializer\n  \
         call void @llvm.masked.scatter.v2i8.v2p0(<2 x i8> %v, <2 x ptr> %q, <2 x i1> %m)\n  \
         %r = call <2 x i8> @llvm.masked.load.v2i8.p0(ptr %a, <2 x i1> %n, <2 x i8> %v)\n  ret <2 x i8> %r",
    ));
    // A vector of pointers in memory.
    all.push(form(
        "declare <2 x ptr> @llvm.masked.load.v2p0.p0(ptr, <2 x i1>, <2 x ptr>)\n\
         declare void @llvm.masked.store.v2p0.p0(<2 x ptr>, ptr, <2 x i1>)",
        "i8 @f(ptr %p, <2 x i1> %m)",
        "%a = alloca [2 x ptr]\n  %one = insertelement <2 x ptr> poison, ptr %p, i64 0\n  \
         %two = insertelement <2 x ptr> %one, ptr %a, i64 1\n  \
         call void @llvm.masked.store.v2p0.p0(<2 x ptr> %two, ptr align 8 %a, <2 x i1> %m)\n  \
         %v = call <2 x ptr> @llvm.masked.load.v2p0.p0(ptr align 8 %a, <2 x i1> <i1 true, i1 false>, <2 x ptr> %two)\n  \
         %q = extractelement <2 x ptr> %v, i64 0\n  %r = load i8, ptr %q\n  ret i8 %r",
    ));
}

#[test]
fn interpreter_and_encoder_agree() {
    let mut forms = Vec::new();
    reductions(&mut forms);
    lanes(&mut forms);
    masked(&mut forms);
    let cases: u64 = number("BACKEDGE_CASES", 60);
    let (mut counts, mut wrong) = (BTreeMap::<String, u64>::new(), Vec::new());
    for Form { declares, header, body } in &forms {
        let text = format!("{declares}\ndefine {header} {{\n  {body}\n}}\n");
        let module =
            backedge_ir::parse::parse_module(text.as_bytes()).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let module = module.module;
        let problems = backedge_ir::verify::verify_module(&module);
        assert!(problems.is_empty(), "{problems:?}\n{text}");
        let func = module.env.func_named("f").expect("it has @f");
        let mut subject = Subject::new(&module, &module, func).expect("it has code");
        let mut same = 0;
        for case in 0..cases {
            let (input, choices) = random_case(&module, func, case * 7919 + 13).expect("it is a function");
            match subject.check(&input, choices) {
                Ok(agreement) => {
                    let name = agreement.to_string();
                    let compared = matches!(
                        agreement,
                        Agreement::Same { .. }
                            | Agreement::ByOtherChoices { .. }
                            | Agreement::UpToUndefined { .. }
                    );
                    same += u64::from(compared);
                    *counts.entry(name).or_default() += 1;
                }
                Err(why) => {
                    let args: Vec<String> = input.args.iter().map(ToString::to_string).collect();
                    wrong.push(format!("case {case}: {why}\n@f({})\n{text}", args.join(", ")));
                }
            }
        }
        if same * 2 < cases {
            wrong.push(format!("{same} of {cases} cases are compared\n{text}"));
        }
    }
    for (name, count) in &counts {
        println!("{count:6} {name}");
    }
    assert!(
        wrong.is_empty(),
        "{} differ; some of them:\n{}",
        wrong.len(),
        wrong[..wrong.len().min(5)].join("\n")
    );
    let of = |start: &str| counts.iter().filter(|(n, _)| n.contains(start)).map(|(_, c)| c).sum::<u64>();
    for kind in ["poison", "ub branch-on-poison", "ub branch-on-undef", "ub out-of-bounds", "ub misaligned"] {
        assert!(of(kind) > 0, "no case of `{kind}`");
    }
}
