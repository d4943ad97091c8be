//! Which questions a campaign asks, and of which share of its programs: each seed decides by itself what is asked of its
//! program, so that the answer does not depend on what else was asked.

use super::program::mixed;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A question; [`crate::oracle`] says what each of them is.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Oracle {
    /// Source and target are run.
    Runs,
    /// The target is proved, by the solver.
    Proof,
    /// What scalar evolution says of the program is held against runs.
    Claims,
    /// The program reads as it is printed.
    Text,
    /// Interpreter and encoder agree.
    Encoder,
    /// The passes do not undo each other.
    Settling,
    /// Passes that promise it have nothing to do the second time; or a command has not, if one asks.
    Again,
    /// What graphs of dependences say of the program's nests is held against runs.
    Dependences,
    /// What closed forms of the program's nests say is held against runs.
    Forms,
}

impl Oracle {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Runs,
        Self::Proof,
        Self::Claims,
        Self::Text,
        Self::Encoder,
        Self::Settling,
        Self::Again,
        Self::Dependences,
        Self::Forms,
    ];
    /// The one of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|o| o.name() == name)
    }
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Runs => "runs",
            Self::Proof => "proof",
            Self::Claims => "claims",
            Self::Text => "text",
            Self::Encoder => "encoder",
            Self::Settling => "settling",
            Self::Again => "again",
            Self::Dependences => "dependences",
            Self::Forms => "forms",
        }
    }
    /// Whether it can be asked of an optimizer that is not ours.
    pub fn suits_commands(self) -> bool {
        matches!(self, Self::Runs | Self::Proof | Self::Settling | Self::Again)
    }
}

/// Questions with their shares, each in 65536ths.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Oracles(Vec<(Oracle, u32)>);

/// The whole of a share.
const ALL: u32 = 1 << 16;

impl Oracles {
    /// What is asked where nobody says what: of our passes what is cheap, of a command what suits it.
    pub fn usual(command: bool) -> Self {
        if command {
            return Self(vec![(Oracle::Runs, ALL)]);
        }
        Self(vec![
            (Oracle::Runs, ALL),
            (Oracle::Claims, ALL / 4),
            (Oracle::Text, ALL / 16),
            (Oracle::Encoder, ALL / 16),
            (Oracle::Settling, ALL / 16),
            (Oracle::Again, ALL / 16),
            (Oracle::Dependences, ALL / 16),
            (Oracle::Forms, ALL / 16),
        ])
    }
    /// Nothing is asked but what passes show by themselves.
    pub fn none() -> Self {
        Self(Vec::new())
    }
    /// Everything but proofs is asked of all programs.
    pub fn all() -> Self {
        let all = Oracle::ALL.into_iter().filter(|o| *o != Oracle::Proof);
        Self(all.map(|oracle| (oracle, ALL)).collect())
    }
    /// The same with `oracle` asked of that share of the programs, from 0 to 1.
    #[must_use]
    pub fn with(mut self, oracle: Oracle, share: f64) -> Self {
        self.0.retain(|(o, _)| *o != oracle);
        self.0.push((oracle, (share.clamp(0.0, 1.0) * f64::from(ALL)).round() as u32));
        self.0.sort_unstable();
        self
    }
    /// The share of `oracle`, from 0 to 1.
    pub fn share(&self, oracle: Oracle) -> f64 {
        self.0.iter().find(|(o, _)| *o == oracle).map_or(0.0, |(_, n)| f64::from(*n) / f64::from(ALL))
    }
    /// Whether `oracle` is asked of the program of `seed`.
    pub fn asks(&self, oracle: Oracle, seed: u64) -> bool {
        self.0.iter().any(|(o, share)| {
            *o == oracle
                && (*share >= ALL
                    || *share > 0
                        && (mixed(seed, oracle as u64 + 1) & u64::from(ALL - 1)) < u64::from(*share))
        })
    }
    /// Those that are asked of some programs.
    pub fn iter(&self) -> impl Iterator<Item = Oracle> {
        self.0.iter().filter(|(_, share)| *share > 0).map(|(oracle, _)| *oracle)
    }
}

impl FromStr for Oracles {
    type Err = String;
    /// `runs,claims=0.25`: names with shares, 1 where none is given.
    fn from_str(text: &str) -> Result<Self, String> {
        let mut all = Self(Vec::new());
        for part in text.split(',').map(str::trim).filter(|p| !p.is_empty()) {
            let (name, share) = part.split_once('=').unwrap_or((part, "1"));
            let oracle = Oracle::named(name).ok_or_else(|| {
                let names = Oracle::ALL.map(Oracle::name).join(", ");
                format!("there is no oracle {name:?}; there are {names}")
            })?;
            let share: f64 = share.parse().map_err(|_| format!("{share:?} is no number"))?;
            if !(0.0..=1.0).contains(&share) {
                return Err(format!("{share} is not between 0 and 1"));
            }
            all = all.with(oracle, share);
        }
        if all.0.is_empty() { Err("no oracle is named".to_owned()) } else { Ok(all) }
    }
}

impl fmt::Display for Oracles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (oracle, share)) in self.0.iter().enumerate() {
            let comma = if i == 0 { "" } else { "," };
            write!(f, "{comma}{}", oracle.name())?;
            if *share != ALL {
                write!(f, "={}", f64::from(*share) / f64::from(ALL))?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Oracle, Oracles};

    #[test]
    fn shares_are_kept() {
        let oracles: Oracles = "runs, claims=0.25,proof=0".parse().expect("oracles");
        assert_eq!(oracles.to_string(), "runs,proof=0,claims=0.25");
        assert_eq!(oracles.to_string().parse(), Ok(oracles.clone()));
        let asked = |oracle| (0..4_000).filter(|seed| oracles.asks(oracle, *seed)).count();
        assert_eq!((asked(Oracle::Runs), asked(Oracle::Proof), asked(Oracle::Text)), (4_000, 0, 0));
        let claims = asked(Oracle::Claims);
        assert!((850..1_150).contains(&claims), "{claims}");
        assert_eq!(oracles.iter().collect::<Vec<_>>(), [Oracle::Runs, Oracle::Claims]);
        for wrong in ["", "nonsense", "runs=2", "runs=x"] {
            assert!(wrong.parse::<Oracles>().is_err(), "{wrong}");
        }
    }
}
