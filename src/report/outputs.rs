//! All outputs of a run: each has a format and a destination.

use super::format::{Format, Wanted};
use super::row::{Policy, Row};
use super::{Report, github, junit, markdown, sarif, text};
use crate::output::{self, PendingFile};
use crate::report::places::Places;
use backedge_validate::record::Record;
use std::path::{Path, PathBuf};

/// Name of the environment variable with the file for summaries of a job of GitHub Actions.
const STEP_SUMMARY: &str = "GITHUB_STEP_SUMMARY";

/// What reports contain.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Options {
    /// Which verdicts are accepted.
    pub(crate) policy: Policy,
    /// Whether the text for people leaves out accepted changes.
    pub(crate) quiet: bool,
    /// Whether proved changes are listed for people too.
    pub(crate) all: bool,
}

/// One output.
struct Sink<'a> {
    format: Format,
    /// The file, which gets its final name when it is complete; `None` for standard output.
    file: Option<PendingFile<'a>>,
}

impl Sink<'_> {
    fn write(&mut self, text: &str) -> miette::Result<()> {
        match &mut self.file {
            Some(file) => file.write(text.as_bytes()),
            None => output::styled_to_stdout(text),
        }
    }
}

/// The outputs of a run.
pub(crate) struct Outputs<'a> {
    sinks: Vec<Sink<'a>>,
    places: Places,
    options: Options,
}

impl<'a> Outputs<'a> {
    /// Opens the outputs `wanted`. Without one on standard output, a table is printed on a terminal, and lines elsewhere.
    ///
    /// # Errors
    ///
    /// If a file can't be written, would overwrite one of `inputs`, or is named twice, or if standard output would hold
    /// data and something else.
    pub(crate) fn open(wanted: &'a [Wanted], inputs: &[PathBuf], options: Options) -> miette::Result<Self> {
        let on_stdout: Vec<Format> = wanted.iter().filter(|w| w.file.is_none()).map(|w| w.format).collect();
        if let Some(data) = on_stdout.iter().find(|format| !format.is_text())
            && on_stdout.len() > 1
        {
            let name = data.name();
            miette::bail!(
                help = format!("write one of the formats to a file: --format {name}=FILE"),
                "{name} can't share standard output with another format"
            );
        }
        output::refuse_twice(wanted.iter().filter_map(|w| w.file.as_ref()).collect())?;
        let mut sinks = Vec::new();
        for Wanted { format, file } in wanted {
            if let Some(file) = file {
                output::refuse_to_overwrite(file, inputs)?;
            }
            let file = file.as_deref().map(PendingFile::create).transpose()?;
            sinks.push(Sink { format: *format, file });
        }
        if on_stdout.is_empty() {
            let format = if super::terminal::is_terminal() { Format::Table } else { Format::Lines };
            sinks.push(Sink { format, file: None });
        }
        Ok(Self { sinks, places: Places::default(), options })
    }

    /// Writes a record to the outputs that do not wait for the others.
    pub(crate) fn record(&mut self, record: &Record) -> miette::Result<()> {
        let Self { sinks, places, options } = self;
        let mut json = None;
        for sink in sinks {
            match sink.format {
                Format::Json => {
                    let line = json.get_or_insert_with(|| record.to_json() + "\n");
                    sink.write(line)?;
                }
                Format::Lines if !options.quiet => {
                    let row = Row::new(record, options.policy, places);
                    text::line(&row, options.all).map_or(Ok(()), |line| sink.write(&line))?;
                }
                Format::Table
                | Format::Lines
                | Format::Sarif
                | Format::Junit
                | Format::Github
                | Format::Markdown => {}
            }
        }
        Ok(())
    }

    /// The rows of `records`.
    pub(crate) fn rows<'r>(&mut self, records: &'r [Record]) -> Vec<Row<'r>> {
        records.iter().map(|record| Row::new(record, self.options.policy, &mut self.places)).collect()
    }

    /// Completes all outputs with `report`; `last` is the summary as JSON. A failed write does not prevent the others.
    ///
    /// # Errors
    ///
    /// The first write that failed.
    pub(crate) fn finish(self, report: &Report<'_>, last: &str) -> miette::Result<()> {
        let mut first = Ok(());
        for mut sink in self.sinks {
            let text = Self::rest(&sink, report, last, self.options.quiet);
            let done = text.and_then(|text| sink.write(&text)).and_then(|()| {
                sink.file.take().map_or(Ok(()), PendingFile::finish)?;
                if sink.format == Format::Markdown { append_step_summary(report) } else { Ok(()) }
            });
            if first.is_ok() {
                first = done;
            } else if let Err(error) = done {
                output::to_stderr(&format!("{error:?}"));
            }
        }
        first
    }

    /// What `sink` still lacks.
    fn rest(sink: &Sink<'_>, report: &Report<'_>, last: &str, quiet: bool) -> miette::Result<String> {
        Ok(match sink.format {
            Format::Json => format!("{last}\n"),
            Format::Table | Format::Lines if quiet => text::quiet(report),
            Format::Table => text::table(report, sink.file.is_none()),
            Format::Lines => text::rest(report, false),
            Format::Sarif => sarif::sarif(report)?,
            Format::Junit => junit::junit(report)?,
            Format::Github => github::annotations(report),
            Format::Markdown => markdown::summary(report),
        })
    }
}

/// Appends the summary to the file that GitHub Actions shows with the job, if there is one.
fn append_step_summary(report: &Report<'_>) -> miette::Result<()> {
    use miette::{IntoDiagnostic, WrapErr};
    use std::io::Write;
    let Some(path) = std::env::var_os(STEP_SUMMARY).filter(|path| !path.is_empty()) else { return Ok(()) };
    let path = Path::new(&path);
    let file = std::fs::OpenOptions::new().create(true).append(true).open(path);
    file.and_then(|mut file| file.write_all(markdown::summary(report).as_bytes()))
        .into_diagnostic()
        .wrap_err_with(|| format!("{}, which {STEP_SUMMARY} names, can't be written", path.display()))
}
