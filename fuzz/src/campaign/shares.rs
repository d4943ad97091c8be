//! The shares of programs that the oracles of a campaign examine. Each seed alone determines which oracles examine its
//! program, so results do not depend on other seeds.

use super::program::mixed;
use crate::oracles::OracleId;
use std::fmt;
use std::str::FromStr;

/// Oracles with their shares of programs, in units of 1/65536.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shares(Vec<(OracleId, u32)>);

/// A share of 100%, in units of 1/65536.
const ALL: u32 = 1 << 16;

impl Shares {
    /// The default: runs for a command; each oracle's own share for this project's passes.
    pub fn usual(command: bool) -> Self {
        if command {
            return Self(vec![(OracleId::Runs, ALL)]);
        }
        Self::none().with_all(|oracle| oracle.oracle().share())
    }
    /// No oracles; only failures that the passes report themselves are found.
    pub fn none() -> Self {
        Self(Vec::new())
    }
    /// All oracles that campaigns ask by default, on all programs.
    pub fn all() -> Self {
        Self::none().with_all(|oracle| if oracle.oracle().share() > 0.0 { 1.0 } else { 0.0 })
    }
    /// Adds the oracles whose share is not zero.
    fn with_all(self, share: impl Fn(OracleId) -> f64) -> Self {
        let shares = OracleId::ALL.iter().map(|oracle| (*oracle, share(*oracle)));
        shares.filter(|(_, share)| *share > 0.0).fold(self, |all, (oracle, share)| all.with(oracle, share))
    }
    /// Sets the share of `oracle`, from 0 to 1.
    #[must_use]
    pub fn with(mut self, oracle: OracleId, share: f64) -> Self {
        self.0.retain(|(o, _)| *o != oracle);
        self.0.push((oracle, (share.clamp(0.0, 1.0) * f64::from(ALL)).round() as u32));
        self.0.sort_unstable();
        self
    }
    /// The share of `oracle`, from 0 to 1.
    pub fn share(&self, oracle: OracleId) -> f64 {
        self.0.iter().find(|(o, _)| *o == oracle).map_or(0.0, |(_, n)| f64::from(*n) / f64::from(ALL))
    }
    /// Whether `oracle` examines the program of `seed`.
    pub fn asks(&self, oracle: OracleId, seed: u64) -> bool {
        self.0.iter().any(|(o, share)| {
            *o == oracle
                && (*share >= ALL
                    || *share > 0
                        && (mixed(seed, oracle as u64 + 1) & u64::from(ALL - 1)) < u64::from(*share))
        })
    }
    /// The oracles with a share above zero.
    pub fn iter(&self) -> impl Iterator<Item = OracleId> {
        self.0.iter().filter(|(_, share)| *share > 0).map(|(oracle, _)| *oracle)
    }
}

impl FromStr for Shares {
    type Err = String;
    /// Parses `runs,claims=0.25`: names with shares; the default share is 1.
    fn from_str(text: &str) -> Result<Self, String> {
        let mut all = Self(Vec::new());
        for part in text.split(',').map(str::trim).filter(|p| !p.is_empty()) {
            let (name, share) = part.split_once('=').unwrap_or((part, "1"));
            let oracle = OracleId::named(name)
                .ok_or_else(|| format!("there is no oracle {name:?}; there are {}", OracleId::names()))?;
            let share: f64 = share.parse().map_err(|_| format!("{share:?} is no number"))?;
            if !(0.0..=1.0).contains(&share) {
                return Err(format!("{share} is not between 0 and 1"));
            }
            all = all.with(oracle, share);
        }
        if all.0.is_empty() { Err("no oracle is named".to_owned()) } else { Ok(all) }
    }
}

impl fmt::Display for Shares {
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
    use super::Shares;
    use crate::oracles::OracleId;

    #[test]
    fn shares_are_kept() {
        let shares: Shares = "runs, claims=0.25,proof=0".parse().expect("oracles");
        assert_eq!(shares.to_string(), "runs,proof=0,claims=0.25");
        assert_eq!(shares.to_string().parse(), Ok(shares.clone()));
        let asked = |oracle| (0..4_000).filter(|seed| shares.asks(oracle, *seed)).count();
        assert_eq!((asked(OracleId::Runs), asked(OracleId::Proof), asked(OracleId::Text)), (4_000, 0, 0));
        let claims = asked(OracleId::Claims);
        assert!((850..1_150).contains(&claims), "{claims}");
        assert_eq!(shares.iter().collect::<Vec<_>>(), [OracleId::Runs, OracleId::Claims]);
        for wrong in ["", "nonsense", "runs=2", "runs=x"] {
            assert!(wrong.parse::<Shares>().is_err(), "{wrong}");
        }
    }
}
