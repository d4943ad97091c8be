//! The interpreter and the encoder agree on each run: its ending, returned value, poison and undefined bits, memory,
//! and visible events. Tested for generated functions, mostly with UB, on random inputs, and for the functions of the
//! corpus's UB suite.
//!
//! The evaluation of the encoder's formula needs no solver; separate tests check that the solver gives terms the same
//! meaning. `BACKEDGE_CASES` sets the number of cases, `BACKEDGE_SEED` the first seed; `BACKEDGE_STRICT=1` reports runs
//! for which no matching choices of the encoder were found as errors.

use backedge_interp::input::Input;
use backedge_ir::constant::{ConstData, GlobalRef};
use backedge_ir::entity::FuncId;
use backedge_ir::inst::Value;
use backedge_ir::module::Module;
use backedge_testkit::generate::wild_module;
use backedge_testkit::{module, number, ub_suite};
use backedge_validate::agreement::{Agreement, Subject, random_case};
use rayon::prelude::*;
use std::collections::{BTreeMap, HashSet};

/// Number of cases by result.
type Counts = BTreeMap<String, usize>;

/// The category of a case, or its disagreement.
fn told(checked: Result<Agreement, String>) -> Result<String, String> {
    match checked? {
        Agreement::Unmatched { why } if number("BACKEDGE_STRICT", 0) == 1 => Err(why),
        agreement => Ok(agreement.to_string()),
    }
}

/// Checks some inputs of the function of `seed`; `change` maps the interpreter's text to the encoder's.
fn check_seed(seed: u64, inputs: u64, change: impl Fn(&str) -> String) -> (Counts, Vec<String>) {
    let text = wild_module(seed);
    let (module, encoded) = (module(&text), module(&change(&text)));
    let func = module.env.func_named("f").expect("it has @f");
    let mut subject = Subject::new(&module, &encoded, func).expect("it has code");
    let (mut counts, mut wrong) = (Counts::new(), Vec::new());
    for case in 0..inputs {
        let number = seed.wrapping_mul(1000) + case;
        let (input, choices) = random_case(&module, func, number).expect("it is a function");
        match told(subject.check(&input, choices)) {
            Ok(name) => *counts.entry(name).or_default() += 1,
            Err(why) => {
                let args: Vec<String> = input.args.iter().map(ToString::to_string).collect();
                let globals = &input.globals;
                let args = args.join(", ");
                wrong.push(format!(
                    "seed {seed}, case {case}: {why}\n@f({args})\nglobals {globals:?}\n{text}"
                ));
            }
        }
    }
    (counts, wrong)
}

/// Inputs for each generated function.
const INPUTS: u64 = 10;

/// Minimum number of cases of a category (by prefix of its name) in 10,000 cases.
const LEAST: [(&str, usize); 24] = [
    ("returned", 4000),
    ("returned poison", 1000),
    ("did not return", 200),
    ("beyond the bound", 100),
    ("ub assume-violated", 100),
    ("ub branch-on-poison", 200),
    ("ub branch-on-undef", 60),
    ("ub division-by-poison", 40),
    ("ub division-by-zero", 40),
    ("ub division-overflow", 5),
    ("ub invalid-pointer", 8),
    ("ub memory-effects-violated", 60),
    ("ub misaligned", 80),
    ("ub noundef-violated", 200),
    ("ub null-dereference", 100),
    ("ub out-of-bounds", 60),
    ("ub overlapping-copy", 1),
    ("ub poison-length", 15),
    ("ub poison-pointer", 150),
    ("ub read-only-write", 60),
    ("ub readonly-argument", 8),
    ("ub store-outside-lifetime", 30),
    ("ub undef-pointer", 60),
    ("ub readnone-argument", 8),
];

/// Maximum number of less informative cases in 10,000 cases.
const MOST: [(&str, usize); 5] = [
    ("not modelled", 400),
    ("interpreter", 500),
    ("addresses of local objects", 50),
    ("no choice found", 50),
    ("entry refused", 0),
];

#[test]
fn generated_functions_mean_the_same_to_interpreter_and_encoder() {
    let (first, cases): (u64, u64) = (number("BACKEDGE_SEED", 0), number("BACKEDGE_CASES", 10_000));
    let seeds = first..first + cases.div_ceil(INPUTS);
    let (counts, wrong) = seeds.into_par_iter().map(|seed| check_seed(seed, INPUTS, str::to_owned)).reduce(
        Default::default,
        |(mut counts, mut wrong), (more, found)| {
            for (name, count) in more {
                *counts.entry(name).or_default() += count;
            }
            wrong.extend(found);
            (counts, wrong)
        },
    );
    for (name, count) in &counts {
        println!("{count:6} {name}");
    }
    let shown = wrong.iter().take(number("BACKEDGE_SHOW", 3));
    assert!(
        wrong.is_empty(),
        "{} of {cases} cases differ; some of them:\n{}",
        wrong.len(),
        shown.cloned().collect::<Vec<_>>().join("\n")
    );
    let sum = |start: &str| -> u64 {
        counts.iter().filter(|(name, _)| name.starts_with(start)).map(|(_, count)| *count as u64).sum()
    };
    if cases < 10_000 {
        return;
    }
    for (start, least) in LEAST {
        assert!(
            sum(start) >= least as u64 * cases / 10_000,
            "{} cases of `{start}`: {least} are wanted",
            sum(start)
        );
    }
    for (start, most) in MOST {
        assert!(
            sum(start) <= most as u64 * cases / 10_000,
            "{} cases of `{start}`: {most} are too many",
            sum(start)
        );
    }
}

/// Text replacements applied for one engine only, which the comparison must detect: old and new text.
const FAULTS: [(&str, &str); 26] = [
    (" = add ", " = sub "),
    (" nsw ", " "),
    (" nuw ", " "),
    (" exact ", " "),
    (" disjoint ", " "),
    (" samesign ", " "),
    (" nneg ", " "),
    (" nnan ", " "),
    (" inbounds ", " "),
    (" icmp ult ", " icmp ule "),
    (" icmp slt ", " icmp ult "),
    (" fcmp olt ", " fcmp ult "),
    (" sext ", " zext "),
    (" ashr ", " lshr "),
    (" sdiv ", " udiv "),
    (" srem ", " urem "),
    (", align 4\n", ", align 8\n"),
    (" i64 1, i8 ", " i64 2, i8 "),
    ("i1 true)", "i1 false)"),
    ("llvm.memmove.", "llvm.memcpy."),
    (" noundef ", " "),
    ("!{i8 -2, i8 4}", "!{i8 -2, i8 3}"),
    ("llvm.fshl.", "llvm.fshr."),
    ("llvm.usub.sat", "llvm.ssub.sat"),
    (", i32 0\n", ", i32 1\n"),
    (" poison, 0", " undef, 0"),
];

#[test]
fn a_fault_of_one_engine_is_found() {
    let missed: Vec<&str> = FAULTS
        .into_par_iter()
        .filter(|(from, to)| {
            let finds = |seed| {
                let text = wild_module(seed);
                // Otherwise the text would have two declarations of one function.
                let fits = text.contains(from) && !(to.starts_with("llvm.") && text.contains(to));
                fits && !check_seed(seed, INPUTS, |text| text.replace(from, to)).1.is_empty()
            };
            !(0..4000).any(finds)
        })
        .map(|(from, _)| from)
        .collect();
    assert!(missed.is_empty(), "faults that no case shows: {missed:?}");
}

/// Whether a function calls one that the module defines: to the encoder this is a call of an unknown function.
fn calls_inside(module: &Module, func: FuncId) -> bool {
    let body = module.body(func).expect("a function with a body");
    let calls = body.all_insts().filter_map(|i| body.inst(i).call());
    let mut callees = calls.filter_map(|c| match c.callee() {
        Value::Const(c) => match body.constant(c).data {
            ConstData::Global(GlobalRef::Func(id)) => Some(id),
            _ => None,
        },
        Value::Inst(_) | Value::Arg(_) => None,
    });
    callees.any(|f| module.body(f).is_some())
}

/// Runs of the suite that the encoder leaves out: it assumes that a `noalias` argument points to a block that nothing
/// else points to.
const LEFT_OUT: [(&str, &str); 4] = [
    ("noalias_written", "arg0+0"),
    ("noalias_only_read", "arg0+0"),
    ("noalias_other_write", "arg0+0"),
    ("noalias_other_bytes", "arg0+4"),
];

#[test]
fn the_suite_on_undefined_behaviour_means_the_same_to_both() {
    let (mut counts, mut wrong, mut compared) = (Counts::new(), Vec::new(), HashSet::new());
    for file in ub_suite() {
        let module = module(&file.text);
        for case in &file.cases {
            let func = module.env.func_named(&case.function).expect("the function is there");
            let last = case.args.last().map_or("", |a| a);
            if LEFT_OUT.contains(&(&*case.function, last)) {
                continue;
            }
            if calls_inside(&module, func) {
                *counts.entry("calls a function of the module".to_owned()).or_default() += 1;
                continue;
            }
            let mut subject = Subject::new(&module, &module, func).expect("it has code");
            let input = Input::parse(&case.args).expect("arguments");
            for seed in 0..8 {
                match told(subject.check(&input, seed)) {
                    Ok(name) => {
                        if ["returned", "ub", "did not"].iter().any(|start| name.starts_with(start)) {
                            compared.insert((file.path.clone(), case.function.clone()));
                        }
                        *counts.entry(name).or_default() += 1;
                    }
                    Err(why) => wrong.push(format!("@{}({}): {why}", case.function, case.args.join(", "))),
                }
            }
        }
    }
    for (name, count) in &counts {
        println!("{count:6} {name}");
    }
    println!("{} functions compared", compared.len());
    assert!(wrong.is_empty(), "{} runs differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(compared.len() >= 200, "only {} functions were compared", compared.len());
}

/// Memory written by a call contains pointers to the objects of the function's arguments; and a call with poison, or
/// with undefined bits, appears between two equal calls that the interpreter asks for once.
const CALLS: &str = "\
declare void @fill(ptr, i64)
declare i16 @pure(i16) nounwind memory(none)

define i4 @left_by_a_call(ptr noalias %a) {
  %v = alloca [27 x i64]
  store ptr %a, ptr %v
  call void @fill(ptr %v, i64 0)
  %p = load ptr, ptr %v
  ret i4 0
}

define i4 @asked_again() {
entry:
  br label %loop

loop:
  %v = call i16 @pure(i16 0)
  %twice = mul nsw i16 %v, 2
  %w = call i16 @pure(i16 %twice)
  %done = icmp slt i16 %v, 0
  br i1 %done, label %exit, label %loop

exit:
  ret i4 0
}
";

#[test]
fn answers_of_calls_are_the_same_to_interpreter_and_encoder() {
    let module = module(CALLS);
    let cases: [(&str, &[&str], u64); 2] = [
        ("left_by_a_call", &["bytes:80ff8080ff??pppp8005027f80ff2de1"], 826_008_477_782_399_940),
        ("asked_again", &[], 8_907_093_980_310_257_990),
    ];
    for (name, args, known) in cases {
        let func = module.env.func_named(name).expect("the function is there");
        let mut subject = Subject::new(&module, &module, func).expect("it has code");
        let args: Vec<String> = args.iter().map(|arg| (*arg).to_owned()).collect();
        let input = Input::parse(&args).expect("arguments");
        let mut compared = 0;
        for seed in (0..100).chain([known]) {
            let agreement = subject.check(&input, seed);
            let agreement = agreement.unwrap_or_else(|why| panic!("@{name}, choices {seed}: {why}"));
            compared += usize::from(matches!(agreement, Agreement::Same { .. }));
        }
        assert!(compared > 20, "@{name}: {compared} runs were the same");
    }
}

/// Library functions on strings and memory: with arbitrary and with small lengths.
const LIBRARY: &str = "\
@bytes = global [12 x i8] zeroinitializer
declare i64 @strlen(ptr)
declare i64 @strnlen(ptr, i64)
declare i64 @wcslen(ptr)
declare i32 @memcmp(ptr, ptr, i64)
declare i32 @bcmp(ptr, ptr, i64)
declare i32 @strcmp(ptr, ptr)
declare i32 @strncmp(ptr, ptr, i64)
declare ptr @strchr(ptr, i32)
declare ptr @strrchr(ptr, i32)
declare ptr @memchr(ptr, i32, i64)
declare ptr @memcpy(ptr, ptr, i64)
declare ptr @mempcpy(ptr, ptr, i64)
declare ptr @memmove(ptr, ptr, i64)
declare ptr @memset(ptr, i32, i64)
declare void @bzero(ptr, i64)
declare ptr @strcpy(ptr, ptr)
declare ptr @stpcpy(ptr, ptr)
declare ptr @strcat(ptr, ptr)
CALLS
!llvm.module.flags = !{!0}
!0 = !{i32 1, !\"wchar_size\", i32 4}
";
/// Their calls: result type, function, and a letter for each argument: pointer, character or number of bytes.
const LIBRARY_CALLS: [(&str, &str, &str); 18] = [
    ("i64", "strlen", "p"),
    ("i64", "strnlen", "pn"),
    ("i64", "wcslen", "p"),
    ("i32", "memcmp", "ppn"),
    ("i32", "bcmp", "ppn"),
    ("i32", "strcmp", "pp"),
    ("i32", "strncmp", "ppn"),
    ("ptr", "strchr", "pc"),
    ("ptr", "strrchr", "pc"),
    ("ptr", "memchr", "pcn"),
    ("ptr", "memcpy", "ppn"),
    ("ptr", "mempcpy", "ppn"),
    ("ptr", "memmove", "ppn"),
    ("ptr", "memset", "pcn"),
    ("void", "bzero", "pn"),
    ("ptr", "strcpy", "pp"),
    ("ptr", "stpcpy", "pp"),
    ("ptr", "strcat", "pp"),
];

/// A function that makes the call, with arguments as lengths and characters, or small ones.
fn library_call(name: &str, (ret, callee, letters): (&str, &str, &str), small: bool) -> String {
    let (mut params, mut args, mut before) = (Vec::new(), Vec::new(), String::new());
    for (i, letter) in letters.chars().enumerate() {
        let ty = match letter {
            'p' => "ptr",
            'n' => "i64",
            _ => "i32",
        };
        params.push(format!("{ty} %a{i}"));
        if small && letter != 'p' {
            before.push_str(&format!("  %b{i} = and {ty} %a{i}, 3\n"));
            args.push(format!("{ty} %b{i}"));
        } else if small && i > 0 {
            before.push_str(&format!("  %b{i} = getelementptr i8, ptr %a0, i64 2\n"));
            args.push(format!("ptr %b{i}"));
        } else {
            args.push(format!("{ty} %a{i}"));
        }
    }
    let (params, args) = (params.join(", "), args.join(", "));
    let (result, end) =
        if ret == "void" { ("", "ret void".to_owned()) } else { ("%r = ", format!("ret {ret} %r")) };
    format!(
        "define {ret} @{name}({params}) {{\n{before}  {result}call {ret} @{callee}({args})\n  {end}\n}}\n"
    )
}

/// Compares the engines on each function of `module`: counts by category, and disagreements.
fn compare_library(module: &Module, counts: &mut Counts, wrong: &mut Vec<String>) {
    let cases = number("BACKEDGE_LIBRARY_CASES", 300);
    for (func, _) in module.bodies() {
        let mut subject = Subject::new(module, module, func).expect("it has code");
        for case in 0..cases {
            let (input, choices) = random_case(module, func, case).expect("it is a function");
            let name = &module.env.funcs[func].name;
            match told(subject.check(&input, choices)) {
                Ok(kind) => *counts.entry(kind).or_default() += 1,
                Err(why) => {
                    let call = LIBRARY_CALLS[name[1..].parse::<usize>().expect("a number")];
                    let args: Vec<String> = input.args.iter().map(ToString::to_string).collect();
                    wrong.push(format!("@{name} {call:?} ({}) {:?}: {why}", args.join(", "), input.globals));
                }
            }
        }
    }
}

#[test]
fn functions_of_the_library_mean_the_same_to_both() {
    let calls: String = (0..)
        .zip(LIBRARY_CALLS)
        .map(|(i, call)| {
            library_call(&format!("f{i}"), call, false) + &library_call(&format!("g{i}"), call, true)
        })
        .collect();
    let text = LIBRARY.replace("CALLS", &calls);
    let with_layout = |layout: &str, text: &str| format!("target datalayout = \"{layout}\"\n{text}");
    let texts = [
        text.clone(),
        with_layout("E-p:64:64", &text),
        with_layout("e-p:32:32", &text.replace("i64", "i32")),
    ];
    let (mut counts, mut wrong) = (Counts::new(), Vec::new());
    for text in texts {
        compare_library(&module(&text), &mut counts, &mut wrong);
    }
    for (name, count) in &counts {
        println!("{count:6} {name}");
    }
    let shown: Vec<String> = wrong.iter().take(number("BACKEDGE_SHOW", 10)).cloned().collect();
    assert!(wrong.is_empty(), "{} runs differ:\n{}", wrong.len(), shown.join("\n"));
    let returned: usize =
        counts.iter().filter(|(name, _)| name.starts_with("returned")).map(|(_, count)| count).sum();
    assert!(returned > 1000, "only {returned} runs returned");
}

/// Promises of functions about themselves, and globals that hold pointers.
const PROMISES: &str = "\
@p = global [2 x i32] zeroinitializer
@q = global i32 7
@held = global [2 x ptr] [ptr @q, ptr getelementptr (i8, ptr @p, i64 4)]
@of = global <{ i8, ptr }> <{ i8 5, ptr @p }>
declare void @any()
define i32 @holds() {
  ret i32 0
}
define i32 @loads() {
  %a = load ptr, ptr @held
  %x = load i32, ptr %a
  ret i32 %x
}
declare void @writes_bytes(i32) nounwind willreturn
define void @keeps(ptr noalias %a) {
  store ptr %a, ptr @held
  call void @writes_bytes(i32 0)
  ret void
}
define <2 x ptr> @pointers(<2 x ptr> %a) {
  ret <2 x ptr> %a
}
define range(i32 0, 256) i32 @open_bits(ptr %c) {
  %x = load i8, ptr %c
  %y = zext i8 %x to i32
  ret i32 %y
}
define void @ends() nounwind {
  call void @any()
  ret void
}
define void @returns() willreturn {
  call void @any()
  ret void
}
define void @stays() noreturn {
  call void @any()
  ret void
}
define void @leaves() noreturn {
  ret void
}
define void @touches() memory(none) {
  store i32 1, ptr @q
  ret void
}
define i32 @writes() memory(write) {
  %x = load i32, ptr @q
  ret i32 %x
}
define void @hidden() memory(inaccessiblemem: readwrite) {
  store i32 1, ptr @q
  ret void
}
define void @calls() memory(argmem: readwrite) {
  call void @any()
  ret void
}
declare noundef range(i32 0, -2147483648) i32 @answer(i32)
define i4 @asks() {
  %v = call i32 @answer(i32 0)
  ret i4 0
}
";

#[test]
fn what_functions_promise_and_globals_hold_means_the_same_to_both() {
    let module = module(PROMISES);
    let mut seen = HashSet::new();
    for (func, _) in module.bodies() {
        let mut subject = Subject::new(&module, &module, func).expect("it has code");
        let name = &module.env.funcs[func].name;
        for number in 0..200 {
            let (input, choices) = random_case(&module, func, number).expect("it is a function");
            match told(subject.check(&input, choices)) {
                Ok(kind) => seen.extend([format!("{name}: {kind}")]),
                Err(why) => panic!("@{name}({input:?}): {why}"),
            }
        }
    }
    let broken = ["nounwind-violated", "willreturn-violated", "noreturn-returned", "memory-effects-violated"];
    for kind in broken {
        assert!(seen.iter().any(|s| s.ends_with(kind)), "{kind} is met: {seen:?}");
    }
    assert!(seen.contains("asks: ub noundef-violated"), "{seen:?}");
    for name in ["holds", "loads", "keeps", "pointers", "open_bits"] {
        assert!(seen.contains(&format!("{name}: returned")), "{name} returns: {seen:?}");
    }
}

/// Functions of kinds that are not generated: narrow pointers, `byval` parameters, block addresses, repeated calls that
/// need not return, indirect calls.
const PARTICULAR: [&str; 16] = [
    "target datalayout = \"e-p:32:32\"\n@g = external global [2 x ptr]\ndefine void @f(ptr dereferenceable(16) %a) {\n  \
     ret void\n}",
    "define ptr @f(ptr noalias %0, ptr noalias %1) {\n  ret ptr null\n}",
    "@e = external global ptr\ndefine i1 @f(i1 %a, ptr noundef %b) {\n  ret i1 false\n}",
    "target datalayout = \"e-p:32:32\"\ndefine ptr @f(ptr %p) {\n  ret ptr %p\n}",
    "target datalayout = \"p:16:16\"\ndefine ptr @f() {\n  %a = alloca [10 x i64]\n  ret ptr %a\n}",
    "define void @f(ptr byval(i32) %p) {\n  store i4 0, ptr %p\n  ret void\n}",
    "declare void @see(ptr)\ndefine ptr @f(ptr byval(i32) %p) {\n  call void @see(ptr %p)\n  ret ptr %p\n}",
    "declare void @see(ptr)\ndefine void @f(i1 %c) {\nentry:\n  call void @see(ptr blockaddress(@f, %b))\n  \
     br i1 %c, label %a, label %b\na:\n  ret void\nb:\n  ret void\n}",
    "declare i16 @quiet(i16) nounwind memory(none)\ndeclare void @see()\ndefine void @f() {\nentry:\n  br label %l\nl:\n  \
     %q = call i16 @quiet(i16 0)\n  call void @see()\n  br label %l\n}",
    "declare void @see(i32)\ndeclare void @stops() memory(none)\ndefine void @f() {\nentry:\n  br label %l\nl:\n  \
     call void @see(i32 0)\n  call void @stops()\n  br label %l\n}",
    "define void @f(ptr %p) {\n  store ptr undef, ptr %p\n  ret void\n}",
    "define i4 @f(i1 %a) {\n  br i1 %a, label %j, label %b\nb:\n  %v = alloca ptr\n  br label %j\nj:\n  \
     %p = phi ptr [ null, %0 ], [ %v, %b ]\n  %l = load ptr, ptr %p\n  ret i4 0\n}",
    "define x86_fp80 @f() {\n  ret x86_fp80 0xK3FFF8000000000000000\n}",
    "@b = global [256 x [256 x float]] zeroinitializer\n@c = global [256 x [256 x float]] zeroinitializer\n\
     declare i32 @g(ptr, ptr)\ndefine i4 @f(ptr noundef %a) {\n  %v = call i32 @g(ptr @b, ptr @c)\n  ret i4 0\n}",
    "@a = common global [2048 x i32] zeroinitializer\n@c = common global [2048 x i32] zeroinitializer\n\
     define void @f(i1 noundef %a) {\n  %v = load i1, ptr @c\n  store i1 %v, ptr @a\n  ret void\n}",
    "@table = constant ptr @g\ndeclare void @g()\ndefine void @f() {\n  %g = load ptr, ptr @table\n  call void %g()\n  \
     ret void\n}",
];

#[test]
fn particular_functions_mean_the_same_to_both() {
    for text in PARTICULAR {
        let module = module(text);
        let func = module.env.func_named("f").expect("it has @f");
        let mut subject = Subject::new(&module, &module, func).expect("it has code");
        let mut compared = 0;
        for number in 0..200 {
            let (input, choices) = random_case(&module, func, number).expect("it is a function");
            match subject.check(&input, choices) {
                Ok(Agreement::Same { .. }) => compared += 1,
                Ok(_) => {}
                Err(why) => panic!("{number}: {why}\n{text}"),
            }
        }
        assert!(compared > 0 || text.contains("call void %g"), "nothing was compared:\n{text}");
    }
}
