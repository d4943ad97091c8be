//! A module in the form in which both sides look at it: brought there by our passes, and printed. Ours is what is read back,
//! so that names and the order of blocks are those of the text that LLVM reads.

use crate::files::parse;
use anyhow::{Context, Result, anyhow};
use backedge_ir::module::Module;
use backedge_pipeline::parse_pipeline;
use backedge_pipeline::run::{Nobody, Options, run as run_pipeline};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// The form that loops are brought into.
pub(crate) const FORM: &str = "loop-simplify,lcssa";

/// The module, and the file with its text, which goes with this.
pub(crate) struct Formed {
    pub(crate) module: Module,
    pub(crate) file: PathBuf,
    _dir: TempDir,
}

/// What is in `file`, with its loops in [`FORM`].
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
