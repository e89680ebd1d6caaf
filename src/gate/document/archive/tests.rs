use std::io::Write;

use flate2::Compression as Level;
use flate2::write::{DeflateEncoder, GzEncoder};
use proptest::prelude::*;
use rawzip::path::EntryPath;
use rawzip::{CompressionMethod, ZipArchiveWriter};

use crate::base::{File, FileTree, RelPath, Room, UnreadReason};
use crate::gate::{Document, Role};

proptest! {
    /// Whatever is broken in an archive, it is read or said, and never more than there is room for.
    #[test]
    fn broken_archives_are_read_within_their_room(
        which in 0..3_usize,
        breaks in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..8),
        cut in any::<prop::sample::Index>(),
    ) {
        let files: Files<'_> = &[("a.sh", b"echo one"), ("in/b.txt", b"words and words"), ("c.zip", &zip(&[("d", b"d")]))];
        let mut bytes = match which {
            0 => zip(files),
            1 => tar(files),
            _ => gzip(&tar(files)),
        };
        for (at, byte) in breaks {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        let kept = bytes.len() - cut.index(bytes.len()) / 8;
        let room = Room { file_bytes: 4096, bytes: 8192, files: 6, depth: 2 };
        let document = read_within(&[("t.bin", &bytes[..kept])], room);
        prop_assert!(document.text_bytes() <= 8192 * 2 + 6, "{}", document.text_bytes());
        prop_assert!(document.parts.len() > 1 || !document.unread.is_empty());
    }
}

type Files<'a> = &'a [(&'a str, &'a [u8])];

/// A zip with these entries under just these names.
fn zip(files: Files<'_>) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut archive = ZipArchiveWriter::new(&mut bytes);
    for (name, content) in files {
        let (mut entry, config) = archive
            .new_file(EntryPath::verbatim(name.as_bytes()))
            .compression_method(CompressionMethod::DEFLATE)
            .start()
            .unwrap();
        let mut writer = config.wrap(DeflateEncoder::new(&mut entry, Level::best()));
        writer.write_all(content).unwrap();
        let (encoder, descriptor) = writer.finish().unwrap();
        encoder.finish().unwrap();
        entry.finish(descriptor).unwrap();
    }
    archive.finish().unwrap();
    bytes
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Level::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn tar(files: Files<'_>) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (name, content) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(content.len() as u64);
        header.as_gnu_mut().unwrap().name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_cksum();
        builder.append(&header, *content).unwrap();
    }
    builder.into_inner().unwrap()
}

fn read_within(files: Files<'_>, room: Room) -> Document {
    let main = ("SKILL.md", &b"Write."[..]);
    let files = files.iter().chain([&main]);
    let mut tree: FileTree =
        files.map(|(path, bytes)| (RelPath::new(*path).unwrap(), File::regular(*bytes))).collect();
    tree.leave_room(room);
    Document::package(&tree, "x")
}

fn read(name: &str, bytes: &[u8]) -> Document {
    read_within(&[(name, bytes)], Room::default())
}

/// Paths and texts beside SKILL.md.
fn texts(document: &Document) -> Vec<(&str, &str)> {
    document.parts.iter().skip(1).map(|part| (part.path.as_str(), &*part.text)).collect()
}

fn unread(document: &Document) -> Vec<(&str, UnreadReason)> {
    document.unread.iter().map(|unread| (unread.path.as_str(), unread.reason)).collect()
}

#[test]
fn entries_are_files_of_the_unit() {
    let files: Files<'_> = &[("run.sh", b"echo hello"), ("docs/a.md", b"# A")];
    for (name, bytes) in [
        ("t.zip", zip(files)),
        ("t.tar", tar(files)),
        ("t.tgz", gzip(&tar(files))),
        ("t.bin", zip(files)),
        ("t.md", zip(files)),
    ] {
        let document = read(name, &bytes);
        let (script, page) = (format!("{name}!/run.sh"), format!("{name}!/docs/a.md"));
        let mut texts = texts(&document);
        texts.sort_unstable();
        assert_eq!(texts, [(page.as_str(), "# A"), (script.as_str(), "echo hello")]);
        assert_eq!(document.parts.iter().find(|part| part.path == script).unwrap().role, Role::Script);
        assert_eq!(unread(&document), [], "{name}");
    }
    let document = read("notes.txt.gz", &gzip(b"plain words"));
    assert_eq!(texts(&document), [("notes.txt.gz!/notes.txt", "plain words")]);
}

#[test]
fn the_digest_is_that_of_the_packed_bytes() {
    let bytes = zip(&[("a.txt", b"x")]);
    let (wide, narrow) = (read("a.zip", &bytes), Room { depth: 0, ..Room::default() });
    assert_eq!(wide.digest, read_within(&[("a.zip", &bytes)], narrow).digest);
    assert_eq!(wide.bytes, bytes.len() as u64 + 6);
}

#[test]
fn archives_within_archives_are_opened_to_a_depth() {
    let nested = |depth: usize| {
        let inner = zip(&[("run.sh", b"echo hello")]);
        (1..depth).fold(inner, |inner, _| zip(&[("in.zip", &inner)]))
    };
    let room = Room { depth: 3, ..Room::default() };
    let document = read_within(&[("t.zip", &nested(3))], room);
    assert_eq!(texts(&document), [("t.zip!/in.zip!/in.zip!/run.sh", "echo hello")]);
    assert_eq!(unread(&document), []);
    let document = read_within(&[("t.zip", &nested(4))], room);
    assert_eq!(unread(&document), [("t.zip!/in.zip!/in.zip!/in.zip", UnreadReason::TooDeep)]);
}

#[test]
fn what_unpacks_to_too_much_is_given_up() {
    let zeros = vec![b' '; 9 << 20];
    let room = Room { file_bytes: 16 << 20, ..Room::default() };
    let document = read_within(&[("t.zip", &zip(&[("a.txt", &zeros), ("b.txt", b"b")]))], room);
    let entry = [("t.zip!/a.txt", UnreadReason::TooLarge), ("t.zip", UnreadReason::TooLarge)];
    let mut listed = unread(&document);
    listed.sort_unstable_by(|a, b| b.0.cmp(a.0));
    assert_eq!(listed, entry);
    let document = read("t.gz", &gzip(&zeros));
    assert_eq!(unread(&document), [("t.gz!/t", UnreadReason::TooLarge)]);

    let many: Vec<u8> = (0..2 << 20).map(|at: u32| (at.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let room = Room { file_bytes: 1 << 20, ..Room::default() };
    let document = read_within(&[("t.zip", &zip(&[("a.bin", &many), ("b.txt", b"b")]))], room);
    assert_eq!(
        (texts(&document), unread(&document)),
        (vec![("t.zip!/b.txt", "b")], vec![("t.zip!/a.bin", UnreadReason::TooLarge)])
    );
}

#[test]
fn entries_are_counted_over_all_archives_of_a_unit() {
    let two = zip(&[("a", b"a"), ("b", b"b")]);
    let room = Room { files: 3, ..Room::default() };
    let document = read_within(&[("1.zip", &two), ("2.tar", &tar(&[("c", b"c"), ("d", b"d")]))], room);
    assert_eq!(texts(&document).len(), 3);
    assert_eq!(unread(&document), [("2.tar", UnreadReason::TooMany)]);
}

#[test]
fn names_that_lead_out_are_said_and_read_all_the_same() {
    for bytes in [zip(&[("../../.bashrc", b"alias a=b")]), tar(&[("/home/x/.bashrc", b"alias a=b")])] {
        let document = read("t.bin", &bytes);
        assert_eq!(document.parts[1].text.as_ref(), "alias a=b");
        assert_eq!(unread(&document)[0].1, UnreadReason::Escaping);
    }
}

#[test]
fn links_that_lead_out_are_said_and_others_pass() {
    let mut builder = tar::Builder::new(Vec::new());
    for (name, target) in [("inside", "docs/a.md"), ("out", "../../../etc/passwd")] {
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(tar::EntryType::Symlink);
        header.set_size(0);
        builder.append_link(&mut header, name, target).unwrap();
    }
    let document = read("t.tar", &builder.into_inner().unwrap());
    assert_eq!(unread(&document), [("t.tar!/out", UnreadReason::LinkOutside)]);
}

#[test]
fn an_archive_that_can_be_taken_for_two_is_said() {
    let document = read("t.zip", &zip(&[("run.sh", b"echo one"), ("run.sh", b"echo two")]));
    assert_eq!(texts(&document), [("t.zip!/run.sh", "echo one"), ("t.zip!/run.sh", "echo two")]);
    assert_eq!(unread(&document), [("t.zip!/run.sh", UnreadReason::Ambiguous)]);

    // Another name where the entry stands than in the list.
    let mut bytes = zip(&[("run.sh", b"echo one")]);
    bytes[30..36].copy_from_slice(b"bad.sh");
    assert_eq!(unread(&read("t.zip", &bytes)), [("t.zip!/run.sh", UnreadReason::Ambiguous)]);

    // A whole zip before the one that the list is of.
    let bytes = [zip(&[("a.sh", b"echo one")]), zip(&[("b.sh", b"echo two")])].concat();
    let document = read("t.zip", &bytes);
    assert_eq!(unread(&document), [("t.zip", UnreadReason::Ambiguous)]);
    assert_eq!(texts(&document), [("t.zip!/b.sh", "echo two")]);

    let bytes = [tar(&[("a.sh", b"echo one")]), tar(&[("b.sh", b"echo two")])].concat();
    assert_eq!(unread(&read("t.tar", &bytes)), [("t.tar", UnreadReason::Ambiguous)]);
}

#[test]
fn an_entry_with_a_password_is_said_and_the_others_are_read() {
    let mut bytes = zip(&[("a.sh", b"echo one"), ("b.sh", b"echo two")]);
    bytes[6] |= 1;
    let document = read("t.zip", &bytes);
    assert_eq!(texts(&document), [("t.zip!/b.sh", "echo two")]);
    assert_eq!(unread(&document), [("t.zip!/a.sh", UnreadReason::Encrypted)]);
}

#[test]
fn what_breaks_off_is_read_so_far() {
    let long = "echo a line that is long enough to be told\n".repeat(200);
    let whole = gzip(&tar(&[("a.sh", long.as_bytes()), ("b.sh", b"echo two")]));
    let document = read("t.tgz", &whole[..whole.len() - 12]);
    assert!(texts(&document)[0].1.starts_with("echo a line"));
    assert!(unread(&document).contains(&("t.tgz", UnreadReason::Undecodable)), "{:?}", unread(&document));
    let whole = zip(&[("a.sh", b"echo one")]);
    let document = read("t.zip", &whole[..whole.len() - 22]);
    assert_eq!(unread(&document), [("t.zip", UnreadReason::Ambiguous)]);
    let document = read("t.zip", b"PK\x03\x04\x14\0a few words that stand in for an archive");
    assert_eq!(unread(&document), [("t.zip", UnreadReason::Undecodable)], "nobody unpacks that");
}

#[test]
fn a_zip_behind_something_else_is_opened_too() {
    let bytes = [&b"#!/usr/bin/env python3\n"[..], &zip(&[("__main__.py", b"print(1)")])].concat();
    let document = read("app.pyz", &bytes);
    assert!(texts(&document).contains(&("app.pyz!/__main__.py", "print(1)")), "{:?}", texts(&document));
    let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\0IEND\xaeB\x60\x82";
    let document = read("a.png", &[&png[..], &zip(&[("a.sh", b"echo one")])].concat());
    assert!(texts(&document).contains(&("a.png!/a.sh", "echo one")));
}

#[test]
fn documents_are_words_and_no_noise() {
    let docx = zip(&[
        (
            "[Content_Types].xml",
            b"<Types><Default Extension=\"xml\" ContentType=\"application/xml\"/></Types>",
        ),
        (
            "word/document.xml",
            b"<w:document><w:p><w:r><w:t>Dear rea</w:t></w:r><w:r><w:t>der</w:t></w:r></w:p></w:document>",
        ),
        ("word/styles.xml", b"<w:styles><w:style w:styleId=\"Title\"/></w:styles>"),
        ("word/fonts/font1.odttf", b"\x01\x02\x03\x04\x05\x06\0\0"),
        ("word/media/image1.emf", b"\x01\0\0\0\x02\0\0\0"),
    ]);
    let document = read("letter.docx", &docx);
    assert_eq!(texts(&document), [("letter.docx!/word/document.xml", "Dear reader\n")]);
    assert!(
        document.unread.iter().all(|unread| unread.reason == UnreadReason::Media),
        "{:?}",
        document.unread
    );
    let with_macros = zip(&[
        ("[Content_Types].xml", b"<Types/>"),
        ("word/document.xml", b"<a/>"),
        ("word/vbaProject.bin", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"),
    ]);
    assert_eq!(
        unread(&read("a.docm", &with_macros)),
        [("a.docm!/word/vbaProject.bin", UnreadReason::Executable)]
    );
}

#[test]
fn a_checkout_in_an_archive_is_listed_once_and_its_hooks_are_read() {
    let bytes = tar(&[
        ("a/.git/HEAD", b"ref: refs/heads/main"),
        ("a/.git/objects/ab/cd", b"x\x01\x02\x03"),
        ("a/.git/hooks/post-checkout", b"echo hello"),
        ("a/README.md", b"# A"),
    ]);
    let document = read("t.tar", &bytes);
    assert_eq!(
        texts(&document),
        [("t.tar!/a/.git/hooks/post-checkout", "echo hello"), ("t.tar!/a/README.md", "# A")]
    );
    assert_eq!(unread(&document), [("t.tar!/a/.git", UnreadReason::Git)]);
}

#[test]
fn many_entries_of_one_kind_are_said_in_few_words() {
    let names: Vec<String> = (0..100).map(|at| format!("c/{at:03}.class")).collect();
    let files: Vec<(&str, &[u8])> =
        names.iter().map(|name| (name.as_str(), &b"\xca\xfe\xba\xbe\0\0\0\x34"[..])).collect();
    let document = read("a.jar", &zip(&files));
    assert_eq!((document.unread.len(), document.anomalies.len()), (17, 16));
    assert!(document.unread[16].detail.contains("and 84 alike"), "{}", document.unread[16].detail);
}

#[test]
fn compiled_python_is_a_program_whose_words_are_read() {
    let document = read("m.pyc", include_bytes!("../../../../tests/fixtures/packed/words-3.13.pyc"));
    assert!(texts(&document)[0].1.contains("a sentence of its own"));
    assert_eq!(unread(&document), [("m.pyc", UnreadReason::Executable)]);
}

#[test]
fn a_skill_in_an_archive_that_is_one_unit_is_obeyed() {
    let bytes = zip(&[("notes/SKILL.md", b"---\nname: notes\ndescription: Keeps notes\n---\nWrite.")]);
    let tree: FileTree = [(RelPath::new("notes.skill").unwrap(), File::regular(bytes))].into_iter().collect();
    let document = Document::loose(&tree, "notes.skill");
    assert_eq!((document.parts[0].role, document.description.as_str()), (Role::Instructions, "Keeps notes"));
}
