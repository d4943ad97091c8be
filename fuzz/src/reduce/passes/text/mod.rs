//! Functions with something that is not modelled are text, and become shorter as text does: lines go, blocks are left out, and
//! what was computed becomes zero where it is used.
//!
//! What is left of a valid function is valid: a line goes with all uses of its result, and a path is cut with its entries in phis,
//! so that what dominated a use still does. Of types nothing is known: a zero may stand where there is none, and so it is left
//! to our reader and to the test. Once nothing is in it that is not modelled the function is read as all others are, and
//! the other passes go on with it.

mod line;

use super::super::program::Program;
use super::super::search::{Edit, Search};
use backedge_ir::module::{Code, Module};
use line::{
    goes_on, is_terminator, locals, parameters, phi, plain, result, split, with_locals, without_comment,
};
use std::collections::BTreeSet;

/// What stands for a value that is gone.
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

/// Of each group of changes makes the first that can be made, in every function that is text.
fn each(search: &mut Search<'_>, changes: impl Fn(&Text) -> Vec<Vec<Change>>) {
    let mut groups = Vec::new();
    for (name, text) in opaque(&search.best.program.module) {
        let edits = |group: Vec<Change>| group.into_iter().map(|change| edit(name.clone(), change)).collect();
        groups.extend(changes(&text).into_iter().map(edits));
    }
    search.first_of_each(groups);
}

/// Functions that are text, by their names.
fn opaque(module: &Module) -> Vec<(String, Text)> {
    let text = |code: &Code| match code {
        Code::Opaque(code) => Text::read(&code.text),
        Code::Declaration | Code::Body(_) => None,
    };
    let named = module.code.iter().filter_map(|(id, code)| Some((id, text(code)?)));
    named.map(|(id, text)| (module.env.funcs[id].name.to_string(), text)).collect()
}

/// That change of the function called so: ids differ once it has been read again.
fn edit(name: String, change: Change) -> Edit {
    Box::new(move |program: &mut Program| {
        program.change_text(&name, |text| {
            let mut read = Text::read(text)?;
            read.change(&change)?;
            Some(read.write())
        })
    })
}

/// What is done to a function.
#[derive(Clone, Debug)]
enum Change {
    /// Every instruction in a line of its own, without comments, and a name for all that has a number.
    Tidy,
    /// No attachments and no groups of attributes.
    Plain,
    /// A block ends where its terminator was.
    Cut(String),
    /// A block goes on to another one in any case.
    Goto(String, String),
    /// A block that only another one goes on to becomes its end.
    Merge(String),
    /// An instruction goes.
    Drop(String),
    /// A parameter goes.
    Param(String),
}

/// A function: up to its opening brace, and the blocks behind.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Text {
    head: String,
    blocks: Vec<Block>,
}

/// A block; of the first one the name may be missing.
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

    /// Makes `change`, if it applies.
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

    /// Gives a block another terminator.
    fn end_with(&mut self, label: &str, terminator: String) -> Option<()> {
        let block = self.blocks.iter_mut().find(|block| block.label == label)?;
        let last = block.lines.last_mut().filter(|line| is_terminator(line))?;
        let before = std::mem::replace(last, terminator);
        if let Some(result) = result(&before) {
            self.forget(result);
        }
        Some(())
    }

    /// Puts a zero for every use of `name`.
    fn forget(&mut self, name: &str) {
        self.each_line(|line| {
            with_locals(line, |local| if local == name { ZERO.to_owned() } else { local.to_owned() })
        });
    }

    /// The parameters with names, as they are spelled.
    fn params(&self) -> Vec<String> {
        let Some((from, to)) = parameters(&self.head) else { return Vec::new() };
        let named = |param: &&str| !locals(param).is_empty();
        split(&self.head[from..to]).into_iter().filter(named).map(|param| param.trim().to_owned()).collect()
    }

    /// Has the block `label` stand in place of the branch to it, if there is only that one.
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
        // Phis of one entry stand for what that holds.
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
        // The first block needs no name of its own.
        let mut lines = self.blocks.iter().flat_map(|block| &block.lines);
        if !lines.any(|line| locals(line).contains(&self.blocks[0].label)) {
            self.blocks[0].label.clear();
        }
        Some(())
    }

    /// Takes blocks out that are not come to, and entries of phis for edges that are gone.
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
        // The first block has a number that is nowhere spelled but in phis.
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
