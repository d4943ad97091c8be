//! The corpus's expectations: all are readable, each file says what it shows and expects something, and the functions
//! that they name exist.

use backedge_testkit::corpus::{Expectations, Printer};
use backedge_testkit::{corpus_dir, files_with_extension, module};

/// The functions that the expectations name.
fn functions(expectations: &Expectations) -> Vec<String> {
    let printed =
        Printer::ALL.into_iter().flat_map(|printer| expectations.printed(printer)).map(|p| p.function);
    let pairs = expectations.pairs.iter().flat_map(|e| [&e.source, &e.target]);
    let others = pairs
        .chain(expectations.loop_facts.iter().map(|e| &e.function))
        .chain(expectations.irreducible.iter().map(|e| &e.function))
        .chain(expectations.runs.iter().map(|e| &e.function))
        .chain(expectations.passes.iter().map(|e| &e.function))
        .chain(expectations.optimized.iter().map(|e| &e.function))
        .chain(expectations.measures.iter().map(|e| &e.function));
    printed.chain(others.cloned()).collect()
}

#[test]
fn expectations_are_readable_and_name_functions() {
    let files = files_with_extension(&corpus_dir(), "toml");
    assert!(files.len() > 500, "{} files", files.len());
    let mut wrong = Vec::new();
    for path in &files {
        let name = path.display();
        let expectations = match Expectations::read(path) {
            Ok(expectations) => expectations,
            Err(error) => {
                wrong.push(error.to_string());
                continue;
            }
        };
        if expectations.about.is_empty() {
            wrong.push(format!("{name}: no `about`"));
        }
        if expectations.is_empty() {
            wrong.push(format!("{name}: expects nothing"));
        }
        let text =
            std::fs::read_to_string(path.with_extension("ll")).expect("a module beside the expectations");
        let module = module(&text);
        for function in functions(&expectations) {
            if module.env.func_named(&function).is_none() {
                wrong.push(format!("{name}: no function @{function}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
