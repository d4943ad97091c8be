//! Why an instruction yielded poison although its operands were not poison: the violated flag, attribute or metadata,
//! and the values that violate it. Computed from the recorded operands.

use super::chain::{Bad, Tracer, member};
use super::record::{Node, Role};
use super::words::Words;
use crate::exec::gep::{Offset, Walk, offset_pointer, offset_term};
use crate::facts::{Claim, Facts};
use crate::input::{ArgSpec, Input, shortened};
use crate::layout::Shape;
use crate::memory::Memory;
use crate::value::{Pointer, Val, mask};
use backedge_ir::attr::{AttrList, FlagAttr};
use backedge_ir::body::Body;
use backedge_ir::entity::FuncId;
use backedge_ir::inst::{BinaryFlags, BinaryOp, CastFlags, CastOp, FastMath, GepFlags, InstData, InstKind};
use backedge_ir::int::Int;
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::types::{FloatKind, Type};

macro_rules! cause_kinds {
    ($($(#[$doc:meta])* $variant:ident = $name:literal,)*) => {
        /// Why poison or undefined bits arose.
        #[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum CauseKind { $($(#[$doc])* $variant,)* }

        impl CauseKind {
            /// All kinds.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];
            /// The stable name.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }
        }
    };
}

cause_kinds! {
    /// `nsw`.
    Nsw = "nsw",
    /// `nuw`, also of address arithmetic.
    Nuw = "nuw",
    /// `exact`.
    Exact = "exact",
    /// `disjoint`.
    Disjoint = "disjoint",
    /// `nneg`.
    Nneg = "nneg",
    /// `samesign`.
    SameSign = "samesign",
    /// `nusw` of address arithmetic.
    Nusw = "nusw",
    /// `inbounds`.
    Inbounds = "inbounds",
    /// `nnan` or `ninf`.
    FastMath = "fast-math",
    /// A shift by at least the width.
    ShiftAmount = "shift-amount",
    /// A float whose value the integer type does not have.
    FloatToInt = "float-to-int",
    /// An intrinsic's flag makes the value poison: `abs` of the smallest integer, `ctlz` and `cttz` of zero.
    IntrinsicFlag = "intrinsic-flag",
    /// An element index out of the vector's bounds.
    LaneIndex = "lane-index",
    /// A lane that a shuffle mask leaves undefined.
    MaskLane = "mask-lane",
    /// A constant in the program.
    Constant = "constant",
    /// An argument of the run.
    Argument = "argument",
    /// An attribute of a parameter, argument or result.
    Attribute = "attribute",
    /// Metadata of the instruction.
    Metadata = "metadata",
    /// Memory not written since its allocation.
    Uninitialised = "uninitialised",
    /// Memory contents given by the input.
    InitialMemory = "initial-memory",
    /// Bytes that were not stored as the loaded type.
    Padding = "padding",
    /// An object outside its lifetime.
    OutsideLifetime = "outside-lifetime",
    /// The result of an external function.
    Environment = "environment",
    /// Some choice of an operand's undefined bits.
    UndefOperand = "undef-operand",
    /// The originating steps were dropped.
    NotKept = "not-kept",
    /// None of the above.
    Other = "other",
}

/// Why poison or undefined bits arose.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cause {
    /// The kind of cause.
    pub kind: CauseKind,
    /// A description with the values.
    pub detail: String,
}

pub(crate) fn cause(kind: CauseKind, detail: impl Into<String>) -> Cause {
    Cause { kind, detail: detail.into() }
}

/// Finds causes. Uses memory at the end of the run: objects are never moved, and addresses never reused.
#[derive(Copy, Clone)]
pub(crate) struct Blame<'a, 'm> {
    pub(crate) tracer: Tracer<'a>,
    pub(crate) words: &'a Words<'m>,
    pub(crate) memory: &'a Memory,
    pub(crate) input: &'a Input,
}

impl<'a> Blame<'a, '_> {
    /// Why `node` produced poison or undefined bits at `path` of its value.
    pub(crate) fn node(&self, node: &'a Node, path: &[u32], bad: Bad) -> Cause {
        let body = self.tracer.module.body(node.at.func);
        let data = body.zip(node.at.inst).map(|(body, inst)| (body, body.inst(inst)));
        match (&node.role, data) {
            (Role::Argument(i), _) => self.argument(node, *i, path, bad),
            (Role::Answered, _) => cause(
                CauseKind::Environment,
                "an external function returned it, or its result violates the result's attributes",
            ),
            (Role::Called, Some((_, data))) => self.result_facts(node, data, path, CauseKind::Attribute),
            (_, Some((body, data))) if node.raw.is_some() => match &data.kind {
                InstKind::Phi(fast) => self.fast_math(*fast, node, body.ty(data.operands[0]), path),
                _ => self.result_facts(node, data, path, CauseKind::Metadata),
            },
            (_, Some((body, data))) => self.instruction(node, body, data, path),
            (_, None) => cause(CauseKind::Other, "it arose here"),
        }
    }
    /// The cause for a parameter whose argument was not poison, or that was given from outside.
    fn argument(&self, node: &Node, index: usize, path: &[u32], bad: Bad) -> Cause {
        let env = &self.tracer.module.env;
        let header = &env.funcs[node.at.func];
        let facts = header.param_attrs.get(index).and_then(|l| Facts::of_attrs(env, l));
        let ty = env.types.signature(header.ty).and_then(|(_, params, _)| params.get(index).copied());
        let shape = ty.and_then(|ty| Shape::of(env, ty).ok());
        let name = self.words.operand(node.at.func, super::record::arg_value(index));
        if let Some(given) = node.operands.first() {
            let leaf = member(&given.value, path);
            let text = leaf_ty(env, ty, path).map_or_else(String::new, |ty| self.words.value(ty, leaf));
            let claim = facts.zip(shape).and_then(|(f, s)| f.broken_claim(leaf_shape(&s, path), leaf));
            let words = claim.map_or("what the call or the parameter says of it".to_owned(), |c| claimed(&c));
            return cause(CauseKind::Attribute, format!("{text} does not fit {words} of {name}"));
        }
        let spec = self.input.args.get(index).map(|spec| spec_at(spec, path));
        let given = match spec {
            Some(ArgSpec::Poison | ArgSpec::Undef) | None => {
                return cause(CauseKind::Argument, format!("the argument {name} is {}", bad.name()));
            }
            Some(spec) => spec,
        };
        let value = match (given, &shape) {
            (ArgSpec::Null | ArgSpec::Int(0), Some(Shape::Ptr(_))) => Some(Val::Ptr(Pointer::NULL)),
            (ArgSpec::Int(n), Some(Shape::Int(width))) => Some(Val::int(Int::from_i128(*width, *n))),
            _ => None,
        };
        let claims = facts.map_or(Vec::new(), |f| match (value, shape) {
            (Some(value), Some(shape)) => f.broken_claim(&shape, &value).into_iter().collect(),
            _ => f.claims(),
        });
        let words: Vec<String> = claims.iter().map(claimed).collect();
        cause(
            CauseKind::Attribute,
            format!(
                "the argument {} does not fit {} of {name}",
                shortened(&given.to_string()),
                words.join(" or ")
            ),
        )
    }
    /// The attributes or metadata violated by a result whose raw value is defined.
    fn result_facts(&self, node: &Node, data: &InstData, path: &[u32], kind: CauseKind) -> Cause {
        let env = &self.tracer.module.env;
        let raw = node.raw.as_ref().or_else(|| node.operands.first().map(|o| &o.value));
        let Some(raw) = raw.map(|r| member(r, path)) else { return cause(kind, "what is said of it") };
        let callee = data
            .call()
            .and_then(|call| self.tracer.module.body(node.at.func)?.called_function(call.callee()));
        let none = AttrList::default();
        let lists = [
            Facts::of_metadata(env, &data.metadata),
            Facts::of_attrs(env, data.call().map_or(&none, |c| &c.info.ret_attrs)),
            callee.and_then(|f| Facts::of_attrs(env, &env.funcs[f].ret_attrs)),
        ];
        let shape = Shape::of(env, data.ty).ok();
        let claim = shape.and_then(|shape| {
            let leaf = leaf_shape(&shape, path);
            lists.iter().enumerate().find_map(|(i, f)| Some((i, f.as_ref()?.broken_claim(leaf, raw)?)))
        });
        let text = leaf_ty(env, Some(data.ty), path).map_or_else(String::new, |ty| self.words.value(ty, raw));
        match claim {
            Some((0, claim)) => {
                cause(CauseKind::Metadata, format!("{text} does not fit the metadata !{}", claimed(&claim)))
            }
            Some((_, claim)) => {
                cause(CauseKind::Attribute, format!("{text} does not fit {} of the result", claimed(&claim)))
            }
            None if self.may_differ_from_returned(data, callee, raw) => cause(
                CauseKind::Attribute,
                format!("{text} is not the argument that `returned` says is returned"),
            ),
            None => cause(kind, format!("{text} does not fit what is said of it")),
        }
    }
    /// Whether a call is declared to return one of its arguments (`returned`), so that the value may differ from it.
    fn may_differ_from_returned(&self, data: &InstData, callee: Option<FuncId>, raw: &Val) -> bool {
        let env = &self.tracer.module.env;
        let says = |lists: &[AttrList]| lists.iter().any(|l| env.has_attr(l, FlagAttr::Returned));
        *raw != Val::Poison
            && (data.call().is_some_and(|c| says(&c.info.arg_attrs))
                || callee.is_some_and(|f| says(&env.funcs[f].param_attrs)))
    }
    fn instruction(&self, node: &'a Node, body: &Body, data: &InstData, path: &[u32]) -> Cause {
        let leaves: Vec<&Val> = node.operands.iter().map(|o| member(&o.value, path)).collect();
        let types = &self.tracer.module.env.types;
        let operand_ty = |i: usize| data.operands.get(i).map_or(Type::VOID, |v| types.scalar(body.ty(*v)));
        let ty = types.scalar(data.ty);
        match &data.kind {
            InstKind::Binary(op, flags) => match (ints(ty, &leaves), leaves.as_slice()) {
                (Some(xs), [_, _]) => binary(*op, *flags, xs[0], xs[1]),
                _ => undef_operand(),
            },
            InstKind::Cast(op, flags) => self.cast(*op, *flags, operand_ty(0), ty, leaves[0]),
            InstKind::ICmp { .. } => match ints(operand_ty(0), &leaves) {
                Some(xs) => cause(
                    CauseKind::SameSign,
                    format!("samesign violated: {} and {} differ in sign", xs[0].signed(), xs[1].signed()),
                ),
                None => undef_operand(),
            },
            InstKind::Gep { source, flags } => match self.gep_offsets(node, body, data, *source, path) {
                Some((base, offsets)) => self.gep(base, &offsets, *flags, ty.ptr_space().unwrap_or(0)),
                None => undef_operand(),
            },
            InstKind::FloatBinary(_, fast)
            | InstKind::FNeg(fast)
            | InstKind::FCmp(_, fast)
            | InstKind::Select(fast)
            | InstKind::Phi(fast) => self.fast_math(*fast, node, operand_ty(data.operands.len() - 1), path),
            InstKind::ExtractElement | InstKind::InsertElement => {
                let index = node.operands.last().map(|o| &o.value);
                let text = index
                    .map_or_else(String::new, |v| self.words.value(operand_ty(data.operands.len() - 1), v));
                let lanes = node.operands.first().map_or(0, |o| o.value.members().len());
                cause(
                    CauseKind::LaneIndex,
                    format!("the index {text} is not below the number of lanes, {lanes}"),
                )
            }
            InstKind::ShuffleVector(_) => cause(
                CauseKind::MaskLane,
                format!("the mask leaves lane {} open", path.first().copied().unwrap_or(0)),
            ),
            InstKind::Load(_) | InstKind::AtomicRmw(..) | InstKind::CmpXchg(_) => cause(
                CauseKind::Padding,
                "the bytes hold bits above the value that storing one of this type does not leave",
            ),
            InstKind::Call(_) | InstKind::Invoke(_) | InstKind::CallBr(_) => self.call(node, data, &leaves),
            _ => cause(CauseKind::Other, "the instruction makes it"),
        }
    }
    fn call(&self, node: &'a Node, data: &InstData, leaves: &[&Val]) -> Cause {
        let width = self.tracer.module.env.types.scalar(data.ty).int_bits();
        match self.tracer.intrinsic(node) {
            Some(Intrinsic::Abs) => cause(
                CauseKind::IntrinsicFlag,
                "the operand is the smallest value, and is_int_min_poison is set".to_owned(),
            ),
            Some(Intrinsic::Ctlz | Intrinsic::Cttz) => {
                cause(CauseKind::IntrinsicFlag, "the operand is zero, and is_zero_poison is set".to_owned())
            }
            Some(Intrinsic::UShlSat | Intrinsic::SShlSat) => match leaves.get(1).and_then(|v| v.cube()) {
                Some(amount) if amount.is_known() => shift_amount(amount.bits, width.unwrap_or(0)),
                _ => undef_operand(),
            },
            Some(_) if data.call().is_some_and(|c| !c.info.fast.is_empty()) => {
                let fast = data.call().map_or(FastMath::NONE, |c| c.info.fast);
                self.fast_math(fast, node, self.tracer.module.env.types.scalar(data.ty), &[])
            }
            _ => cause(CauseKind::Other, "the intrinsic makes it"),
        }
    }
    fn cast(&self, op: CastOp, flags: CastFlags, from: Type, to: Type, x: &Val) -> Cause {
        let text = self.words.value(from, x);
        if x.cube().is_some_and(|c| !c.is_known()) {
            return undef_operand();
        }
        match op {
            CastOp::Trunc => {
                let fails = |lost: bool, name| lost.then_some(name);
                let int = ints(from, &[x]).map(|xs| xs[0]);
                let width = to.int_bits().unwrap_or(1);
                let nuw = int.and_then(|x| fails(flags.nuw && x.trunc_loses_unsigned(width), CauseKind::Nuw));
                let kind = nuw.unwrap_or(CauseKind::Nsw);
                let how = if kind == CauseKind::Nuw { "unsigned" } else { "signed" };
                cause(kind, format!("{} violated: {text} does not fit into {to:?} as {how}", kind.name()))
            }
            CastOp::ZExt | CastOp::UiToFp => {
                cause(CauseKind::Nneg, format!("nneg violated: {text} is negative"))
            }
            CastOp::FpToUi | CastOp::FpToSi => {
                cause(CauseKind::FloatToInt, format!("{text} is no value of {to:?}"))
            }
            CastOp::FpTrunc | CastOp::FpExt => {
                cause(CauseKind::FastMath, format!("{} violated by {text}", fast_words(flags.fast)))
            }
            CastOp::SExt
            | CastOp::SiToFp
            | CastOp::PtrToInt
            | CastOp::PtrToAddr
            | CastOp::IntToPtr
            | CastOp::AddrSpaceCast
            | CastOp::BitCast => cause(CauseKind::Other, "the cast makes it"),
        }
    }
    fn fast_math(&self, fast: FastMath, node: &Node, ty: Type, path: &[u32]) -> Cause {
        let excluded = |v: &Val| match float(ty, v) {
            Some(x) if x.is_nan() => fast.contains(FastMath::NNAN).then_some("NaN"),
            Some(x) if x.is_infinite() => fast.contains(FastMath::NINF).then_some("infinite"),
            _ => None,
        };
        let operand = node.operands.iter().find_map(|o| excluded(member(&o.value, path)));
        let words = fast_words(fast);
        match operand {
            Some(what) => cause(CauseKind::FastMath, format!("{words} violated: an operand is {what}")),
            None => cause(CauseKind::FastMath, format!("{words} violated by the result")),
        }
    }
    /// The base pointer of a `getelementptr` and the offsets added to it; `None` if one of them is not defined.
    fn gep_offsets(
        &self,
        node: &Node,
        body: &Body,
        data: &InstData,
        source: Type,
        path: &[u32],
    ) -> Option<(Pointer, Vec<Offset>)> {
        let env = &self.tracer.module.env;
        let Val::Ptr(base) = member(&node.operands[0].value, path) else { return None };
        let mut walk = Walk::new(env, source);
        let mut offsets = Vec::new();
        for (operand, value) in node.operands.iter().zip(&data.operands).skip(1) {
            let cube = member(&operand.value, path).cube().filter(|c| c.is_known());
            let width = env.types.scalar(body.ty(*value)).int_bits();
            let (cube, width) = cube.zip(width)?;
            let scale = walk.step(u64::try_from(cube.bits).ok()).ok()?;
            offsets.push(offset_term(scale, Int::new(width, cube.bits)));
        }
        Some((*base, offsets))
    }
    fn gep(&self, base: Pointer, offsets: &[Offset], flags: GepFlags, space: u32) -> Cause {
        let layout = self.tracer.module.env.layout.pointer(space);
        let with = |flags| {
            let base = Val::Ptr(base);
            offset_pointer(self.memory, &base, offsets, flags, layout.index_bits, layout.bits.min(64))
        };
        let none = GepFlags::default();
        if flags.nuw && with(GepFlags { nuw: true, ..none }) == Val::Poison {
            return cause(CauseKind::Nuw, "nuw violated: the offset overflows as unsigned");
        }
        if (flags.nusw || flags.inbounds) && with(GepFlags { nusw: true, ..none }) == Val::Poison {
            return cause(CauseKind::Nusw, "nusw violated: the offset overflows, or the address wraps");
        }
        let Some(object) = self.memory.object_of(base) else {
            let detail = format!("inbounds violated: {:#x} is in no object", base.addr);
            return cause(CauseKind::Inbounds, detail);
        };
        let object = self.memory.allocation(object);
        let to = match with(none) {
            Val::Ptr(ptr) => ptr.addr.wrapping_sub(object.base) as i64,
            Val::Poison | Val::Bits(_) | Val::Wide(_) | Val::Agg(_) => 0,
        };
        let name = self.words.object(object.base).unwrap_or_default();
        let from = base.addr.wrapping_sub(object.base) as i64;
        cause(
            CauseKind::Inbounds,
            format!(
                "inbounds violated: from byte {from} to byte {to} of {name}, which has {} bytes",
                object.size
            ),
        )
    }
}

fn fast_words(fast: FastMath) -> &'static str {
    match (fast.contains(FastMath::NNAN), fast.contains(FastMath::NINF)) {
        (true, true) => "nnan ninf",
        (true, false) => "nnan",
        (false, _) => "ninf",
    }
}

fn undef_operand() -> Cause {
    cause(CauseKind::UndefOperand, "some choice of an operand's undefined bits makes it poison")
}

fn shift_amount(amount: u128, width: u32) -> Cause {
    cause(CauseKind::ShiftAmount, format!("the shift amount {amount} is not below the width, {width}"))
}

/// All values as integers of `ty`; `None` unless all are defined.
fn ints(ty: Type, values: &[&Val]) -> Option<Vec<Int>> {
    let width = ty.int_bits()?;
    values.iter().map(|v| v.as_int(width)).collect()
}

fn float(ty: Type, value: &Val) -> Option<f64> {
    let Val::Bits(bits) = value else { return None };
    if ty == Type::float(FloatKind::Float) {
        Some(f32::from_bits(*bits as u32).into())
    } else {
        (ty == Type::float(FloatKind::Double)).then(|| f64::from_bits(*bits))
    }
}

/// The cause for arithmetic on defined operands that yielded poison.
fn binary(op: BinaryOp, flags: BinaryFlags, x: Int, y: Int) -> Cause {
    let width = x.width();
    let sign = match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Shl => "<<",
        BinaryOp::LShr | BinaryOp::AShr => ">>",
        BinaryOp::UDiv | BinaryOp::SDiv => "/",
        BinaryOp::URem | BinaryOp::SRem => "%",
        BinaryOp::And => "&",
        BinaryOp::Or => "|",
        BinaryOp::Xor => "^",
    };
    let shift = matches!(op, BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr);
    if shift && y.bits() >= u128::from(width) {
        return shift_amount(y.bits(), width);
    }
    let (nsw, nuw) = match op {
        BinaryOp::Add => (x.add_overflows_signed(y), x.add_overflows_unsigned(y)),
        BinaryOp::Sub => (x.sub_overflows_signed(y), x.sub_overflows_unsigned(y)),
        BinaryOp::Mul => (x.mul_overflows_signed(y), x.mul_overflows_unsigned(y)),
        BinaryOp::Shl => (x.shl_loses_signed(y), x.shl_loses_unsigned(y)),
        BinaryOp::LShr
        | BinaryOp::AShr
        | BinaryOp::UDiv
        | BinaryOp::SDiv
        | BinaryOp::URem
        | BinaryOp::SRem
        | BinaryOp::And
        | BinaryOp::Or
        | BinaryOp::Xor => (false, false),
    };
    let (xs, ys) = (x.signed(), if shift { y.bits() as i128 } else { y.signed() });
    let (xu, yu) = (x.bits(), y.bits());
    if flags.nsw && nsw {
        return cause(CauseKind::Nsw, format!("nsw violated: {xs} {sign} {ys} overflows i{width}"));
    }
    if flags.nuw && nuw {
        return cause(
            CauseKind::Nuw,
            format!("nuw violated: {xu} {sign} {yu} overflows i{width} as unsigned"),
        );
    }
    if flags.disjoint {
        let both = xu & yu & mask(width);
        return cause(
            CauseKind::Disjoint,
            format!("disjoint violated: {xu} and {yu} share the bits {both:#b}"),
        );
    }
    if flags.exact {
        let signed = matches!(op, BinaryOp::SDiv | BinaryOp::AShr);
        let text = if signed { format!("{xs} {sign} {ys}") } else { format!("{xu} {sign} {yu}") };
        let loss = if shift { "shifts out bits that are set" } else { "leaves a remainder" };
        return cause(CauseKind::Exact, format!("exact violated: {text} {loss}"));
    }
    cause(CauseKind::Other, "the operation makes it")
}

/// A claim in attribute syntax.
pub(crate) fn claimed(claim: &Claim) -> String {
    match claim {
        Claim::Range(list) => {
            let parts: Vec<String> =
                list.iter().map(|(lo, hi)| format!("[{}, {})", lo.signed(), hi.signed())).collect();
            format!("range {}", parts.join(" or "))
        }
        Claim::NoClass(classes) => format!("nofpclass({classes})"),
        Claim::NonNull => "nonnull".to_owned(),
        Claim::Align(n) => format!("align {n}"),
        Claim::Dereferenceable(n) => format!("dereferenceable({n})"),
    }
}

fn leaf_shape<'a>(shape: &'a Shape, path: &[u32]) -> &'a Shape {
    path.iter().fold(shape, |s, i| s.members().nth(*i as usize).unwrap_or(s))
}

/// The type of the member at `path`.
pub(crate) fn leaf_ty(env: &backedge_ir::module::Env, ty: Option<Type>, path: &[u32]) -> Option<Type> {
    path.iter().try_fold(ty?, |ty, i| env.types.member(ty, (*i).into()))
}

fn spec_at<'a>(spec: &'a ArgSpec, path: &[u32]) -> &'a ArgSpec {
    path.iter().fold(spec, |s, i| match s {
        ArgSpec::Members(list) => list.get(*i as usize).unwrap_or(s),
        _ => s,
    })
}
