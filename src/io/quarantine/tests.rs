use std::os::unix::fs::PermissionsExt;

use jiff::{SignedDuration, Timestamp};

use super::{Entry, EntryId, Payload, QuarantineError, Release, Releases, SourceKey, Status, Store};
use crate::base::{Digest, File, FileTree, RelPath};
use crate::gate::{Action, Kind, Label, Origin};
use crate::io::Home;
use crate::io::audit::{DecisionRecord, Elapsed, Tokens};

fn home() -> (tempfile::TempDir, Home) {
    let dir = tempfile::tempdir().unwrap();
    let home = Home::at(dir.path().join("home")).unwrap().open().unwrap();
    (dir, home)
}

fn entry(id: &str, digest: Digest) -> Entry {
    let decision = DecisionRecord {
        id: id.to_owned(),
        session: None,
        origin: origin("files"),
        kind: Kind::Mcp,
        name: "read_file".to_owned(),
        digest,
        bytes: 3,
        hits: Vec::new(),
        hits_total: 0,
        findings: Vec::new(),
        windows: Vec::new(),
        windows_dropped: Vec::new(),
        unread: Vec::new(),
        label: Label::Suspicious,
        confidence: 0.6,
        score: 0.4,
        rationale: String::new(),
        judge: "embedded".to_owned(),
        judge_version: "1".to_owned(),
        degraded: false,
        failure: None,
        over_all_hits: None,
        tokens: Tokens::default(),
        cached: false,
        action: Action::Quarantine,
        would_be: None,
        policy_line: "default verdict.suspicious".to_owned(),
        reasons: Vec::new(),
        floors: Vec::new(),
        policy: digest,
        ruleset: digest,
        quarantine: Some(id.to_owned()),
        released: None,
        elapsed_us: Elapsed::default(),
    };
    Entry { status: Status::Pending, time: Timestamp::UNIX_EPOCH, decision }
}

fn origin(server: &str) -> Origin {
    Origin { source: Some("mcp".to_owned()), server: Some(server.to_owned()), ..Origin::default() }
}

#[test]
fn an_entry_is_private_inert_and_whole() {
    let (_dir, home) = home();
    let store = Store::at(&home);
    let entry = entry("abcdefghjk23", Digest::of_bytes(b"x"));
    let id = store.keep(&Payload::Message(b"{}\xff"), &entry).unwrap();
    let folder = home.quarantine().join("abcdefghjk23");
    for name in ["payload.tar", "decision.json"] {
        assert_eq!(folder.join(name).metadata().unwrap().permissions().mode() & 0o777, 0o600);
    }
    assert_eq!(folder.metadata().unwrap().permissions().mode() & 0o777, 0o700);
    assert_eq!(store.payload(&id).unwrap(), [("message.json".to_owned(), b"{}\xff".to_vec())]);
    assert_eq!(store.list().unwrap().0, [entry]);
    assert_eq!(std::fs::read_dir(home.quarantine()).unwrap().count(), 1);
}

#[test]
fn files_of_a_package_stay_inside_the_archive() {
    let (_dir, home) = home();
    let long = format!("{}/SKILL.md", "d".repeat(150));
    let tree: FileTree = [("SKILL.md", "a"), (&long, "b")]
        .map(|(path, text)| (RelPath::new(path).unwrap(), File::regular(text.as_bytes())))
        .into_iter()
        .collect();
    let id = Store::at(&home)
        .keep(&Payload::Files(&tree), &entry("abcdefghjk24", Digest::of_bytes(b"x")))
        .unwrap();
    let files = Store::at(&home).payload(&id).unwrap();
    assert_eq!(files.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["SKILL.md", &long]);
}

#[test]
fn an_id_is_never_a_path() {
    for bad in ["../../etc", "a/b", "", "ABCDEFGHJK23", "abcdefghjk2"] {
        assert!(matches!(bad.parse::<EntryId>(), Err(QuarantineError::BadId(_))), "{bad}");
    }
}

#[test]
fn a_broken_entry_hides_no_other() {
    let (_dir, home) = home();
    let store = Store::at(&home);
    store.keep(&Payload::Message(b""), &entry("abcdefghjk25", Digest::of_bytes(b"x"))).unwrap();
    std::fs::create_dir(home.quarantine().join("abcdefghjk26")).unwrap();
    std::fs::write(home.quarantine().join("abcdefghjk26/decision.json"), "{").unwrap();
    let (entries, broken) = store.list().unwrap();
    assert_eq!((entries.len(), broken.len()), (1, 1));
}

#[test]
fn a_release_holds_for_its_digest_kind_source_and_time_only() {
    let (_dir, home) = home();
    let releases = Releases::at(&home);
    let digest = Digest::of_bytes(b"x");
    let now = Timestamp::UNIX_EPOCH;
    let hour = SignedDuration::from_hours(1);
    releases
        .add(Release {
            entry: "abcdefghjk23".to_owned(),
            digest,
            kind: Kind::Mcp,
            source: SourceKey::of(&origin("files")),
            who: "ann".to_owned(),
            time: now,
            why: "read it".to_owned(),
            expires: now + hour,
        })
        .unwrap();
    let find =
        |digest, kind, server: &str, time| releases.find(digest, kind, &origin(server), time).is_some();
    assert!(find(digest, Kind::Mcp, "files", now));
    assert!(!find(Digest::of_bytes(b"y"), Kind::Mcp, "files", now));
    assert!(!find(digest, Kind::Package, "files", now));
    assert!(!find(digest, Kind::Mcp, "other", now));
    assert!(!find(digest, Kind::Mcp, "files", now + hour));
    assert!(releases.revoke(digest).unwrap());
    assert!(!find(digest, Kind::Mcp, "files", now));
}
