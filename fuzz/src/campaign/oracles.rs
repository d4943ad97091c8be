//! The oracles of a campaign, each with the share of programs that it examines. Each seed alone determines which
//! oracles examine its program, so results do not depend on other seeds.

use super::program::mixed;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// An oracle; see [`crate::oracle`].
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Oracle {
    /// Compares runs of source and target.
    Runs,
    /// Asks the solver to prove the target correct.
    Proof,
    /// Compares claims of scalar evolution about the source with runs.
    Claims,
    /// Checks that the printed program parses to the same program.
    Text,
    /// Checks that interpreter and encoder agree.
    Encoder,
    /// Checks that the passes do not undo each other's changes.
    Settling,
    /// Checks that a second run changes nothing: for passes that promise idempotence, or for a command on request.
    Again,
    /// Compares dependence graphs of the source's loop nests with runs.
    Dependences,
    /// Compares closed forms of the source's loop nests with runs.
    Forms,
}

impl Oracle {
    /// All oracles.
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
    /// Looks up an oracle by name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|o| o.name() == name)
    }
    /// The name of the oracle.
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
    /// Whether the oracle works with an external optimizer.
    pub fn suits_commands(self) -> bool {
        matches!(self, Self::Runs | Self::Proof | Self::Settling | Self::Again)
    }
}

/// Oracles with their shares, in units of 1/65536.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Oracles(Vec<(Oracle, u32)>);

/// A share of 100%, in units of 1/65536.
const ALL: u32 = 1 << 16;

impl Oracles {
    /// The default: runs for a command; runs and the other cheap oracles for this project's passes.
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
    /// No oracles; only failures that the passes report themselves are found.
    pub fn none() -> Self {
        Self(Vec::new())
    }
    /// All oracles except proofs, on all programs.
    pub fn all() -> Self {
        let all = Oracle::ALL.into_iter().filter(|o| *o != Oracle::Proof);
        Self(all.map(|oracle| (oracle, ALL)).collect())
    }
    /// Sets the share of `oracle`, from 0 to 1.
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
    /// Whether `oracle` examines the program of `seed`.
    pub fn asks(&self, oracle: Oracle, seed: u64) -> bool {
        self.0.iter().any(|(o, share)| {
            *o == oracle
                && (*share >= ALL
                    || *share > 0
                        && (mixed(seed, oracle as u64 + 1) & u64::from(ALL - 1)) < u64::from(*share))
        })
    }
    /// The oracles with a share above zero.
    pub fn iter(&self) -> impl Iterator<Item = Oracle> {
        self.0.iter().filter(|(_, share)| *share > 0).map(|(oracle, _)| *oracle)
    }
}

impl FromStr for Oracles {
    type Err = String;
    /// Parses `runs,claims=0.25`: names with shares; the default share is 1.
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
