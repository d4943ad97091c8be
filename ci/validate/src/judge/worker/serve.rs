//! Main loop of a worker: reads requests and writes answers until its input ends.

use super::protocol::{Answer, Numbered, Request};
use crate::judge::panics::caught;
use crate::judge::portfolio::stage_named;
use crate::pair::Sides;
use crate::pair::extracted::Extracted;
use crate::verdict::{InternalError, Verdict};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::mpsc::{self, Sender};

/// Answers the requests of `input` on `output` until `input` ends; then the process exits at once, even while working
/// on a pair.
///
/// # Errors
///
/// If no thread can be started, a request is malformed, or an answer cannot be written.
pub fn serve(input: impl Read + Send + 'static, output: impl Write) -> io::Result<()> {
    serve_with(input, output, |request: Request| judge(&request), || ())
}

/// Like [`serve`] for requests of any kind, which `work` answers. `ended` is called before the process exits.
///
/// # Errors
///
/// If no thread can be started, a request is malformed, or an answer cannot be written.
pub fn serve_with<Q: DeserializeOwned, A: Serialize>(
    input: impl Read + Send + 'static,
    mut output: impl Write,
    mut work: impl FnMut(Q) -> A,
    ended: impl FnOnce() + Send + 'static,
) -> io::Result<()> {
    let (sender, requests) = mpsc::channel();
    let reader = move || {
        if read(input, &sender) {
            ended();
            std::process::exit(0);
        }
    };
    std::thread::Builder::new().name("requests".into()).spawn(reader)?;
    for line in requests {
        let request: Numbered<Q> = serde_json::from_slice(&line)?;
        let answer = Numbered { number: request.number, what: work(request.what) };
        let mut line = serde_json::to_vec(&answer)?;
        line.push(b'\n');
        output.write_all(&line)?;
        output.flush()?;
    }
    Ok(())
}

/// Forwards the lines of `input`. Returns true when `input` ends (no reader is left for an answer), and false when the
/// receiver is gone.
fn read(input: impl Read, sender: &Sender<Vec<u8>>) -> bool {
    let mut input = BufReader::new(input);
    loop {
        let mut line = Vec::new();
        match input.read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return true,
            Ok(_) => {}
        }
        if sender.send(line).is_err() {
            return false;
        }
    }
}

fn judge(request: &Request) -> Answer {
    let broken = |what: String| {
        let [source, target] = request.texts.clone();
        let functions = request.functions.clone();
        let error = InternalError { what, claimed: None, source, target, functions };
        Answer::Failed(Verdict::InternalError(Box::new(error)))
    };
    let Some(stage) = stage_named(&request.stage) else {
        return broken(format!("no stage is called {}", request.stage));
    };
    let answered = caught(|| {
        let pair = Extracted::from_texts(request.texts.clone(), request.functions.each_ref().map(|n| &**n))?;
        let Sides { source, target } = pair.sides();
        Ok(stage.answer(Sides { source, target }, &request.earlier, &request.options))
    });
    match answered {
        Ok(Ok(answer)) => Answer::Told(answer),
        Ok(Err(what)) => broken(what),
        Err(panic) => broken(format!("the checker panicked: {panic}")),
    }
}
