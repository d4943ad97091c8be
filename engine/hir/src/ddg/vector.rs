//! Direction and distance vectors.
//!
//! For two executions of references, the sink's after the source's, and a loop around both, the *distance* is the
//! number of iterations of the loop from the source's to the sink's, and the *direction* is its sign: `<` later, `=`
//! the same iteration, `>` earlier. A [`Vector`] has one [`Component`] for each loop around both, the outermost
//! first, and represents all combinations of distances that its components allow. Executions in different entries of
//! a loop are described by the iterations of the loops around *both*; everything outside of all loops is one
//! execution of the region.

use super::solve::Interval;
use smallvec::SmallVec;
use std::fmt;

/// The possible signs of a distance.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Directions {
    /// `<`: the sink is in a later iteration.
    pub less: bool,
    /// `=`: both are in the same iteration.
    pub equal: bool,
    /// `>`: the sink is in an earlier iteration.
    pub greater: bool,
}

impl Directions {
    /// `<`
    pub const LESS: Self = Self { less: true, equal: false, greater: false };
    /// `=`
    pub const EQUAL: Self = Self { less: false, equal: true, greater: false };
    /// `>`
    pub const GREATER: Self = Self { less: false, equal: false, greater: true };
    /// `*`
    pub const ALL: Self = Self { less: true, equal: true, greater: true };

    fn or(self, other: Self) -> Self {
        Self {
            less: self.less || other.less,
            equal: self.equal || other.equal,
            greater: self.greater || other.greater,
        }
    }
    fn negated(self) -> Self {
        Self { less: self.greater, equal: self.equal, greater: self.less }
    }
    /// Whether it allows a distance.
    pub fn allows(self, distance: i128) -> bool {
        match distance.cmp(&0) {
            std::cmp::Ordering::Greater => self.less,
            std::cmp::Ordering::Equal => self.equal,
            std::cmp::Ordering::Less => self.greater,
        }
    }
}

impl fmt::Display for Directions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match (self.less, self.equal, self.greater) {
            (true, true, true) => "*",
            (true, true, false) => "<=",
            (true, false, true) => "<>",
            (true, false, false) => "<",
            (false, true, true) => ">=",
            (false, true, false) => "=",
            (false, false, true) => ">",
            (false, false, false) => "0",
        })
    }
}

/// The possible distances at one level.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Component {
    /// The directions.
    pub directions: Directions,
    /// Bounds of the distance, in iterations.
    distance: Interval,
}

impl Component {
    /// In the same iteration.
    pub const EQUAL: Self = Self { directions: Directions::EQUAL, distance: Interval::ZERO };
    /// In an earlier iteration, at any distance.
    pub(super) const EARLIER: Self =
        Self { directions: Directions::GREATER, distance: Interval { lo: None, hi: Some(-1) } };
    /// Any distance.
    pub const ALL: Self = Self { directions: Directions::ALL, distance: Interval::ALL };

    pub(super) fn new(directions: Directions, distance: Interval) -> Self {
        Self { directions, distance }
    }
    /// Later by exactly one iteration (`is_next`), or by one or more.
    pub(super) fn later(is_next: bool) -> Self {
        let distance = Interval { lo: Some(1), hi: is_next.then_some(1) };
        Self { directions: Directions::LESS, distance }
    }
    /// The distance, if it is unique.
    pub fn distance(self) -> Option<i128> {
        self.distance.as_one()
    }
    /// The least and the greatest distance, where bounded.
    pub fn bounds(self) -> (Option<i128>, Option<i128>) {
        (self.distance.lo, self.distance.hi)
    }
    /// Whether it allows a distance.
    pub fn allows(self, distance: i128) -> bool {
        self.directions.allows(distance) && Interval::new(distance, distance).is_in(self.distance)
    }
    fn or(self, other: Self) -> Self {
        Self {
            directions: self.directions.or(other.directions),
            distance: self.distance.hull(other.distance),
        }
    }
    fn negated(self) -> Self {
        Self { directions: self.directions.negated(), distance: self.distance.negated() }
    }
}

/// The possible distances at all levels together.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Vector(pub SmallVec<[Component; 4]>);

impl Vector {
    /// `=` at `equal` levels, then `rest`.
    pub(super) fn starting(equal: usize, rest: impl IntoIterator<Item = Component>) -> Self {
        Self(std::iter::repeat_n(Component::EQUAL, equal).chain(rest).collect())
    }
    /// Whether it allows these distances, one for each level.
    pub fn allows(&self, distances: &[i128]) -> bool {
        self.0.len() == distances.len() && self.0.iter().zip(distances).all(|(c, d)| c.allows(*d))
    }
    /// The vector with source and sink exchanged.
    pub(super) fn negated(&self) -> Self {
        Self(self.0.iter().map(|c| c.negated()).collect())
    }
}

/// Merges vectors that differ in one component only, which gives fewer vectors; merging distance bounds may allow
/// more distances. Exactly known distances are kept unless the directions differ.
pub(super) fn merge(vectors: &mut Vec<Vector>) {
    let (mut at, mut is_new) = (0, false);
    while at < vectors.len() {
        let may_be = |(a, b): (usize, usize)| are_mergeable(&vectors[a], &vectors[b]);
        // The merged vector may be mergeable with earlier vectors.
        let earlier = (0..at).filter(|_| is_new).map(|before| (before, at));
        let later = (at + 1..vectors.len()).map(|after| (at, after));
        match earlier.chain(later).find(|pair| may_be(*pair)) {
            Some((first, second)) => {
                let other = vectors.remove(second);
                let both = vectors[first].0.iter().zip(&other.0);
                vectors[first] = Vector(both.map(|(x, y)| x.or(*y)).collect());
                (at, is_new) = (first, true);
            }
            None => (at, is_new) = (at + 1, false),
        }
    }
}

fn are_mergeable(a: &Vector, b: &Vector) -> bool {
    let both = || a.0.iter().zip(&b.0);
    let differ = both().filter(|(x, y)| x.directions != y.directions).count();
    let is_kept = |(x, y): (&Component, &Component)| {
        x.directions != y.directions || x == y || x.distance().is_none() && y.distance().is_none()
    };
    differ <= 1 && both().all(is_kept)
}

impl fmt::Display for Vector {
    /// The directions, then the known distances: `(<, =) (1, 0)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |parts: Vec<String>| format!("({})", parts.join(", "));
        let directions = list(self.0.iter().map(|c| c.directions.to_string()).collect());
        if self.0.iter().all(|c| c.distance().is_none()) {
            return f.write_str(&directions);
        }
        let of = |c: &Component| c.distance().map_or("?".to_owned(), |d| d.to_string());
        write!(f, "{directions} {}", list(self.0.iter().map(of).collect()))
    }
}
