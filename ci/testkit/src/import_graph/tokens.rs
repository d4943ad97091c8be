//! The imports, paths and items of a source file, read from its tokens.

use std::collections::BTreeSet;
use std::iter::Peekable;
use std::str::Chars;

/// One name that a `use` item brings into scope.
pub(super) struct Import {
    /// The name in scope; `*` for all names.
    pub(super) name: String,
    pub(super) path: Vec<String>,
    /// Whether the item has a visibility, so that it is a re-export.
    pub(super) is_exported: bool,
}

/// The facts about one file.
#[derive(Default)]
pub(super) struct Source {
    pub(super) imports: Vec<Import>,
    /// The paths outside of `use` items.
    pub(super) paths: BTreeSet<Vec<String>>,
    /// The names outside of `use` items.
    pub(super) names: BTreeSet<String>,
    /// The items at the top of the file.
    pub(super) defined: BTreeSet<String>,
    /// Modules with a file of their own.
    pub(super) children: BTreeSet<String>,
    /// Modules within the file.
    pub(super) inline: BTreeSet<String>,
}

impl Source {
    /// Reads the text of a file.
    pub(super) fn read(code: &str) -> Self {
        let mut source = Self::default();
        let tokens = tokens(code);
        let (mut at, mut depth) = (0, 0usize);
        while at < tokens.len() {
            let text = tokens[at].as_str();
            let next = tokens.get(at + 1).map_or("", String::as_str);
            match text {
                "{" => depth += 1,
                "}" => depth = depth.saturating_sub(1),
                "use" if is_name(next) || next == "{" || next == "::" => {
                    let is_exported = at > 0 && matches!(tokens[at - 1].as_str(), "pub" | ")");
                    at = source.use_tree(&tokens, at + 1, &[], is_exported);
                    continue;
                }
                "mod" if is_name(next) => {
                    let is_file = tokens.get(at + 2).is_some_and(|token| token == ";");
                    let list = if is_file { &mut source.children } else { &mut source.inline };
                    list.insert(next.to_owned());
                    at += 1;
                }
                "fn" | "struct" | "enum" | "trait" | "type" | "const" | "static" | "union"
                    if depth == 0 && is_name(next) =>
                {
                    source.defined.insert(next.to_owned());
                }
                _ if is_name(text) => {
                    at = source.path(&tokens, at);
                    continue;
                }
                _ => {}
            }
            at += 1;
        }
        source
    }

    /// Whether the file declares a module `name`.
    pub(super) fn has_module(&self, name: &str) -> bool {
        self.children.contains(name) || self.inline.contains(name)
    }

    /// Reads the names and `::` from `at` on; returns the position after them.
    fn path(&mut self, tokens: &[String], mut at: usize) -> usize {
        // `pub(in crate::…)` names no import, and neither does a macro's `$crate`.
        let is_import = at == 0 || !matches!(tokens[at - 1].as_str(), "in" | "$" | "::");
        let mut path = vec![tokens[at].clone()];
        while tokens.get(at + 1).is_some_and(|token| token == "::")
            && tokens.get(at + 2).is_some_and(|name| is_name(name))
        {
            path.push(tokens[at + 2].clone());
            at += 2;
        }
        self.names.insert(path[0].clone());
        if is_import && path.len() > 1 {
            self.paths.insert(path);
        }
        at + 1
    }

    /// Reads a use tree after `prefix` from `at` on; returns the position after it.
    fn use_tree(&mut self, tokens: &[String], mut at: usize, prefix: &[String], is_exported: bool) -> usize {
        let mut path = prefix.to_vec();
        loop {
            let token = tokens.get(at).map_or(";", String::as_str);
            match token {
                "{" => {
                    at += 1;
                    while tokens.get(at).is_some_and(|token| token != "}") {
                        at = self.use_tree(tokens, at, &path, is_exported);
                        at += usize::from(tokens.get(at).is_some_and(|token| token == ","));
                    }
                    return at + 1;
                }
                "::" => at += 1,
                _ if is_name(token) || token == "*" => {
                    path.push(token.to_owned());
                    at += 1;
                    if tokens.get(at).is_none_or(|token| token != "::") {
                        break;
                    }
                }
                _ => return at + 1,
            }
        }
        if path.len() > 1 && path[path.len() - 1] == "self" {
            path.pop();
        }
        let mut name = path[path.len() - 1].clone();
        if tokens.get(at).is_some_and(|token| token == "as") {
            name = tokens.get(at + 1).cloned().unwrap_or_default();
            at += 2;
        }
        self.imports.push(Import { name, path, is_exported });
        at
    }
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// The names, `::` and other characters of the code, without comments, literals and lifetimes.
fn tokens(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = code.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '/' if rest.peek() == Some(&'/') => while rest.next_if(|c| *c != '\n').is_some() {},
            '"' => skip_string(&mut rest),
            '\'' => skip_char_or_lifetime(&mut rest),
            ':' if rest.next_if_eq(&':').is_some() => found.push("::".to_owned()),
            c if c.is_alphanumeric() || c == '_' => {
                let mut name = String::from(c);
                while let Some(c) = rest.next_if(|c| c.is_alphanumeric() || *c == '_') {
                    name.push(c);
                }
                if matches!(name.as_str(), "r" | "br") && matches!(rest.peek(), Some('"' | '#')) {
                    skip_raw_string(&mut rest);
                } else {
                    found.push(name);
                }
            }
            c if c.is_whitespace() => {}
            c => found.push(c.to_string()),
        }
    }
    found
}

fn skip_string(rest: &mut Peekable<Chars<'_>>) {
    while let Some(c) = rest.next() {
        match c {
            '\\' => drop(rest.next()),
            '"' => return,
            _ => {}
        }
    }
}

fn skip_raw_string(rest: &mut Peekable<Chars<'_>>) {
    let mut marks = 0;
    while rest.next_if_eq(&'#').is_some() {
        marks += 1;
    }
    if rest.next_if_eq(&'"').is_none() {
        return;
    }
    while let Some(c) = rest.next() {
        if c == '"' && (0..marks).all(|_| rest.next_if_eq(&'#').is_some()) {
            return;
        }
    }
}

fn skip_char_or_lifetime(rest: &mut Peekable<Chars<'_>>) {
    let Some(first) = rest.next() else { return };
    if first == '\\' {
        rest.next();
        while rest.next().is_some_and(|c| c != '\'') {}
    } else if rest.next_if_eq(&'\'').is_none() {
        while rest.next_if(|c| c.is_alphanumeric() || *c == '_').is_some() {}
    }
}
