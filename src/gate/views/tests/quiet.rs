//! Everyday text carries nothing.

use super::{part, shown};
use crate::gate::Role;
use crate::gate::views::of;

/// Only the raw view.
#[track_caller]
fn check(role: Role, text: &str) {
    let part = part(role, text);
    let views = of(&part);
    assert_eq!(views.len(), 1, "{text:?} carries:\n{}", shown(&views));
}

#[test]
fn pictures_flags_and_other_scripts_carry_nothing() {
    for text in [
        "👩‍💻 👨‍👩‍👧‍👦 ❤️ 🏳️‍🌈 ✔️",
        "🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F} Scotland, 🇫🇷",
        "नमस्ते दुनिया",
        "שלום עולם, مرحبا بالعالم",
        "日本語と한국어",
    ] {
        check(Role::Reference, text);
    }
}

#[test]
fn identifiers_hashes_and_paths_carry_nothing() {
    for text in [
        "src/components/Button/index.tsx getElementsByClassName internationalization",
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "550e8400-e29b-41d4-a716-446655440000 at 2024-01-02 03:04:05",
        "00:1a:2b:3c:4d:5e and 192.0.2.17, v1.22.333",
        "AKIDEXAMPLEKEYNOTREALVALUE1234 SHA256withRSAandMGF1",
        "100% of users & 50% of others, C++ & C#",
    ] {
        check(Role::Reference, text);
    }
}

#[test]
fn versions_options_and_markup_carry_nothing() {
    for text in [
        "s3, k8s, i18n, sha256, utf8, v1.2.3 and 0xff on h100",
        "choose a, b, c or d; a - b - c; | x | y | z |",
        "e.g. U.S. and i.e. x-y, a.b.c and -x -y -z -v",
        "**bold** and a<br>b <td>c</td><td>d</td>, 2 ** 3, src/**/x",
        "Vec<String>, a<b and c>d",
        "for f in src/*.c; do cc -c \"$f\"; done; git tag v$v; ls ~/.config/*",
        "élève, naïve, Việt Nam, Dvořák",
    ] {
        check(Role::Reference, text);
    }
}

#[test]
fn plain_prose_and_code_carry_nothing() {
    check(
        Role::Instructions,
        "---\nname: x\ndescription: y\n---\n# Title\n\nDon't say \"no\"; it's a user's choice.\n",
    );
    check(Role::Script, "import os\n\ndef main():\n    print(\"hello\", 'world')\n    return [1, 2, 3]\n");
    check(Role::Instructions, "```html\n<!-- an example -->\n```\n");
    check(
        Role::Reference,
        "[link](https://x.example) and ![](x.png), see [1].\n\n| a | b |\n|---|---|\n| 1 | 2 |\n",
    );
}
