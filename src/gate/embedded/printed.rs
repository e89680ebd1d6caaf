//! Lines as tools print them: they report, and nobody is told to do what stands in them.

use super::reading::Reading;

/// True for a line as tools print them: it begins with a file and a line number, `a/b.js:3`, or with a time.
pub(super) fn is_printed(reading: &Reading<'_>, segment: usize) -> bool {
    let Some(place) = reading.segments.get(segment) else { return false };
    let first = reading.folded(place.span).split([' ', '\t', ',']).next().unwrap_or_default();
    let (file, line) = first.split_once(':').unwrap_or_default();
    let number = line.split(':').next().unwrap_or_default();
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    (file.contains('.') && is_number(number)) || is_time(first)
}

/// True for `14:01`, `14:01:07`, `2024-05-02T09:40Z`, `[2024-05-02`.
fn is_time(word: &str) -> bool {
    let word = word.trim_matches(['[', ']', '(', ')']);
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    let marks = word.bytes().filter(|byte| matches!(byte, b':' | b'-')).count();
    let only = word.bytes().all(|byte| byte.is_ascii_digit() || b":-.+TtZz".contains(&byte));
    only && digits >= 4 && marks > 0 && word.starts_with(|c: char| c.is_ascii_digit())
}
