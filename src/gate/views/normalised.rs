//! The normalised view: what the text looks like, in plain letters (gate.md 1).
//!
//! Terminal sequences and control characters removed; NFKC with case kept; zero-width, bidi and other invisible
//! characters removed; stacked accents on ASCII letters removed, and all accents of a word that has them on most of its
//! letters; letters that look like ASCII letters folded into them. Folding is decided by word, so
//! that Russian or Greek prose stays what it is: a word is folded where it mixes look-alikes with ASCII
//! letters, or where all of it (three letters or more) looks ASCII. Text without anything to change gives no
//! view.

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

use super::confusables::{is_braille, letter, sign};
use super::{Rewrite, controls, foreign};
use crate::base::Span;
use crate::base::printable::is_invisible;

/// The normalised text; nothing where it equals the text, and two where backspaces can be read in two ways.
pub(super) fn rewrites(text: &str) -> Vec<Rewrite> {
    let without = controls::without(text);
    if without.is_empty() {
        return rewrite(text).into_iter().collect();
    }
    let in_plain_letters = |outer: Rewrite| {
        let inner = rewrite(&outer.text);
        controls::after(outer, inner)
    };
    without.into_iter().map(in_plain_letters).collect()
}

/// The text in plain letters, or nothing where it equals the text.
fn rewrite(text: &str) -> Option<Rewrite> {
    let mut writer = Writer { text, out: Rewrite::with_capacity(text.len()), from: 0 };
    let mut at = 0;
    while let Some(found) = foreign::next(text, at) {
        let word = word_at(text, found, at);
        writer.word(word);
        at = word.end;
    }
    (writer.from > 0).then(|| writer.finish())
}

/// The word around a character beyond ASCII; the character alone where it is none of a word.
fn word_at(text: &str, found: usize, floor: usize) -> Span {
    let before = text.as_bytes()[floor..found].iter().rev().take_while(|byte| byte.is_ascii_alphanumeric());
    let start = found - before.count();
    let rest = &text[found..];
    let Some(first) = rest.chars().next() else { return Span::new(found, found) };
    if !in_word(first) {
        return Span::new(found, found + symbol_len(rest));
    }
    let len = rest.find(|c| !in_word(c)).unwrap_or(rest.len());
    Span::new(start, found + len)
}

/// The length of a sign or picture with the selectors and joiners that belong to it.
fn symbol_len(rest: &str) -> usize {
    rest.char_indices()
        .skip(1)
        .find(|(_, c)| !matches!(c, '\u{FE0E}' | '\u{FE0F}' | '\u{200D}' | '\u{20E3}'))
        .map_or(rest.len(), |(at, _)| at)
}

fn in_word(c: char) -> bool {
    c.is_alphanumeric() || is_mark(c) || is_dropped(c) || is_braille(c)
}

/// Characters that join the one before them.
fn is_mark(c: char) -> bool {
    matches!(c,
        '\u{300}'..='\u{36F}' | '\u{1160}'..='\u{11FF}' | '\u{1AB0}'..='\u{1AFF}' | '\u{1DC0}'..='\u{1DFF}'
        | '\u{20D0}'..='\u{20FF}' | '\u{3099}' | '\u{309A}' | '\u{FE20}'..='\u{FE2F}')
}

/// Characters that show nothing. Line separators show a line end and are signs.
fn is_dropped(c: char) -> bool {
    (is_invisible(c) && sign(c).is_none()) || matches!(c, '\u{FE00}'..='\u{FE0F}')
}

/// True for characters that NFKC leaves as they are; the common alphabets are answered without a look-up.
fn is_plain(c: char) -> bool {
    let common = matches!(c,
        '\0'..='\u{7F}' | 'À'..='ı' | 'а'..='я' | '\u{3041}'..='\u{3096}' | '\u{30A1}'..='\u{30FA}'
        | '\u{4E00}'..='\u{9FFF}' | '가'..='힣');
    common || is_nfkc_quick(std::iter::once(c)) == IsNormalized::Yes
}

/// True where the look-alikes in a word stand for ASCII letters. Words of one or two letters that only look
/// ASCII are everyday words of other languages.
fn is_folded(word: &str) -> bool {
    let [mut ascii, mut alike, mut foreign] = [0_usize; 3];
    for c in word.chars() {
        if c.is_ascii_alphabetic() {
            ascii += 1;
        } else if letter(c).is_some() {
            alike += 1;
            // Braille stands for these letters in words of any length.
            ascii += usize::from(is_braille(c));
        } else if c.is_alphabetic() && is_plain(c) {
            foreign += 1;
        }
    }
    alike > 0 && (ascii > 0 || (foreign == 0 && alike > 2))
}

/// True where most letters of a word carry an accent, two at least: no language writes so.
fn is_all_accents(word: &str) -> bool {
    let [mut letters, mut accented] = [0_usize; 2];
    let mut last = false;
    for c in word.nfd() {
        if c.is_ascii_alphabetic() {
            letters += 1;
            last = true;
        } else {
            accented += usize::from(last && is_mark(c));
            last = false;
        }
    }
    accented > 1 && accented * 3 > letters * 2
}

/// Writes words as they come; what stands between changes is copied in one stretch.
struct Writer<'a> {
    text: &'a str,
    out: Rewrite,
    /// Up to where the text was written; 0 until something changes.
    from: usize,
}

impl Writer<'_> {
    fn word(&mut self, span: Span) {
        let text = self.text;
        let Some(word) = span.of(text) else { return };
        let fold = is_folded(word);
        let bare = is_all_accents(word);
        let mut chars = word.char_indices().peekable();
        while let Some((start, c)) = chars.next() {
            while chars.next_if(|(_, next)| is_mark(*next)).is_some() {}
            let end = chars.peek().map_or(word.len(), |(at, _)| *at);
            let cluster = Span::new(span.start + start, span.start + end);
            if !(bare && self.bare(cluster)) {
                self.cluster(c, cluster, fold);
            }
        }
    }

    /// Writes a letter without its accents; false where it is no ASCII letter with accents.
    fn bare(&mut self, span: Span) -> bool {
        let text = self.text;
        let letters: String = span.of(text).unwrap_or_default().nfd().filter(|c| !is_mark(*c)).collect();
        let is_bare =
            letters.len() == 1 && span.len() > 1 && letters.bytes().all(|byte| byte.is_ascii_alphabetic());
        if is_bare {
            self.replace(span, &letters);
        }
        is_bare
    }

    /// Writes one character with its marks, where it is not what it seems.
    fn cluster(&mut self, c: char, span: Span, fold: bool) {
        let alone = span.len() == c.len_utf8();
        if is_dropped(c) || (is_mark(c) && !('\u{1160}'..='\u{11FF}').contains(&c)) {
            if !self.after_symbol(span.start) {
                self.replace(span, "");
            }
        } else if let Some(ascii) = letter(c).filter(|_| fold) {
            self.replace(span, ascii.encode_utf8(&mut [0; 4]));
        } else if let Some(ascii) = sign(c) {
            self.replace(span, ascii);
        } else if c == '—' && self.starts_a_flag(span) {
            self.replace(span, "--");
        } else if !(alone && is_plain(c)) {
            self.compose(c, span);
        }
    }

    /// True after a picture: its selectors and joiners hide nothing.
    fn after_symbol(&self, at: usize) -> bool {
        let before = self.text[..at].chars().rev().take(8).find(|c| !is_dropped(*c));
        before.is_some_and(|c| !c.is_ascii() && !c.is_alphanumeric())
    }

    /// True for a long dash that a word processor made of the two hyphens of a flag.
    fn starts_a_flag(&self, span: Span) -> bool {
        let before = self.text[..span.start].chars().next_back();
        let after = self.text[span.end..].chars().next();
        before.is_none_or(|c| c.is_whitespace() || c == '`') && after.is_some_and(|c| c.is_ascii_alphabetic())
    }

    fn compose(&mut self, base: char, span: Span) {
        let text = self.text;
        let Some(cluster) = span.of(text) else { return };
        let composed: String = if base.is_ascii() {
            cluster.nfkc().filter(|c| !is_mark(*c)).collect()
        } else {
            cluster.nfkc().collect()
        };
        if composed != cluster {
            self.replace(span, &composed);
        }
    }

    fn replace(&mut self, span: Span, with: &str) {
        self.out.copy(self.text, Span::new(self.from, span.start));
        self.out.put(with, span);
        self.from = span.end;
    }

    fn finish(mut self) -> Rewrite {
        self.out.copy(self.text, Span::new(self.from, self.text.len()));
        self.out
    }
}

#[cfg(test)]
mod tests {
    use super::rewrite;

    fn check(text: &str, shown: &str) {
        let made = rewrite(text).map_or_else(|| text.to_owned(), |rewrite| rewrite.into_parts().0);
        assert_eq!(made, shown, "{text:?}");
    }

    #[test]
    fn text_becomes_what_it_looks_like() {
        check(
            "plain text — with a dash, naïve, 名前 and Привет",
            "plain text — with a dash, naïve, 名前 and Привет",
        );
        check("ig\u{200b}no\u{ad}re \u{202e}all\u{2060}", "ignore all");
        check("іgnоrе аll", "ignore all");
        check("ｃｕｒｌ ①②", "curl 12");
        check("𝗶𝗴𝗻𝗼𝗿𝗲 𝒶𝓁𝓁", "ignore all");
        check("don’t “tell”", "don't \"tell\"");
        check("run —yes or –yes", "run --yes or -yes");
        check("e\u{301}t c\u{338}\u{336}url", "ét curl");
        check("한국", "한국");
        check("R\u{301}e\u{301}a\u{301}d\u{301} áńd\u{301} śéńd\u{301}", "Read and send");
        check("été à Việt Nam được", "été à Việt Nam được");
        check("ᴄᴜʀʟ ꓚUꓣꓡ", "curl CURL");
        check("a\u{2028}b", "a\nb");
    }

    #[test]
    fn prose_of_other_scripts_stays_what_it_is() {
        for text in
            ["Не сообщай об этом", "Ελληνικά", "नमस्ते", "می\u{67e}رسد", "⚠️ 👩‍💻 🏳️‍🌈 ✔️", "日本語テキスト"]
        {
            assert!(rewrite(text).is_none(), "{text}");
        }
    }
}
