//! Pickles that name a function which runs programs or code: it runs as soon as somebody loads the file.
//!
//! Nothing is loaded here. The two ways in which a pickle names a function are looked for: a line each for module and name,
//! or two short strings, one after the other.

use memchr::memmem;

/// Modules whose functions run things, as pickles call them.
const MODULES: &[&str] =
    &["posix", "nt", "os", "subprocess", "builtins", "__builtin__", "runpy", "pty", "commands"];

/// Functions of theirs that do.
const FUNCTIONS: &[&str] = &[
    "system",
    "popen",
    "exec",
    "eval",
    "compile",
    "Popen",
    "call",
    "run",
    "check_output",
    "check_call",
    "getoutput",
    "execv",
    "execve",
    "execvp",
    "spawn",
    "spawnl",
    "run_path",
    "run_module",
    "__import__",
];

/// How long a name may be.
const LONGEST: usize = 32;

/// True for a binary pickle that names a function which runs something.
pub(super) fn runs_something(bytes: &[u8]) -> bool {
    let is_pickle = matches!(bytes, [0x80, 2..=5, ..]) && bytes.ends_with(b".");
    is_pickle && MODULES.iter().any(|module| names_by_line(bytes, module) || names_by_strings(bytes, module))
}

/// `c`, the module and a line break, the function and a line break.
fn names_by_line(bytes: &[u8], module: &str) -> bool {
    let sign = [b"c", module.as_bytes(), b"\n"].concat();
    memmem::find_iter(bytes, &sign).any(|at| {
        let rest = &bytes[at + sign.len()..];
        let len = rest.iter().take(LONGEST).position(|byte| *byte == b'\n');
        len.is_some_and(|len| is_function(&rest[..len]))
    })
}

/// The module and the function as short strings, each with its length before it, and at most a mark between.
fn names_by_strings(bytes: &[u8], module: &str) -> bool {
    let Ok(length) = u8::try_from(module.len()) else { return false };
    let sign = [&[0x8C, length], module.as_bytes()].concat();
    memmem::find_iter(bytes, &sign).any(|at| {
        let rest = &bytes[at + sign.len()..];
        let rest = rest.strip_prefix(&[0x94]).unwrap_or(rest);
        let [0x8C, length, name @ ..] = rest else { return false };
        name.get(..usize::from(*length)).is_some_and(is_function)
    })
}

fn is_function(name: &[u8]) -> bool {
    FUNCTIONS.iter().any(|function| function.as_bytes() == name)
}

#[cfg(test)]
mod tests {
    use super::runs_something;

    #[test]
    fn a_function_that_runs_programs_is_seen_in_both_forms() {
        assert!(runs_something(b"\x80\x02cposix\nsystem\nq\x00X\x02\x00\x00\x00idq\x01\x85q\x02Rq\x03."));
        assert!(runs_something(b"\x80\x04\x95\x1d\0\0\0\0\0\0\0\x8c\x05posix\x94\x8c\x06system\x94\x93\x94\x8c\x02id\x94\x85\x94R\x94."));
    }

    #[test]
    fn data_is_not() {
        assert!(!runs_something(b"\x80\x04\x8c\x11collections\x94\x8c\x0bOrderedDict\x94\x93\x94)R\x94."));
        assert!(!runs_something(b"\x80\x04\x8c\x05posix\x94\x8c\x04path\x94\x86\x94."));
        assert!(!runs_something(b"see posix and system."));
    }
}
