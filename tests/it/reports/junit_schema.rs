//! A check of XML against the part of XML Schema that JUnit's schema uses: elements with their attributes, required
//! attributes, patterns of attributes, and the elements and text that an element may contain. The order of elements is
//! not checked, since the schema has repeated choices.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use std::collections::BTreeMap;

/// An element of the schema.
#[derive(Debug, Default)]
struct Element {
    /// Attributes by name: whether they are required, and the name of their type.
    attributes: BTreeMap<String, (bool, String)>,
    children: Vec<String>,
    has_text: bool,
}

/// The type of a time.
const TIME: &str = "SUREFIRE_TIME";

/// Asserts that the text conforms to the schema.
#[track_caller]
pub(super) fn check(xsd: &str, xml: &str) {
    if let Some(wrong) = complaint(xsd, xml) {
        panic!("{wrong}\n{xml}");
    }
}

/// The first violation of the schema.
pub(super) fn complaint(xsd: &str, xml: &str) -> Option<String> {
    let elements = elements(xsd);
    assert!(elements.len() >= 12 && elements["testcase"].children.len() == 9, "{elements:?}");
    let mut reader = Reader::from_str(xml);
    let mut open: Vec<String> = Vec::new();
    loop {
        let event = match reader.read_event() {
            Ok(event) => event,
            Err(e) => return Some(e.to_string()),
        };
        match event {
            Event::Start(start) => {
                if let Some(wrong) = wrong(&elements, open.last(), &start) {
                    return Some(wrong);
                }
                open.push(name(&start));
            }
            Event::Empty(start) => {
                if let Some(wrong) = wrong(&elements, open.last(), &start) {
                    return Some(wrong);
                }
            }
            Event::End(_) => _ = open.pop(),
            Event::Text(text) if !text.iter().all(u8::is_ascii_whitespace) => {
                let allowed = open.last().is_some_and(|name| elements[name].has_text);
                if !allowed {
                    return Some(format!("text in {open:?}"));
                }
            }
            Event::Eof => return (!open.is_empty()).then(|| format!("{open:?} are open")),
            _ => {}
        }
    }
}

/// What is wrong with an element in its parent.
fn wrong(
    elements: &BTreeMap<String, Element>,
    parent: Option<&String>,
    start: &BytesStart<'_>,
) -> Option<String> {
    let name = name(start);
    let Some(element) = elements.get(&name) else { return Some(format!("no element {name}")) };
    match parent {
        None if name != "testsuites" && name != "testsuite" => return Some(format!("{name} is no root")),
        Some(parent) if !elements[parent].children.contains(&name) => {
            return Some(format!("{name} in {parent}"));
        }
        _ => {}
    }
    let given = attributes(start);
    for (key, value) in &given {
        let Some((_, ty)) = element.attributes.get(key) else { return Some(format!("{key} of {name}")) };
        let is_time = |text: &str| {
            let (whole, part) = text.split_once('.').unwrap_or((text, ""));
            let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
            digits(whole) && digits(part) && part.len() <= 3
        };
        if ty == TIME && !is_time(value) {
            return Some(format!("{key}={value:?} of {name} is no time"));
        }
    }
    let lacks = element.attributes.iter().find(|(key, (required, _))| *required && !given.contains_key(*key));
    lacks.map(|(key, _)| format!("{name} lacks {key}"))
}

/// The named elements of the schema.
fn elements(xsd: &str) -> BTreeMap<String, Element> {
    let mut reader = Reader::from_str(xsd);
    let mut all: BTreeMap<String, Element> = BTreeMap::new();
    let mut inside: Option<String> = None;
    let mut depth = 0;
    loop {
        let (start, is_empty) = match reader.read_event().expect("a schema") {
            Event::Start(start) => (start, false),
            Event::Empty(start) => (start, true),
            Event::End(_) => {
                depth -= 1;
                if depth == 1 {
                    inside = None;
                }
                continue;
            }
            Event::Eof => return all,
            _ => continue,
        };
        let given = attributes(&start);
        let get = |key: &str| given.get(key).cloned().unwrap_or_default();
        match (name(&start).as_str(), &inside) {
            ("xs:element", None) if depth == 1 => {
                let has_text = given.contains_key("type");
                all.insert(get("name"), Element { has_text, ..Element::default() });
                inside = (!is_empty).then(|| get("name"));
            }
            ("xs:element", Some(parent)) if given.contains_key("ref") => {
                all.get_mut(parent).expect("an element").children.push(get("ref"));
            }
            ("xs:attribute", Some(parent)) => {
                let attribute = (get("use") == "required", get("type"));
                all.get_mut(parent).expect("an element").attributes.insert(get("name"), attribute);
            }
            ("xs:complexType", Some(parent)) if get("mixed") == "true" => {
                all.get_mut(parent).expect("an element").has_text = true;
            }
            _ => {}
        }
        depth += usize::from(!is_empty);
    }
}

fn name(start: &BytesStart<'_>) -> String {
    String::from_utf8_lossy(start.name().as_ref()).into_owned()
}

fn attributes(start: &BytesStart<'_>) -> BTreeMap<String, String> {
    let pairs = start.attributes().map(|attribute| attribute.expect("an attribute"));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    pairs.map(|pair| (text(pair.key.as_ref()), text(&pair.value))).collect()
}
