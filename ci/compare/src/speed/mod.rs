//! How long pairs of functions take, as time of processors: `backedge tv` as whole processes with its workers, and, where
//! a path to one is given, `alive-tv` on the same pairs.
//!
//! | row | pairs | what is told | at most |
//! |---|---|---|---|
//! | loop-free pairs, tiny loops, both | of the corpus' folder `pairs`, right and wrong | the median over those that are decided | 40 ms |
//! | array increment, K = 16 | one of `proofs/prototype`: the bounded check alone | its time | 4 s |
//! | right pairs | those of `proofs/prototype`, at 64 bits | the sum, and how many are proved | 60 s |
//!
//! Many pairs of the folder are there because no engine may decide them: what all of them take, those included, stands
//! beside. Processes run one after another. Of small pairs the median of several runs counts. The time of processors depends
//! less on what else the machine does than the clock's, but it does.

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

/// Print how much processor time pairs of the corpus take, against what is demanded and beside Alive2
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
    /// How often each small pair is judged; the others are once
    #[arg(long, default_value_t = 5, value_name = "N")]
    repeats: u32,
    /// Seconds for one pair
    #[arg(long, default_value_t = 600, value_name = "SECONDS")]
    timeout: u64,
    /// List all pairs
    #[arg(long)]
    list: bool,
    /// Our command; by default the one beside this program
    #[arg(long, value_name = "COMMAND")]
    backedge: Option<PathBuf>,
}

/// Pairs that are measured together.
#[derive(Copy, Clone, PartialEq, Eq, Debug, clap::ValueEnum)]
enum Row {
    /// Pairs without loops, and with tiny ones
    Small,
    /// The bounded check of a loop that increments the elements of an array
    Array,
    /// The right pairs of the prototype
    Right,
}

/// What the loop over an array is checked up to.
const ARRAY_BOUND: u32 = 16;
const ARRAY: (&str, &str, &str) = ("mem-unroll2.ll", "src_i64", "tgt_i64");

/// A line of the table.
#[derive(Clone, Debug)]
struct Line {
    name: String,
    /// Ours and Alive2's.
    times: Vec<[Option<Timed>; 2]>,
    total: Total,
    most: Duration,
    /// Whether only proofs for all iterations count.
    proofs: bool,
}

/// What becomes of the times of a line.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Total {
    Median,
    Sum,
}

/// Prints the table; whether no row takes longer than it may.
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

/// Loop-free pairs, tiny loops, and both together.
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

/// Each pair by each judge, one after another so that both meet the same load.
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
    /// What the pairs that are decided took together; `None` if there are none.
    fn total(&self, judge: usize) -> Option<Duration> {
        self.total_of(judge, |t| t.decided)
    }
    /// What the pairs took together of which `is` is so.
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

/// The table, and the rows that take longer than they may.
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
