//! Compiles calls of intrinsics, calls of functions, and calls through pointers.

use super::builder::Builder;
use super::class::{Class, classify};
use super::op::{BundleOp, CallOp, Callee, EdgeId, FastCallOp, IntrinsicOp, LaneOp, Op, PassOp, ScalarOp};
use super::reg::Reg;
use super::{constrained, signature};
use crate::exec::RETURNED_AS_ANOTHER_TYPE;
use crate::facts::Facts;
use crate::layout::Shape;
use crate::modelled;
use crate::outcome::Feature;
use crate::value::Val;
use backedge_ir::attr::FlagAttr;
use backedge_ir::entity::{FuncId, Inst};
use backedge_ir::inst::{CallInfo, CallView, FastMath, InstData, TailKind, Value};
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::meaning::bundle::BundleTag;
use backedge_ir::meaning::{Modelled, library};
use backedge_ir::print::call_types_to_string;
use backedge_ir::types::Type;

impl Builder<'_> {
    pub(super) fn emit_call(
        &mut self,
        inst: Inst,
        data: &InstData,
        info: &CallInfo,
        invoke: Option<(EdgeId, EdgeId)>,
    ) -> Result<(), Feature> {
        let Some(view) = data.call() else { return Ok(()) };
        let callee = self.called_function(view.callee());
        let env = &self.program.module.env;
        if let Some(tag) = self.unmodelled_bundle(view, callee.and_then(|f| env.funcs[f].intrinsic)) {
            return Err(Feature::Bundle(tag.to_owned()));
        }
        if library::replaces_argument(self.program.module, self.func, self.body, inst) {
            return Err(Feature::Other(
                "`byval` or `dead_on_return` on an argument of a function that LLVM knows",
            ));
        }
        if let Some((func, which)) = callee.and_then(|f| Some((f, env.funcs[f].intrinsic?))) {
            let args = self.pass_arguments(inst, view, func)?;
            self.emit_intrinsic(inst, data, which, &args)?;
            self.emit_result_checks(inst, data, func, &args)?;
            if let Some((normal, _)) = invoke {
                self.push(inst, Op::Br(normal));
            }
            return Ok(());
        }
        let named = callee.map(|f| (f, &env.funcs[f].name));
        if let Some((func, name)) = named.filter(|(_, n)| n.starts_with("llvm.")) {
            if !name.starts_with(constrained::PREFIX) {
                return Err(Feature::Intrinsic(name.to_string()));
            }
            let args = self.pass_arguments(inst, view, func)?;
            self.emit_constrained(inst, data, name, &args)?;
            self.emit_result_checks(inst, data, func, &args)?;
            if let Some((normal, _)) = invoke {
                self.push(inst, Op::Br(normal));
            }
            return Ok(());
        }
        let convention = |cc: &str| if cc == "ccc" { String::new() } else { cc.to_owned() };
        if callee.is_some_and(|f| convention(&env.funcs[f].cc) != convention(&info.cc)) {
            return Err(Feature::Other("a call with another calling convention than its callee's"));
        }
        let shapes: Result<Vec<_>, _> = view.args().iter().map(|a| self.shape_of(*a)).collect();
        let target = match callee {
            Some(func) => Callee::Func(func),
            None => Callee::Pointer(self.reg(view.callee())?),
        };
        let op = CallOp {
            dst: self.dst(inst),
            callee: target,
            library: library::called(self.program.module, self.func, self.body, inst),
            result_used: self.body.code_uses(inst.into()).next().is_some(),
            args: self.regs_of(view.args())?,
            arg_shapes: shapes?.into(),
            arg_facts: std::iter::zip(&info.arg_attrs, view.args())
                .map(|(l, a)| self.facts(l, self.body.ty(*a)))
                .collect(),
            captured: info.arg_attrs.iter().map(|l| signature::may_capture(env, l)).collect(),
            ret: signature::result_shape(env, data.ty)?,
            ret_facts: self.facts(&info.ret_attrs, data.ty),
            ret_metadata: self.metadata_facts(data),
            ret_noalias: env.has_attr(&info.ret_attrs, FlagAttr::NoAlias),
            returned: signature::returned(env, &info.arg_attrs),
            effects: signature::effects(env, &info.fn_attrs),
            fn_ty: info.fn_ty,
            more: call_types_to_string(env, self.body, view).into(),
            musttail: info.tail == TailKind::MustTail,
            invoke,
        };
        let fast = self.fast_call(&op, data.evaluated(info.fast))?;
        self.push(inst, Op::Call(Box::new(op)));
        if let Some(fast) = fast {
            self.push(inst, Op::FastCall(Box::new(fast)));
        }
        Ok(())
    }
    /// The fast-math flags of a call. LangRef, "Fast-Math Flags": the result is poison if the flags exclude an
    /// argument or the result.
    fn fast_call(&self, op: &CallOp, fast: FastMath) -> Result<Option<FastCallOp>, Feature> {
        if fast.is_empty() {
            return Ok(None);
        }
        let is_float = |shape: &Shape| matches!(shape.element(), Shape::Float(_));
        let Some(shape) = op.ret.clone().filter(is_float) else {
            return Err(Feature::Other("fast-math flags of a call whose result is an aggregate"));
        };
        if op.invoke.is_some() || op.musttail {
            return Err(Feature::Other("fast-math flags or `!fpmath` of an invoke or of a musttail call"));
        }
        let args: Vec<_> = std::iter::zip(&op.args, &op.arg_shapes)
            .filter(|(_, shape)| is_float(shape))
            .map(|(reg, shape)| (*reg, shape.clone()))
            .collect();
        let excludes = fast.contains(FastMath::NNAN) || fast.contains(FastMath::NINF);
        if excludes && args.iter().any(|(_, shape)| !matches!(shape, Shape::Float(_))) {
            return Err(Feature::Other("fast-math flags of a call with a vector of floats"));
        }
        Ok(Some(FastCallOp { dst: op.dst, shape, fast, args: args.into() }))
    }
    /// Registers of an intrinsic's value arguments, after applying the attributes of the call and of the declaration.
    fn pass_arguments(
        &mut self,
        inst: Inst,
        view: CallView<'_>,
        func: FuncId,
    ) -> Result<Vec<Option<Reg>>, Feature> {
        let declared = &self.program.module.env.funcs[func].param_attrs;
        let mut regs = Vec::with_capacity(view.args().len());
        for (i, &arg) in view.args().iter().enumerate() {
            let ty = self.body.ty(arg);
            if ty == Type::METADATA {
                regs.push(None);
                continue;
            }
            let from = self.reg(arg)?;
            let lists = [view.info.arg_attrs.get(i), declared.get(i)];
            let [at_call, at_callee] = lists.map(|list| list.and_then(|l| self.facts(l, ty)));
            regs.push(Some(match merge(at_call, at_callee) {
                None => from,
                Some(facts) => {
                    let (to, shape) = (self.new_reg(Val::Poison), self.shape(ty)?);
                    self.push(inst, Op::Pass(Box::new(PassOp { from, to, facts: *facts, shape })));
                    to
                }
            }));
        }
        Ok(regs)
    }
    fn emit_intrinsic(
        &mut self,
        inst: Inst,
        data: &InstData,
        which: Intrinsic,
        regs: &[Option<Reg>],
    ) -> Result<(), Feature> {
        let args = || regs.iter().copied().flatten().collect::<Box<[Reg]>>();
        let Some(view) = data.call() else { return Ok(()) };
        let env = &self.program.module.env;
        match classify(which) {
            Class::Nothing => return Ok(()),
            Class::Unknown => return Err(Feature::Intrinsic(which.name().to_owned())),
            Class::Lanes => {
                let elem = self.shape(data.ty)?.element().clone();
                let args = args();
                let op = ScalarOp::Intrinsic { which, shape: elem, fast: data.evaluated(view.info.fast) };
                let lanes = self.lanes(data.ty);
                self.push(inst, Op::Lanes(Box::new(LaneOp { dst: self.dst(inst), args, op, lanes })));
            }
            Class::Special => {
                // The operand of this intrinsic is metadata.
                let values = if which == Intrinsic::AllowRuntimeCheck { &[] } else { view.args() };
                let shapes: Result<Vec<_>, _> = values.iter().map(|a| self.shape_of(*a)).collect();
                let mut bundles = Vec::new();
                for (bundle, operands) in view.bundles() {
                    let operands = self.regs_of(operands)?;
                    bundles.push(BundleOp { tag: bundle.tag.clone(), operands });
                }
                let op = IntrinsicOp {
                    which,
                    dst: self.dst(inst),
                    args: if values.is_empty() { Box::default() } else { args() },
                    shapes: shapes?.into(),
                    aligns: view.info.arg_attrs.iter().map(|l| self.stated_align(l)).collect(),
                    ret: signature::result_shape(env, data.ty)?,
                    fast: data.evaluated(view.info.fast),
                    bundles: bundles.into(),
                };
                self.push(inst, Op::Intrinsic(Box::new(op)));
            }
        }
        Ok(())
    }
    /// Applies all facts about the result of an intrinsic's call: `returned`, attributes at the call and at the
    /// declaration, and metadata.
    fn emit_result_checks(
        &mut self,
        inst: Inst,
        data: &InstData,
        func: FuncId,
        args: &[Option<Reg>],
    ) -> Result<(), Feature> {
        let env = &self.program.module.env;
        let (Some(view), Some(shape)) = (data.call(), signature::result_shape(env, data.ty)?) else {
            return Ok(());
        };
        let declared = &env.funcs[func];
        let returned = signature::returned(env, &view.info.arg_attrs)
            .or_else(|| signature::returned(env, &declared.param_attrs));
        if let Some(i) = returned {
            if view.args().get(i).is_none_or(|arg| self.body.ty(*arg) != data.ty) {
                return Err(Feature::Other(RETURNED_AS_ANOTHER_TYPE));
            }
            if let Some(arg) = args.get(i).copied().flatten() {
                self.push(inst, Op::Returned(self.dst(inst), arg, Box::new(shape.clone())));
            }
        }
        let lists = [&view.info.ret_attrs, &declared.ret_attrs];
        let [at_call, at_callee] = lists.map(|list| self.facts(list, data.ty));
        for facts in [merge(at_call, at_callee), self.metadata_facts(data)].into_iter().flatten() {
            self.push(inst, Op::Check(self.dst(inst), Box::new((*facts, shape.clone()))));
        }
        Ok(())
    }
}

/// The conjunction of both facts.
fn merge(a: Option<Box<Facts>>, b: Option<Box<Facts>>) -> Option<Box<Facts>> {
    match (a, b) {
        (Some(a), Some(b)) => Some(Box::new(a.and(*b))),
        (a, b) => a.or(b),
    }
}

impl Builder<'_> {
    /// The tag of an operand bundle that the interpreter does not model. Guards and deoptimizations end the run, and
    /// their bundles describe the state after it, so these are accepted.
    fn unmodelled_bundle<'v>(&self, view: CallView<'v>, intrinsic: Option<Intrinsic>) -> Option<&'v str> {
        if matches!(intrinsic, Some(Intrinsic::ExperimentalGuard | Intrinsic::ExperimentalDeoptimize)) {
            return None;
        }
        let on_assume = intrinsic == Some(Intrinsic::Assume);
        let is_modelled = |tag: &str, operands: &[Value]| {
            BundleTag::from_name(tag).is_some_and(|tag| {
                let types: Vec<Type> = operands.iter().map(|operand| self.body.ty(*operand)).collect();
                modelled::bundle(tag, on_assume) == Modelled::Yes && (!on_assume || tag.takes(&types))
            })
        };
        let mut bundles = view.bundles().map(|(bundle, operands)| (&*bundle.tag, operands));
        bundles.find(|(tag, operands)| !is_modelled(tag, operands)).map(|(tag, _)| tag)
    }
}
