//! `backedge recheck`: checks a certificate written by `backedge tv --certificate`.

use super::judging::check_z3;
use super::limits::{SolverLimits, UndefInputs};
use super::module::load;
use crate::exit::Exit;
use crate::output;
use crate::report::events::{Event, write_only};
use crate::report::json::is_on_stdout;
use crate::shown::{reason, shown};
use backedge_validate::certificate::{CertificateError, CertificateFile, Rechecked};
use backedge_validate::check::{Options, Uninit};
use backedge_validate::verdict::Verdict;
use std::io::{self, Read};
use std::path::PathBuf;

/// Arguments of `recheck`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The file holds both functions and the proof; nothing but the solver is trusted in checking it. That these are the functions
of a module is compared where modules are named; how locals are called makes no difference.

Examples:
  backedge tv corpus/pairs/right/strength-reduction.ll --certificate proof.json && backedge recheck proof.json
  backedge recheck proof.json corpus/pairs/right/strength-reduction.ll")]
pub(crate) struct Args {
    /// The certificate, or - for standard input
    file: PathBuf,
    /// The module that should contain the source: a .ll file
    source: Option<PathBuf>,
    /// The module that should contain the target; default: the source module
    target: Option<PathBuf>,
    /// Show the functions, and the proof if the certificate is valid
    #[arg(long)]
    show: bool,
    /// Write the result as a JSON line to this file (- for standard output, instead of the text)
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    #[command(flatten)]
    undef: UndefInputs,
    #[command(flatten)]
    solver: SolverLimits,
}

/// Maximum size of a certificate in bytes: the file may come from anywhere.
const MOST_BYTES: u64 = 64 << 20;

/// Runs the command.
pub(crate) fn run(args: &Args) -> miette::Result<Exit> {
    check_z3()?;
    let name = shown(&args.file);
    let text = match read(&args.file) {
        Ok(text) => text,
        Err(why) => miette::bail!("{name} can't be read: {}", reason(&why)),
    };
    let file = match certificate(&text) {
        Ok(file) => file,
        Err(why) => miette::bail!(
            help = "`backedge tv FILE --certificate proof.json` writes one",
            "{name} is no certificate: {why}"
        ),
    };
    let [source, target] = &file.functions;
    let json = args.json.as_deref();
    if let Some(json) = json {
        let inputs: Vec<PathBuf> = [Some(&args.file), args.source.as_ref(), args.target.as_ref()]
            .into_iter()
            .flatten()
            .cloned()
            .collect();
        output::refuse_to_overwrite(json, &inputs)?;
        output::check(json)?;
    }
    let quiet = is_on_stdout(json);
    let say = |text: &str| if quiet { Ok(()) } else { output::to_stdout(text) };
    let record = |verdict: Option<Verdict>, why: Option<String>| {
        let (source, target) = (source.clone(), target.clone());
        write_only(json, &name, Event::Rechecked { source, target, verdict, why })
    };
    if args.show && !quiet {
        let [s, t] = &file.modules;
        output::to_stdout(&format!("{s}\n{t}\n"))?;
    }
    if let Some(path) = &args.source {
        let Ok((_, first)) = load(path) else { return Ok(Exit::BadInput) };
        let second = match args.target.as_ref().map(|path| load(path)) {
            Some(Ok((_, parsed))) => Some(parsed.module),
            Some(Err(_)) => return Ok(Exit::BadInput),
            None => None,
        };
        if let Err(why) = file.speaks_of(&first.module, second.as_ref().unwrap_or(&first.module)) {
            say(&format!("@{source} => @{target}: {why}\n"))?;
            record(None, Some(why.to_string()))?;
            return Ok(Exit::Inconclusive);
        }
    }
    let options = Options { undef_inputs: args.undef.allowed(), ..Options::default() };
    match file.recheck(&args.solver.of(options)) {
        Ok(Rechecked { verdict, proof, loops }) => {
            record(Some(verdict.clone()), None)?;
            let verdict = verdict.words(loops);
            let proof: String = proof.iter().map(|line| format!("  {line}\n")).collect();
            let proof = if args.show { proof } else { String::new() };
            let read = match file.uninit {
                Uninit::Undef => "",
                Uninit::Poison => " (where uninitialised memory holds poison)",
            };
            say(&format!("{proof}@{source} => @{target}: {verdict}{read}\n"))?;
            Ok(Exit::Accepted)
        }
        Err(why @ CertificateError::NoProof(_)) => {
            say(&format!("@{source} => @{target}: {why}\n"))?;
            record(None, Some(why.to_string()))?;
            Ok(Exit::Inconclusive)
        }
        Err(why) => miette::bail!("{name} is no certificate: {why}"),
    }
}

/// The certificate in `text`, or why there is none.
fn certificate(text: &[u8]) -> Result<CertificateFile, String> {
    if text.len() as u64 > MOST_BYTES {
        return Err(format!("it is larger than {} MB", MOST_BYTES >> 20));
    }
    let Ok(text) = std::str::from_utf8(text) else { return Err("it is no text".to_owned()) };
    if text.trim().is_empty() {
        return Err("it is empty".to_owned());
    }
    if !text.trim_start().starts_with('{') {
        return Err("it is not JSON".to_owned());
    }
    CertificateFile::from_json(text).map_err(|why| why.to_string())
}

/// The contents of the file, and no more than a byte beyond the limit.
fn read(path: &std::path::Path) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    let most = MOST_BYTES + 1;
    if path.as_os_str() == "-" {
        io::stdin().lock().take(most).read_to_end(&mut text)?;
    } else {
        std::fs::File::open(path)?.take(most).read_to_end(&mut text)?;
    }
    Ok(text)
}
