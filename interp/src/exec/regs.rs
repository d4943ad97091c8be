//! Registers of all frames. A register is a word and a mark: an integer or float of up to 64 bits without undefined
//! bits is its word alone, with mark [`PLAIN`], and can be copied and computed with as it is. A pointer's mark is its
//! provenance. What is rarer (partly undefined, wider than 64 bits, an aggregate) stands in a table beside, at the
//! register's own place, so that nothing piles up in loops.
//!
//! Words and marks have fixed-size windows ([`Window`]) from a frame's first register on, so that a 16-bit register
//! number needs no check. Registers of higher numbers exist too: [`Regs`] reaches all.

use crate::compile::op::Reg;
use crate::value::{Pointer, Prov, Val};

/// Marks an integer or float of up to 64 bits, fully defined.
pub(crate) const PLAIN: u32 = 0;
/// Marks poison; the word is 0.
pub(crate) const POISON: u32 = 1;
/// Marks a value that stands in the table beside; the word is 0.
pub(crate) const RARE: u32 = 2;
/// Marks from here on are pointers: the provenance follows.
const POINTER: u32 = 3;

/// How many registers a 16-bit number reaches.
pub(crate) const WINDOW: usize = 1 << 16;

/// The mark of a pointer.
#[inline]
pub(crate) fn pointer_mark(prov: Prov) -> u32 {
    prov.0 + POINTER
}

/// The provenance that a mark stands for, if it marks a pointer.
#[inline]
pub(crate) fn provenance(mark: u32) -> Option<Prov> {
    mark.checked_sub(POINTER).map(Prov)
}

/// The word and mark of a value; `None` if it needs a place in the table.
pub(crate) fn compact(value: &Val) -> Option<(u64, u32)> {
    match value {
        Val::Bits(bits) => Some((*bits, PLAIN)),
        Val::Ptr(ptr) => Some((ptr.addr, pointer_mark(ptr.prov))),
        Val::Poison => Some((0, POISON)),
        Val::Wide(_) | Val::Agg(_) => None,
    }
}

/// The registers of all frames, one frame behind the other.
#[derive(Debug, Default)]
pub(crate) struct Stack {
    pub(crate) words: Vec<u64>,
    pub(crate) marks: Vec<u32>,
    /// Values of registers marked [`RARE`], at the same places. Shorter than the others where none is needed.
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
    /// Copies a register's place in the table of rare values.
    #[cold]
    #[inline(never)]
    pub(crate) fn copy_rare(&mut self, dst: Reg, src: Reg) {
        copy_rare(self.rare, self.base + dst as usize, self.base + src as usize);
    }
}

/// What a new frame's registers hold.
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
    /// How many registers there are.
    pub(crate) fn len(&self) -> usize {
        self.words.len()
    }
    /// The word of a register that starts as plain.
    pub(crate) fn plain(&self, reg: Reg) -> Option<u64> {
        (self.marks[reg as usize] == PLAIN).then(|| self.words[reg as usize])
    }
}

impl Stack {
    /// Makes room for a frame; returns its first register's place.
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
    /// Drops the frame that starts at `base`.
    #[inline]
    pub(crate) fn pop(&mut self, base: usize) {
        self.top = base;
        if self.rare.len() > base {
            self.rare.truncate(base);
        }
    }
    /// Drops all frames.
    pub(crate) fn clear(&mut self) {
        self.pop(0);
    }
    /// The first registers of the frame at `base`. The frame has been pushed: there is room.
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
    /// The value at a place.
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

/// Puts a value into the table of rare ones.
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

/// The registers of one frame, for any value.
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
    /// Gives a register a value.
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
