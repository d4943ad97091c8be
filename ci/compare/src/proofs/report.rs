//! Tables of results for changed functions, and lists by reason.

use super::Source;
use crate::table::right;
use comfy_table::{Cell, Table, presets};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The results for a changed function, as columns of a table.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum End {
    /// Proved by induction over iterations, or by running both side by side.
    Proved,
    /// All paths, or all inputs, were checked.
    AllPaths,
    /// Checked up to a bound.
    Bounded,
    /// The source always has UB.
    Vacuous,
    Inconclusive,
    Refuted,
    InternalError,
    /// The optimizer crashed, hung or rejected the input.
    Optimizer,
}

const ENDS: [(End, &str); 8] = [
    (End::Proved, "proved"),
    (End::AllPaths, "all paths"),
    (End::Bounded, "bounded"),
    (End::Vacuous, "vacuous"),
    (End::Inconclusive, "inconclusive"),
    (End::Refuted, "refuted"),
    (End::InternalError, "internal error"),
    (End::Optimizer, "no result"),
];

/// The result for one function, or for a whole file (with an empty name).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct FunctionResult {
    pub(crate) function: String,
    pub(crate) tier: String,
    pub(crate) end: End,
    /// Whether it holds only for inputs without undef.
    pub(crate) assumes: bool,
    pub(crate) reason: String,
    /// The reason why there is no proof for all iterations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) unproved: Option<String>,
    pub(crate) milliseconds: u64,
}

#[derive(Clone, Default, Debug)]
struct Counts {
    ends: BTreeMap<End, usize>,
    /// Proved or all paths, under an assumption.
    assumes: usize,
}

impl Counts {
    fn add(&mut self, found: &FunctionResult) {
        *self.ends.entry(found.end).or_default() += 1;
        self.assumes += usize::from(found.assumes && found.end <= End::AllPaths);
    }
    fn of(&self, end: End) -> usize {
        self.ends.get(&end).copied().unwrap_or(0)
    }
    fn all(&self) -> usize {
        self.ends.values().sum()
    }
    /// The share of changed functions whose result holds for all iterations.
    fn share(&self) -> f64 {
        (self.of(End::Proved) + self.of(End::AllPaths)) as f64 / self.all().max(1) as f64
    }
}

/// The criterion for a table: the tiers that count, and the required share.
pub(crate) struct Asked {
    pub(crate) tiers: &'static [&'static str],
    pub(crate) share: f64,
}

/// A table as text, and whether the criterion is met.
pub(crate) struct Report {
    pub(crate) text: String,
    pub(crate) holds: bool,
}

/// The report on `done`, all of one table.
pub(crate) fn report(source: Source, done: &[&Done], asked: &Asked, explained: &Explained) -> Report {
    let mut rows: BTreeMap<(&str, &str), Counts> = BTreeMap::new();
    let mut counted = Counts::default();
    let mut lists: BTreeMap<(End, String), Vec<String>> = BTreeMap::new();
    let (mut refuted, mut open, mut unexplained) = (Vec::new(), Vec::new(), 0);
    for unit in done {
        if let Some(failure) = &unit.failure {
            open.push(format!("{}: {}: {failure}", unit.row, unit.file));
        }
        for found in &unit.functions {
            let place = format!("{} @{}", unit.file, found.function);
            rows.entry((&unit.row, &found.tier)).or_default().add(found);
            if matches!(found.end, End::Refuted | End::InternalError) {
                let why = explanation(explained, &place);
                unexplained += usize::from(why.is_none());
                let why = why.unwrap_or("NOT EXPLAINED");
                refuted.push(format!("{}: {place} ({}): {}: {why}", unit.row, found.tier, found.reason));
            }
            if !asked.tiers.contains(&&*found.tier) {
                continue;
            }
            counted.add(found);
            if matches!(found.end, End::Bounded | End::Vacuous | End::Inconclusive | End::Optimizer) {
                let reason = match &found.unproved {
                    Some(unproved) => format!("{}; {unproved}", found.reason),
                    None => found.reason.clone(),
                };
                lists
                    .entry((found.end, general(&reason)))
                    .or_default()
                    .push(format!("{}: {place}", unit.row));
            }
        }
    }
    let mut text = String::new();
    let _ = writeln!(text, "{}", table(source, &rows));
    let tiers = asked.tiers.join(" and ");
    let percent = 100.0 * counted.share();
    let _ = writeln!(
        text,
        "{}: of {} changed functions of tier {tiers} {percent:.1} % hold for all iterations ({} by proofs, {} by all \
         paths; {} of these if no input is undef); asked are {:.0} %",
        source.title(),
        counted.all(),
        counted.of(End::Proved),
        counted.of(End::AllPaths),
        counted.assumes,
        100.0 * asked.share
    );
    if let Some((median, most)) = times(done) {
        let _ = writeln!(text, "milliseconds for a function: {median} in the median, {most} in nine of ten");
    }
    section(&mut text, "refuted", &refuted);
    section(&mut text, "not judged to the end", &open);
    let mut lists: Vec<_> = lists.into_iter().collect();
    lists.sort_by_key(|((end, _), places)| (*end, std::cmp::Reverse(places.len())));
    for ((end, reason), places) in lists {
        let word = ENDS.iter().find(|(e, _)| *e == end).map_or("", |(_, word)| word);
        section(&mut text, &format!("{} {word}: {reason}", places.len()), &places);
    }
    // None of Backedge's passes may be refuted; refutations of LLVM's passes must be explained.
    let wrong = if source == Source::Ours { refuted.len() } else { unexplained };
    let holds = counted.share() >= asked.share && wrong == 0 && open.is_empty() && counted.all() > 0;
    Report { text, holds }
}

/// The median and the 90th percentile of the times for functions, in milliseconds.
fn times(done: &[&Done]) -> Option<(u64, u64)> {
    let mut all: Vec<u64> = done.iter().flat_map(|unit| &unit.functions).map(|f| f.milliseconds).collect();
    all.sort_unstable();
    let at = |part: usize| all.get(all.len() * part / 10).copied();
    at(5).zip(at(9))
}

fn explanation<'e>(explained: &'e Explained, place: &str) -> Option<&'e str> {
    explained.iter().find(|(key, _)| place.ends_with(&***key)).map(|(_, why)| &**why)
}

fn section(text: &mut String, title: &str, lines: &[String]) {
    if !lines.is_empty() {
        let _ = writeln!(text, "{title}:");
    }
    for line in lines {
        let _ = writeln!(text, "  {line}");
    }
}

/// A reason without the details of one function: names of locals, and numbers.
fn general(reason: &str) -> String {
    let mut short = String::new();
    let mut rest = reason.chars().peekable();
    while let Some(c) = rest.next() {
        let in_name = |c: &char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '$');
        match c {
            '%' => {
                short.push_str("%…");
                while rest.next_if(in_name).is_some() {}
            }
            '0'..='9' if !short.ends_with(|c: char| c.is_alphanumeric()) => {
                short.push('N');
                while rest.next_if(char::is_ascii_digit).is_some() {}
            }
            c => short.push(c),
        }
    }
    short.chars().take(200).collect()
}

fn table(source: Source, rows: &BTreeMap<(&str, &str), Counts>) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    let ends = ENDS.iter().map(|(_, word)| *word);
    table.set_header([source.title(), "tier", "changed"].into_iter().chain(ends).chain(["share"]));
    let mut sums: BTreeMap<&str, Counts> = BTreeMap::new();
    let mut line = |name: &str, tier: &str, counts: &Counts| {
        let mut cells = vec![Cell::new(name), Cell::new(tier), right(counts.all().to_string())];
        cells.extend(ENDS.iter().map(|(end, _)| right(counts.of(*end).to_string())));
        cells.push(right(format!("{:.1} %", 100.0 * counts.share())));
        table.add_row(cells);
    };
    for ((row, tier), counts) in rows {
        line(row, tier, counts);
        let sum = sums.entry(tier).or_default();
        counts.ends.iter().for_each(|(end, n)| *sum.ends.entry(*end).or_default() += n);
    }
    for (tier, counts) in &sums {
        line("all", tier, counts);
    }
    table
}

/// The result of a unit: one line of the results file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Done {
    pub(crate) table: Source,
    pub(crate) row: String,
    pub(crate) file: String,
    /// The optimizer's command or pipeline.
    pub(crate) command: String,
    /// The reason why results are missing or incomplete.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) failure: Option<String>,
    pub(crate) functions: Vec<FunctionResult>,
}

impl Done {
    /// Whether a larger budget could not change the result.
    pub(crate) fn is_decided(&self) -> bool {
        let is_open =
            |f: &FunctionResult| matches!(f.end, End::Bounded | End::Inconclusive | End::InternalError);
        self.failure.is_none() && !self.functions.iter().any(is_open)
    }
}

/// Explanations of correct refutations, by file (below the directory) and function.
pub(crate) type Explained = BTreeMap<String, String>;

#[cfg(test)]
mod tests {
    use super::*;

    fn found(function: &str, tier: &str, end: End) -> FunctionResult {
        let (function, tier, reason) = (function.to_owned(), tier.to_owned(), "why".to_owned());
        FunctionResult { function, tier, end, assumes: false, reason, unproved: None, milliseconds: 1 }
    }

    fn done(source: Source, functions: Vec<FunctionResult>) -> Done {
        let text = str::to_owned;
        let (row, file, command) = (text("row"), text("dir/a.ll"), text(""));
        Done { table: source, row, file, command, failure: None, functions }
    }

    fn holds(source: Source, functions: &[FunctionResult], explained: &Explained) -> bool {
        let asked = Asked { tiers: &["core"], share: 0.5 };
        report(source, &[&done(source, functions.to_vec())], &asked, explained).holds
    }

    #[test]
    fn the_share_is_of_the_tiers_that_count() {
        let none = Explained::new();
        let half = [found("a", "core", End::Proved), found("b", "core", End::Bounded)];
        assert!(holds(Source::Ours, &half, &none));
        let mut less = half.to_vec();
        less.push(found("c", "core", End::Vacuous));
        assert!(!holds(Source::Ours, &less, &none));
        less[2].tier = "should".to_owned();
        assert!(holds(Source::Ours, &less, &none));
        assert!(!holds(Source::Ours, &[], &none));
    }

    #[test]
    fn nothing_of_ours_is_refuted_and_of_llvms_it_is_explained() {
        let functions = [found("a", "core", End::Proved), found("b", "should", End::Refuted)];
        let explained = Explained::from([("dir/a.ll @b".to_owned(), "known".to_owned())]);
        assert!(!holds(Source::Ours, &functions, &explained));
        assert!(!holds(Source::Llvm, &functions, &Explained::new()));
        assert!(holds(Source::Llvm, &functions, &explained));
    }

    #[test]
    fn what_did_not_end_is_no_success() {
        let mut unit = done(Source::Ours, vec![found("a", "core", End::AllPaths)]);
        let asked = Asked { tiers: &["core"], share: 0.5 };
        assert!(report(Source::Ours, &[&unit], &asked, &Explained::new()).holds);
        unit.failure = Some("out of time".to_owned());
        assert!(!report(Source::Ours, &[&unit], &asked, &Explained::new()).holds);
    }

    #[test]
    fn reasons_are_put_together_without_names_and_numbers() {
        assert_eq!(
            general("no step from %loop.2 to %a in i64, 12 left"),
            "no step from %… to %… in i64, N left"
        );
    }
}
