//! Lines of function definitions in files of LLVM IR, for reports that point to a line.
//!
//! The text is scanned for lines that start with `define`; it need not be valid. A file is read once. Functions of
//! files that can't be read, or that are no longer as they were, have no line.

use crate::shown::visible;
use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};

/// Maximum size of a scanned file in bytes.
const LARGEST: u64 = 256 << 20;

/// Lines of definitions by file and by function.
#[derive(Debug, Default)]
pub(crate) struct Places {
    files: HashMap<String, HashMap<String, usize>>,
}

impl Places {
    /// The line, from 1, on which the file defines the function; `None` if it is not found.
    pub(crate) fn line(&mut self, file: &str, function: &str) -> Option<usize> {
        if !self.files.contains_key(file) {
            self.files.insert(file.to_owned(), definitions_of(Path::new(file)));
        }
        self.files.get(file)?.get(function).copied()
    }
}

/// The definitions of a file; none if it can't be read.
fn definitions_of(path: &Path) -> HashMap<String, usize> {
    let is_scanned = |path: &Path| path.metadata().is_ok_and(|m| m.is_file() && m.len() <= LARGEST);
    if !is_scanned(path) {
        return HashMap::new();
    }
    std::fs::read(path).map(|text| definitions(&String::from_utf8_lossy(&text))).unwrap_or_default()
}

/// The lines on which the text defines functions, by name without `@`.
fn definitions(text: &str) -> HashMap<String, usize> {
    let lines = text.lines().enumerate().filter(|(_, line)| line.starts_with("define"));
    lines.filter_map(|(number, line)| Some((defined(line)?, number + 1))).collect()
}

/// The name of the function that a line defines.
fn defined(line: &str) -> Option<String> {
    let (_, name) = line.split_once('@')?;
    match name.strip_prefix('"') {
        Some(quoted) => quoted.split_once('"').map(|(name, _)| unescaped(name)),
        None => name.split_once('(').map(|(name, _)| name.trim_end().to_owned()),
    }
}

/// A quoted name with its escapes, a backslash and two hexadecimal digits, replaced.
fn unescaped(name: &str) -> String {
    let (mut bytes, mut rest) = (Vec::new(), name.as_bytes());
    while let Some((first, after)) = rest.split_first() {
        let digits = after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.filter(|_| *first == b'\\').and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The path of a file in a record, with `/` between its parts and without a leading `./`, as tools of continuous
/// integration expect it.
pub(crate) fn relative(file: &str) -> String {
    let path: PathBuf = Path::new(file).components().skip_while(|part| part.as_os_str() == ".").collect();
    visible(&path.display().to_string())
}

/// The path of a file relative to the current directory, without `..`; `None` if the file is not below it.
pub(crate) fn below_current(file: &str) -> Option<String> {
    let path = Path::new(file);
    let path = match path.is_absolute() {
        true => path.strip_prefix(std::env::current_dir().ok()?).ok()?,
        false => path,
    };
    let mut parts = Vec::new();
    for part in path.components() {
        match part {
            Component::Normal(name) => parts.push(name),
            Component::CurDir => {}
            Component::ParentDir => drop(parts.pop()?),
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    let path: PathBuf = parts.into_iter().collect();
    Some(visible(&path.display().to_string()))
}

#[cfg(test)]
mod tests {
    use super::{below_current, definitions, relative};

    #[test]
    fn definitions_have_lines() {
        let text = "; define @no()\ndeclare void @d()\ndefine void @f() {\n}\n\ndefine i32 @\"a \\22b\\22\"(i8 %x) {\n";
        let found = definitions(text);
        assert_eq!((found.get("f"), found.get("a \"b\"")), (Some(&3), Some(&6)));
        assert_eq!(found.len(), 2);
    }

    #[test]
    fn paths_are_relative() {
        assert_eq!(relative("./a/b.ll"), "a/b.ll");
        assert_eq!(relative("a/b.ll"), "a/b.ll");
        assert_eq!(relative("/a/b.ll"), "/a/b.ll");
        let current = std::env::current_dir().unwrap().join("a/b.ll");
        for path in ["a/b.ll", "./a/b.ll", "a/c/../b.ll", &current.display().to_string()] {
            assert_eq!(below_current(path).as_deref(), Some("a/b.ll"), "{path}");
        }
        for path in ["../b.ll", "/nothing/b.ll", "a/../../b.ll"] {
            assert_eq!(below_current(path), None, "{path}");
        }
    }
}
