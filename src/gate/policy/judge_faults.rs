//! What is wrong with a judge's table, beyond what a single value can tell.

use crate::gate::judge::{CommandSettings, EndpointSettings};

/// A key of the table, and what is wrong.
type Fault = (&'static str, String);

/// `published` is the address in the default policy: one that stays there is not meant to configure anything.
pub(super) fn of_endpoint(endpoint: &EndpointSettings, published: &str) -> Vec<Fault> {
    let EndpointSettings { base_url, model, api_key_file, api_key_env, .. } = endpoint;
    let has_key = api_key_file.is_some() || api_key_env.is_some();
    let temperature = endpoint.temperature.unwrap_or(0.0);
    told(&[
        (
            "base_url",
            !base_url.is_empty() && !is_address(base_url),
            "an address is `https://host/…` or `http://host/…`, without user or password",
        ),
        ("base_url", !model.is_empty() && base_url.is_empty(), "a `model` needs the `base_url` where it is"),
        ("model", model.is_empty() && has_key, "a key alone configures nothing: name the `model` to ask"),
        (
            "model",
            model.is_empty() && base_url != published,
            "an address alone configures nothing: name the `model` to ask",
        ),
        (
            "api_key_env",
            api_key_env.is_some() && api_key_file.is_some(),
            "the key comes from a file or from a variable, not from both",
        ),
        (
            "api_key_file",
            api_key_file.as_ref().is_some_and(|file| !file.is_absolute()),
            "the file is named by its absolute path; `~` is not one",
        ),
        ("connect_timeout_ms", !MILLISECONDS.contains(&endpoint.connect_timeout_ms), "it takes 1 to 600000"),
        (
            "timeout_ms",
            endpoint.timeout_ms.is_some_and(|time| !MILLISECONDS.contains(&time)),
            "it takes 1 to 600000",
        ),
        ("retries", endpoint.retries > 10, "it takes 0 to 10"),
        ("temperature", !(0.0..=2.0).contains(&temperature), "a temperature lies between 0 and 2"),
        ("max_answer_tokens", endpoint.max_answer_tokens == 0, "it takes at least 1"),
    ])
}

pub(super) fn of_command(command: &CommandSettings) -> Vec<Fault> {
    let is_absolute = command.run.first().is_none_or(|program| program.starts_with('/'));
    let is_name = |name: &String| !name.is_empty() && !name.contains(['=', '\0']);
    told(&[
        (
            "run",
            !is_absolute,
            "the program is named by its absolute path: it runs in an empty folder and is not looked up",
        ),
        ("pass_env", !command.pass_env.iter().all(is_name), "it takes names of variables, without values"),
        ("timeout_ms", !MILLISECONDS.contains(&command.timeout_ms), "it takes 1 to 600000"),
    ])
}

const MILLISECONDS: std::ops::RangeInclusive<u64> = 1..=600_000;

fn told(checks: &[(&'static str, bool, &str)]) -> Vec<Fault> {
    let wrong = checks.iter().filter(|(_, is_wrong, _)| *is_wrong);
    wrong.map(|(key, _, message)| (*key, (*message).to_owned())).collect()
}

fn is_address(url: &str) -> bool {
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
    let host = rest.and_then(|rest| rest.split(['/', '?', '#']).next());
    host.is_some_and(|host| !host.is_empty() && !host.contains('@'))
}
