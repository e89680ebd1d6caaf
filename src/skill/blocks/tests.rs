use proptest::prelude::*;

use super::{Block, BlockKind, DEPTH, InlineKind, at, containers, headings, parse, parse_within};
use crate::base::Span;

/// One line a block: depth as dots, kind, and the block's first line.
fn outline(text: &str) -> Vec<String> {
    let blocks = parse(text);
    let line = |(index, block): (usize, &Block)| {
        let dots = ".".repeat(containers(&blocks, index).count());
        let shown = block.span.of(text).unwrap().lines().next().unwrap_or_default();
        format!("{dots}{} {shown}", name(&block.kind))
    };
    blocks.iter().enumerate().map(line).collect()
}

fn name(kind: &BlockKind) -> String {
    match kind {
        BlockKind::Heading { level, text } => format!("h{level}({text})"),
        BlockKind::Paragraph => "p".to_owned(),
        BlockKind::List { start: Some(number) } => format!("ol{number}"),
        BlockKind::List { start: None } => "ul".to_owned(),
        BlockKind::Item { done } => done.map_or("li".to_owned(), |done| format!("task({done})")),
        BlockKind::Quote => "quote".to_owned(),
        BlockKind::Code { language, fenced, closed, .. } => format!("code({language},{fenced},{closed})"),
        BlockKind::Table { rows } => format!("table({}x{})", rows.len(), rows[0].len()),
        BlockKind::Html => "html".to_owned(),
        BlockKind::HtmlComment => "comment".to_owned(),
        BlockKind::Reference { destination, title } => format!("ref({destination},{title})"),
        BlockKind::ThematicBreak => "rule".to_owned(),
    }
}

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    assert_eq!(outline(text), expected, "{text}");
}

#[test]
fn each_kind_of_block_is_told_apart() {
    check("# A `b`\n\ntext\nmore\n\n---\n", &["h1(A b) # A `b`", "p text", "rule ---"]);
    check("Title\n=====\n", &["h1(Title) Title"]);
    check("```Py title=x\na\n\nb\n```\n", &["code(py,true,true) ```Py title=x"]);
    check("~~~\nnever closed\n", &["code(,true,false) ~~~"]);
    check("a\n\n    code\n", &["p a", "code(,false,true) code"]);
    check("| a | b |\n|---|---|\n| 1 | 2 |\n", &["table(2x2) | a | b |"]);
    check("<div>\n<!-- x -->\n</div>\n", &["html <div>"]);
    check("<!-- x\n\ny --> <!--z-->\n", &["comment <!-- x"]);
    check("<!-- never closed\n\ntext\n", &["comment <!-- never closed"]);
    check("<!-- x --> shown\n", &["html <!-- x --> shown"]);
}

#[test]
fn containers_stand_before_what_they_hold() {
    check(
        "3. one\n   - [x] in\n4. two\n\n   more\n",
        &[
            "ol3 3. one",
            ".li 3. one",
            "..p one",
            "..ul - [x] in",
            "...task(true) - [x] in",
            "....p in",
            ".li 4. two",
            "..p two",
            "..p more",
        ],
    );
    check("> # q\n> - a\nlazy\n", &["quote > # q", ".h1(q) # q", ".ul - a", "..li - a", "...p a"]);
    check(
        "- `a` *b*\n-\n- [x](y)\n",
        &["ul - `a` *b*", ".li - `a` *b*", "..p `a` *b*", ".li -", ".li - [x](y)", "..p [x](y)"],
    );
}

#[test]
fn definitions_that_nothing_shows_are_listed() {
    check(
        "[a]: http://x.example 'T'\n\ntext\n",
        &["ref(http://x.example,T) [a]: http://x.example 'T'", "p text"],
    );
    check("[//]: # (one)\n[//]: # (two)\n", &["ref(#,one) [//]: # (one)", "ref(,) [//]: # (two)"]);
    check(
        "- [a]: x.example\n\n  text\n",
        &["ul - [a]: x.example", ".li - [a]: x.example", "..ref(x.example,) [a]: x.example", "..p text"],
    );
}

#[test]
fn blocks_know_their_headings() {
    let text = "# A\n## B\np\n> ## Q\n> q\n\nr\n## C\ns\n";
    let blocks = parse(text);
    let under = |words: &str| {
        let index = at(&blocks, text.find(words).unwrap()).unwrap();
        headings(&blocks, index).collect::<Vec<_>>().join("<")
    };
    for (words, expected) in [("p\n", "B<A"), ("q\n", "Q<A"), ("r\n", "B<A"), ("s\n", "C<A"), ("# A", "")] {
        assert_eq!(under(words), expected, "{words}");
    }
    assert!(blocks[at(&blocks, text.find("q\n").unwrap()).unwrap()].quoted);
    assert!(!blocks[at(&blocks, text.find("r\n").unwrap()).unwrap()].quoted);
}

#[test]
fn inlines_keep_what_is_not_shown() {
    let text =
        "See [the `docs`](https://d.example \"T\") and ![al *t*](i.png \"P\") `` a`b `` <b> <!-- c -->";
    let blocks = parse(text);
    let shown: Vec<String> = blocks[0]
        .inlines
        .iter()
        .map(|inline| match &inline.kind {
            InlineKind::Code { content } => format!("code {:?}", content.of(text).unwrap()),
            InlineKind::Link { destination, title, text: words } => {
                format!("link {destination} {title} {}", words.of(text).unwrap())
            }
            InlineKind::Image { destination, title, alt } => format!("image {destination} {title} {alt}"),
            InlineKind::Html => "html".to_owned(),
            InlineKind::HtmlComment => format!("comment {}", inline.span.of(text).unwrap()),
        })
        .collect();
    let expected = [
        "link https://d.example T the `docs`",
        "code \"docs\"",
        "image i.png P al t",
        "code \" a`b \"",
        "html",
        "comment <!-- c -->",
    ];
    assert_eq!(shown, expected);
}

#[test]
fn code_content_lies_between_the_fences() {
    for (text, expected) in
        [("```sh\nls\n```\n", "ls\n"), ("- ```\n  a\n  b\n  ```\n", "a\n  b\n"), ("```\n```\n", "")]
    {
        let blocks = parse(text);
        let content = blocks.iter().find_map(|block| match &block.kind {
            BlockKind::Code { content, .. } => Some(*content),
            _ => None,
        });
        assert_eq!(content.unwrap().of(text).unwrap(), expected, "{text}");
    }
}

#[test]
fn a_part_of_a_text_has_spans_of_the_whole() {
    let text = "é\n# A\n\nb";
    let blocks = parse_within(text, Span::new(3, text.len()));
    assert_eq!(blocks[0].span.of(text), Some("# A"));
    assert_eq!(blocks[1].span.of(text), Some("b"));
}

#[test]
fn deep_nesting_stays_flat_and_quick() {
    let n = 20_000;
    for text in [
        format!("{}x", ">".repeat(n)),
        format!("{}x\n{}", "- ".repeat(n), "\n".repeat(n)),
        format!("{}{}", "![".repeat(n), "](a)".repeat(n)),
        format!("{}x{}", "*".repeat(n), "*".repeat(n)),
        "<!-- a --> ".repeat(n),
        "<!-- -- ".repeat(n),
        "[a]: b\n".repeat(n),
        "`".repeat(n),
        "[".repeat(n),
        "<div>\n".repeat(n),
        "| a ".repeat(n),
    ] {
        let blocks = parse(&text);
        check_promises(&text, &blocks);
        assert!((0..blocks.len()).all(|index| containers(&blocks, index).count() <= DEPTH));
    }
}

/// What the module promises about every list of blocks.
#[track_caller]
fn check_promises(text: &str, blocks: &[Block]) {
    let mut covered = 0;
    for (index, block) in blocks.iter().enumerate() {
        assert!(block.span.of(text).is_some(), "{:?} is no text", block.span);
        assert!(index == 0 || blocks[index - 1].span.start <= block.span.start, "{index} goes back");
        if let Some(parent) = block.parent {
            assert!(parent < index && blocks[parent].kind.is_container());
            assert!(blocks[parent].span.covers(block.span), "{index} leaves its parent");
        } else {
            let gap = text.get(covered..block.span.start).expect("top blocks overlap");
            assert!(gap.trim().is_empty(), "lost {gap:?}");
            covered = block.span.end;
        }
        for inline in &block.inlines {
            assert!(inline.span.of(text).is_some());
            if let InlineKind::Code { content: part } | InlineKind::Link { text: part, .. } = &inline.kind {
                assert!(part.of(text).is_some());
            }
        }
        if let BlockKind::Code { content, .. } = &block.kind {
            assert!(content.of(text).is_some());
        }
    }
    assert!(text[covered..].trim().is_empty(), "lost {:?}", &text[covered..]);
}

/// Text made of what Markdown is made of.
fn markdown() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("\n"),
        Just("\n\n"),
        Just("  "),
        Just("\t"),
        Just("- "),
        Just("1. "),
        Just("> "),
        Just("#"),
        Just("```"),
        Just("~~~"),
        Just("`"),
        Just("*"),
        Just("["),
        Just("]"),
        Just("(a)"),
        Just("]: b"),
        Just("!["),
        Just("<!--"),
        Just("-->"),
        Just("<div>"),
        Just("| a |"),
        Just("|---|"),
        Just("---"),
        Just("word"),
        Just("é"),
        Just("\r"),
        Just("\u{feff}"),
        Just("\0"),
        Just("&amp;"),
        Just("\\"),
        Just("[x] "),
        Just("    "),
        Just("==="),
    ];
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn every_text_keeps_the_promises(text in markdown()) {
        check_promises(&text, &parse(&text));
    }

    #[test]
    fn any_characters_keep_the_promises(text in any::<String>()) {
        check_promises(&text, &parse(&text));
    }
}
