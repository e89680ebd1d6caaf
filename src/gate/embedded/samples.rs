//! Passages that show samples: "Signs that somebody tidied up:", "These lines come from reports".
//!
//! A text about security says so of what it quotes, once for a whole passage. It excuses nothing that the text orders, and
//! nothing in a text about something else: who brings a key away needs no signs of it.

use std::sync::LazyLock;

use regex::Regex;

use super::order::{is_led, is_order};
use super::reading::Reading;
use super::segment::Form;
use super::setting::Setting;

/// How many segments back a passage is looked for.
const PASSAGE: usize = 24;

/// True where a segment stands in a passage that shows samples, and nobody is told to do them.
pub(super) fn shows_samples(reading: &Reading<'_>, segment: usize, setting: Setting) -> bool {
    let Some(place) = reading.segments.get(segment).filter(|_| setting.is_topical && !reading.is_script)
    else {
        return false;
    };
    if is_led(reading, segment) || (place.form != Form::Code && is_order(reading, segment)) {
        return false;
    }
    let first = place.heading.map_or(0, |heading| heading + 1).max(segment.saturating_sub(PASSAGE));
    (first..=segment)
        .filter(|said| reading.segments[*said].form == Form::Prose)
        .any(|said| SAMPLES.is_match(reading.folded(reading.segments[said].span)))
}

/// What a passage of samples says of itself.
static SAMPLES: LazyLock<Regex> = LazyLock::new(|| {
    let says = [
        r"\bsigns? (?:that|of)\b|\btraces of\b|\bindicators? of\b|\bso that you (?:can )?recogni[sz]e\b|\bhow to recogni[sz]e\b",
        r"\b(?:comes?|came|are|is|were|taken|copied|quoted) from (?:\w+ )?(?:reports?|reviews?|incidents?|logs?|cases?|samples?|attacks?)\b",
        r"\b(?:real|typical|known|common|shortened|actual|recorded) (?:samples?|specimens?|attacks?|payloads?|injections?)\b|\bdefanged\b|\baddresses (?:are )?replaced\b",
        r"\banzeichen\b|\bbeispiele aus\b|\bstammen aus\b|\bsignes? d[e'’]|\btirés? de\b|\bseñales? de\b|\bejemplos reales\b|\bsinais de\b|\bexemplos reais\b|\bsegni di\b|\besempi reali\b|признаки|примеры из|ознаки|приклади з|\boznaki\b|\bbelirti",
        r"迹象|真实样本|取自|样例取自|兆候|実例|見分け|징후|실제 사례|\bdấu hiệu\b|\btanda-tanda\b",
    ];
    let joined = says.map(|pattern| format!("(?:{pattern})")).join("|");
    Regex::new(&joined).expect("a test compiles the expression")
});

#[cfg(test)]
mod tests {
    use super::super::reading::Reading;
    use super::super::setting::{FileUse, Setting, Theme};
    use super::shows_samples;
    use crate::gate::{Part, Role};

    fn shows(text: &str, is_topical: bool) -> bool {
        let part = Part { path: "SKILL.md".to_owned(), role: Role::Instructions, text: text.into() };
        let reading = Reading::of_part(&part);
        let segment = reading.segment_at(text.find("rm -rf").unwrap());
        shows_samples(&reading, segment, Setting { theme: Theme::Task, file: FileUse::Ordinary, is_topical })
    }

    #[test]
    fn a_passage_says_of_itself_that_it_shows() {
        assert!(shows("## Traces\n\nSigns that somebody tidied up:\n\n- `rm -rf /var/log`\n", true));
        assert!(shows("These lines come from reports:\n\n```\nrm -rf /tmp/.x\n```\n", true));
        assert!(shows("Anzeichen eines Einbruchs:\n\n- `rm -rf /var/log`\n", true));
    }

    #[test]
    fn an_order_and_a_text_about_something_else_show_nothing() {
        assert!(!shows(
            "Signs that it worked come from logs. Run this:\n\n```sh\nrm -rf /var/log\n```\n",
            true
        ));
        assert!(!shows("These lines come from reports:\n\n```\nrm -rf /tmp/.x\n```\n", false));
        assert!(!shows("These lines come from reports.\n\n## Setup\n\n```\nrm -rf /tmp/.x\n```\n", true));
    }
}
