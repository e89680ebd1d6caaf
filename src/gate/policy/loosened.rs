//! Whether one policy lets through what another would not: the reason of the log's `policy_loosened` event.
//!
//! The comparison is conservative: a change that cannot be shown to be equal or harsher counts as looser. It compares
//! values and knows nothing of who made the change.

use super::settings::{Disabled, WindowOrder};
use super::{JudgeSettings, Mode, OnError, Override, Policy};
use crate::gate::judge::{CommandSettings, EndpointSettings};
use crate::gate::{Action, Label};

/// The keys under which `new` may be looser than `old`, in the order of the default file; none: it is not.
pub fn loosened(old: &Policy, new: &Policy) -> Vec<String> {
    let mut keys = Keys(Vec::new());
    keys.add("mode", old.mode == Mode::Enforce && new.mode == Mode::Monitor);
    keys.add("on_error", old.on_error == OnError::Closed && new.on_error == OnError::Open);
    keys.add("judge", asks_another_judge(&old.judge, &new.judge));
    verdict(&mut keys, old, new);
    for (reason, action) in old.on_unread.iter() {
        keys.add(format!("on_unread.{reason}"), new.on_unread.get(reason) < action);
    }
    windows(&mut keys, old, new);
    let (judged, judging) = (old.prefilter.judge_everything, new.prefilter.judge_everything);
    keys.add("prefilter.judge_everything", judged && !judging);
    keys.add("rules.extra", lacks(&new.rules.extra, &old.rules.extra));
    let disabled = |rule: &Disabled| old.rules.disable.iter().any(|before| before.id == rule.id);
    keys.add("rules.disable", !new.rules.disable.iter().all(disabled));
    keys.add("override", !only_blocks_more(&old.overrides, &new.overrides));
    lists(&mut keys, old, new);
    for (screened, on) in old.screen.iter() {
        keys.add(format!("screen.{}", screened.key()), on && !new.screen.is_on(screened));
    }
    limits(&mut keys, old, new);
    keys.add("quarantine.release_days", new.quarantine.release_days > old.quarantine.release_days);
    keys.0
}

struct Keys(Vec<String>);

impl Keys {
    fn add(&mut self, key: impl Into<String>, looser: bool) {
        if looser {
            self.0.push(key.into());
        }
    }
}

/// Another judge may be a more lenient one, and nothing here can tell; patience and memory are no matter of leniency.
fn asks_another_judge(old: &JudgeSettings, new: &JudgeSettings) -> bool {
    let as_patient = |old: &EndpointSettings, new: &EndpointSettings| EndpointSettings {
        connect_timeout_ms: old.connect_timeout_ms,
        timeout_ms: old.timeout_ms,
        retries: old.retries,
        ..new.clone()
    };
    let same_judges = JudgeSettings {
        openai: as_patient(&old.openai, &new.openai),
        anthropic: as_patient(&old.anthropic, &new.anthropic),
        gemini: as_patient(&old.gemini, &new.gemini),
        ollama: as_patient(&old.ollama, &new.ollama),
        command: CommandSettings { timeout_ms: old.command.timeout_ms, ..new.command.clone() },
        cache: old.cache.clone(),
        ..new.clone()
    };
    same_judges != *old
}

fn verdict(keys: &mut Keys, old: &Policy, new: &Policy) {
    let cuts =
        [&old.verdict, &new.verdict].map(|table| [table.suspicious.threshold, table.malicious.threshold]);
    // Between these confidences no table changes its action.
    let confidences: Vec<f64> = cuts.iter().flatten().map(|threshold| threshold.get()).chain([0.0]).collect();
    for (key, label) in [
        ("verdict.safe", Label::Safe),
        ("verdict.suspicious", Label::Suspicious),
        ("verdict.malicious", Label::Malicious),
    ] {
        let milder = |at: &f64| new.verdict.action(label, *at) < old.verdict.action(label, *at);
        keys.add(key, confidences.iter().any(milder));
    }
}

fn windows(keys: &mut Keys, old: &Policy, new: &Policy) {
    let (old, new) = (&old.windows, &new.windows);
    // Wider windows are fewer windows under the same cap.
    keys.add("windows.cw", new.cw != old.cw);
    keys.add("windows.ms", new.ms < old.ms);
    keys.add("windows.cap", new.cap < old.cap);
    keys.add("windows.order", old.order == WindowOrder::Severity && new.order == WindowOrder::Paper);
}

/// New overrides at the end that block can only make actions harsher.
fn only_blocks_more(old: &[Override], new: &[Override]) -> bool {
    new.strip_prefix(old).is_some_and(|added| added.iter().all(|exception| exception.action == Action::Block))
}

fn lists(keys: &mut Keys, old: &Policy, new: &Policy) {
    keys.add("allow.digests", lacks(&old.allow.digests, &new.allow.digests));
    keys.add("allow.publishers", lacks(&old.allow.publishers, &new.allow.publishers));
    keys.add("allow.servers", lacks(&old.allow.servers, &new.allow.servers));
    keys.add("deny.digests", lacks(&new.deny.digests, &old.deny.digests));
    keys.add("deny.publishers", lacks(&new.deny.publishers, &old.deny.publishers));
    keys.add("deny.servers", lacks(&new.deny.servers, &old.deny.servers));
}

/// True where some of `wanted` is not in `list`.
fn lacks<T: PartialEq>(list: &[T], wanted: &[T]) -> bool {
    wanted.iter().any(|entry| !list.contains(entry))
}

fn limits(keys: &mut Keys, old: &Policy, new: &Policy) {
    let (old, new) = (&old.limits, &new.limits);
    // What is over a limit is not read, and may be forwarded all the same. An over-long message never is.
    keys.add("limits.max_file_bytes", new.max_file_bytes < old.max_file_bytes);
    keys.add("limits.max_unit_bytes", new.max_unit_bytes < old.max_unit_bytes);
    keys.add("limits.max_files", new.max_files < old.max_files);
    keys.add("limits.max_depth", new.max_depth < old.max_depth);
}
