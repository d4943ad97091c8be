//! Tables of small functions with their exact outcomes. An entry is the header of `@f`, its body, the arguments, and
//! the outcome in the spelling of [`super::describe`].

use super::{describe, module, run_with};
use backedge_interp::Config;
use backedge_interp::chooser::{Chooser, ReplayChooser};

/// One entry.
pub(crate) struct Case {
    pub(crate) header: &'static str,
    pub(crate) body: &'static str,
    pub(crate) args: &'static [&'static str],
    /// Answers to the chooser's questions; further ones get 0.
    pub(crate) answers: &'static [u128],
    pub(crate) expect: &'static str,
}

macro_rules! cases {
    ($($header:literal { $body:literal } $args:expr $(, [$($answer:expr),*])? => $expect:literal;)*) => {
        [$(crate::support::table::Case {
            header: $header,
            body: $body,
            args: &$args,
            answers: &[$($($answer),*)?],
            expect: $expect,
        },)*]
    };
}
pub(crate) use cases;

/// Runs the table and reports all differing entries at once.
pub(crate) fn check(prelude: &str, cases: &[Case]) {
    let mut wrong = Vec::new();
    for case in cases {
        let source = format!("{prelude}\ndefine {} {{\n{}\n}}\n", case.header, case.body);
        let module = module(&source);
        let mut chooser = ReplayChooser::new(case.answers.to_vec());
        let chooser: &mut dyn Chooser = &mut chooser;
        let got = describe(&module, "f", &run_with(&module, "f", case.args, Config::default(), chooser));
        if got != case.expect {
            wrong.push(format!("{:?}: {} gives `{got}`, not `{}`", case.args, case.body, case.expect));
        }
    }
    assert!(wrong.is_empty(), "{} of {} are wrong:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}
