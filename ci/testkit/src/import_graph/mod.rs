//! The imports between the modules of a crate, as a graph whose nodes are files, and its cycles.
//!
//! A path that leads through a re-export imports the file that defines the name, so a `mod.rs` that only re-exports its
//! parts imports nothing. A module may use its own submodules: that is no import. Test modules are ignored.
//!
//! Reads source files as tokens. Limits: a path that a macro builds is not seen, and neither is a method of a type, which
//! needs no import.

mod tokens;

use crate::files_with_extension;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use tokens::{Import, Source};

/// A module by its path in the crate; empty for the root.
type ModPath = Vec<String>;

/// The modules of a crate, and the paths by which each imports others.
pub struct ImportGraph {
    modules: BTreeMap<ModPath, Source>,
    files: BTreeMap<ModPath, String>,
    edges: BTreeMap<ModPath, BTreeMap<ModPath, BTreeSet<String>>>,
}

impl ImportGraph {
    /// The graph of the crate with its sources in `src`.
    pub fn of(src: &Path) -> Self {
        let (mut modules, mut files) = (BTreeMap::new(), BTreeMap::new());
        for file in files_with_extension(src, "rs") {
            let name = file.strip_prefix(src).expect("a file of the crate");
            let mut path: ModPath =
                name.with_extension("").iter().map(|n| n.to_string_lossy().into()).collect();
            if matches!(path.last().map(String::as_str), Some("mod" | "lib" | "main")) {
                path.pop();
            }
            let text = std::fs::read_to_string(&file).expect("a source file");
            let code = text.split("\n#[cfg(test)]").next().unwrap_or_default();
            modules.insert(path.clone(), Source::read(code));
            files.insert(path, name.display().to_string());
        }
        let mut graph = Self { modules, files, edges: BTreeMap::new() };
        graph.edges = graph.modules.keys().map(|from| (from.clone(), graph.imports_of(from))).collect();
        graph
    }

    /// The number of imports between files.
    pub fn len(&self) -> usize {
        self.edges.values().map(BTreeMap::len).sum()
    }

    /// Whether no file imports another.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The strongly connected components of more than one file, as sorted names of files.
    pub fn cycles(&self) -> Vec<Vec<String>> {
        let reached: BTreeMap<&ModPath, BTreeSet<&ModPath>> =
            self.modules.keys().map(|from| (from, self.reached_from(from))).collect();
        let mut cycles = BTreeSet::new();
        for (from, to) in &reached {
            let together = to.iter().filter(|to| reached[**to].contains(from));
            let cycle: BTreeSet<String> = together.map(|member| self.files[*member].clone()).collect();
            if cycle.len() > 1 {
                cycles.insert(cycle.into_iter().collect());
            }
        }
        cycles.into_iter().collect()
    }

    /// The imports between `files`, one a line.
    pub fn imports_between(&self, files: &[String]) -> String {
        let mut text = String::new();
        for (from, targets) in &self.edges {
            for (to, paths) in targets {
                let (from, to) = (&self.files[from], &self.files[to]);
                if files.contains(from) && files.contains(to) {
                    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
                    text += &format!("  {from} -> {to}: {}\n", paths.join(", "));
                }
            }
        }
        text
    }

    fn reached_from<'g>(&'g self, from: &'g ModPath) -> BTreeSet<&'g ModPath> {
        let mut reached = BTreeSet::new();
        let mut work = vec![from];
        while let Some(at) = work.pop() {
            work.extend(self.edges[at].keys().filter(|to| reached.insert(*to)));
        }
        reached
    }

    /// The modules that `from` imports, except its own submodules, and the paths by which it does.
    fn imports_of(&self, from: &ModPath) -> BTreeMap<ModPath, BTreeSet<String>> {
        let source = &self.modules[from];
        let mut found: BTreeMap<ModPath, BTreeSet<String>> = BTreeMap::new();
        let is_used = |import: &&Import| !import.is_exported || source.names.contains(&import.name);
        let imported = source.imports.iter().filter(is_used).map(|import| &import.path);
        for path in imported.chain(&source.paths) {
            let Some(to) = self.definition(from, path, &mut BTreeSet::new()) else { continue };
            // The import of a module imports nothing from it yet.
            let is_module =
                to.last() == path.last() && !self.modules[&to].defined.contains(&path[path.len() - 1]);
            if !is_module && !to.starts_with(from) {
                found.entry(to).or_default().insert(path.join("::"));
            }
        }
        found
    }

    /// The module that defines the item that `path` names in `module`; `None` if it is in another crate, or in `module`
    /// itself without a prefix. `seen` are the imports that were followed.
    fn definition(
        &self,
        module: &ModPath,
        path: &[String],
        seen: &mut BTreeSet<(ModPath, String)>,
    ) -> Option<ModPath> {
        let (first, rest) = path.split_first()?;
        match first.as_str() {
            "crate" => self.item(Vec::new(), rest, seen),
            "self" => self.item(module.clone(), rest, seen),
            "super" => {
                let ups = path.iter().take_while(|name| *name == "super").count();
                let above = module.len().checked_sub(ups)?;
                self.item(module[..above].to_vec(), &path[ups..], seen)
            }
            _ if self.modules[module].has_module(first) => self.item(module.clone(), path, seen),
            _ => self.imported(module, path, seen),
        }
    }

    /// [`Self::definition`] for a path whose first name `module` imports.
    fn imported(
        &self,
        module: &ModPath,
        path: &[String],
        seen: &mut BTreeSet<(ModPath, String)>,
    ) -> Option<ModPath> {
        let import = self.modules[module].imports.iter().find(|i| i.name == path[0] && i.path != path)?;
        if !seen.insert((module.clone(), path[0].clone())) {
            return None;
        }
        let full: Vec<String> = import.path.iter().chain(&path[1..]).cloned().collect();
        self.definition(module, &full, seen)
    }

    /// The module that defines the item `path` of `module`.
    fn item(
        &self,
        mut module: ModPath,
        mut path: &[String],
        seen: &mut BTreeSet<(ModPath, String)>,
    ) -> Option<ModPath> {
        while let Some((name, rest)) = path.split_first() {
            let source = self.modules.get(&module)?;
            let inner: ModPath = module.iter().chain([name]).cloned().collect();
            if source.children.contains(name) && self.modules.contains_key(&inner) {
                (module, path) = (inner, rest);
                continue;
            }
            if name == "*" || source.defined.contains(name) || source.inline.contains(name) {
                break;
            }
            if source.imports.iter().any(|i| i.name == *name) {
                return self.imported(&module, path, seen).or(Some(module));
            }
            let mut globs = source.imports.iter().filter(|i| i.name == "*");
            let through = globs.find_map(|glob| {
                let all = self.definition(&module, &glob.path[..glob.path.len() - 1], seen)?;
                self.modules[&all].defined.contains(name).then_some(all)
            });
            return through.or(Some(module));
        }
        self.modules.contains_key(&module).then_some(module)
    }
}
