//! Twins for flags of instructions and calls: poison-generating flags, and fast-math permissions.
//!
//! LangRef defines both at the operations. A poison-generating flag may be dropped, and may be hoisted with its
//! operation; it must not be added if an operand violates it. A permission may be dropped; it must not be added if it
//! allows another result.

use super::shape::{Action, Given, Shape};
use super::{Class, Expected, Twin};

/// An operation with the placeholder `{F}` for a flag.
struct Operation {
    code: &'static str,
    /// The type of `%v`.
    ty: &'static str,
    ret: &'static str,
    flags: &'static [&'static str],
    declare: &'static str,
}

const fn operation(
    ty: &'static str,
    ret: &'static str,
    code: &'static str,
    flags: &'static [&'static str],
) -> Operation {
    Operation { code, ty, ret, flags, declare: "" }
}

const WRAP: &[&str] = &["nuw", "nsw", "nuw nsw"];
const FAST: &[&str] = &["nnan", "ninf", "nsz", "arcp", "contract", "afn", "reassoc", "fast"];

const INTEGERS: &[Operation] = &[
    operation("i8", "i8", "add {F} i8 %v, %w", WRAP),
    operation("i8", "i8", "sub {F} i8 %v, %w", WRAP),
    operation("i8", "i8", "mul {F} i8 %v, %w", WRAP),
    operation("i8", "i8", "shl {F} i8 %v, 3", WRAP),
    operation("i8", "i8", "udiv {F} i8 %v, 3", &["exact"]),
    operation("i8", "i8", "sdiv {F} i8 %v, 3", &["exact"]),
    operation("i8", "i8", "lshr {F} i8 %v, 2", &["exact"]),
    operation("i8", "i8", "ashr {F} i8 %v, 2", &["exact"]),
    operation("i8", "i8", "or {F} i8 %v, %w", &["disjoint"]),
    operation("i8", "i16", "zext {F} i8 %v to i16", &["nneg"]),
    operation("i8", "float", "uitofp {F} i8 %v to float", &["nneg"]),
    operation("i8", "i4", "trunc {F} i8 %v to i4", WRAP),
    operation("i8", "i1", "icmp {F} ult i8 %v, %w", &["samesign"]),
    operation("<2 x i8>", "<2 x i8>", "add {F} <2 x i8> %v, %w", WRAP),
    operation("<2 x i8>", "<2 x i16>", "zext {F} <2 x i8> %v to <2 x i16>", &["nneg"]),
    operation("ptr", "ptr", "getelementptr {F} i8, ptr %v, i64 %o", &["inbounds", "nusw", "nuw"]),
    operation(
        "ptr",
        "ptr",
        "getelementptr {F} [2 x i16], ptr %v, i64 %o, i64 1",
        &["inbounds", "nusw", "nuw"],
    ),
];

const FLOATS: &[Operation] = &[
    operation("float", "float", "fadd {F} float %v, %w", FAST),
    operation("float", "float", "fsub {F} float %v, %w", FAST),
    operation("float", "float", "fmul {F} float %v, %w", FAST),
    operation("float", "float", "fdiv {F} float %v, %w", FAST),
    operation("float", "float", "frem {F} float %v, %w", FAST),
    operation("float", "float", "fneg {F} float %v", FAST),
    operation("float", "i1", "fcmp {F} olt float %v, %w", FAST),
    operation("float", "float", "select {F} i1 %c, float %v, float %w", FAST),
    operation("float", "double", "fpext {F} float %v to double", FAST),
    operation("<2 x float>", "<2 x float>", "fadd {F} <2 x float> %v, %w", FAST),
    Operation {
        declare: "declare float @llvm.sqrt.f32(float)\n",
        ..operation("float", "float", "call {F} float @llvm.sqrt.f32(float %v)", FAST)
    },
    Operation {
        declare: "declare float @llvm.fabs.f32(float)\n",
        ..operation("float", "float", "call {F} float @llvm.fabs.f32(float %v)", FAST)
    },
    Operation {
        declare: "declare float @llvm.copysign.f32(float, float)\n",
        ..operation("float", "float", "call {F} float @llvm.copysign.f32(float %v, float %w)", FAST)
    },
    Operation {
        declare: "declare float @llvm.minimum.f32(float, float)\n",
        ..operation("float", "float", "call {F} float @llvm.minimum.f32(float %v, float %w)", FAST)
    },
    Operation {
        declare: "declare float @llvm.fma.f32(float, float, float)\n",
        ..operation("float", "float", "call {F} float @llvm.fma.f32(float %v, float %w, float %w)", FAST)
    },
    Operation {
        declare: "declare float @llvm.sin.f32(float)\n",
        ..operation("float", "float", "call {F} float @llvm.sin.f32(float %v)", FAST)
    },
    Operation {
        declare: "declare float @ext(float) nounwind willreturn speculatable memory(none)\n",
        ..operation("float", "float", "call {F} float @ext(float %v)", FAST)
    },
];

/// All twins of flags.
pub(super) fn all() -> Vec<Twin> {
    let mut twins = Vec::new();
    for operation in INTEGERS.iter().chain(FLOATS) {
        for flag in operation.flags {
            for action in Action::ALL {
                let givens = if action == Action::Keep { &Given::ALL[..1] } else { &Given::ALL[..] };
                for &given in givens {
                    for in_loop in [false, true] {
                        twins.push(operation.twin(flag, action, given, in_loop));
                    }
                }
            }
        }
    }
    twins
}

impl Operation {
    fn twin(&self, flag: &str, action: Action, given: Given, in_loop: bool) -> Twin {
        let [source, target] = action.texts(flag);
        let function = |flag: &str, hoisted: bool| {
            let separated = if flag.is_empty() { String::new() } else { format!("{flag} ") };
            let step = format!("  %r = {}\n", self.code.replace("{F} ", &separated));
            let (.., before) = given.code(self.ty);
            let body = Shape { ret: self.ret, step: &step }.body(in_loop, action.hoists().then_some(hoisted));
            let params = given.parameters(self.ty, "");
            format!("{}define {} @f({params}) {{\nentry:\n{before}{body}}}\n", self.declare, self.ret)
        };
        let place = if self.flags == FAST { "fast-math flag" } else { "integer flag" };
        let shape = if in_loop { ", in a loop" } else { "" };
        Twin {
            class: Class { place, action: action.name() },
            name: format!(
                "{flag} at {}, {} of {}{shape}",
                self.code.replace("{F} ", ""),
                action.name(),
                given.name()
            ),
            source: function(source, false),
            target: function(target, action.hoists()),
            expected: self.expected(flag, action),
        }
    }
    /// LangRef's rule for the flag at the operation.
    fn expected(&self, flag: &str, action: Action) -> Expected {
        if action != Action::Add {
            return Expected::Refines;
        }
        let is_approximated = self.code.contains("llvm.sin") || self.code.contains("@ext");
        match flag {
            // The comparison ignores the sign of a zero.
            "nsz" if self.code.starts_with("fcmp") => Expected::Refines,
            "nsz" if is_approximated => Expected::NotAccepted,
            "arcp" if self.code.starts_with("fdiv") => Expected::Fails,
            "afn" if self.code.contains("llvm.sqrt") || is_approximated => Expected::NotAccepted,
            "arcp" | "contract" | "afn" | "reassoc" => Expected::Any,
            _ => Expected::Fails,
        }
    }
}
