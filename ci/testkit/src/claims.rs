//! Support for tests of claim checkers: the text of claims, functions to make claims about, and LLVM's claims.

use crate::Peer;
use backedge_claim::claim::Claims;
use backedge_claim::text::{FunctionClaims, Reader, parse_claims};
use backedge_ir::module::Module;
use backedge_ir::parse::read_module;
use std::path::Path;

/// The example of the notes on wrap flags, with integers `iW`: the sum `%a + %b` does not wrap in the loop, but may wrap
/// outside.
pub const GUARDED_SUM: &str = "\
define i1 @f(iW %a, iW %b, i1 %will_overflow) {
entry:
  br i1 %will_overflow, label %exit1, label %loop
loop:
  %iv = phi iW [ %a, %entry ], [ %iv.next, %loop ]
  %iv.next = add nuw nsw iW %iv, %b
  %trap = udiv iW %a, %iv.next
  %ret2 = icmp ult iW %iv.next, %a
  br i1 %ret2, label %loop, label %exit2
exit2:
  ret i1 false
exit1:
  %c = add iW %a, %b
  %ret1 = icmp ult iW %c, %a
  ret i1 false
}
";

/// A loop with integers `iW` that takes `min(%n, %m)` backedges. The second count is evaluated only if the first one
/// is not 0.
pub const TWO_COUNTS: &str = "\
define void @f(iW %n, iW %m) {
entry:
  br label %loop
loop:
  %i = phi iW [ 0, %entry ], [ %i.next, %latch ]
  %c1 = icmp ult iW %i, %n
  br i1 %c1, label %latch, label %exit
latch:
  %i.next = add nuw iW %i, 1
  %c2 = icmp ult iW %i, %m
  br i1 %c2, label %loop, label %exit
exit:
  ret void
}
";

/// `text` with integers of `width` bits in place of `iW`.
pub fn at_width(text: &str, width: u32) -> String {
    text.replace("iW", &format!("i{width}"))
}

/// Parses claims about one function of `module`.
///
/// # Panics
///
/// If the text is invalid, is about several functions, or has claims that are not modelled.
pub fn claims(module: &Module, text: &str) -> Claims {
    let mut all = parse_claims(module, text.as_bytes()).unwrap_or_else(|e| panic!("{e}\n{text}"));
    assert_eq!(all.len(), 1, "{text}");
    let claims = all.remove(0);
    assert_eq!(claims.notes, [], "{text}");
    claims
}

/// The text of claims about values of `@f`: `lines` as LLVM prints them.
pub fn classify(lines: &str) -> String {
    format!("Classifying expressions for: @f\n{lines}\n")
}

/// The text of claims about the counts of loops of `@f`.
pub fn counts(lines: &str) -> String {
    format!("Determining loop execution counts for: @f\n{lines}\n")
}

/// The text of facts with scopes in `@f`.
pub fn scoped(lines: &str) -> String {
    format!("Scoped facts for: @f\n{lines}\n")
}

/// LLVM's wrong claims about its own loop tests and the corpus: a part of the file's path, and the function.
///
/// - In `iv-poison.ll`, and in `header-phi-leak.ll`, which was written for this, two header phis have equal start and
///   step, and the increment of one has a flag whose poison is not UB. Their shared recurrence has the flag, and the
///   other phi wraps.
/// - In `peel-loop-conditions.ll` a remainder has the exit value -3·(n-1 /u 3) with the flag `nsw`, taken from the
///   product in the loop. It holds after the loop's guard, but not in the scope of its leaves, the function.
/// - In `abs-intrinsic.ll` the negation inside an `abs` that is poison for the smallest value has `nsw`, whether or
///   not that poison is UB.
/// - In `by-eight-epilogue-short-mask.ll` the count of a loop with step eight is rounded up by an addition that wraps
///   for the largest bound. That run would have UB, but a call that does not return may end it first.
const WRONG_CLAIMS_OF_LLVM: [(&str, &str); 9] = [
    ("ScalarEvolution/abs-intrinsic.ll", "abs_nsw"),
    ("IndVarSimplify/iv-poison.ll", "iv_hoist_nsw_poison2"),
    ("IndVarSimplify/iv-poison.ll", "iv_hoist_nsw_poison_extra_use"),
    ("IndVarSimplify/iv-poison.ll", "iv_hoist_nuw_poison2"),
    ("IndVarSimplify/iv-poison.ll", "iv_hoist_nuw_poison_extra_use"),
    ("LoopUnroll/peel-loop-conditions.ll", "test25"),
    ("LoopUnroll/peel-loop-conditions.ll", "test26"),
    ("scev/header-phi-leak.ll", "leak"),
    ("unroll/by-eight-epilogue-short-mask.ll", "tgt"),
];

/// Whether LLVM is known to make a wrong claim about that function of `file`.
pub fn is_wrong_in_llvm(file: &Path, function: &str) -> bool {
    let file = file.to_string_lossy();
    let is_it = |(path, name): &(&str, &str)| file.ends_with(path) && function == *name;
    WRONG_CLAIMS_OF_LLVM.iter().any(is_it)
}

/// Visits the claims of LLVM's scalar evolution about the functions of `file`, in order. Nothing is visited if the file
/// is invalid. `most` is the maximum length in bytes of LLVM's text that is considered, since it is endless for some
/// files.
pub fn claims_of_llvm(opt: &Peer, file: &Path, most: u64, visit: &mut dyn FnMut(&Module, &[Claims])) {
    let source = std::fs::read(file).expect("a readable file");
    let Ok(parsed) = read_module(&source) else { return };
    let text = opt.scalar_evolution(file, most);
    let claims = Reader::new(&parsed.module, &text[..]).filter_map(|read| match read {
        Ok(FunctionClaims::Claims(claims)) => Some(claims),
        _ => None,
    });
    visit(&parsed.module, &claims.collect::<Vec<_>>());
}
