//! Functions to trace and how to trace them, shared by the tests of traces.

#![allow(dead_code, reason = "each test program uses a part of this")]

pub(crate) mod origins;
pub(crate) mod struck;

use crate::support;
use backedge_interp::chooser::ReplayChooser;
use backedge_interp::input::Input;
use backedge_interp::trace::{Recorder, Trace};
use backedge_interp::{Config, Machine, Program, Run};

/// Runs `func` and passes the trace to `look`.
pub(crate) fn traced<T>(
    source: &str,
    (func, args): (&str, &[&str]),
    (limit, answers): (usize, &[u128]),
    look: impl FnOnce(&Trace<'_>, &Run) -> T,
) -> T {
    let module = support::module(source);
    let config = Config { fuel: 200_000, ..Config::default() };
    let program = Program::new(&module, &config);
    let mut machine = Machine::new(&program, config);
    let id = module.env.func_named(func).unwrap_or_else(|| panic!("no function @{func}"));
    let input = Input::parse(args).unwrap_or_else(|e| panic!("{e}"));
    let mut recorder = Recorder::new(&program, limit);
    let mut chooser = ReplayChooser::new(answers.to_vec());
    let run = machine.run(id, &input, &mut chooser, &mut recorder).unwrap_or_else(|e| panic!("@{func}: {e}"));
    look(&recorder.finish(&machine, id, &input, &run), &run)
}

const PRELUDE: &str = "
@c = constant i32 7
declare void @use(i8)
declare i8 @answer()
declare void @free(ptr)
declare void @llvm.lifetime.start.p0(ptr)
declare void @llvm.lifetime.end.p0(ptr)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.assume(i1)
declare void @llvm.masked.store.v2i8.p0(<2 x i8>, ptr, i32, <2 x i1>)
declare <2 x i8> @llvm.masked.load.v2i8.p0(ptr, i32, <2 x i1>, <2 x i8>)
declare void @llvm.memset.element.unordered.atomic.p0.i64(ptr, i8, i64, i32)
declare i8 @llvm.abs.i8(i8, i1)
declare i8 @llvm.ctlz.i8(i8, i1)
declare i8 @llvm.smul.fix.i8(i8, i8, i32)
declare i8 @llvm.ushl.sat.i8(i8, i8)
declare {i8, i1} @llvm.sadd.with.overflow.i8(i8, i8)
declare i8 @llvm.vector.reduce.add.v2i8(<2 x i8>)
define i8 @inner(i8 %v) {
  %w = add nsw i8 %v, 100
  ret i8 %w
}
define i8 @picky(i8 range(i8 0, 10) %v) {
  ret i8 %v
}
define range(i8 0, 10) i8 @promises(i8 %v) {
  ret i8 %v
}
define i8 @returns_nine(i8 returned %v) {
  ret i8 9
}
define ptr @dangling() {
  %p = alloca i32
  ret ptr %p
}
define i32 @sq(i32 %x) {
  ret i32 %x
}
define i8 @reads(ptr byval([4 x i8]) %p) {
  %v = load i8, ptr %p
  ret i8 %v
}
";

/// A module with `@f` of that header and body.
pub(crate) fn source(header: &str, body: &str) -> String {
    format!("{PRELUDE}\ndefine {header} {{\n{body}\n}}\n")
}
