//! Reduces functions with unsupported instructions as text: removes lines and blocks, and replaces removed results
//! with zero.
//!
//! The result for a valid function is mostly valid: a line is removed with all uses of its result, and a path is cut
//! with its phi entries, so that definitions still dominate their uses. The pass does not know types, so it may place
//! a zero where none is allowed; the parser and the test reject such candidates. Once the unsupported instructions
//! are removed, the function is parsed like any other and the other passes continue.

mod line;

use super::super::program::Program;
use super::super::search::{Edit, Search};
use backedge_ir::module::{Code, Module};
use line::{
    goes_on, is_terminator, locals, parameters, phi, plain, result, split, with_locals, without_comment,
};
use std::collections::BTreeSet;

/// The replacement for a removed value.
const ZERO: &str = "zeroinitializer";

pub(super) fn run(search: &mut Search<'_>) {
    each(search, |_| vec![vec![Change::Tidy]]);
    each(search, |_| vec![vec![Change::Plain]]);
    each(search, |text| {
        let blocks = text.blocks.iter();
        let of_block = |block: &Block| {
            let goto = |to| Change::Goto(block.label.clone(), to);
            let ways = block.lines.last().map(|line| locals(line)).unwrap_or_default();
            let ways = ways.into_iter().filter(|name| text.has_block(name));
            std::iter::once(Change::Cut(block.label.clone())).chain(ways.map(goto)).collect()
        };
        blocks.map(of_block).collect()
    });
    each(search, |text| text.blocks.iter().map(|block| vec![Change::Merge(block.label.clone())]).collect());
    let funcs = opaque(&search.best.program.module);
    let lines = |(name, text): &(String, Text)| {
        let lines = text.blocks.iter().flat_map(|block| &block.lines).filter(|line| !is_terminator(line));
        let edit = |line: &String| edit(name.clone(), Change::Drop(line.clone()));
        lines.map(edit).collect::<Vec<Edit>>()
    };
    search.chunked(funcs.iter().flat_map(lines).collect());
    each(search, |text| text.params().into_iter().map(|param| vec![Change::Param(param)]).collect());
}

/// Applies the first possible change of each group, in every function that is text.
fn each(search: &mut Search<'_>, changes: impl Fn(&Text) -> Vec<Vec<Change>>) {
    let mut groups = Vec::new();
    for (name, text) in opaque(&search.best.program.module) {
        let edits = |group: Vec<Change>| group.into_iter().map(|change| edit(name.clone(), change)).collect();
        groups.extend(changes(&text).into_iter().map(edits));
    }
    search.first_of_each(groups);
}

/// Functions that are text, with their names.
fn opaque(module: &Module) -> Vec<(String, Text)> {
    let text = |code: &Code| match code {
        Code::Opaque(code) => Text::read(&code.text),
        Code::Declaration | Code::Body(_) => None,
    };
    let named = module.code.iter().filter_map(|(id, code)| Some((id, text(code)?)));
    named.map(|(id, text)| (module.env.funcs[id].name.to_string(), text)).collect()
}

/// An edit that applies `change` to the function called `name`; names are used because ids change when the module is
/// parsed again.
fn edit(name: String, change: Change) -> Edit {
    Box::new(move |program: &mut Program| {
        program.change_text(&name, |text| {
            let mut read = Text::read(text)?;
            read.change(&change)?;
            Some(read.write())
        })
    })
}

/// A change of a function.
#[derive(Clone, Debug)]
enum Change {
    /// Put every instruction on its own line, remove comments, and name all numbered values.
    Tidy,
    /// Remove attachments and attribute group numbers.
    Plain,
    /// Replace the terminator of a block with `unreachable`.
    Cut(String),
    /// Replace the terminator of a block with a branch to another block.
    Goto(String, String),
    /// Merge a block into its only predecessor.
    Merge(String),
    /// Remove an instruction.
    Drop(String),
    /// Remove a parameter.
    Param(String),
}

/// A function: the text up to its opening brace, and its blocks.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Text {
    head: String,
    blocks: Vec<Block>,
}

/// A block; the label of the first one may be empty.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Block {
    label: String,
    lines: Vec<String>,
}

impl Text {
    fn read(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        let head = lines.next()?.to_owned();
        let (mut blocks, mut ended) = (vec![Block::default()], false);
        if !without_comment(&head).ends_with('{') {
            return None;
        }
        for line in lines {
            let code = without_comment(line);
            ended |= code.trim() == "}";
            let label = code.trim().strip_suffix(':');
            if ended {
                continue;
            }
            match (label, blocks.last_mut()?) {
                (Some(label), first) if first.label.is_empty() && first.lines.is_empty() => {
                    first.label = format!("%{label}");
                }
                (Some(label), _) => blocks.push(Block { label: format!("%{label}"), lines: Vec::new() }),
                (None, block) => block.lines.push(line.to_owned()),
            }
        }
        ended.then_some(Self { head, blocks })
    }

    fn write(&self) -> String {
        let mut text = format!("{}\n", self.head);
        for Block { label, lines } in &self.blocks {
            if let Some(label) = label.strip_prefix('%') {
                text.push_str(&format!("{label}:\n"));
            }
            lines.iter().for_each(|line| text.push_str(&format!("{line}\n")));
        }
        text + "}\n"
    }

    fn has_block(&self, name: &str) -> bool {
        self.blocks.iter().any(|block| block.label == name)
    }

    /// Applies `change`; `None` if it does not apply.
    fn change(&mut self, change: &Change) -> Option<()> {
        match change {
            Change::Tidy => return self.tidy(),
            Change::Plain => self.each_line(plain),
            Change::Cut(label) => self.end_with(label, "  unreachable".to_owned())?,
            Change::Goto(label, to) => self.end_with(label, format!("  br label {to}"))?,
            Change::Merge(label) => self.merge(label)?,
            Change::Drop(line) => {
                let block = self.blocks.iter_mut().find(|block| block.lines.contains(line))?;
                let at = block.lines.iter().position(|other| other == line)?;
                block.lines.remove(at);
                if let Some(result) = result(line) {
                    self.forget(result);
                }
            }
            Change::Param(param) => {
                let (from, to) = parameters(&self.head)?;
                let all = split(&self.head[from..to]);
                let kept: Vec<&str> = all.iter().copied().filter(|one| one.trim() != param).collect();
                let head =
                    format!("{}{}{}", &self.head[..from], kept.join(",").trim_start(), &self.head[to..]);
                self.head = head;
                self.forget(locals(param).last()?);
            }
        }
        if matches!(change, Change::Cut(_) | Change::Goto(..)) {
            self.leave_out();
        }
        Some(())
    }

    fn each_line(&mut self, with: impl Fn(&str) -> String) {
        self.head = with(&self.head);
        let lines = self.blocks.iter_mut().flat_map(|block| &mut block.lines);
        lines.for_each(|line| *line = with(line));
    }

    /// Replaces the terminator of a block.
    fn end_with(&mut self, label: &str, terminator: String) -> Option<()> {
        let block = self.blocks.iter_mut().find(|block| block.label == label)?;
        let last = block.lines.last_mut().filter(|line| is_terminator(line))?;
        let before = std::mem::replace(last, terminator);
        if let Some(result) = result(&before) {
            self.forget(result);
        }
        Some(())
    }

    /// Replaces every use of `name` with zero.
    fn forget(&mut self, name: &str) {
        self.each_line(|line| {
            with_locals(line, |local| if local == name { ZERO.to_owned() } else { local.to_owned() })
        });
    }

    /// The named parameters, as spelled.
    fn params(&self) -> Vec<String> {
        let Some((from, to)) = parameters(&self.head) else { return Vec::new() };
        let named = |param: &&str| !locals(param).is_empty();
        split(&self.head[from..to]).into_iter().filter(named).map(|param| param.trim().to_owned()).collect()
    }

    /// Replaces the only branch to the block `label` with the block's lines.
    fn merge(&mut self, label: &str) -> Option<()> {
        let branch = format!("br label {label}");
        let names_it =
            |block: &&Block| block.lines.last().is_some_and(|line| locals(line).iter().any(|l| l == label));
        let mut before = self.blocks.iter().filter(names_it);
        let into = before.next().filter(|block| block.label != label)?.label.clone();
        if before.next().is_some() {
            return None;
        }
        let at = self.blocks.iter().position(|block| block.label == label)?;
        let first = self.blocks.iter_mut().find(|block| block.label == into)?;
        first.lines.pop_if(|line| line.trim() == branch)?;
        let Block { lines, .. } = self.blocks.remove(at);
        // A phi with one entry is replaced with its incoming value.
        let (phis, lines): (Vec<String>, Vec<String>) =
            lines.into_iter().partition(|line| line.contains(" = phi "));
        self.blocks.iter_mut().find(|block| block.label == into)?.lines.extend(lines);
        for line in phis {
            let (phi, value) =
                (result(&line)?.to_owned(), split(line.split_once('[')?.1).first()?.trim().to_owned());
            let with = |local: &str| if local == phi { value.clone() } else { local.to_owned() };
            self.each_line(|line| with_locals(line, with));
        }
        let with = |local: &str| if local == label { into.clone() } else { local.to_owned() };
        self.each_line(|line| with_locals(line, with));
        // The first block needs no label unless it is referenced.
        let mut lines = self.blocks.iter().flat_map(|block| &block.lines);
        if !lines.any(|line| locals(line).contains(&self.blocks[0].label)) {
            self.blocks[0].label.clear();
        }
        Some(())
    }

    /// Removes unreachable blocks, and phi entries for removed edges.
    fn leave_out(&mut self) {
        let edges: Vec<BTreeSet<String>> = self
            .blocks
            .iter()
            .map(|block| {
                let names = block.lines.last().map(|line| locals(line)).unwrap_or_default();
                names.into_iter().filter(|name| self.has_block(name)).collect()
            })
            .collect();
        let (mut seen, mut next) = (BTreeSet::from([0]), vec![0]);
        while let Some(at) = next.pop() {
            let targets =
                self.blocks.iter().enumerate().filter(|(_, block)| edges[at].contains(&block.label));
            next.extend(targets.map(|(to, _)| to).filter(|to| seen.insert(*to)));
        }
        let gone = |from: &str, to: &str| {
            let at = self.blocks.iter().position(|block| block.label == from);
            at.is_some_and(|at| !seen.contains(&at) || !edges[at].contains(to))
        };
        let kept = self.blocks.iter().enumerate().filter(|(at, _)| seen.contains(at)).map(|(_, block)| block);
        let blocks = kept
            .map(|block| {
                let line = |line: &String| {
                    if line.contains(" = phi ") {
                        phi(line, &|from| !gone(from, &block.label))
                    } else {
                        line.clone()
                    }
                };
                Block { label: block.label.clone(), lines: block.lines.iter().map(line).collect() }
            })
            .collect();
        self.blocks = blocks;
    }

    fn tidy(&mut self) -> Option<()> {
        let before = self.clone();
        for block in &mut self.blocks {
            let mut lines: Vec<String> = Vec::new();
            for line in &block.lines {
                let code = without_comment(line).trim();
                match lines.last_mut() {
                    _ if code.is_empty() => {}
                    Some(last) if goes_on(last, code) => *last = format!("{last} {code}"),
                    _ => lines.push(format!("  {code}")),
                }
            }
            block.lines = lines;
        }
        self.head = without_comment(&self.head).trim_end().to_owned();
        let is_number = |name: &str| name[1..].chars().all(|c| c.is_ascii_digit());
        // The number of an unnamed first block appears only in phis.
        let mut defined: BTreeSet<String> = locals(&self.head).into_iter().collect();
        defined.extend(self.blocks.iter().map(|block| block.label.clone()));
        let lines = || self.blocks.iter().flat_map(|block| &block.lines);
        defined.extend(lines().filter_map(|line| result(line)).map(str::to_owned));
        let used = lines().flat_map(|line| locals(line));
        let unknown: BTreeSet<String> =
            used.filter(|name| is_number(name) && !defined.contains(name)).collect();
        match unknown.into_iter().collect::<Vec<_>>().as_slice() {
            [] => {}
            [one] if self.blocks[0].label.is_empty() => self.blocks[0].label.clone_from(one),
            _ => return None,
        }
        let named = |name: &str| if is_number(name) { format!("%n{}", &name[1..]) } else { name.to_owned() };
        self.each_line(|line| with_locals(line, named));
        for block in self.blocks.iter_mut().filter(|block| !block.label.is_empty()) {
            block.label = named(&block.label);
        }
        (*self != before).then_some(())
    }
}
