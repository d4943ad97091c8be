//! Generated programs: the same seed gives the same text, and all intended constructs occur.

use backedge_testkit::generate::{
    Features, Mix, TRACE, effectful, enumerable, graph_function, module, program, promising_pair,
    random_loop, wild_module,
};
use backedge_testkit::peer;

#[test]
fn the_seed_decides_the_text() {
    for seed in [0, 7, u64::MAX] {
        assert_eq!(program(seed, Features::ALL), program(seed, Features::ALL));
    }
    assert_ne!(program(1, Features::ALL).text.replace("p1.", "p2."), program(2, Features::ALL).text);
}

/// Constructs of the language that generated programs contain.
const WANTED: [&str; 78] = [
    " add nuw ",
    " add nsw ",
    " sub nuw ",
    " mul nuw nsw ",
    " shl nuw ",
    " lshr exact ",
    " ashr exact ",
    " ashr ",
    " udiv exact ",
    " sdiv exact ",
    " sdiv ",
    " srem ",
    " urem ",
    " or disjoint ",
    " icmp samesign ",
    " freeze ",
    " zext nneg ",
    " trunc nuw ",
    " uitofp nneg ",
    " fptosi ",
    " fptoui ",
    " frem ",
    " fneg ",
    " fpext ",
    " fptrunc ",
    " fcmp ueq ",
    " switch ",
    " phi ",
    " select ",
    " alloca ",
    " load i24,",
    " load i128,",
    " store double ",
    " insertvalue ",
    " extractvalue ",
    " insertelement ",
    " extractelement ",
    " shufflevector ",
    " getelementptr inbounds ",
    " getelementptr nusw nuw ",
    " ptrtoint ",
    " call i64 %",
    "llvm.memcpy.",
    "llvm.memmove.",
    "llvm.memset.",
    "llvm.abs.",
    "llvm.umin.",
    "llvm.smax.",
    "llvm.sadd.sat.",
    "llvm.usub.sat.",
    "llvm.sshl.sat.",
    "llvm.smul.with.overflow.",
    "llvm.usub.with.overflow.",
    "llvm.ctpop.",
    "llvm.ctlz.",
    "llvm.cttz.",
    "llvm.bswap.",
    "llvm.bitreverse.",
    "llvm.fshl.",
    "llvm.fshr.",
    "llvm.ucmp.",
    "llvm.scmp.",
    "llvm.vector.reduce.smin.",
    "llvm.fptosi.sat.",
    "llvm.fma.",
    "llvm.copysign.",
    "llvm.minimum.",
    " atomicrmw nand ",
    " atomicrmw uinc_wrap ",
    " cmpxchg ",
    " load atomic ",
    " fence ",
    " byval(",
    " sret(",
    " alloca i8, i64 %",
    " bitcast <8 x i1> ",
    "llvm.vector.reduce.fadd.",
    "llvm.vector.reduce.fmaximum.",
];

#[test]
fn programs_cover_the_language() {
    let programs: Vec<_> = (0..600).map(|seed| program(seed, Features::ALL)).collect();
    let text = module(&programs);
    for wanted in WANTED {
        assert!(text.contains(wanted), "no `{wanted}` in 600 programs");
    }
    let has_recursion = programs.iter().any(|p| p.text.matches(&format!("@p{}.rec(", p.seed)).count() > 2);
    assert!(has_recursion, "no recursive function in 600 programs");
}

#[test]
fn features_leave_parts_of_the_language_out() {
    for seed in 0..200 {
        let program = program(seed, Features::INTERPRETED);
        for absent in [" freeze ", " insertvalue ", " i128 ", "llvm.ctpop.", "llvm.fma."] {
            assert!(!program.text.contains(absent), "seed {seed}: `{absent}`");
        }
    }
}

/// The generators whose functions may have UB, by name.
fn modules(seed: u64) -> [(&'static str, String); 6] {
    let graph = vec![vec![1, 2], vec![1, 3, 4], vec![4], vec![3, 4], vec![2, 5, 5], vec![], vec![6, 4]];
    let mix = Mix { memory: 25, calls: 10, size: 50 };
    [
        ("wild", wild_module(seed)),
        ("enumerable", enumerable(seed, 30).text),
        ("effectful", effectful(seed, mix)),
        ("loop", random_loop(seed)),
        ("graph", format!("{TRACE}{}", graph_function("f", &graph, seed))),
        ("pair", promising_pair(seed)),
    ]
}

#[test]
fn modules_pass_the_verifier_of_llvm() {
    assert_eq!(modules(5), modules(5));
    let Some(opt) = peer("opt", "verifying generated modules") else { return };
    let check = |(name, text): (&str, String)| {
        let answer = opt.run(&["-passes=verify", "-disable-output", "-"], text.as_bytes());
        (!answer.ok()).then(|| format!("{name}: {}\n{text}", answer.stderr))
    };
    let wrong: Vec<String> = (0..150).flat_map(modules).filter_map(check).collect();
    assert!(wrong.is_empty(), "{} modules are wrong; one of them:\n{}", wrong.len(), wrong[0]);
}
