//! Random expression trees over the leaves and loops of one function: built through the folding constructors, and
//! evaluated without folding.

use super::definition::{self, Evaluator, Moment, World};
use backedge_analysis::LoopId;
use backedge_ir::inst::Value;
use backedge_ir::int::Int;
use backedge_scev::{Cast, Expr, Flags, NAry, ScalarEvolution};
use backedge_testkit::Dice;
use num_bigint::BigInt;
use rand::{Rng, RngExt};

/// An operation before folding.
#[derive(Clone, Debug)]
pub(crate) enum Tree {
    Constant(Int),
    Leaf(Value, u32),
    NAry(NAry, Vec<Tree>, Flags),
    Sub(Box<[Tree; 2]>),
    Not(Box<Tree>),
    UDiv(Box<[Tree; 2]>),
    URem(Box<[Tree; 2]>),
    Cast(Cast, Box<Tree>, u32),
    AddRec(LoopId, Vec<Tree>, Flags),
}

/// Flags passed to a constructor, with its operands.
#[derive(Clone, Debug)]
pub(crate) enum Given {
    NAry(NAry, Vec<Expr>, Flags),
    AddRec(LoopId, Vec<Expr>, Flags),
}

impl Given {
    /// Whether the flags hold. Vacuously true if not all operands are defined here or, for a sum or product, if an
    /// operand is poison. Flags of recurrences come from operations whose poison is UB: with a poison operand the loop
    /// does not run.
    pub(crate) fn holds(&self, at: &mut Evaluator<'_, '_>) -> bool {
        let (Self::NAry(_, operands, _) | Self::AddRec(_, operands, _)) = self;
        let in_scope = operands.iter().all(|e| at.is_in_scope(*e));
        let width = at.scev.width(operands[0]);
        let values: Option<Vec<BigInt>> = operands.iter().map(|e| at.value(*e)).collect();
        if !in_scope {
            return true;
        }
        let Some(values) = values else { return matches!(self, Self::NAry(..)) };
        match self {
            Self::NAry(op, _, flags) => definition::nary_flags_hold(*op, width, *flags, &values),
            Self::AddRec(l, _, flags) => at
                .moment
                .get(l)
                .is_none_or(|i| definition::add_rec_flags_hold(width, *flags, &values[0], &values[1], *i)),
        }
    }
}

/// A function with arguments `%a %b %c` of the narrow type and `%x %y` of the wide type, values `%u` `%v` of both types
/// inside of its inner loop, and three loops controlled by calls: `outer`, `inner` in it, and `next` after both.
pub(crate) fn function(narrow: u32, wide: u32) -> String {
    format!(
        "declare i1 @more()
declare i{narrow} @narrow()
declare i{wide} @wide()
define void @f(i{narrow} %a, i{narrow} %b, i{narrow} %c, i{wide} %x, i{wide} %y, i1 %enter) {{
entry:
  br i1 %enter, label %outer, label %behind
outer:
  br label %inner
inner:
  %u = call i{narrow} @narrow()
  %v = call i{wide} @wide()
  %again = call i1 @more()
  br i1 %again, label %inner, label %latch
latch:
  %once = call i1 @more()
  br i1 %once, label %outer, label %between
between:
  br label %next
next:
  %last = call i1 @more()
  br i1 %last, label %next, label %behind
behind:
  ret void
}}
"
    )
}

/// The building blocks of trees.
pub(crate) struct Palette {
    pub(crate) widths: [u32; 2],
    /// Values with their widths, and the loop that defines them.
    pub(crate) leaves: Vec<(Value, u32, Option<LoopId>)>,
    /// The loops, outer before inner.
    pub(crate) loops: Vec<LoopId>,
    /// One in this many operations gets flags.
    pub(crate) flagged: u32,
}

impl Palette {
    pub(crate) fn new(scev: &ScalarEvolution<'_>, narrow: u32, wide: u32) -> Self {
        let loops = scev.loops();
        let of = |name: &str| {
            let body = scev.body();
            let value = body.value_named(name).expect("a value of the function");
            let home = value.as_inst().and_then(|i| body.block_of(i)).and_then(|b| loops.innermost(b));
            (value, if ["x", "y", "v"].contains(&name) { wide } else { narrow }, home)
        };
        let leaves = ["a", "b", "c", "x", "y", "u", "v"].map(of).to_vec();
        Self { widths: [narrow, wide], leaves, loops: loops.ids().collect(), flagged: 4 }
    }
    /// A tree of this width. If `before` is given, the tree is available at the entry of that loop.
    pub(crate) fn tree(
        &self,
        scev: &ScalarEvolution<'_>,
        rng: &mut Dice,
        width: u32,
        depth: u32,
        before: Option<LoopId>,
    ) -> Tree {
        let leaf = depth == 0 || rng.random_ratio(1, 6);
        if leaf {
            return self.leaf(rng, width, before);
        }
        let sub = |rng: &mut Dice, w: u32| self.tree(scev, rng, w, depth - 1, before);
        let flags = |rng: &mut Dice| {
            let given = rng.random_ratio(1, self.flagged.max(1)) && self.flagged > 0;
            if given { Flags::new(rng.random(), rng.random()) } else { Flags::NONE }
        };
        let several = |rng: &mut Dice, most: usize| -> Vec<Tree> {
            (0..rng.random_range(2..=most)).map(|_| sub(rng, width)).collect()
        };
        match rng.random_range(0..16) {
            0..=3 => Tree::NAry(NAry::Add, several(rng, 3), flags(rng)),
            4 | 5 => Tree::NAry(NAry::Mul, several(rng, 2), flags(rng)),
            6 => Tree::Sub(Box::new([sub(rng, width), sub(rng, width)])),
            7 => Tree::UDiv(Box::new([sub(rng, width), sub(rng, width)])),
            8 => match rng.random_range(0..3) {
                0 => Tree::URem(Box::new([sub(rng, width), sub(rng, width)])),
                1 => Tree::UDiv(Box::new([sub(rng, width), Tree::Constant(constant(rng, width))])),
                _ => Tree::Not(Box::new(sub(rng, width))),
            },
            9 | 10 => {
                let ops = [NAry::UMax, NAry::SMax, NAry::UMin, NAry::SMin, NAry::UMinSeq];
                let op = ops[rng.random_range(0..ops.len())];
                Tree::NAry(op, several(rng, 3), Flags::NONE)
            }
            11 | 12 => self.cast(scev, rng, width, depth, before),
            _ => {
                let flags = flags(rng);
                let (l, operands) = match self.add_rec(scev, rng, width, depth, before) {
                    Some(parts) => parts,
                    None => return self.leaf(rng, width, before),
                };
                let flags = if operands.len() == 2 { flags } else { Flags::NONE };
                Tree::AddRec(l, operands, flags)
            }
        }
    }
    fn cast(
        &self,
        scev: &ScalarEvolution<'_>,
        rng: &mut Dice,
        width: u32,
        depth: u32,
        before: Option<LoopId>,
    ) -> Tree {
        let [narrow, wide] = self.widths;
        let (from, op) = match width {
            w if w == wide => (narrow, if rng.random() { Cast::ZExt } else { Cast::SExt }),
            _ => (wide, Cast::Trunc),
        };
        Tree::Cast(op, Box::new(self.tree(scev, rng, from, depth - 1, before)), width)
    }
    /// A loop, and operands for a recurrence of it.
    fn add_rec(
        &self,
        scev: &ScalarEvolution<'_>,
        rng: &mut Dice,
        width: u32,
        depth: u32,
        before: Option<LoopId>,
    ) -> Option<(LoopId, Vec<Tree>)> {
        let loops = scev.loops();
        // A recurrence of a loop that contains the given one, or precedes it, is available there.
        let fits = |l: &&LoopId| before.is_none_or(|b| **l != b && (loops.contains_loop(**l, b) || **l < b));
        let fitting: Vec<LoopId> = self.loops.iter().filter(fits).copied().collect();
        let l = *fitting.get(rng.random_range(0..fitting.len().max(1)))?;
        let length = if rng.random_ratio(1, 5) { 3 } else { 2 };
        let operand = |rng: &mut Dice| self.tree(scev, rng, width, depth - 1, Some(l));
        Some((l, (0..length).map(|_| operand(rng)).collect()))
    }
    fn leaf(&self, rng: &mut Dice, width: u32, before: Option<LoopId>) -> Tree {
        let of_width =
            |l: &&(Value, u32, Option<LoopId>)| l.1 == width && (before.is_none() || l.2.is_none());
        let fitting: Vec<_> = self.leaves.iter().filter(of_width).collect();
        if fitting.is_empty() || rng.random_ratio(1, 3) {
            return Tree::Constant(constant(rng, width));
        }
        let (value, width, _) = *fitting[rng.random_range(0..fitting.len())];
        Tree::Leaf(value, width)
    }
    /// An execution: values for the leaves, some of them poison if `poison`; loops entered or not.
    pub(crate) fn world(&self, scev: &ScalarEvolution<'_>, rng: &mut Dice, poison: bool) -> World {
        let mut world = World::default();
        let loops = scev.loops();
        // Either all three loops are entered, or none is.
        if rng.random_ratio(7, 8) {
            world.loops = loops.ids().map(|l| (l, rng.random_range(0..4))).collect();
        }
        for (value, width, home) in &self.leaves {
            if home.is_some_and(|l| !world.loops.contains_key(&l)) {
                continue;
            }
            let is_poison = poison && rng.random_ratio(1, 4);
            let number = BigInt::from(constant(rng, *width).bits());
            world.leaves.insert(*value, (!is_poison).then_some(number));
        }
        world
    }
}

/// A value that is often small or near a limit.
pub(crate) fn constant(rng: &mut impl Rng, width: u32) -> Int {
    let small = i128::from(rng.random_range(-5i8..=8));
    match rng.random_range(0..6) {
        0..=2 => Int::from_i128(width, small),
        3 => Int::signed_min(width).add(Int::from_i128(width, small / 2)),
        4 => Int::one(width)
            .shl(Int::new(width, u128::from(rng.random_range(0..width))))
            .unwrap_or(Int::one(width)),
        _ => Int::new(width, rng.random()),
    }
}

impl Tree {
    pub(crate) fn width(&self) -> u32 {
        match self {
            Self::Constant(value) => value.width(),
            Self::Leaf(_, width) | Self::Cast(_, _, width) => *width,
            Self::NAry(_, operands, _) | Self::AddRec(_, operands, _) => operands[0].width(),
            Self::Sub(pair) | Self::UDiv(pair) | Self::URem(pair) => pair[0].width(),
            Self::Not(inner) => inner.width(),
        }
    }
    /// Builds the tree through the folding constructors, and records the flags passed to them.
    pub(crate) fn build(&self, scev: &mut ScalarEvolution<'_>, given: &mut Vec<Given>) -> Expr {
        let mut all = |scev: &mut ScalarEvolution<'_>, trees: &[Tree]| -> Vec<Expr> {
            trees.iter().map(|t| t.build(scev, given)).collect()
        };
        match self {
            Self::Constant(value) => scev.constant(*value),
            Self::Leaf(value, _) => scev.unknown(*value),
            Self::NAry(op, operands, flags) => {
                let operands = all(scev, operands);
                if !flags.is_empty() {
                    given.push(Given::NAry(*op, operands.clone(), *flags));
                }
                match op {
                    NAry::Add => scev.add_flagged(&operands, *flags),
                    NAry::Mul => scev.mul_flagged(&operands, *flags),
                    _ => scev.min_max(*op, &operands),
                }
            }
            Self::Sub(pair) => {
                let [left, right] = [pair[0].build(scev, given), pair[1].build(scev, given)];
                scev.sub(left, right)
            }
            Self::Not(inner) => {
                let inner = inner.build(scev, given);
                scev.not(inner)
            }
            Self::UDiv(pair) => {
                let [left, right] = [pair[0].build(scev, given), pair[1].build(scev, given)];
                scev.udiv(left, right)
            }
            Self::URem(pair) => {
                let [left, right] = [pair[0].build(scev, given), pair[1].build(scev, given)];
                scev.urem(left, right)
            }
            Self::Cast(cast, inner, width) => {
                let inner = inner.build(scev, given);
                match cast {
                    Cast::Trunc => scev.trunc(inner, *width),
                    Cast::ZExt => scev.zext(inner, *width),
                    Cast::SExt => scev.sext(inner, *width),
                    Cast::PtrToInt => scev.ptr_to_int(inner),
                }
            }
            Self::AddRec(l, operands, flags) => {
                let operands = all(scev, operands);
                if !flags.is_empty() {
                    given.push(Given::AddRec(*l, operands.clone(), *flags));
                }
                scev.add_rec_flagged(*l, &operands, *flags)
            }
        }
    }
    /// The value as unsigned, if it is defined and not poison.
    pub(crate) fn value(&self, world: &World, moment: &Moment) -> Option<BigInt> {
        let width = self.width();
        let of = |t: &Tree| t.value(world, moment);
        match self {
            Self::Constant(value) => Some(BigInt::from(value.bits())),
            Self::Leaf(value, _) => world.leaves.get(value).cloned().flatten(),
            Self::NAry(op, operands, _) => {
                definition::nary(*op, width, &operands.iter().map(of).collect::<Vec<_>>())
            }
            Self::Sub(pair) => Some(definition::wrapped(&(of(&pair[0])? - of(&pair[1])?), width)),
            Self::Not(inner) => Some(definition::power(width) - 1 - of(inner)?),
            Self::UDiv(pair) => definition::udiv(of(&pair[0]), of(&pair[1])),
            Self::URem(pair) => {
                let (left, right) = (of(&pair[0])?, of(&pair[1])?);
                (right != BigInt::from(0)).then(|| left % right)
            }
            Self::Cast(cast, inner, width) => definition::cast(*cast, inner.width(), *width, of(inner)),
            Self::AddRec(l, operands, _) => {
                let values: Vec<_> = operands.iter().map(of).collect();
                moment.get(l).and_then(|i| definition::add_rec(width, &values, *i))
            }
        }
    }
    pub(crate) fn parts(&self) -> Vec<&Tree> {
        let mut all = vec![self];
        let mut at = 0;
        while at < all.len() {
            match all[at] {
                Self::Constant(_) | Self::Leaf(..) => {}
                Self::NAry(_, operands, _) | Self::AddRec(_, operands, _) => all.extend(operands),
                Self::Sub(pair) | Self::UDiv(pair) | Self::URem(pair) => all.extend(pair.iter()),
                Self::Not(inner) | Self::Cast(_, inner, _) => all.push(inner),
            }
            at += 1;
        }
        all
    }
    /// Whether all leaves are defined and all loops entered.
    pub(crate) fn is_in_scope(&self, world: &World) -> bool {
        self.parts().iter().all(|t| match t {
            Self::Leaf(value, _) => world.leaves.contains_key(value),
            Self::AddRec(l, ..) => world.loops.contains_key(l),
            _ => true,
        })
    }
}
