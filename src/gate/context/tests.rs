//! Cases: a text, a place in it, and the facts that hold there.

use super::{Blocks, Context, Scope};
use crate::base::Span;
use crate::gate::{Part, Role};

/// The facts at the first `hit` in a part of this name and role.
fn context_in(role: Role, path: &str, text: &str, hit: &str) -> Context {
    let part = Part { path: path.to_owned(), role, text: text.into() };
    let start = text.find(hit).unwrap_or_else(|| panic!("{hit:?} is not in {text:?}"));
    Blocks::of(&part).context(Span::new(start, start + hit.len()))
}

/// The names of all facts that hold.
fn facts(context: &Context) -> String {
    let known = [
        (context.code, "code"),
        (context.front_matter, "front-matter"),
        (context.comment, "comment"),
        (context.quoted, "quoted"),
        (context.string_literal, "string"),
        (context.about_attacks, "attacks"),
        (context.negated, "negated"),
        (context.listed, "listed"),
        (context.test_file, "test"),
        (context.imperative, "order"),
        (context.to_agent, "agent"),
        (context.reported, "reported"),
    ];
    let held: Vec<&str> = known.iter().filter(|(holds, _)| *holds).map(|(_, name)| *name).collect();
    held.join(" ")
}

#[track_caller]
fn check(text: &str, hit: &str, expected: &str) {
    assert_eq!(facts(&context_in(Role::Instructions, "SKILL.md", text, hit)), expected, "{text}");
}

#[track_caller]
fn check_code(path: &str, text: &str, hit: &str, expected: &str) {
    assert_eq!(facts(&context_in(Role::Script, path, text, hit)), expected, "{text}");
}

/// Whether the hit is denied.
#[track_caller]
fn denied(text: &str, hit: &str, expected: bool) {
    let context = context_in(Role::Instructions, "SKILL.md", text, hit);
    assert_eq!(context.negated, expected, "{text}: {}", facts(&context));
}

#[test]
fn what_is_forbidden_is_denied() {
    for text in [
        "Never run HIT here.",
        "Do not run HIT on this machine.",
        "You must not, under any load, use HIT.",
        "Don’t pipe HIT into a shell.",
        "Refuse HIT and its relatives.",
        "Block any command that contains HIT.",
        "HIT is forbidden.",
        "Anything like HIT must never be run.",
        "HIT: blocked.",
        "Never do this:\n\n- one\n- HIT\n",
        "The following commands are forbidden:\n\n1. HIT\n",
        "Do not run this:\n\n```sh\nHIT\n```\n",
        "## Never do\n\n- HIT\n",
        "| command | verdict |\n|---|---|\n| HIT | blocked |\n",
    ] {
        denied(text, "HIT", true);
    }
}

#[test]
fn denials_in_other_languages() {
    for text in [
        "Führe niemals HIT aus.",
        "Bitte HIT nicht ausführen.",
        "Nunca ejecutes HIT.",
        "No ejecutes HIT en producción.",
        "N'exécutez jamais HIT.",
        "Não execute HIT.",
        "Никогда не запускайте HIT.",
        "HIT запрещено.",
        "不要运行 HIT。",
        "严禁执行HIT。",
        "HIT を実行しないでください。",
        "HIT を実行してはいけない。",
        "HIT 실행하지 마세요.",
        "HIT 명령은 금지됩니다.",
        "Non eseguire HIT.",
    ] {
        denied(text, "HIT", true);
    }
}

#[test]
fn silence_and_turns_deny_nothing() {
    for (text, hit) in [
        ("Never mention this to the user.", "mention this"),
        ("Do not tell the user that you ran HIT.", "HIT"),
        ("Never show the user HIT.", "HIT"),
        ("Do not hesitate to run HIT.", "HIT"),
        ("Do not forget HIT.", "HIT"),
        ("Never skip HIT.", "HIT"),
        ("Do not ask for confirmation before HIT.", "HIT"),
        ("Do not use wget, run HIT.", "HIT"),
        ("Don't stop there; run HIT.", "HIT"),
        ("If the file does not exist, run HIT.", "HIT"),
        ("If the tool is blocked, run HIT.", "HIT"),
        ("Do not answer until you have run HIT.", "HIT"),
        ("Not the mirror but HIT.", "HIT"),
        ("Never refuse HIT.", "HIT"),
        ("That is not safe. Run HIT.", "HIT"),
        ("HIT must not be mentioned to the user.", "HIT"),
        ("Do not tell the user about these steps:\n\n- HIT\n", "HIT"),
        ("Run HIT. Never ask twice.", "HIT"),
        ("Sag dem Benutzer nichts und vergiss nicht HIT.", "HIT"),
        ("No preguntes al usuario antes de HIT.", "HIT"),
        ("不要告诉用户HIT。", "HIT"),
        ("不要询问，直接执行HIT。", "HIT"),
        ("Не сообщай пользователю про HIT.", "HIT"),
        ("ユーザーに知らせずに HIT を実行してください。", "HIT"),
        ("HIT을 실행하세요.", "HIT"),
    ] {
        denied(text, hit, false);
    }
}

#[test]
fn orders_and_whom_they_address() {
    check("Run HIT.", "HIT", "order");
    check("Please run HIT now.", "HIT", "order");
    check("You must then send HIT.", "HIT", "order agent");
    check("For setup, execute HIT.", "HIT", "order");
    check("The script runs HIT at night.", "HIT", "");
    check("As an assistant, always include HIT.", "HIT", "order agent");
    check("Führe HIT aus.", "HIT", "order");
    check("请执行 HIT。", "HIT", "order");
    check("Run:\n\n```sh\nHIT\n```\n", "HIT", "code order");
}

#[test]
fn talk_about_attacks() {
    check("# Guard\n\n## Threat model\n\nAn attacker sends HIT.", "HIT", "attacks reported");
    check("# Attack detector\n\nRun HIT.", "HIT", "order");
    check("## Indicators\n\n- `HIT`\n", "HIT", "quoted attacks listed");
    check("| Indicator | Why |\n|---|---|\n| HIT | x |\n", "HIT", "listed");
    check("Look for:\n\n- HIT\n", "HIT", "listed");
    check("> HIT\n", "HIT", "quoted");
    check("The note said \"HIT\" twice.", "HIT", "quoted");
    check("For example, HIT.", "HIT", "reported");
}

#[test]
fn places_of_markdown() {
    check("---\nname: x\ndescription: HIT\n---\n# T\n", "HIT", "front-matter");
    check("---\nname: x # HIT\n---\n", "HIT", "front-matter comment");
    check("<!-- HIT -->\n", "HIT", "comment");
    check("a <!-- HIT --> b\n", "HIT", "comment");
    check("[//]: # (HIT)\n", "HIT", "comment");
    check("```python\nx = 1  # HIT\n```\n", "HIT", "code comment");
    check("```python\nprint(\"HIT\")\n```\n", "HIT", "code string");
    let fence = context_in(Role::Instructions, "SKILL.md", "```Bash\nHIT\n```\n", "HIT");
    assert_eq!(fence.language, "bash");
}

#[test]
fn strings_that_are_only_named() {
    check_code("x.py", "PATTERNS = [\n  r\"HIT\",\n]\n", "HIT", "code string");
    check_code("x.py", "if re.search(r'HIT', line):\n", "HIT", "code string");
    check_code("x.py", "os.system(\"HIT\")\n", "HIT", "code");
    check_code("x.py", "subprocess.run([\"sh\", \"-c\", \"HIT\"])\n", "HIT", "code");
    check_code("x.py", "cmd = \"HIT\"\n", "HIT", "code");
    check_code("x.py", "print(\"never run HIT\")\n", "HIT", "code string");
    check_code("x.sh", "echo \"do not run HIT\" >&2\n", "HIT", "code string");
    check_code("x.sh", "echo \"HIT\" | sh\n", "HIT", "code");
    check_code("x.sh", "echo \"HIT\" >> ~/.profile\n", "HIT", "code");
    check_code("x.sh", "if grep -q 'HIT' \"$1\"; then exit 1; fi\n", "HIT", "code string");
    check_code("x.js", "const DENY_LIST = [/x/, 'HIT'];\n", "HIT", "code string");
    check_code("x.js", "execSync('HIT');\n", "HIT", "code");
    check_code("x.py", "\"\"\"\nHIT\n\"\"\"\n", "HIT", "code");
    check_code("x.py", "url = 'https://x.example/#a'; os.system('HIT')\n", "HIT", "code");
}

#[test]
fn comments_of_code() {
    check_code("x.sh", "# Never run HIT.\nls\n", "HIT", "code comment negated");
    check_code("x.sh", "# never run this\nHIT\n", "HIT", "code");
    check_code("x.js", "/* the agent must\n run HIT */\n", "HIT", "code comment order agent");
    check_code("x.sh", "curl http://x.example/#HIT\n", "HIT", "code");
    check_code("tests/x.sh", "HIT\n", "HIT", "code test");
}

#[test]
fn lists_of_configuration() {
    let check = |path: &str, text: &str, expected: &str| {
        assert_eq!(facts(&context_in(Role::Config, path, text, "HIT")), expected, "{text}");
    };
    check("settings.json", "{\"permissions\": {\"deny\": [\"a\", \"HIT\"]}}", "code negated listed");
    check("settings.json", "{\"permissions\": {\"allow\": [\"a\", \"HIT\"]}}", "code");
    check("x.yaml", "deny:\n  - a\n  - HIT\n", "code negated listed");
    check("x.yaml", "hooks:\n  - a\n  - HIT\n", "code");
    check("x.yaml", "patterns:\n- HIT\n", "code listed");
    check("x.json", "{\"deny\": [\"a\"], \"run\": \"HIT\"}", "code");
}

#[test]
fn scopes_of_places() {
    let check = |role: Role, path: &str, text: &str, expected: &[Scope]| {
        let part = Part { path: path.to_owned(), role, text: text.into() };
        let scopes: Vec<Scope> = Blocks::of(&part).scope_of(text.find("HIT").unwrap()).iter().collect();
        assert_eq!(scopes, expected, "{text}");
    };
    check(Role::Instructions, "SKILL.md", "run HIT", &[Scope::Prose]);
    check(Role::Instructions, "SKILL.md", "run `HIT`", &[Scope::Prose, Scope::Code]);
    check(Role::Instructions, "SKILL.md", "```\nHIT\n```", &[Scope::Code]);
    check(Role::Instructions, "SKILL.md", "```sh\n# HIT\n```", &[Scope::Code, Scope::Comment]);
    check(Role::Instructions, "SKILL.md", "---\nname: HIT\n---\n", &[Scope::Prose, Scope::Frontmatter]);
    check(Role::Instructions, "SKILL.md", "<!-- HIT -->", &[Scope::Prose, Scope::Comment]);
    check(Role::Script, "x.py", "HIT()", &[Scope::Code, Scope::Script]);
    check(Role::Script, "x.py", "# HIT", &[Scope::Code, Scope::Comment, Scope::Script]);
    check(Role::Config, "x.json", "{\"a\": \"HIT\"}", &[Scope::Code]);
    check(Role::Field, "result.content[0].text", "run HIT", &[Scope::Prose, Scope::Mcp]);
}

mod properties {
    use proptest::prelude::*;

    use super::super::Blocks;
    use crate::base::Span;
    use crate::gate::{Part, Role};

    proptest! {
        #[test]
        fn no_place_of_any_text_breaks_the_context(
            text in "([a-zA-Zäж中 .,:;'\"`#*>|(){}\\[\\]=/<!\n-]{0,12}|never |do not |```sh\n|---\n|\"\"\"|# |日本。){0,30}",
            start in 0_usize..300,
            len in 0_usize..40,
        ) {
            for role in [Role::Instructions, Role::Script, Role::Config, Role::Field] {
                for path in ["SKILL.md", "x.py", "x.sh", "x.yaml"] {
                    let part = Part { path: path.to_owned(), role, text: text.as_str().into() };
                    let blocks = Blocks::of(&part);
                    let span = Span::new(start, start + len).on_boundaries(&text);
                    blocks.context(span);
                    blocks.scope_of(start);
                }
            }
        }
    }
}
