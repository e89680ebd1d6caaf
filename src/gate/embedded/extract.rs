//! From a document and its hits to facts.
//!
//! Pure and linear. Nothing is decided here: each behaviour is listed with the places that show it, live ones apart
//! from spoken ones. What hits carry from hidden and encoded text is read like the rest.

use std::collections::{BTreeMap, BTreeSet};

use super::Behaviour;
use super::account::account;
use super::dataflow::{self, Deed};
use super::destination;
use super::enact;
use super::excuse::Excuse;
use super::facts::{Destination, Fact, Facts, Flow, Place, Reach, SetAside};
use super::hits::{excuse_in, gives_orders, is_live, is_unseen, polarity};
use super::lexicon::Class;
use super::order;
use super::patterns::{Denial, Strength};
use super::reading::Reading;
use super::segment::{Form, Segment};
use super::setting::{self, FileUse, Setting, Theme};
use super::signal;
use super::stance;
use crate::base::{LineIndex, Span, UnreadReason};
use crate::gate::context::Context;
use crate::gate::rules::Severity;
use crate::gate::{Document, Hit, ViewKind};

/// The behaviour facts of a document. `hits` are in the order of the Evidence's hits: places name them by index.
pub fn extract(document: &Document, hits: &[Hit]) -> Facts {
    let mut collector = Collector::new(document, hits);
    for part in 0..document.parts.len() {
        collector.note_signals(part);
        collector.note_errands(part);
        collector.note_deeds(part);
    }
    for (index, hit) in hits.iter().enumerate() {
        collector.note_hit(index, hit);
    }
    collector.note_carried(hits);
    collector.note_enacted(hits);
    collector.join_apart();
    collector.note_programs();
    let layers = hits.iter().map(|hit| u8::try_from(hit.layers.len()).unwrap_or(u8::MAX)).max().unwrap_or(0);
    let instructions = collector.texts.first().map(|text| &text.reading);
    let seen: Vec<Fact> = collector.seen.into_values().collect();
    Facts {
        account: account(&document.description, instructions, &seen, &collector.flows),
        seen,
        flows: collector.flows,
        live_hits: collector.live_hits,
        themed_hits: collector.themed_hits,
        doubtful_hits: collector.doubtful_hits,
        set_aside: collector.set_aside,
        layers,
        polarity: polarity(hits),
    }
}

struct Collector<'a> {
    document: &'a Document,
    texts: Vec<Text<'a>>,
    binaries: Vec<&'a str>,
    /// The document is what a tool found: nobody's orders belong there.
    is_data: bool,
    seen: BTreeMap<Behaviour, Fact>,
    flows: Vec<Flow>,
    live_hits: Vec<usize>,
    themed_hits: Vec<usize>,
    doubtful_hits: Vec<usize>,
    set_aside: Vec<SetAside>,
    /// Live reading of sources and live sinks of code, for flows that no name shows.
    sources: BTreeMap<Behaviour, Place>,
    sinks: BTreeMap<Behaviour, (Place, Destination)>,
}

/// What a hit that is not live comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Grade {
    Themed,
    Doubtful,
    Spoken,
}

/// A part as it was read.
struct Text<'a> {
    reading: Reading<'a>,
    lines: LineIndex,
    setting: Setting,
}

impl<'a> Collector<'a> {
    fn new(document: &'a Document, hits: &[Hit]) -> Self {
        let readings: Vec<Reading<'a>> = document.parts.iter().map(Reading::of_part).collect();
        let theme = setting::theme(document, &readings);
        let is_data = theme == Theme::Data;
        let theme = match theme {
            Theme::Data if hits.iter().any(gives_orders) => Theme::Task,
            theme => theme,
        };
        let is_topical = theme != Theme::Task || setting::is_topical(document, &readings);
        let uses: Vec<_> = document.parts.iter().map(|part| setting::file_use(part, &readings)).collect();
        let texts = readings.into_iter().zip(&document.parts).zip(uses).map(|((reading, part), file)| Text {
            reading,
            lines: LineIndex::new(&part.text),
            setting: Setting { theme, file, is_topical },
        });
        Self {
            document,
            texts: texts.collect(),
            binaries: binaries(document),
            is_data,
            seen: BTreeMap::new(),
            flows: Vec::new(),
            live_hits: Vec::new(),
            themed_hits: Vec::new(),
            doubtful_hits: Vec::new(),
            set_aside: Vec::new(),
            sources: BTreeMap::new(),
            sinks: BTreeMap::new(),
        }
    }

    fn note_signals(&mut self, part: usize) {
        let text = &self.texts[part];
        for signal in signal::signals(&text.reading, text.setting) {
            let place = self.place(part, signal.span, signal.live);
            self.add(signal.behaviour, signal.strength, place);
        }
    }

    fn note_errands(&mut self, part: usize) {
        let text = &self.texts[part];
        for errand in signal::errands(&text.reading, text.setting) {
            let place = self.place(part, errand.span, errand.live);
            self.flows.push(Flow {
                source: errand.source,
                source_place: place.clone(),
                sink: Behaviour::SendsByHand,
                sink_place: place,
                destination: errand.destination,
                reach: Reach::Block,
            });
        }
    }

    fn note_deeds(&mut self, part: usize) {
        for (segment, deed) in dataflow::deeds(&self.texts[part].reading, &self.binaries) {
            let Text { reading, setting, .. } = &self.texts[part];
            let span = reading.segments[segment].span;
            let live = stance::is_live(reading, segment, span, Denial::Cancels, *setting)
                || (is_theft(&deed) && stance::is_unexcused(reading, segment, span, *setting));
            let place = self.place(part, span, live);
            match deed {
                Deed::Reads(source) => {
                    if live {
                        self.sources.entry(source).or_insert_with(|| place.clone());
                    }
                    self.add(source, Strength::Faint, place);
                }
                Deed::Uses { sink, destination } => {
                    if live {
                        let known = self.sinks.entry(sink).or_insert_with(|| (place.clone(), destination));
                        known.1 = known.1.max(destination);
                    }
                    self.add(sink, Strength::Faint, place);
                }
                Deed::RunsFetched { from, strength } => {
                    let strangers = from.is_untraceable() && strength == Strength::Clear;
                    let runs = if strangers { Behaviour::RunsUntraceable } else { Behaviour::RunsDownload };
                    self.add(runs, strength, place);
                }
                Deed::RunsDecoded(strength) => self.add(Behaviour::RunsDecoded, strength, place),
                Deed::Harvests => self.add(Behaviour::ReadsEnvironment, Strength::Clear, place),
                Deed::RunsBinary => self.add(Behaviour::RunsBinary, Strength::Clear, place),
                Deed::Sends { source, read_in, sink, destination } => {
                    let source_place =
                        self.place(part, self.texts[part].reading.segments[read_in].span, live);
                    let reach = if read_in == segment { Reach::Block } else { Reach::File };
                    self.flows.push(Flow {
                        source,
                        source_place,
                        sink,
                        sink_place: place,
                        destination,
                        reach,
                    });
                }
            }
        }
    }

    /// Flows that no name shows: a source and a sink in live code of one unit.
    fn join_apart(&mut self) {
        for (source, source_place) in &self.sources {
            for (sink, (sink_place, destination)) in &self.sinks {
                if !self.flows.iter().any(|flow| flow.source == *source && flow.sink == *sink) {
                    self.flows.push(Flow {
                        source: *source,
                        source_place: source_place.clone(),
                        sink: *sink,
                        sink_place: sink_place.clone(),
                        destination: *destination,
                        reach: Reach::Apart,
                    });
                }
            }
        }
    }

    /// Reads what hits found in hidden, encoded and assembled text. What is hidden from people is never only spoken of.
    fn note_carried(&mut self, hits: &[Hit]) {
        let mut read = BTreeSet::new();
        for hit in hits.iter().filter(|hit| hit.view != ViewKind::Raw) {
            let text = if hit.excerpt.is_empty() { &hit.matched } else { &hit.excerpt };
            if !read.insert((hit.part, text)) {
                continue;
            }
            let live = self.is_hit_live(hit);
            let reading = Reading::of_carried(text);
            if live && is_unseen(hit) && order::gives_an_order(&reading) {
                let place = self.place(hit.part, hit.span, true);
                self.add(Behaviour::HidesText, Strength::Clear, place);
            }
            for signal in signal::signals(&reading, Setting::CARRIED) {
                let place = self.place(hit.part, hit.span, live && signal.live);
                self.add(signal.behaviour, signal.strength, place);
            }
        }
    }

    /// Orders to carry out what the document shows, where it shows something that was set aside.
    fn note_enacted(&mut self, hits: &[Hit]) {
        let is_grave = |aside: &SetAside| {
            aside.excuse != Excuse::Vendor
                && hits.get(aside.hit).is_some_and(|hit| hit.severity >= Severity::Medium)
        };
        if !self.set_aside.iter().any(is_grave) {
            return;
        }
        for part in 0..self.texts.len() {
            let reading = &self.texts[part].reading;
            let enacted: Vec<_> =
                (0..reading.segments.len()).filter_map(|segment| enact::enacts(reading, segment)).collect();
            for (span, strength) in enacted {
                let place = self.place(part, span, true);
                self.add(Behaviour::EnactsExample, strength, place);
            }
        }
    }

    fn note_hit(&mut self, index: usize, hit: &Hit) {
        let planted = self.is_planted(hit);
        if planted {
            let place = Place { hit: Some(index), ..self.place(hit.part, hit.span, true) };
            self.add(Behaviour::SpeaksToAgent, Strength::Clear, place);
        }
        let vendor = self.is_vendors_own(hit).then_some(Excuse::Vendor);
        let excuse =
            if planted || self.is_live_as_shown(hit) { None } else { self.excuse_of_hit(hit).or(vendor) };
        let excuse = excuse.filter(|excuse| !excuse.is_weak() || !self.speaks_for_itself(hit));
        match excuse {
            None => self.live_hits.push(index),
            Some(excuse) => {
                self.set_aside.push(SetAside { hit: index, excuse });
                match self.grade(hit) {
                    _ if vendor.is_some() => {}
                    Grade::Themed => self.themed_hits.push(index),
                    Grade::Doubtful => self.doubtful_hits.push(index),
                    Grade::Spoken => {}
                }
            }
        }
        let live = excuse.is_none();
        if let Some(behaviour) = Behaviour::of_category(&hit.category) {
            let place = Place { hit: Some(index), ..self.place(hit.part, hit.span, live) };
            self.seen.entry(behaviour).or_insert_with(|| Fact::none(behaviour)).keep(place);
        }
    }

    fn note_programs(&mut self) {
        let document = self.document;
        for unread in document.unread.iter().filter(|unread| unread.reason == UnreadReason::Executable) {
            let place = Place {
                file: unread.path.clone(),
                line: 1,
                what: unread.detail.clone(),
                hit: None,
                live: true,
            };
            self.add(Behaviour::BringsBinary, Strength::Faint, place);
        }
    }

    /// True where the words of a hit are no words in the part itself, and what its view shows is done or ordered: whoever
    /// puts an order into other letters quotes nobody.
    fn is_live_as_shown(&self, hit: &Hit) -> bool {
        let Some(text) = self.texts.get(hit.part).filter(|_| hit.view != ViewKind::Raw) else { return false };
        let reading = Reading::of_carried(&hit.excerpt);
        let Some(start) = hit.excerpt.find(&hit.matched) else { return false };
        let found = Span::new(start, start + hit.matched.len());
        let segment = reading.segment_at(start);
        !hit.context.about_attacks
            && text.setting.file != FileUse::Test
            && order::is_order(&reading, segment)
            && stance::is_live(&reading, segment, found, Denial::Before, text.setting)
    }

    /// How much speaks against a hit that is not live.
    fn grade(&self, hit: &Hit) -> Grade {
        let Some(text) = self.texts.get(hit.part) else { return Grade::Spoken };
        let (reading, segment) = (&text.reading, text.reading.segment_at(hit.span.start));
        if text.setting.file == FileUse::Test || hit.context.negated || hit.context.string_literal {
            return Grade::Spoken;
        }
        let as_task = Setting { theme: Theme::Task, ..text.setting };
        let themed = stance::is_live(reading, segment, hit.span, Denial::Before, as_task);
        if themed && is_live(&hit.context) {
            Grade::Themed
        } else if stance::is_undenied(reading, segment, hit.span) {
            Grade::Doubtful
        } else {
            Grade::Spoken
        }
    }

    /// True where what is fetched and run is what a well-known vendor tells everybody to run.
    fn is_vendors_own(&self, hit: &Hit) -> bool {
        let fetches = matches!(hit.category.as_str(), "supply-chain" | "execution");
        let Some(text) = self.texts.get(hit.part).filter(|_| fetches && hit.layers.is_empty()) else {
            return false;
        };
        let segment = text.reading.segments.get(text.reading.segment_at(hit.span.start));
        segment.is_some_and(|segment| {
            destination::names_only_vendors(text.reading.folded(segment.span.join(hit.span)))
        })
    }

    /// True for words to an agent in what a tool found.
    fn is_planted(&self, hit: &Hit) -> bool {
        let Some(text) = self.texts.get(hit.part) else { return false };
        let to_agent = matches!(
            hit.category.as_str(),
            "instruction-override"
                | "tool-poisoning"
                | "tool-shadowing"
                | "consent-bypass"
                | "concealment"
                | "agent-config"
                | "phishing"
        );
        let segment = text.reading.segment_at(hit.span.start);
        // "Do not mention it to Bob" is said among people.
        let among_people = hit.category == "concealment"
            && !text.reading.mentions_any(segment, &[Class::User, Class::Agent, Class::Model]);
        self.is_data
            && to_agent
            && !among_people
            && hit.severity >= Severity::Medium
            // Data is full of the past tense: it excuses no word to an agent.
            && is_live(&Context { reported: false, ..hit.context.clone() })
            && !hit.context.about_attacks
            && stance::is_planted(&text.reading, segment, hit.span, text.setting)
    }

    /// True where what a rule found is done or ordered.
    fn is_hit_live(&self, hit: &Hit) -> bool {
        self.excuse_of_hit(hit).is_none()
    }

    /// Why what a rule found is neither done nor ordered. Nobody quotes or denies in characters that nobody sees, but a
    /// test may hold them.
    fn excuse_of_hit(&self, hit: &Hit) -> Option<Excuse> {
        let text = self.texts.get(hit.part)?;
        let segment = Self::segment_of(text, hit.span);
        if text.setting.file == FileUse::Test {
            return Some(Excuse::TestFile);
        }
        if is_unseen(hit) {
            return None;
        }
        // What is quoted is for the sentence to say: it knows verbs of more languages.
        let context = Context {
            quoted: false,
            reported: hit.context.reported && !self.is_no_report(hit, segment),
            ..hit.context.clone()
        };
        // A heading makes no example of what the text has somebody run.
        let about = context.about_attacks && !context.comment && !order::is_ordered(&text.reading, segment);
        excuse_in(&context)
            .or_else(|| about.then_some(Excuse::AboutAttacks))
            .or_else(|| stance::excuse(&text.reading, segment, hit.span, Denial::Before, text.setting))
    }

    /// True where a rule found what nobody writes down but to have it done or to speak about attacks, and nothing here
    /// speaks of attacks.
    fn speaks_for_itself(&self, hit: &Hit) -> bool {
        let Some(text) = self.texts.get(hit.part).filter(|text| !text.setting.is_topical) else {
            return false;
        };
        let is_act = matches!(
            hit.category.as_str(),
            "exfiltration"
                | "credential-access"
                | "command-and-control"
                | "persistence"
                | "risky-commands"
                | "impact"
        );
        // A table shows; whoever is to run its rows is told so elsewhere.
        let segment = Self::segment_of(text, hit.span);
        let is_cell = text.reading.segments.get(segment).is_some_and(|segment| segment.form == Form::Cell);
        is_act
            && !is_cell
            && hit.severity >= Severity::High
            && stance::is_unexcused(&text.reading, segment, hit.span, text.setting)
    }

    /// The segment of a hit; one that begins in a heading and goes on below it is in what stands below.
    fn segment_of(text: &Text<'_>, span: Span) -> usize {
        let first = text.reading.segment_at(span.start);
        let is_heading = |segment: &&Segment| segment.form == Form::Heading && segment.span.end < span.end;
        match text.reading.segments.get(first).filter(is_heading) {
            Some(_) => text.reading.segment_at(span.end.saturating_sub(1)),
            None => first,
        }
    }

    /// True for a sentence in the past or conditional that reports nothing: an order with such a word in it, or a claim
    /// of what the user has allowed.
    fn is_no_report(&self, hit: &Hit, segment: usize) -> bool {
        let Some(text) = self.texts.get(hit.part) else { return false };
        let claims =
            matches!(hit.category.as_str(), "consent-bypass" | "concealment" | "instruction-override");
        !stance::tells_of_attacks(&text.reading, segment, hit.span)
            && (claims || order::is_order(&text.reading, segment))
    }

    fn place(&self, part: usize, span: Span, live: bool) -> Place {
        let text = self.document.parts.get(part).and_then(|part| span.of(&part.text)).unwrap_or_default();
        Place {
            file: self.document.parts.get(part).map(|part| part.path.clone()).unwrap_or_default(),
            line: self.texts.get(part).map_or(1, |text| text.lines.line(span.start)),
            what: text.chars().take(Place::LONGEST).collect(),
            hit: None,
            live,
        }
    }

    fn add(&mut self, behaviour: Behaviour, strength: Strength, place: Place) {
        let fact = self.seen.entry(behaviour).or_insert_with(|| Fact::none(behaviour));
        match (place.live, strength) {
            (true, Strength::Clear) => fact.clear += 1,
            (true, Strength::Faint) => fact.faint += 1,
            (false, _) => fact.spoken += 1,
        }
        fact.keep(place);
    }
}

/// True for secrets that go to a place of somebody else's choice. Nobody writes that down but to have it done or to
/// speak about attacks, and who does the latter says so.
fn is_theft(deed: &Deed) -> bool {
    let secret = |source| {
        matches!(
            source,
            Behaviour::ReadsCredentials
                | Behaviour::ReadsKeychain
                | Behaviour::ReadsBrowser
                | Behaviour::ReadsWallet
                | Behaviour::ReadsEnvironment
        )
    };
    matches!(deed, Deed::Sends { source, destination, .. } if secret(*source) && destination.is_foreign())
}

/// The names of bundled files that cannot be read.
fn binaries(document: &Document) -> Vec<&str> {
    let unreadable =
        |reason| matches!(reason, UnreadReason::Executable | UnreadReason::Binary | UnreadReason::Encrypted);
    let unread = document.unread.iter().filter(|unread| unreadable(unread.reason));
    unread
        .map(|unread| unread.path.rsplit('/').next().unwrap_or_default())
        .filter(|name| name.len() > 3)
        .collect()
}
