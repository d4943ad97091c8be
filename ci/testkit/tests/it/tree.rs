//! Checks of the source tree: allowed crate dependencies, a header in every source file, a limit on file length,
//! limits on the parameters of functions, words that comments avoid, and paths in documents.

use backedge_testkit::files_with_extension;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use syn::visit::Visit;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the checkout")
}

const SOURCE_DIRS: [&str; 7] = ["engine", "interp", "smt", "ci", "fuzz/src", "fuzz/fuzz_targets", "src"];

fn sources() -> Vec<PathBuf> {
    let files: Vec<PathBuf> =
        SOURCE_DIRS.iter().flat_map(|d| files_with_extension(&root().join(d), "rs")).collect();
    assert!(files.len() > 20, "the sources were not found");
    files
}

/// The workspace crates that the package in `dir` depends on, dev-dependencies excluded.
fn dependencies(dir: &str) -> BTreeSet<String> {
    let text = std::fs::read_to_string(root().join(dir).join("Cargo.toml")).expect("a manifest");
    let mut section = "";
    let mut found = BTreeSet::new();
    for line in text.lines() {
        if line.starts_with('[') {
            section = line;
        } else if section == "[dependencies]"
            && let Some(rest) = line.strip_prefix("backedge-")
        {
            let end = rest.find(['.', ' ', '=']).unwrap_or(rest.len());
            found.insert(rest[..end].to_owned());
        }
    }
    found
}

#[test]
fn what_must_not_know_what() {
    let allowed: [(&str, &[&str]); 11] = [
        ("engine/ir", &[]),
        ("engine/claim", &["ir"]),
        ("engine/analysis", &["ir"]),
        ("engine/scev", &["ir", "claim", "analysis"]),
        ("engine/transform", &["ir", "analysis", "scev"]),
        ("engine/hir", &["ir", "analysis", "scev"]),
        ("engine/vplan", &["ir", "analysis", "scev", "transform"]),
        ("engine/pipeline", &["ir", "claim", "analysis", "scev", "transform", "hir", "vplan"]),
        ("interp", &["ir", "claim"]),
        ("smt", &["ir", "claim", "z3-path"]),
        ("ci/validate", &["ir", "claim", "interp", "smt", "z3-path"]),
    ];
    for (dir, allowed) in allowed {
        for dependency in dependencies(dir) {
            assert!(allowed.contains(&dependency.as_str()), "{dir} must not know backedge-{dependency}");
        }
    }
    assert!(dependencies("engine/transform").contains("analysis"), "manifests were read");
}

#[test]
fn every_file_has_a_header() {
    for path in sources() {
        let text = std::fs::read_to_string(&path).expect("a source file");
        assert!(text.starts_with("//! "), "{} has no header", path.display());
    }
}

#[test]
fn no_file_holds_two_things() {
    for path in sources() {
        let lines = std::fs::read_to_string(&path).expect("a source file").lines().count();
        assert!(lines <= 1000, "{} has {lines} lines: split it", path.display());
    }
}

/// Limits on the parameters of a function and on the bools among them. Clippy has the same limits, but counts a tuple
/// as one parameter; here a tuple counts by its parts.
const PARAMETERS: usize = 6;
const BOOLS: usize = 2;

/// The types of a parameter: its parts if it is a tuple or a reference to one.
fn parts(ty: &syn::Type) -> Vec<&syn::Type> {
    match ty {
        syn::Type::Reference(reference) => parts(&reference.elem),
        syn::Type::Paren(paren) => parts(&paren.elem),
        syn::Type::Tuple(tuple) => tuple.elems.iter().flat_map(parts).collect(),
        _ => vec![ty],
    }
}

/// The functions of a file that have too many parameters or bools.
#[derive(Default)]
struct TooManyParameters {
    functions: usize,
    wrong: Vec<String>,
}

impl Visit<'_> for TooManyParameters {
    fn visit_signature(&mut self, signature: &syn::Signature) {
        let types = signature.inputs.iter().filter_map(|input| match input {
            syn::FnArg::Typed(parameter) => Some(&*parameter.ty),
            syn::FnArg::Receiver(_) => None,
        });
        let types: Vec<&syn::Type> = types.flat_map(parts).collect();
        let parameters = types.len() + usize::from(signature.receiver().is_some());
        let is_bool = |ty: &&&syn::Type| matches!(ty, syn::Type::Path(path) if path.path.is_ident("bool"));
        let bools = types.iter().filter(is_bool).count();
        self.functions += 1;
        if parameters > PARAMETERS || bools > BOOLS {
            self.wrong.push(format!("{}: {parameters} parameters, {bools} bools", signature.ident));
        }
    }
}

fn too_many_parameters(text: &str) -> TooManyParameters {
    let mut found = TooManyParameters::default();
    found.visit_file(&syn::parse_file(text).expect("Rust"));
    found
}

#[test]
fn functions_have_few_parameters_even_in_tuples() {
    let (mut functions, mut wrong) = (0, Vec::new());
    for path in sources() {
        let found = too_many_parameters(&std::fs::read_to_string(&path).expect("a source file"));
        functions += found.functions;
        wrong.extend(found.wrong.iter().map(|function| format!("{}: {function}", path.display())));
    }
    assert!(functions > 1000, "the functions were not found");
    assert!(wrong.is_empty(), "a struct can hold what belongs together:\n{}", wrong.join("\n"));
}

#[test]
fn tuples_count_by_their_parts() {
    let text = "fn six(a: u8, (b, c): (u8, u8), d: &(u8, (u8, u8))) {}
        fn seven(a: [u8; 9], (b, c): (u8, u8), d: &mut (u8, (u8, u8)), e: fn(u8, u8)) {}
        trait T { fn method(&self, a: (u8, u8, u8), b: (u8, u8, u8)); }
        fn bools() { fn inner((a, b): (bool, bool), c: bool) {} }
        fn other(a: Option<(bool, bool, bool)>, b: (bool, bool)) {}";
    assert_eq!(
        too_many_parameters(text).wrong,
        ["seven: 7 parameters, 0 bools", "method: 7 parameters, 0 bools", "inner: 3 parameters, 3 bools"]
    );
}

/// Failing cases of property tests must be stored.
#[test]
fn laws_keep_what_they_failed_on() {
    let mut laws = 0;
    for path in sources() {
        let text = std::fs::read_to_string(&path).expect("a source file");
        for (at, _) in text.match_indices("\nproptest! {\n") {
            let inside = text[at..].lines().nth(2).unwrap_or_default();
            let keeps = inside.trim_start().starts_with("#![proptest_config(backedge_testkit::kept(");
            assert!(keeps, "{}: a block of laws begins with {inside:?}", path.display());
            laws += 1;
        }
    }
    assert!(laws > 10, "the laws were not found");
}

#[test]
fn every_corpus_file_has_an_expectation() {
    let alone: Vec<String> = backedge_testkit::corpus_files()
        .iter()
        .filter(|file| !file.with_extension("toml").is_file())
        .map(|file| file.display().to_string())
        .collect();
    assert!(alone.is_empty(), "no .toml beside {}", alone.join(", "));
}

#[test]
fn versions_stand_in_one_place() {
    let root = root();
    for dir in SOURCE_DIRS.iter().map(|d| root.join(d)) {
        for manifest in files_with_extension(&dir, "toml").iter().filter(|p| p.ends_with("Cargo.toml")) {
            let text = std::fs::read_to_string(manifest).expect("a manifest");
            let mut section = "";
            for line in text.lines() {
                if line.starts_with('[') {
                    section = line;
                } else if section.ends_with("dependencies]") && line.contains('=') {
                    let shared = line.contains("workspace = true");
                    assert!(shared, "{}: `{line}` names a version of its own", manifest.display());
                }
            }
        }
    }
}

/// Words that are nearly always wrong in a comment, with what to write instead.
const WORDS: [(&str, &str); 9] = [
    ("behind", "after; the code that follows"),
    ("is told", "is printed, is known, is distinguished"),
    ("are told", "are printed, are known, are distinguished"),
    ("comes to", "reaches, evaluates to"),
    ("come to", "reach, evaluate to"),
    ("stands", "is, appears, is placed"),
    ("all the same", "still, nevertheless"),
    ("is made of", "is built from, consists of"),
    ("are made of", "are built from, consist of"),
];

/// The text of a file's comments by line, without code spans and code blocks.
fn comments(text: &str) -> Vec<(usize, String)> {
    let mut in_block = false;
    let mut found = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim_start();
        let Some(comment) = line.strip_prefix("//") else {
            in_block = false;
            continue;
        };
        if comment.trim_start_matches(['/', '!']).trim_start().starts_with("```") {
            in_block = !in_block;
        } else if !in_block {
            let words: String = comment.split('`').step_by(2).collect::<Vec<_>>().join(" ");
            found.push((number + 1, words.to_lowercase()));
        }
    }
    found
}

/// Whether `line` has `phrase` between characters that belong to no word.
fn has_phrase(line: &str, phrase: &str) -> bool {
    line.match_indices(phrase).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + phrase.len()..].chars().next();
        [before, after].into_iter().flatten().all(|c| !c.is_alphanumeric() && c != '-')
    })
}

#[test]
fn comments_avoid_words_that_are_nearly_always_wrong() {
    let mut wrong = Vec::new();
    for path in sources() {
        let text = std::fs::read_to_string(&path).expect("a source file");
        for (number, line) in comments(&text) {
            for (phrase, better) in WORDS.iter().filter(|(phrase, _)| has_phrase(&line, phrase)) {
                wrong.push(format!("{}:{number}: \"{phrase}\": write {better}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Help texts and messages are in the code of the command line.
#[test]
fn help_texts_avoid_these_words_too() {
    let (cli, listing) = (root().join("src"), root().join("engine/pipeline/src/listing.rs"));
    let mut wrong = Vec::new();
    for path in sources().into_iter().filter(|path| path.starts_with(&cli) || *path == listing) {
        let text = std::fs::read_to_string(&path).expect("a source file").to_lowercase();
        for (number, line) in text.lines().enumerate() {
            for (phrase, better) in WORDS.iter().filter(|(phrase, _)| has_phrase(line, phrase)) {
                wrong.push(format!("{}:{}: \"{phrase}\": write {better}", path.display(), number + 1));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn phrases_are_found_in_comments_alone() {
    let text = "/// What stands here.\n/// A stand-in, `behind` quotes.\nlet behind = \"comes to\"; // behind\n//! ```\n//! behind\n//! ```\n// behind";
    let found: Vec<usize> = comments(text)
        .into_iter()
        .filter(|(_, line)| WORDS.iter().any(|(phrase, _)| has_phrase(line, phrase)))
        .map(|(number, _)| number)
        .collect();
    assert_eq!(found, [1, 7]);
}

/// The paths of the tree that a document names in code spans.
fn named_paths(text: &str) -> Vec<&str> {
    let folders = ["engine/", "interp/", "smt/", "fuzz/", "ci/", "corpus/", "docs/"];
    let spans = text.split('`').skip(1).step_by(2);
    let is_path = |span: &&str| {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '.' | '_' | '-');
        folders.iter().any(|folder| span.starts_with(folder)) && span.chars().all(plain)
    };
    spans.filter(is_path).collect()
}

#[test]
fn documents_name_paths_that_exist() {
    let root = root();
    let mut named = 0;
    for document in files_with_extension(&root.join("docs"), "md") {
        let text = std::fs::read_to_string(&document).expect("a document");
        for path in named_paths(&text) {
            assert!(root.join(path).exists(), "{} names {path}, which does not exist", document.display());
            named += 1;
        }
    }
    assert!(named > 20, "no paths were found");
}
