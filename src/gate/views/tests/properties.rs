//! What holds for any text.

use proptest::prelude::*;

use super::part;
use crate::base::Span;
use crate::gate::Role;
use crate::gate::views::of;

/// Text that is rich in what the views look for.
fn hostile_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        any::<char>().prop_map(String::from),
        "[A-Za-z0-9+/]{8,60}",
        "(%[0-9a-f]{2}|\\\\x[0-9a-f]{2}|&#x?[0-9]{2,5};|\\\\u[0-9a-f]{4}|\\\\[0-3][0-7]{2}){1,6}",
        "[\u{200b}\u{200c}\u{200d}\u{2060}]{1,40}",
        "[\u{E0020}-\u{E007F}]{1,20}",
        "[\u{FE00}-\u{FE0F}]{1,9}",
        "(\"[a-z]{1,4}\"( ?[+.,] ?|\n)?){1,5}",
        "((0x)?[0-9]{1,3}, ?){1,9}",
        "(chr\\([0-9]{1,3}\\)\\+?){1,4}",
        Just("<!--".to_owned()),
        Just("-->".to_owned()),
        Just("](".to_owned()),
        Just("\n[//]: # (".to_owned()),
        Just("rot13 [::-1] .join(".to_owned()),
        "[а-яa-z\u{301}ａ-ｚ—’]{1,9}",
        "[ \t\n]{1,30}",
        Just("```\n".to_owned()),
    ];
    prop::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
}

const ROLES: [Role; 3] = [Role::Instructions, Role::Script, Role::Config];

fn check(text: &str, cuts: &[(usize, usize)]) -> Result<(), TestCaseError> {
    for role in ROLES {
        let part = part(role, text);
        let views = of(&part);
        let made: usize = views.iter().skip(1).map(|view| view.text.len()).sum();
        prop_assert!(made <= 14 * text.len() + 65 * 1024, "{made} bytes of views from {}", text.len());
        for view in &views {
            for (start, len) in cuts {
                let start = start % (view.text.len() + 1);
                let span = view.to_part(Span::new(start, start + len));
                prop_assert!(span.of(text).is_some(), "{:?} of {:?} in {text:?}", span, view);
            }
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn spans_lead_into_the_part_and_views_are_bounded(
        text in hostile_text(),
        cuts in prop::collection::vec((0_usize..4096, 0_usize..64), 8),
    ) {
        check(&text, &cuts)?;
    }

    #[test]
    fn no_text_breaks_the_views(text in any::<String>()) {
        check(&text, &[(0, 1), (7, 300)])?;
    }
}
