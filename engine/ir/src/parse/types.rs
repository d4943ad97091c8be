//! Parses types. Identified structs may be mentioned before their definition. Any type that LLVM can name is accepted;
//! unmodelled types are detected when a body uses them ([`Parser::modelled_type`]).

use super::cursor::Parser;
use super::error::{PResult, ParseError, ParseErrorKind, invalid};
use super::lexer::Tok;
use super::names;
use super::spans::Span;
use crate::types::{Compound, FloatKind, StructBody, Type, TypeKind};

impl<'s> Parser<'s> {
    /// Parses a type that is neither a function type nor void.
    pub(crate) fn value_type(&mut self) -> PResult<Type> {
        let span = self.span;
        let ty = self.ty()?;
        if !self.is_first_class(ty) {
            return Err(self.bad_type(self.since(span), "a type that a value can have is wanted", ty));
        }
        Ok(ty)
    }
    /// Parses a value type whose values are modelled.
    pub(crate) fn body_type(&mut self) -> PResult<Type> {
        let span = self.span;
        let ty = self.value_type()?;
        self.modelled_type(self.since(span), ty)?;
        Ok(ty)
    }
    /// Parses a sized type whose values are modelled.
    pub(crate) fn memory_type(&mut self) -> PResult<Type> {
        let span = self.span;
        let ty = self.body_type()?;
        if !self.is_sized(ty) {
            return Err(self.bad_type(self.since(span), "a type with a size is wanted", ty));
        }
        Ok(ty)
    }

    /// Parses any type.
    pub(crate) fn ty(&mut self) -> PResult<Type> {
        let start = self.span;
        let mut ty = match self.tok {
            Tok::Word(word) => self.word_type(word)?,
            Tok::LocalName(name) => {
                let name = names::canonical_numbered(name);
                self.named_type(&name)?
            }
            Tok::LocalId(id) => self.named_type(&id.to_string())?,
            Tok::Punct(b'[') => self.nested(Self::array_type)?,
            Tok::Punct(b'{') => {
                let fields = self.nested(Self::struct_fields)?;
                self.env.types.structure(&fields, false)
            }
            Tok::Punct(b'<') => self.nested(Self::angle_type)?,
            _ => return Err(self.expected("a type")),
        };
        let opaque = ty.is_ptr();
        loop {
            if self.at(b'*') || self.at_word("addrspace") && !opaque {
                ty = self.typed_pointer(start, ty, opaque)?;
            } else if self.at(b'(') {
                ty = self.nested(|p| p.function_type(start, ty))?;
            } else {
                return Ok(ty);
            }
        }
    }
    /// Parses `*` or `addrspace(N)*` after a type: a typed pointer of LLVM 16 and older, read as `ptr`, as LLVM 22
    /// does.
    fn typed_pointer(&mut self, start: Span, to: Type, opaque: bool) -> PResult<Type> {
        let span = start.to(self.span);
        let space = self.opt_addrspace()?.unwrap_or(0);
        self.expect(b'*')?;
        if opaque {
            let error = ParseError::new(span, ParseErrorKind::OpaquePointee, "a pointer to nothing known");
            return Err(error.with_help("write 'ptr' alone").into());
        }
        if matches!(to, Type::VOID | Type::LABEL | Type::METADATA | Type::TOKEN) {
            return Err(self.bad_type(span, "a type that memory can hold is wanted before '*'", to));
        }
        Ok(Type::ptr(space))
    }

    fn word_type(&mut self, word: &'s str) -> PResult<Type> {
        let span = self.span;
        let ty = match word {
            "ptr" => {
                self.bump()?;
                let space = if self.at_word("addrspace") { self.opt_addrspace()? } else { None };
                return Ok(Type::ptr(space.unwrap_or(0)));
            }
            "void" => Type::VOID,
            "label" => Type::LABEL,
            "metadata" => Type::METADATA,
            "token" => Type::TOKEN,
            "x86_mmx" | "x86_amx" => self.env.types.intern(Compound::Target { text: word.into() }),
            "target" => return self.target_type(),
            _ => match word.as_bytes() {
                [b'i', digits @ ..] if !digits.is_empty() && digits.iter().all(u8::is_ascii_digit) => {
                    let bits = word[1..].parse().ok();
                    let Some(bits) = bits.filter(|b| (1..=Type::MAX_NAMEABLE_INT_BITS).contains(b)) else {
                        return Err(invalid(span, "integer types have 1 to 8388608 bits"));
                    };
                    Type::int(bits)
                }
                _ => match FloatKind::from_name(word) {
                    Some(kind) => Type::float(kind),
                    None => return Err(self.expected("a type")),
                },
            },
        };
        self.bump()?;
        Ok(ty)
    }
    fn target_type(&mut self) -> PResult<Type> {
        let start = self.span;
        self.bump()?;
        self.expect(b'(')?;
        self.string("the name of the target type")?;
        while self.eat(b',')? {
            if matches!(self.tok, Tok::Int(_)) {
                self.bump()?;
            } else {
                self.nested(Self::ty)?;
            }
        }
        self.expect(b')')?;
        let text = self.text(self.since(start)).into();
        Ok(self.env.types.intern(Compound::Target { text }))
    }
    fn named_type(&mut self, name: &str) -> PResult<Type> {
        let span = self.span;
        self.bump()?;
        if let Some(&ty) = self.type_aliases.get(name) {
            self.expand_type_name(ty, span)?;
            return Ok(ty);
        }
        Ok(self.struct_named(name, span))
    }
    /// The identified struct with this canonical name.
    pub(crate) fn struct_named(&mut self, name: &str, span: Span) -> Type {
        let ty = self.env.types.intern(Compound::Named { name: name.into() });
        if let Some(id) = ty.compound_id() {
            self.named_types.entry(id).or_insert((span, false));
        }
        ty
    }
    fn array_type(&mut self) -> PResult<Type> {
        self.expect(b'[')?;
        let len = self.number("the length of an array")?;
        self.expect_word("x")?;
        let elem = self.element_type()?;
        self.expect(b']')?;
        Ok(self.env.types.array(len, elem))
    }
    /// Parses `{ types }`, including the braces.
    fn struct_fields(&mut self) -> PResult<Vec<Type>> {
        self.expect(b'{')?;
        let mut fields = Vec::new();
        if !self.at(b'}') {
            loop {
                fields.push(self.element_type()?);
                if !self.eat(b',')? {
                    break;
                }
            }
        }
        self.expect(b'}')?;
        Ok(fields)
    }
    fn element_type(&mut self) -> PResult<Type> {
        let span = self.span;
        let ty = self.ty()?;
        if !self.is_first_class(ty) || matches!(ty, Type::LABEL | Type::METADATA | Type::TOKEN) {
            return Err(self.bad_type(self.since(span), "a type that a member can have is wanted", ty));
        }
        Ok(ty)
    }
    /// Parses a vector or a packed struct.
    fn angle_type(&mut self) -> PResult<Type> {
        self.expect(b'<')?;
        if self.at(b'{') {
            let fields = self.struct_fields()?;
            self.expect(b'>')?;
            return Ok(self.env.types.structure(&fields, true));
        }
        let scalable = self.eat_word("vscale")?;
        if scalable {
            self.expect_word("x")?;
        }
        let span = self.span;
        let len = self.number("the length of a vector")?;
        if len == 0 || len > u64::from(u32::MAX) {
            return Err(invalid(span, "vectors have 1 to 4294967295 elements"));
        }
        self.expect_word("x")?;
        let elem_span = self.span;
        let elem = self.ty()?;
        if !(elem.is_int() || elem.is_float() || elem.is_ptr() || self.is_target_type(elem)) {
            let what = "vectors are made of integers, floating-point numbers or pointers";
            return Err(self.bad_type(self.since(elem_span), what, elem));
        }
        self.expect(b'>')?;
        Ok(self.env.types.intern(Compound::Vector { len, elem, scalable }))
    }
    fn function_type(&mut self, start: Span, ret: Type) -> PResult<Type> {
        if !(ret == Type::VOID || self.is_first_class(ret)) || ret == Type::LABEL {
            return Err(self.bad_type(self.since(start), "a type that a function can return is wanted", ret));
        }
        self.expect(b'(')?;
        let (mut params, mut vararg) = (Vec::new(), false);
        if !self.at(b')') {
            loop {
                if self.tok == Tok::Ellipsis {
                    self.bump()?;
                    vararg = true;
                    break;
                }
                params.push(self.value_type()?);
                if !self.eat(b',')? {
                    break;
                }
            }
        }
        self.expect(b')')?;
        Ok(self.env.types.function(ret, &params, vararg))
    }

    /// Parses the right-hand side of `%name = type`: returns the type to bind the name to, or `None` for an identified
    /// struct, which it defines.
    pub(crate) fn type_definition(&mut self, name: &str, name_span: Span) -> PResult<Option<Type>> {
        let packed = self.at(b'<') && {
            let mut ahead = self.lex.clone();
            matches!(ahead.next(), Ok((Tok::Punct(b'{'), _)))
        };
        if !(packed || self.at(b'{') || self.at_word("opaque")) {
            let seen = self.env.types.lookup(&Compound::Named { name: name.into() });
            let ty = self.ty()?;
            if let Some(&(span, _)) =
                seen.and_then(Type::compound_id).and_then(|id| self.named_types.get(&id))
            {
                let what = "only structs may be mentioned before their definition";
                let error = ParseError::new(name_span, ParseErrorKind::Invalid(what.into()), "defined here");
                return Err(error.with_second(span, "mentioned here").into());
            }
            self.type_aliases.insert(name.into(), ty);
            return Ok(Some(ty));
        }
        let ty = self.struct_named(name, name_span);
        let body = if self.eat_word("opaque")? {
            None
        } else if packed {
            self.bump()?;
            let fields = self.nested(Self::struct_fields)?.into();
            self.expect(b'>')?;
            Some(StructBody { fields, packed: true })
        } else {
            Some(StructBody { fields: self.nested(Self::struct_fields)?.into(), packed: false })
        };
        if let Some(body) = body {
            self.env.types.set_body(ty, body);
        }
        if let Some(entry) = ty.compound_id().and_then(|id| self.named_types.get_mut(&id)) {
            *entry = (name_span, true);
        }
        Ok(None)
    }

    // Classes of types.

    pub(crate) fn is_target_type(&self, ty: Type) -> bool {
        matches!(self.env.types.compound(ty), Some(Compound::Target { .. }))
    }
    /// Whether a value can have this type.
    pub(crate) fn is_first_class(&self, ty: Type) -> bool {
        ty != Type::VOID && self.env.types.signature(ty).is_none()
    }
    /// Whether the outermost type is sized; members were checked when they were parsed.
    pub(crate) fn is_sized(&self, ty: Type) -> bool {
        match ty.kind() {
            TypeKind::Void | TypeKind::Label | TypeKind::Metadata | TypeKind::Token => false,
            TypeKind::Float(_) | TypeKind::Int(_) | TypeKind::Ptr(_) => true,
            TypeKind::Compound(id) => match self.env.types.get(id) {
                Compound::Array { .. } | Compound::Vector { .. } | Compound::Struct { .. } => true,
                Compound::Named { .. } => self.env.types.struct_fields(ty).is_some(),
                Compound::Function { .. } => false,
                Compound::Target { .. } => true,
            },
        }
    }
}
