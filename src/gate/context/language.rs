//! How comments and strings look in the languages that scripts and code fences are written in.
//!
//! Families, not grammars: enough to tell a comment, a string and the rest apart. An unknown language has `#`
//! and `//` comments only at the start of a line.

/// The lexical habits of a family of languages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Family {
    /// What starts a comment that ends with the line.
    pub(super) line: &'static [&'static str],
    /// What starts and ends a comment of several lines.
    pub(super) block: &'static [(&'static str, &'static str)],
    /// The quotes of strings that end with the line.
    pub(super) quotes: &'static [u8],
    /// What starts and ends a string of several lines.
    pub(super) long: &'static [&'static str],
    /// The first word of a statement is a command, and needs no brackets.
    pub(super) commands: bool,
}

const PLAIN: Family = Family { line: &[], block: &[], quotes: b"", long: &[], commands: false };
pub(super) const SHELL: Family = Family { line: &["#"], quotes: b"\"'", commands: true, ..PLAIN };
const HASH: Family = Family { line: &["#"], quotes: b"\"'", ..PLAIN };
const PYTHON: Family = Family { long: &["\"\"\"", "'''"], ..HASH };
const POWERSHELL: Family = Family { block: &[("<#", "#>")], ..SHELL };
const SLASH: Family = Family { line: &["//"], block: &[("/*", "*/")], quotes: b"\"'", ..PLAIN };
const SCRIPT: Family = Family { long: &["`"], ..SLASH };
const DASH: Family =
    Family { line: &["--"], block: &[("/*", "*/"), ("--[[", "]]")], quotes: b"\"'", ..PLAIN };
const PHP: Family = Family { line: &["//", "#"], ..SLASH };
const SEMICOLON: Family = Family { line: &[";"], quotes: b"\"", ..PLAIN };
const INI: Family = Family { line: &["#", ";"], quotes: b"\"'", ..PLAIN };
const BATCH: Family =
    Family { line: &["REM ", "rem ", "@REM ", "::"], quotes: b"\"", commands: true, ..PLAIN };
const BASIC: Family = Family { line: &["'"], quotes: b"\"", ..PLAIN };
const JSON: Family = Family { quotes: b"\"", ..SLASH };
const MARKUP: Family = Family { block: &[("<!--", "-->")], ..PLAIN };

/// The family of a language by its lower-case name, as fences and file kinds give it.
pub(super) fn family(language: &str) -> Family {
    match language {
        "sh" | "bash" | "zsh" | "shell" | "console" | "terminal" | "shell-session" | "ksh" | "fish"
        | "dockerfile" | "docker" | "make" | "makefile" => SHELL,
        "python" | "py" | "python3" | "starlark" | "julia" | "elixir" | "nim" => PYTHON,
        "yaml" | "yml" | "toml" | "ruby" | "rb" | "perl" | "pl" | "r" | "awk" | "tcl" | "nix"
        | "terraform" | "hcl" => HASH,
        "powershell" | "ps1" | "pwsh" => POWERSHELL,
        "javascript" | "js" | "jsx" | "typescript" | "ts" | "tsx" | "mjs" | "node" | "go" | "golang" => {
            SCRIPT
        }
        "c" | "cpp" | "c++" | "csharp" | "cs" | "java" | "kotlin" | "scala" | "groovy" | "swift" | "dart"
        | "rust" | "rs" | "zig" | "css" | "scss" | "objc" | "fsharp" => SLASH,
        "php" => PHP,
        "sql" | "lua" | "haskell" | "hs" | "applescript" | "ada" => DASH,
        "lisp" | "clojure" | "scheme" | "elisp" => SEMICOLON,
        "ini" | "properties" | "env" | "dotenv" | "conf" => INI,
        "bat" | "batch" | "cmd" => BATCH,
        "vbscript" | "vb" | "vba" => BASIC,
        "json" | "jsonc" | "json5" | "jsonl" => JSON,
        "xml" | "html" | "svg" | "vue" => MARKUP,
        _ => PLAIN,
    }
}

/// The language that a file's name stands for; empty where it stands for none.
pub(super) fn of_path(path: &str) -> &'static str {
    let name = path.rsplit(['/', '!']).next().unwrap_or(path).to_ascii_lowercase();
    let extension = name.rsplit_once('.').map_or(name.as_str(), |(_, extension)| extension);
    EXTENSIONS
        .iter()
        .find(|(names, _)| names.split(' ').any(|known| known == extension))
        .map_or("", |(_, language)| language)
}

/// The language that the first line's `#!` names; empty where it names none that is known.
pub(super) fn of_shebang(text: &str) -> &'static str {
    let Some(line) = text.strip_prefix("#!").and_then(|rest| rest.lines().next()) else { return "" };
    let known = ["python", "node", "deno", "bun", "ruby", "perl", "pwsh", "php", "lua", "sh"];
    let found = known.into_iter().find(|name| line.contains(name));
    match found {
        Some("node" | "deno" | "bun") => "javascript",
        Some("pwsh") => "powershell",
        Some("sh") => "shell",
        Some(other) => other,
        None => "",
    }
}

const EXTENSIONS: &[(&str, &str)] = &[
    ("sh bash zsh fish ksh command bashrc zshrc profile bash_profile envrc", "shell"),
    ("py pyw pyi", "python"),
    ("js mjs cjs jsx", "javascript"),
    ("ts mts cts tsx", "typescript"),
    ("ps1 psm1 psd1", "powershell"),
    ("bat cmd", "batch"),
    ("rb rake gemspec gemfile rakefile", "ruby"),
    ("pl pm", "perl"),
    ("php phtml", "php"),
    ("lua", "lua"),
    ("go", "go"),
    ("rs", "rust"),
    ("java", "java"),
    ("kt kts", "kotlin"),
    ("swift", "swift"),
    ("scala sc", "scala"),
    ("groovy gradle jenkinsfile", "groovy"),
    ("dart", "dart"),
    ("c h", "c"),
    ("cc cpp cxx hpp hh m mm", "cpp"),
    ("cs csx", "csharp"),
    ("r", "r"),
    ("jl", "julia"),
    ("sql", "sql"),
    ("ex exs", "elixir"),
    ("hs", "haskell"),
    ("clj cljs edn el lisp scm", "lisp"),
    ("vbs vba bas wsf", "vbscript"),
    ("applescript", "applescript"),
    ("tf hcl nix", "terraform"),
    ("mk makefile justfile", "make"),
    ("dockerfile containerfile", "dockerfile"),
    ("json jsonc json5 jsonl ipynb", "json"),
    ("yaml yml", "yaml"),
    ("toml", "toml"),
    ("xml plist xsd csproj html htm svg vue", "xml"),
    ("ini cfg conf properties env npmrc gitconfig netrc editorconfig service desktop", "ini"),
];
