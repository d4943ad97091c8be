//! A worker's life: requests come in, answers go out, until nobody asks any more.

use super::protocol::{Answer, Request};
use crate::check::{Report, by_solver};
use crate::extracted::Extracted;
use crate::panics::caught;
use crate::verdict::{InternalError, Verdict};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::mpsc::{self, Sender};

/// Answers the requests of `input` on `output` until `input` ends; then the process ends at once, even in the midst of
/// a pair.
///
/// # Errors
///
/// If no thread can be started, a request can't be understood, or an answer can't be written.
pub fn serve(input: impl Read + Send + 'static, mut output: impl Write) -> io::Result<()> {
    let (sender, requests) = mpsc::channel();
    std::thread::Builder::new().name("requests".into()).spawn(move || read(input, &sender))?;
    for line in requests {
        let request: Request = serde_json::from_slice(&line)?;
        let answer = Answer::new(request.number, judge(&request));
        let mut line = serde_json::to_vec(&answer)?;
        line.push(b'\n');
        output.write_all(&line)?;
        output.flush()?;
    }
    Ok(())
}

/// Hands on the lines of `input`. Nobody is left to read an answer once it has ended.
fn read(input: impl Read, sender: &Sender<Vec<u8>>) {
    let mut input = BufReader::new(input);
    loop {
        let mut line = Vec::new();
        match input.read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => std::process::exit(0),
            Ok(_) => {}
        }
        if sender.send(line).is_err() {
            return;
        }
    }
}

fn judge(request: &Request) -> Report {
    let broken = |what: String| {
        let [source, target] = request.texts.clone();
        let functions = request.functions.clone();
        let error = InternalError { what, claimed: None, source, target, functions };
        Report { runs: request.runs, ..Report::new(Verdict::InternalError(Box::new(error))) }
    };
    let judged = caught(|| {
        let pair = Extracted::from_texts(request.texts.clone(), request.functions.each_ref().map(|n| &**n))?;
        let (source, target) = pair.sides();
        Ok(by_solver(source, target, &request.options, request.runs))
    });
    match judged {
        Ok(Ok(report)) => report,
        Ok(Err(what)) => broken(what),
        Err(panic) => broken(format!("the checker panicked: {panic}")),
    }
}
