//! Merges programs into one file, each under a unique function name.
//!
//! The merge works on the printed text: it renames each function, renumbers attribute groups and metadata nodes, and
//! prints identical declarations once. It fails for programs that declare the same name differently, target different
//! machines, define several functions, or contain other kinds of items.

use super::program::Program;
use backedge_ir::print::module_to_string;
use std::collections::BTreeMap;

/// Several programs in one file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Merged {
    /// The merged text.
    pub text: String,
    /// The function names, in program order.
    names: Vec<String>,
}

impl Merged {
    /// The index of the program that became the function `name`.
    pub fn place(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|n| n == name)
    }
}

/// Merges `programs` into one file; `None` if that is impossible.
pub fn merge(programs: &[Program]) -> Option<Merged> {
    let mut declared: BTreeMap<String, String> = BTreeMap::new();
    let (mut head, mut code, mut tail) = (String::new(), String::new(), String::new());
    let mut names = Vec::new();
    let mut machine: Option<Vec<String>> = None;
    let (mut groups, mut nodes) = (0, 0);
    for (at, program) in programs.iter().enumerate() {
        let func = one(program.funcs())?;
        let name = format!("f.{at}");
        let mut module = program.module.clone();
        module.env.funcs[func].name = name.as_str().into();
        names.push(name);
        let text = module_to_string(&module);
        let (mut last_group, mut last_node) = (0, 0);
        let mut inside = false;
        let mut target = Vec::new();
        for line in text.lines() {
            let line = renumbered(line, [('#', groups, &mut last_group), ('!', nodes, &mut last_node)]);
            if inside || line.starts_with("define") {
                inside = line != "}";
                code.push_str(&line);
                code.push('\n');
            } else if line.starts_with("attributes ") || line.starts_with('!') {
                tail.push_str(&line);
                tail.push('\n');
            } else if line.starts_with("declare") || line.starts_with('@') {
                let name = declared_name(&line)?;
                match declared.get(&name) {
                    Some(there) if *there == line => {}
                    Some(_) => return None,
                    None => {
                        head.push_str(&line);
                        head.push('\n');
                        declared.insert(name, line);
                    }
                }
            } else if line.starts_with("target ") {
                target.push(line);
            } else if !line.is_empty() {
                return None;
            }
        }
        if machine.get_or_insert_with(|| target.clone()) != &target {
            return None;
        }
        groups += last_group;
        nodes += last_node;
    }
    let machine: String = machine.into_iter().flatten().map(|line| line + "\n").collect();
    Some(Merged { text: machine + &head + &code + &tail, names })
}

fn one<T>(mut all: impl Iterator<Item = T>) -> Option<T> {
    let first = all.next()?;
    all.next().is_none().then_some(first)
}

/// The name of the global that a line declares.
fn declared_name(line: &str) -> Option<String> {
    let from = line.find('@')? + 1;
    let end = line[from..].find(|c: char| !(c.is_alphanumeric() || "_.$-".contains(c)))? + from;
    (end > from).then(|| line[from..end].to_owned())
}

/// Adds each mark's offset to the numbers after the mark, and updates each mark's counter to one more than the
/// largest number.
fn renumbered(line: &str, marks: [(char, u64, &mut u64); 2]) -> String {
    let mut out = line.to_owned();
    for (mark, add, last) in marks {
        let mut next = String::with_capacity(out.len());
        let mut rest = &*out;
        while let Some(at) = rest.find(mark) {
            let (before, after) = rest.split_at(at + mark.len_utf8());
            next.push_str(before);
            let digits = after.len() - after.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            match after[..digits].parse::<u64>() {
                Ok(number) => {
                    *last = (number + 1).max(*last);
                    next.push_str(&(number + add).to_string());
                }
                Err(_) => next.push_str(&after[..digits]),
            }
            rest = &after[digits..];
        }
        next.push_str(rest);
        out = next;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::merge;
    use crate::campaign::program::{Program, Programs};
    use backedge_ir::parse::read_module;
    use backedge_ir::print::function_to_string;

    /// `text` without the numbers of metadata nodes, which are those of the module.
    fn without_node_numbers(text: &str) -> String {
        let mut parts = text.split('!');
        let first = parts.next().unwrap_or_default().to_owned();
        parts.fold(first, |all, part| all + "!" + part.trim_start_matches(|c: char| c.is_ascii_digit()))
    }

    #[test]
    fn each_program_is_in_it() {
        let programs: Vec<Program> = (0..40).map(|seed| Programs::generated().of(seed)).collect();
        let merged = merge(&programs).expect("they go together");
        let module =
            read_module(merged.text.as_bytes()).unwrap_or_else(|e| panic!("{e:?}\n{}", merged.text)).module;
        for (at, program) in programs.iter().enumerate() {
            let name = format!("f.{at}");
            assert_eq!(merged.place(&name), Some(at));
            let func = module.env.func_named(&name).expect("it is there");
            let own = program.funcs().next().expect("it has a function");
            let bare = |text: String| -> String {
                let lines = text.lines().map(|l| l.split(", !llvm.loop").next().unwrap_or_default());
                without_node_numbers(&lines.collect::<String>())
            };
            let there = bare(function_to_string(&module, func)).replace(&format!("@{name}("), "@f(");
            assert_eq!(there, bare(function_to_string(&program.module, own)), "{}", merged.text);
        }
    }
}
