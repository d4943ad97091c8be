//! Input: reads a file or standard input, parses a module, and shows every problem with its location.

use crate::foreign;
use crate::problem::Problem;
use crate::shown::{reason, shown};
use backedge_ir::parse::{Diagnostic, LineIndex, Parsed, Warning, read_module};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The maximum size of an input in bytes: an input may be an endless pipe.
const LIMIT: u64 = 1 << 30;
/// Maximum number of problems shown per input; the rest is counted.
const SHOWN: usize = 10;

/// A text and its name in messages.
#[derive(Debug)]
pub(crate) struct Source {
    /// The file name, or `<stdin>`.
    pub(crate) name: String,
    /// The bytes.
    pub(crate) text: Vec<u8>,
}

impl Source {
    /// The contents of the file `path`, of standard input if `path` is `-`; bitcode, C and C++ as LLVM IR.
    pub(crate) fn read(path: &Path) -> Result<Self, Box<Problem>> {
        let (name, read) = if path == Path::new("-") {
            ("<stdin>".to_owned(), limited(io::stdin().lock()))
        } else {
            (shown(path), open(path).and_then(limited))
        };
        match read {
            Ok(Some(text)) => match wrong_kind(path, &text) {
                Some((what, help)) => {
                    Err(Box::new(Problem::error(format!("{name} is {what}, not LLVM IR: {help}"))))
                }
                None => foreign::as_text(path, text).map(|text| Self { name, text }),
            },
            Ok(None) => Err(Box::new(Problem::error(format!("{name} is larger than {} MB", LIMIT >> 20)))),
            Err(e) => Err(Box::new(Problem::error(format!("{name} can't be read: {}", reason(&e))))),
        }
    }

    /// Parses and verifies the module. Errors are at most [`SHOWN`] problems, then one that counts the others.
    pub(crate) fn parse(&self) -> Result<Parsed, Vec<Problem>> {
        read_module(&self.text).map_err(|all| {
            let hidden = all.len().saturating_sub(SHOWN);
            let mut problems: Vec<_> = all.iter().take(SHOWN).map(|d| self.problem(d)).collect();
            if hidden > 0 {
                problems.push(Problem::error(format!("{}: {hidden} more errors", self.name)));
            }
            problems
        })
    }

    fn problem(&self, found: &Diagnostic) -> Problem {
        let format = (found.span.start == 0).then(|| other_format(&self.text)).flatten();
        let second = found.second.as_ref().map(|(span, label)| {
            let at = LineIndex::new(&self.text).line_col(span.start);
            format!("{label}: line {}, column {}", at.line, at.column)
        });
        let help: Vec<&str> =
            [found.help.as_deref(), format, second.as_deref()].into_iter().flatten().collect();
        let help = (!help.is_empty()).then(|| help.join("\n"));
        Problem::error(&found.message).help(help).at(
            &self.name,
            &self.text,
            found.span.range(),
            &*found.label,
        )
    }

    /// A warning about a feature that the reader does not support, or drops.
    pub(crate) fn warning(&self, warning: &Warning) -> Problem {
        Problem::error(format!("not modelled: {}", warning.feature))
            .warning()
            .help(Some("what uses it is carried as text and left as it is"))
            .at(&self.name, &self.text, warning.span.range(), "here")
    }
}

/// The kind of a file that is neither LLVM IR nor a language that is compiled here, with advice.
pub(crate) fn wrong_kind(path: &Path, text: &[u8]) -> Option<(&'static str, &'static str)> {
    const COMPILED: &str = "compile its source with clang -O1 -S -emit-llvm";
    const UNPACKED: &str = "unpack it first";
    const MAGIC: [(&[u8], &str, &str); 10] = [
        (b"\x7fELF", "an object file or executable (ELF)", COMPILED),
        (b"\xcf\xfa\xed\xfe", "an object file or executable (Mach-O)", COMPILED),
        (b"MZ", "an executable (PE)", COMPILED),
        (b"\0asm", "a WebAssembly module", COMPILED),
        (b"!<arch>\n", "an archive (ar)", "`ar x` extracts its members, which may be bitcode"),
        (b"!<thin>\n", "a thin archive (ar)", "name its members, which may be bitcode"),
        (b"\x1f\x8b", "compressed (gzip)", UNPACKED),
        (b"\x28\xb5\x2f\xfd", "compressed (zstd)", UNPACKED),
        (b"\xfd7zXZ\0", "compressed (xz)", UNPACKED),
        (b"PK\x03\x04", "an archive (zip)", UNPACKED),
    ];
    const LANGUAGES: [(&str, &str, &str); 8] = [
        ("rs", "Rust source", "rustc -O --emit=llvm-ir makes LLVM IR of it"),
        ("swift", "Swift source", "swiftc -O -emit-ir makes LLVM IR of it"),
        ("f90", "Fortran source", "flang -O1 -S -emit-llvm makes LLVM IR of it"),
        ("zig", "Zig source", "zig build-obj -femit-llvm-ir makes LLVM IR of it"),
        ("jl", "Julia source", "`code_llvm(f, types, dump_module=true)` prints LLVM IR of it"),
        ("h", "a C header", "name a .c or .cpp file that includes it"),
        ("s", "assembly", COMPILED),
        ("mlir", "MLIR", "mlir-translate --mlir-to-llvmir makes LLVM IR of it"),
    ];
    if let Some((_, what, help)) = MAGIC.iter().find(|(magic, ..)| text.starts_with(magic)) {
        return Some((what, help));
    }
    let extension = path.extension()?.to_str()?;
    let (_, what, help) = LANGUAGES.iter().find(|(known, ..)| extension.eq_ignore_ascii_case(known))?;
    (!resembles_ir(text)).then_some((what, help))
}

/// Whether a line begins as lines of LLVM IR do.
fn resembles_ir(text: &[u8]) -> bool {
    let starts: [&[u8]; 6] = [b"define ", b"declare ", b"target ", b"source_filename", b"; ModuleID", b"@"];
    text.split(|byte| *byte == b'\n').any(|line| starts.iter().any(|start| line.starts_with(start)))
}

/// Guesses the format of a text that is not LLVM IR from its first bytes, and gives advice.
fn other_format(text: &[u8]) -> Option<&'static str> {
    const FORMATS: [(&[u8], &str); 5] = [
        (b"BC\xc0\xde", "this is LLVM bitcode: make text of it with llvm-dis"),
        (b"\xde\xc0\x17\x0b", "this is LLVM bitcode in a wrapper: make text of it with llvm-dis"),
        (b"\xef\xbb\xbf", "this begins with a byte order mark, which LLVM does not read either: remove it"),
        (b"\xff\xfe", "this seems to be UTF-16: make UTF-8 of it"),
        (b"\xfe\xff", "this seems to be UTF-16: make UTF-8 of it"),
    ];
    FORMATS.iter().find(|(magic, _)| text.starts_with(magic)).map(|(_, help)| *help)
}

/// Fails if standard input is named more than once, since it can be read only once.
pub(crate) fn refuse_stdin_twice<'a>(paths: impl IntoIterator<Item = &'a PathBuf>) -> miette::Result<()> {
    if paths.into_iter().filter(|p| p.as_os_str() == "-").nth(1).is_some() {
        miette::bail!(
            help = "put one of the modules into a file",
            "standard input (-) is named twice, but can be read once only"
        );
    }
    Ok(())
}

fn open(path: &Path) -> io::Result<File> {
    let file = File::open(path)?;
    if file.metadata()?.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a directory"));
    }
    Ok(file)
}

/// The contents of `from`; `None` if they exceed the limit.
fn limited(from: impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut text = Vec::new();
    from.take(LIMIT + 1).read_to_end(&mut text)?;
    Ok((text.len() as u64 <= LIMIT).then_some(text))
}
