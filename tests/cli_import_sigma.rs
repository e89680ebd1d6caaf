//! `skillgate rules import-sigma` from outside: what Sigma files become, and what is told of them.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test writes files and fails by panicking"
)]

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use serde_json::Value;

/// Exit code, stdout and stderr of `skillgate …`.
fn skillgate(arguments: &[&str], folder: &Path) -> (i32, String, String) {
    let mut command = Command::cargo_bin("skillgate").unwrap();
    let output = command.current_dir(folder).env("NO_COLOR", "1").args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// A Sigma file of an invented tool, with this detection.
fn sigma(detection: &str) -> String {
    format!(
        "title: Frobnicator Takes The Crown\nid: 0000002a-1111-4222-8333-444455556666\nstatus: test\n\
         description: The frobnicator is told to take the crown.\nauthor: A. Author (Example Org)\n\
         tags:\n    - attack.execution\n    - attack.stealth\n    - attack.t1027.010\n\
         falsepositives:\n    - Coronations\nlevel: high\ndetection:\n{detection}"
    )
}

/// Imports one file into `out/` and gives its report.
fn import(detection: &str, folder: &Path) -> Value {
    fs::write(folder.join("rule.yml"), sigma(detection)).unwrap();
    let _ = fs::remove_dir_all(folder.join("out"));
    let (code, out, error) =
        skillgate(&["rules", "import-sigma", "rule.yml", "--out", "out", "--json"], folder);
    assert_eq!(code, 0, "{error}");
    serde_json::from_str(out.trim()).unwrap()
}

/// What the imported rules hit in a skill that says this.
fn hits(text: &str, folder: &Path) -> Vec<String> {
    fs::create_dir_all(folder.join("skill")).unwrap();
    fs::write(folder.join("skill/SKILL.md"), format!("---\nname: skill\ndescription: d\n---\n\n{text}\n"))
        .unwrap();
    let (code, out, error) = skillgate(&["rules", "test", "skill", "--with", "out", "--json"], folder);
    assert_eq!(code, 0, "{error}");
    let rules = out.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["rule"].clone());
    let ids = rules.map(|rule| rule.as_str().unwrap().to_owned());
    ids.filter(|rule| rule.starts_with("SIG-")).collect()
}

#[test]
fn a_tool_with_arguments_becomes_a_rule_that_works_and_names_its_author() {
    let folder = tempfile::tempdir().unwrap();
    let report = import(
        "    selection_img:\n        - Image|endswith: '\\frobnicate.exe'\n        - OriginalFileName: 'FROBNICATE.EXE'\n    \
         selection_cli:\n        CommandLine|contains|windash:\n            - ' -crown'\n            - ' -sceptre'\n    \
         condition: all of selection_*\n",
        folder.path(),
    );
    assert_eq!(report["outcome"], "translated", "{report}");
    assert_eq!(report["rules"], serde_json::json!(["SIG-0000000042"]));
    assert_eq!(report["examples"]["wanting"], 0, "{report}");
    assert_eq!(hits("frobnicate -crown", folder.path()), ["SIG-0000000042"]);
    assert_eq!(hits("Frobnicate.exe \\\n  /sceptre gold", folder.path()), ["SIG-0000000042"]);
    assert!(hits("a frobnicator with -crown, and -sceptre", folder.path()).is_empty());
    let (code, _, error) = skillgate(&["rules", "lint", "out"], folder.path());
    assert_eq!(code, 0, "{error}");
    let (_, shown, _) = skillgate(&["rules", "show", "SIG-0000000042", "--with", "out"], folder.path());
    for part in
        ["by A. Author (Example Org) (DRL-1.1)", "defense-evasion", "T1027.010", "Coronations", "high"]
    {
        assert!(shown.contains(part), "{part}: {shown}");
    }
}

#[test]
fn what_is_left_out_is_told_and_makes_the_rule_lossy() {
    let folder = tempfile::tempdir().unwrap();
    let report = import(
        "    selection:\n        Image|endswith: '/frobnicate'\n        CommandLine|contains|all:\n            - 'crown'\n            \
         - 'jewels'\n        User: root\n    filter:\n        ParentImage|endswith: '/king'\n    \
         condition: selection and not filter\n",
        folder.path(),
    );
    assert_eq!(report["outcome"], "lossy");
    let reasons = report["reasons"].to_string();
    assert!(reasons.contains("`User`") && reasons.contains("`not`"), "{reasons}");
    let written = fs::read_to_string(folder.path().join("out/rule.toml")).unwrap();
    assert!(written.contains("lossy = true"), "{written}");
    assert_eq!(hits("frobnicate --jewels of the crown", folder.path()), ["SIG-0000000042"]);
    assert!(hits("frobnicate --jewels\n\nthe crown", folder.path()).is_empty());
}

#[test]
fn alternatives_of_several_parts_become_rules_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let report = import(
        "    one:\n        ScriptBlockText|contains|all:\n            - 'Get-Crown'\n            - 'Out-Thief'\n    \
         two:\n        ScriptBlockText|re: 'Invoke-.*Heist'\n    three:\n        DestinationIp|cidr: 198.51.100.0/23\n    \
         condition: 1 of them\n",
        folder.path(),
    );
    assert_eq!(report["rules"].as_array().unwrap().len(), 2, "{report}");
    assert_eq!(hits("$c = Get-Crown\n$c | Out-Thief", folder.path()).len(), 1);
    assert_eq!(hits("Invoke-GrandHeist", folder.path()).len(), 1);
    assert_eq!(hits("connect to 198.51.101.7", folder.path()).len(), 1);
    assert!(hits("invoke-grandheist of 198.51.102.7", folder.path()).is_empty());
}

#[test]
fn examples_that_cannot_be_derived_are_left_to_a_person() {
    let folder = tempfile::tempdir().unwrap();
    let report = import(
        "    sel:\n        CommandLine|contains: 'frobnicate --now'\n    condition: sel\n",
        folder.path(),
    );
    assert_eq!(report["examples"], serde_json::json!({ "derived": 2, "wanting": 2 }));
    let (code, out, _) = skillgate(&["rules", "lint", "out"], folder.path());
    assert_eq!(code, 1);
    assert!(out.contains("few-examples") && out.contains("2 `match` and 0 `no_match`"), "{out}");
}

#[test]
fn what_has_no_meaning_in_text_is_refused_with_the_reason_and_the_others_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let tree = folder.path().join("sigma/deep");
    fs::create_dir_all(&tree).unwrap();
    let cases = [
        ("user.yml", sigma("    sel:\n        User: root\n    condition: sel\n"), "`User` has no meaning"),
        (
            "count.yml",
            sigma("    sel:\n        CommandLine: x\n    condition: sel | count() > 9\n"),
            "counts events",
        ),
        (
            "short.yml",
            sigma("    sel:\n        Image|endswith: '/at'\n    condition: sel\n"),
            "short name alone",
        ),
        (
            "look.yml",
            sigma("    sel:\n        CommandLine|re: 'crown(?!ed)'\n    condition: sel\n"),
            "look-around",
        ),
        (
            "tiny.yml",
            sigma("    sel:\n        CommandLine|contains: 'ab'\n    condition: sel\n"),
            "no literal",
        ),
        ("notes.yaml", "title: a shopping list\n".to_owned(), "no `detection`"),
        ("broken.yml", "a: [\n".to_owned(), "no YAML"),
    ];
    for (name, text, _) in &cases {
        fs::write(tree.join(name), text).unwrap();
    }
    fs::write(
        tree.join("good.yml"),
        sigma("    sel:\n        CommandLine|contains: frobnicate\n    condition: sel\n"),
    )
    .unwrap();
    let (code, out, error) = skillgate(&["rules", "import-sigma", "sigma", "--out", "out"], folder.path());
    assert_eq!(code, 0, "{error}");
    for (name, _, reason) in &cases {
        let at = out.find(&format!("refused    deep/{name}")).unwrap_or_else(|| panic!("{name}: {out}"));
        let told = out[at..].lines().nth(1).unwrap();
        assert!(told.contains(reason), "{name}: {told}");
    }
    assert!(error.contains("8 files: 1 translated, 0 with losses, 7 refused"), "{error}");
    assert!(folder.path().join("out/deep/good.toml").exists());
    let (code, _, error) = skillgate(&["rules", "import-sigma", "sigma", "--out", "out"], folder.path());
    assert!(code == 2 && error.contains("good.toml"), "what is there stays: {error}");
}

#[test]
fn without_a_folder_the_rules_are_printed() {
    let folder = tempfile::tempdir().unwrap();
    let detection = "    keywords:\n        - 'frobnicate the crown'\n        - 'sell the crown'\n    condition: keywords\n";
    fs::write(folder.path().join("rule.yml"), sigma(detection)).unwrap();
    let (code, out, error) = skillgate(&["rules", "import-sigma", "rule.yml"], folder.path());
    assert_eq!((code, out.starts_with("[[rule]]\nid = \"SIG-0000000042\"")), (0, true), "{out}");
    assert!(error.contains("translated rule.yml: Frobnicator"), "{error}");
    let (code, _, error) = skillgate(&["rules", "import-sigma", "nothing.yml"], folder.path());
    assert!(code == 2 && error.contains("nothing.yml"), "{error}");
}
