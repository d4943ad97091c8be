//! The function writer: scope, operands, and single instructions.
//!
//! Code is emitted in dominance order: all values in scope dominate the end of the current block. After a region that
//! does not dominate the code that follows, the scope is cut back to its earlier size ([`Writer::cut`]).

use super::draw::Draw;
use super::knobs::{Knob, Knobs};
use super::memory::Base;
use super::metadata::Slot;
use super::nest::Loop;
use backedge_ir::attr::{Attr, AttrList};
use backedge_ir::builder::Builder;
use backedge_ir::constant::GlobalRef;
use backedge_ir::editor::{Editor, Position};
use backedge_ir::entity::{Block, FuncId, Inst};
use backedge_ir::inst::{
    BinaryFlags, BinaryOp, CallInfo, CastOp, InstData, InstKind, IntPredicate, MemAccess, Value,
};
use backedge_ir::int::Int;
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::module::{Env, Function, Linkage, TopLevel};
use backedge_ir::types::Type;

/// The size of the scope at some point: number of values and number of base pointers.
pub(super) type Mark = (usize, usize);

/// A function under construction.
pub(super) struct Writer<'w, 'b> {
    pub(super) env: &'w mut Env,
    pub(super) editor: Editor<'w>,
    /// The current stream of decisions.
    pub(super) draw: Draw<'w, 'b>,
    /// The other stream of decisions: the one about later knobs, or the main one in [`Self::aside`].
    pub(super) later: Draw<'w, 'b>,
    pub(super) is_aside: bool,
    pub(super) knobs: Knobs,
    /// Knobs that [`Self::wants_mostly`] nearly always uses.
    pub(super) favoured: Knobs,
    pub(super) used: Knobs,
    /// The current block.
    pub(super) block: Block,
    /// The integer values in scope.
    pub(super) scope: Vec<(Type, Value)>,
    pub(super) bases: Vec<Base>,
    /// Widths of the program's integers; the first one is the most frequent.
    pub(super) widths: Vec<u32>,
    /// The return values of `@f`: one value, or the members of a struct.
    pub(super) returns: Vec<Type>,
    pub(super) return_type: Type,
    /// The loops that contain the current block, outermost first.
    pub(super) loops: Vec<Loop>,
    pub(super) loop_count: usize,
    /// Remaining number of statements, which keeps programs small.
    pub(super) budget: usize,
    /// Earlier operations, for repetition.
    pub(super) recent: Vec<(BinaryOp, Value, Value)>,
    /// A local variable that holds a pointer.
    pub(super) slot: Option<Slot>,
}

impl<'w> Writer<'w, '_> {
    /// Whether to use the feature: with the given probability in percent if the knob is enabled.
    pub(super) fn wants(&mut self, knob: Knob, percent: usize) -> bool {
        if knob.is_later() && !self.is_aside {
            return self.aside(|this| this.wants(knob, percent));
        }
        let wanted = self.knobs.has(knob) && self.draw.chance(percent);
        if wanted {
            self.used = self.used.with(knob);
        }
        wanted
    }
    /// Like [`Self::wants`], but nearly always true for a favored knob. For features that determine the main subject
    /// of a program.
    pub(super) fn wants_mostly(&mut self, knob: Knob, percent: usize) -> bool {
        let percent = if self.favoured.has(knob) { percent.max(85) } else { percent };
        self.wants(knob, percent)
    }

    /// Emits code with the decisions of the other stream, so that the decisions about the code after it stay the same.
    pub(super) fn aside<T>(&mut self, emit: impl FnOnce(&mut Self) -> T) -> T {
        if self.is_aside {
            return emit(self);
        }
        std::mem::swap(&mut self.draw, &mut self.later);
        self.is_aside = true;
        let emitted = emit(self);
        self.is_aside = false;
        std::mem::swap(&mut self.draw, &mut self.later);
        emitted
    }

    // Scope.

    pub(super) fn mark(&self) -> Mark {
        (self.scope.len(), self.bases.len())
    }
    /// The scope before the innermost loop; the whole scope outside of loops.
    pub(super) fn before_loop(&self) -> Mark {
        self.loops.last().map_or_else(|| self.mark(), |l| l.outer)
    }
    pub(super) fn cut(&mut self, mark: Mark) {
        self.scope.truncate(mark.0);
        self.bases.truncate(mark.1);
    }
    /// Adds an integer to the scope.
    pub(super) fn push(&mut self, value: Value) {
        let ty = self.editor.body().ty(value);
        self.scope.push((ty, value));
    }

    // Operands.

    /// Draws one of the program's widths.
    pub(super) fn width(&mut self) -> u32 {
        // The first width in three of four draws, or more.
        let at = self.draw.below(4 * self.widths.len());
        self.widths.get(at).copied().unwrap_or(self.widths[0])
    }
    pub(super) fn int_type(&mut self) -> Type {
        Type::int(self.width())
    }
    pub(super) fn int(&mut self, width: u32, value: i128) -> Value {
        self.editor.int(Int::from_i128(width, value))
    }
    /// A constant, mostly small or extreme.
    pub(super) fn constant(&mut self, ty: Type) -> Value {
        let width = ty.int_bits().unwrap_or(1);
        let value = match self.draw.below(10) {
            0..=5 => self.draw.below(6) as i128,
            6 => -1 - self.draw.below(3) as i128,
            7 => (1 << (width - 1)) - self.draw.below(3) as i128,
            8 => (1 << (width - 1)) + self.draw.below(2) as i128,
            _ => i128::from(self.draw.bits()),
        };
        self.int(width, value)
    }
    /// The `nth` value of type `ty` in the part `from..to` of the scope.
    fn find(&self, ty: Type, from: usize, to: usize, nth: usize) -> Option<Value> {
        self.scope[from..to].iter().filter(|(t, _)| *t == ty).nth(nth).map(|(_, v)| *v)
    }
    fn count(&self, ty: Type, from: usize, to: usize) -> usize {
        self.scope[from..to].iter().filter(|(t, _)| *t == ty).count()
    }
    /// A value of type `ty` from the scope, preferably recent; otherwise a converted value or a constant.
    pub(super) fn operand(&mut self, ty: Type) -> Value {
        let whole = (0, self.scope.len());
        match self.draw.below(50) {
            0..=4 => return self.constant(ty),
            5 if self.wants(Knob::Undef, 60) => return self.editor.consts().undef(ty).into(),
            6 if self.wants(Knob::Poison, 60) => return self.editor.poison(ty),
            _ => {}
        }
        self.in_scope(ty, whole).or_else(|| self.converted(ty)).unwrap_or_else(|| self.constant(ty))
    }
    /// A value of type `ty` from a part of the scope.
    fn in_scope(&mut self, ty: Type, (from, to): (usize, usize)) -> Option<Value> {
        let count = self.count(ty, from, to);
        if count == 0 {
            return None;
        }
        let back = self.draw.below(count).min(self.draw.below(count));
        self.find(ty, from, to, count - 1 - back)
    }
    /// A value of another width, extended or truncated.
    fn converted(&mut self, ty: Type) -> Option<Value> {
        let width = ty.int_bits()?;
        let (other, value) = *self.scope.iter().rev().find(|(t, _)| *t != ty)?;
        let op = match other.int_bits()?.cmp(&width) {
            std::cmp::Ordering::Greater => CastOp::Trunc,
            std::cmp::Ordering::Less => self.draw.pick(&[CastOp::ZExt, CastOp::SExt]),
            std::cmp::Ordering::Equal => return Some(value),
        };
        let value = self.at().cast(op, value, ty, "");
        self.push(value);
        Some(value)
    }
    /// A value from before the innermost loop, or a constant.
    pub(super) fn invariant(&mut self, ty: Type) -> Value {
        let outer = self.before_loop();
        if self.draw.chance(65)
            && let Some(value) = self.in_scope(ty, (0, outer.0))
        {
            return value;
        }
        self.constant(ty)
    }
    /// A value that was in scope at `mark`, or a constant.
    pub(super) fn operand_before(&mut self, ty: Type, mark: Mark) -> Value {
        self.in_scope(ty, (0, mark.0)).unwrap_or_else(|| self.constant(ty))
    }
    /// A phi of type `ty` in the innermost loop's header.
    pub(super) fn recurring(&mut self, ty: Type) -> Option<Value> {
        let (from, to) = self.loops.last().map(|l| (l.outer.0, l.phis_end))?;
        self.in_scope(ty, (from, to.min(self.scope.len())))
    }

    // Instructions.

    /// A builder at the end of the current block.
    pub(super) fn at(&mut self) -> Builder<'_, 'w> {
        Builder::new(&mut self.editor, Position::End(self.block))
    }
    pub(super) fn insert(&mut self, data: InstData) -> Inst {
        self.editor.insert(Position::End(self.block), data)
    }
    /// Emits an operation and adds its result to the scope.
    pub(super) fn binary(&mut self, op: BinaryOp, left: Value, right: Value, flags: BinaryFlags) -> Value {
        let value = self.at().binary(op, left, right, flags, "");
        self.push(value);
        value
    }
    pub(super) fn icmp(&mut self, pred: IntPredicate, left: Value, right: Value) -> Value {
        let value = self.at().icmp(pred, left, right, "");
        self.push(value);
        value
    }
    /// Converts `value` to the integer type `ty`.
    pub(super) fn resized(&mut self, value: Value, ty: Type, up: CastOp) -> Value {
        let body = self.editor.body();
        let (Some(from), Some(to)) = (body.ty(value).int_bits(), ty.int_bits()) else { return value };
        match from.cmp(&to) {
            std::cmp::Ordering::Less => self.at().cast(up, value, ty, ""),
            std::cmp::Ordering::Greater => self.at().cast(CastOp::Trunc, value, ty, ""),
            std::cmp::Ordering::Equal => value,
        }
    }
    /// Emits a load.
    pub(super) fn load(&mut self, ty: Type, pointer: Value, align: Option<u64>) -> Value {
        let access = self.access(align, false);
        self.loaded(access, ty, pointer)
    }
    /// Emits a load with these properties.
    pub(super) fn loaded(&mut self, access: Box<MemAccess>, ty: Type, pointer: Value) -> Value {
        let inst = self.insert(InstData::new(InstKind::Load(access), ty, [pointer], []));
        self.describe(inst);
        if self.wants(Knob::Metadata, 12) {
            self.aside(|this| this.load_again(inst));
        }
        inst.into()
    }
    /// The properties of a memory access.
    pub(super) fn access(&mut self, align: Option<u64>, volatile: bool) -> Box<MemAccess> {
        Box::new(MemAccess { align, volatile, ..MemAccess::default() })
    }
    pub(super) fn call(&mut self, func: FuncId, args: &[Value]) -> Inst {
        let ty = self.env.funcs[func].ty;
        let result = self.env.types.signature(ty).map_or(Type::VOID, |s| s.0);
        let callee = self.editor.consts().global(Type::PTR, GlobalRef::Func(func));
        let operands = args.iter().copied().chain([callee.into()]);
        let kind = InstKind::Call(Box::new(CallInfo::plain(ty, args.len())));
        self.insert(InstData::new(kind, result, operands, []))
    }
    /// A call of the named intrinsic, with arguments and result of one integer type; `flag` becomes the last
    /// argument, if present.
    pub(super) fn intrinsic(&mut self, base: &str, args: &[Value], flag: Option<bool>) -> Value {
        let ty = self.editor.body().ty(args[0]);
        let name = format!("llvm.{base}.i{}", ty.int_bits().unwrap_or(1));
        let params = args.iter().map(|_| ty).chain(flag.map(|_| Type::I1)).collect::<Vec<_>>();
        let flag = flag.map(|f| self.editor.int(Int::bool(f)));
        let args: Vec<Value> = args.iter().copied().chain(flag).collect();
        let func = self.declare(&name, ty, &params, Vec::new());
        self.call(func, &args).into()
    }
    /// The function called `name`, declared if necessary.
    pub(super) fn declare(&mut self, name: &str, result: Type, params: &[Type], attrs: Vec<Attr>) -> FuncId {
        if let Some(func) = self.env.func_named(name) {
            return func;
        }
        let func = Function {
            name: name.into(),
            ty: self.env.types.function(result, params, false),
            linkage: Linkage::External,
            prefix_words: Vec::new(),
            cc: "".into(),
            ret_attrs: AttrList::default(),
            param_attrs: vec![AttrList::default(); params.len()],
            unnamed_addr: "".into(),
            addrspace: 0,
            attrs: AttrList { own: attrs, ..AttrList::default() },
            suffix: Vec::new(),
            metadata: Vec::new(),
            intrinsic: Intrinsic::from_function_name(name),
            asm: None,
        };
        let id = self.env.funcs.push(func);
        self.env.symbols.insert(name.into(), GlobalRef::Func(id));
        self.env.order.push(TopLevel::Func(id));
        id
    }
    /// Appends a new block.
    pub(super) fn new_block(&mut self, name: &str) -> Block {
        self.editor.add_block(Some(name))
    }
    /// Emits a return of values in scope.
    pub(super) fn ret(&mut self) {
        let types = self.returns.clone();
        let value = if let [ty] = *types {
            self.operand(ty)
        } else {
            let mut whole = self.editor.poison(self.return_type);
            for (i, ty) in types.into_iter().enumerate() {
                let member = self.operand(ty);
                let kind = InstKind::InsertValue([i as u32].into());
                whole = self.insert(InstData::new(kind, self.return_type, [whole, member], [])).into();
            }
            whole
        };
        self.at().ret(Some(value));
    }
}
