//! The counts as a table, as text and in Markdown.

use super::Column;
use super::count::Counts;
use anyhow::{Context, Result};
use comfy_table::{Cell, CellAlignment};
use std::fmt::Write as _;

/// A kernel.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) name: String,
    /// In the order of the table's columns.
    pub(crate) counts: Vec<Counts>,
}

/// All kernels.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub(crate) columns: Vec<Column>,
    pub(crate) rows: Vec<Row>,
}

/// A kind of count.
type Kind = fn(&Counts) -> u64;

/// The kinds of counts, in the order of the table.
const KINDS: [(&str, Kind); 3] =
    [("instructions", |c| c.instructions), ("branches", |c| c.branches), ("conditional", |c| c.conditional)];

/// The lines of a file that enclose the table.
const MARKS: [&str; 2] = ["<!-- kernels -->\n", "<!-- /kernels -->\n"];

impl Table {
    /// The sums of the columns.
    fn sum(&self) -> Row {
        let mut counts = vec![Counts::default(); self.columns.len()];
        for row in &self.rows {
            counts.iter_mut().zip(&row.counts).for_each(|(sum, more)| *sum += *more);
        }
        Row { name: "all kernels".to_owned(), counts }
    }
    /// The geometric mean over the kernels of the count relative to the original code, by column, in percent.
    fn means(&self, kind: Kind) -> Vec<f64> {
        let logarithms = |column: usize| {
            // Add one, because a count may become 0.
            let of = |row: &Row| (kind(&row.counts[column]) + 1) as f64 / (kind(&row.counts[0]) + 1) as f64;
            self.rows.iter().map(|row| of(row).ln()).sum::<f64>()
        };
        (0..self.columns.len()).map(|c| (logarithms(c) / self.rows.len() as f64).exp() * 100.0).collect()
    }
    /// Whether Backedge's counts do not exceed LLVM's in the sum, for each compared pair of columns and kind.
    pub(crate) fn is_no_worse(&self) -> bool {
        let sum = self.sum();
        let of = |column| self.columns.iter().position(|c| *c == column).map(|at| sum.counts[at]);
        let no_worse = |(ours, llvm, kinds)| match (of(ours), of(llvm)) {
            (Some(ours), Some(llvm)) => KINDS.iter().take(kinds).all(|(_, kind)| kind(&ours) <= kind(&llvm)),
            _ => true,
        };
        Column::RIVALS.into_iter().all(no_worse)
    }
    /// The cells of the table of one kind without the header: names, then columns.
    fn cells(&self, kind: Kind) -> Vec<Vec<String>> {
        let line = |row: &Row| {
            let counts = row.counts.iter().map(|c| kind(c).to_string());
            std::iter::once(row.name.clone()).chain(counts).collect()
        };
        let mut all: Vec<Vec<String>> = self.rows.iter().chain([&self.sum()]).map(line).collect();
        let means = self.means(kind).into_iter().map(|m| format!("{m:.0} %"));
        all.push(std::iter::once("left, on average".to_owned()).chain(means).collect());
        all
    }
    fn header(&self, name: &str) -> Vec<String> {
        std::iter::once(name.to_owned()).chain(self.columns.iter().map(|c| c.name().to_owned())).collect()
    }
    /// The table as text.
    pub(crate) fn text(&self) -> String {
        let mut out = String::new();
        for (name, kind) in KINDS {
            let mut table = comfy_table::Table::new();
            table.load_style(comfy_table::presets::NOTHING).set_header(self.header(name));
            for cells in self.cells(kind) {
                let cell = |(at, text): (usize, String)| match at {
                    0 => Cell::new(text),
                    _ => Cell::new(text).set_alignment(CellAlignment::Right),
                };
                table.add_row(cells.into_iter().enumerate().map(cell));
            }
            _ = writeln!(out, "{table}\n");
        }
        out
    }
    /// The table in Markdown.
    pub(crate) fn markdown(&self) -> String {
        let mut out = String::new();
        let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
        for (at, (name, kind)) in KINDS.into_iter().enumerate() {
            if at > 0 {
                out.push('\n');
            }
            let header = self.header(name);
            out.push_str(&line(&header));
            _ = writeln!(out, "|---|{}", "--:|".repeat(header.len() - 1));
            self.cells(kind).iter().for_each(|cells| out.push_str(&line(cells)));
        }
        out
    }
}

/// `text` with `table` between its marks.
pub(crate) fn put_into(text: &str, table: &str) -> Result<String> {
    let (head, rest) =
        text.split_once(MARKS[0]).with_context(|| format!("there is no line {}", MARKS[0].trim()))?;
    let (_, tail) =
        rest.split_once(MARKS[1]).with_context(|| format!("there is no line {}", MARKS[1].trim()))?;
    Ok(format!("{head}{}\n{table}\n{}{tail}", MARKS[0], MARKS[1]))
}

#[cfg(test)]
mod tests {
    use super::super::Model;
    use super::*;

    fn table(rows: &[(&str, [u64; 3])]) -> Table {
        let counts = |n: &u64| Counts { instructions: *n, branches: 8, conditional: 4 };
        let row = |(name, c): &(&str, [u64; 3])| Row {
            name: (*name).to_owned(),
            counts: c.iter().map(counts).collect(),
        };
        let columns = vec![Column::Before, Column::Ours(Model::Ooo, 3), Column::Llvm { runtime: false }];
        Table { columns, rows: rows.iter().map(row).collect() }
    }

    #[test]
    fn the_sum_decides() {
        assert!(table(&[("a", [100, 60, 50]), ("b", [100, 50, 60])]).is_no_worse());
        assert!(!table(&[("a", [100, 60, 50]), ("b", [100, 50, 59])]).is_no_worse());
    }

    #[test]
    fn the_table_stands_between_its_marks() {
        let table = table(&[("a", [100, 60, 50])]);
        let text = put_into("above\n<!-- kernels -->\nold\n<!-- /kernels -->\nbelow\n", &table.markdown());
        let text = text.expect("marks");
        assert!(
            text.starts_with("above\n<!-- kernels -->\n\n| instructions | before | O3 | opt |\n"),
            "{text}"
        );
        assert!(
            text.contains("|\n\n| branches | before | O3 | opt |\n|---|--:|--:|--:|\n| a | 8 | 8 | 8 |\n"),
            "{text}"
        );
        assert!(text.contains("\n| left, on average | 100 % | 60 % | 50 % |\n"), "{text}");
        assert!(text.ends_with("|\n\n<!-- /kernels -->\nbelow\n") && !text.contains("old"), "{text}");
        assert!(put_into("nothing", "table").is_err());
    }
}
