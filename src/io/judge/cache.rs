//! What judges that are asked have said, kept for the same question (gate.md 4).
//!
//! One file a verdict, named by the question's key: the Evidence and the prompt made of it, the judge with all that decides
//! its answers, the rules, this version. What is in the folder is believed as far as the home is, and no further than it
//! makes sense: a file that cannot be read, is too old, or belongs to another key counts as none, and the next verdict
//! takes its place. Only answers are kept, by whoever calls; policy is not known here.

use std::fs::OpenOptions;
use std::io::Read;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use super::prompt::Prompt;
use crate::base::{Digest, DigestWriter};
use crate::gate::policy::VerdictCacheSettings;
use crate::gate::{Evidence, Verdict};
use crate::io::{Home, atomic, home};

/// The form of a file; another form counts as none.
const SCHEMA: u32 = 1;
/// The largest file that is read, in bytes.
const LARGEST: u64 = 1 << 20;
/// How far a file may lie in the future before its clock is not believed.
const AHEAD: SignedDuration = SignedDuration::from_mins(5);

/// The verdicts under a home.
#[derive(Debug)]
pub struct VerdictCache {
    folder: PathBuf,
    ruleset: Digest,
    settings: VerdictCacheSettings,
    /// How many were kept since this was opened.
    kept: AtomicUsize,
}

/// One file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Kept {
    schema: u32,
    key: Digest,
    time: Timestamp,
    /// The Evidence's hits, so that a verdict relies on none that is not there.
    hits: usize,
    verdict: Verdict,
}

impl VerdictCache {
    /// The verdicts under this home; nothing where policy keeps none, or the home is not to be trusted, which is logged.
    pub fn open(home: &Home, settings: &VerdictCacheSettings, ruleset: Digest) -> Option<Self> {
        if settings.days == 0 {
            return None;
        }
        let home = home.clone().open();
        let home = home.inspect_err(|error| tracing::warn!(%error, "verdicts are not kept")).ok()?;
        let (settings, kept) = (settings.clone(), AtomicUsize::new(0));
        Some(Self { folder: home.verdicts(), ruleset, settings, kept })
    }

    /// The name of a question. `judge` is all that decides the judge's answers beside the Evidence.
    pub fn key(&self, judge: &str, evidence: &Evidence) -> Key {
        // The fence is another one each time; all else of the prompt is the question's.
        let prompt = Prompt::new(evidence, [0; 16]);
        let json = serde_json::to_vec(evidence).unwrap_or_default();
        let mut writer = DigestWriter::new("question");
        writer.field(&json).field(prompt.system.as_bytes()).field(prompt.user.as_bytes());
        writer.field(judge.as_bytes()).field(self.ruleset.to_string().as_bytes());
        writer.field(env!("CARGO_PKG_VERSION").as_bytes());
        Key { digest: writer.finish(), hits: evidence.hits.len() }
    }

    /// The verdict on this question, if there is one. It cost no tokens this time.
    pub fn find(&self, key: Key, now: Timestamp) -> Option<Verdict> {
        let path = self.path(key);
        let file = home::open_file(&path, OpenOptions::new().read(true)).ok()?;
        let mut json = Vec::new();
        file.take(LARGEST).read_to_end(&mut json).ok()?;
        let kept = serde_json::from_slice::<Kept>(&json)
            .inspect_err(|error| tracing::debug!(%error, path = %path.display(), "a kept verdict is broken"))
            .ok()?;
        let makes_sense = kept.schema == SCHEMA
            && (kept.key, kept.hits) == (key.digest, key.hits)
            && (0.0..=1.0).contains(&kept.verdict.confidence)
            && kept.verdict.relied_on.iter().all(|index| *index < key.hits);
        let age = now.duration_since(kept.time);
        let is_fresh = age >= -AHEAD && age < self.longest();
        (makes_sense && is_fresh).then_some(Verdict { tokens_in: 0, tokens_out: 0, ..kept.verdict })
    }

    /// Keeps a verdict on this question.
    pub fn keep(&self, key: Key, verdict: &Verdict, now: Timestamp) -> std::io::Result<()> {
        home::make_private_dir(&self.folder)?;
        let kept =
            Kept { schema: SCHEMA, key: key.digest, time: now, hits: key.hits, verdict: verdict.clone() };
        atomic::write_private(&self.path(key), &serde_json::to_vec(&kept)?)?;
        // Looking through the folder is worth it only now and then.
        let every = self.settings.entries / 16;
        if self.kept.fetch_add(1, Ordering::Relaxed).is_multiple_of(every) {
            self.sweep(now)?;
        }
        Ok(())
    }

    /// Removes what is too old, and the oldest of what is too much.
    fn sweep(&self, now: Timestamp) -> std::io::Result<()> {
        let mut files: Vec<(Timestamp, PathBuf)> = std::fs::read_dir(&self.folder)?
            .filter_map(|entry| {
                let entry = entry.ok()?;
                let metadata = entry.metadata().ok().filter(std::fs::Metadata::is_file)?;
                Some((Timestamp::try_from(metadata.modified().ok()?).ok()?, entry.path()))
            })
            .collect();
        files.sort();
        let surplus = files.len().saturating_sub(self.settings.entries);
        for (at, (time, path)) in files.iter().enumerate() {
            if at < surplus || now.duration_since(*time) >= self.longest() {
                // Another process may have been faster.
                let _ = std::fs::remove_file(path);
            }
        }
        Ok(())
    }

    fn longest(&self) -> SignedDuration {
        SignedDuration::from_hours(24 * i64::from(self.settings.days))
    }

    fn path(&self, key: Key) -> PathBuf {
        self.folder.join(key.digest.hex()).with_extension("json")
    }
}

/// The name of a question, and how many hits its Evidence has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    digest: Digest,
    hits: usize,
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use jiff::{SignedDuration, Timestamp};

    use super::{Key, VerdictCache};
    use crate::base::Digest;
    use crate::gate::policy::VerdictCacheSettings;
    use crate::gate::{Label, Verdict};
    use crate::io::Home;
    use crate::io::judge::testing::evidence;

    fn cache(folder: &tempfile::TempDir, rules: &[u8]) -> VerdictCache {
        let home = Home::at(folder.path().join("home")).unwrap();
        let settings = VerdictCacheSettings { days: 30, entries: 16 };
        VerdictCache::open(&home, &settings, Digest::of_bytes(rules)).unwrap()
    }

    fn verdict() -> Verdict {
        let judge = "openai".to_owned();
        Verdict { label: Label::Malicious, confidence: 0.9, judge, tokens_in: 5, ..Verdict::no_hits() }
    }

    fn key(cache: &VerdictCache, text: &str) -> Key {
        cache.key("judge", &evidence("p", text))
    }

    #[test]
    fn the_same_question_finds_its_verdict_and_no_other_does() {
        let folder = tempfile::tempdir().unwrap();
        let (cache, others) = (cache(&folder, b"rules"), cache(&folder, b"other rules"));
        let now = Timestamp::now();
        cache.keep(key(&cache, "curl"), &verdict(), now).unwrap();
        let found = cache.find(key(&cache, "curl"), now).unwrap();
        assert_eq!(found, Verdict { tokens_in: 0, ..verdict() });
        for other in
            [key(&cache, "curl "), key(&others, "curl"), cache.key("another", &evidence("p", "curl"))]
        {
            assert_eq!(cache.find(other, now), None);
        }
    }

    #[test]
    fn verdicts_expire_and_those_of_the_future_are_not_believed() {
        let folder = tempfile::tempdir().unwrap();
        let (cache, now) = (cache(&folder, b""), Timestamp::now());
        let key = key(&cache, "x");
        cache.keep(key, &verdict(), now).unwrap();
        for (hours, is_found) in [(0, true), (30 * 24 - 1, true), (30 * 24, false), (-1, false)] {
            let then = now + SignedDuration::from_hours(hours);
            assert_eq!(cache.find(key, then).is_some(), is_found, "{hours}");
        }
    }

    #[test]
    fn broken_files_count_as_none_and_are_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let (cache, now) = (cache(&folder, b""), Timestamp::now());
        let key = key(&cache, "x");
        cache.keep(key, &verdict(), now).unwrap();
        let path = cache.path(key);
        let good = std::fs::read_to_string(&path).unwrap();
        let other = Digest::of_bytes(b"other").to_string();
        for bad in [
            String::new(),
            good[..good.len() / 2].to_owned(),
            good.replace("\"schema\":1", "\"schema\":2"),
            good.replace(&key.digest.to_string(), &other),
            good.replace("0.9", "9"),
            good.replace("\"relied_on\":[]", "\"relied_on\":[1]"),
            good.replace("MALICIOUS", "FINE"),
        ] {
            assert_ne!(bad, good);
            std::fs::write(&path, &bad).unwrap();
            assert_eq!(cache.find(key, now), None, "{bad}");
        }
        cache.keep(key, &verdict(), now).unwrap();
        assert!(cache.find(key, now).is_some());
        std::fs::remove_file(&path).unwrap();
        std::fs::create_dir(&path).unwrap();
        assert_eq!(cache.find(key, now), None);
    }

    #[test]
    fn the_folder_is_private_and_bounded() {
        let folder = tempfile::tempdir().unwrap();
        let (cache, now) = (cache(&folder, b""), Timestamp::now());
        for count in 0..40 {
            cache.keep(key(&cache, &format!("text {count}")), &verdict(), now).unwrap();
        }
        let files: Vec<_> = std::fs::read_dir(&cache.folder).unwrap().map(Result::unwrap).collect();
        assert_eq!(files.len(), 16);
        assert!(cache.find(key(&cache, "text 39"), now).is_some());
        assert!(files.iter().all(|file| file.metadata().unwrap().permissions().mode() & 0o777 == 0o600));
        assert_eq!(cache.folder.metadata().unwrap().permissions().mode() & 0o777, 0o700);
        cache.sweep(now + SignedDuration::from_hours(31 * 24)).unwrap();
        assert_eq!(std::fs::read_dir(&cache.folder).unwrap().count(), 0);
    }

    #[test]
    fn no_days_keep_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::at(folder.path().join("home")).unwrap();
        let none = VerdictCacheSettings { days: 0, entries: 16 };
        assert!(VerdictCache::open(&home, &none, Digest::of_bytes(b"")).is_none());
        assert!(!home.root().exists());
    }
}
