//! A module in the common form for both sides: normalized by Backedge's passes and printed. Backedge uses the module
//! parsed from that text, so that names and the order of blocks match the text that LLVM reads.

use crate::files::parse;
use anyhow::{Context, Result, anyhow};
use backedge_ir::module::Module;
use backedge_pipeline::parse_pipeline;
use backedge_pipeline::run::{Nobody, Options, run as run_pipeline};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// The passes that normalize loops.
pub(crate) const FORM: &str = "loop-simplify,lcssa";

/// The module, and the file with its text, which is deleted with this value.
pub(crate) struct Formed {
    pub(crate) module: Module,
    pub(crate) file: PathBuf,
    _dir: TempDir,
}

/// The contents of `file` after [`FORM`].
pub(crate) fn formed(file: &Path) -> Result<Formed> {
    let mut module = parse(&fs::read(file).context("can't be read")?)?;
    let form = parse_pipeline(FORM).map_err(|e| anyhow!("{e}"))?;
    run_pipeline(&mut module, &form, Options::default(), &mut Nobody).map_err(|e| anyhow!("{e}"))?;
    let text = backedge_ir::print::module_to_string(&module);
    let dir = tempfile::tempdir()?;
    let file = dir.path().join("both.ll");
    fs::write(&file, &text)?;
    Ok(Formed { module: parse(text.as_bytes())?, file, _dir: dir })
}
