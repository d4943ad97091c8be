//! Tests the trusted core of proofs: the files that the check of certificates imports, directly or indirectly, and the
//! other files of their folders, because inherent methods need no import. The core must not contain the search for
//! certificates.

use backedge_testkit::{crate_paths, file_of, without_comments};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// All files of the file's folder and of the folders in it; only the file itself if the folder is the crate's root or
/// `proof`.
fn with_folder(src: &Path, file: PathBuf) -> Vec<PathBuf> {
    let folder = file.parent().expect("a folder").to_owned();
    if folder == src || folder == src.join("proof") {
        return vec![file];
    }
    let (mut files, mut folders) = (Vec::new(), vec![folder]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    files
}

/// The types that have an inherent `impl` block in the file but are not defined there.
fn foreign_impls(code: &str) -> Vec<&str> {
    let heads = code.lines().filter(|line| line.starts_with("impl") && !line.contains(" for "));
    heads
        .filter_map(|head| {
            let ty = if head.starts_with("impl<") {
                head.split_once("> ")?.1
            } else {
                head.strip_prefix("impl ")?
            };
            let ty = ty.split(|c: char| !c.is_alphanumeric() && c != '_').next()?;
            let defined =
                ["struct ", "enum ", "trait "].iter().any(|kind| code.contains(&format!("{kind}{ty}")));
            (!defined).then_some(ty)
        })
        .collect()
}

/// The files that `first` imports, directly or indirectly, and their code without tests and comments.
fn closure(src: &Path, first: &str) -> BTreeMap<PathBuf, String> {
    let mut found = BTreeMap::new();
    let mut work = vec![src.join(first)];
    while let Some(file) = work.pop() {
        if found.contains_key(&file) {
            continue;
        }
        let text = fs::read_to_string(&file).expect("a source file");
        let code = without_comments(text.split("#[cfg(test)]").next().expect("its code"));
        let imported = crate_paths(&code).into_iter().filter_map(|path| file_of(src, &path));
        work.extend(imported.flat_map(|file| with_folder(src, file)));
        found.insert(file, code);
    }
    found
}

#[test]
fn the_check_of_proofs_does_not_depend_on_the_search() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let src = root.join("src");
    let core = closure(&src, "proof/check.rs");
    let files: Vec<&Path> =
        core.keys().map(|file| file.strip_prefix(&src).expect("a file of the crate")).collect();
    let untrusted = |file: &&&Path| {
        file.starts_with("proof/find")
            || **file == Path::new("proof/text.rs")
            || **file == Path::new("proof/mod.rs")
    };
    let wrong: Vec<&&Path> = files.iter().filter(untrusted).collect();
    assert!(wrong.is_empty(), "the check imports {wrong:?}");
    for needed in [
        "proof/check.rs",
        "proof/vc/product.rs",
        "proof/decide/ask.rs",
        "encode/memory/mod.rs",
        "solver/libz3/mod.rs",
    ] {
        assert!(files.contains(&Path::new(needed)), "{needed} is missing: the import parser is wrong");
    }
    for entry in fs::read_dir(src.join("proof/find")).expect("the search") {
        let text = fs::read_to_string(entry.expect("an entry").path()).expect("a source file");
        let foreign = foreign_impls(&text);
        assert!(foreign.is_empty(), "the search adds methods to {foreign:?}, which the check could call");
    }
    let of = |folder: &str| -> (usize, usize) {
        let files = core.iter().filter(|(file, _)| file.starts_with(src.join(folder)));
        files.fold((0, 0), |(count, lines), (_, text)| (count + 1, lines + text.lines().count()))
    };
    let (all, proof) = (of(""), of("proof"));
    for file in &files {
        println!("{}", file.display());
    }
    println!(
        "trusted: {} files, {} lines; of these in proof: {} files, {} lines",
        all.0, all.1, proof.0, proof.1
    );
    let thousands = |lines: usize| (lines + 500) / 1000;
    let quoted = format!(
        "about {},000 lines of code, {},000 of them in `smt/src/proof`",
        thousands(all.1),
        thousands(proof.1)
    );
    let document = fs::read_to_string(root.join("../docs/proofs.md")).expect("the document on proofs");
    let document = document.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(document.contains(&quoted), "docs/proofs.md does not say: {quoted}");
}
