//! The cost table as keys and values, for machine-readable remarks.

use super::{Table, What};

impl What {
    /// Suffix of the keys of a row.
    fn key(self) -> String {
        match self {
            Self::Rounds(factor) => format!("X{factor}"),
            Self::Full(_) => "All".to_owned(),
            Self::Peeled(count) => format!("Peeled{count}"),
            Self::PeeledLast => "PeeledLast".to_owned(),
            Self::Split => "Split".to_owned(),
        }
    }
}

impl Table {
    /// The machine, then cost and branches per iteration and code size of each row (the unchanged loop is first, as
    /// `X1`), then the best row: in the order and with the words of the table's text.
    pub fn keyed(&self) -> Vec<(String, String)> {
        let pair = |key: &str, value: String| (key.to_owned(), value);
        let tenths = |n: u32| format!("{}.{}", n / 10, n % 10);
        let mut pairs = vec![pair("Machine", self.machine.to_owned())];
        for row in &self.rows {
            let key = row.what.key();
            pairs.push((format!("Cost{key}"), tenths(row.dynamic)));
            pairs.push((format!("Branches{key}"), tenths(row.branches)));
            pairs.push((format!("Size{key}"), row.size.to_string()));
        }
        pairs.push(pair("Best", self.best()));
        pairs
    }
}
