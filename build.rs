//! Lists the rule files, so that all of `rules/` is compiled in and a new file needs no entry anywhere.

#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a build script reads the source tree and its environment, and talks to cargo on stdout"
)]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    println!("cargo::rerun-if-changed=rules");
    let mut files = Vec::new();
    collect(&root.join("rules"), &mut files)?;
    files.sort();
    fs::write(out.join("rule_files.rs"), table(&root, &files))
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "toml") {
            files.push(path);
        }
    }
    Ok(())
}

fn table(root: &Path, files: &[PathBuf]) -> String {
    let mut table = "&[\n".to_owned();
    for file in files {
        let name = file.strip_prefix(root).unwrap_or(file).to_string_lossy().replace('\\', "/");
        let path = file.to_string_lossy();
        // Writing to a String cannot fail.
        let _ = writeln!(table, "    ({name:?}, include_str!({path:?})),");
    }
    table + "]\n"
}
