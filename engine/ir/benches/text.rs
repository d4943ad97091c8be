//! How fast text is read, verified and printed: 20 MB made of the corpus's modules, again and again under other names.
//! Where LLVM is installed, `llvm-as` and `llvm-dis` are timed on the same text, in processes of their own.
//!
//! `cargo bench -p backedge-ir`; with `BACKEDGE_BENCH_FILE` naming a file, that file is measured in its place.

use backedge_ir::module::Module;
use backedge_ir::parse::parse_module;
use backedge_ir::print::module_to_string;
use backedge_ir::verify::verify_module;
use backedge_testkit::{corpus_files, peer};
use divan::Bencher;
use divan::counter::BytesCount;
use std::sync::LazyLock;
use std::time::Duration;

const SIZE: usize = 20 << 20;

fn main() {
    divan::main();
}

/// The functions of the corpus without metadata, printed under new names until there are enough of them.
static TEXT: LazyLock<String> = LazyLock::new(|| {
    if let Some(path) = std::env::var_os("BACKEDGE_BENCH_FILE") {
        return std::fs::read_to_string(path).expect("the file that BACKEDGE_BENCH_FILE names");
    }
    let modules: Vec<Module> = corpus_files()
        .iter()
        .map(|path| std::fs::read(path).expect("a file of the corpus"))
        .filter(|text| !text.contains(&b'!') && !text.windows(11).any(|w| w == b"attributes "))
        .map(|text| parse_module(&text).expect("a module of the corpus").module)
        .collect();
    let mut out = String::new();
    for round in 0.. {
        for (index, module) in modules.iter().enumerate() {
            out.push_str(&renamed(module, &format!(".{round}.{index}")));
            if out.len() >= SIZE {
                return out;
            }
        }
    }
    out
});

/// The text of `module` with `suffix` behind the name of each global and identified struct.
fn renamed(module: &Module, suffix: &str) -> String {
    let text = module_to_string(module);
    let mut out = String::new();
    for line in text.lines().filter(|l| !l.starts_with("target ") && !l.starts_with("source_filename")) {
        let code = line.split_once(';').map_or(line, |(code, _)| code);
        let mut rest = code;
        while let Some(at) = rest.find('@') {
            let name = &rest[at + 1..];
            let len = name.find(|c: char| !(c.is_alphanumeric() || "._-$".contains(c))).unwrap_or(name.len());
            let end = at + 1 + len;
            out.push_str(&rest[..end]);
            if !name.starts_with("llvm.") {
                out.push_str(suffix);
            }
            rest = &rest[end..];
        }
        out.push_str(rest);
        out.push('\n');
    }
    // Intrinsics need no declaration, and would be declared again in each round.
    let lines = out.lines().filter(|l| !(l.starts_with("declare") && l.contains("@llvm.")));
    let kept: String = lines.flat_map(|l| [l, "\n"]).collect();
    let types: Vec<&str> =
        text.lines().filter_map(|l| l.split_once(" = type ").map(|(name, _)| name)).collect();
    types.iter().fold(kept, |text, name| text.replace(name, &format!("{name}{suffix}")))
}

fn bytes() -> BytesCount {
    BytesCount::of_str(TEXT.as_str())
}

#[divan::bench(sample_count = 10, sample_size = 1)]
fn read(bencher: Bencher<'_, '_>) {
    bencher.counter(bytes()).bench_local(|| parse_module(TEXT.as_bytes()).expect("a module"));
}

#[divan::bench(sample_count = 10, sample_size = 1)]
fn verify(bencher: Bencher<'_, '_>) {
    let module = parse_module(TEXT.as_bytes()).expect("a module").module;
    bencher.counter(bytes()).bench_local(|| assert!(verify_module(&module).is_empty()));
}

#[divan::bench(sample_count = 10, sample_size = 1)]
fn print(bencher: Bencher<'_, '_>) {
    let module = parse_module(TEXT.as_bytes()).expect("a module").module;
    bencher.counter(bytes()).bench_local(|| module_to_string(&module));
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn read_verify_print(bencher: Bencher<'_, '_>) {
    bencher.counter(bytes()).bench_local(|| {
        let module = parse_module(TEXT.as_bytes()).expect("a module").module;
        assert!(verify_module(&module).is_empty());
        module_to_string(&module)
    });
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn llvm_as_then_llvm_dis(bencher: Bencher<'_, '_>) {
    let what = "llvm-as and llvm-dis on the same text";
    let (Some(llvm_as), Some(llvm_dis)) = (peer("llvm-as", what), peer("llvm-dis", what)) else { return };
    let dir = tempfile::tempdir().expect("a temporary directory");
    let path = |name: &str| dir.path().join(name).to_str().expect("a path of text").to_owned();
    let (text, code) = (path("in.ll"), path("out.bc"));
    std::fs::write(&text, TEXT.as_str()).expect("a temporary file");
    let limit = Duration::from_secs(120);
    bencher.counter(bytes()).bench_local(|| {
        for (tool, args) in [(&llvm_as, [&*text, "-o", &code]), (&llvm_dis, [&*code, "-o", "/dev/null"])] {
            let answer = tool.run_for(&args, b"", limit);
            assert!(answer.ok(), "{}", answer.stderr);
        }
    });
}
