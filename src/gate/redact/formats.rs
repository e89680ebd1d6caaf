//! Secrets that show by their form: keys and tokens of vendors, private keys, passwords in URLs.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;

use super::{Redaction, plain};
use crate::base::Span;

/// Kind and form. Where a form has a group, the group is the secret. A form that others begin with comes after them.
const FORMS: &[(&str, &str)] = &[
    ("aws-access-key", r"\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b"),
    ("gcp-api-key", r"\bAIza[0-9A-Za-z_-]{35}"),
    ("gcp-oauth-token", r"\bya29\.[0-9A-Za-z_-]{20,}"),
    ("gcp-client-secret", r"\bGOCSPX-[0-9A-Za-z_-]{20,}"),
    ("azure-storage-key", r"\bAccountKey=([A-Za-z0-9+/]{40,90}={0,2})"),
    ("azure-client-secret", r"\b[A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}"),
    ("azure-signature", r"[?&]sig=([A-Za-z0-9%+/=]{40,})"),
    ("github-token", r"\bgh[pousr]_[A-Za-z0-9]{36,}"),
    ("github-token", r"\bgithub_pat_[A-Za-z0-9_]{36,}"),
    ("gitlab-token", r"\bgl(?:pat|dt|rt|ptt|soat|cbt|agent)-[A-Za-z0-9_-]{20,}"),
    ("anthropic-key", r"\bsk-ant-[A-Za-z0-9_-]{20,}"),
    ("openai-key", r"\bsk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{20,}"),
    ("slack-token", r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}"),
    ("slack-token", r"\bxapp-[0-9]-[A-Za-z0-9-]{10,}"),
    ("stripe-key", r"\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}"),
    ("stripe-webhook-secret", r"\bwhsec_[A-Za-z0-9+/=]{24,}"),
    ("npm-token", r"\bnpm_[A-Za-z0-9]{36,}"),
    ("pypi-token", r"\bpypi-AgE[A-Za-z0-9_-]{40,}"),
    ("huggingface-token", r"\bhf_[A-Za-z0-9]{30,}"),
    ("sendgrid-key", r"\bSG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{32,64}"),
    ("jwt", r"\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}"),
    (
        "bearer-token",
        r"(?i)\bauthorization\\?['\x22]?[:=,]\s?\\?['\x22]?(?:bearer|token|basic)\s([A-Za-z0-9._~+/-]{16,}={0,2})",
    ),
    ("url-password", r"://[^\s/:@?#'\x22`<>]{0,100}:([^\s/:@?#'\x22`<>|;&(){}]{3,200})@"),
    ("url-token", r"://([A-Za-z0-9_-]{16,200})@"),
];

/// A private key's text: rows of base64 alone, so that a command between the markers stays in sight.
const PRIVATE_KEY: &str = r"(?x)
    -----BEGIN\x20(?:[A-Z0-9]{1,12}\x20){0,3}PRIVATE\x20KEY(?:\x20BLOCK)?-----
    (?:\s|\\[nr])*
    (?:Proc-Type:\x204,ENCRYPTED (?:\s|\\[nr])+ DEK-Info:\x20[A-Z0-9-]{1,32},[A-F0-9]{1,64} (?:\s|\\[nr])+)?
    (?P<secret> [A-Za-z0-9+/]{16,}={0,2} (?:(?:\s|\\[nr])+ [A-Za-z0-9+/]{16,}={0,2})* )
    (?P<rest> (?:(?:\s|\\[nr])+ =?[A-Za-z0-9+/]{1,15}={0,2}){1,2} (?:\s|\\[nr])* -----END )?";

/// A URL's scheme, and its host and port without user and password.
const HOST: &str = r"\b([A-Za-z][A-Za-z0-9+.-]{1,15}://)(?:[^\s/?#'\x22`<>@]{0,300}@)?([^\s/?#'\x22`<>@]*)";

static COMPILED: LazyLock<Vec<(&str, Regex)>> =
    LazyLock::new(|| FORMS.iter().map(|(kind, form)| (*kind, compile(form))).collect());
static PRIVATE: LazyLock<Regex> = LazyLock::new(|| compile(PRIVATE_KEY));
static URL_HOST: LazyLock<Regex> = LazyLock::new(|| compile(HOST));

fn compile(form: &str) -> Regex {
    Regex::new(form).expect("a test compiles every form")
}

/// Adds the secrets that show by their form.
pub(super) fn find(text: &str, found: &mut Vec<Redaction>) {
    let mut secrets = Vec::new();
    for (kind, form) in COMPILED.iter() {
        let matches = form.captures_iter(text).filter_map(|groups| groups.get(1).or_else(|| groups.get(0)));
        let likely = matches.filter(|secret| plain::may_be_secret(secret.as_str()));
        secrets.extend(likely.map(|secret| Redaction { span: secret.range().into(), kind }));
    }
    // From the last on: what a secret follows is no host name.
    secrets.sort_by_key(|secret| std::cmp::Reverse(secret.span.start));
    let mut starts = BTreeSet::new();
    secrets.retain(|secret| {
        let kept = !is_host_label(text, secret.span.end) || starts.contains(&(secret.span.end + 1));
        if kept {
            starts.insert(secret.span.start);
        }
        kept
    });
    found.extend(secrets);
    found.extend(private_keys(text));
}

fn private_keys(text: &str) -> impl Iterator<Item = Redaction> {
    let keys = PRIVATE.captures_iter(text).filter_map(|groups| {
        let secret = groups.name("secret")?;
        let end = groups.name("rest").map_or(secret.end(), |rest| {
            rest.start() + rest.as_str().trim_end_matches("-----END").trim_end_matches(is_row_gap).len()
        });
        Some(Span::new(secret.start(), end))
    });
    keys.filter(|span| span.of(text).is_some_and(is_key_material))
        .map(|span| Redaction { span, kind: "private-key" })
}

/// True for white space, and for the `\n` of a key inside a string.
const fn is_row_gap(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\n')
}

fn is_key_material(rows: &str) -> bool {
    let joined: String = rows.replace("\\n", "").replace("\\r", "").split_whitespace().collect();
    joined.len() >= 32 && !plain::carries_text(&joined)
}

/// True where what ends here goes on as a host name would: `ghp_….evil.example`.
fn is_host_label(text: &str, end: usize) -> bool {
    let mut rest = text.get(end..).unwrap_or_default().chars();
    rest.next() == Some('.') && rest.next().is_some_and(char::is_alphanumeric)
}

/// Where schemes and hosts of URLs stand, in order.
pub(super) fn url_hosts(text: &str) -> Vec<Span> {
    URL_HOST
        .captures_iter(text)
        .flat_map(|groups| [groups.get(1), groups.get(2)])
        .flatten()
        .map(|part| Span::from(part.range()))
        .filter(|span| !span.is_empty())
        .collect()
}
