//! The formats of a gate's report, and the argument that names one with its file.

use std::path::{Path, PathBuf};
use std::str::FromStr;

/// A format of a report.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Format {
    /// A table, with colours on a terminal.
    Table,
    /// One line for each change.
    Lines,
    /// One JSON object on each line.
    Json,
    /// SARIF 2.1.0.
    Sarif,
    /// JUnit's XML.
    Junit,
    /// Workflow commands of GitHub Actions.
    Github,
    /// A summary in Markdown.
    Markdown,
}

/// All formats, by name.
const FORMATS: [(&str, Format); 7] = [
    ("table", Format::Table),
    ("lines", Format::Lines),
    ("json", Format::Json),
    ("sarif", Format::Sarif),
    ("junit", Format::Junit),
    ("github", Format::Github),
    ("markdown", Format::Markdown),
];

/// The names of the formats.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    FORMATS.iter().map(|(name, _)| *name)
}

impl Format {
    /// The format's name.
    pub(crate) fn name(self) -> &'static str {
        FORMATS.iter().find(|(_, format)| *format == self).map_or("", |(name, _)| name)
    }

    /// Whether other text may be written before and after it.
    pub(crate) fn is_text(self) -> bool {
        matches!(self, Self::Table | Self::Lines | Self::Github | Self::Markdown)
    }
}

/// A format and its file: `FORMAT` or `FORMAT=FILE`. The file `-` is standard output.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Wanted {
    /// The format.
    pub(crate) format: Format,
    /// The file; `None` for standard output.
    pub(crate) file: Option<PathBuf>,
}

impl Wanted {
    /// The format in the file `path`, or on standard output if it is `-`.
    pub(crate) fn new(format: Format, path: &Path) -> Self {
        Self { format, file: Some(path.to_owned()).filter(|path| path != Path::new("-")) }
    }
}

impl FromStr for Wanted {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let (name, file) = text.split_once('=').map_or((text, "-"), |(name, file)| (name, file));
        let Some((_, format)) = FORMATS.iter().find(|(known, _)| *known == name) else {
            let names: Vec<&str> = FORMATS.iter().map(|(name, _)| *name).collect();
            return Err(format!("no such format; there are {}", names.join(", ")));
        };
        if file.is_empty() {
            return Err(format!("no file after '{name}='; write {name}=FILE, or {name} for standard output"));
        }
        Ok(Self::new(*format, Path::new(file)))
    }
}

#[cfg(test)]
mod tests {
    use super::{FORMATS, Format, Wanted};
    use std::path::Path;

    #[test]
    fn formats_are_read() {
        assert_eq!("json".parse(), Ok(Wanted { format: Format::Json, file: None }));
        assert_eq!("json=-".parse(), Ok(Wanted { format: Format::Json, file: None }));
        let file = Some(Path::new("a=b.xml").to_owned());
        assert_eq!("junit=a=b.xml".parse(), Ok(Wanted { format: Format::Junit, file }));
        for (name, format) in FORMATS {
            assert_eq!(format.name(), name);
        }
        assert!("html".parse::<Wanted>().is_err_and(|e| e.contains("sarif, junit")));
        assert!("sarif=".parse::<Wanted>().is_err_and(|e| e.contains("sarif=FILE")));
    }
}
