//! Parses the lines in which LLVM's `opt` reports the passes that `-opt-bisect-limit` ran or skipped:
//!
//! ```text
//! BISECT: running pass (12) LoopRotatePass on %for.cond in function f
//! BISECT: NOT running pass (13) licm on f
//! ```
//! LLVM 14 prints class names; later versions print names as in `-passes=`.

/// A pass on a function, loop or module, as LLVM reports it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Application {
    /// The number of the application, from 1.
    pub number: u64,
    /// Whether the pass ran.
    pub ran: bool,
    /// The pass.
    pub pass: String,
    /// The IR unit, as spelled.
    pub on: String,
}

impl Application {
    /// The function of the IR unit, if the text names one. A single word may be the name of a loop; this code does
    /// not know whether a function of that name exists.
    pub fn function(&self) -> Option<&str> {
        // The form of the legacy pass manager.
        let legacy = self.on.strip_prefix("function (").and_then(|on| on.strip_suffix(')'));
        match self.on.rsplit_once(" in function ") {
            Some((_, name)) => Some(name),
            None if legacy.is_some() => legacy,
            None if self.on.contains(' ') || self.on.starts_with('[') || self.on.starts_with('(') => None,
            None => Some(&self.on),
        }
    }
}

/// Parses one line.
pub fn application(line: &str) -> Option<Application> {
    let rest = line.trim_end().strip_prefix("BISECT: ")?;
    let (ran, rest) = match rest.strip_prefix("NOT ") {
        Some(rest) => (false, rest),
        None => (true, rest),
    };
    let rest = rest.strip_prefix("running pass (")?;
    let (number, rest) = rest.split_once(") ")?;
    let (pass, on) = rest.split_once(" on ").unwrap_or((rest, ""));
    Some(Application { number: number.parse().ok()?, ran, pass: pass.to_owned(), on: on.to_owned() })
}

/// Parses all lines of a text, in order.
pub fn applications(text: &str) -> Vec<Application> {
    text.lines().filter_map(application).collect()
}

#[cfg(test)]
mod tests {
    use super::{application, applications};

    #[test]
    fn lines_of_several_versions_are_read() {
        let read = |line| application(line).expect(line);
        let loop_pass = read("BISECT: running pass (12) LoopRotatePass on %for.cond in function f\n");
        assert_eq!((loop_pass.number, loop_pass.ran, &*loop_pass.pass), (12, true, "LoopRotatePass"));
        assert_eq!(loop_pass.function(), Some("f"));
        let function_pass = read("BISECT: NOT running pass (3) simplifycfg on f");
        assert_eq!((function_pass.ran, function_pass.function()), (false, Some("f")));
        let legacy = read("BISECT: running pass (7) Rotate Loops on function (f)");
        assert_eq!((&*legacy.pass, legacy.function()), ("Rotate Loops", Some("f")));
        assert_eq!(read("BISECT: running pass (1) globalopt on [module]").function(), None);
        assert_eq!(read("BISECT: running pass (1) inline on (f, g)").function(), None);
        for other in ["", "BISECT: running pass", "BISECT: running pass (x) a on b", "opt: error"] {
            assert_eq!(application(other), None, "{other}");
        }
        assert_eq!(applications("a\nBISECT: running pass (1) a on b\nc").len(), 1);
    }
}
