//! The campaign that measures how fast seeded faults are found: checks generated programs, one seed after another,
//! until a finding or a time limit.
//!
//!   backedge-faults [--known FILE] [--at FILE] FIRST_SEED SECONDS
//!   backedge-faults --print SEED
//!
//! The campaign does not know the fault: each seed goes to one of the solver-free fuzz targets, in turn. Time is CPU
//! time, so that other work on the machine does not count. `--known` names the output of a run without a fault: seeds
//! with findings in that run are skipped, as are seeds that it did not reach. Without `--known`, the campaign does not
//! stop at a finding. `--at` names a file that always holds the current seed, for a run that a signal ends.
//!
//! Prints one tab-separated line for each finding: `found`, the oracle, seconds and programs so far, the seed, and a
//! description; the program goes to standard error, as IR with the finding in comments. The last line has the same
//! form, with `nothing` and the first seed not reached. A program on which a pass does not terminate is a finding too.
//!
//! `--print` prints the program of a seed.

use backedge_fuzz::generate::bytes_of_seed;
use backedge_fuzz::oracles::Finding;
use backedge_fuzz::targets::{Target, TargetFinding};
use nix::sys::resource::{UsageWho, getrusage};
use std::collections::HashSet;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The targets of the seeds, in turn. A third are pipelines, since most passes occur only there; HIR transforms and
/// VPlans have a target each, and loops in other forms reach those targets rarely.
const TARGETS: [Target; 20] = [
    Target::Pipeline,
    Target::Canonicalize,
    Target::Pipeline,
    Target::UnrollMultiExit,
    Target::HirTransforms,
    Target::Pipeline,
    Target::ScevClaims,
    Target::VPlanRoundtrip,
    Target::UnrollMultiExit,
    Target::Pipeline,
    Target::HirRoundtrip,
    Target::Pipeline,
    Target::HirTransforms,
    Target::UnrollMultiExit,
    Target::ScevClaims,
    Target::Pipeline,
    Target::VPlanRoundtrip,
    Target::Vectorize,
    Target::HirTransforms,
    Target::Vectorize,
];

/// Time limit for one program, in seconds: thousands of times the usual time, so that only a hang exceeds it.
const MOST_SECONDS: f64 = 10.0;

/// CPU time used by this process, in seconds.
fn used() -> f64 {
    let Ok(usage) = getrusage(UsageWho::RUSAGE_SELF) else { return 0.0 };
    [usage.user_time(), usage.system_time()]
        .iter()
        .map(|t| t.tv_sec() as f64 + t.tv_usec() as f64 / 1e6)
        .sum()
}

/// Start of the current program, in milliseconds of [`used`], and the number of programs before it.
static BEGUN: AtomicU64 = AtomicU64::new(0);
static PROGRAMS: AtomicU64 = AtomicU64::new(0);

fn tell(what: &str, by: &str, seed: u64, words: &str) {
    let programs = PROGRAMS.load(Ordering::Relaxed);
    let words: String = words.chars().map(|c| if c.is_control() { ' ' } else { c }).take(300).collect();
    println!("{what}\t{by}\t{:.1}\t{programs}\t{seed}\t{words}", used());
}

/// The target of `seed`.
fn target_of(seed: u64) -> Target {
    TARGETS[(seed % TARGETS.len() as u64) as usize]
}

/// The program of `seed` as IR, with `words` in comments before it.
fn shown(seed: u64, words: &str) -> String {
    let target = target_of(seed);
    commented(&format!("{words}\n{target}, seed {seed}"), &target.program(&bytes_of_seed(seed)).to_string())
}

/// `code` with `words` in comments before it.
fn commented(words: &str, code: &str) -> String {
    let comments: String = words.lines().map(|line| format!("; {line}\n")).collect();
    comments + code
}

/// Ends the process when a program exceeds the time limit.
fn watch(first: u64) -> ! {
    loop {
        std::thread::sleep(Duration::from_secs(1));
        let since = used() - BEGUN.load(Ordering::Relaxed) as f64 / 1e3;
        if since > MOST_SECONDS {
            let seed = first + PROGRAMS.load(Ordering::Relaxed);
            let words = format!("no end after {MOST_SECONDS} s");
            eprintln!("{}", shown(seed, &words));
            tell("found", "time", seed, &words);
            std::process::exit(1);
        }
    }
}

/// The findings of a run without a fault.
#[derive(Default)]
struct Known {
    seeds: HashSet<u64>,
    /// The first seed that the run did not reach.
    end: Option<u64>,
}

impl Known {
    fn read(path: &str) -> std::io::Result<Self> {
        let mut known = Self::default();
        for line in std::fs::read_to_string(path)?.lines() {
            let parts: Vec<&str> = line.split('\t').collect();
            let Some(Ok(seed)) = parts.get(4).map(|s| s.parse()) else { continue };
            if parts[0] == "found" { _ = known.seeds.insert(seed) } else { known.end = Some(seed) }
        }
        Ok(known)
    }
}

/// The message of the last panic.
static PANIC: Mutex<String> = Mutex::new(String::new());

/// The finding for `seed`: the oracle, and a description. Prints the program to standard error.
fn look(seed: u64) -> Option<(&'static str, String)> {
    let target = target_of(seed);
    let Ok(checked) = std::panic::catch_unwind(|| target.check_seed(seed)) else {
        let message = PANIC.lock().map_or_else(|_| String::new(), |message| message.clone());
        eprintln!("{}", shown(seed, &message));
        return Some(("panic", format!("{target}: {message}")));
    };
    let found = checked.err()?;
    // Passes that undo each other are not wrong.
    if matches!(found.finding, Finding::Settling(_) | Finding::Again(_)) {
        return None;
    }
    let TargetFinding { finding, pipeline, input } = *found;
    let passes = pipeline.as_ref().map_or_else(String::new, |passes| format!("\n-passes='{passes}'"));
    eprintln!("{}", commented(&format!("{finding}{passes}\n{target}, seed {seed}"), &input));
    Some((finding.oracle(), format!("{}: {finding}", pipeline.as_deref().unwrap_or(target.name()))))
}

/// The command line.
struct Arguments {
    first: u64,
    seconds: f64,
    known: Option<Known>,
    at: Option<File>,
}

impl Arguments {
    fn read(mut words: impl Iterator<Item = String>) -> Result<Self, String> {
        let (mut known, mut at, mut numbers) = (None, None, Vec::new());
        while let Some(word) = words.next() {
            let mut named = || words.next().ok_or(format!("{word} needs a file"));
            let wrong = |error: std::io::Error| format!("{word}: {error}");
            match word.as_str() {
                "--known" => known = Some(Known::read(&named()?).map_err(wrong)?),
                "--at" => at = Some(File::create(named()?).map_err(wrong)?),
                _ => numbers.push(word),
            }
        }
        let [first, seconds] = &numbers[..] else { return Err("FIRST_SEED and SECONDS are needed".into()) };
        match (first.parse(), seconds.parse()) {
            (Ok(first), Ok(seconds)) => Ok(Self { first, seconds, known, at }),
            _ => Err(format!("no numbers: {first} {seconds}")),
        }
    }
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let [print, seed] = &words[..]
        && print == "--print"
        && let Ok(seed) = seed.parse()
    {
        println!("{}", shown(seed, ""));
        return ExitCode::SUCCESS;
    }
    match Arguments::read(words.into_iter()) {
        Ok(arguments) => campaign(arguments),
        Err(error) => {
            eprintln!("backedge-faults: {error}");
            ExitCode::from(2)
        }
    }
}

fn campaign(Arguments { first, seconds, known, at }: Arguments) -> ExitCode {
    let goes_on = known.is_none();
    let Known { seeds, end } = known.unwrap_or_default();
    // A panic of a pass is caught and reported as a finding.
    std::panic::set_hook(Box::new(|panic| {
        if let Ok(mut message) = PANIC.lock() {
            *message = panic.to_string();
        }
    }));
    std::thread::spawn(move || watch(first));
    let mut seed = first;
    while end.is_none_or(|end| seed < end) {
        let begun = used();
        if begun >= seconds {
            break;
        }
        BEGUN.store((begun * 1e3) as u64, Ordering::Relaxed);
        PROGRAMS.store(seed - first, Ordering::Relaxed);
        if let Some(file) = &at {
            // Without the file, only the program of a crash is unknown.
            _ = file.write_all_at(format!("{seed}\n").as_bytes(), 0);
        }
        if !seeds.contains(&seed)
            && let Some((by, words)) = look(seed)
        {
            tell("found", by, seed, &words);
            if !goes_on {
                return ExitCode::from(1);
            }
        }
        seed += 1;
    }
    tell("nothing", "-", seed, "");
    ExitCode::SUCCESS
}
