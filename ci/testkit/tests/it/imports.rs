//! Imports are read from the text of source files.

use backedge_testkit::{crate_paths, file_of, without_comments};
use std::path::Path;

#[test]
fn use_trees_are_expanded() {
    let text =
        "use crate::a::{b, c::{D, e::*}, f as g};\npub(in crate::h) fn x() { crate::i::j(1) }\n// crate::k\n";
    let paths: Vec<String> = crate_paths(&without_comments(text)).iter().map(|path| path.join("/")).collect();
    assert_eq!(paths, ["a/b", "a/c/D", "a/c/e/*", "a/f", "i/j"]);
}

#[test]
fn a_path_belongs_to_the_file_of_its_innermost_module() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let path = ["imports", "file_of"].map(str::to_owned);
    assert_eq!(file_of(&src, &path), Some(src.join("imports.rs")));
    assert_eq!(file_of(&src, &["nothing".to_owned()]), None);
}
