//! Messages for an input that does not fit the parameters of a function: which parameter, its type, and the values
//! that it takes.

use backedge_interp::input::{InputError, shortened};
use backedge_ir::body::Body;
use backedge_ir::entity::{Arg, FuncId};
use backedge_ir::module::Module;
use backedge_ir::print::{BodyPrinter, type_to_string};
use backedge_ir::types::{Type, TypeKind};

/// The report for `error`, which the input `words` causes: the arguments as the user wrote them.
pub(crate) fn report(module: &Module, func: FuncId, words: &[&str], error: &InputError) -> miette::Report {
    let name = &module.env.funcs[func].name;
    let params = module.body(func).map(|body| Params { module, body });
    match error {
        InputError::Mismatch { arg, .. } => {
            let word = shortened(words.get(*arg).unwrap_or(&"").trim());
            let number = arg + 1;
            let param = params.as_ref().and_then(|params| params.get(*arg));
            let Some((param, ty, values)) = param else {
                return miette::miette!("argument {number} (`{word}`) does not fit its parameter of @{name}");
            };
            let help = format!("{ty} takes {values}");
            miette::miette!(
                help = help,
                "argument {number} (`{word}`) does not fit parameter {param} of @{name}, which is of type {ty}"
            )
        }
        InputError::Count { given, .. } => {
            let list = params.map(|params| params.list()).unwrap_or_default();
            let given = if *given == 0 { "no argument is given".to_owned() } else { counted(*given) };
            let help = match list.len() {
                0 => "leave out --args".to_owned(),
                _ => format!("--args takes a value for each, separated by commas: {}", list.join(", ")),
            };
            miette::miette!(help = help, "@{name} has {} parameters, and {given}", list.len())
        }
        other => miette::miette!("the arguments don't fit @{name}: {other}"),
    }
}

fn counted(given: usize) -> String {
    if given == 1 { "1 argument is given".to_owned() } else { format!("{given} arguments are given") }
}

/// The parameters of a function.
struct Params<'m> {
    module: &'m Module,
    body: &'m Body,
}

impl Params<'_> {
    /// Name and type of each parameter.
    fn list(&self) -> Vec<String> {
        let one = |param: Arg| {
            let (name, ty) = self.named(param);
            format!("{ty} {name}")
        };
        self.body.args().map(one).collect()
    }

    fn named(&self, param: Arg) -> (String, String) {
        let env = &self.module.env;
        let name = BodyPrinter::new(env, self.body).operand(param.into());
        (name, type_to_string(&env.types, self.body.ty(param.into())))
    }

    /// Name, type and values of parameter number `index`, from 0.
    fn get(&self, index: usize) -> Option<(String, String, String)> {
        let param = self.body.args().nth(index)?;
        let (name, ty) = self.named(param);
        Some((name, ty, values(self.body.ty(param.into()))))
    }
}

/// The values that a parameter of type `ty` takes, in words.
fn values(ty: Type) -> String {
    match ty.kind() {
        TypeKind::Int(1) => "true, false, undef and poison".to_owned(),
        TypeKind::Int(width @ 2..=127) => {
            let (low, high) = (-(1_i128 << (width - 1)), ((1_u128 << width) - 1).to_string());
            format!("integers from {low} to {high}, undef and poison")
        }
        TypeKind::Int(_) => "integers, undef and poison".to_owned(),
        TypeKind::Float(_) => {
            "numbers such as 1.5, bits:0x3fc00000 for a bit pattern, undef and poison".to_owned()
        }
        TypeKind::Ptr(_) => {
            "null, zeros:16 or bytes:00ff for a new buffer, @name for a global, undef and poison".to_owned()
        }
        TypeKind::Compound(_) => "its members in braces, such as {1, 2}, undef and poison".to_owned(),
        TypeKind::Void | TypeKind::Label | TypeKind::Metadata | TypeKind::Token => "no value".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::values;
    use backedge_ir::types::Type;

    #[test]
    fn ranges_are_those_of_signed_and_unsigned_values() {
        assert_eq!(values(Type::I8), "integers from -128 to 255, undef and poison");
        assert_eq!(values(Type::int(127)).split(' ').nth(2), Some("-85070591730234615865843651857942052864"));
        assert_eq!(values(Type::int(128)), "integers, undef and poison");
    }
}
