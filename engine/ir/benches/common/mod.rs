//! Generates one large module by repeating the corpus's modules under new names.

use backedge_ir::module::Module;
use backedge_ir::parse::parse_module;
use backedge_ir::print::module_to_string;
use backedge_testkit::corpus_files;

/// The functions of the corpus without metadata, printed repeatedly under new names up to the given size.
pub(crate) fn text(size: usize) -> String {
    let modules: Vec<Module> = corpus_files()
        .iter()
        .map(|path| std::fs::read(path).expect("a file of the corpus"))
        .filter(|text| !text.contains(&b'!') && !text.windows(11).any(|w| w == b"attributes "))
        .map(|text| parse_module(&text).expect("a module of the corpus").module)
        .collect();
    let mut out = String::new();
    assert!(!modules.is_empty(), "the corpus has such modules");
    for round in 0u64.. {
        for (index, module) in modules.iter().enumerate() {
            out.push_str(&renamed(module, &format!(".{round}.{index}")));
            if out.len() >= size {
                return out;
            }
        }
    }
    out
}

/// The text of `module` with `suffix` appended to the name of each global and identified struct.
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
