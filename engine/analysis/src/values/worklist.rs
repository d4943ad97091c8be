//! A set of small numbers with removal of the least: a bit vector, and a lower bound of the first nonempty word.

/// The set.
#[derive(Debug)]
pub(super) struct Worklist {
    words: Vec<u64>,
    /// All words before this one are empty.
    first: usize,
}

impl Worklist {
    /// All numbers below `count`, or none of them.
    pub(super) fn new(count: usize, all: bool) -> Self {
        let mut this = Self { words: vec![0; count.div_ceil(64)], first: 0 };
        if all {
            (0..count).for_each(|i| this.words[i / 64] |= 1 << (i % 64));
        }
        this
    }
    /// Adds `number`, which must be below `count`.
    pub(super) fn insert(&mut self, number: u32) {
        let word = number as usize / 64;
        self.words[word] |= 1 << (number % 64);
        self.first = self.first.min(word);
    }
    /// Removes the least number.
    pub(super) fn pop_first(&mut self) -> Option<u32> {
        while self.first < self.words.len() {
            let word = &mut self.words[self.first];
            if *word != 0 {
                let bit = word.trailing_zeros();
                *word &= *word - 1;
                return Some(self.first as u32 * 64 + bit);
            }
            self.first += 1;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::Worklist;

    #[test]
    fn the_least_comes_first() {
        let mut all = Worklist::new(130, true);
        assert_eq!(
            (0..130).map(|_| all.pop_first()).collect::<Vec<_>>(),
            (0..130).map(Some).collect::<Vec<_>>()
        );
        assert_eq!(all.pop_first(), None);
        all.insert(129);
        all.insert(64);
        assert_eq!(all.pop_first(), Some(64));
        all.insert(3);
        all.insert(3);
        assert_eq!([all.pop_first(), all.pop_first(), all.pop_first()], [Some(3), Some(129), None]);
    }
}
