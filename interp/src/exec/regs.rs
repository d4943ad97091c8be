//! Registers of all frames. A register is a word and a mark. A fully defined integer or float of up to 64 bits is its
//! word alone, with mark [`PLAIN`], and can be copied and used directly. A pointer's mark is its provenance. Rarer
//! values (partly undefined, wider than 64 bits, aggregates) are in a separate table, at the register's own index, so
//! that loops do not accumulate entries.
//!
//! Words and marks have fixed-size windows ([`Window`]) from a frame's first register on, so that a 16-bit register
//! number needs no bounds check. Registers with higher numbers exist too; [`Regs`] accesses all of them.

use crate::compile::reg::Reg;
use crate::value::{Pointer, Prov, Val};

/// Mark of a fully defined integer or float of up to 64 bits.
pub(crate) const PLAIN: u32 = 0;
/// Mark of poison; the word is 0.
pub(crate) const POISON: u32 = 1;
/// Mark of a value in the table of rare values; the word is 0.
pub(crate) const RARE: u32 = 2;
/// Marks from here on are pointers: the mark minus this is the provenance.
const POINTER: u32 = 3;

/// Number of registers that a 16-bit number addresses.
pub(crate) const WINDOW: usize = 1 << 16;

/// The mark of a pointer.
#[inline]
pub(crate) fn pointer_mark(prov: Prov) -> u32 {
    prov.0 + POINTER
}

/// The provenance encoded by a mark, if it marks a pointer.
#[inline]
pub(crate) fn provenance(mark: u32) -> Option<Prov> {
    mark.checked_sub(POINTER).map(Prov)
}

/// The word and mark of a value; `None` if it belongs in the table of rare values.
pub(crate) fn compact(value: &Val) -> Option<(u64, u32)> {
    match value {
        Val::Bits(bits) => Some((*bits, PLAIN)),
        Val::Ptr(ptr) => Some((ptr.addr, pointer_mark(ptr.prov))),
        Val::Poison => Some((0, POISON)),
        Val::Wide(_) | Val::Agg(_) => None,
    }
}

/// The registers of all frames; frames are adjacent.
#[derive(Debug, Default)]
pub(crate) struct Stack {
    pub(crate) words: Vec<u64>,
    pub(crate) marks: Vec<u32>,
    /// Values of registers marked [`RARE`], at the same indices. Shorter than the other vectors if no more entries
    /// are needed.
    pub(crate) rare: Vec<Val>,
    /// The end of the topmost frame.
    pub(crate) top: usize,
}

/// The first registers of a frame.
pub(crate) struct Window<'a> {
    pub(crate) words: &'a mut [u64; WINDOW],
    pub(crate) marks: &'a mut [u32; WINDOW],
    rare: &'a mut Vec<Val>,
    base: usize,
}

impl Window<'_> {
    /// Copies a register's entry in the table of rare values.
    #[cold]
    #[inline(never)]
    pub(crate) fn copy_rare(&mut self, dst: Reg, src: Reg) {
        copy_rare(self.rare, self.base + dst as usize, self.base + src as usize);
    }
}

/// Initial register contents of a frame.
#[derive(Debug, Default)]
pub(crate) struct Template {
    words: Vec<u64>,
    marks: Vec<u32>,
    rare: Vec<(Reg, Val)>,
}

impl Template {
    pub(crate) fn new(values: &[Val]) -> Self {
        let mut template = Self::default();
        for (reg, value) in values.iter().enumerate() {
            let (word, mark) = compact(value).unwrap_or((0, RARE));
            template.words.push(word);
            template.marks.push(mark);
            if mark == RARE {
                template.rare.push((reg as Reg, value.clone()));
            }
        }
        template
    }
    /// Number of registers.
    pub(crate) fn len(&self) -> usize {
        self.words.len()
    }
    /// The word of a register that is initially plain.
    pub(crate) fn plain(&self, reg: Reg) -> Option<u64> {
        (self.marks[reg as usize] == PLAIN).then(|| self.words[reg as usize])
    }
}

impl Stack {
    /// Pushes a frame; returns the index of its first register.
    #[inline]
    pub(crate) fn push(&mut self, template: &Template) -> usize {
        let base = self.top;
        self.top += template.len();
        let needed = (base + WINDOW).max(self.top);
        if self.words.len() < needed {
            self.grow(needed);
        }
        self.words[base..self.top].copy_from_slice(&template.words);
        self.marks[base..self.top].copy_from_slice(&template.marks);
        for (reg, value) in &template.rare {
            set_rare(&mut self.rare, base + *reg as usize, value.clone());
        }
        base
    }
    #[cold]
    fn grow(&mut self, needed: usize) {
        if self.words.is_empty() {
            // Fresh zeroed memory costs nothing until it is touched.
            (self.words, self.marks) = (vec![0; needed], vec![PLAIN; needed]);
        }
        self.words.resize(needed, 0);
        self.marks.resize(needed, PLAIN);
    }
    /// Pops the frame that starts at `base`.
    #[inline]
    pub(crate) fn pop(&mut self, base: usize) {
        self.top = base;
        if self.rare.len() > base {
            self.rare.truncate(base);
        }
    }
    /// Pops all frames.
    pub(crate) fn clear(&mut self) {
        self.pop(0);
    }
    /// The first registers of the frame at `base`. The frame must have been pushed, so there is enough storage.
    #[inline]
    pub(crate) fn window(&mut self, base: usize) -> Option<Window<'_>> {
        let words = self.words.get_mut(base..)?.first_chunk_mut()?;
        let marks = self.marks.get_mut(base..)?.first_chunk_mut()?;
        Some(Window { words, marks, rare: &mut self.rare, base })
    }
    /// The registers of the frame at `base`.
    pub(crate) fn regs(&mut self, base: usize) -> Regs<'_> {
        Regs { stack: self, base }
    }
    /// The value at an index.
    pub(crate) fn value(&self, place: usize) -> Val {
        let word = self.words[place];
        match self.marks[place] {
            PLAIN => Val::Bits(word),
            POISON => Val::Poison,
            RARE => self.rare.get(place).cloned().unwrap_or(Val::Poison),
            mark => Val::Ptr(Pointer { addr: word, prov: Prov(mark - POINTER) }),
        }
    }
}

/// Stores a value in the table of rare values.
pub(crate) fn set_rare(rare: &mut Vec<Val>, place: usize, value: Val) {
    if rare.len() <= place {
        rare.resize(place + 1, Val::Poison);
    }
    rare[place] = value;
}

fn copy_rare(rare: &mut Vec<Val>, to: usize, from: usize) {
    let value = rare.get(from).cloned().unwrap_or(Val::Poison);
    set_rare(rare, to, value);
}

/// All registers of one frame.
#[derive(Debug)]
pub(crate) struct Regs<'a> {
    stack: &'a mut Stack,
    base: usize,
}

impl Regs<'_> {
    /// The value of a register.
    #[inline]
    pub(crate) fn get(&self, reg: Reg) -> Val {
        self.stack.value(self.base + reg as usize)
    }
    /// Sets a register.
    #[inline]
    pub(crate) fn set(&mut self, reg: Reg, value: Val) {
        let place = self.base + reg as usize;
        let (word, mark) = compact(&value).unwrap_or((0, RARE));
        (self.stack.words[place], self.stack.marks[place]) = (word, mark);
        if mark == RARE {
            set_rare(&mut self.stack.rare, place, value);
        }
    }
    /// Copies one register to another.
    pub(crate) fn copy(&mut self, dst: Reg, src: Reg) {
        let (to, from) = (self.base + dst as usize, self.base + src as usize);
        self.stack.words[to] = self.stack.words[from];
        self.stack.marks[to] = self.stack.marks[from];
        if self.stack.marks[to] == RARE {
            copy_rare(&mut self.stack.rare, to, from);
        }
    }
}
