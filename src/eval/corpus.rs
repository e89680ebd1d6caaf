//! Labelled corpora: a folder with an `index.jsonl`, one line for each unit.
//!
//! Of a line are read: `id`, `dir` or `file` (where the unit lies), `label` (benign, malicious, fixture, semantic), and what
//! says where it comes from (`provenance`, `category`, `source`, `campaign`, `pair`, `scene`, `host_id`) and what it is like
//! (`technique`, `carrier`, `difficulty`, `language` or `lang`). A message may carry the `request` that it answers. Unknown
//! keys are passed over: indexes say more than is needed here. All of it is other people's text, and so no unit lies outside of its
//! corpus, whatever its line says, and nothing but files is read.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;

use super::library;
use crate::base::{Digest, File, FileTree, RelPath, printable};
use crate::gate::policy::Limits as PolicyLimits;
use crate::gate::{Document, Origin};
use crate::io::load::{self, Limits};
use crate::io::{home, message};

/// The index of a corpus.
const INDEX: &str = "index.jsonl";

/// An index, or a library, of this size is none.
pub(super) const LARGEST: u64 = 1 << 30;

/// Of a skill's main file no more is compared with others.
const LARGEST_SKILL: u64 = 16 << 20;

/// A labelled corpus.
#[derive(Clone, Debug)]
pub struct Corpus {
    /// The folder's name.
    pub name: String,
    /// Its units, in the order of the index.
    pub cases: Vec<Case>,
}

/// What a unit is known to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Expected {
    /// Works for its user.
    Benign,
    /// Works against its user.
    Malicious,
    /// Describes an attack, or holds one that shows only at run time: reported apart, in no headline figure.
    Apart,
}

impl Expected {
    /// The name in exports and reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Benign => "benign",
            Self::Malicious => "malicious",
            Self::Apart => "apart",
        }
    }

    fn of_tier(tier: &str) -> Result<Self, String> {
        match tier {
            "benign" => Ok(Self::Benign),
            "malicious" | "core" => Ok(Self::Malicious),
            "fixture" | "semantic" | "apart" => Ok(Self::Apart),
            other => Err(format!(
                "the label or tier `{}` is none of benign, malicious (or core), fixture, semantic",
                printable(other)
            )),
        }
    }
}

/// One labelled unit.
#[derive(Clone, Debug)]
pub struct Case {
    /// The corpus.
    pub set: String,
    /// Its id in the corpus.
    pub id: String,
    /// What it is known to be.
    pub expected: Expected,
    /// The index's own word for that: `core` and `fixture` are both labelled malicious.
    pub tier: String,
    /// In the wild, hand-crafted, synthetic.
    pub provenance: String,
    /// What kind of attack it is, or looks like; empty where nothing is said.
    pub category: String,
    /// Written about security.
    pub security_themed: bool,
    /// Its family: units of one family are judged by weights that saw none of them.
    pub family: String,
    /// The benign unit that it was made from; the two are never on different sides of a split.
    pub host: Option<String>,
    /// Its twins in a minimal pair share this.
    pub pair: Option<String>,
    /// Who spread it in the wild, where that is known.
    pub campaign: Option<String>,
    /// The method of the request that it answers; empty for skills.
    pub method: String,
    /// Where in a message the text stands; empty where nothing is said.
    pub carrier: String,
    /// How the attack, or what looks like one, is made; empty where nothing is said.
    pub technique: String,
    /// How hard it is said to be; empty where nothing is said.
    pub difficulty: String,
    /// The language it is written in; empty where nothing is said.
    pub language: String,
    place: Place,
}

#[derive(Clone, Debug)]
enum Place {
    Skill(Within),
    Text(String),
    Message { file: Within, request: Option<Vec<u8>> },
}

/// A place in a corpus.
#[derive(Clone, Debug)]
struct Within {
    corpus: PathBuf,
    path: RelPath,
}

impl Within {
    fn new(corpus: &Path, path: &str) -> Result<Self, String> {
        // `./a` and `a/` are what people write.
        let bare = path.strip_prefix("./").unwrap_or(path).trim_end_matches('/');
        let path = RelPath::new(bare).map_err(|error| format!("{error}; units lie in their corpus"))?;
        Ok(Self { corpus: corpus.to_owned(), path })
    }

    /// Where it lies, which is in the corpus also where there are links on the way.
    fn find(&self) -> Result<PathBuf, String> {
        let shown = printable(self.path.as_str()).into_owned();
        let place = self.corpus.join(self.path.as_str());
        let real = place.canonicalize().map_err(|error| format!("reading `{shown}`: {error}"))?;
        if !real.starts_with(&self.corpus) {
            return Err(format!("`{shown}` leads out of the corpus; units lie in their corpus"));
        }
        Ok(real)
    }
}

/// Why a corpus cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum CorpusError {
    /// A file cannot be read.
    #[error("reading `{}`: {source}; a corpus is a folder with an index.jsonl", printable(&path.to_string_lossy()))]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's words.
        source: std::io::Error,
    },
    /// A line of the index says too little, or is no JSON.
    #[error("`{}` line {line}: {why}", printable(&path.to_string_lossy()))]
    Line {
        /// The index.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// What is wrong.
        why: String,
    },
    /// A corpus that is given twice, or that would be counted as if it said more than it does.
    #[error("`{}`: {why}", printable(&path.to_string_lossy()))]
    Whole {
        /// The corpus.
        path: PathBuf,
        /// What is wrong.
        why: &'static str,
    },
    /// A unit cannot be loaded.
    #[error("`{id}`: {why}")]
    Unit {
        /// The unit.
        id: String,
        /// What is wrong.
        why: String,
    },
}

#[derive(Deserialize)]
struct Line {
    id: String,
    dir: Option<String>,
    file: Option<String>,
    label: String,
    tier: Option<String>,
    provenance: Option<String>,
    category: Option<String>,
    source: Option<String>,
    campaign: Option<String>,
    security_themed: Option<bool>,
    host_id: Option<String>,
    pair: Option<String>,
    scene: Option<u64>,
    method: Option<String>,
    carrier: Option<String>,
    technique: Option<String>,
    difficulty: Option<String>,
    #[serde(alias = "lang")]
    language: Option<String>,
    request: Option<Value>,
}

impl Corpus {
    /// Reads the index of a corpus, or a library of skills as JSON lines; the units of a folder are loaded one by one
    /// when they are needed.
    pub fn open(folder: &Path) -> Result<Self, CorpusError> {
        if library::is_library(folder) {
            let cases = library::read(folder)?;
            let name = cases.first().map(|case| case.set.clone()).unwrap_or_default();
            return Ok(Self { name, cases });
        }
        let path = folder.join(INDEX);
        let text = home::read_text(&path, LARGEST)
            .map_err(|source| CorpusError::Io { path: path.clone(), source })?;
        let folder =
            folder.canonicalize().map_err(|source| CorpusError::Io { path: folder.to_owned(), source })?;
        let name = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let mut ids = BTreeMap::new();
        let mut cases = Vec::new();
        for (at, line) in lines {
            let fault = |why: String| CorpusError::Line { path: path.clone(), line: at + 1, why };
            let case = Line::read(line).and_then(|line| line.case(&name, &folder)).map_err(fault)?;
            if let Some(before) = ids.insert(case.id.clone(), at + 1) {
                let id = printable(&case.id);
                return Err(fault(format!("the id `{id}` is that of line {before}: give each unit its own")));
            }
            cases.push(case);
        }
        if cases.is_empty() {
            return Err(CorpusError::Whole {
                path,
                why: "there is no unit in it, so there is nothing to count",
            });
        }
        Ok(Self { name, cases })
    }
}

/// Reads several corpora. A library's skill whose text another unit has is left out: libraries hold skills that are
/// labelled elsewhere.
pub fn open_all(folders: &[PathBuf]) -> Result<Vec<Corpus>, CorpusError> {
    let mut given = BTreeSet::new();
    for folder in folders {
        let real = folder.canonicalize().unwrap_or_else(|_| folder.clone());
        if !given.insert(real) {
            let why = "this corpus is given twice, and its units would count twice: give it once";
            return Err(CorpusError::Whole { path: folder.clone(), why });
        }
    }
    let mut corpora = folders.iter().map(|folder| Corpus::open(folder)).collect::<Result<Vec<_>, _>>()?;
    let mut names = BTreeSet::new();
    if let Some(twice) = corpora.iter().position(|corpus| !names.insert(corpus.name.as_str())) {
        let why = "another corpus has this name, and units are told by it: give the folder another one";
        return Err(CorpusError::Whole { path: folders[twice].clone(), why });
    }
    let labelled = corpora.iter().flat_map(|corpus| &corpus.cases).filter(|case| !case.is_from_library());
    let mut known: BTreeSet<Digest> = labelled.filter_map(Case::fingerprint).collect();
    for corpus in &mut corpora {
        let mut is_new = |case: &Case| case.fingerprint().is_none_or(|text| known.insert(text));
        corpus.cases.retain(|case| !case.is_from_library() || is_new(case));
    }
    Ok(corpora)
}

impl Line {
    fn read(line: &str) -> Result<Self, String> {
        if !line.trim_start().starts_with('{') {
            return Err("no JSON object: a line is `{\"id\": …, \"dir\": …, \"label\": …}`".to_owned());
        }
        // The text is one line of the file, and which one is said already.
        serde_json::from_str(line)
            .map_err(|error| error.to_string().replace(" at line 1 column", " at column"))
    }

    fn case(self, set: &str, folder: &Path) -> Result<Case, String> {
        let family = format!("{set}/{}", self.family());
        let is_message = |path: &str| Path::new(path).extension().is_some_and(|end| end == "json");
        let request = self.request.map(|request| request.to_string().into_bytes());
        let place = match (self.file, self.dir) {
            (Some(_), Some(_)) => {
                return Err("both `dir` and `file`: give the one where the unit lies".to_owned());
            }
            (Some(file), None) => Place::Message { file: Within::new(folder, &file)?, request },
            (None, Some(dir)) if is_message(&dir) => {
                Place::Message { file: Within::new(folder, &dir)?, request: None }
            }
            (None, Some(dir)) => Place::Skill(Within::new(folder, &dir)?),
            (None, None) => return Err("neither `dir` nor `file`: where does the unit lie?".to_owned()),
        };
        if self.id.trim().is_empty() {
            return Err("the `id` is empty: give each unit its own".to_owned());
        }
        let labelled = Expected::of_tier(&self.label)?;
        // A tier sorts out what a label alone would mix: fixtures and run-time attacks are labelled malicious too.
        let tier = self.tier.unwrap_or(self.label);
        let expected = Expected::of_tier(&tier)?;
        if (labelled == Expected::Benign) != (expected == Expected::Benign) && labelled != Expected::Apart {
            return Err(format!(
                "the label is {} and the tier `{}` says otherwise: correct one of the two",
                labelled.name(),
                printable(&tier)
            ));
        }
        Ok(Case {
            set: set.to_owned(),
            id: self.id,
            expected,
            tier,
            provenance: self.provenance.unwrap_or_else(|| "synthetic".to_owned()),
            category: self.category.unwrap_or_default(),
            security_themed: self.security_themed.unwrap_or_default(),
            family,
            host: self.host_id,
            pair: self.pair.or_else(|| self.scene.map(|scene| scene.to_string())),
            campaign: self.campaign,
            method: self.method.unwrap_or_default(),
            carrier: self.carrier.unwrap_or_default(),
            technique: self.technique.unwrap_or_default(),
            difficulty: self.difficulty.unwrap_or_default(),
            language: self.language.unwrap_or_default(),
            place,
        })
    }

    /// Who made it, as narrowly as the index says: a campaign, a pair, a scene, a kind of attack, a source.
    fn family(&self) -> String {
        let of_host = self.host_id.as_ref().and(self.category.clone());
        let scene = self.scene.map(|scene| format!("scene {scene}"));
        self.campaign
            .clone()
            .or_else(|| self.pair.clone())
            .or(scene)
            .or(of_host)
            .or_else(|| self.source.clone())
            .or_else(|| self.category.clone())
            .unwrap_or_else(|| self.id.clone())
    }
}

impl Case {
    /// A skill of a library, whose text is all that is known of it.
    pub(super) fn presumed_benign(set: &str, id: String, family: &str, text: String) -> Self {
        Self {
            set: set.to_owned(),
            id,
            expected: Expected::Benign,
            tier: "benign".to_owned(),
            provenance: "in-the-wild".to_owned(),
            category: String::new(),
            security_themed: false,
            family: format!("{set}/{family}"),
            host: None,
            pair: None,
            campaign: None,
            method: String::new(),
            carrier: String::new(),
            technique: String::new(),
            difficulty: String::new(),
            language: String::new(),
            place: Place::Text(text),
        }
    }

    /// What makes two skills the same text, where the unit is one; nothing for messages.
    fn fingerprint(&self) -> Option<Digest> {
        match &self.place {
            Place::Text(text) => Some(super::fingerprint(text)),
            Place::Skill(folder) => {
                let main = folder.find().ok()?.join("SKILL.md");
                home::read_text(&main, LARGEST_SKILL).ok().map(|text| super::fingerprint(&text))
            }
            Place::Message { .. } => None,
        }
    }

    /// Loads the unit as `scan` would. Nothing of the corpus' own names is in it.
    pub fn load(&self, limits: &PolicyLimits) -> Result<(Document, Origin), CorpusError> {
        let fault = |why: String| CorpusError::Unit { id: self.id.clone(), why };
        match &self.place {
            Place::Skill(folder) => {
                let folder = folder.find().map_err(fault)?;
                let collection = load::load_skill(&folder, &Limits::from(limits))
                    .map_err(|error| fault(error.to_string()))?;
                let unit = collection.units().next().ok_or_else(|| fault("there is no unit".to_owned()))?;
                // The folder's name is the corpus' and may carry a label.
                Ok((Document::package(&unit.tree, "skill"), Origin::default()))
            }
            Place::Text(text) => {
                let path = RelPath::new("SKILL.md").map_err(|error| fault(error.to_string()))?;
                let mut tree = FileTree::new();
                tree.insert(path, File::regular(text.as_bytes()));
                Ok((Document::package(&tree, "skill"), Origin::default()))
            }
            Place::Message { file, request } => {
                let place = file.find().map_err(fault)?;
                let bytes = home::read_bytes(&place, limits.max_file_bytes).map_err(|error| {
                    fault(format!("reading `{}`: {error}", printable(file.path.as_str())))
                })?;
                message::document(&bytes, request.as_deref(), limits.room())
                    .map_err(|error| fault(error.to_string()))
            }
        }
    }

    /// True for a skill of a library that nobody labelled.
    pub fn is_from_library(&self) -> bool {
        matches!(self.place, Place::Text(_))
    }

    /// True for a message, false for a skill.
    pub fn is_message(&self) -> bool {
        matches!(self.place, Place::Message { .. })
    }
}
