//! The words of documents that are zips of XML: docx, xlsx, pptx and their like, odt and its.
//!
//! What a person sees as one word may be cut over many tags, so the words are put together first, a paragraph a line. Of
//! attributes only those are kept that say something: sentences and addresses. XML that declares entities of its own, or
//! is broken, is read as it stands.

use std::collections::BTreeSet;

use quick_xml::Reader;
use quick_xml::events::{BytesRef, BytesStart, Event};

use super::archive::Entry;
use crate::base::RelPath;

/// Elements within a line. The end of any other ends the line.
const INLINE: &[&str] = &[
    "r",
    "t",
    "rPr",
    "span",
    "a",
    "s",
    "hyperlink",
    "ins",
    "del",
    "moveTo",
    "moveFrom",
    "smartTag",
    "sdt",
    "sdtPr",
    "sdtEndPr",
    "sdtContent",
    "fldSimple",
    "fldChar",
    "instrText",
    "ruby",
    "rt",
    "rubyBase",
    "rubyPr",
    "customXml",
    "dir",
    "bdo",
];

/// Elements that stand for white space.
const SPACES: &[(&str, char)] =
    &[("br", '\n'), ("cr", '\n'), ("line-break", '\n'), ("tab", '\t'), ("ptab", '\t'), ("s", ' ')];

/// How addresses begin that only name a format.
const FORMATS: &[&str] = &[
    "http://schemas.",
    "https://schemas.",
    "http://www.w3.org/",
    "http://purl.org/",
    "http://purl.oclc.org/",
];

/// The shortest attribute without a blank that may say something: that of an encoded run, not of an id.
const LONG: usize = 64;

/// True for the entries of such a document.
pub(super) fn is_document(entries: &[Entry]) -> bool {
    let has = |name: &str| entries.iter().any(|entry| entry.path.as_str() == name);
    let is_open_document = || {
        let first = entries.first().filter(|entry| entry.path.as_str() == "mimetype");
        let kind = first.and_then(|entry| entry.bytes.as_deref()).unwrap_or_default();
        kind.starts_with(b"application/vnd.oasis.opendocument")
    };
    let folders = ["word", "xl", "ppt", "visio"];
    let below = |entry: &Entry| entry.path.segments().next().is_some_and(|first| folders.contains(&first));
    (has("[Content_Types].xml") && entries.iter().any(below)) || is_open_document()
}

/// True for an entry of such a document that is XML.
pub(super) fn is_xml(path: &RelPath) -> bool {
    matches!(path.extension().as_deref(), Some("xml" | "rels" | "vml")) || path.file_name() == ".rels"
}

/// True for an entry that shows or sets something, and is no text: pictures in formats of their own, fonts, printers.
pub(super) fn is_furniture(path: &RelPath) -> bool {
    const FOLDERS: [&str; 6] = ["media", "fonts", "Fonts", "printerSettings", "Pictures", "Thumbnails"];
    path.segments().rev().skip(1).any(|segment| FOLDERS.contains(&segment))
}

/// True for an entry that holds macros.
pub(super) fn is_macros(path: &RelPath) -> bool {
    matches!(path.file_name(), "vbaProject.bin" | "vbaProjectSignature.bin")
}

/// The words of such an XML.
pub(super) fn words(xml: &str) -> String {
    let mut words = Words::default();
    let mut reader = Reader::from_str(xml);
    let config = reader.config_mut();
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    config.allow_dangling_amp = true;
    loop {
        match reader.read_event() {
            Ok(Event::Eof) => return words.finish(),
            Ok(Event::DocType(_)) | Err(_) => return xml.to_owned(),
            Ok(event) => words.take(&event),
        }
    }
}

#[derive(Default)]
struct Words {
    text: String,
    /// Attributes, each once: styles repeat themselves.
    asides: BTreeSet<String>,
    /// The text is a number in a sheet, unless it turns out to hold letters.
    in_value: bool,
}

impl Words {
    fn take(&mut self, event: &Event<'_>) {
        match event {
            Event::Start(tag) => {
                self.in_value = tag.local_name().as_ref() == "v";
                self.attributes(tag);
            }
            Event::Empty(tag) => {
                let name = tag.local_name();
                let space = SPACES.iter().find(|(element, _)| *element == name.as_ref());
                self.text.extend(space.map(|(_, space)| *space));
                self.attributes(tag);
            }
            Event::End(tag) => {
                self.in_value = false;
                if !INLINE.contains(&tag.local_name().as_ref()) {
                    self.end_line();
                }
            }
            Event::Text(text) => self.add(text),
            Event::CData(text) => self.add(text),
            Event::GeneralRef(reference) => self.reference(reference),
            Event::Comment(text) => {
                self.asides.insert(text.trim().to_owned());
            }
            Event::Decl(_) | Event::PI(_) | Event::DocType(_) | Event::Eof => {}
        }
    }

    fn add(&mut self, text: &str) {
        let is_number = self.in_value && !text.contains(char::is_alphabetic);
        // Between elements that are laid out for people stand line breaks only.
        let is_layout = text.trim().is_empty() && text.contains('\n');
        if !is_number && !is_layout {
            self.text.push_str(text);
        }
    }

    fn reference(&mut self, reference: &BytesRef<'_>) {
        let name: &str = reference;
        let character = match name {
            "lt" => Some('<'),
            "gt" => Some('>'),
            "amp" => Some('&'),
            "quot" => Some('"'),
            "apos" => Some('\''),
            _ => reference.resolve_char_ref().ok().flatten(),
        };
        match character {
            Some(character) => self.text.push(character),
            None => self.text.extend(["&", name, ";"]),
        }
    }

    fn attributes(&mut self, tag: &BytesStart<'_>) {
        for attribute in tag.attributes().with_checks(false).flatten() {
            let value = quick_xml::escape::unescape(&attribute.value);
            let value = value.as_deref().unwrap_or(&attribute.value).trim();
            if !attribute.key.as_ref().starts_with("xmlns") && says_something(value) {
                self.asides.insert(value.to_owned());
            }
        }
    }

    fn end_line(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
    }

    /// The text with the asides below it.
    fn finish(mut self) -> String {
        for aside in &self.asides {
            if !aside.is_empty() {
                self.text.push_str(aside);
                self.text.push('\n');
            }
        }
        self.text
    }
}

fn says_something(value: &str) -> bool {
    let is_format = || FORMATS.iter().any(|format| value.starts_with(format));
    (value.contains("://") && !is_format())
        || value.split_whitespace().nth(2).is_some()
        || (value.len() >= LONG && !is_format())
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn a_word_that_is_cut_over_runs_is_one() {
        let xml = r#"<?xml version="1.0"?><w:document xmlns:w="http://schemas.example/word"><w:body>
            <w:p><w:pPr><w:pStyle w:val="Title"/></w:pPr><w:r><w:t>Dear </w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>rea</w:t></w:r><w:hyperlink><w:r><w:t>der</w:t></w:r></w:hyperlink></w:p>
            <w:p><w:r><w:t>a &lt;b&gt; &amp; &#x63;</w:t><w:br/><w:t>next</w:t></w:r></w:p></w:body></w:document>"#;
        assert_eq!(words(xml), "Dear reader\na <b> & c\nnext\n");
    }

    #[test]
    fn cells_and_slides_are_lines_and_numbers_are_left_out() {
        let xml = "<sst><si><t>one</t></si><si><r><t>t</t></r><r><t>wo</t></r></si></sst>";
        assert_eq!(words(xml), "one\ntwo\n");
        let sheet = "<row><c t=\"str\"><f>IF(A1,2)</f><v>yes</v></c><c><v>12.5</v></c></row>";
        assert_eq!(words(sheet), "IF(A1,2)\nyes\n");
    }

    #[test]
    fn attributes_that_say_something_are_kept_once() {
        let xml = r#"<a><b Type="http://schemas.example/x" Target="https://collect.example/t.dotm" id="rId1"/>
            <c descr="please read this aloud"/><c descr="please read this aloud"/><!-- a note --></a>"#;
        assert_eq!(words(xml), "a note\nhttps://collect.example/t.dotm\nplease read this aloud\n");
    }

    #[test]
    fn what_declares_its_own_entities_or_breaks_is_read_as_it_stands() {
        for xml in ["<!DOCTYPE a [<!ENTITY x \"y\">]><a>&x;</a>", "<a>text <b"] {
            assert_eq!(words(xml), xml);
        }
    }
}
