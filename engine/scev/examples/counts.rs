//! Compares the counts of the loops of LLVM's tests with what LLVM knows of them, as `scev-baseline.tsv` has it.
//!
//! Needs `BACKEDGE_LLVM_TESTS`. Arguments: substrings of `file function loop` to look at; with one, ours is printed in
//! full. Prints each loop that LLVM knows more of, by column, and a summary.

use backedge_analysis::Analyses;
use backedge_ir::parse::parse_module;
use backedge_scev::ScalarEvolution;
use backedge_scev::expr::ExprPrinter;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// What is compared: how often both know, only LLVM, only we.
#[derive(Default)]
struct Tally(BTreeMap<&'static str, [usize; 3]>);

impl Tally {
    fn add(&mut self, column: &'static str, theirs: bool, ours: bool) -> bool {
        let counts = self.0.entry(column).or_default();
        match (theirs, ours) {
            (true, true) => counts[0] += 1,
            (true, false) => counts[1] += 1,
            (false, true) => counts[2] += 1,
            (false, false) => {}
        }
        theirs && !ours
    }
}

/// The counts of one loop as text.
struct Ours {
    exact: Option<String>,
    constant_max: Option<String>,
    symbolic_max: Option<String>,
    trip_multiple: String,
    exits_exact: usize,
    exits: Vec<String>,
}

fn main() {
    let Some(dir) = std::env::var_os("BACKEDGE_LLVM_TESTS").map(PathBuf::from) else {
        eprintln!("skipped: BACKEDGE_LLVM_TESTS is not set");
        return;
    };
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let table = std::fs::read_to_string(dir.join("scev-baseline.tsv")).expect("the baseline");
    let mut by_file: BTreeMap<&str, Vec<Vec<&str>>> = BTreeMap::new();
    for line in table.lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        let key = columns[..3].join(" ");
        if wanted.is_empty() || wanted.iter().any(|w| key.contains(w)) {
            by_file.entry(columns[0]).or_default().push(columns);
        }
    }
    let mut tally = Tally::default();
    for (file, rows) in by_file {
        let source = std::fs::read(dir.join(file)).expect("a test");
        let Ok(parsed) = parse_module(&source) else {
            println!("not read: {file}");
            continue;
        };
        let module = parsed.module;
        let mut of_function: BTreeMap<&str, Vec<&Vec<&str>>> = BTreeMap::new();
        rows.iter().for_each(|row| of_function.entry(row[1]).or_default().push(row));
        for (name, rows) in of_function {
            let body = module.env.func_named(name).and_then(|f| Some((f, module.body(f)?)));
            let Some((func, body)) = body else {
                println!("no body: {file} {name}");
                continue;
            };
            let analyses = Analyses::of(func);
            let mut scev = ScalarEvolution::new(analyses.at(&module.env, body));
            let ours = count_all(&mut scev);
            for row in rows {
                match ours.get(row[2]) {
                    Some(ours) => compare(&mut tally, row, ours, !wanted.is_empty()),
                    None => println!("no loop: {}", row[..3].join(" ")),
                }
            }
        }
    }
    println!("{:16}{:>8}{:>8}{:>8}", "", "both", "LLVM", "ours");
    for (column, [both, theirs, ours]) in tally.0 {
        println!("{column:16}{both:8}{theirs:8}{ours:8}");
    }
}

fn count_all(scev: &mut ScalarEvolution<'_>) -> BTreeMap<String, Ours> {
    let loops = scev.loops();
    let body = scev.body();
    let slots = body.slots();
    let printer = ExprPrinter::new(scev);
    let mut all = BTreeMap::new();
    for l in loops.ids().rev() {
        scev.counts(l);
    }
    for l in loops.ids() {
        let counts = scev.counts(l);
        let text = |e| (!scev.is_could_not_compute(e)).then(|| printer.text(scev, e));
        let exits = counts.exits.iter().map(|(block, exit)| {
            let exact = text(exit.exact).unwrap_or_else(|| if exit.never { "never" } else { "?" }.into());
            format!("%{}: {exact}", slots.block_label(body, *block))
        });
        let ours = Ours {
            exact: text(counts.exact),
            constant_max: scev.as_constant(counts.constant_max).map(|c| format!("i{} {c}", c.width())),
            symbolic_max: text(counts.symbolic_max),
            trip_multiple: counts.trip_multiple.bits().to_string(),
            exits_exact: counts.exits.iter().filter(|(_, e)| !scev.is_could_not_compute(e.exact)).count(),
            exits: exits.collect(),
        };
        all.insert(format!("%{}", slots.block_label(body, scev.header(l))), ours);
    }
    all
}

fn compare(tally: &mut Tally, row: &[&str], ours: &Ours, verbose: bool) {
    let key = row[..3].join(" ");
    if verbose {
        println!("{key}: {}", row[3..].join(" | "));
        println!(
            "  ours: {:?} max {:?} symbolic {:?} multiple {}",
            ours.exact, ours.constant_max, ours.symbolic_max, ours.trip_multiple
        );
        ours.exits.iter().for_each(|e| println!("    {e}"));
    }
    if tally.add("exact", row[3] == "yes", ours.exact.is_some()) {
        println!("exact: {key}: {}", row[7]);
    }
    let known = |text: &str| text.starts_with('i');
    if tally.add("constant max", known(row[5]), ours.constant_max.is_some()) {
        println!("constant max: {key}: {}", row[5]);
    }
    let number = |text: &str| text.split(' ').nth(1).and_then(|n| n.parse::<i128>().ok());
    if let (Some(theirs), Some(text)) = (number(row[5]), &ours.constant_max) {
        let bits =
            |text: &str| text[1..].split(' ').next().and_then(|w| w.parse::<u32>().ok()).unwrap_or(128);
        let unsigned = |n: i128, w: u32| if n < 0 { n as u128 & (u128::MAX >> (128 - w)) } else { n as u128 };
        let theirs = unsigned(theirs, bits(row[5]));
        let ours = unsigned(number(text).unwrap_or(0), bits(text));
        let column = if theirs == ours { "max equal" } else { "max differs" };
        tally.add(column, theirs <= ours, ours <= theirs);
        if ours > theirs {
            println!("looser max: {key}: {} and {text}", row[5]);
        }
    }
    if tally.add("symbolic max", row[7] != "none", ours.symbolic_max.is_some()) {
        println!("symbolic max: {key}: {}", row[7]);
    }
    let theirs: usize = row[12].parse().unwrap_or(0);
    for i in 0..theirs.max(ours.exits_exact) {
        tally.add("exits", i < theirs, i < ours.exits_exact);
    }
    let multiple: u128 = row[9].parse().unwrap_or(1);
    let own: u128 = ours.trip_multiple.parse().unwrap_or(1);
    if tally.add("multiple", multiple > 1, multiple > 1 && own % multiple == 0) {
        println!("multiple: {key}: {} and {own}", row[9]);
    }
}
