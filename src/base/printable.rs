//! Text that others wrote, made safe to show on a terminal or in a log.
//!
//! Control characters, bidi controls, zero-width and tag characters become `\u{…}` escapes: what is shown is what is
//! there, and no escape sequence reaches the terminal.

use std::borrow::Cow;

/// The text with everything invisible or harmful as an escape; LF and TAB too.
pub fn printable(text: &str) -> Cow<'_, str> {
    if text.chars().all(is_plain) {
        return Cow::Borrowed(text);
    }
    let escaped = text.chars().fold(String::with_capacity(text.len() + 16), |mut out, c| {
        if is_plain(c) {
            out.push(c);
        } else {
            out.extend(c.escape_default());
        }
        out
    });
    Cow::Owned(escaped)
}

fn is_plain(c: char) -> bool {
    !c.is_control() && !is_invisible(c)
}

/// True for characters that take no room or change the order of others: zero-width, bidi controls, tags,
/// variation selectors beyond the emoji ones, fillers and line separators.
pub const fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{00AD}' | '\u{034F}' | '\u{061C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}'
        | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}' | '\u{3164}' | '\u{FE00}'..='\u{FE0D}' | '\u{FEFF}' | '\u{FFA0}'
        | '\u{FFF0}'..='\u{FFFB}' | '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}'
        | '\u{E0000}'..='\u{E0FFF}')
}

#[cfg(test)]
mod tests {
    use super::printable;

    #[test]
    fn nothing_reaches_the_terminal() {
        assert_eq!(printable("a\u{1b}[31mb\u{202e}c\u{e0041}"), "a\\u{1b}[31mb\\u{202e}c\\u{e0041}");
        assert_eq!(printable("naïve 名前"), "naïve 名前");
        assert_eq!(printable("a\nb"), "a\\nb");
    }
}
