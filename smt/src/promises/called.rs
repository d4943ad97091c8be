//! The calls of a body, with their effects.

use super::captures::{Captures, Components};
use backedge_ir::attr::{Attr, FlagAttr, MemoryEffects, ModRef};
use backedge_ir::body::Body;
use backedge_ir::entity::{Block, EntitySet, FuncId, Inst};
use backedge_ir::inst::{InstKind, MemAccess, Value};
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::meaning::library;
use backedge_ir::meaning::library::{Known, Library};
use backedge_ir::module::{Code, Env, Module};
use backedge_ir::opcode::AtomicOrdering;
use backedge_ir::types::TypeKind;

/// A call as described by its attributes.
#[derive(Clone, Debug)]
pub(super) struct Called {
    pub(super) inst: Inst,
    pub(super) func: Option<FuncId>,
    pub(super) intrinsic: Option<Intrinsic>,
    /// An intrinsic that returns, makes no callbacks, frees nothing, and only accesses the memory of its arguments.
    pub(super) plain: bool,
    /// The call is recursive.
    pub(super) is_self: bool,
    /// The called library function, if its behavior is known.
    pub(super) library: Option<Library>,
    /// The callee is declared, and is neither an intrinsic nor a library function.
    is_foreign: bool,
    /// The callee is named and has no body.
    is_declared: bool,
    /// Number of arguments.
    pub(super) args: usize,
    pub(super) memory: MemoryEffects,
}

/// The calls of a body.
#[derive(Debug)]
pub(super) struct Calls<'m> {
    pub(super) env: &'m Env,
    body: &'m Body,
    /// The calls that may execute.
    pub(super) list: Vec<Called>,
    /// The instructions that may execute.
    pub(super) live: EntitySet<Inst>,
    /// Whether a parameter is a copy of memory.
    has_copies: bool,
}

impl<'m> Calls<'m> {
    pub(super) fn new(module: &'m Module, func: FuncId, body: &'m Body) -> Self {
        let env = &module.env;
        let params = env.funcs[func].param_attrs.iter().flat_map(|list| env.attrs(list));
        let has_copies = params.into_iter().any(|attr| matches!(attr, Attr::Type(..)));
        let mut calls = Self { env, body, list: Vec::new(), live: live(env, body), has_copies };
        for inst in body.all_insts().filter(|i| calls.live.contains(*i)).collect::<Vec<_>>() {
            let Some(view) = body.inst(inst).call() else { continue };
            let callee = body.called_function(view.callee());
            let intrinsic = callee.and_then(|f| env.funcs[f].intrinsic);
            let plain = intrinsic.is_some_and(is_plain);
            let known = library::called(module, func, body, inst);
            let lists = [Some(&view.info.fn_attrs), callee.map(|f| &env.funcs[f].attrs)];
            let stated = lists
                .into_iter()
                .flatten()
                .filter_map(|l| env.memory_effects(l))
                .reduce(MemoryEffects::intersect);
            let unstated =
                if plain { plain_effects(intrinsic) } else { MemoryEffects::all(ModRef::READ_WRITE) };
            // An operand bundle may have any effect.
            let bundled = !view.info.bundles.is_empty() && intrinsic != Some(Intrinsic::Assume);
            let memory =
                if bundled { MemoryEffects::all(ModRef::READ_WRITE) } else { stated.unwrap_or(unstated) };
            calls.list.push(Called {
                inst,
                func: callee,
                intrinsic,
                plain,
                is_self: callee == Some(func),
                library: match &known {
                    Some(Known::Function(which)) => Some(*which),
                    Some(Known::Unmodelled) | None => None,
                },
                is_declared: callee.is_some_and(|f| matches!(module.code[f], Code::Declaration)),
                is_foreign: intrinsic.is_none()
                    && known.is_none()
                    && callee.is_some_and(|f| {
                        matches!(module.code[f], Code::Declaration) && !env.funcs[f].name.starts_with("llvm.")
                    }),
                args: view.info.arg_count(),
                memory,
            });
        }
        calls
    }
    pub(super) fn of(&self, inst: Inst) -> Option<&Called> {
        self.list.iter().find(|c| c.inst == inst)
    }
    /// The instructions that may execute, in order.
    pub(super) fn live_insts<'c>(&'c self, body: &'c Body) -> impl Iterator<Item = Inst> + 'c {
        body.all_insts().filter(|inst| self.live.contains(*inst))
    }
    /// Whether the call or its callee has the flag.
    pub(super) fn has(&self, called: &Called, flag: FlagAttr) -> bool {
        let site = self.body.inst(called.inst).call().map(|view| &view.info.fn_attrs);
        let lists = [site, called.func.map(|f| &self.env.funcs[f].attrs)];
        lists.into_iter().flatten().any(|list| self.env.has_attr(list, flag))
    }
    /// The attributes of an argument and of its parameter.
    fn of_argument(&self, called: &Called, index: usize) -> impl Iterator<Item = &Attr> {
        let site = self.body.inst(called.inst).call().and_then(|view| view.info.arg_attrs.get(index));
        let lists = [site, called.func.and_then(|f| self.env.funcs[f].param_attrs.get(index))];
        lists.into_iter().flatten().flat_map(|list| self.env.attrs(list))
    }
    /// Whether an argument or its parameter has a flag.
    pub(super) fn argument_has(&self, called: &Called, index: usize, flag: FlagAttr) -> bool {
        self.of_argument(called, index).any(|attr| *attr == Attr::Flag(flag))
    }
    /// The components that a call may capture of its pointer argument at `index`.
    pub(super) fn captures(&self, called: &Called, index: usize) -> Captures {
        let stated =
            self.of_argument(called, index).filter_map(Captures::of).fold(Captures::ALL, Captures::and);
        let ret = self.body.inst(called.inst).ty;
        // Only the result can carry the pointer out of the call.
        let keeps_nowhere = !called.memory.any().writes && self.has(called, FlagAttr::NoUnwind);
        let holds_pointer = match ret.kind() {
            TypeKind::Void => false,
            TypeKind::Int(bits) => bits >= self.env.layout.pointer(0).bits,
            _ => true,
        };
        stated.and(Captures {
            ret: if keeps_nowhere && !holds_pointer { Components::ADDRESS } else { Components::ALL },
            other: if keeps_nowhere { Components::ADDRESS } else { Components::ALL },
        })
    }
    /// Whether the callee is only declared in the module and may do everything that its attributes allow.
    pub(super) fn is_foreign(&self, called: &Called) -> bool {
        called.is_foreign
    }
    /// Whether the callee is named and has no body.
    pub(super) fn is_declared(&self, called: &Called) -> bool {
        called.is_declared
    }
    /// Whether a memory intrinsic is volatile.
    pub(super) fn is_volatile(&self, called: &Called) -> bool {
        let flag = self.body.inst(called.inst).operands.get(3);
        flag.and_then(|v| self.body.as_int(*v)).is_none_or(|i| i.bits() != 0)
    }
    pub(super) fn is_load(&self, inst: Inst) -> bool {
        matches!(self.body.inst(inst).kind, InstKind::Load(_))
    }
    /// Whether parameters point to copies that the function owns.
    pub(super) fn has_copied_parameters(&self) -> bool {
        self.has_copies
    }
    pub(super) fn result_has(&self, called: &Called, flag: FlagAttr) -> bool {
        let site = self.body.inst(called.inst).call().map(|view| &view.info.ret_attrs);
        let lists = [site, called.func.map(|f| &self.env.funcs[f].ret_attrs)];
        lists.into_iter().flatten().any(|list| self.env.has_attr(list, flag))
    }
}

/// Intrinsics that return, make no callbacks, free nothing and only access the memory of their arguments.
fn is_plain(intrinsic: Intrinsic) -> bool {
    use Intrinsic as I;
    matches!(
        intrinsic,
        I::Abs
            | I::UMin
            | I::UMax
            | I::SMin
            | I::SMax
            | I::UCmp
            | I::SCmp
            | I::UAddWithOverflow
            | I::SAddWithOverflow
            | I::USubWithOverflow
            | I::SSubWithOverflow
            | I::UMulWithOverflow
            | I::SMulWithOverflow
            | I::UAddSat
            | I::SAddSat
            | I::USubSat
            | I::SSubSat
            | I::UShlSat
            | I::SShlSat
            | I::Ctpop
            | I::Ctlz
            | I::Cttz
            | I::BSwap
            | I::BitReverse
            | I::FShl
            | I::FShr
            | I::Expect
            | I::ExpectWithProbability
            | I::Assume
            | I::DoNothing
            | I::NoAliasScopeDecl
            | I::SsaCopy
            | I::LifetimeStart
            | I::LifetimeEnd
            | I::Memcpy
            | I::Memmove
            | I::Memset
            | I::MaskedLoad
            | I::MaskedStore
            | I::DbgDeclare
            | I::DbgValue
            | I::DbgAssign
            | I::DbgLabel
            | I::FAbs
            | I::FMa
            | I::FMulAdd
            | I::Sqrt
            | I::Floor
            | I::Ceil
            | I::FTrunc
            | I::Rint
            | I::NearbyInt
            | I::Round
            | I::RoundEven
            | I::CopySign
            | I::MinNum
            | I::MaxNum
            | I::Minimum
            | I::Maximum
    )
}

/// The memory effects of plain intrinsics. The declared effects of `assume` and similar intrinsics are unobservable
/// writes that only keep them in place.
fn plain_effects(intrinsic: Option<Intrinsic>) -> MemoryEffects {
    use Intrinsic as I;
    let argmem = match intrinsic {
        Some(I::Memcpy | I::Memmove) => ModRef::READ_WRITE,
        Some(I::Memset | I::MaskedStore) => ModRef::WRITE,
        Some(I::MaskedLoad) => ModRef::READ,
        _ => ModRef::NONE,
    };
    MemoryEffects { argmem, ..MemoryEffects::all(ModRef::NONE) }
}

/// The instructions that may execute: those after an `llvm.assume` of false do not.
fn live(env: &Env, body: &Body) -> EntitySet<Inst> {
    let (mut live, mut seen) = (EntitySet::new(), EntitySet::new());
    let mut work: Vec<Block> = body.entry().into_iter().collect();
    let is_false = |value: Value| body.as_int(value).is_some_and(|i| i.bits() == 0);
    while let Some(block) = work.pop() {
        if !seen.insert(block) {
            continue;
        }
        for &inst in body.insts(block) {
            live.insert(inst);
            let data = body.inst(inst);
            let callee = data.call().and_then(|view| body.called_function(view.callee()));
            if callee.is_some_and(|f| env.funcs[f].intrinsic == Some(Intrinsic::Assume))
                && is_false(data.operands[0])
            {
                break;
            }
            work.extend(data.blocks.iter().copied().filter(|_| data.kind.is_terminator()));
        }
    }
    live
}

pub(super) fn is_ordered(access: &MemAccess) -> bool {
    access.volatile || access.ordering.is_some_and(|o| o != AtomicOrdering::Unordered)
}
