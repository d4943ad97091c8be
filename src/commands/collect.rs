//! The receiver of the records that the threads of `gate` send: counts them for the progress bar, sorts them, and
//! passes them to the baseline and the outputs. After an interrupt all received records are kept, even if earlier ones
//! are missing.

use super::baseline::Acceptance;
use crate::interrupt::Interrupt;
use crate::progress::Progress;
use crate::report::outputs::Outputs;
use backedge_validate::record::Record;
use std::collections::BTreeMap;
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
    /// The outputs, which get each record in order.
    pub(crate) outputs: Outputs<'a>,
    /// The accepted findings.
    accepted: &'a Acceptance,
    progress: Option<Progress>,
}

impl<'a> Collected<'a> {
    /// An empty collection.
    pub(crate) fn new(outputs: Outputs<'a>, accepted: &'a Acceptance, progress: Progress) -> Self {
        Self {
            records: Vec::new(),
            waiting: BTreeMap::new(),
            known: Vec::new(),
            functions: 0,
            failed: None,
            outputs,
            accepted,
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

    fn keep(&mut self, mut record: Record) -> miette::Result<()> {
        self.accepted.mark(&mut record);
        let Self { outputs, progress, .. } = self;
        match progress {
            // On a terminal the lines and the bar would mix.
            Some(progress) => progress.suspend(|| outputs.record(&record))?,
            None => outputs.record(&record)?,
        }
        self.records.push(record);
        Ok(())
    }
}
