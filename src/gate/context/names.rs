//! What the name of a file says of what is in it.

/// Folders and stems of tests, fixtures, samples, rules and signatures.
const NAMES: &str = "test tests __tests__ spec specs fixture fixtures testdata test_data test-data sample samples \
    signatures signature rules patterns indicators iocs denylist blocklist blacklist yara sigma semgrep \
    corpus testcases test_cases test-cases conftest mocks __mocks__";

/// True where a file is named as a test, fixture, sample, rule or signature file.
pub(super) fn is_test_file(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    let (folders, name) = lower.rsplit_once('/').unwrap_or(("", &lower));
    let stem = name.split('.').next().unwrap_or(name);
    let parts = || name.split(['.', '_', '-']);
    folders.split('/').chain([stem]).any(|part| NAMES.split(' ').any(|name| name == part))
        || parts().next().is_some_and(|first| first == "test")
        || parts()
            .any(|part| matches!(part, "test" | "tests" | "spec" | "fixture" | "fixtures" | "yar" | "yara"))
}

#[cfg(test)]
mod tests {
    use super::is_test_file;

    #[test]
    fn names_of_tests_are_known() {
        for name in [
            "tests/x.sh",
            "a/fixtures/evil.md",
            "test_install.py",
            "x.test.ts",
            "rules/deny.yaml",
            "x_spec.rb",
        ] {
            assert!(is_test_file(name), "{name}");
        }
        for name in ["SKILL.md", "scripts/latest.sh", "contest.py", "attest/run.sh", "src/protest.md"] {
            assert!(!is_test_file(name), "{name}");
        }
    }
}
