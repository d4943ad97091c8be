//! On generated functions full of violated flags, the reported way of poison must be possible: each link has poison
//! and is an operand, an argument, a returned or a stored value of the next link; no operand of the first link has
//! it.

use crate::support;
use backedge_interp::chooser::RandomChooser;
use backedge_interp::input::Input;
use backedge_interp::trace::{CauseKind, Detail, Link, NoObserver, Recorder, Step, Story, Trace, Via, What};
use backedge_interp::value::Val;
use backedge_interp::{Config, Machine, Program};
use backedge_ir::inst::{InstKind, Value};
use backedge_ir::module::Module;
use backedge_ir::types::{Type, TypeKind};
use backedge_testkit::Dice;
use std::collections::BTreeMap;
use std::fmt::Write as _;

struct Writer {
    dice: Dice,
    text: String,
    values: Vec<String>,
    next: usize,
}

impl Writer {
    fn value(&mut self) -> String {
        match self.dice.below(8) {
            0 => self.dice.between(-128, 127).to_string(),
            _ => {
                let at = self.dice.below(self.values.len());
                self.values[at].clone()
            }
        }
    }
    fn name(&mut self) -> String {
        self.next += 1;
        format!("%v{}", self.next)
    }
    fn line(&mut self, text: &str) {
        writeln!(self.text, "  {text}").expect("a string");
    }
    /// `%v = text`, an i8.
    fn define(&mut self, text: &str) -> String {
        let name = self.name();
        self.line(&format!("{name} = {text}"));
        name
    }
    fn step(&mut self) {
        let (x, y, k) = (self.value(), self.value(), self.dice.below(4));
        let result = match self.dice.below(12) {
            0..=3 => {
                let ops = [
                    "add nsw",
                    "add nuw",
                    "sub nsw",
                    "mul nsw",
                    "shl",
                    "lshr exact",
                    "or disjoint",
                    "xor",
                    "ashr",
                ];
                let op = self.dice.pick(&ops);
                self.define(&format!("{op} i8 {x}, {y}"))
            }
            4 => {
                let c = self.define(&format!("icmp slt i8 {x}, {y}"));
                self.define(&format!("select i1 {c}, i8 {y}, i8 {x}"))
            }
            5 => {
                let p = self.define(&format!("getelementptr i8, ptr %p, i64 {k}"));
                self.line(&format!("store i8 {x}, ptr {p}"));
                return;
            }
            6 => {
                let p = self.define(&format!("getelementptr i8, ptr %q, i64 {k}"));
                let wide = self.define(&format!("load i16, ptr {p}, align 1"));
                self.define(&format!("trunc i16 {wide} to i8"))
            }
            7 => {
                let (from, to) = if k % 2 == 0 { ("%p", "%q") } else { ("%q", "%p") };
                self.line(&format!(
                    "call void @llvm.memcpy.p0.p0.i64(ptr {to}, ptr {from}, i64 {}, i1 false)",
                    k + 1
                ));
                self.define(&format!("load i8, ptr {to}"))
            }
            8 => {
                let a = self.define(&format!("insertelement <2 x i8> <i8 1, i8 2>, i8 {x}, i32 {}", k % 2));
                let b = self.define(&format!("add nsw <2 x i8> {a}, <i8 100, i8 3>"));
                let c = self
                    .define(&format!("shufflevector <2 x i8> {b}, <2 x i8> {a}, <2 x i32> <i32 {k}, i32 1>"));
                self.define(&format!("extractelement <2 x i8> {c}, i32 {}", k / 2))
            }
            9 => self.define(&format!("call i8 @inner(i8 {x}, i8 {y})")),
            10 => {
                let a = self
                    .define(&format!("insertvalue {{ i8, i8 }} {{ i8 1, i8 poison }}, i8 {x}, {}", k % 2));
                self.line(&format!("store {{ i8, i8 }} {a}, ptr %q"));
                self.define(&format!("extractvalue {{ i8, i8 }} {a}, {}", k / 2))
            }
            _ => self.define(&format!("freeze i8 {x}")),
        };
        self.values.push(result);
    }
}

/// A function with a loop of three iterations around random steps.
fn generate(seed: u64) -> String {
    let mut w = Writer {
        dice: Dice::new(seed),
        text: String::new(),
        values: vec!["%a".into(), "%b".into()],
        next: 0,
    };
    w.text.push_str(
        "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n\
         define i8 @inner(i8 %x, i8 %y) {\n  %s = add nsw i8 %x, %y\n  %m = mul nuw i8 %s, 3\n  ret i8 %m\n}\n\
         define i8 @f(i8 %a, i8 %b, ptr %p) {\nentry:\n  %q = alloca [8 x i8]\n",
    );
    (0..4).for_each(|_| w.step());
    let first = w.value();
    w.text.push_str("  br label %loop\nloop:\n  %i = phi i8 [ 0, %entry ], [ %i.next, %loop ]\n");
    writeln!(w.text, "  %s = phi i8 [ {first}, %entry ], [ %s.next, %loop ]").expect("a string");
    w.values.push("%s".into());
    (0..6).for_each(|_| w.step());
    let (x, y) = (w.value(), w.value());
    writeln!(
        w.text,
        "  %s.next = add nsw i8 {x}, {y}\n  %i.next = add i8 %i, 1\n  %more = icmp ult i8 %i.next, 3\n\
         \x20 br i1 %more, label %loop, label %exit\nexit:"
    )
    .expect("a string");
    w.values.push("%s.next".into());
    (0..3).for_each(|_| w.step());
    let result = w.value();
    writeln!(w.text, "  ret i8 {result}\n}}").expect("a string");
    w.text
}

/// An argument of that type as text: defined, undefined or poison by `variant`.
fn argument(module: &Module, ty: Type, variant: usize) -> Option<&'static str> {
    let several = module.env.types.compound(ty).is_some();
    Some(match ty.kind() {
        _ if several || variant == 2 => "poison",
        TypeKind::Int(_) => ["1", "0"][variant],
        TypeKind::Float(_) => "1.0",
        TypeKind::Ptr(_) => ["zeros:256", "uninit:256"][variant],
        _ => return None,
    })
}

/// Every function of the corpus and of LLVM's loop tests, on defined, undefined and poison input: an observed run
/// equals an unobserved run, its returned value is explained, and text and JSON can be produced.
#[test]
fn traces_of_real_functions() {
    let mut files = backedge_testkit::corpus_files();
    files.extend(
        backedge_testkit::llvm_tests("traces of LLVM's loop tests").map_or(Vec::new(), |t| t.files()),
    );
    let (mut runs, mut stories) = (0, 0);
    for path in files {
        let Ok(text) = std::fs::read(&path) else { continue };
        let Ok(parsed) = backedge_ir::parse::read_module(&text) else { continue };
        let module = parsed.module;
        let config = Config { fuel: 2000, max_bytes: 1 << 24, ..Config::default() };
        let program = Program::new(&module, &config);
        let mut machine = Machine::new(&program, config.clone());
        for (func, body) in module.bodies() {
            for variant in 0..3 {
                let args: Option<Vec<_>> =
                    body.args().map(|a| argument(&module, body.ty(a.into()), variant)).collect();
                let Some(input) = args.and_then(|args| Input::parse(&args).ok()) else { continue };
                let alone = machine.run(func, &input, &mut RandomChooser::new(7), &mut NoObserver);
                let mut recorder = Recorder::new(&program, 300);
                let watched = machine.run(func, &input, &mut RandomChooser::new(7), &mut recorder);
                let (Ok(alone), Ok(run)) = (alone, watched) else { continue };
                let trace = recorder.finish(&machine, func, &input, &run);
                let what = || format!("{}: @{} {input:?}", path.display(), module.env.funcs[func].name);
                assert_eq!(alone, run, "{}", what());
                let bad = run.value().is_some_and(Val::has_undef_or_poison);
                let is_reported =
                    trace.explanation.subjects.iter().filter(|s| s.what == "the returned value").count();
                assert_eq!(usize::from(bad), is_reported, "{}", what());
                assert_eq!(run.outcome.ub().is_some(), trace.explanation.ub.is_some());
                for subject in &trace.explanation.subjects {
                    let kind = subject.story.cause.kind;
                    assert!(
                        kind != CauseKind::NotKept,
                        "{}\n{}",
                        what(),
                        trace.explanation.lines().join("\n")
                    );
                }
                assert!(!trace.to_json_lines().is_empty() && !trace.to_text(Detail::Operands).is_empty());
                (runs, stories) = (runs + 1, stories + trace.explanation.subjects.len());
            }
        }
    }
    println!("{runs} runs, {stories} stories");
    assert!(runs > 300 && stories > 50, "{runs} runs, {stories} stories");
}

fn member<'a>(value: &'a Val, path: &[u32]) -> &'a Val {
    path.iter().fold(value, |v, i| v.members().get(*i as usize).unwrap_or(v))
}

/// Whether `to` can have received the value of `from` in the stated way.
fn is_way(module: &Module, from: &Link, to: &Link) -> bool {
    let body = module.body(to.at.func).expect("it ran");
    let from_value = from.at.inst.map(Value::Inst);
    let same_frame = from.at.func == to.at.func && from.at.depth == to.at.depth;
    let kind = |link: &Link| {
        let body = module.body(link.at.func).expect("it ran");
        link.at.inst.map(|inst| body.inst(inst).kind.clone())
    };
    match (&to.via, to.at.inst) {
        (Via::Operand(_) | Via::Edge, Some(inst)) => {
            let data = body.inst(inst);
            let uses = match from.at.inst {
                Some(_) => data.operands.iter().any(|v| Some(*v) == from_value),
                None => data.operands.iter().any(|v| matches!(v, Value::Arg(_))),
            };
            same_frame && uses && (to.via == Via::Edge) == data.kind.is_phi()
        }
        (Via::Memory(_), Some(_)) => {
            let writes = matches!(kind(from), Some(InstKind::Store(_) | InstKind::Call(_)));
            writes && matches!(kind(to), Some(InstKind::Load(_) | InstKind::Call(_)))
        }
        (Via::Argument, None) => to.at.depth == from.at.depth + 1,
        (Via::Return, Some(_)) => from.at.depth == to.at.depth + 1 && kind(from) == Some(InstKind::Ret),
        _ => false,
    }
}

/// Kinds of causes that originate in the instruction, whose operands had no poison.
fn is_made(kind: CauseKind) -> bool {
    use CauseKind as K;
    matches!(kind, K::Nsw | K::Nuw | K::Exact | K::Disjoint | K::ShiftAmount | K::UndefOperand)
}

fn check(module: &Module, trace: &Trace<'_>, story: &Story, what: &str) {
    let text = || trace.explanation.lines().join("\n");
    assert!(!matches!(story.cause.kind, CauseKind::Other | CauseKind::NotKept), "{what}\n{}", text());
    for link in &story.links {
        assert!(story.bad.is_in(member(&link.value, &link.path)), "{what}\n{link:?}\n{}", text());
    }
    for pair in story.links.windows(2) {
        assert!(pair[0].at.step <= pair[1].at.step, "{what}\n{}", text());
        assert!(is_way(module, &pair[0], &pair[1]), "{what}\n{:#?}\n{}", pair, text());
    }
    if let (Some(first), true) = (story.links.first(), is_made(story.cause.kind)) {
        let steps: Vec<&Step> = trace.head.iter().chain(&trace.tail).collect();
        let at = steps.iter().find(|s| s.at.step == first.at.step && s.at.inst == first.at.inst);
        let Some(Step { what: What::Inst { operands, .. }, .. }) = at else { panic!("{what}: no such step") };
        let lane = |v: &Val| *member(v, &first.path) == Val::Poison;
        assert!(!operands.iter().any(lane), "{what}: an operand is poison\n{}", text());
    }
    if let Some(because) = &story.because {
        check(module, trace, because, what);
    }
}

#[test]
fn ways_of_poison_are_valid() {
    let mut seen: BTreeMap<CauseKind, usize> = BTreeMap::new();
    let mut memory = 0;
    for seed in 0..600 {
        let source = generate(seed);
        let module = support::module(&source);
        let config = Config { uninit_poison: seed % 2 == 0, ..Config::default() };
        let program = Program::new(&module, &config);
        let mut machine = Machine::new(&program, config);
        let id = module.env.func_named("f").expect("it is there");
        for args in
            [["100", "3", "bytes:0102??04"], ["poison", "-1", "bytes:01pp0304"], ["7", "undef", "zeros:4"]]
        {
            let input = Input::parse(&args).expect("the arguments are right");
            let mut recorder = Recorder::new(&program, 10_000);
            let run = machine
                .run(id, &input, &mut RandomChooser::new(seed), &mut recorder)
                .expect("the input fits");
            let trace = recorder.finish(&machine, id, &input, &run);
            let what = format!("seed {seed}, {args:?}\n{source}");
            let bad = run.value().is_some_and(Val::has_undef_or_poison);
            let is_reported = trace.explanation.subjects.iter().any(|s| s.what == "the returned value");
            assert_eq!(bad, is_reported, "{what}");
            for subject in &trace.explanation.subjects {
                check(&module, &trace, &subject.story, &what);
                *seen.entry(subject.story.cause.kind).or_default() += 1;
                memory += subject.story.links.iter().filter(|l| matches!(l.via, Via::Memory(_))).count();
            }
        }
    }
    // All of these kinds occurred often.
    use CauseKind as K;
    for kind in [
        K::Nsw,
        K::Nuw,
        K::Exact,
        K::ShiftAmount,
        K::Constant,
        K::Argument,
        K::Uninitialised,
        K::InitialMemory,
    ] {
        assert!(seen.get(&kind).is_some_and(|n| *n >= 10), "{kind:?}: {seen:?}");
    }
    assert!(memory > 200, "{memory} links through memory");
}
