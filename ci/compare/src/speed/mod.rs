//! Processor time to judge pairs of functions, with `backedge tv` as whole processes including workers, and optionally
//! with `alive-tv` on the same pairs.
//!
//! | row | pairs | measurement | limit |
//! |---|---|---|---|
//! | loop-free pairs, tiny loops, both | corpus folder `pairs`, right and wrong | median over decided pairs | 40 ms |
//! | array increment, K = 16 | one of `proofs/prototype`, bounded check only | its time | 4 s |
//! | right pairs | `proofs/prototype`, at 64 bits | sum, and the number of proofs | 60 s |
//!
//! Many pairs of the folder exist because no engine may be able to decide them; the time of all pairs, including those,
//! is printed as well. Processes run one after another. For small pairs the median of several runs counts. Processor
//! time depends less on other load than elapsed time, but still depends on it.

mod measure;
mod pairs;

use crate::process;
use anyhow::{Result, ensure};
use comfy_table::{Cell, CellAlignment};
use indicatif::{ProgressBar, ProgressStyle};
use measure::{Depth, Judge, Timed, median};
use pairs::{Pair, Shape};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Duration;

/// Print the processor time for pairs of the corpus, compared with limits and with Alive2
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  ci/compare-speed corpus
  ci/compare-speed corpus --row small --list --alive-tv ../alive2/build/alive-tv

Exit codes: 0 no row takes more than it may, and all of its pairs are decided as they should be; 1 not so; 2 bad input.")]
pub(crate) struct Args {
    /// The corpus, or a directory with folders of the same names
    #[arg(value_name = "DIR")]
    corpus: PathBuf,
    /// Only these rows
    #[arg(long = "row", value_name = "ROW", value_enum)]
    rows: Vec<Row>,
    /// Alive2's alive-tv
    #[arg(long, value_name = "PATH")]
    alive_tv: Option<PathBuf>,
    /// Number of runs of each small pair; the others run once
    #[arg(long, default_value_t = 5, value_name = "N")]
    repeats: u32,
    /// Time limit for one pair, in seconds
    #[arg(long, default_value_t = 600, value_name = "SECONDS")]
    timeout: u64,
    /// List all pairs
    #[arg(long)]
    list: bool,
    /// Backedge's command; by default the one beside this program
    #[arg(long, value_name = "COMMAND")]
    backedge: Option<PathBuf>,
}

/// A group of pairs that are measured together.
#[derive(Copy, Clone, PartialEq, Eq, Debug, clap::ValueEnum)]
enum Row {
    /// Pairs without loops and with tiny loops
    Small,
    /// The bounded check of a loop that increments the elements of an array
    Array,
    /// The right pairs of the prototype
    Right,
}

/// The bound for the loop over an array, in backedges per entry of the loop.
const ARRAY_BOUND: u32 = 16;
const ARRAY: (&str, &str, &str) = ("mem-unroll2.ll", "src_i64", "tgt_i64");

/// A line of the table.
#[derive(Clone, Debug)]
struct Line {
    name: String,
    /// The measurements of Backedge and Alive2.
    times: Vec<[Option<Timed>; 2]>,
    total: Total,
    most: Duration,
    /// Whether only proofs for all iterations count.
    proofs: bool,
}

/// The aggregation of the times of a line.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Total {
    Median,
    Sum,
}

/// Prints the table; returns whether no row exceeds its limit.
pub(crate) fn run(args: &Args) -> Result<bool> {
    let ours = Judge::Backedge(process::backedge(args.backedge.as_deref())?);
    if let Some(alive) = &args.alive_tv {
        ensure!(alive.is_file(), "{} is no file", alive.display());
    }
    let judges = [Some(ours), args.alive_tv.clone().map(Judge::Alive)];
    let wanted = |row: Row| args.rows.is_empty() || args.rows.contains(&row);
    let mut lines = Vec::new();
    if wanted(Row::Small) {
        lines.extend(small(args, &judges)?);
    }
    let prototype = args.corpus.join("proofs").join("prototype");
    if wanted(Row::Array) {
        let (file, source, target) = ARRAY;
        let pair = Pair { file: prototype.join(file), source: source.to_owned(), target: target.to_owned() };
        let times = timed(args, &judges, &[pair], Depth::Bound(ARRAY_BOUND), 1)?;
        lines.push(Line {
            name: format!("array increment, K = {ARRAY_BOUND}"),
            times,
            total: Total::Sum,
            most: Duration::from_secs(4),
            proofs: false,
        });
    }
    if wanted(Row::Right) {
        let pairs = pairs::right(&prototype, "i64")?;
        lines.push(Line {
            name: "right pairs".to_owned(),
            times: timed(args, &judges, &pairs, Depth::Whole, 1)?,
            total: Total::Sum,
            most: Duration::from_secs(60),
            proofs: true,
        });
    }
    print!("{}", render(&lines));
    Ok(lines.iter().all(Line::holds))
}

/// The lines for loop-free pairs, tiny loops, and both together.
fn small(args: &Args, judges: &[Option<Judge>; 2]) -> Result<Vec<Line>> {
    let shaped = pairs::shaped(&args.corpus.join("pairs"))?;
    let line = |name: &str, times| Line {
        name: name.to_owned(),
        times,
        total: Total::Median,
        most: Duration::from_millis(40),
        proofs: false,
    };
    let mut lines = Vec::new();
    for (name, shape) in [("loop-free pairs", Shape::LoopFree), ("tiny loops", Shape::TinyLoop)] {
        let pairs: Vec<Pair> = shaped.iter().filter(|(_, s)| *s == shape).map(|(p, _)| p.clone()).collect();
        lines.push(line(name, timed(args, judges, &pairs, Depth::Whole, args.repeats)?));
    }
    let both = lines.iter().flat_map(|l| l.times.clone()).collect();
    lines.push(line("both", both));
    Ok(lines)
}

/// Measures each pair with each tool in succession, so that both see the same load.
fn timed(
    args: &Args,
    judges: &[Option<Judge>; 2],
    pairs: &[Pair],
    depth: Depth,
    repeats: u32,
) -> Result<Vec<[Option<Timed>; 2]>> {
    let limit = Duration::from_secs(args.timeout);
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} {msg}")?;
    let progress = ProgressBar::new(pairs.len() as u64).with_style(style);
    let mut all = Vec::new();
    for pair in pairs {
        progress.set_message(pair.to_string());
        let time =
            |judge: &Option<Judge>| judge.as_ref().map(|j| j.time(pair, depth, repeats, limit)).transpose();
        let both = [time(&judges[0])?, time(&judges[1])?];
        if args.list {
            let told = both.iter().flatten().map(|t| format!("{:>10}  {:14}", shown(t.cpu), t.verdict));
            progress.suspend(|| println!("{}  {pair}", told.collect::<Vec<_>>().join("  ")));
        }
        all.push(both);
        progress.inc(1);
    }
    progress.finish_and_clear();
    Ok(all)
}

impl Line {
    /// The aggregated time of decided pairs; `None` if there are none.
    fn total(&self, judge: usize) -> Option<Duration> {
        self.total_of(judge, |t| t.decided)
    }
    /// The aggregated time of the pairs for which `is` holds.
    fn total_of(&self, judge: usize, is: impl Fn(&Timed) -> bool) -> Option<Duration> {
        let all = self.times.iter().filter_map(|t| t[judge].as_ref());
        let mut times: Vec<Duration> = all.filter(|t| is(t)).map(|t| t.cpu).collect();
        (!times.is_empty()).then(|| match self.total {
            Total::Median => median(&mut times),
            Total::Sum => times.iter().sum(),
        })
    }
    fn count(&self, judge: usize, is: impl Fn(&Timed) -> bool) -> usize {
        self.times.iter().filter_map(|t| t[judge].as_ref()).filter(|t| is(t)).count()
    }
    fn holds(&self) -> bool {
        let proved = !self.proofs || self.count(0, |t| t.proved) == self.times.len();
        proved && self.total(0).is_some_and(|total| total <= self.most)
    }
    fn cells(&self) -> Vec<String> {
        let told = |time: Option<Duration>| time.map_or_else(|| "-".to_owned(), shown);
        vec![
            self.name.clone(),
            self.times.len().to_string(),
            match self.total {
                Total::Median => "median".to_owned(),
                Total::Sum => "sum".to_owned(),
            },
            told(self.total(0)),
            shown(self.most),
            self.count(0, |t| t.decided).to_string(),
            self.count(0, |t| t.proved).to_string(),
            told(self.total_of(0, |_| true)),
            told(self.total(1)),
            match self.total(1) {
                Some(_) => self.count(1, |t| t.decided).to_string(),
                None => "-".to_owned(),
            },
        ]
    }
}

/// The table, and the rows that exceed their limits.
fn render(lines: &[Line]) -> String {
    let header = [
        "processor time",
        "pairs",
        "",
        "decided ones",
        "at most",
        "decided",
        "proved",
        "all",
        "alive-tv",
        "answered",
    ];
    let mut table = comfy_table::Table::new();
    table.load_style(comfy_table::presets::NOTHING).set_header(header);
    for line in lines {
        let cell = |(at, text): (usize, String)| match at {
            0 | 2 => Cell::new(text),
            _ => Cell::new(text).set_alignment(CellAlignment::Right),
        };
        table.add_row(line.cells().into_iter().enumerate().map(cell));
    }
    let mut out = format!("{table}\n");
    for line in lines.iter().filter(|l| !l.holds()) {
        _ = writeln!(out, "not as demanded: {}", line.name);
    }
    out
}

/// Milliseconds below ten seconds, seconds above.
fn shown(time: Duration) -> String {
    match time.as_secs_f64() {
        seconds if seconds < 10.0 => format!("{:.1} ms", seconds * 1e3),
        seconds => format!("{seconds:.1} s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn timed(ms: u64, decided: bool, proved: bool) -> [Option<Timed>; 2] {
        [Some(Timed { cpu: Duration::from_millis(ms), verdict: String::new(), decided, proved }), None]
    }

    fn line(total: Total, proofs: bool, times: &[(u64, bool)]) -> Line {
        let timed = |&(ms, proved): &(u64, bool)| timed(ms, true, proved);
        let times = times.iter().map(timed).collect();
        Line { name: "some".to_owned(), times, total, most: Duration::from_millis(40), proofs }
    }

    #[test]
    fn rows_hold_what_is_demanded() {
        assert!(line(Total::Median, false, &[(40, false), (1, false), (900, false)]).holds());
        assert!(!line(Total::Median, false, &[(41, false), (1, false), (900, false)]).holds());
        assert!(line(Total::Sum, true, &[(20, true), (20, true)]).holds());
        assert!(!line(Total::Sum, true, &[(20, true), (21, true)]).holds());
        assert!(!line(Total::Sum, true, &[(20, true), (2, false)]).holds());
        assert!(!line(Total::Sum, false, &[]).holds());
    }

    #[test]
    fn what_is_not_decided_stands_beside() {
        let mut some = line(Total::Median, false, &[(10, false), (30, false)]);
        some.times.extend([timed(90, false, false), timed(95, false, false)]);
        assert!(some.holds());
        let text = render(&[some]);
        assert!(text.contains("20.0 ms") && text.contains("60.0 ms"), "{text}");
        let mut none = line(Total::Median, false, &[]);
        none.times.push(timed(1, false, false));
        assert!(!none.holds());
    }

    #[test]
    fn the_table_names_what_is_missed() {
        let text = render(&[line(Total::Sum, false, &[(50, true), (7, false)])]);
        assert!(text.contains("57.0 ms") && text.contains("not as demanded: some"), "{text}");
        assert_eq!(shown(Duration::from_millis(12_340)), "12.3 s");
    }
}
