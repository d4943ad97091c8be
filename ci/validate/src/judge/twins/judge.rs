//! Judges twins, plain and guarded, and tabulates the outcomes.

use super::{Class, Expected, Twin, guarded};
use crate::judge::batch::check_caught;
use crate::pair::Side;
use crate::verdict::{Assumption, Options, Verdict};
use backedge_ir::module::Module;
use backedge_ir::parse::parse_module;
use std::collections::BTreeMap;
use std::fmt;

/// Comparison of a twin's verdict with the expected one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// As expected, and decided.
    Right,
    /// Undecided, or accepted with an assumption.
    Open,
    /// A different verdict, an internal error, or an unreadable module.
    Wrong,
}

impl Outcome {
    /// One-letter form for files.
    pub fn letter(&self) -> char {
        match self {
            Self::Right => 'r',
            Self::Open => 'o',
            Self::Wrong => 'w',
        }
    }
    /// Parses the one-letter form.
    pub fn of_letter(letter: &str) -> Option<Self> {
        match letter {
            "r" => Some(Self::Right),
            "o" => Some(Self::Open),
            "w" => Some(Self::Wrong),
            _ => None,
        }
    }
}

/// The verdict on one form of a twin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Form {
    /// Comparison with the expected verdict.
    pub outcome: Outcome,
    /// The verdict in words.
    pub verdict: String,
}

/// Both forms of a twin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Judged {
    /// The pair as it is.
    pub plain: Form,
    /// The guarded pair.
    pub guarded: Form,
}

/// Judges a twin in both forms.
pub fn judge(twin: &Twin, options: &Options) -> Judged {
    let read = |text: &str| parse_module(text.as_bytes()).map(|parsed| parsed.module);
    let failed = |verdict: String| Form { outcome: Outcome::Wrong, verdict };
    let (source, target) = match (read(&twin.source), read(&twin.target)) {
        (Ok(source), Ok(target)) => (source, target),
        (Err(e), _) | (_, Err(e)) => {
            let wrong = failed(format!("not read: {}", e.kind));
            return Judged { plain: wrong.clone(), guarded: wrong };
        }
    };
    let Some((plain_source, plain_target)) = side(&source).zip(side(&target)) else {
        let wrong = failed("no @f".to_owned());
        return Judged { plain: wrong.clone(), guarded: wrong };
    };
    let verdict = |source, target| check_caught(source, target, options).verdict;
    let form = |v: &Verdict| Form { outcome: outcome(twin.expected, v), verdict: v.to_string() };
    let plain = verdict(plain_source, plain_target);
    let other = guarded(plain_source, plain_target);
    let other = other.as_ref().and_then(|[source, target]| Some(verdict(side(source)?, side(target)?)));
    let Some(other) = other else {
        return Judged { plain: form(&plain), guarded: failed("no guarded form".to_owned()) };
    };
    let mut judged = Judged { plain: form(&plain), guarded: form(&other) };
    if contradict(&plain, &other) {
        judged.guarded.outcome = Outcome::Wrong;
    }
    judged
}

fn side(module: &Module) -> Option<Side<'_>> {
    Some(Side { module, func: module.env.func_named("f")? })
}

/// Whether the verdict accepts the pair without an assumption about functions. No twin is wrong only for undef inputs.
fn is_accepted(verdict: &Verdict) -> bool {
    match verdict {
        Verdict::RefinesAll { assumed, .. } | Verdict::RefinesUpTo { assumed, .. } => assumed
            .iter()
            .all(|assumption| matches!(assumption, Assumption::NoUndefInputs | Assumption::NoPoisonInputs)),
        Verdict::Vacuous { .. } => true,
        Verdict::RefutedByUndef { otherwise, .. } => is_accepted(otherwise),
        Verdict::Refuted(_) | Verdict::Inconclusive { .. } | Verdict::InternalError(_) => false,
    }
}

/// Whether the verdicts on a pair and on its guarded form contradict each other. Runs may refute a pair for which the
/// solver stops at its bound.
pub fn contradict(plain: &Verdict, guarded: &Verdict) -> bool {
    match guarded {
        Verdict::InternalError(_) => true,
        Verdict::Refuted(_) => is_accepted(plain),
        Verdict::RefutedByUndef { otherwise, .. } => contradict(plain, otherwise),
        Verdict::RefinesAll { assumed, .. } => assumed.is_empty() && matches!(plain, Verdict::Refuted(_)),
        Verdict::Vacuous { .. } => matches!(plain, Verdict::Refuted(_)),
        Verdict::RefinesUpTo { .. } | Verdict::Inconclusive { .. } => false,
    }
}

fn outcome(expected: Expected, verdict: &Verdict) -> Outcome {
    let accepted = is_accepted(verdict);
    match verdict {
        Verdict::InternalError(_) => Outcome::Wrong,
        Verdict::RefutedByUndef { otherwise, .. } => outcome(expected, otherwise),
        Verdict::Inconclusive { .. } => Outcome::Open,
        Verdict::RefinesAll { .. } | Verdict::RefinesUpTo { .. } if !accepted => Outcome::Open,
        Verdict::RefinesAll { .. }
        | Verdict::RefinesUpTo { .. }
        | Verdict::Vacuous { .. }
        | Verdict::Refuted(_) => {
            let wanted = match expected {
                Expected::Any => return Outcome::Right,
                Expected::Refines => accepted,
                Expected::Fails | Expected::NotAccepted => !accepted,
            };
            if wanted { Outcome::Right } else { Outcome::Wrong }
        }
    }
}

/// Counts of outcomes.
#[derive(Copy, Clone, Default, Debug)]
struct Counts {
    right: usize,
    open: usize,
    wrong: usize,
}

impl Counts {
    fn add(&mut self, outcome: &Outcome) {
        match outcome {
            Outcome::Right => self.right += 1,
            Outcome::Open => self.open += 1,
            Outcome::Wrong => self.wrong += 1,
        }
    }
    fn join(&mut self, other: Self) {
        self.right += other.right;
        self.open += other.open;
        self.wrong += other.wrong;
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{} / {} / {}", self.right, self.open, self.wrong))
    }
}

/// A wrong verdict.
#[derive(Clone, Debug)]
pub struct Wrong {
    /// The twin's name, the expected verdict, and the verdicts on both forms.
    pub what: String,
    /// The source's module.
    pub source: String,
    /// The target's module.
    pub target: String,
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n{}=>\n{}", self.what, self.source, self.target)
    }
}

/// Outcomes by class, plain and guarded, and the wrong ones.
#[derive(Clone, Default, Debug)]
pub struct Table {
    rows: BTreeMap<Class, [Counts; 2]>,
    /// Number of twins of which only one form is decided.
    half: usize,
    /// The wrong ones.
    pub wrong: Vec<Wrong>,
}

impl Table {
    /// Adds a twin.
    pub fn add(&mut self, twin: &Twin, judged: &Judged) {
        let Judged { plain, guarded } = judged;
        let row = self.rows.entry(twin.class).or_default();
        row[0].add(&plain.outcome);
        row[1].add(&guarded.outcome);
        self.half += usize::from((plain.outcome == Outcome::Open) != (guarded.outcome == Outcome::Open));
        if plain.outcome == Outcome::Wrong || guarded.outcome == Outcome::Wrong {
            let what = format!(
                "{}: {:?} expected; plain: {}; guarded: {}",
                twin.name, twin.expected, plain.verdict, guarded.verdict
            );
            self.wrong.push(Wrong { what, source: twin.source.clone(), target: twin.target.clone() });
        }
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut line = |place: &str, action: &str, plain: &dyn fmt::Display, guarded: &dyn fmt::Display| {
            writeln!(f, "{place:32} {action:26} {plain:>18} {guarded:>18}")
        };
        line("right / open / wrong", "", &"plain", &"guarded")?;
        let mut all = [Counts::default(); 2];
        for (class, row) in &self.rows {
            line(class.place, class.action, &row[0], &row[1])?;
            all[0].join(row[0]);
            all[1].join(row[1]);
        }
        line("all", "", &all[0], &all[1])?;
        writeln!(f, "decided in one form only: {}", self.half)
    }
}
