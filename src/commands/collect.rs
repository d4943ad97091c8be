//! The receiver of the records that the threads of `gate` send: counts them for the progress bar, sorts them, and
//! writes JSON lines. After an interrupt all received records are kept, even if earlier ones are missing.

use crate::interrupt::Interrupt;
use crate::output::{self, PendingFile};
use crate::progress::Progress;
use backedge_validate::record::Record;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

/// A message of a thread.
pub(crate) enum Event {
    /// A file was read, this number of functions ran through the pipeline, and these records need no check.
    Read { functions: usize, known: Vec<Record> },
    /// The total number of records.
    Total(usize),
    /// The record at that position.
    Record(usize, Box<Record>),
    /// All records have been sent.
    Finished,
    /// Nothing can be checked, for this reason.
    Failed(String),
}

/// The destination of the JSON lines.
pub(crate) enum Lines<'a> {
    /// A file, which gets its final name when it is complete.
    File(PendingFile<'a>),
    /// Standard output, written at the end.
    Stdout(String),
}

impl<'a> Lines<'a> {
    /// The file `path`, or standard output if `path` is `-`.
    pub(crate) fn to(path: &'a Path) -> miette::Result<Self> {
        if path == Path::new("-") {
            return Ok(Self::Stdout(String::new()));
        }
        PendingFile::create(path).map(Self::File)
    }
    /// Writes one line.
    pub(crate) fn line(&mut self, json: &str) -> miette::Result<()> {
        match self {
            Self::File(file) => file.write(format!("{json}\n").as_bytes()),
            Self::Stdout(text) => {
                text.push_str(json);
                text.push('\n');
                Ok(())
            }
        }
    }
    /// Completes the output.
    pub(crate) fn finish(self) -> miette::Result<()> {
        match self {
            Self::File(file) => file.finish(),
            Self::Stdout(text) => output::to_stdout(&text),
        }
    }
}

/// Received records, sorted and written.
pub(crate) struct Collected<'a> {
    /// The records in order.
    pub(crate) records: Vec<Record>,
    /// Records received before an earlier one, by position.
    waiting: BTreeMap<usize, Record>,
    /// Records that are known before their position is; the thread sends them again with it.
    known: Vec<Record>,
    /// The number of functions that ran through the pipeline.
    pub(crate) functions: usize,
    /// Why the other records are missing, if nothing can be checked.
    pub(crate) failed: Option<String>,
    /// The destination of the JSON lines, until it is complete.
    pub(crate) json: Option<Lines<'a>>,
    progress: Option<Progress>,
}

impl<'a> Collected<'a> {
    /// An empty collection.
    pub(crate) fn new(json: Option<Lines<'a>>, progress: Progress) -> Self {
        Self {
            records: Vec::new(),
            waiting: BTreeMap::new(),
            known: Vec::new(),
            functions: 0,
            failed: None,
            json,
            progress: Some(progress),
        }
    }

    /// Receives messages until the end or an interrupt; returns whether the end was reached. Afterwards all received
    /// records are in order, and the progress bar is removed.
    pub(crate) fn collect(
        &mut self,
        receiver: &Receiver<Event>,
        interrupt: &Interrupt,
    ) -> miette::Result<bool> {
        let finished = loop {
            match receiver.recv_timeout(Duration::from_millis(100)) {
                Ok(Event::Finished) => break true,
                Ok(Event::Failed(what)) => {
                    self.failed = Some(what);
                    break false;
                }
                Ok(event) => self.take(event)?,
                Err(RecvTimeoutError::Timeout) if interrupt.asked() => break false,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break false,
            }
        };
        let waiting = std::mem::take(&mut self.waiting).into_values();
        for record in waiting.chain(std::mem::take(&mut self.known)).collect::<Vec<_>>() {
            self.keep(record)?;
        }
        if let Some(progress) = self.progress.take() {
            progress.finish();
        }
        Ok(finished)
    }

    fn take(&mut self, event: Event) -> miette::Result<()> {
        match event {
            Event::Read { functions, known } => {
                self.functions += functions;
                self.known.extend(known);
                self.progress.iter().for_each(Progress::file_read);
            }
            Event::Total(total) => {
                self.known.clear();
                self.progress.iter().for_each(|p| p.checking(total));
            }
            Event::Record(index, record) => {
                self.progress.iter_mut().for_each(|p| p.checked(&record));
                self.waiting.insert(index, *record);
                while let Some(record) = self.waiting.remove(&self.records.len()) {
                    self.keep(record)?;
                }
            }
            Event::Finished | Event::Failed(_) => {}
        }
        Ok(())
    }

    fn keep(&mut self, record: Record) -> miette::Result<()> {
        if let Some(json) = &mut self.json {
            json.line(&record.to_json())?;
        }
        self.records.push(record);
        Ok(())
    }
}
