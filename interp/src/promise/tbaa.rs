//! Type tags of `!tbaa`: whether two tags may alias, by LangRef ("'tbaa' Metadata"). The rules are those of LLVM's
//! `TypeBasedAliasAnalysis` for both node formats; a malformed node may alias everything.

use backedge_ir::constant::ConstPool;
use backedge_ir::entity::MdId;
use backedge_ir::metadata::MdOperand;
use backedge_ir::module::Env;

/// Limit on type-graph edges followed from one tag: a malformed graph may have cycles.
const STEPS: usize = 64;
/// Limit on fields searched for a nested type: bounds the time for one pair of accesses. Beyond it they may alias.
const FIELDS: usize = 512;

/// An access tag.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Tag {
    base: MdId,
    access: MdId,
    offset: u64,
    /// Whether the nodes have sizes (the newer format).
    sized: bool,
    /// Whether the memory never changes.
    pub(super) constant: bool,
}

fn node(operand: Option<&MdOperand>) -> Option<MdId> {
    match operand {
        Some(MdOperand::Node(id)) => Some(*id),
        Some(MdOperand::Null | MdOperand::String(_) | MdOperand::Const(_)) | None => None,
    }
}

fn number(pool: &ConstPool, operand: Option<&MdOperand>) -> Option<u64> {
    match operand {
        Some(MdOperand::Const(c)) => pool.as_int(*c)?.to_u64(),
        Some(MdOperand::Null | MdOperand::String(_) | MdOperand::Node(_)) | None => None,
    }
}

/// The type graph of a module.
#[derive(Copy, Clone, Debug)]
pub(super) struct Types<'m> {
    pub(super) env: &'m Env,
}

impl Types<'_> {
    fn operands(&self, id: MdId) -> &[MdOperand] {
        self.env.metadata.tuple(id).unwrap_or_default()
    }
    /// The tag named by an attachment.
    pub(super) fn tag(&self, id: MdId) -> Option<Tag> {
        let operands = self.operands(id);
        let Some(base) = node(operands.first()) else {
            // The oldest format: the type itself is the tag.
            return (operands.len() >= 2).then_some(Tag {
                base: id,
                access: id,
                offset: 0,
                sized: false,
                constant: number(&self.env.consts, operands.get(2)) == Some(1),
            });
        };
        let access = node(operands.get(1))?;
        let offset = number(&self.env.consts, operands.get(2))?;
        let sized = node(self.operands(access).first()).is_some();
        let immutable = operands.get(if sized { 4 } else { 3 });
        let constant = number(&self.env.consts, immutable).is_some_and(|n| n & 1 != 0);
        Some(Tag { base, access, offset, sized, constant })
    }
    fn is_sized(&self, ty: MdId) -> bool {
        let operands = self.operands(ty);
        operands.len() >= 3 && node(operands.first()).is_some()
    }
    fn parent(&self, ty: MdId) -> Option<MdId> {
        let operands = self.operands(ty);
        node(operands.get(usize::from(!self.is_sized(ty))))
    }
    fn path(&self, ty: MdId) -> Vec<MdId> {
        let mut path = vec![ty];
        while let Some(next) = path.last().and_then(|last| self.parent(*last)) {
            if path.contains(&next) || path.len() > STEPS {
                break;
            }
            path.push(next);
        }
        path
    }
    fn least_common(&self, a: MdId, b: MdId) -> Option<MdId> {
        let others = self.path(b);
        self.path(a).into_iter().find(|ty| others.contains(ty))
    }
    /// The fields of a type with their offsets.
    fn fields(&self, ty: MdId) -> Vec<(MdId, u64)> {
        let operands = self.operands(ty);
        let (first, step) = if self.is_sized(ty) { (3, 3) } else { (1, 2) };
        let of = |at: usize| {
            let offset = operands.get(at + 1).map_or(Some(0), |o| number(&self.env.consts, Some(o)))?;
            Some((node(operands.get(at))?, offset))
        };
        (first..operands.len()).step_by(step).filter_map(of).collect()
    }
    /// The field that contains `offset`, and the offset within it.
    fn field(&self, ty: MdId, offset: u64) -> Option<(MdId, u64)> {
        let fields = self.fields(ty);
        if fields.is_empty() && self.is_sized(ty) {
            return Some((self.parent(ty)?, offset));
        }
        let (field, at) = *fields.iter().rfind(|(_, at)| *at <= offset)?;
        Some((field, offset - at))
    }
    fn has_field(&self, ty: MdId, wanted: MdId) -> bool {
        let (mut work, mut seen) = (vec![ty], Vec::new());
        while let Some(ty) = work.pop() {
            for (field, _) in self.fields(ty) {
                if field == wanted {
                    return true;
                }
                if !seen.contains(&field) {
                    seen.push(field);
                    work.push(field);
                }
            }
            if seen.len() > FIELDS {
                return true;
            }
        }
        false
    }
    /// Whether accesses with these tags may touch the same bytes.
    pub(super) fn may_alias(&self, a: Tag, b: Tag) -> bool {
        if a == b {
            return true;
        }
        let Some(common) = self.least_common(a.access, b.access) else { return true };
        self.subobject(a, b, common).or_else(|| self.subobject(b, a, common)).unwrap_or(false)
    }
    /// Whether `inner` may access a part of the object of `outer`; `None` if the types do not decide.
    fn subobject(&self, outer: Tag, inner: Tag, common: MdId) -> Option<bool> {
        if outer.access == outer.base && outer.access == common {
            return Some(true);
        }
        let (mut ty, mut offset) = (outer.base, outer.offset);
        for _ in 0..STEPS {
            if ty == inner.base {
                let whole = ty == outer.access || inner.base == inner.access;
                return Some(whole || offset == inner.offset);
            }
            if outer.sized && ty == outer.access {
                break;
            }
            match self.field(ty, offset) {
                Some(next) => (ty, offset) = next,
                None => break,
            }
        }
        (outer.sized && self.has_field(ty, inner.base)).then_some(true)
    }
}
