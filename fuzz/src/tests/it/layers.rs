//! The modules of the library: a module imports only modules below it.

use backedge_testkit::{crate_paths, files_with_extension, without_comments};
use std::fs;
use std::path::Path;

/// The modules, the lowest one first.
const MODULES: [&str; 9] =
    ["gen", "statistics", "bisect", "reduce", "mutate", "oracles", "targets", "input", "campaign"];

/// The position of a module in [`MODULES`], by its name or the name of its folder.
fn rank(module: &str) -> usize {
    // `gen` is a keyword.
    let folder = if module == "generate" { "gen" } else { module };
    MODULES.iter().position(|known| *known == folder).unwrap_or_else(|| panic!("{module} is no known module"))
}

#[test]
fn a_module_imports_only_lower_modules() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut imports = 0;
    for module in MODULES {
        let folder = src.join(module);
        let files = match folder.is_dir() {
            true => files_with_extension(&folder, "rs"),
            false => vec![folder.with_extension("rs")],
        };
        for file in files {
            let code = without_comments(&fs::read_to_string(&file).expect("a source file"));
            for path in crate_paths(&code) {
                let (own, imported) = (rank(module), rank(&path[0]));
                assert!(imported <= own, "{} imports crate::{}", file.display(), path.join("::"));
                imports += usize::from(imported < own);
            }
        }
    }
    assert!(imports > 20, "the imports are misread");
}
