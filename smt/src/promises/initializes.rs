//! `initializes((lo, hi), …)`: the bytes of a parameter's memory that are written before they are read and before the
//! function returns (LangRef, "Parameter Attributes"). Computed by a forward data flow over sets of bytes, once for
//! bytes written on every path and once for bytes written on some path.

use super::breach::{Breach, Effect};
use super::called::Calls;
use super::pointers::{Touch, What};
use backedge_ir::body::Body;
use backedge_ir::cfg::Cfg;
use backedge_ir::entity::{Arg, Block, Inst};
use backedge_ir::inst::InstKind;
use backedge_ir::intrinsic::Intrinsic;
use rustc_hash::FxHashMap;

/// Maximum number of tracked bytes of a parameter: each is a bit of the analysis. Longer ranges are not tracked.
const MOST_BYTES: i64 = 1024;

/// The breaches of the attribute with text `text`; `None` if the attribute is not tracked.
pub(super) fn breaches(
    body: &Body,
    calls: &Calls<'_>,
    arg: Arg,
    text: &str,
    touches: &[Touch],
) -> Option<Vec<Breach>> {
    let bytes = bytes(text)?;
    let mut by_inst: FxHashMap<Inst, Vec<Touch>> = FxHashMap::default();
    for touch in touches {
        by_inst.entry(touch.inst).or_default().push(*touch);
    }
    let flow = Flow { body, calls, arg, bytes, by_inst };
    Some(flow.breaches())
}

/// The offsets in the ranges.
fn bytes(text: &str) -> Option<Vec<i64>> {
    let inside = text.strip_prefix("initializes(")?.strip_suffix(')')?;
    let mut bytes = Vec::new();
    for range in inside.split(')').map(|part| part.trim_matches([',', ' ', '('])).filter(|p| !p.is_empty()) {
        let (low, high) = range.split_once(',')?;
        let (low, high): (i64, i64) = (low.trim().parse().ok()?, high.trim().parse().ok()?);
        if high.checked_sub(low)? > MOST_BYTES - bytes.len() as i64 {
            return None;
        }
        bytes.extend(low..high);
    }
    Some(bytes)
}

struct Flow<'a, 'm> {
    body: &'a Body,
    calls: &'a Calls<'m>,
    arg: Arg,
    bytes: Vec<i64>,
    by_inst: FxHashMap<Inst, Vec<Touch>>,
}

/// The bytes written on every path, and on some path.
#[derive(Clone, PartialEq, Eq)]
struct State {
    always: Vec<bool>,
    maybe: Vec<bool>,
}

impl Flow<'_, '_> {
    fn breaches(&self) -> Vec<Breach> {
        let cfg = Cfg::new(self.body);
        let n = self.bytes.len();
        let mut at_start: FxHashMap<Block, State> = FxHashMap::default();
        let Some(entry) = self.body.entry() else { return Vec::new() };
        at_start.insert(entry, State { always: vec![false; n], maybe: vec![false; n] });
        let mut changed = true;
        while changed {
            changed = false;
            for &block in cfg.rpo() {
                let Some(mut state) = at_start.get(&block).cloned() else { continue };
                self.walk(block, &mut state, &mut Vec::new());
                for &to in cfg.succs(block) {
                    let old = at_start.get(&to);
                    let new = old.map_or_else(|| state.clone(), |old| old.join(&state));
                    if old != Some(&new) {
                        at_start.insert(to, new);
                        changed = true;
                    }
                }
            }
        }
        let mut breaches = Vec::new();
        for &block in cfg.rpo() {
            if let Some(mut state) = at_start.remove(&block) {
                self.walk(block, &mut state, &mut breaches);
            }
        }
        breaches
    }
    fn walk(&self, block: Block, state: &mut State, breaches: &mut Vec<Breach>) {
        for &inst in self.body.insts(block).iter().filter(|i| self.calls.live.contains(**i)) {
            // A copy reads before it writes.
            for touch in self.by_inst.get(&inst).into_iter().flatten() {
                breaches.extend(self.breach(touch, state));
            }
            for touch in self.by_inst.get(&inst).into_iter().flatten() {
                match touch.what {
                    What::Write => self.write(touch, state),
                    What::Special(_) | What::Stored | What::Pass(_) | What::Lost => state.maybe.fill(true),
                    What::Read | What::Compare { .. } | What::Return => {}
                }
            }
            if matches!(self.body.inst(inst).kind, InstKind::Ret) {
                breaches.extend(self.at_return(inst, state));
            }
        }
    }
    fn at_return(&self, inst: Inst, state: &State) -> Vec<Breach> {
        let bytes = self.bytes.iter().zip(state.always.iter().zip(&state.maybe));
        let open = bytes.filter(|(_, (always, _))| !**always);
        open.map(|(at, (_, maybe))| {
            let forgets = Effect::Forgets { arg: self.arg, at: *at, len: 1 };
            Breach { inst, sure: (!maybe).then_some(forgets), at_most: forgets }
        })
        .collect()
    }
    fn breach(&self, touch: &Touch, state: &State) -> Option<Breach> {
        let all = |of: &[bool]| of.iter().all(|written| *written);
        match touch.what {
            What::Compare { .. } | What::Return => None,
            What::Write => None,
            What::Read => {
                let covered = self.covered(touch);
                let bytes = || {
                    self.bytes
                        .iter()
                        .enumerate()
                        .filter(|(_, at)| covered.is_none_or(|(lo, hi)| (lo..hi).contains(at)))
                };
                if bytes().all(|(i, _)| state.always[i]) {
                    return None;
                }
                let is_load =
                    self.calls.is_load(touch.inst) && self.body.inst(touch.inst).ty.compound_id().is_none();
                let is_new =
                    touch.exact && covered.is_some() && is_load && bytes().any(|(i, _)| !state.maybe[i]);
                Some(Breach {
                    inst: touch.inst,
                    sure: is_new.then_some(Effect::Poison),
                    at_most: if is_load { Effect::Poison } else { Effect::Undefined },
                })
            }
            What::Special(_) | What::Stored | What::Pass(_) | What::Lost => {
                (!all(&state.always)).then(|| Breach::possible(touch.inst))
            }
        }
    }
    fn write(&self, touch: &Touch, state: &mut State) {
        let covered = self.covered(touch);
        for (i, at) in self.bytes.iter().enumerate() {
            match covered {
                Some((lo, hi)) if (lo..hi).contains(at) => {
                    state.maybe[i] = true;
                    state.always[i] |= touch.exact;
                }
                Some(_) if touch.exact => {}
                Some(_) | None => state.maybe[i] = true,
            }
        }
    }
    /// The bytes of an access, as offsets from the parameter.
    fn covered(&self, touch: &Touch) -> Option<(i64, i64)> {
        let env = self.calls.env;
        let data = self.body.inst(touch.inst);
        let size = |ty| env.layout.store_bytes(&env.types, ty);
        let len = match &data.kind {
            InstKind::Load(_) => size(data.ty)?,
            InstKind::Store(_) => size(self.body.ty(data.operands[0]))?,
            InstKind::Call(_) => match self.calls.of(touch.inst)?.intrinsic? {
                Intrinsic::Memset | Intrinsic::Memcpy | Intrinsic::Memmove => {
                    self.body.as_int(data.operands[2])?.to_u64()?
                }
                _ => return None,
            },
            _ => return None,
        };
        let at = touch.offset?;
        Some((at, at.checked_add(i64::try_from(len).ok()?)?))
    }
}

impl State {
    fn join(&self, other: &Self) -> Self {
        let pairs = |a: &[bool], b: &[bool], both: fn(bool, bool) -> bool| -> Vec<bool> {
            a.iter().zip(b).map(|(x, y)| both(*x, *y)).collect()
        };
        Self {
            always: pairs(&self.always, &other.always, |x, y| x && y),
            maybe: pairs(&self.maybe, &other.maybe, |x, y| x || y),
        }
    }
}
