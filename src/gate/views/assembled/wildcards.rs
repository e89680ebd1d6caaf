//! Paths written with wildcards so that their names do not show: `~/.a?s/cred*`, `/bin/c?t`.
//!
//! A wildcard is read as the first of a few well-known places that it fits. Only patterns that spell a part of each name are
//! read: `~/.ssh/*` hides nothing.

use memchr::memchr3_iter;

use crate::base::Span;

/// What a hidden path may stand for; the part behind the home directory, or from the root.
const PLACES: &[&str] = &[
    "~/.aws/credentials",
    "~/.ssh/id_rsa",
    "~/.ssh/id_ed25519",
    "~/.ssh/authorized_keys",
    "~/.netrc",
    "~/.npmrc",
    "~/.pypirc",
    "~/.pgpass",
    "~/.kube/config",
    "~/.docker/config.json",
    "~/.git-credentials",
    "~/.gnupg",
    "~/.bashrc",
    "~/.zshrc",
    "~/.bash_history",
    "~/.claude/settings.json",
    "~/.claude.json",
    "/etc/passwd",
    "/etc/shadow",
    "/etc/sudoers",
    "/bin/cat",
    "/bin/sh",
    "/bin/bash",
    "/bin/curl",
    "/bin/nc",
    "/bin/rm",
    "/usr/bin/cat",
    "/usr/bin/curl",
    "/usr/bin/wget",
    "/usr/bin/nc",
    "/usr/bin/base64",
    "/usr/bin/python3",
];

/// How long a path with wildcards may be.
const LONGEST: usize = 48;

/// The paths with wildcards that fit a well-known place, with that place.
pub(super) fn places(text: &str) -> Vec<(Span, &'static str)> {
    let mut places = Vec::new();
    let mut from = 0;
    for at in memchr3_iter(b'?', b'*', b'[', text.as_bytes()) {
        if at < from {
            continue;
        }
        let span = path_around(text, at);
        from = span.end;
        places.extend(span.of(text).and_then(known).map(|place| (span, place)));
    }
    places
}

/// The word around a wildcard, as far as a path goes.
fn path_around(text: &str, at: usize) -> Span {
    let bytes = text.as_bytes();
    let before = bytes[..at].iter().rev().take(LONGEST).take_while(|byte| is_path(**byte)).count();
    let after = bytes[at..].iter().take(LONGEST).take_while(|byte| is_path(**byte)).count();
    Span::new(at - before, at + after)
}

const fn is_path(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'/' | b'.' | b'_' | b'-' | b'~' | b'?' | b'*' | b'[' | b']' | b'$')
}

/// The place that a pattern of a path stands for.
fn known(path: &str) -> Option<&'static str> {
    let home = path.strip_prefix("$HOME/").or_else(|| path.strip_prefix("~/"));
    let pattern = home.unwrap_or(path);
    let names = pattern.trim_start_matches(['/', '.']).split('/');
    let spelled = names
        .filter(|name| !name.is_empty())
        .all(|name| name.bytes().any(|byte| byte.is_ascii_alphanumeric()));
    if !spelled || (home.is_none() && !path.starts_with('/')) {
        return None;
    }
    PLACES.iter().copied().find(|place| {
        let name = if home.is_some() { place.strip_prefix("~/") } else { Some(*place) };
        name.is_some_and(|name| fits(pattern, name))
    })
}

/// True where a pattern fits a path, as a shell has it: no wildcard stands for a slash.
fn fits(pattern: &str, path: &str) -> bool {
    pattern.split('/').count() == path.split('/').count()
        && pattern
            .split('/')
            .zip(path.split('/'))
            .all(|(pattern, name)| fits_name(pattern.as_bytes(), name.as_bytes()))
}

/// True where a pattern fits a name; only the last star is ever stretched, so the work stays small.
fn fits_name(pattern: &[u8], name: &[u8]) -> bool {
    let (mut at, mut read, mut star) = (0, 0, None);
    while read < name.len() {
        if let Some(next) = after(pattern, at, name[read]) {
            (at, read) = (next, read + 1);
        } else if pattern.get(at) == Some(&b'*') {
            at += 1;
            star = Some((at, read));
        } else if let Some((from, to)) = star {
            (at, read) = (from, to + 1);
            star = Some((from, to + 1));
        } else {
            return false;
        }
    }
    pattern[at..].iter().all(|byte| *byte == b'*')
}

/// Where a pattern goes on after one character that is no star's; nothing where it does not fit.
fn after(pattern: &[u8], at: usize, c: u8) -> Option<usize> {
    match pattern.get(at)? {
        b'*' => None,
        b'?' => Some(at + 1),
        b'[' => {
            let end = at + 1 + pattern[at + 1..].iter().position(|byte| *byte == b']')?;
            pattern[at + 1..end].contains(&c).then_some(end + 1)
        }
        byte => (*byte == c).then_some(at + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::places;

    #[test]
    fn hidden_names_are_read() {
        for (text, place) in [
            ("cat ~/.a?s/cred*", "~/.aws/credentials"),
            ("cat $HOME/.s[s]h/id_r??", "~/.ssh/id_rsa"),
            ("/bin/c?t /etc/pass*", "/bin/cat"),
            ("/usr/bin/cu?l x", "/usr/bin/curl"),
        ] {
            assert_eq!(places(text).first().map(|(_, place)| *place), Some(place), "{text}");
        }
    }

    #[test]
    fn everyday_wildcards_stay() {
        for text in [
            "rm -rf dist/*",
            "ls ~/.ssh/*",
            "src/**/*.rs",
            "cat ~/.*",
            "is it /etc/hosts?",
            "https://x.example/a?b",
        ] {
            assert!(places(text).is_empty(), "{text}");
        }
    }
}
