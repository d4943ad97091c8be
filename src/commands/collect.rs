//! What the threads of `gate` send, taken in by the one that reports: counted for the progress bar, put in order, written
//! as JSON lines. Records that are there when an interrupt comes are kept, whichever are missing before them.

use crate::interrupt::Interrupt;
use crate::output::{self, PendingFile};
use crate::progress::Progress;
use backedge_validate::record::Record;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

/// What a thread has to say.
pub(crate) enum Event {
    /// A file has been read, and so many functions put through the pipeline.
    Read { functions: usize },
    /// How many records there will be.
    Total(usize),
    /// The record at that position.
    Record(usize, Box<Record>),
    /// All records have been sent.
    Finished,
    /// Nothing can be checked, for this reason.
    Failed(String),
}

/// Where the JSON lines go.
pub(crate) enum Lines<'a> {
    /// A file, which gets its name when it is finished.
    File(PendingFile<'a>),
    /// All at once, at the end.
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
    /// No more lines will come.
    pub(crate) fn finish(self) -> miette::Result<()> {
        match self {
            Self::File(file) => file.finish(),
            Self::Stdout(text) => output::to_stdout(&text),
        }
    }
}

/// Records as they come in, put in order and written.
pub(crate) struct Collected<'a> {
    /// In order.
    pub(crate) records: Vec<Record>,
    /// Records that came before an earlier one, by position.
    waiting: BTreeMap<usize, Record>,
    /// How many functions were put through the pipeline.
    pub(crate) functions: usize,
    /// Why the rest is missing, if nothing can be checked.
    pub(crate) failed: Option<String>,
    /// Where they are written, until that is finished.
    pub(crate) json: Option<Lines<'a>>,
    progress: Option<Progress>,
}

impl<'a> Collected<'a> {
    /// Nothing has come yet.
    pub(crate) fn new(json: Option<Lines<'a>>, progress: Progress) -> Self {
        Self {
            records: Vec::new(),
            waiting: BTreeMap::new(),
            functions: 0,
            failed: None,
            json,
            progress: Some(progress),
        }
    }

    /// Takes in what comes until all is done, or until an interrupt; says whether all is done. Then all records that
    /// came are in order, and the progress bar is gone.
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
        for (_, record) in std::mem::take(&mut self.waiting) {
            self.keep(record)?;
        }
        if let Some(progress) = self.progress.take() {
            progress.finish();
        }
        Ok(finished)
    }

    fn take(&mut self, event: Event) -> miette::Result<()> {
        match event {
            Event::Read { functions } => {
                self.functions += functions;
                self.progress.iter().for_each(Progress::file_read);
            }
            Event::Total(total) => self.progress.iter().for_each(|p| p.checking(total)),
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
