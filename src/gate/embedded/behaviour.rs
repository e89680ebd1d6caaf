//! The vocabulary of facts: what a document can make an agent or a machine do.
//!
//! One flat list, in a fixed order that audit logs and the model rely on. Names are permanent.

use serde::{Deserialize, Serialize};

/// What is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Behaviour {
    /// Reads key files, token files, password files.
    ReadsCredentials,
    /// Reads the environment as a whole, or secrets out of it.
    ReadsEnvironment,
    /// Reads the system's key store or a password manager.
    ReadsKeychain,
    /// Reads a browser's logins, cookies or history.
    ReadsBrowser,
    /// Reads wallets or recovery phrases.
    ReadsWallet,
    /// Takes the whole source tree or repository.
    ReadsSources,
    /// Reads the agent's memory or configuration.
    ReadsMemory,
    /// Reads the conversation or its transcript.
    ReadsChat,
    /// Reads mail, contacts, messages, documents of the user or of customers.
    ReadsPersonal,
    /// Reads files that it is given or finds.
    ReadsFiles,
    /// Sends by HTTP, or by a raw socket.
    SendsHttp,
    /// Sends inside DNS look-ups.
    SendsDns,
    /// Pushes to a remote repository.
    SendsGit,
    /// Sends mail or chat messages.
    SendsMail,
    /// Puts data into the address of a picture or link.
    SendsBeacon,
    /// Posts it into an issue, pull request, commit or comment.
    SendsIssue,
    /// Puts it on the clipboard.
    SendsClipboard,
    /// Has the agent or a person send it.
    SendsByHand,
    /// Runs what was just fetched.
    RunsDownload,
    /// Runs what a bare address, a tunnel or a drop site serves.
    RunsUntraceable,
    /// Runs what was just decoded.
    RunsDecoded,
    /// Runs a program that comes with the unit and cannot be read.
    RunsBinary,
    /// Brings a program that cannot be read.
    BringsBinary,
    /// Runs by itself when something is installed or opened.
    RunsOnInstall,
    /// Has a person fetch and start a program from a stranger.
    RunsPrerequisite,
    /// Takes orders from text that it fetches or is handed.
    ObeysData,
    /// Opens a shell or a control channel to somewhere else.
    OpensChannel,
    /// Stays: boot, login, schedule, hooks, accounts, keys.
    Persists,
    /// Takes or grants more rights.
    RaisesPrivilege,
    /// Switches protection off: checks, scanners, firewalls, logs.
    DisablesProtection,
    /// Deletes or encrypts what is not its own.
    Destroys,
    /// Keeps something from the user.
    Conceals,
    /// Removes traces.
    CoversTracks,
    /// Puts its own orders above the user's or the system's.
    OverridesInstructions,
    /// Acts without asking, or claims a consent that was not given.
    BypassesConsent,
    /// Writes the agent's configuration, memory or standing orders.
    WritesAgentConfig,
    /// Sends traffic, payments or packages by way of a stranger.
    RedirectsEndpoint,
    /// Asks people for passwords, phrases or one-time codes.
    AsksForSecrets,
    /// Computes for somebody else.
    MinesCoins,
    /// Takes the place of other tools, or puts itself between them.
    ShadowsTools,
    /// Carries orders in characters that people do not see.
    HidesText,
    /// Speaks to the agent from inside of data.
    SpeaksToAgent,
    /// Has the agent carry out what the text shows as an example or an attack.
    EnactsExample,
}

impl Behaviour {
    /// True where it takes data in.
    pub const fn is_source(self) -> bool {
        matches!(
            self,
            Self::ReadsCredentials
                | Self::ReadsEnvironment
                | Self::ReadsKeychain
                | Self::ReadsBrowser
                | Self::ReadsWallet
                | Self::ReadsSources
                | Self::ReadsMemory
                | Self::ReadsChat
                | Self::ReadsPersonal
                | Self::ReadsFiles
        )
    }

    /// True where it lets data out.
    pub const fn is_sink(self) -> bool {
        matches!(
            self,
            Self::SendsHttp
                | Self::SendsDns
                | Self::SendsGit
                | Self::SendsMail
                | Self::SendsBeacon
                | Self::SendsIssue
                | Self::SendsClipboard
                | Self::SendsByHand
        )
    }

    /// What it does, as the middle of a sentence for a person.
    pub const fn words(self) -> &'static str {
        match self {
            Self::ReadsCredentials => "reads credential files",
            Self::ReadsEnvironment => "reads secrets from the environment",
            Self::ReadsKeychain => "reads the system's key store",
            Self::ReadsBrowser => "reads a browser's private data",
            Self::ReadsWallet => "reads wallets or recovery phrases",
            Self::ReadsSources => "takes the whole source tree",
            Self::ReadsMemory => "reads the agent's memory or settings",
            Self::ReadsChat => "reads the conversation",
            Self::ReadsPersonal => "reads personal data",
            Self::ReadsFiles => "reads files",
            Self::SendsHttp => "sends data over the network",
            Self::SendsDns => "sends data inside DNS look-ups",
            Self::SendsGit => "pushes to a remote repository",
            Self::SendsMail => "sends messages",
            Self::SendsBeacon => "puts data into the address of a picture or link",
            Self::SendsIssue => "posts data into an issue, commit or comment",
            Self::SendsClipboard => "puts data on the clipboard",
            Self::SendsByHand => "has the agent send data",
            Self::RunsDownload => "downloads and runs code",
            Self::RunsUntraceable => "runs code that nobody answers for",
            Self::RunsDecoded => "decodes and runs code",
            Self::RunsBinary => "runs a bundled program that cannot be read",
            Self::BringsBinary => "brings a program that cannot be read",
            Self::RunsOnInstall => "runs by itself on install or on opening",
            Self::RunsPrerequisite => "has somebody fetch and start a stranger's program",
            Self::ObeysData => "takes orders from text that it is handed",
            Self::OpensChannel => "opens a control channel",
            Self::Persists => "stays on the machine",
            Self::RaisesPrivilege => "takes more rights",
            Self::DisablesProtection => "switches protection off",
            Self::Destroys => "destroys data",
            Self::Conceals => "keeps something from the user",
            Self::CoversTracks => "removes traces",
            Self::OverridesInstructions => "puts its own orders above the user's",
            Self::BypassesConsent => "acts without consent",
            Self::WritesAgentConfig => "writes the agent's settings or standing orders",
            Self::RedirectsEndpoint => "redirects traffic to a stranger",
            Self::AsksForSecrets => "asks people for secrets",
            Self::ShadowsTools => "puts itself in the place of other tools",
            Self::MinesCoins => "computes for somebody else",
            Self::HidesText => "hides orders in characters that nobody sees",
            Self::SpeaksToAgent => "speaks to the agent from inside of data",
            Self::EnactsExample => "has the agent carry out what it shows as an example",
        }
    }

    /// The behaviour that a rule's category speaks of, where there is just one.
    pub fn of_category(category: &str) -> Option<Self> {
        Some(match category {
            "credential-access" => Self::ReadsCredentials,
            "exfiltration" => Self::SendsHttp,
            "persistence" => Self::Persists,
            "privilege-escalation" => Self::RaisesPrivilege,
            "defense-evasion" => Self::DisablesProtection,
            "impact" => Self::Destroys,
            "command-and-control" => Self::OpensChannel,
            "instruction-override" => Self::OverridesInstructions,
            "tool-poisoning" | "tool-shadowing" => Self::ShadowsTools,
            "concealment" => Self::Conceals,
            "consent-bypass" => Self::BypassesConsent,
            "agent-config" => Self::WritesAgentConfig,
            "endpoint-redirection" => Self::RedirectsEndpoint,
            "wallet-theft" => Self::ReadsWallet,
            "phishing" => Self::AsksForSecrets,
            _ => return None,
        })
    }
}
