//! The lines by which LLVM's `opt` says what `-opt-bisect-limit` ran and left out:
//!
//! ```text
//! BISECT: running pass (12) LoopRotatePass on %for.cond in function f
//! BISECT: NOT running pass (13) licm on f
//! ```
//! LLVM 14 names classes, later ones names as in `-passes=`.

/// A pass on a function, loop or module, as LLVM tells it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Application {
    /// Its number, from 1.
    pub number: u64,
    /// Whether it ran.
    pub ran: bool,
    /// The pass.
    pub pass: String,
    /// What it ran on, as spelled.
    pub on: String,
}

impl Application {
    /// The function that it is about, if the text tells. A word alone may be the name of a loop: whether there is such a
    /// function is not known here.
    pub fn function(&self) -> Option<&str> {
        // As the legacy pass manager tells it.
        let legacy = self.on.strip_prefix("function (").and_then(|on| on.strip_suffix(')'));
        match self.on.rsplit_once(" in function ") {
            Some((_, name)) => Some(name),
            None if legacy.is_some() => legacy,
            None if self.on.contains(' ') || self.on.starts_with('[') || self.on.starts_with('(') => None,
            None => Some(&self.on),
        }
    }
}

/// What one line tells.
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

/// What all lines of a text tell, in order.
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
