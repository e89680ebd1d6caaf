//! What is no secret: placeholders, commands, paths, and text in a thin disguise.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use base64::Engine as _;
use base64::alphabet;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};

/// Words that stand where the reader is to put a secret.
const PLACEHOLDERS: &str = "\
    your example placeholder changeme change-me change_me xxxx redacted dummy insert replace fake sample \
    todo **** .... 1234567890abcdef deadbeef";

static PLACEHOLDER: LazyLock<AhoCorasick> = LazyLock::new(|| {
    let words = AhoCorasick::builder().ascii_case_insensitive(true).build(PLACEHOLDERS.split(' '));
    words.expect("a test builds the finder")
});

/// Values that name themselves or nothing.
const NON_VALUES: &str = "\
    string str text bytes none null undefined true false required optional secret secrets password \
    passwd pass passphrase token tokens apikey api_key api-key key value test testing demo user username \
    admin root postgres mysql guest default empty hidden private public bearer basic prompt input field \
    file environment vault";

/// Programs whose name as a value may be what a text runs.
const COMMANDS: &str = "\
    ash awk base32 base64 bash bitsadmin bunx busybox cargo cat certutil chmod chown cmd cmd.exe crontab \
    csh curl dash deno dig docker echo eval exec find fish gcloud git go gpg iex invoke-expression \
    invoke-webrequest irm iwr kubectl launchctl lua mshta nc ncat netcat node nohup npm npx nslookup \
    openssl osascript perl php pip pip3 pnpm powershell powershell.exe printenv pwsh python python2 \
    python3 regsvr32 rsync ruby rundll32 schtasks scp sed sh sftp shred socat source ssh su sudo \
    systemctl tar tee telnet uvx wget wscript xargs xxd yarn zsh";

fn is_placeholder(value: &str) -> bool {
    let first = value.chars().next();
    PLACEHOLDER.is_match(value)
        || matches!(first, None | Some('<' | '[' | '{' | '$' | '%' | '…'))
        || value.chars().all(|c| Some(c) == first)
}

/// False where the value only says that a secret belongs here, or names none.
pub(super) fn may_be_secret(value: &str) -> bool {
    // An ARN names a resource.
    !is_placeholder(value) && !lists(NON_VALUES, &value.to_ascii_lowercase()) && !value.starts_with("arn:")
}

/// True where the value could be run, opened or called.
pub(super) fn is_command_or_path(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    lists(COMMANDS, &lower)
        || lower.contains("://")
        || value.starts_with(['/', '~', '.', '\\', '-'])
        || value.contains(['`', '|', ';', '<', '>', '(', ')', '{', '}', '\\', ' ', '\t'])
}

fn lists(words: &str, value: &str) -> bool {
    words.split(' ').any(|word| word == value)
}

/// True where base64 or hex of the value is readable text: a message in disguise, and no key.
pub(super) fn carries_text(value: &str) -> bool {
    let decodes = |engine: &GeneralPurpose| engine.decode(value).is_ok_and(|bytes| is_readable(&bytes));
    decodes(&STANDARD) || decodes(&URL_SAFE) || from_hex(value).is_some_and(|bytes| is_readable(&bytes))
}

/// Takes what any decoder would.
const LENIENT: GeneralPurposeConfig = GeneralPurposeConfig::new()
    .with_decode_padding_mode(DecodePaddingMode::Indifferent)
    .with_decode_allow_trailing_bits(true);
static STANDARD: GeneralPurpose = GeneralPurpose::new(&alphabet::STANDARD, LENIENT);
static URL_SAFE: GeneralPurpose = GeneralPurpose::new(&alphabet::URL_SAFE, LENIENT);

fn from_hex(value: &str) -> Option<Vec<u8>> {
    let digits: Vec<u8> =
        value.chars().map(|c| c.to_digit(16).map(|digit| digit as u8)).collect::<Option<_>>()?;
    digits
        .len()
        .is_multiple_of(2)
        .then(|| digits.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect())
}

/// Nine of ten bytes are printable ASCII or white space; UTF-16 of it too.
fn is_readable(bytes: &[u8]) -> bool {
    let narrow: Vec<u8> = bytes.iter().copied().filter(|byte| *byte != 0).collect();
    let printable = narrow.iter().filter(|byte| matches!(byte, 9 | 10 | 13 | 32..=126)).count();
    narrow.len() >= 6 && narrow.len() * 2 >= bytes.len() && printable * 10 >= narrow.len() * 9
}
