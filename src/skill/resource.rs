//! What the files beside SKILL.md are.
//!
//! Content decides before the name: magic bytes make a picture or a program of a file whatever it is called. Among
//! texts the name decides, then the line that names an interpreter. Nothing here opens archives.

use crate::base::text::is_wide;
use crate::base::{File, Mode, RelPath, decode};

/// What a file is to an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ResourceKind {
    /// Markdown.
    Markdown,
    /// A program as text, in this language; empty where it is not known.
    Script(&'static str),
    /// JSON, YAML, TOML and the like, in this format.
    Config(&'static str),
    /// Any other text.
    Text,
    /// A picture, sound, video or font, or what a file manager keeps of them.
    Media,
    /// An archive, or a document that is one.
    Archive,
    /// A program in machine code or byte code.
    Executable,
    /// Anything else that is no text.
    Binary,
}

impl ResourceKind {
    /// True for kinds that are text.
    pub const fn is_text(self) -> bool {
        matches!(self, Self::Markdown | Self::Script(_) | Self::Config(_) | Self::Text)
    }
}

/// A file of a skill other than SKILL.md.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resource {
    /// Where it lies in the skill.
    pub path: RelPath,
    /// What it is.
    pub kind: ResourceKind,
    /// The format, for files that are no text (`png`, `zip`, `elf`); empty where it is not known.
    pub format: &'static str,
    /// Its size.
    pub bytes: u64,
    /// Whether it may be executed.
    pub mode: Mode,
}

impl Resource {
    /// Looks at one file.
    pub fn of(path: &RelPath, file: &File) -> Self {
        let (kind, format) = classify(path, &file.bytes);
        Self { path: path.clone(), kind, format, bytes: file.bytes.len() as u64, mode: file.mode }
    }
}

/// What a file is, and the name of its format where it is no text.
pub fn classify(path: &RelPath, bytes: &[u8]) -> (ResourceKind, &'static str) {
    if let Some((kind, format)) = by_magic(bytes) {
        return (kind, format);
    }
    let kind = match by_name(path) {
        Some(kind) if looks_like_text(bytes) || !is_binary(bytes) => kind,
        None if looks_like_text(bytes) => ResourceKind::Text,
        _ => ResourceKind::Binary,
    };
    match kind {
        ResourceKind::Text if is_wide(bytes) => {
            (by_shebang(decode(bytes).text.as_bytes()).unwrap_or(kind), "")
        }
        ResourceKind::Text => (by_shebang(bytes).unwrap_or(kind), ""),
        _ => (kind, ""),
    }
}

/// Text in one of the encodings that are read; without NUL where it is not wide.
fn looks_like_text(bytes: &[u8]) -> bool {
    let is_utf8 = || std::str::from_utf8(bytes).is_ok();
    is_wide(bytes) || (!bytes.contains(&0) && (is_utf8() || !decode(bytes).is_garbled()))
}

/// So full of NUL and other controls that a name does not make it a text.
fn is_binary(bytes: &[u8]) -> bool {
    let controls = bytes.iter().filter(|byte| **byte < 0x20 && !b"\t\n\r\x0c\x1b".contains(byte)).count();
    controls * 10 > bytes.len()
}

type Magic = (usize, &'static [u8], ResourceKind, &'static str);

/// Offset, bytes, kind and format. No entry can be the start of a text.
const MAGIC: &[Magic] = &[
    (0, b"\x7fELF", ResourceKind::Executable, "elf"),
    (0, b"\xfe\xed\xfa\xce", ResourceKind::Executable, "mach-o"),
    (0, b"\xfe\xed\xfa\xcf", ResourceKind::Executable, "mach-o"),
    (0, b"\xce\xfa\xed\xfe", ResourceKind::Executable, "mach-o"),
    (0, b"\xcf\xfa\xed\xfe", ResourceKind::Executable, "mach-o"),
    (0, b"\xca\xfe\xba\xbe", ResourceKind::Executable, "java-class"),
    // It runs in a sandbox that somebody else opens, and starts nothing by itself.
    (0, b"\0asm", ResourceKind::Binary, "wasm"),
    (2, b"\r\n\0\0", ResourceKind::Executable, "pyc"),
    (2, b"\r\n\x01\0", ResourceKind::Executable, "pyc"),
    (2, b"\r\n\x03\0", ResourceKind::Executable, "pyc"),
    (0, b"dex\n03", ResourceKind::Executable, "dex"),
    (0, b"\x1bLua", ResourceKind::Executable, "lua"),
    (0, b"BC\xc0\xde", ResourceKind::Executable, "llvm"),
    (0, b"\x89PNG\r\n\x1a\n", ResourceKind::Media, "png"),
    (0, b"\xff\xd8\xff", ResourceKind::Media, "jpeg"),
    (0, b"II*\0", ResourceKind::Media, "tiff"),
    (0, b"MM\0*", ResourceKind::Media, "tiff"),
    (0, b"\0\0\x01\0", ResourceKind::Media, "ico"),
    (0, b"\x1aE\xdf\xa3", ResourceKind::Media, "webm"),
    (0, b"\0\x01\0\0", ResourceKind::Media, "ttf"),
    // What a file manager of macOS leaves beside files: icons and positions.
    (0, b"\0\x05\x16\x07", ResourceKind::Media, "apple-double"),
    (0, b"\0\0\0\x01Bud1", ResourceKind::Media, "ds-store"),
    (0, b"PK\x03\x04", ResourceKind::Archive, "zip"),
    (0, b"PK\x05\x06", ResourceKind::Archive, "zip"),
    (0, b"\x1f\x8b", ResourceKind::Archive, "gzip"),
    (0, b"\xfd7zXZ\0", ResourceKind::Archive, "xz"),
    (0, b"\x28\xb5\x2f\xfd", ResourceKind::Archive, "zstd"),
    (0, b"]\0\0", ResourceKind::Archive, "lzma"),
    (0, b"\x04\x22\x4d\x18", ResourceKind::Archive, "lz4"),
    (0, b"7z\xbc\xaf\x27\x1c", ResourceKind::Archive, "7z"),
    (0, b"Rar!\x1a\x07", ResourceKind::Archive, "rar"),
    (0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", ResourceKind::Archive, "ole"),
    (0, b"SQLite format 3\0", ResourceKind::Binary, "sqlite"),
];

/// As [`MAGIC`], but with letters only: these count where the file holds bytes that no text has.
const WORDY_MAGIC: &[Magic] = &[
    (0, b"MZ", ResourceKind::Executable, "pe"),
    (0, b"GIF87a", ResourceKind::Media, "gif"),
    (0, b"GIF89a", ResourceKind::Media, "gif"),
    (0, b"BM", ResourceKind::Media, "bmp"),
    (0, b"RIFF", ResourceKind::Media, "riff"),
    (0, b"OggS", ResourceKind::Media, "ogg"),
    (0, b"fLaC", ResourceKind::Media, "flac"),
    (0, b"ID3", ResourceKind::Media, "mp3"),
    (0, b"wOFF", ResourceKind::Media, "woff"),
    (0, b"wOF2", ResourceKind::Media, "woff2"),
    (0, b"OTTO", ResourceKind::Media, "otf"),
    (0, b"ttcf", ResourceKind::Media, "ttc"),
    (4, b"ftyp", ResourceKind::Media, "mp4"),
    (0, b"%PDF-", ResourceKind::Archive, "pdf"),
    (0, b"BZh", ResourceKind::Archive, "bzip2"),
    (0, b"!<arch>\n", ResourceKind::Archive, "ar"),
    (0, b"MSCF", ResourceKind::Archive, "cab"),
    (257, b"ustar", ResourceKind::Archive, "tar"),
    (40, b" EMF", ResourceKind::Media, "emf"),
];

fn by_magic(bytes: &[u8]) -> Option<(ResourceKind, &'static str)> {
    let matches =
        |(offset, magic, ..): &&Magic| bytes.get(*offset..).is_some_and(|rest| rest.starts_with(magic));
    let wordy = || WORDY_MAGIC.iter().find(matches).filter(|_| !looks_like_text(bytes));
    MAGIC.iter().find(matches).or_else(wordy).map(|(.., kind, format)| (*kind, *format))
}

/// Extension or, for names without one, the whole name in lower case.
const NAMES: &[(ResourceKind, &str)] = &[
    (ResourceKind::Markdown, "md markdown mdx mdc mdown mkd rmd qmd"),
    (ResourceKind::Script("python"), "py pyw pyi"),
    (ResourceKind::Script("javascript"), "js mjs cjs jsx"),
    (ResourceKind::Script("typescript"), "ts mts cts tsx"),
    (
        ResourceKind::Script("shell"),
        "sh bash zsh fish ksh command .bashrc .zshrc .profile .bash_profile .envrc",
    ),
    (ResourceKind::Script("powershell"), "ps1 psm1 psd1"),
    (ResourceKind::Script("batch"), "bat cmd"),
    (ResourceKind::Script("ruby"), "rb rake gemspec gemfile rakefile"),
    (ResourceKind::Script("perl"), "pl pm"),
    (ResourceKind::Script("php"), "php phtml"),
    (ResourceKind::Script("lua"), "lua"),
    (ResourceKind::Script("go"), "go"),
    (ResourceKind::Script("rust"), "rs"),
    (ResourceKind::Script("java"), "java"),
    (ResourceKind::Script("kotlin"), "kt kts"),
    (ResourceKind::Script("scala"), "scala sc"),
    (ResourceKind::Script("groovy"), "groovy gradle jenkinsfile"),
    (ResourceKind::Script("swift"), "swift"),
    (ResourceKind::Script("dart"), "dart"),
    (ResourceKind::Script("c"), "c h"),
    (ResourceKind::Script("cpp"), "cc cpp cxx hpp hh m mm"),
    (ResourceKind::Script("csharp"), "cs csx"),
    (ResourceKind::Script("fsharp"), "fs fsx"),
    (ResourceKind::Script("r"), "r"),
    (ResourceKind::Script("julia"), "jl"),
    (ResourceKind::Script("sql"), "sql"),
    (ResourceKind::Script("elixir"), "ex exs"),
    (ResourceKind::Script("erlang"), "erl hrl escript"),
    (ResourceKind::Script("haskell"), "hs"),
    (ResourceKind::Script("ocaml"), "ml mli"),
    (ResourceKind::Script("clojure"), "clj cljs edn"),
    (ResourceKind::Script("lisp"), "el lisp scm"),
    (ResourceKind::Script("zig"), "zig"),
    (ResourceKind::Script("nim"), "nim"),
    (ResourceKind::Script("tcl"), "tcl"),
    (ResourceKind::Script("awk"), "awk"),
    (ResourceKind::Script("vbscript"), "vbs vba bas wsf"),
    (ResourceKind::Script("applescript"), "applescript"),
    (ResourceKind::Script("nix"), "nix"),
    (ResourceKind::Script("terraform"), "tf hcl"),
    (ResourceKind::Script("make"), "mk makefile gnumakefile justfile"),
    (ResourceKind::Script("dockerfile"), "dockerfile containerfile"),
    (ResourceKind::Script("html"), "html htm xhtml svg vue svelte astro"),
    (ResourceKind::Config("json"), "json jsonc json5 jsonl ndjson ipynb webmanifest"),
    (ResourceKind::Config("yaml"), "yaml yml"),
    (ResourceKind::Config("toml"), "toml"),
    (ResourceKind::Config("xml"), "xml plist xsd xsl csproj"),
    (
        ResourceKind::Config("ini"),
        "ini cfg conf properties env editorconfig desktop service .env .npmrc .gitconfig .netrc .editorconfig",
    ),
    (
        ResourceKind::Text,
        "txt text rst adoc org csv tsv tex log css scss less diff patch lock proto graphql license notice readme .gitignore",
    ),
];

fn by_name(path: &RelPath) -> Option<ResourceKind> {
    let name = path.file_name().to_ascii_lowercase();
    let extension = path.extension();
    // `.env.local` and `Dockerfile.dev` are what their first part says.
    let stem = name.get(1..).and_then(|rest| rest.find('.')).map(|dot| &name[..=dot]);
    let lookup = |word: &str| NAMES.iter().find(|(_, names)| names.split(' ').any(|name| name == word));
    let found = lookup(&name).or_else(|| lookup(extension.as_deref()?)).or_else(|| lookup(stem?));
    found.map(|(kind, _)| *kind)
}

/// Interpreters by how their names begin.
const INTERPRETERS: &[(&str, &str)] = &[
    ("python", "python"),
    ("pypy", "python"),
    ("uv", "python"),
    ("node", "javascript"),
    ("deno", "typescript"),
    ("bun", "typescript"),
    ("tsx", "typescript"),
    ("ts-node", "typescript"),
    ("sh", "shell"),
    ("bash", "shell"),
    ("zsh", "shell"),
    ("dash", "shell"),
    ("ksh", "shell"),
    ("fish", "shell"),
    ("pwsh", "powershell"),
    ("ruby", "ruby"),
    ("perl", "perl"),
    ("php", "php"),
    ("lua", "lua"),
    ("Rscript", "r"),
    ("osascript", "applescript"),
    ("awk", "awk"),
    ("make", "make"),
];

/// The language that the first line's `#!` names; empty where it names something unknown.
fn by_shebang(bytes: &[u8]) -> Option<ResourceKind> {
    let line = bytes.strip_prefix(b"#!")?.split(|byte| *byte == b'\n').next()?;
    let line = String::from_utf8_lossy(line.get(..line.len().min(256))?);
    let mut words = line.split_whitespace().filter(|word| !word.starts_with('-') && !word.contains('='));
    let program = words.find_map(|word| Some(word.rsplit('/').next()?).filter(|name| *name != "env"))?;
    let known = INTERPRETERS.iter().find(|(name, _)| program.starts_with(name));
    Some(ResourceKind::Script(known.map_or("", |(_, language)| language)))
}

#[cfg(test)]
mod tests {
    use super::{ResourceKind, classify};
    use crate::base::RelPath;

    #[track_caller]
    fn check(path: &str, bytes: &[u8], kind: ResourceKind, format: &str) {
        assert_eq!(classify(&RelPath::new(path).unwrap(), bytes), (kind, format), "{path}");
    }

    #[test]
    fn texts_are_told_by_their_names() {
        check("a/B.MD", b"# x", ResourceKind::Markdown, "");
        check("x.py", b"print()", ResourceKind::Script("python"), "");
        check("Dockerfile", b"FROM x", ResourceKind::Script("dockerfile"), "");
        check("Dockerfile.dev", b"FROM x", ResourceKind::Script("dockerfile"), "");
        check(".env.local", b"A=1", ResourceKind::Config("ini"), "");
        check(".mcp.json", b"{}", ResourceKind::Config("json"), "");
        check("LICENSE", b"words", ResourceKind::Text, "");
        check("x.unknown", b"words", ResourceKind::Text, "");
        check("empty.py", b"", ResourceKind::Script("python"), "");
        check("latin.txt", b"caf\xe9 and more words", ResourceKind::Text, "");
        check("wide.md", b"\xff\xfe#\0", ResourceKind::Markdown, "");
        check("wide.sh", b"e\0c\0h\0o\0\n\0", ResourceKind::Script("shell"), "");
        check("wide", b"\0\0\0a\0\0\0b\0\0\0c", ResourceKind::Text, "");
    }

    #[test]
    fn an_interpreter_makes_a_script() {
        for (line, language) in [
            ("#!/bin/sh", "shell"),
            ("#!/usr/bin/env -S python3 -u", "python"),
            ("#!/usr/bin/env A=1 node", "javascript"),
            ("#! /opt/x/frob", ""),
        ] {
            check("run", line.as_bytes(), ResourceKind::Script(language), "");
            check("run.txt", line.as_bytes(), ResourceKind::Script(language), "");
        }
        check("run", b"#!", ResourceKind::Text, "");
    }

    #[test]
    fn magic_beats_names() {
        check("notes.md", b"\x7fELF\x02\x01", ResourceKind::Executable, "elf");
        check("x.txt", b"MZ\x90\0\x03\0", ResourceKind::Executable, "pe");
        check("x.txt", b"MZ is a word here", ResourceKind::Text, "");
        check("x.png", b"\x89PNG\r\n\x1a\n\0\0", ResourceKind::Media, "png");
        check("x.gif", b"GIF89a = 1; // a script", ResourceKind::Text, "");
        check("x.docx", b"PK\x03\x04\x14\0", ResourceKind::Archive, "zip");
        check("m.pyc", b"\xcb\x0d\r\n\0\0\0\0", ResourceKind::Executable, "pyc");
        check("x.bin", b"\0\x02\x03\x04\x05", ResourceKind::Binary, "");
        check(".DS_Store", b"\0\0\0\x01Bud1\0\0", ResourceKind::Media, "ds-store");
        check("x.emf", &[&b"\x01\0\0\0"[..], &[0; 36], b" EMF\0\0"].concat(), ResourceKind::Media, "emf");
    }

    #[test]
    fn one_nul_does_not_hide_a_script() {
        check("x.py", b"import os\nprint('a long enough line')\0", ResourceKind::Script("python"), "");
        check("x.dat", b"import os\0", ResourceKind::Binary, "");
    }
}
