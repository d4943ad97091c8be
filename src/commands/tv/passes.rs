//! `backedge tv FILE -passes=…`: runs this project's passes over a copy of the module, and makes a job of every change.

use super::super::optimize::{FileItems, items_of_source, parse_passes};
use super::session::{Function, Job, Task};
use crate::input::Source;
use backedge_ir::body::Body;
use backedge_ir::module::{Code, Module};
use backedge_transform::cost::Machine;
use backedge_validate::batch::{Change, Item};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The jobs, and the number of functions that ran through the pipeline.
pub(super) struct Made {
    pub(super) jobs: Vec<Job>,
    pub(super) functions: usize,
}

/// Runs the passes over `source`, and makes a job for each pass that changed a function; with `whole`, one for each
/// function that the pipeline changed.
pub(super) fn made(source: &Source, passes: &str, machine: Machine, whole: bool) -> miette::Result<Made> {
    let pipeline = parse_passes(passes, machine)?;
    let FileItems { items, functions } = items_of_source(source, &pipeline);
    let items = if whole { joined(items, passes) } else { items };
    let jobs = items.into_iter().filter_map(job);
    Ok(Made { jobs: jobs.collect(), functions })
}

/// The changes of each function as one change by all of `passes`.
fn joined(items: Vec<Item>, passes: &str) -> Vec<Item> {
    let (mut joined, mut known) = (BTreeMap::<_, Change>::new(), Vec::new());
    for item in items {
        match item {
            Item::Change(change) => match joined.get_mut(&change.func) {
                Some(first) => (first.after, first.module) = (change.after, change.module),
                None => {
                    drop(joined.insert(change.func, Change { pass: passes.to_owned(), step: 0, ..change }))
                }
            },
            item @ (Item::Rewrite(_) | Item::Known(_)) => known.push(item),
        }
    }
    joined.into_values().map(Item::Change).chain(known).collect()
}

/// The job for a change or a known record.
fn job(item: Item) -> Option<Job> {
    match item {
        Item::Change(change) => Some(of_change(change)),
        // This project's passes work in place.
        Item::Rewrite(_) => None,
        Item::Known(record) => Some(Job {
            heading: String::new(),
            pass: String::new(),
            step: 0,
            remarks: Vec::new(),
            task: Task::Known(record),
        }),
    }
}

fn of_change(change: Change) -> Job {
    let with = |body: &Body| -> Function {
        let mut module = Module::clone(&change.module);
        module.code[change.func] = Code::Body(Box::new(body.clone()));
        (Arc::new(module), change.func)
    };
    let (source, target) = (with(&change.before), with(&change.after));
    Job {
        heading: format!("@{}, {}", change.module.env.funcs[change.func].name, change.pass),
        pass: change.pass,
        step: change.step,
        remarks: change.remarks,
        task: Task::Compare { source, target },
    }
}
