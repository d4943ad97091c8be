//! Writes seed corpora for the fuzz targets. `cargo run -p backedge-fuzz --example seed_corpora`, run from the root,
//! fills `fuzz/corpus/TARGET`, where cargo-fuzz looks for inputs, and keeps the files that a fuzzer has put there.
//!
//! Targets that read text get the files of the corpus. Targets that generate programs get the bytes of some seeds,
//! truncated to the part that the generator reads.

use backedge_fuzz::generate::{Origin, bytes_of_seed};
use backedge_fuzz::targets::Target;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize()?;
    let texts = texts(&root.join("corpus"))?;
    for target in Target::ALL.iter().copied() {
        let folder = root.join("fuzz/corpus").join(target.name());
        fs::create_dir_all(&folder)?;
        let mut files = 0;
        if target.reads_text() {
            for text in &texts {
                let name =
                    text.strip_prefix(root.join("corpus"))?.to_string_lossy().replace(['/', '\\'], "-");
                fs::copy(text, folder.join(name))?;
                files += 1;
            }
        }
        for seed in 0..target.corpus_programs() {
            let program = target.program(&bytes_of_seed(seed));
            let Origin::Bytes(bytes) = program.origin else { continue };
            fs::write(folder.join(format!("seed-{seed}")), bytes)?;
            files += 1;
        }
        println!("{}: {files} files", folder.strip_prefix(&root)?.display());
    }
    Ok(())
}

/// The `.ll` files below `folder`.
fn texts(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let (mut found, mut pending) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = pending.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                pending.push(path);
            } else if path.extension().is_some_and(|e| e == "ll") {
                found.push(path);
            }
        }
    }
    Ok(found)
}
