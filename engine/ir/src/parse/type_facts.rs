//! Facts about whole types, including their members: the size of the spelling, the nesting depth, the number of scalars
//! in a value, and unmodelled members. Each fact is computed once per type from those of its members, without
//! recursion, so the cost of types with shared members is linear in their text.
//!
//! Two kinds of types are rejected: structs that contain themselves, as in LLVM, and types that nest too deep through
//! identified structs, to bound later work.

use super::cursor::{MAX_DEPTH, Parser};
use super::error::{PResult, ParseError, ParseErrorKind, unmodelled};
use super::spans::Span;
use super::tables::{Facts, Unmodelled, Written};
use crate::entity::{CompoundId, EntityId};
use crate::types::{Compound, MAX_NESTING, Type, TypeKind};
use rustc_hash::FxHashSet;

/// The maximum nesting depth of types after all definitions; literal types around them add at most [`MAX_DEPTH`].
const MAX_DEFINED_DEPTH: u32 = MAX_NESTING - MAX_DEPTH;

/// The maximum number of scalars in a value of a body, counting lanes and elements, because each is processed
/// individually.
const MAX_VALUE_SCALARS: u64 = 1 << 16;

/// The maximum number of type nodes that type aliases may expand to, per byte of the text: a chain of aliases can
/// double the size at each step.
const MAX_EXPANSION: u64 = 16;

impl Parser<'_> {
    /// Accounts for a use of an alias of `ty` at `span`. Aliases of literal types may double the size of the spelling
    /// at each level, so the total expansion is bounded by the length of the text.
    pub(crate) fn expand_type_name(&mut self, ty: Type, span: Span) -> PResult<()> {
        let Some(id) = ty.compound_id() else { return Ok(()) };
        while self.type_facts.written.len() <= id.index() {
            let next = CompoundId::from_index(self.type_facts.written.len());
            let written = self.written(next);
            self.type_facts.written.push(written);
        }
        let Written { depth, nodes } = self.type_facts.written[id.index()];
        if self.depth + depth > MAX_DEPTH {
            let kind = ParseErrorKind::TooDeep(MAX_DEPTH);
            return Err(ParseError::new(span, kind, "the type of this name nests too deep here").into());
        }
        self.type_facts.expanded = self.type_facts.expanded.saturating_add(nodes);
        if self.type_facts.expanded > MAX_EXPANSION * (self.lex.source.len() as u64 + (1 << 16)) {
            let kind = ParseErrorKind::Invalid("type aliases expand to far more than is written".into());
            return Err(ParseError::new(span, kind, "the type of this name is too large").into());
        }
        Ok(())
    }
    /// The spelling size of a type whose parts were interned before it and are known.
    fn written(&self, id: CompoundId) -> Written {
        let mut sum = Written { depth: 0, nodes: 1 };
        let mut part = |ty: Type| {
            let known = ty.compound_id().and_then(|id| self.type_facts.written.get(id.index()));
            let Written { depth, nodes } = known.copied().unwrap_or(Written { depth: 0, nodes: 1 });
            sum.depth = sum.depth.max(depth);
            sum.nodes = sum.nodes.saturating_add(nodes);
        };
        match self.env.types.get(id) {
            Compound::Array { elem, .. } | Compound::Vector { elem, .. } => part(*elem),
            Compound::Struct { fields, .. } => fields.iter().for_each(|f| part(*f)),
            Compound::Function { ret, params, .. } => {
                part(*ret);
                params.iter().for_each(|p| part(*p));
            }
            Compound::Named { .. } | Compound::Target { .. } => return sum,
        }
        sum.depth += 1;
        sum
    }

    /// Checks the nesting of identified structs after all definitions.
    pub(crate) fn check_type_nesting(&mut self) -> PResult<()> {
        let mut named: Vec<(Span, CompoundId)> = self.named_types.iter().map(|(id, n)| (n.0, *id)).collect();
        named.sort_unstable();
        for (span, id) in named {
            match self.facts_of(id) {
                Some(facts) if facts.depth <= MAX_DEFINED_DEPTH => {}
                Some(_) => {
                    let kind = ParseErrorKind::TooDeep(MAX_DEFINED_DEPTH);
                    return Err(ParseError::new(span, kind, "the members of this type nest too deep").into());
                }
                None => {
                    let kind = ParseErrorKind::Invalid("a struct that contains itself".into());
                    let error = ParseError::new(span, kind, "a value of this type would be infinitely large");
                    return Err(error.with_help("contain a 'ptr' to it").into());
                }
            }
        }
        Ok(())
    }
    /// The facts of `id`; `None` if it contains itself. Depth-first with an explicit stack.
    fn facts_of(&mut self, id: CompoundId) -> Option<Facts> {
        if let Some(facts) = self.type_facts.whole[id] {
            return Some(facts);
        }
        let mut entered = FxHashSet::from_iter([id]);
        let mut stack = vec![(id, 0)];
        while let Some((at, next)) = stack.last_mut() {
            let (at, from) = (*at, *next);
            let parts = self.member_types(at);
            let open = parts.iter().enumerate().skip(from).find_map(|(i, ty)| {
                let part = ty.compound_id().filter(|part| self.type_facts.whole[*part].is_none())?;
                Some((i, part))
            });
            if let Some((index, part)) = open {
                if !entered.insert(part) {
                    return None;
                }
                *next = index + 1;
                stack.push((part, 0));
                continue;
            }
            let facts = self.combine(at);
            self.type_facts.whole[at] = Some(facts);
            stack.pop();
        }
        self.type_facts.whole[id]
    }
    /// The types of the members of a value of type `id`.
    fn member_types(&self, id: CompoundId) -> &[Type] {
        match self.env.types.get(id) {
            Compound::Array { elem, .. } | Compound::Vector { elem, .. } => std::slice::from_ref(elem),
            Compound::Struct { .. } | Compound::Named { .. } => {
                self.env.types.struct_fields(self.env.types.handle(id)).map_or(&[], |(fields, _)| fields)
            }
            Compound::Function { .. } | Compound::Target { .. } => &[],
        }
    }
    /// The facts of a type whose members' facts are known.
    fn combine(&self, id: CompoundId) -> Facts {
        let (times, own) = match self.env.types.get(id) {
            Compound::Array { len, .. } | Compound::Vector { len, scalable: false, .. } => (*len, None),
            Compound::Vector { scalable: true, .. } => (1, Some(Unmodelled::Scalable)),
            Compound::Target { .. } => (1, Some(Unmodelled::Target(id))),
            Compound::Struct { .. } | Compound::Named { .. } | Compound::Function { .. } => (1, None),
        };
        let mut facts = Facts { depth: 0, scalars: 0, unmodelled: own };
        for &ty in self.member_types(id) {
            let part = self.known_facts(ty);
            facts.depth = facts.depth.max(part.depth);
            facts.scalars = facts.scalars.saturating_add(part.scalars);
            facts.unmodelled = facts.unmodelled.or(part.unmodelled);
        }
        facts.depth += 1;
        facts.scalars = facts.scalars.saturating_mul(times).max(1);
        facts
    }
    fn known_facts(&self, ty: Type) -> Facts {
        let unmodelled = match ty.kind() {
            TypeKind::Compound(id) => {
                let none = Facts { depth: 0, scalars: 1, unmodelled: None };
                return self.type_facts.whole[id].unwrap_or(none);
            }
            TypeKind::Token => Some(Unmodelled::Token),
            TypeKind::Int(bits) => (bits > Type::MAX_INT_BITS).then_some(Unmodelled::WideInt(bits)),
            TypeKind::Ptr(space) => {
                let wide = self.env.layout.pointer(space).bits > Type::MAX_INT_BITS;
                wide.then_some(Unmodelled::WidePointer)
            }
            TypeKind::Void | TypeKind::Label | TypeKind::Metadata | TypeKind::Float(_) => None,
        };
        Facts { depth: 0, scalars: 1, unmodelled }
    }
    /// The facts of a type in the second phase, when no struct contains itself.
    fn facts(&mut self, ty: Type) -> Facts {
        if let Some(id) = ty.compound_id() {
            self.facts_of(id);
        }
        self.known_facts(ty)
    }

    /// Checks that `ty` and its members are modelled.
    pub(crate) fn modelled_type(&mut self, span: Span, ty: Type) -> PResult<()> {
        let feature = match self.facts(ty).unmodelled {
            None => return Ok(()),
            Some(Unmodelled::Token) => "token values".to_owned(),
            Some(Unmodelled::WideInt(bits)) => format!("integers of more than 128 bits (i{bits})"),
            Some(Unmodelled::WidePointer) => "pointers of more than 128 bits".to_owned(),
            Some(Unmodelled::Scalable) => "scalable vectors".to_owned(),
            Some(Unmodelled::Target(id)) => match self.env.types.get(id) {
                Compound::Target { text } => format!("values of type {text}"),
                _ => "values of target types".to_owned(),
            },
        };
        Err(unmodelled(span, feature))
    }
    /// Checks that a body can have values of the modelled type `ty`: the number of scalars is limited, because each is
    /// processed individually.
    pub(crate) fn modelled_value(&mut self, span: Span, ty: Type) -> PResult<()> {
        if ty.compound_id().is_none() || self.facts(ty).scalars <= MAX_VALUE_SCALARS {
            return Ok(());
        }
        Err(unmodelled(span, format!("values of more than {MAX_VALUE_SCALARS} members")))
    }
}
