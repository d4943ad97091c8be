//! Twins for calls of intrinsics and of library functions: the call is kept, removed, shared, hoisted, or replaced.
//!
//! For intrinsics, LLVM's declared attributes determine which changes are correct
//! ([`backedge_ir::meaning::intrinsic`]); for library functions, the C standard and LLVM's `inferLibFuncAttributes` do.
//! With `nobuiltin`, a call of a library function is one of an unknown function.

use super::shape::{Given, Shape};
use super::{Class, Expected, Twin};
use backedge_ir::attr::{FlagAttr, MemoryEffects, ModRef};
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::meaning::intrinsic::{Known, known};

/// A call: the function without `llvm.`, the type of the result, that of `%v`, and the arguments.
type Call = (&'static str, &'static str, &'static str, &'static str);

const INTRINSICS: &[Call] = &[
    ("abs.i8", "i8", "i8", "i8 %v, i1 false"),
    ("umin.i8", "i8", "i8", "i8 %v, i8 %w"),
    ("umax.i8", "i8", "i8", "i8 %v, i8 %w"),
    ("smin.i8", "i8", "i8", "i8 %v, i8 %w"),
    ("smax.i8", "i8", "i8", "i8 %v, i8 %w"),
    ("smax.v2i8", "<2 x i8>", "<2 x i8>", "<2 x i8> %v, <2 x i8> %w"),
    ("ucmp.i8.i8", "i8", "i8", "i8 %v, i8 %w"),
    ("scmp.i8.i8", "i8", "i8", "i8 %v, i8 %w"),
    ("uadd.with.overflow.i8", "{ i8, i1 }", "i8", "i8 %v, i8 %w"),
    ("sadd.with.overflow.i8", "{ i8, i1 }", "i8", "i8 %v, i8 %w"),
    ("usub.with.overflow.i8", "{ i8, i1 }", "i8", "i8 %v, i8 %w"),
    ("ssub.with.overflow.i8", "{ i8, i1 }", "i8", "i8 %v, i8 %w"),
    ("umul.with.overflow.i8", "{ i8, i1 }", "i8", "i8 %v, i8 %w"),
    ("smul.with.overflow.i8", "{ i8, i1 }", "i8", "i8 %v, i8 %w"),
    ("uadd.sat.i8", "i8", "i8", "i8 %v, i8 %w"),
    ("sadd.sat.i8", "i8", "i8", "i8 %v, i8 %w"),
    ("usub.sat.i8", "i8", "i8", "i8 %v, i8 %w"),
    ("ssub.sat.i8", "i8", "i8", "i8 %v, i8 %w"),
    ("ushl.sat.i8", "i8", "i8", "i8 %v, i8 %w"),
    ("sshl.sat.i8", "i8", "i8", "i8 %v, i8 %w"),
    ("smul.fix.i8", "i8", "i8", "i8 %v, i8 %w, i32 2"),
    ("umul.fix.i8", "i8", "i8", "i8 %v, i8 %w, i32 2"),
    ("smul.fix.sat.i8", "i8", "i8", "i8 %v, i8 %w, i32 2"),
    ("umul.fix.sat.i8", "i8", "i8", "i8 %v, i8 %w, i32 2"),
    ("ctpop.i8", "i8", "i8", "i8 %v"),
    ("ctlz.i8", "i8", "i8", "i8 %v, i1 false"),
    ("cttz.i8", "i8", "i8", "i8 %v, i1 true"),
    ("bswap.i16", "i16", "i16", "i16 %v"),
    ("bitreverse.i8", "i8", "i8", "i8 %v"),
    ("fshl.i8", "i8", "i8", "i8 %v, i8 %w, i8 %n"),
    ("fshr.i8", "i8", "i8", "i8 %v, i8 %w, i8 %n"),
    ("expect.i8", "i8", "i8", "i8 %v, i8 3"),
    ("expect.with.probability.i8", "i8", "i8", "i8 %v, i8 3, double 0.5"),
    ("ssa.copy.i8", "i8", "i8", "i8 returned %v"),
    ("launder.invariant.group.p0", "ptr", "ptr", "ptr %v"),
    ("strip.invariant.group.p0", "ptr", "ptr", "ptr %v"),
    ("ptrmask.p0.i64", "ptr", "ptr", "ptr %v, i64 -8"),
    ("masked.load.v2i8.p0", "<2 x i8>", "<2 x i8>", "ptr %p, i32 1, <2 x i1> %m, <2 x i8> %v"),
    ("fabs.f32", "float", "float", "float %v"),
    ("fma.f32", "float", "float", "float %v, float %w, float %w"),
    ("fmuladd.f32", "float", "float", "float %v, float %w, float %w"),
    ("sqrt.f32", "float", "float", "float %v"),
    ("floor.f32", "float", "float", "float %v"),
    ("ceil.f32", "float", "float", "float %v"),
    ("trunc.f32", "float", "float", "float %v"),
    ("rint.f32", "float", "float", "float %v"),
    ("nearbyint.f32", "float", "float", "float %v"),
    ("round.f32", "float", "float", "float %v"),
    ("roundeven.f32", "float", "float", "float %v"),
    ("copysign.f32", "float", "float", "float %v, float %w"),
    ("minnum.f32", "float", "float", "float %v, float %w"),
    ("maxnum.f32", "float", "float", "float %v, float %w"),
    ("minimum.f32", "float", "float", "float %v, float %w"),
    ("maximum.f32", "float", "float", "float %v, float %w"),
    ("minimumnum.f32", "float", "float", "float %v, float %w"),
    ("maximumnum.f32", "float", "float", "float %v, float %w"),
    ("pow.f32", "float", "float", "float %v, float %w"),
    ("exp.f32", "float", "float", "float %v"),
    ("log.f32", "float", "float", "float %v"),
    ("sin.f32", "float", "float", "float %v"),
    ("canonicalize.f32", "float", "float", "float %v"),
    ("arithmetic.fence.f32", "float", "float", "float %v"),
    ("is.fpclass.f32", "i1", "float", "float %v, i32 3"),
    ("fptoui.sat.i8.f32", "i8", "float", "float %v"),
    ("fptosi.sat.i8.f32", "i8", "float", "float %v"),
    ("lround.i32.f32", "i32", "float", "float %v"),
    ("vector.reduce.add.v2i8", "i8", "<2 x i8>", "<2 x i8> %v"),
    ("vector.reduce.mul.v2i8", "i8", "<2 x i8>", "<2 x i8> %v"),
    ("vector.reduce.and.v2i8", "i8", "<2 x i8>", "<2 x i8> %v"),
    ("vector.reduce.or.v2i8", "i8", "<2 x i8>", "<2 x i8> %v"),
    ("vector.reduce.xor.v2i8", "i8", "<2 x i8>", "<2 x i8> %v"),
    ("vector.reduce.umin.v2i8", "i8", "<2 x i8>", "<2 x i8> %v"),
    ("vector.reduce.smax.v2i8", "i8", "<2 x i8>", "<2 x i8> %v"),
    ("vector.reduce.fadd.v2f32", "float", "<2 x float>", "float 0.0, <2 x float> %v"),
    ("vector.reduce.fmin.v2f32", "float", "<2 x float>", "<2 x float> %v"),
    ("vector.reverse.v2i8", "<2 x i8>", "<2 x i8>", "<2 x i8> %v"),
    ("vector.extract.v2i8.v4i8", "<2 x i8>", "<4 x i8>", "<4 x i8> %v, i64 2"),
    ("vector.splice.v2i8", "<2 x i8>", "<2 x i8>", "<2 x i8> %v, <2 x i8> %w, i32 1"),
    ("get.active.lane.mask.v2i1.i8", "<2 x i1>", "i8", "i8 %v, i8 %w"),
    ("experimental.cttz.elts.i8.v2i8", "i8", "<2 x i8>", "<2 x i8> %v, i1 false"),
];

/// Effect of a library function, which determines the permitted changes of its calls.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Effect {
    /// The result depends on the arguments alone.
    Arithmetic,
    /// It reads memory.
    Reads,
    /// It writes memory.
    Writes,
    /// Its result is new memory.
    Allocates,
    /// It writes to a stream.
    Prints,
}

const LIBRARY: &[(Call, Effect)] = &[
    (("abs", "i32", "i32", "i32 %v"), Effect::Arithmetic),
    (("labs", "i64", "i64", "i64 %v"), Effect::Arithmetic),
    (("ffs", "i32", "i32", "i32 %v"), Effect::Arithmetic),
    (("ffsll", "i32", "i64", "i64 %v"), Effect::Arithmetic),
    (("isdigit", "i32", "i32", "i32 %v"), Effect::Arithmetic),
    (("isascii", "i32", "i32", "i32 %v"), Effect::Arithmetic),
    (("toascii", "i32", "i32", "i32 %v"), Effect::Arithmetic),
    (("strlen", "i64", "i8", "ptr %p"), Effect::Reads),
    (("strnlen", "i64", "i64", "ptr %p, i64 2"), Effect::Reads),
    (("memcmp", "i32", "i64", "ptr %p, ptr %p2, i64 2"), Effect::Reads),
    (("bcmp", "i32", "i64", "ptr %p, ptr %p2, i64 2"), Effect::Reads),
    (("strcmp", "i32", "i8", "ptr %p, ptr %p2"), Effect::Reads),
    (("strncmp", "i32", "i8", "ptr %p, ptr %p2, i64 2"), Effect::Reads),
    (("strchr", "ptr", "i32", "ptr %p, i32 %v"), Effect::Reads),
    (("strrchr", "ptr", "i32", "ptr %p, i32 %v"), Effect::Reads),
    (("memchr", "ptr", "i32", "ptr %p, i32 %v, i64 2"), Effect::Reads),
    (("memset", "ptr", "i32", "ptr %p, i32 %v, i64 2"), Effect::Writes),
    (("memcpy", "ptr", "i8", "ptr %p, ptr %p2, i64 2"), Effect::Writes),
    (("memmove", "ptr", "i8", "ptr %p, ptr %p2, i64 2"), Effect::Writes),
    (("mempcpy", "ptr", "i8", "ptr %p, ptr %p2, i64 2"), Effect::Writes),
    (("strcpy", "ptr", "i8", "ptr %p, ptr %p2"), Effect::Writes),
    (("stpcpy", "ptr", "i8", "ptr %p, ptr %p2"), Effect::Writes),
    (("strcat", "ptr", "i8", "ptr %p, ptr %p2"), Effect::Writes),
    (("malloc", "ptr", "i64", "i64 %v"), Effect::Allocates),
    (("calloc", "ptr", "i64", "i64 %v, i64 2"), Effect::Allocates),
    (("_Znwm", "ptr", "i64", "i64 4"), Effect::Allocates),
    (("puts", "i32", "i8", "ptr %p"), Effect::Prints),
    (("putchar", "i32", "i32", "i32 %v"), Effect::Prints),
    (("fputs", "i32", "i8", "ptr %p, ptr %p2"), Effect::Prints),
    (("fputc", "i32", "i32", "i32 %v, ptr %p2"), Effect::Prints),
    (("fwrite", "i64", "i8", "ptr %p, i64 1, i64 2, ptr %p2"), Effect::Prints),
];

/// A change of a call from source to target.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Change {
    /// No change.
    Kept,
    /// The result is unused; the target has no call.
    Removed,
    /// Two calls become one.
    Shared,
    /// The target executes the call where the source does not.
    Hoisted,
    /// A constant is returned instead.
    Replaced,
    /// The source freezes the argument; the target does not.
    Thawed,
    /// The target freezes the argument.
    Frozen,
}

impl Change {
    const ALL: [Self; 7] =
        [Self::Kept, Self::Removed, Self::Shared, Self::Hoisted, Self::Replaced, Self::Thawed, Self::Frozen];
    fn name(self) -> &'static str {
        match self {
            Self::Kept => "kept",
            Self::Removed => "removed",
            Self::Shared => "shared",
            Self::Hoisted => "hoisted",
            Self::Replaced => "replaced by a constant",
            Self::Thawed => "argument thawed",
            Self::Frozen => "argument frozen",
        }
    }
}

/// All twins of calls.
pub(super) fn all() -> Vec<Twin> {
    let mut twins = Vec::new();
    for change in Change::ALL {
        for in_loop in [false, true] {
            for call in INTRINSICS {
                let expected = of_intrinsic(call, change);
                let parts = Parts { call, place: "call of an intrinsic", prefix: "llvm.", nobuiltin: false };
                twins.push(parts.twin(change, in_loop, expected));
            }
            for (call, effect) in LIBRARY {
                for nobuiltin in [false, true] {
                    let expected = of_function(*effect, change, nobuiltin);
                    let place = if nobuiltin { "call with nobuiltin" } else { "call of the library" };
                    let parts = Parts { call, place, prefix: "", nobuiltin };
                    if call.3.contains("%v") || !matches!(change, Change::Thawed | Change::Frozen) {
                        twins.push(parts.twin(change, in_loop, expected));
                    }
                }
            }
        }
    }
    twins
}

fn of_intrinsic(call: &Call, change: Change) -> Expected {
    let Some(Known::Intrinsic(which)) = known(&format!("llvm.{}", call.0)) else { return Expected::Any };
    let facts = which.facts();
    let is_pure = facts.memory == MemoryEffects::all(ModRef::NONE) || which == Intrinsic::MaskedLoad;
    let returns = facts.has(FlagAttr::WillReturn) && facts.has(FlagAttr::NoUnwind);
    match change {
        Change::Kept | Change::Frozen => Expected::Refines,
        Change::Removed | Change::Shared if is_pure && returns => Expected::Refines,
        // Each launder gives a distinct pointer; no access shows it.
        Change::Removed | Change::Shared => Expected::Any,
        Change::Hoisted if facts.has(FlagAttr::Speculatable) => Expected::Refines,
        // LLVM declares fewer properties than the operation has.
        Change::Hoisted => Expected::Any,
        Change::Replaced => Expected::Fails,
        // A disabled lane returns the argument; another lane may still be poison.
        Change::Thawed => Expected::Fails,
    }
}

fn of_function(effect: Effect, change: Change, nobuiltin: bool) -> Expected {
    match (change, effect) {
        (Change::Kept, _) => Expected::Refines,
        // An unknown function may inspect one argument and ignore another.
        (Change::Frozen, _) => Expected::Refines,
        (Change::Thawed, _) if nobuiltin => Expected::NotAccepted,
        (_, _) if nobuiltin => Expected::NotAccepted,
        (Change::Removed | Change::Shared, Effect::Arithmetic | Effect::Reads) => Expected::Refines,
        // A shared result is used twice: two allocations differ.
        (Change::Removed, Effect::Allocates) => Expected::Refines,
        (Change::Shared, Effect::Allocates | Effect::Writes) | (Change::Removed, Effect::Writes) => {
            Expected::Any
        }
        (Change::Removed | Change::Shared, Effect::Prints) => Expected::NotAccepted,
        // Memory need not hold a string; out-of-range characters are UB.
        (Change::Hoisted, Effect::Arithmetic | Effect::Reads | Effect::Allocates) => Expected::Any,
        (Change::Hoisted, Effect::Writes | Effect::Prints) => Expected::NotAccepted,
        (Change::Replaced, Effect::Allocates) => Expected::Any,
        (Change::Replaced, _) => Expected::NotAccepted,
        (Change::Thawed, _) => Expected::NotAccepted,
    }
}

#[derive(Copy, Clone)]
struct Parts<'a> {
    call: &'a Call,
    place: &'static str,
    prefix: &'static str,
    nobuiltin: bool,
}

impl Parts<'_> {
    fn twin(self, change: Change, in_loop: bool, expected: Expected) -> Twin {
        let (name, ret, ..) = *self.call;
        let used = if change == Change::Removed { "void" } else { ret };
        let call = |result: &str, arguments: &str| {
            let attributes = if self.nobuiltin { " nobuiltin" } else { "" };
            format!("  %{result} = call {ret} @{}{name}({arguments}){attributes}\n", self.prefix)
        };
        let (_, _, ty, arguments) = *self.call;
        let plain = call("r", arguments);
        let frozen = format!("  %z = freeze {ty} %v\n{}", call("r", &arguments.replace("%v", "%z")));
        let two = format!(
            "{}{}  %r = select i1 %c, {ret} %r1, {ret} %r2\n",
            call("r1", arguments),
            call("r2", arguments)
        );
        let constant = "  %r = freeze RET ZERO\n".replace("RET", ret).replace("ZERO", zero(ret));
        let [source, target] = match change {
            Change::Kept | Change::Hoisted => [plain.clone(), plain],
            Change::Removed => [plain, String::new()],
            Change::Shared => [two, plain],
            Change::Replaced => [plain, constant],
            Change::Thawed => [frozen, plain],
            Change::Frozen => [plain, frozen],
        };
        let hoists = change == Change::Hoisted;
        let shape = if in_loop { ", in a loop" } else { "" };
        let nobuiltin = if self.nobuiltin { " with nobuiltin" } else { "" };
        Twin {
            class: Class { place: self.place, action: change.name() },
            name: format!("@{}{name}{nobuiltin}, {}{shape}", self.prefix, change.name()),
            source: self.function(used, &source, in_loop, hoists.then_some(false)),
            target: self.function(used, &target, in_loop, hoists.then_some(true)),
            expected,
        }
    }

    fn function(self, used: &str, step: &str, in_loop: bool, hoisted: Option<bool>) -> String {
        let (name, ret, ty, arguments) = *self.call;
        // The types of the arguments; `immarg` operands are unchanged.
        let types: Vec<&str> =
            split(arguments).into_iter().filter_map(|a| a.rsplit_once(' ')).map(|(ty, _)| ty).collect();
        let body = Shape { ret: used, step }.body(in_loop, hoisted);
        let params = Given::Free.parameters(ty, "");
        format!(
            "declare {ret} @{}{name}({})\ndefine {used} @f({params}, ptr noundef dereferenceable(8) %p2) {{\nentry:\n{body}}}\n",
            self.prefix,
            types.join(", ")
        )
    }
}

/// Arguments, separated by commas outside of brackets.
fn split(arguments: &str) -> Vec<&str> {
    let mut depth = 0;
    let separates = |c: char| {
        depth += i32::from(matches!(c, '<' | '{')) - i32::from(matches!(c, '>' | '}'));
        c == ',' && depth == 0
    };
    arguments.split(separates).map(str::trim).collect()
}

fn zero(ty: &str) -> &'static str {
    match ty {
        "ptr" => "null",
        "float" => "0.0",
        ty if ty.starts_with(['<', '{']) => "zeroinitializer",
        _ => "0",
    }
}
