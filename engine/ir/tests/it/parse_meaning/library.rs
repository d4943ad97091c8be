//! The library functions that a target has, compared with LLVM 22, which infers attributes of the functions that it
//! knows and folds calls of those on integers.

use backedge_ir::meaning::library::{Known, declared};
use backedge_ir::parse::parse_module;
use backedge_testkit::peer;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Declarations, with `size` in place of the type `size_t`.
const DECLARATIONS: [&str; 20] = [
    "i64 @strlen(ptr)",
    "i64 @strnlen(ptr, size)",
    "i32 @memcmp(ptr, ptr, size)",
    "i32 @bcmp(ptr, ptr, size)",
    "i32 @ffsl(i64)",
    "i32 @ffsll(i64)",
    "i32 @ffs(i32)",
    "i32 @isascii(i32)",
    "i32 @toascii(i32)",
    "ptr @mempcpy(ptr, ptr, size)",
    "ptr @stpcpy(ptr, ptr)",
    "void @bzero(ptr, size)",
    "ptr @memalign(size, size)",
    "ptr @malloc(size)",
    "void @free(ptr)",
    "double @sin(double)",
    "ptr @strchr(ptr, i32)",
    "i32 @puts(ptr)",
    "ptr @_Znwm(size)",
    "ptr @strcpy(ptr, ptr)",
];

/// Functions that LLVM folds.
const OF_INTEGERS: [(&str, &str); 5] =
    [("ffsl", "i64"), ("ffsll", "i64"), ("ffs", "i32"), ("isascii", "i32"), ("toascii", "i32")];

const TRIPLES: [&str; 32] = [
    "x86_64-unknown-linux-gnu",
    "aarch64-unknown-linux-gnu",
    "riscv64-unknown-linux-musl",
    "x86_64-linux-android",
    "x86_64-apple-macosx13.0.0",
    "arm64-apple-ios15",
    "arm64-apple-driverkit",
    "x86_64-unknown-freebsd13",
    "x86_64-unknown-netbsd",
    "x86_64-unknown-openbsd",
    "x86_64-pc-windows-msvc",
    "x86_64-pc-windows-gnu",
    "x86_64-pc-windows-cygnus",
    "x86_64-pc-win32",
    "x86_64-unknown-unknown",
    "x86_64",
    "x86_64-unknown-uefi",
    "x86_64-scei-ps4",
    "x86_64-sie-ps5",
    "x86_64-unknown-fuchsia",
    "x86_64-pc-solaris2.11",
    "powerpc64-ibm-aix",
    "s390x-ibm-zos",
    "aarch64-none-elf",
    "bpfel",
    "wasm64-wasi",
    "wasm64-unknown-emscripten",
    "amdgcn-amd-amdhsa",
    "nvptx64-nvidia-cuda",
    "dxil-pc-shadermodel6.0-library",
    "msp430-none-elf",
    "avr",
];

/// The name in a declaration.
fn name(declaration: &str) -> &str {
    let rest = declaration.split_once('@').map_or("", |(_, rest)| rest);
    rest.split_once('(').map_or(rest, |(name, _)| name)
}

#[test]
fn targets_have_the_functions_that_llvm_says() {
    let Some(opt) = peer("opt", "which library functions a target has") else { return };
    let mut known_on_some = 0;
    for triple in TRIPLES {
        let narrow = ["avr", "msp430"].iter().any(|arch| triple.starts_with(arch));
        let (size, layout) =
            if narrow { ("i16", "target datalayout = \"e-p:16:16\"\n") } else { ("i64", "") };
        let mut text = format!("{layout}target triple = \"{triple}\"\n");
        for declaration in DECLARATIONS {
            let _ = writeln!(text, "declare {}", declaration.replace("size", size));
        }
        for (name, ty) in OF_INTEGERS {
            let call = format!("%r = call i32 @{name}({ty} %x)");
            let _ = writeln!(text, "define i32 @calls.{name}({ty} %x) {{\n  {call}\n  ret i32 %r\n}}");
        }
        let answer = opt.run(&["-passes=inferattrs,instcombine<no-verify-fixpoint>", "-S"], text.as_bytes());
        assert!(answer.ok(), "{triple}: {answer:?}");
        let output = &answer.stdout;
        let inferred = output.lines().filter(|l| l.starts_with("declare") && l.contains(") #"));
        let is_folded = |name: &&str| !output.contains(&format!("call i32 @{name}("));
        let theirs: BTreeSet<&str> = inferred
            .map(name)
            .chain(OF_INTEGERS.map(|(name, _)| name).into_iter().filter(is_folded))
            .collect();
        let module = parse_module(text.as_bytes()).expect("a module").module;
        for name in DECLARATIONS.map(name) {
            let func = module.env.func_named(name).expect("a declared function");
            match declared(&module, func) {
                Some(Known::Function(_)) => {
                    known_on_some += 1;
                    assert!(theirs.contains(name), "{triple}: {name} is none for LLVM");
                }
                None => assert!(!theirs.contains(name), "{triple}: LLVM knows {name}"),
                Some(Known::Unmodelled) => {}
            }
        }
    }
    assert!(known_on_some > 200, "{known_on_some}");
}
