//! Documents with commands: where they are, their code blocks, and the files that they tell readers to save.

use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The root of the checkout.
pub(super) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A document in Markdown.
pub(super) struct Document {
    /// Its path below [`root`].
    pub(super) path: PathBuf,
    pub(super) text: String,
}

/// What a code block holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Commands after `$ `, each with its output.
    Console,
    /// Commands for a shell.
    Shell,
    /// No commands.
    Other,
}

/// A code block of a document.
pub(super) struct Block {
    /// The line of its fence, counted from 1.
    pub(super) line: usize,
    /// The contents, without the fences.
    pub(super) text: String,
    /// The text after the opening fence, such as `console,ignore`; empty for an indented block.
    info: String,
    /// Where the block begins in the document, in bytes.
    start: usize,
    starts_a_line: bool,
}

/// All documents whose commands are tested.
pub(super) fn all() -> Vec<Document> {
    let mut paths = backedge_testkit::files_with_extension(&root().join("docs"), "md");
    for entry in std::fs::read_dir(root()).expect("the checkout") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|extension| extension == "md") {
            paths.push(path);
        } else if path.join("README.md").is_file() {
            paths.push(path.join("README.md"));
        }
    }
    paths.sort();
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).expect("a document");
        Document { path: path.strip_prefix(root()).expect("a path in the checkout").to_path_buf(), text }
    };
    paths.into_iter().map(read).collect()
}

impl Document {
    /// The code blocks in order.
    pub(super) fn blocks(&self) -> Vec<Block> {
        let mut blocks: Vec<Block> = Vec::new();
        let mut inside = false;
        for (event, range) in Parser::new(&self.text).into_offset_iter() {
            match event {
                Event::Start(Tag::CodeBlock(kind)) => {
                    inside = true;
                    blocks.push(self.block(&kind, range.start));
                }
                Event::End(TagEnd::CodeBlock) => inside = false,
                Event::Text(text) if inside => {
                    blocks.last_mut().expect("a block").text.push_str(&text);
                }
                _ => {}
            }
        }
        blocks
    }

    /// The files that the document tells its readers to save: their names and contents.
    pub(super) fn files(&self) -> Vec<(String, String)> {
        let named = |block: Block| block.file().map(str::to_owned).map(|name| (name, block.text));
        self.blocks().into_iter().filter_map(named).collect()
    }

    /// The paths of files that its links name, relative to the root; links to the web are left out.
    pub(super) fn linked_files(&self) -> Vec<PathBuf> {
        let folder = self.path.parent().expect("a file");
        let links = Parser::new(&self.text).filter_map(|event| match event {
            Event::Start(Tag::Link { dest_url, .. }) => Some(dest_url),
            _ => None,
        });
        let files = links.filter(|link| !link.contains("://") && !link.starts_with('#'));
        files.map(|link| folder.join(link.split('#').next().unwrap_or_default())).collect()
    }

    /// The number of the section of `block`: of headings of the second level before it.
    pub(super) fn section(&self, block: &Block) -> usize {
        self.text[..block.start].matches("\n## ").count()
    }

    /// An empty block that begins at the byte `start`.
    fn block(&self, kind: &CodeBlockKind, start: usize) -> Block {
        let before = &self.text[..start];
        let info = match kind {
            CodeBlockKind::Fenced(info) => info.to_string(),
            CodeBlockKind::Indented => String::new(),
        };
        Block {
            line: before.matches('\n').count() + 1,
            text: String::new(),
            info,
            start,
            starts_a_line: before.is_empty() || before.ends_with('\n'),
        }
    }
}

impl Block {
    /// What it holds, by its language.
    pub(super) fn kind(&self) -> Kind {
        match self.info.split(',').next().unwrap_or_default().trim() {
            "console" | "trycmd" => Kind::Console,
            "sh" | "bash" | "shell" => Kind::Shell,
            _ => Kind::Other,
        }
    }
    /// The name of the file that readers are to save it as: `sum.c` of the info string `c file=sum.c`.
    fn file(&self) -> Option<&str> {
        self.info.split([',', ' ']).find_map(|word| word.strip_prefix("file="))
    }
    /// Whether it has the flag `ignore`.
    pub(super) fn is_ignored(&self) -> bool {
        self.info.split(',').skip(1).any(|flag| flag.trim() == "ignore")
    }
    /// Whether its commands are run.
    pub(super) fn is_run(&self, kind: Kind) -> bool {
        self.kind() == kind && !self.is_ignored()
    }
    /// Whether its fence is not indented.
    pub(super) fn starts_a_line(&self) -> bool {
        self.starts_a_line
    }
    /// The place of the info string after a fence of three backquotes, in bytes of the document.
    pub(super) fn info_range(&self) -> Range<usize> {
        let start = self.start + "```".len();
        start..start + self.info.len()
    }
    /// The commands, each in one line: those after the prompt `$ ` and its continuation `> `, or, in a block for a
    /// shell, the lines that begin with `backedge `.
    pub(super) fn commands(&self) -> Vec<String> {
        match self.kind() {
            Kind::Console => {
                let text = self.text.replace("\\\n> ", " ").replace("\n> ", " ");
                text.lines().filter_map(|line| line.strip_prefix("$ ")).map(str::to_owned).collect()
            }
            Kind::Shell => {
                let text = self.text.replace("\\\n", " ");
                text.lines().filter(|line| line.starts_with("backedge ")).map(str::to_owned).collect()
            }
            Kind::Other => Vec::new(),
        }
    }
}
