//! How fast text is read, verified and printed: 20 MB made of the corpus's modules, again and again under other names.
//! Where LLVM is installed, `llvm-as` and `llvm-dis` are timed on the same text, in processes of their own.
//!
//! `cargo bench -p backedge-ir`; with `BACKEDGE_BENCH_FILE` naming a file, that file is measured in its place.

mod common;

use backedge_ir::parse::parse_module;
use backedge_ir::print::module_to_string;
use backedge_ir::verify::verify_module;
use backedge_testkit::peer;
use divan::Bencher;
use divan::counter::BytesCount;
use std::sync::LazyLock;
use std::time::Duration;

const SIZE: usize = 20 << 20;

fn main() {
    divan::main();
}

static TEXT: LazyLock<String> = LazyLock::new(|| match std::env::var_os("BACKEDGE_BENCH_FILE") {
    Some(path) => std::fs::read_to_string(path).expect("the file that BACKEDGE_BENCH_FILE names"),
    None => common::text(SIZE),
});

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
