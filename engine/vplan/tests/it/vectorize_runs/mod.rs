//! Vector code refines the loop: random loops with all kinds of phis, accesses and exits, vectorized with several
//! numbers of lanes and interleave counts, and compared on random inputs, including poison and undef.

mod writer;

use crate::common::{Pair, formed};
use backedge_interp::input::{ArgSpec, Input};
use backedge_interp::memory::Contents;
use backedge_interp::refine::{Budget, Refinement, Side, refine};
use backedge_interp::{Config, Machine, Program};
use backedge_ir::module::Module;
use backedge_ir::print::module_to_string;
use backedge_pipeline::{Nobody, Options, parse_pipeline, run};
use backedge_testkit::Dice;
use std::collections::BTreeMap;
use writer::program;

/// The module after the pass, and whether a loop was vectorized.
fn vectorized(module: &Module, (lanes, parts): (u32, u32), tail: &str) -> (Module, bool) {
    // Zero lanes means that the cost model chooses.
    let forced = match lanes {
        0 => String::new(),
        _ => format!("force-vector-width={lanes};force-vector-interleave={parts};"),
    };
    let text = format!(
        "loop-vectorize<{forced}prefer-predicate-over-epilogue={tail};runtime-memory-check-threshold=99>"
    );
    let pass = parse_pipeline(&text).expect("a pipeline");
    let mut module = module.clone();
    run(&mut module, &pass, Options::default(), &mut Nobody).expect("the pass");
    let problems = backedge_ir::verify::verify_module(&module);
    assert!(problems.is_empty(), "{problems:?}\n{}", module_to_string(&module));
    let done = module_to_string(&module).contains("vector.body");
    (module, done)
}

/// Inputs for a given number of lanes in all parts, with trip counts near that number.
fn inputs(seed: u64, lanes: u32) -> Vec<Input> {
    let mut dice = Dice::new(seed ^ 0x5555);
    let mut all = Vec::new();
    for case in 0..7u64 {
        let bytes: Vec<u8> = (0..400).map(|_| dice.below(256) as u8).collect();
        let buffer = || ArgSpec::Buffer(Box::new(Contents::from_bytes(bytes.clone())));
        let other = match case % 3 {
            0 => ArgSpec::Alias { arg: 0, offset: dice.pick(&[0, 4, -4, 1, 16]) },
            _ => buffer(),
        };
        let number = |dice: &mut Dice, most: usize| ArgSpec::Int(dice.below(most) as i128);
        let strange = |dice: &mut Dice| match dice.below(8) {
            0 => ArgSpec::Poison,
            1 => ArgSpec::Int(-1),
            _ => ArgSpec::Int(dice.below(100) as i128),
        };
        let (mut n, m) = (number(&mut dice, 24), number(&mut dice, 24));
        if case % 2 == 0 {
            let lanes = i128::from(lanes);
            n = ArgSpec::Int(dice.pick(&[0, 1, lanes - 1, lanes, lanes + 1, 2 * lanes]));
        }
        if case == 5 {
            n = ArgSpec::Poison;
        }
        let (a, b) = (strange(&mut dice), strange(&mut dice));
        let place = match case % 4 {
            3 => ArgSpec::Alias { arg: 0, offset: 200 },
            _ => buffer(),
        };
        all.push(Input::new(vec![buffer(), other, n, m, a, b, place]));
    }
    all
}

#[test]
fn vectors_do_what_the_loop_did() {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let config = Config { fuel: 20_000, ..Config::default() };
    for seed in backedge_testkit::seeds(1000) {
        let text = program(seed);
        let source = formed(&text);
        let shapes = [(2, 1), (4, 1), (2, 2), (4, 4), (8, 1), (0, 0), (2, 3), (16, 1), (4, 3)];
        let (lanes, parts) = shapes[(seed % shapes.len() as u64) as usize];
        let tails = ["weighed", "predicate-else-scalar-epilogue", "scalar-epilogue"];
        let tail = tails[(seed / shapes.len() as u64 % tails.len() as u64) as usize];
        let (target, done) = vectorized(&source, (lanes, parts), tail);
        *counts.entry(if done { "vectorized" } else { "left" }).or_default() += 1;
        if !done {
            continue;
        }
        let made = module_to_string(&target);
        for kind in [
            "llvm.masked",
            "llvm.vector.reduce",
            "cttz.elts",
            "shufflevector",
            "freeze <",
            "%apart",
            "%max.iters.check",
            "%last.lane",
            "br label %scalar.ph",
            "%vector.early.exit",
            "= call i32 @silent(",
        ] {
            *counts.entry(kind).or_default() += usize::from(made.contains(kind));
        }
        let loops = made.matches(" = phi i64 [ 0, %vector.ph").count();
        *counts.entry("twice").or_default() += usize::from(loops > 1);
        let words = |of: &str| made.contains(of);
        let wide = |what: &str| (5..16).any(|n| n != 8 && words(&format!("{what} <{n} x i32>")));
        *counts.entry("loads together").or_default() +=
            usize::from(lanes == 4 && (wide("load") || words("load <8 x i32>")));
        *counts.entry("stores together").or_default() +=
            usize::from(lanes == 4 && (wide("store") || words("store <8 x i32>")));
        let vectors = made.split("vector.body:").nth(1).and_then(|m| m.split("middle.block:").next());
        let in_vectors = |what: &str| usize::from(vectors.is_some_and(|body| body.contains(what)));
        *counts.entry("one for all lanes").or_default() += in_vectors(" = lshr i64 %");
        let early: Vec<&str> = made.split("vector.early.exit:").skip(1).collect();
        let leaves =
            early.iter().any(|b| b.split("br ").nth(1).is_some_and(|to| to.starts_with("label %exit")));
        *counts.entry("leaves from vectors").or_default() += usize::from(leaves);
        let pair = Pair::new([&source, &target], &config);
        let about = format!("seed {seed}, {lanes} lanes, {parts} parts");
        for input in inputs(seed, (lanes * parts).max(4)) {
            let kind = pair
                .run(&input)
                .unwrap_or_else(|why| panic!("{about}: {why} on {:?}\n{text}\n{made}", &input.args[2..6]));
            *counts.entry(kind).or_default() += 1;
        }
    }
    println!("{counts:?}");
    let of = |kind: &str| counts.get(kind).copied().unwrap_or(0);
    assert!(of("vectorized") > 200 && of("refines") > 800, "{counts:?}");
    assert!(of("%vector.early.exit") > 30 && of("= call i32 @silent(") > 20, "{counts:?}");
    assert!(of("leaves from vectors") > 5 && of("one for all lanes") > 2, "{counts:?}");
    assert!(of("%max.iters.check") > 20 && of("%last.lane") > 5, "{counts:?}");
    assert!(of("loads together") > 4 && of("stores together") > 8, "{counts:?}");
    assert!(
        of("llvm.masked") > 50 && of("cttz.elts") > 10 && of("freeze <") > 20 && of("%apart") > 50,
        "{counts:?}"
    );
}

/// Loops that store and add, that use recurrences and selections, that leave through another counted exit, and that
/// leave depending on memory: with every trip count of an 8-bit counter, and one more.
#[test]
fn every_number_of_iterations() {
    let counted = "  %c = icmp eq i8 %i, %m\n  br i1 %c, label %exit, label %latch\nlatch:\n";
    let by_data = "  %c = icmp eq i8 %v, %m\n  br i1 %c, label %exit, label %latch\nlatch:\n";
    let loops = [
        ("  %w = add i8 %v, %i\n  store i8 %w, ptr %to\n  %t = add i8 %s, %v\n", "", "%v"),
        ("  %d = xor i8 %v, %h\n  %is = icmp slt i8 %d, -90\n  %t = select i1 %is, i8 %i, i8 %s\n", "", "%v"),
        ("  %t = add i8 %s, %v\n", counted, "%v"),
        ("  %t = xor i8 %s, %v\n", by_data, "%h"),
    ];
    let mut vectors = 0;
    for (inside, leave, handed) in loops {
        let (latch, middle) = if leave.is_empty() { ("loop", "") } else { ("latch", "[ %s, %loop ], ") };
        let text = format!(
            "define i8 @f(ptr dereferenceable(256) noalias %p, ptr noalias %q, i8 %n, i8 %m) nofree nosync {{\nentry:\n  \
             br label %loop\nloop:\n  %i = phi i8 [ 0, %entry ], [ %i.next, %{latch} ]\n  \
             %s = phi i8 [ 3, %entry ], [ %t, %{latch} ]\n  %h = phi i8 [ 9, %entry ], [ {handed}, %{latch} ]\n  \
             %k = zext i8 %i to i64\n  %at = getelementptr inbounds i8, ptr %p, i64 %k\n  %v = load i8, ptr %at\n  \
             %to = getelementptr inbounds i8, ptr %q, i64 %k\n{leave}{inside}  %i.next = add i8 %i, 1\n  \
             %done = icmp eq i8 %i.next, %n\n  br i1 %done, label %exit, label %loop\nexit:\n  \
             %r = phi i8 {middle}[ %t, %{latch} ]\n  ret i8 %r\n}}\n"
        );
        let source = formed(&text);
        let shapes = [(2, 1), (4, 1), (8, 1), (16, 1), (2, 3), (4, 2), (4, 4), (8, 3), (16, 4)];
        for (shape, tail) in
            shapes.iter().zip(["scalar-epilogue", "predicate-else-scalar-epilogue"].iter().cycle())
        {
            let (target, done) = vectorized(&source, *shape, tail);
            vectors += usize::from(done);
            let pair = Pair::new([&source, &target], &Config { fuel: 50_000, ..Config::default() });
            let all = i128::from(shape.0 * shape.1);
            let near = |n: i128| (n - 1..=n + 1).chain([2 * n - 1, 2 * n, 2 * n + 1]);
            // With a trip count of 0 the loop runs once for each value of the counter.
            for n in (0..=3).chain(near(all)).chain(near(128)).chain([50, 97, 200, 254]) {
                for m in [0, 1, all - 1, all, 77, 255] {
                    let bytes: Vec<u8> = (0..=255u8).map(|k| k.wrapping_mul(89) ^ 0x31).collect();
                    let buffer = || ArgSpec::Buffer(Box::new(Contents::from_bytes(bytes.clone())));
                    let int = |n: i128| ArgSpec::Int(n.rem_euclid(256));
                    let found = pair.run(&Input::new(vec![buffer(), buffer(), int(n), int(m)]));
                    assert_eq!(
                        found,
                        Ok("refines"),
                        "{n} {m} {shape:?} {tail}\n{text}\n{}",
                        module_to_string(&target)
                    );
                }
            }
        }
    }
    assert!(vectors > 20, "{vectors} loops became vectors");
}

/// The condition is poison in the first iteration and true in the second: the second choice hides the poison.
#[test]
fn a_later_choice_hides_poison() {
    for (chosen, phi) in [("%b", "any-of"), ("%w", "find-last")] {
        let text = format!(
            "define i32 @f(ptr %p, i64 %n, i32 %b) {{\nentry:\n  br label %loop\nloop:\n  \
             %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]\n  %s = phi i32 [ 3, %entry ], [ %t, %loop ]\n  \
             %at = getelementptr i16, ptr %p, i64 %i\n  %v = load i16, ptr %at\n  %w = zext i16 %v to i32\n  \
             %x = trunc nuw i16 %v to i8\n  %c = icmp ugt i8 %x, 20\n  \
             %t = select i1 %c, i32 {chosen}, i32 %s\n  %i.next = add nuw nsw i64 %i, 1\n  \
             %more = icmp ult i64 %i.next, %n\n  br i1 %more, label %loop, label %exit\nexit:\n  ret i32 %t\n}}\n"
        );
        let source = formed(&text);
        let (target, done) = vectorized(&source, (4, 1), "scalar-epilogue");
        assert!(done, "{phi}");
        let mut bytes = vec![0; 32];
        (bytes[0], bytes[1], bytes[2]) = (1, 1, 30);
        let buffer = ArgSpec::Buffer(Box::new(Contents::from_bytes(bytes)));
        let input = Input::new(vec![buffer, ArgSpec::Int(9), ArgSpec::Int(7)]);
        let config = Config::default();
        let programs = [Program::new(&source, &config), Program::new(&target, &config)];
        let [mut a, mut b] = programs.each_ref().map(|p| Machine::new(p, config.clone()));
        let func = |m: &Module| m.env.func_named("f").expect("it has @f");
        let mut from = Side { machine: &mut a, func: func(&source) };
        let mut to = Side { machine: &mut b, func: func(&target) };
        let found = refine(&mut from, &mut to, &input, Budget::default()).expect("a fit input");
        assert!(matches!(found, Refinement::Refines { source_ub: false, .. }), "{phi}: {found:?}");
    }
}

/// If no iteration executes the operation, the result is the start, bit by bit: NaN payload, infinity, signed zeros.
#[test]
fn a_reduction_of_nothing_is_its_start() {
    let operations = [
        "fadd fast float %s, %x",
        "fmul fast float %s, %x",
        "call nnan ninf nsz float @llvm.maxnum.f32(float %s, float %x)",
        "call nnan ninf nsz float @llvm.minimum.f32(float %s, float %x)",
    ];
    for (operation, shape) in
        operations.into_iter().flat_map(|one| [(4, 1), (4, 2)].map(|shape| (one, shape)))
    {
        let text = format!(
            "define float @f(float %a, i16 %mask) {{\nentry:\n  br label %loop\nloop:\n  \
             %i = phi i16 [ 0, %entry ], [ %i.next, %latch ]\n  %s = phi float [ %a, %entry ], [ %r, %latch ]\n  \
             %bit = lshr i16 %mask, %i\n  %c = trunc i16 %bit to i1\n  br i1 %c, label %then, label %latch\nthen:\n  \
             %x = uitofp i16 %i to float\n  %t = {operation}\n  br label %latch\nlatch:\n  \
             %r = phi float [ %t, %then ], [ %s, %loop ]\n  %i.next = add nuw nsw i16 %i, 1\n  \
             %done = icmp eq i16 %i.next, 16\n  br i1 %done, label %exit, label %loop\nexit:\n  ret float %r\n}}\n\
             declare float @llvm.maxnum.f32(float, float)\ndeclare float @llvm.minimum.f32(float, float)\n"
        );
        let source = formed(&text);
        let (target, done) = vectorized(&source, shape, "scalar-epilogue");
        assert!(done, "{operation}");
        for start in [0x7fc0_0000, 0xffc0_1234, 0x7f80_0000, 0x8000_0000, 0x0000_0000, 0x0000_0001] {
            let input = Input::new(vec![ArgSpec::Bits(start), ArgSpec::Int(0)]);
            let found = Pair::new([&source, &target], &Config::default()).run(&input);
            assert_eq!(found, Ok("refines"), "{start:#x}\n{text}\n{}", module_to_string(&target));
        }
    }
}

/// A 3-bit counter that wraps within four steps of three, so that later lanes have smaller values.
#[test]
fn lanes_that_go_all_around() {
    let text = "define i3 @f(i8 %n) {\nentry:\n  br label %loop\nloop:\n  %i = phi i8 [ 0, %entry ], [ %i.next, %loop ]\n  \
        %x = phi i3 [ 2, %entry ], [ %x.next, %loop ]\n  %s = phi i3 [ 0, %entry ], [ %s.next, %loop ]\n  \
        %half = lshr i3 %x, 1\n  %s.next = add i3 %s, %half\n  %x.next = add i3 %x, 3\n  \
        %i.next = add nuw nsw i8 %i, 1\n  %more = icmp ult i8 %i, 20\n  br i1 %more, label %loop, label %exit\n\
        exit:\n  ret i3 %s.next\n}\n";
    for passes in [
        "loop-vectorize",
        "loop-vectorize<force-vector-width=4;force-vector-interleave=1>",
        "function(loop-unroll<runtime;count=4;threshold=1000>)",
    ] {
        let source = formed(text);
        let mut target = source.clone();
        let pipeline = parse_pipeline(passes).expect("a pipeline");
        let checked = Options { verify_each: true, ..Options::default() };
        run(&mut target, &pipeline, checked, &mut Nobody).expect("it is right");
        let value = |module: &Module| {
            let config = Config::default();
            let program = Program::new(module, &config);
            let mut machine = Machine::new(&program, config);
            let func = module.env.func_named("f").expect("it has @f");
            let input = Input::new(vec![ArgSpec::Int(7)]);
            let mut chooser = backedge_interp::chooser::RandomChooser::new(1);
            let run = machine.run(func, &input, &mut chooser, &mut backedge_interp::trace::NoObserver);
            format!("{:?}", run.expect("it runs").outcome)
        };
        assert_eq!(value(&source), value(&target), "{passes}\n{}", module_to_string(&target));
    }
}

/// The address is the same in all iterations, but computed from varying values: after the last iteration these are
/// poison or divide by zero. In a folded tail all lanes of the second vector may be past the end.
#[test]
fn a_part_beyond_the_end_computes_no_address() {
    let made = [
        (58, "%j = add nsw i8 %i, 70\n  %d = sub i8 %j, %i"),
        (3, "%k = sub i8 4, %i\n  %j = udiv i8 100, %k\n  %d = sub i8 %j, %j"),
        (58, "%j = add nsw i8 %i, 70\n  %k = sub i8 %j, %i\n  %d = add nsw i8 %k, %m"),
    ];
    for (n, address) in made {
        let text = format!(
            "define i32 @f(ptr %p, i8 %m) {{\nentry:\n  br label %loop\nloop:\n  \
             %i = phi i8 [ 0, %entry ], [ %i.next, %loop ]\n  %s = phi i32 [ 0, %entry ], [ %t, %loop ]\n  \
             {address}\n  %at = getelementptr i32, ptr %p, i8 %d\n  %v = load i32, ptr %at\n  \
             %t = add i32 %s, %v\n  %i.next = add i8 %i, 1\n  %done = icmp eq i8 %i.next, {n}\n  \
             br i1 %done, label %exit, label %loop\nexit:\n  ret i32 %t\n}}\n"
        );
        let source = formed(&text);
        for shape in [(4, 2), (2, 2), (4, 4), (8, 1)] {
            let (target, done) = vectorized(&source, shape, "predicate-else-scalar-epilogue");
            let made = module_to_string(&target);
            assert!(done && made.contains("%max.iters.check"), "{made}");
            let buffer = ArgSpec::Buffer(Box::new(Contents::from_bytes(vec![3; 512])));
            let input = Input::new(vec![buffer, ArgSpec::Int(2)]);
            let found = Pair::new([&source, &target], &Config::default()).run(&input);
            assert_eq!(found, Ok("refines"), "{shape:?}\n{text}\n{made}");
        }
    }
}

/// If the counter wraps around completely, the trip count is one more than the counter can represent.
#[test]
fn as_many_iterations_as_there_are_numbers() {
    let text = "define i32 @f(ptr %p, i8 %start) {\nentry:\n  br label %loop\nloop:\n  \
        %i = phi i8 [ %start, %entry ], [ %i.next, %loop ]\n  %s = phi i32 [ 0, %entry ], [ %t, %loop ]\n  \
        %k = zext i8 %i to i64\n  %at = getelementptr i32, ptr %p, i64 %k\n  %v = load i32, ptr %at\n  \
        %t = add nsw i32 %s, %v\n  %i.next = add i8 %i, 1\n  %done = icmp eq i8 %i.next, %start\n  \
        br i1 %done, label %exit, label %loop\nexit:\n  ret i32 %t\n}\n";
    let source = formed(text);
    let (target, done) = vectorized(&source, (4, 2), "scalar-epilogue");
    let made = module_to_string(&target);
    // The last iteration belongs to the scalar loop; others are vectorized.
    assert!(done && made.contains("icmp uge i8 -1, 8") && made.contains("br label %scalar.ph"), "{made}");
    for start in [0, 7, 200, 255] {
        let bytes = (0..1024).map(|n: u32| (n / 4 * u32::from(n.is_multiple_of(4))) as u8).collect();
        let input =
            Input::new(vec![ArgSpec::Buffer(Box::new(Contents::from_bytes(bytes))), ArgSpec::Int(start)]);
        let config = Config { fuel: 20_000, ..Config::default() };
        assert_eq!(Pair::new([&source, &target], &config).run(&input), Ok("refines"), "{made}");
    }
}
