//! The codes of everything that can be wrong with a skill's files.
//!
//! Codes are permanent: a code is never reused for something else. Each has a test that brings it about.

/// Every code with one line on what it means, in order.
pub const CODES: &[(&str, &str)] = &[
    (BODY_DASHES, "the body holds a rule of three dashes, which some loaders take for another front matter"),
    (CODE_UNCLOSED, "a code fence is never closed"),
    (
        DESCRIPTION_BLOCK,
        "the description is a block scalar, of which loaders that go by lines read the bar alone",
    ),
    (DESCRIPTION_LONG, "the description is longer than 1,024 characters"),
    (DESCRIPTION_MISSING, "there is no description, or an empty one"),
    (
        DESCRIPTION_WRAPPED,
        "the description goes on in the next line, which loaders that go by lines do not read",
    ),
    (FENCE_SPACE, "white space around the dashes of the front matter"),
    (FRONT_MATTER_BOM, "a byte order mark stands before the front matter"),
    (FRONT_MATTER_COLON, "a value without quotes holds a colon and a space"),
    (FRONT_MATTER_CRLF, "lines of the front matter end with CR LF"),
    (FRONT_MATTER_DUPLICATE, "a key comes twice"),
    (FRONT_MATTER_EMPTY, "the front matter holds nothing"),
    (FRONT_MATTER_INVALID, "a part of the front matter is no YAML and could not be made out"),
    (FRONT_MATTER_LARGE, "the front matter is too large to be read"),
    (FRONT_MATTER_LATE, "something stands before the front matter"),
    (FRONT_MATTER_MISSING, "there is no front matter"),
    (FRONT_MATTER_SECOND, "a second front matter follows the first"),
    (FRONT_MATTER_TAB, "tabs indent the front matter"),
    (FRONT_MATTER_TAG, "a value has a tag of its own"),
    (FRONT_MATTER_UNCLOSED, "the front matter is never closed"),
    (FRONT_MATTER_UNQUOTED, "a value without quotes begins like something else"),
    (FRONT_MATTER_WRAPPED, "a value goes on in a line that is not indented"),
    (INNER_FENCE, "a line of dashes inside the front matter ends it for some loaders"),
    (NAME_FORMAT, "the name is not of the form that the specification asks for"),
    (NAME_MISSING, "there is no name, or an empty one"),
    (NAME_NOT_ASCII, "the name holds letters other than ASCII"),
    (NOT_TEXT, "name or description is written as something other than text"),
    (NOT_UTF8, "SKILL.md is not UTF-8"),
    (SKILL_FILE_CASE, "the file's name is not exactly SKILL.md"),
    (SKILL_FILE_EMPTY, "SKILL.md is empty"),
    (SKILL_FILE_LARGE, "SKILL.md is larger than any agent reads"),
    (SKILL_FILE_MISSING, "there is no SKILL.md"),
];

pub(super) const BODY_DASHES: &str = "body-dashes";
pub(super) const CODE_UNCLOSED: &str = "code-unclosed";
pub(super) const DESCRIPTION_BLOCK: &str = "description-block";
pub(super) const DESCRIPTION_LONG: &str = "description-long";
pub(super) const DESCRIPTION_MISSING: &str = "description-missing";
pub(super) const DESCRIPTION_WRAPPED: &str = "description-wrapped";
pub(super) const FENCE_SPACE: &str = "fence-space";
pub(super) const FRONT_MATTER_BOM: &str = "front-matter-bom";
pub(super) const FRONT_MATTER_COLON: &str = "front-matter-colon";
pub(super) const FRONT_MATTER_CRLF: &str = "front-matter-crlf";
pub(super) const FRONT_MATTER_DUPLICATE: &str = "front-matter-duplicate";
pub(super) const FRONT_MATTER_EMPTY: &str = "front-matter-empty";
pub(super) const FRONT_MATTER_INVALID: &str = "front-matter-invalid";
pub(super) const FRONT_MATTER_LARGE: &str = "front-matter-large";
pub(super) const FRONT_MATTER_LATE: &str = "front-matter-late";
pub(super) const FRONT_MATTER_MISSING: &str = "front-matter-missing";
pub(super) const FRONT_MATTER_SECOND: &str = "front-matter-second";
pub(super) const FRONT_MATTER_TAB: &str = "front-matter-tab";
pub(super) const FRONT_MATTER_TAG: &str = "front-matter-tag";
pub(super) const FRONT_MATTER_UNCLOSED: &str = "front-matter-unclosed";
pub(super) const FRONT_MATTER_UNQUOTED: &str = "front-matter-unquoted";
pub(super) const FRONT_MATTER_WRAPPED: &str = "front-matter-wrapped";
pub(super) const INNER_FENCE: &str = "inner-fence";
pub(super) const NAME_FORMAT: &str = "name-format";
pub(super) const NAME_MISSING: &str = "name-missing";
pub(super) const NAME_NOT_ASCII: &str = "name-not-ascii";
pub(super) const NOT_TEXT: &str = "not-text";
pub(super) const NOT_UTF8: &str = "not-utf8";
pub(super) const SKILL_FILE_CASE: &str = "skill-file-case";
pub(super) const SKILL_FILE_EMPTY: &str = "skill-file-empty";
pub(super) const SKILL_FILE_LARGE: &str = "skill-file-large";
pub(super) const SKILL_FILE_MISSING: &str = "skill-file-missing";
