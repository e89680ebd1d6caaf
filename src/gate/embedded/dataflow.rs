//! Where data goes in code: what was read, fetched or decoded, followed through names to where it is sent or run.
//!
//! One pass over the statements of a text, in order. A name carries labels; a statement that uses the name and gives a
//! value to another hands them on. No grammar, no types, no branches: good enough to tell "reads a key and posts it"
//! from "reads a key; posts a date". Linear in the text but for the look-up of names.

use std::collections::BTreeMap;

use super::Behaviour;
use super::destination;
use super::facts::Destination;
#[allow(clippy::enum_glob_use, reason = "a third of the classes are named here")]
use super::lexicon::Class::{self, *};
use super::patterns::Strength;
use super::reading::Reading;
use super::segment::Form;
use super::statement;

/// What a name stands for.
#[derive(Clone, Debug, Default, PartialEq)]
struct Labels {
    /// Data sources, and the segment each was read in.
    sources: BTreeMap<Behaviour, usize>,
    /// The segment in which it took a single secret from the environment.
    secret: Option<usize>,
    /// The segment it was fetched in.
    fetched: Option<usize>,
    /// From where.
    fetched_from: Destination,
    /// The segment it was decoded in.
    decoded: Option<usize>,
    /// The segment that names a bundled program.
    binary: Option<usize>,
    /// It carries a key of the user's.
    keyed: bool,
    /// The address it holds.
    address: Option<Destination>,
    /// The sink that the function of this name is, and where to.
    sink: Option<(Behaviour, Destination)>,
}

impl Labels {
    fn take_in(&mut self, other: &Self) {
        for (source, segment) in &other.sources {
            self.sources.entry(*source).or_insert(*segment);
        }
        self.fetched_from = self.fetched_from.max(other.fetched_from);
        self.fetched = self.fetched.or(other.fetched);
        self.decoded = self.decoded.or(other.decoded);
        self.binary = self.binary.or(other.binary);
        self.address = self.address.max(other.address);
        self.keyed |= other.keyed;
        self.secret = self.secret.or(other.secret);
        self.sink = self.sink.or(other.sink);
    }

    fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// What a statement was found to do.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Deed {
    /// It sends what was read in an earlier segment, or in its own.
    Sends { source: Behaviour, read_in: usize, sink: Behaviour, destination: Destination },
    /// It runs what was fetched, or hands it to what it runs.
    RunsFetched { from: Destination, strength: Strength },
    /// It runs what was decoded, or hands it to what it runs.
    RunsDecoded(Strength),
    /// It runs a bundled program.
    RunsBinary,
    /// It reads from a source.
    Reads(Behaviour),
    /// It takes several secrets from the environment.
    Harvests,
    /// It sends something, whatever that is.
    Uses { sink: Behaviour, destination: Destination },
}

/// What data a class of words stands for.
pub(super) const fn source_of(class: Class) -> Option<Behaviour> {
    Some(match class {
        CredentialFile => Behaviour::ReadsCredentials,
        Environment => Behaviour::ReadsEnvironment,
        Keychain => Behaviour::ReadsKeychain,
        BrowserStore => Behaviour::ReadsBrowser,
        Wallet => Behaviour::ReadsWallet,
        SourceTree => Behaviour::ReadsSources,
        AgentMemory | AgentSettings => Behaviour::ReadsMemory,
        Chat => Behaviour::ReadsChat,
        Personal => Behaviour::ReadsPersonal,
        FileRead => Behaviour::ReadsFiles,
        _ => return None,
    })
}

/// The deeds of each code statement of a text, with the segment. `binaries` are the names of bundled programs.
pub(super) fn deeds(reading: &Reading<'_>, binaries: &[&str]) -> Vec<(usize, Deed)> {
    let mut follower =
        Follower { reading, binaries, names: BTreeMap::new(), function: None, deeds: Vec::new() };
    for segment in 0..reading.segments.len() {
        match reading.segments[segment].form {
            Form::Code => follower.statement(segment),
            Form::Prose | Form::Comment | Form::Cell => follower.command_in_words(segment),
            Form::Heading | Form::FrontMatter => {}
        }
    }
    follower.deeds
}

struct Follower<'a> {
    reading: &'a Reading<'a>,
    binaries: &'a [&'a str],
    names: BTreeMap<&'a str, Labels>,
    /// The function whose body is being read.
    function: Option<&'a str>,
    deeds: Vec<(usize, Deed)>,
}

/// The most names that are followed in one text.
const MOST_NAMES: usize = 4_000;

impl<'a> Follower<'a> {
    fn statement(&mut self, segment: usize) {
        let text: &'a str = self.reading.segments[segment].span.of(self.reading.text).unwrap_or_default();
        if let Some(name) = statement::function(text) {
            self.function = Some(name);
        }
        let own = self.own_labels(segment, text);
        let used = self.used_labels(text);
        let mut all = own.clone();
        all.take_in(&used);
        self.note(segment, text, &own, &used, &all);
        let sink = self.sink(segment, text, &own, &used);
        self.hand_on(text, all, sink);
    }

    /// A sentence that holds a whole command: "Run this first: tar c ~/.ssh | curl -T - …". It hands nothing on: words
    /// are no names.
    fn command_in_words(&mut self, segment: usize) {
        if !self.reading.mentions_any(segment, &[Fetch, DnsLookup]) {
            return;
        }
        let text = self.reading.segments[segment].span.of(self.reading.text).unwrap_or_default();
        let sources: Vec<_> =
            self.reading.mentions(segment).iter().filter_map(|mention| source_of(mention.class)).collect();
        let own = Labels {
            sources: sources.iter().map(|source| (*source, segment)).collect(),
            ..Labels::default()
        };
        let Some((sink, destination)) = self.sink(segment, text, &own, &Labels::default()) else { return };
        for source in own.sources.into_keys() {
            self.deeds.push((segment, Deed::Sends { source, read_in: segment, sink, destination }));
        }
    }

    /// What the statement's own words stand for.
    fn own_labels(&mut self, segment: usize, text: &str) -> Labels {
        let mut labels = Labels::default();
        for mention in self.reading.mentions(segment) {
            if let Some(source) = source_of(mention.class) {
                labels.sources.entry(source).or_insert(segment);
            }
            match mention.class {
                Fetch => labels.fetched = Some(segment),
                Decode | ModPow => labels.decoded = Some(segment),
                _ => {}
            }
        }
        match statement::secrets(text) {
            0 => {}
            1 => labels.secret = Some(segment),
            // One key is for the service that the skill is for; several are a harvest.
            _ => {
                labels.sources.entry(Behaviour::ReadsEnvironment).or_insert(segment);
                self.deeds.push((segment, Deed::Harvests));
            }
        }
        labels.keyed = self.reading.mentions_any(segment, &[Auth]);
        labels.address = address(self.reading.folded(self.reading.segments[segment].span));
        labels.fetched_from = labels.fetched.and(labels.address).unwrap_or_default();
        if self.binaries.iter().any(|name| text.contains(name)) {
            labels.binary = Some(segment);
        }
        labels
    }

    fn used_labels(&self, text: &str) -> Labels {
        let mut labels = Labels::default();
        for name in statement::names(text).flat_map(statement::name_and_base) {
            if let Some(known) = self.names.get(name) {
                labels.take_in(known);
            }
        }
        labels
    }

    fn note(&mut self, segment: usize, text: &str, own: &Labels, used: &Labels, all: &Labels) {
        for source in own.sources.keys() {
            self.deeds.push((segment, Deed::Reads(*source)));
        }
        if let Some((sink, destination)) = self.sink(segment, text, own, used) {
            self.deeds.push((segment, Deed::Uses { sink, destination }));
            for (source, read_in) in &all.sources {
                self.deeds
                    .push((segment, Deed::Sends { source: *source, read_in: *read_in, sink, destination }));
            }
        }
        if self.executes(segment, text, used) {
            let strength = self.run_strength(segment, text);
            let fetched_elsewhere = used.fetched.is_some() || self.in_one(segment, Fetch);
            if all.fetched.is_some() && fetched_elsewhere {
                let from = all.fetched_from.max(all.address.unwrap_or_default());
                let strength = if from.is_chosen() { Strength::Faint } else { strength };
                self.deeds.push((segment, Deed::RunsFetched { from, strength }));
            }
            if all.decoded.is_some() {
                self.deeds.push((segment, Deed::RunsDecoded(strength)));
            }
            if all.binary.is_some() {
                self.deeds.push((segment, Deed::RunsBinary));
            }
        }
    }

    /// True where the statement both does this and runs something: `exec(urlopen(…))`.
    fn in_one(&self, segment: usize, class: Class) -> bool {
        self.reading.mentions_any(segment, &[class])
            && self.reading.mentions_any(segment, &[Execute, Evaluate, PipeToShell])
    }

    /// Clear where a name with labels is what is run, and not one of its arguments.
    fn run_strength(&self, segment: usize, text: &str) -> Strength {
        let mentions = self.reading.mentions(segment);
        let evaluates = mentions.iter().any(|mention| matches!(mention.class, Evaluate | PipeToShell));
        let Some(program) = mentions.iter().find(|mention| mention.class == Execute) else {
            return Strength::Clear;
        };
        let offset = program.span.end.saturating_sub(self.reading.segments[segment].span.start);
        let after = text.get(offset..).unwrap_or_default();
        let first = statement::names(after)
            .find(|name| !matches!(*name, "run" | "Popen" | "call" | "check_output" | "spawn"));
        if evaluates || first.is_some_and(|name| self.names.contains_key(name)) {
            Strength::Clear
        } else {
            Strength::Faint
        }
    }

    fn executes(&self, segment: usize, text: &str, used: &Labels) -> bool {
        if self.reading.mentions_any(segment, &[Execute, Evaluate, PipeToShell]) {
            return true;
        }
        // `bash /tmp/x`, `./x`, `$f --quiet`: a command that is, or is handed, a name with labels.
        let carries = |name: &str| {
            self.names.get(name).is_some_and(|labels| {
                labels.fetched.is_some() || labels.decoded.is_some() || labels.binary.is_some()
            })
        };
        let mut names = statement::names(text);
        let first = names.next().unwrap_or_default();
        let is_path = ["./", "/", "\"$", "\"./", "\"/", "$", "& ", "~/"]
            .iter()
            .any(|start| text.trim_start().starts_with(start));
        let runs = matches!(
            first,
            "bash"
                | "sh"
                | "zsh"
                | "python"
                | "python3"
                | "node"
                | "perl"
                | "ruby"
                | "pwsh"
                | "sudo"
                | "source"
                | "java"
                | "make"
                | "exec"
                | "nohup"
        );
        (used.fetched.is_some() || used.decoded.is_some() || used.binary.is_some())
            && ((is_path && carries(first)) || (runs && names.take(6).any(carries)))
    }

    fn sink(
        &self,
        segment: usize,
        text: &str,
        own: &Labels,
        used: &Labels,
    ) -> Option<(Behaviour, Destination)> {
        let mentions = |classes: &[Class]| self.reading.mentions_any(segment, classes);
        let address = || {
            let own = address(self.reading.folded(self.reading.segments[segment].span));
            let keyed = used.keyed || mentions(&[Auth]);
            match own.or(used.address).unwrap_or_default() {
                Destination::FixedHost if keyed => Destination::KeyedService,
                other => other,
            }
        };
        let sink = if mentions(&[DnsLookup]) && has_placeholder(text) {
            Behaviour::SendsDns
        } else if mentions(&[Mailer]) {
            Behaviour::SendsMail
        } else if mentions(&[GitRemote]) {
            Behaviour::SendsGit
        } else if self.sends_http(segment, text, own) {
            Behaviour::SendsHttp
        } else if mentions(&[Fetch]) && has_query_placeholder(text) {
            Behaviour::SendsBeacon
        } else {
            return used.sink;
        };
        Some((sink, address()))
    }

    fn sends_http(&self, segment: usize, text: &str, own: &Labels) -> bool {
        let mentions = |classes: &[Class]| self.reading.mentions_any(segment, classes);
        let folded = self.reading.folded(self.reading.segments[segment].span);
        let fetches = mentions(&[Fetch]);
        (mentions(&[Upload]) && (fetches || is_call(folded)))
            || (fetches
                && (statement::curl_sends(text)
                    || has_query_placeholder(text)
                    || has_second_argument(folded)))
            || (fetches && !own.sources.is_empty() && text.contains("$("))
    }

    /// Gives the statement's labels to what it gives a value to.
    fn hand_on(&mut self, text: &'a str, mut labels: Labels, sink: Option<(Behaviour, Destination)>) {
        labels.sink = None;
        if let (Some(function), Some(sink)) = (self.function, sink) {
            self.names.entry(function).or_default().sink = Some(sink);
        }
        if labels.is_empty() || self.names.len() > MOST_NAMES {
            return;
        }
        let returns = text.trim_start().starts_with("return") || statement::function(text).is_some();
        let function = self.function.filter(|_| returns);
        for name in statement::targets(text).into_iter().chain(function) {
            self.names.entry(name).or_default().take_in(&labels);
        }
    }
}

/// The most telling address of a statement, or that the user names it.
fn address(folded: &str) -> Option<Destination> {
    let named = destination::addresses(folded).map(|(_, kind)| kind).max();
    let from_user = [
        "process.env",
        "os.environ",
        "getenv",
        "env[",
        "argv",
        "argparse",
        "args.",
        "config",
        "cfg",
        "settings",
        "input(",
        "${1",
        "\"$1",
        " $1",
        "$env:",
        "env.fetch",
        "param(",
    ];
    named.or_else(|| from_user.iter().any(|words| folded.contains(words)).then_some(Destination::UserSetting))
}

/// True where `urlopen` gets a body after the address.
fn has_second_argument(folded: &str) -> bool {
    folded.split_once("urlopen(").is_some_and(|(_, rest)| {
        let mut depth = 0_i32;
        let second = rest.char_indices().find(|(_, c)| {
            depth += i32::from(*c == '(') - i32::from(*c == ')');
            depth < 0 || (depth == 0 && *c == ',')
        });
        second.is_some_and(|(at, c)| {
            c == ',' && !rest[at..].trim_start_matches([',', ' ']).starts_with("timeout")
        })
    })
}

fn is_call(folded: &str) -> bool {
    ["post", "put", "upload", "send", "request", "socket", "s3 ", "rclone", "gsutil", "sftp", "formdata"]
        .iter()
        .any(|word| folded.contains(word))
}

/// True where something is put into the text: a variable, a substitution, a sum.
fn has_placeholder(text: &str) -> bool {
    ["$", "{", " + ", "%s", "\" .", "#{"].iter().any(|mark| text.contains(mark))
}

/// True where an address takes something into its query or path: `https://h/?q=$X`.
fn has_query_placeholder(text: &str) -> bool {
    text.match_indices("://").any(|(at, _)| {
        let rest = text.get(at + 3..).unwrap_or_default();
        let end = rest.find(['"', '\'', ' ', '\n', ')', '>']).unwrap_or(rest.len());
        let address = rest.get(..end).unwrap_or_default();
        address.split_once('?').is_some_and(|(_, query)| {
            query.contains(['$', '{']) || rest.get(end..end + 4).is_some_and(|next| next.contains('+'))
        })
    })
}
