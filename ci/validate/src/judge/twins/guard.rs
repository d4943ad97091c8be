//! Wraps pairs in a guard that no run passes, so that the solver alone judges the code.
//!
//! A guarded function has one more `i32` parameter and enters its code if the parameter, xored with one constant,
//! equals another. The inputs of runs do not pass that test; the solver inverts it. If the test fails, both functions
//! return the same value, so the guarded pair refines exactly if the plain pair does. If a header has attributes that
//! apply to each return (attributes of the result, `noreturn`, `initializes`), that return is replaced by `unreachable`
//! on both sides.

use crate::pair::Side;
use backedge_ir::attr::{Attr, FlagAttr};
use backedge_ir::module::Module;
use backedge_ir::parse::{named_globals, parse_module};
use backedge_ir::print::{function_to_string, module_to_string, type_to_string};

/// The constants of the test.
const GUARD: (u32, u32) = (0x5bd1_e995, 0x2545_f491);
/// The value of the new last parameter that passes the test.
pub const PASSING: u32 = GUARD.0 ^ GUARD.1;
/// The new parameter's name; must not clash with other names.
const KEY: &str = "backedge.key";

/// The modules of both sides with their function guarded; the function keeps its name. `None` if the parameter cannot
/// be added: to a variadic function, to one without a modelled body, or to one that names itself.
pub fn guarded(source: Side<'_>, target: Side<'_>) -> Option<[Module; 2]> {
    let may_return = [source, target].iter().all(|side| {
        let env = &side.module.env;
        let header = &env.funcs[side.func];
        let mut of_params = header.param_attrs.iter().flat_map(|list| env.attrs(list));
        let is_initialized =
            of_params.any(|attr| matches!(attr, Attr::Text(text) if text.starts_with("initializes(")));
        header.ret_attrs.is_empty() && !env.has_attr(&header.attrs, FlagAttr::NoReturn) && !is_initialized
    });
    let guard = |side| guarded_side(side, may_return);
    Some([guard(source)?, guard(target)?])
}

fn guarded_side(side: Side<'_>, returns: bool) -> Option<Module> {
    let (module, func) = (side.module, side.func);
    let body = module.body(func)?;
    let env = &module.env;
    let (ret, params, variadic) = env.types.signature(env.funcs[func].ty)?;
    let text = function_to_string(module, func);
    let (head, code) = text.split_once("{\n")?;
    let names_itself = named_globals(code).any(|(_, name)| name == side.name());
    if variadic || side.name().contains('"') || names_itself || text.contains(KEY) {
        return None;
    }
    let close = closing_bracket(head, head.find(&format!("@{}(", side.name()))? + side.name().len() + 1)?;
    let comma = if params.is_empty() { "" } else { ", " };
    let (before, after) = head.split_at(close);
    // Allocas at the start of the entry block stay there, where every engine and pass recognizes them as static.
    let entry = body.slots().block_label(body, body.entry()?).to_string();
    let code = code.strip_prefix(&format!("{entry}:\n")).unwrap_or(code);
    let is_static = |line: &&str| line.split_once(" = alloca ").is_some_and(|(_, rest)| !rest.contains('%'));
    let allocas: String = code.lines().take_while(is_static).map(|line| format!("{line}\n")).collect();
    let rest = &code[allocas.len()..];
    let ret = type_to_string(&env.types, ret);
    let otherwise = match (returns, ret.as_str()) {
        (false, _) => "unreachable".to_owned(),
        (true, "void") => "ret void".to_owned(),
        (true, ty) => format!("ret {ty} zeroinitializer"),
    };
    let (mix, key) = GUARD;
    let guarded = format!(
        "{before}{comma}i32 noundef %{KEY}{after}{{\n{allocas}  %{KEY}.mixed = xor i32 %{KEY}, {}
  %{KEY}.fits = icmp eq i32 %{KEY}.mixed, {}
  br i1 %{KEY}.fits, label %{entry}, label %{KEY}.other
{KEY}.other:
  {otherwise}
{entry}:
{rest}",
        mix.cast_signed(),
        key.cast_signed(),
    );
    // An unnamed new entry block would take the number of the old one.
    let guarded = guarded.replacen("{\n", &format!("{{\n{KEY}.entry:\n"), 1);
    let whole = module_to_string(module);
    if !whole.contains(&text) {
        return None;
    }
    parse_module(whole.replacen(&text, &guarded, 1).as_bytes()).ok().map(|parsed| parsed.module)
}

/// The position of the bracket that closes the one at `open`. Quoted text is skipped.
fn closing_bracket(text: &str, open: usize) -> Option<usize> {
    let (mut depth, mut quoted) = (0, false);
    for (at, byte) in text.bytes().enumerate().skip(open) {
        match byte {
            b'"' => quoted = !quoted,
            b'(' if !quoted => depth += 1,
            b')' if !quoted => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}
