//! The input of `backedge run` from the command line: a list of arguments, or the call of `@main` with program arguments.
//! Messages count arguments from 1, and name types and ranges.

use super::words::{Range, Rewriter, is_definition};
use backedge_interp::input::{ArgSpec, BlockSpec, Input, InputError, PointerBytes, shortened};
use backedge_interp::memory::Contents;
use backedge_ir::entity::FuncId;
use backedge_ir::module::Module;
use backedge_ir::print::type_to_string;
use backedge_ir::types::{Type, TypeKind};

/// The name of a program's first function.
const MAIN: &str = "main";

/// The arguments of a run.
pub(super) struct Arguments {
    pub(super) input: Input,
    /// The arguments as the user wrote them.
    words: Vec<String>,
    /// Whether it is a call of a program's @main.
    pub(super) is_program: bool,
}

impl Arguments {
    /// The arguments `words` of `func`: memory that they define may be among them. Messages begin with `origin`.
    pub(super) fn of_words(
        module: &Module,
        func: FuncId,
        words: Vec<String>,
        origin: &str,
    ) -> miette::Result<Self> {
        let layout = &module.env.layout;
        let mut rewriter = Rewriter::new(&words, layout.big_endian, (layout.pointer(0).bits / 8) as usize);
        let is_definition = |word: &&String| is_definition(word);
        let given = words.iter().filter(|word| !is_definition(word));
        let number = |word: &String| given.clone().position(|w| std::ptr::eq(w, word)).map(|at| at + 1);
        let mut items = Vec::new();
        for word in &words {
            let what = match number(word) {
                Some(number) => format!("{origin}argument {number} (`{}`)", shortened(word.trim())),
                None => format!("{origin}`{}`", shortened(word.trim())),
            };
            let item = rewriter.rewritten(word.trim()).map_err(|why| miette::miette!("{what}: {why}"))?;
            Input::parse(std::slice::from_ref(&item)).map(drop).or_else(|e| match e {
                // Seen again for the whole list.
                InputError::Numbering(_) => Ok(()),
                InputError::Range(_) => Err(miette::miette!("{what} is out of range: integers have at most 128 bits")),
                _ => Err(miette::miette!(
                    help = "values are 7, -1, 0xff, 1.5, true, poison, undef, null, {1, 2}; pointers to memory are \
                            i32[1,2,3], \"text\", ptr[\"text\", null], zeros:16, bytes:00ff, @global; see `backedge run --help`",
                    "{what} is not a value"
                )),
            })?;
            items.push(item);
        }
        items.extend(rewriter.definitions());
        let input = Input::parse(&items).map_err(|e| miette::miette!("{e}"))?;
        let arguments = Self { input, words: given.cloned().collect(), is_program: false };
        arguments.check_count(module, func)?;
        Ok(arguments)
    }

    /// The call `@main(argc, argv, envp)` for a program of the name `program` with the arguments `words`: as much of it as
    /// the function has parameters for. `None` if the function is not such a `@main`. The environment is empty.
    pub(super) fn of_program(module: &Module, func: FuncId, program: &str, words: &[String]) -> Option<Self> {
        let params = program_params(module, func)?;
        let pointer_bytes = (module.env.layout.pointer(0).bits / 8) as usize;
        let strings: Vec<&str> = std::iter::once(program).chain(words.iter().map(String::as_str)).collect();
        // Block 0 is argv, block 1 is envp, the strings follow.
        let pointer = |nth: usize| PointerBytes {
            at: nth * pointer_bytes,
            pointer: ArgSpec::Block { block: nth + 2, offset: 0 },
            first: 0,
            count: pointer_bytes as u8,
        };
        let mut argv = BlockSpec::new(Contents::zeroed((strings.len() + 1) * pointer_bytes));
        argv.pointers = (0..strings.len()).map(pointer).collect();
        let envp = BlockSpec::new(Contents::zeroed(pointer_bytes));
        let string = |text: &&str| BlockSpec::new(Contents::from_bytes(text.bytes().chain([0]).collect()));
        let blocks = [argv, envp].into_iter().chain(strings.iter().map(string)).collect();
        let block = |block| ArgSpec::Block { block, offset: 0 };
        let args = [ArgSpec::Int(strings.len() as i128), block(0), block(1)];
        let args = args.into_iter().take(params).collect();
        let blocks = if params < 2 { Vec::new() } else { blocks };
        Some(Self { input: Input { args, blocks, ..Input::default() }, words: Vec::new(), is_program: true })
    }

    fn check_count(&self, module: &Module, func: FuncId) -> miette::Result<()> {
        let (env, given) = (&module.env, self.input.args.len());
        let params = params(module, func);
        if given == params.len() {
            return Ok(());
        }
        let name = &env.funcs[func].name;
        let types: Vec<String> = params.iter().map(|ty| type_to_string(&env.types, *ty)).collect();
        let takes = match &*types {
            [] => "no arguments".to_owned(),
            [one] => format!("1 argument ({one})"),
            several => format!("{} arguments ({})", several.len(), several.join(", ")),
        };
        let are = if given == 1 { "is" } else { "are" };
        miette::bail!(
            help = "arguments come after the file, or as a list: --args 1,2",
            "@{name} takes {takes}, {given} {are} given"
        )
    }

    /// The message for an input that the interpreter refused.
    pub(super) fn refused(&self, module: &Module, func: FuncId, error: &InputError) -> miette::Report {
        let name = &module.env.funcs[func].name;
        let InputError::Mismatch { arg, spec } = error else {
            return miette::miette!("the arguments don't fit @{name}: {error}");
        };
        // As the user wrote it.
        let word = shortened(self.words.get(*arg).map_or(spec.as_str(), |word| word.trim()));
        let Some(ty) = params(module, func).get(*arg).copied() else {
            return miette::miette!("argument {} (`{word}`) does not fit @{name}", arg + 1);
        };
        let spelled = type_to_string(&module.env.types, ty);
        let what = format!("argument {} of @{name} is of type {spelled}", arg + 1);
        let help = match ty.kind() {
            TypeKind::Int(_) => "integers are 7, -1, 0xff, true, false, bits:0b1?0, poison, undef",
            TypeKind::Float(_) => "floats are 1.5, -2e3, inf, nan, 7, bits:0x7fc00000, poison, undef",
            TypeKind::Ptr(_) => {
                "pointers are null, i32[1,2,3], \"text\", ptr[\"text\", null], zeros:16, uninit:16, bytes:00ff, @global, arg0+4, block0, \
                 addr:0x10, poison, undef"
            }
            _ => "values of several members are {1, {2, poison}}, poison, undef",
        };
        match (ty.kind(), self.input.args.get(*arg)) {
            (TypeKind::Int(width), Some(ArgSpec::Int(_) | ArgSpec::Bits(_) | ArgSpec::Partial { .. })) => {
                let range = Range { width };
                miette::miette!("{what}: {word} is out of range, which is {range}")
            }
            _ => miette::miette!(help = help, "{what}: `{word}` is no such value"),
        }
    }
}

/// The types of the parameters.
fn params(module: &Module, func: FuncId) -> Vec<Type> {
    let env = &module.env;
    env.types.signature(env.funcs[func].ty).map(|(_, params, _)| params.to_vec()).unwrap_or_default()
}

/// The number of parameters of `func`, if it is `@main()`, `@main(i32)`, `@main(i32, ptr)` or `@main(i32, ptr, ptr)`.
fn program_params(module: &Module, func: FuncId) -> Option<usize> {
    if &*module.env.funcs[func].name != MAIN {
        return None;
    }
    let params = params(module, func);
    let fits = |(nth, ty): (usize, &Type)| match nth {
        0 => matches!(ty.kind(), TypeKind::Int(16..=64)),
        1 | 2 => ty.is_ptr(),
        _ => false,
    };
    params.iter().enumerate().all(fits).then_some(params.len())
}

/// The function of a program that is run without a choice.
pub(super) fn main_of(module: &Module) -> Option<FuncId> {
    let func = module.env.func_named(MAIN).filter(|func| module.body(*func).is_some())?;
    program_params(module, func).map(|_| func)
}
