//! The text of a generated function: its instructions, names, current block, and the declarations of what it calls.

use std::collections::BTreeSet;
use std::fmt::Write;

/// A function being written.
#[derive(Debug)]
pub(super) struct Text {
    pub(super) out: String,
    /// The label of the block being written.
    pub(super) block: String,
    declarations: BTreeSet<String>,
    next: u32,
}

impl Text {
    /// Starts in the block `entry`, whose label the caller writes.
    pub(super) fn new() -> Self {
        Self { out: String::new(), block: "entry".to_owned(), declarations: BTreeSet::new(), next: 0 }
    }
    /// A unique name that begins with `stem`.
    pub(super) fn fresh(&mut self, stem: &str) -> String {
        self.next += 1;
        format!("{stem}{}", self.next)
    }
    pub(super) fn line(&mut self, line: &str) {
        writeln!(self.out, "  {line}").expect("a string takes all");
    }
    /// Starts a block.
    pub(super) fn label(&mut self, label: &str) {
        writeln!(self.out, "{label}:").expect("a string takes all");
        label.clone_into(&mut self.block);
    }
    /// Writes an instruction; returns the name of its result.
    pub(super) fn result(&mut self, code: &str) -> String {
        let name = self.fresh("%v");
        self.line(&format!("{name} = {code}"));
        name
    }
    pub(super) fn declare(&mut self, declaration: String) {
        self.declarations.insert(declaration);
    }
    /// Declares an intrinsic function; returns the text of a call.
    pub(super) fn intrinsic(&mut self, name: &str, result: &str, args: &[(&str, String)]) -> String {
        let types: Vec<&str> = args.iter().map(|(ty, _)| *ty).collect();
        self.declare(format!("declare {result} @{name}({})", types.join(", ")));
        let args: Vec<String> = args.iter().map(|(ty, arg)| format!("{ty} {arg}")).collect();
        format!("call {result} @{name}({})", args.join(", "))
    }
    /// The declarations, one per line.
    pub(super) fn declarations(&self) -> String {
        self.declarations.iter().map(|line| format!("{line}\n")).collect()
    }
}
