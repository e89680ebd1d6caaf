//! `skillgate audit verify`: is the chain whole from its first line to its head?

use std::path::{Path, PathBuf};

use super::chain::Head;
use super::read::{Line, Lines, files};
use super::{AuditError, read};

/// What verification found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Files read.
    pub files: usize,
    /// Lines read.
    pub lines: u64,
    /// What is wrong, in order.
    pub faults: Vec<Fault>,
}

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The file.
    pub file: PathBuf,
    /// The line in it, from 1; 0 for the file as a whole.
    pub line: usize,
    /// What is wrong, in words.
    pub what: String,
}

/// Reads the whole log and checks the chain. An error only where files cannot be read.
pub fn verify(folder: &Path) -> Result<Report, AuditError> {
    let mut report = Report::default();
    let mut head = Head::start();
    for path in files(folder).map_err(AuditError::new("listing", folder))? {
        report.files += 1;
        check_file(&path, &mut head, &mut report).map_err(AuditError::new("reading", &path))?;
    }
    check_head(folder, head, &mut report);
    Ok(report)
}

fn check_file(path: &Path, head: &mut Head, report: &mut Report) -> std::io::Result<()> {
    for (index, line) in Lines::open(path)?.enumerate() {
        let mut line = line?;
        report.lines += 1;
        let torn = line.pop_if(|byte| *byte == b'\n').is_none();
        let fault = match serde_json::from_slice::<Line>(&line) {
            _ if torn => Some("the last line is incomplete".to_owned()),
            Err(error) => Some(format!("the line cannot be read: {error}")),
            Ok(parsed) => {
                let fault = link_fault(*head, &parsed);
                *head = Head::after(parsed.seq, &line);
                fault
            }
        };
        report.faults.extend(fault.map(|what| Fault { file: path.to_owned(), line: index + 1, what }));
    }
    Ok(())
}

fn link_fault(head: Head, line: &Line) -> Option<String> {
    let expected = head.seq + 1;
    match line.seq {
        seq if seq > expected => Some(format!("lines {expected} to {} are missing", seq - 1)),
        seq if seq < expected => Some(format!("the line is number {seq} where {expected} should stand")),
        _ if line.prev != head.hash => Some(format!("line {} before it was changed", head.seq)),
        _ => None,
    }
}

fn check_head(folder: &Path, end: Head, report: &mut Report) {
    let path = folder.join("audit.head");
    let what = match Head::read(&path) {
        Some(head) if head == end => return,
        // A crash between the line and the head; the next append puts it right.
        Some(head) if head.seq + 1 == end.seq => return,
        None if end == Head::start() => return,
        None => "the head is missing or unreadable".to_owned(),
        Some(head) if head.seq > end.seq => {
            format!("the log ends at line {} and the head says {}: the tail was cut", end.seq, head.seq)
        }
        Some(head) => format!("the head says line {} and the log ends at line {}", head.seq, end.seq),
    };
    let file = if what.contains("cut") { read::current(folder) } else { path };
    report.faults.push(Fault { file, line: 0, what });
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use jiff::Timestamp;

    use super::verify;
    use crate::io::Home;
    use crate::io::audit::{AuditLog, Durability, Entry, Event};

    struct Log {
        _dir: tempfile::TempDir,
        home: Home,
    }

    impl Log {
        fn with_lines(count: usize) -> Self {
            let dir = tempfile::tempdir().unwrap();
            let home = Home::at(dir.path().join("home")).unwrap().open().unwrap();
            let log = Self { _dir: dir, home };
            log.append(count);
            log
        }

        fn append(&self, count: usize) {
            let mut log = AuditLog::open_rotating(&self.home, 700).unwrap();
            for number in 0..count {
                let event = Event::by_daemon("start", number.to_string(), "a test");
                log.append(&Entry::Event(Box::new(event)), Timestamp::UNIX_EPOCH, Durability::Written)
                    .unwrap();
            }
        }

        fn file(&self) -> PathBuf {
            self.home.logs().join("audit.jsonl")
        }

        fn text(&self) -> String {
            std::fs::read_to_string(self.file()).unwrap()
        }

        fn whole_text(&self) -> String {
            let files = super::files(&self.home.logs()).unwrap();
            files.iter().map(|file| std::fs::read_to_string(file).unwrap()).collect()
        }

        fn faults(&self) -> Vec<String> {
            verify(&self.home.logs()).unwrap().faults.into_iter().map(|fault| fault.what).collect()
        }
    }

    #[test]
    fn an_untouched_log_is_whole_across_writers_and_rotated_files() {
        let log = Log::with_lines(3);
        log.append(4);
        let report = verify(&log.home.logs()).unwrap();
        assert!(report.files > 1, "{report:?}");
        assert_eq!((report.lines, report.faults), (7, vec![]));
    }

    #[test]
    fn two_open_writers_keep_one_chain() {
        let log = Log::with_lines(0);
        let mut writers = [AuditLog::open(&log.home).unwrap(), AuditLog::open(&log.home).unwrap()];
        for round in 0..6 {
            let entry = Entry::Event(Box::new(Event::by_daemon("start", "", "")));
            writers[round % 2].append(&entry, Timestamp::UNIX_EPOCH, Durability::Written).unwrap();
        }
        let report = verify(&log.home.logs()).unwrap();
        assert_eq!((report.lines, report.faults), (6, vec![]));
    }

    #[test]
    fn a_changed_line_shows() {
        let log = Log::with_lines(2);
        std::fs::write(log.file(), log.text().replacen("a test", "a jest", 1)).unwrap();
        assert_eq!(log.faults(), ["line 1 before it was changed"]);
    }

    #[test]
    fn a_removed_line_shows() {
        let log = Log::with_lines(3);
        let kept: Vec<_> = log
            .text()
            .lines()
            .enumerate()
            .filter(|(at, _)| *at != 1)
            .map(|(_, line)| format!("{line}\n"))
            .collect();
        std::fs::write(log.file(), kept.concat()).unwrap();
        assert_eq!(log.faults(), ["lines 2 to 2 are missing"]);
    }

    #[test]
    fn a_cut_tail_shows_and_stays_visible_after_more_lines() {
        let log = Log::with_lines(3);
        let first = log.text().lines().next().unwrap().to_owned();
        std::fs::write(log.file(), format!("{first}\n")).unwrap();
        assert!(log.faults()[0].contains("the tail was cut"), "{:?}", log.faults());
        log.append(1);
        assert_eq!(log.faults(), ["lines 2 to 3 are missing"]);
        assert!(log.text().contains("audit_gap"));
    }

    #[test]
    fn a_missing_rotated_file_shows() {
        let log = Log::with_lines(8);
        let first = super::files(&log.home.logs()).unwrap().remove(0);
        std::fs::remove_file(first).unwrap();
        assert!(log.faults()[0].contains("are missing"), "{:?}", log.faults());
    }

    #[test]
    fn a_torn_last_line_is_set_aside_and_reported() {
        let log = Log::with_lines(2);
        let text = log.text();
        std::fs::write(log.file(), format!("{text}{{\"schema\":1,\"se")).unwrap();
        assert_eq!(log.faults(), ["the last line is incomplete"]);
        log.append(1);
        assert_eq!(log.faults(), Vec::<String>::new());
        assert!(log.whole_text().contains("audit_torn_line"));
    }

    #[test]
    fn a_head_one_line_behind_is_a_crash_and_no_fault() {
        let log = Log::with_lines(1);
        let head = std::fs::read(log.home.logs().join("audit.head")).unwrap();
        log.append(1);
        std::fs::write(log.home.logs().join("audit.head"), head).unwrap();
        assert_eq!(log.faults(), Vec::<String>::new());
        log.append(1);
        assert_eq!(log.faults(), Vec::<String>::new());
        assert!(log.text().contains("audit_head_recovered"));
    }
}
