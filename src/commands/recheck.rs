//! `backedge recheck`: checks a certificate that `backedge tv --certificate` wrote.

use super::limits::Limits;
use crate::exit::Exit;
use crate::input::shown;
use crate::output;
use backedge_validate::certificate::{CertificateError, CertificateFile};
use backedge_validate::check::Uninit;
use miette::IntoDiagnostic;
use std::io::Read;
use std::path::PathBuf;

/// Arguments of `recheck`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The file holds both functions and the proof; nothing but the solver is trusted in checking it.

Example:
  backedge tv corpus/pairs/right/strength-reduction.ll --certificate proof.json && backedge recheck proof.json")]
pub(crate) struct Args {
    /// The certificate, or - for standard input
    file: PathBuf,
    /// Show the functions and the proof
    #[arg(long)]
    show: bool,
    #[command(flatten)]
    limits: Limits,
}

/// Certificates of more bytes are not read.
const MOST_BYTES: u64 = 64 << 20;

/// Runs the command.
pub(crate) fn run(args: &Args) -> miette::Result<Exit> {
    if let Err(wrong) = backedge_smt::check_z3_version() {
        miette::bail!("{wrong}");
    }
    let name = shown(&args.file);
    let file = match read(&args.file).and_then(|text| CertificateFile::from_json(&text).into_diagnostic()) {
        Ok(file) => file,
        Err(why) => miette::bail!("{name} is no certificate: {why}"),
    };
    let [source, target] = &file.functions;
    if args.show {
        let [s, t] = &file.modules;
        let proof: String = file.certificate.shown.iter().map(|line| format!("  {line}\n")).collect();
        output::to_stdout(&format!("{s}\n{t}\n{proof}"))?;
    }
    match file.recheck(&args.limits.options()) {
        Ok(verdict) => {
            let read = match file.uninit {
                Uninit::Undef => "",
                Uninit::Poison => " (where uninitialised memory holds poison)",
            };
            output::to_stdout(&format!("@{source} => @{target}: {verdict}{read}\n"))?;
            Ok(Exit::Accepted)
        }
        Err(why @ CertificateError::NoProof(_)) => {
            output::to_stdout(&format!("@{source} => @{target}: {why}\n"))?;
            Ok(Exit::Inconclusive)
        }
        Err(why) => miette::bail!("{name} is no certificate: {why}"),
    }
}

fn read(path: &std::path::Path) -> miette::Result<String> {
    let mut text = String::new();
    let most = MOST_BYTES + 1;
    let size = if path.as_os_str() == "-" {
        std::io::stdin().lock().take(most).read_to_string(&mut text)
    } else {
        std::fs::File::open(path).and_then(|file| file.take(most).read_to_string(&mut text))
    };
    if size.into_diagnostic()? as u64 == most {
        miette::bail!("it is larger than {} MB", MOST_BYTES >> 20);
    }
    Ok(text)
}
