//! Parses constants into a pool given by the caller: a body's or the module's.
//!
//! The type is spelled before the constant or known from the context. Constants that LLVM can express and the IR does
//! not model (`no_cfi`, constant expressions of older versions) produce `Stop::Unmodelled`.

use super::cursor::Parser;
use super::error::{PResult, ParseError, ParseErrorKind, Stop, Warning, invalid, unmodelled};
use super::lexer::Tok;
use super::spans::Span;
use super::{floats, names};
use crate::constant::{ConstData, ConstExpr, ConstOp, ConstPool, Constant, GlobalRef};
use crate::entity::Const;
use crate::flags::{BinaryFlags, GepFlags};
use crate::inst::{BinaryOp, CastOp};
use crate::int::{Int, IntParseError};
use crate::types::{Compound, Type, TypeKind};

impl<'s> Parser<'s> {
    /// Parses `type constant`.
    pub(crate) fn typed_constant(&mut self, pool: &mut ConstPool) -> PResult<Const> {
        let ty = self.body_type()?;
        self.constant(pool, ty)
    }

    /// Parses a constant of type `ty`.
    pub(crate) fn constant(&mut self, pool: &mut ConstPool, ty: Type) -> PResult<Const> {
        let span = self.span;
        let data = match self.tok {
            Tok::Int(text) => {
                self.bump()?;
                self.integer(text, span, ty)?
            }
            Tok::Float(text) => {
                self.bump()?;
                self.float(floats::decimal, text, span, ty)?
            }
            Tok::HexFloat(text) => {
                self.bump()?;
                self.float(floats::hexadecimal, text, span, ty)?
            }
            Tok::GlobalName(_) | Tok::GlobalId(_) => self.global_address(ty)?,
            Tok::Bytes(raw) => {
                self.bump()?;
                self.byte_string(raw, span, ty)?
            }
            Tok::Punct(b'[' | b'{' | b'<') => self.nested(|p| p.aggregate(pool, ty))?,
            Tok::Word(word) => return self.constant_word(word, pool, ty),
            Tok::LocalName(_) | Tok::LocalId(_) => {
                return Err(invalid(span, "a constant is wanted; a local value can't stand here"));
            }
            _ => return Err(self.expected("a value")),
        };
        Ok(pool.intern(Constant { ty, data }))
    }

    /// Parses an integer; a value out of range wraps with a warning, as LLVM does.
    fn integer(&mut self, text: &str, span: Span, ty: Type) -> PResult<ConstData> {
        match ty.int_bits() {
            Some(bits) if bits > Type::MAX_INT_BITS => {
                Err(unmodelled(span, format!("integers of more than 128 bits (i{bits})")))
            }
            Some(bits) => match Int::parse(bits, text) {
                Ok(value) => Ok(ConstData::Int(value)),
                Err(IntParseError::OutOfRange { .. }) => {
                    let feature = format!("an integer that is out of range for i{bits} (it wraps)").into();
                    self.warnings.push(Warning { span, feature });
                    let value = Int::parse_wrapping(bits, text);
                    value.map(ConstData::Int).map_err(|e| self.bad_constant(span, e.to_string(), ty))
                }
                Err(error) => Err(self.bad_constant(span, error.to_string(), ty)),
            },
            None => Err(self.bad_constant(span, "an integer constant can't stand", ty)),
        }
    }
    fn float(
        &self,
        read: fn(&str, crate::types::FloatKind) -> Result<u128, &'static str>,
        text: &str,
        span: Span,
        ty: Type,
    ) -> PResult<ConstData> {
        let TypeKind::Float(kind) = ty.kind() else {
            return Err(self.bad_constant(span, "a floating-point constant can't stand", ty));
        };
        read(text, kind).map(ConstData::Float).map_err(|what| self.bad_constant(span, what, ty))
    }
    fn byte_string(&self, raw: &[u8], span: Span, ty: Type) -> PResult<ConstData> {
        let bytes = names::unescape(raw);
        match self.env.types.compound(ty) {
            Some(Compound::Array { len, elem: Type::I8 }) if *len == bytes.len() as u64 => {
                Ok(ConstData::Bytes(bytes.into_owned().into()))
            }
            _ => {
                let what = format!("a string of {} bytes can't stand", bytes.len());
                Err(self.bad_constant(span, what, ty))
            }
        }
    }
    /// Parses the address of a global, whose type is known from its definition.
    fn global_address(&mut self, ty: Type) -> PResult<ConstData> {
        let span = self.span;
        let global = self.global_ref()?;
        let found = self.env.address_type(global);
        if found != ty {
            return Err(self.mismatch(span, ty, found).into());
        }
        Ok(ConstData::Global(global))
    }
    /// Parses `@name` or `@5`.
    pub(crate) fn global_ref(&mut self) -> PResult<GlobalRef> {
        let (tok, span) = (self.tok, self.span);
        if !matches!(tok, Tok::GlobalName(_) | Tok::GlobalId(_)) {
            return Err(self.expected("the name of a global"));
        }
        self.bump()?;
        self.global_of_token(tok, span, None)
    }
    /// Resolves a `@name` token that was consumed. A missing intrinsic is declared if its type is given.
    pub(crate) fn global_of_token(
        &mut self,
        tok: Tok<'s>,
        span: Span,
        intrinsic: Option<Type>,
    ) -> PResult<GlobalRef> {
        let name = match tok {
            Tok::GlobalName(name) => names::canonical_numbered(name),
            Tok::GlobalId(id) => id.to_string().into(),
            _ => return Err(self.expected("the name of a global")),
        };
        if let Some(global) = self.env.symbols.get(&*name) {
            return Ok(*global);
        }
        if let Some(fn_ty) = intrinsic.filter(|_| name.starts_with("llvm.")) {
            return Ok(GlobalRef::Func(self.declare_intrinsic(&name, fn_ty, span)));
        }
        let spelled = self.text(span);
        let kind = ParseErrorKind::Undefined { what: "global", name: spelled.into() };
        Err(ParseError::new(span, kind, "nothing in this module has this name").into())
    }

    /// Parses the elements of an array, struct or vector.
    fn aggregate(&mut self, pool: &mut ConstPool, ty: Type) -> PResult<ConstData> {
        let span = self.span;
        let (close, packed) = match self.tok {
            Tok::Punct(b'[') => (b']', false),
            Tok::Punct(b'{') => (b'}', false),
            _ => {
                let mut ahead = self.lex.clone();
                let packed = matches!(ahead.next(), Ok((Tok::Punct(b'{'), _)));
                (if packed { b'}' } else { b'>' }, packed)
            }
        };
        self.bump()?;
        if packed {
            self.bump()?;
        }
        let mut elements = Vec::new();
        if !self.at(close) {
            loop {
                elements.push(self.element(pool)?);
                if !self.eat(b',')? {
                    break;
                }
            }
        }
        self.expect(close)?;
        if packed {
            self.expect(b'>')?;
        }
        let span = self.since(span);
        let fits = |(i, (c, at)): (usize, &(Const, Span))| match self.env.types.member(ty, i as u64) {
            Some(member) if member != pool.ty(*c) => Err(self.mismatch(*at, member, pool.ty(*c)).into()),
            Some(_) => Ok(()),
            None => Err(self.bad_constant(*at, "an element too many", ty)),
        };
        let (wanted, len) = match self.env.types.compound(ty) {
            Some(Compound::Array { len, .. }) => (b']', Some(*len)),
            Some(Compound::Vector { len, scalable: false, .. }) => (b'>', Some(*len)),
            _ => {
                let fields = self.env.types.struct_fields(ty).filter(|f| f.1 == packed);
                (b'}', fields.map(|f| f.0.len() as u64))
            }
        };
        let Some(len) = len.filter(|_| wanted == close) else {
            return Err(self.bad_constant(span, "brackets of another kind", ty));
        };
        elements.iter().enumerate().try_for_each(fits)?;
        if len != elements.len() as u64 {
            let what = format!("{} elements where {len} are wanted", elements.len());
            return Err(self.bad_constant(span, what, ty));
        }
        Ok(ConstData::Aggregate(elements.into_iter().map(|e| e.0).collect()))
    }
    fn element(&mut self, pool: &mut ConstPool) -> PResult<(Const, Span)> {
        let ty = self.body_type()?;
        let span = self.span;
        let constant = self.constant(pool, ty)?;
        Ok((constant, self.since(span)))
    }

    /// Parses constants that begin with a word.
    fn constant_word(&mut self, word: &'s str, pool: &mut ConstPool, ty: Type) -> PResult<Const> {
        let span = self.span;
        let data = match word {
            "true" | "false" if ty == Type::I1 => ConstData::Int(Int::bool(word == "true")),
            "true" | "false" => return Err(self.bad_constant(span, "'true' and 'false' can't stand", ty)),
            "null" if ty.is_ptr() => ConstData::Zero,
            "null" => return Err(self.bad_constant(span, "'null' can't stand", ty)),
            "none" if ty == Type::TOKEN => return Err(unmodelled(span, "token values")),
            "none" => return Err(self.bad_constant(span, "'none' can't stand", ty)),
            "undef" => ConstData::Undef,
            "poison" => ConstData::Poison,
            "zeroinitializer" => self.zero(ty, span)?,
            "asm" => return Err(unmodelled(span, "inline assembly")),
            _ => return self.nested(|p| p.constant_call(word, pool, ty)),
        };
        self.bump()?;
        Ok(pool.intern(Constant { ty, data }))
    }
    /// Parses `zeroinitializer`. The zero of a scalar is the same constant as its literal.
    fn zero(&self, ty: Type, span: Span) -> PResult<ConstData> {
        match ty.kind() {
            TypeKind::Int(bits) if bits <= Type::MAX_INT_BITS => Ok(ConstData::Int(Int::zero(bits))),
            TypeKind::Int(bits) => Err(unmodelled(span, format!("integers of more than 128 bits (i{bits})"))),
            TypeKind::Float(_) => Ok(ConstData::Float(0)),
            TypeKind::Ptr(_) => Ok(ConstData::Zero),
            TypeKind::Compound(_) if self.is_sized(ty) => Ok(ConstData::Zero),
            TypeKind::Compound(_)
            | TypeKind::Void
            | TypeKind::Label
            | TypeKind::Metadata
            | TypeKind::Token => Err(self.bad_constant(span, "'zeroinitializer' can't stand", ty)),
        }
    }

    /// Parses constants of the form `word … ( … )`.
    fn constant_call(&mut self, word: &'s str, pool: &mut ConstPool, ty: Type) -> PResult<Const> {
        let span = self.span;
        if let Some(op) = CastOp::from_name(word) {
            return self.cast_expr(op, pool, ty);
        }
        if let Some(op) = BinaryOp::from_name(word) {
            return self.binary_expr(op, pool, ty);
        }
        match word {
            "getelementptr" => self.gep_expr(pool, ty),
            "splat" => {
                self.bump()?;
                self.expect(b'(')?;
                let element = self.typed_constant(pool)?;
                self.expect(b')')?;
                let fits = self.env.types.fixed_vector(ty).is_some_and(|(_, e)| e == pool.ty(element));
                if !fits {
                    return Err(self.bad_constant(self.since(span), "this splat can't stand", ty));
                }
                Ok(pool.intern(Constant { ty, data: ConstData::Splat(element) }))
            }
            "blockaddress" => {
                let data = self.block_address(ty)?;
                Ok(pool.intern(Constant { ty, data }))
            }
            "dso_local_equivalent" | "no_cfi" => {
                self.bump()?;
                self.global_ref()?;
                Err(unmodelled(span, word))
            }
            "ptrauth" | "select" | "icmp" | "fcmp" | "extractelement" | "insertelement" | "shufflevector"
            | "extractvalue" | "insertvalue" | "fneg" | "fadd" | "fsub" | "fmul" | "fdiv" | "frem" => {
                self.bump()?;
                if !self.at(b'(') && !matches!(self.tok, Tok::Word(_)) {
                    return Err(self.expected("'('"));
                }
                Err(unmodelled(span, format!("constant expressions '{word}'")))
            }
            _ => Err(self.expected("a value")),
        }
    }
    fn cast_expr(&mut self, op: CastOp, pool: &mut ConstPool, ty: Type) -> PResult<Const> {
        let span = self.span;
        self.bump()?;
        if let Tok::Word("nneg" | "nuw" | "nsw") = self.tok {
            return Err(unmodelled(self.span, "constant expressions with cast flags"));
        }
        self.expect(b'(')?;
        let operand = self.typed_constant(pool)?;
        self.expect_word("to")?;
        let to_span = self.span;
        let to = self.body_type()?;
        self.expect(b')')?;
        self.check_cast(op, pool.ty(operand), to, self.since(to_span))?;
        if to != ty {
            return Err(self.mismatch(self.since(span), ty, to).into());
        }
        let expr = ConstExpr { op: ConstOp::Cast(op), operands: [operand].into() };
        Ok(pool.intern(Constant { ty, data: ConstData::Expr(Box::new(expr)) }))
    }
    fn binary_expr(&mut self, op: BinaryOp, pool: &mut ConstPool, ty: Type) -> PResult<Const> {
        let span = self.span;
        self.bump()?;
        let flags: BinaryFlags = self.binary_flags(op)?;
        self.expect(b'(')?;
        let left = self.typed_constant(pool)?;
        self.expect(b',')?;
        let right_span = self.span;
        let right = self.typed_constant(pool)?;
        let right_span = self.since(right_span);
        self.expect(b')')?;
        let found = pool.ty(left);
        if pool.ty(right) != found {
            return Err(self.mismatch(right_span, found, pool.ty(right)).into());
        }
        if !self.env.types.scalar(found).is_int() {
            return Err(self.bad_type(self.since(span), "integers or vectors of them are wanted", found));
        }
        if found != ty {
            return Err(self.mismatch(self.since(span), ty, found).into());
        }
        let expr = ConstExpr { op: ConstOp::Binary(op, flags), operands: [left, right].into() };
        Ok(pool.intern(Constant { ty, data: ConstData::Expr(Box::new(expr)) }))
    }
    fn gep_expr(&mut self, pool: &mut ConstPool, ty: Type) -> PResult<Const> {
        let span = self.span;
        self.bump()?;
        let (flags, inrange) = self.gep_expr_flags()?;
        self.expect(b'(')?;
        let source_span = self.span;
        let source = self.memory_type()?;
        self.expect(b',')?;
        let base = self.typed_constant(pool)?;
        let mut operands = vec![base];
        while self.eat(b',')? {
            if self.at_word("inrange") {
                return Err(unmodelled(self.span, "'inrange' on an index"));
            }
            operands.push(self.typed_constant(pool)?);
        }
        self.expect(b')')?;
        let types: Vec<Type> = operands.iter().map(|c| pool.ty(*c)).collect();
        let field = |i: usize| pool.as_int(pool.lane(operands[i])).and_then(Int::to_u64);
        let found = self.gep_type(source, &types, field, self.since(source_span))?;
        if found != ty {
            return Err(self.mismatch(self.since(span), ty, found).into());
        }
        let op = ConstOp::Gep { source, flags, inrange };
        let expr = ConstExpr { op, operands: operands.into() };
        Ok(pool.intern(Constant { ty, data: ConstData::Expr(Box::new(expr)) }))
    }
    fn gep_expr_flags(&mut self) -> PResult<(GepFlags, Option<(i64, i64)>)> {
        let mut flags = GepFlags::default();
        let mut inrange = None;
        loop {
            match self.tok {
                Tok::Word("inbounds") => flags.inbounds = true,
                Tok::Word("nusw") => flags.nusw = true,
                Tok::Word("nuw") => flags.nuw = true,
                Tok::Word("inrange") => {
                    self.bump()?;
                    self.expect(b'(')?;
                    let from = self.signed()?;
                    self.expect(b',')?;
                    let to = self.signed()?;
                    inrange = Some((from, to));
                    if !self.at(b')') {
                        return Err(self.expected("')'"));
                    }
                }
                _ => return Ok((flags, inrange)),
            }
            self.bump()?;
        }
    }
    fn signed(&mut self) -> PResult<i64> {
        let Tok::Int(text) = self.tok else { return Err(self.expected("a number")) };
        let Ok(number) = text.parse() else {
            return Err(invalid(self.span, "a number of 64 bits is wanted"));
        };
        self.bump()?;
        Ok(number)
    }

    // Rules shared with instructions.

    /// The result type of a `getelementptr` with these operand types (base first); `field` returns the value of a
    /// constant index.
    pub(crate) fn gep_type(
        &mut self,
        source: Type,
        types: &[Type],
        field: impl Fn(usize) -> Option<u64>,
        span: Span,
    ) -> PResult<Type> {
        let table = &self.env.types;
        if !table.scalar(types[0]).is_ptr() {
            return Err(self.bad_type(span, "the base of a getelementptr is a pointer", types[0]));
        }
        let mut lanes = table.fixed_vector(types[0]).map(|v| v.0);
        let mut current = source;
        for (i, &ty) in types.iter().enumerate().skip(1) {
            if !table.scalar(ty).is_int() {
                return Err(self.bad_type(span, "indices of a getelementptr are integers", ty));
            }
            if let Some((n, _)) = table.fixed_vector(ty) {
                if lanes.is_some_and(|l| l != n) {
                    return Err(invalid(span, "the vectors of a getelementptr have different lengths"));
                }
                lanes = Some(n);
            }
            if i == 1 {
                continue;
            }
            let member = match table.struct_fields(current) {
                Some(_) if table.scalar(ty) != Type::I32 => None,
                Some(_) => field(i).and_then(|f| table.member(current, f)),
                None => table.member(current, 0).or(match table.compound(current) {
                    Some(Compound::Array { elem, .. }) => Some(*elem),
                    _ => None,
                }),
            };
            let Some(member) = member else {
                let ty = super::cursor::type_text(table, current);
                return Err(invalid(span, format!("an index leads into '{ty}', which has no such member")));
            };
            current = member;
        }
        let base = table.scalar(types[0]);
        match lanes {
            None => Ok(base),
            Some(len) if table.fixed_vector(types[0]).is_some_and(|v| v.0 == len) => Ok(types[0]),
            Some(len) => Ok(self.env.types.vector(len, base)),
        }
    }

    /// Checks that LLVM allows the cast.
    pub(crate) fn check_cast(&self, op: CastOp, from: Type, to: Type, span: Span) -> PResult<()> {
        let table = &self.env.types;
        let (f, t) = (table.scalar(from), table.scalar(to));
        let lanes = |ty| table.fixed_vector(ty).map(|v| v.0);
        let same_shape = lanes(from) == lanes(to);
        let bits = |ty: Type| match ty.kind() {
            TypeKind::Int(bits) => bits,
            TypeKind::Float(kind) => kind.bits(),
            _ => 0,
        };
        let (ints, floats) = (f.is_int() && t.is_int(), f.is_float() && t.is_float());
        let fine = match op {
            CastOp::Trunc => same_shape && ints && bits(f) > bits(t),
            CastOp::ZExt | CastOp::SExt => same_shape && ints && bits(f) < bits(t),
            CastOp::FpTrunc => same_shape && floats && bits(f) > bits(t),
            CastOp::FpExt => same_shape && floats && bits(f) < bits(t),
            CastOp::FpToUi | CastOp::FpToSi => same_shape && f.is_float() && t.is_int(),
            CastOp::UiToFp | CastOp::SiToFp => same_shape && f.is_int() && t.is_float(),
            CastOp::PtrToInt | CastOp::PtrToAddr => same_shape && f.is_ptr() && t.is_int(),
            CastOp::IntToPtr => same_shape && f.is_int() && t.is_ptr(),
            CastOp::AddrSpaceCast => same_shape && f.is_ptr() && t.is_ptr() && f != t,
            CastOp::BitCast => self.can_bitcast(from, to),
        };
        if fine {
            return Ok(());
        }
        let (from, to) = (super::cursor::type_text(table, from), super::cursor::type_text(table, to));
        let what = format!("'{}' does not lead from '{from}' to '{to}'", op.name());
        Err(ParseError::new(span, ParseErrorKind::Invalid(what.into()), "not from this operand's type")
            .into())
    }
    fn can_bitcast(&self, from: Type, to: Type) -> bool {
        let table = &self.env.types;
        let (f, t) = (table.scalar(from), table.scalar(to));
        let plain = |ty: Type| ty.is_int() || ty.is_float() || ty.is_ptr();
        if !plain(f) || !plain(t) || f.is_ptr() != t.is_ptr() {
            return false;
        }
        if f.is_ptr() {
            let lanes = |ty| table.fixed_vector(ty).map(|v| v.0).filter(|n| *n != 1);
            return f == t && lanes(from) == lanes(to);
        }
        let size = |ty| self.env.layout.size_bits(table, ty);
        size(from).is_some() && size(from) == size(to)
    }
}

/// Converts "not modelled" into an error where the text can't be kept verbatim.
pub(crate) fn must_model(stop: Box<Stop>) -> Box<Stop> {
    match *stop {
        Stop::Unmodelled(warning) => invalid(warning.span, format!("{} can't be read here", warning.feature)),
        Stop::Error(_) => stop,
    }
}
