//! Imports of source files, for tests of the dependencies between parts of a crate.
//!
//! Reads `use` trees and paths as text. Limits: a path that a macro builds is not seen, and neither is a method of a
//! type, which needs no import.

use std::collections::BTreeSet;
use std::iter::Peekable;
use std::path::{Path, PathBuf};
use std::str::Chars;

/// The code of a source file without lines of comments.
pub fn without_comments(text: &str) -> String {
    text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// The paths that code names relative to the crate, without `crate`: those of its `use` items, with groups expanded, and
/// those in expressions.
pub fn crate_paths(code: &str) -> BTreeSet<Vec<String>> {
    let mut found = BTreeSet::new();
    for (at, start) in code.match_indices("crate::") {
        // `pub(in crate::…)` names no import, and neither does a macro's `$crate`.
        if code[..at].ends_with("in ") || code[..at].ends_with('$') {
            continue;
        }
        expand(&mut code[at + start.len()..].chars().peekable(), &[], &mut found);
    }
    found
}

/// Reads a use tree after `prefix`: names between `::`, and groups in braces.
fn expand(rest: &mut Peekable<Chars<'_>>, prefix: &[String], found: &mut BTreeSet<Vec<String>>) {
    let mut path = prefix.to_vec();
    loop {
        if rest.next_if_eq(&'{').is_some() {
            loop {
                while rest.next_if(|c| c.is_whitespace() || *c == ',').is_some() {}
                if rest.next_if_eq(&'}').is_some() || rest.peek().is_none() {
                    return;
                }
                expand(rest, &path, found);
                // A renamed import, or a character that no use tree has.
                while rest.next_if(|c| !matches!(c, ',' | '}')).is_some() {}
            }
        }
        let mut name = String::new();
        while let Some(c) = rest.next_if(|c| c.is_alphanumeric() || matches!(c, '_' | '*')) {
            name.push(c);
        }
        path.push(name);
        if rest.next_if_eq(&':').is_none() || rest.next_if_eq(&':').is_none() {
            found.insert(path);
            return;
        }
    }
}

/// The file of the longest prefix of a path that is a module of the crate with its sources in `src`.
pub fn file_of(src: &Path, path: &[String]) -> Option<PathBuf> {
    (1..=path.len()).rev().find_map(|length| {
        let folder = path[..length].iter().fold(src.to_owned(), |folder, name| folder.join(name));
        let candidates = [folder.with_extension("rs"), folder.join("mod.rs")];
        candidates.into_iter().find(|file| file.is_file())
    })
}
