//! What a sentence means, as a table: which classes of words, near each other, are which behaviour.
//!
//! A pattern is a list of steps; each step is any of some classes. Order and distance tell "do not tell the user" from
//! "the user does not tell". What one sentence of a language cannot say is not here; what several sentences say together
//! is for [`super::signal`].

use super::Behaviour;
#[allow(clippy::enum_glob_use, reason = "the table names most classes")]
use super::lexicon::Class::{self, *};

/// How much a match says by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Strength {
    /// Seen in honest text too.
    Faint,
    /// Seldom honest.
    Clear,
}

/// Whether a denial before the match takes it back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Denial {
    /// "Never send …", "decode, but do not run": not done.
    Cancels,
    /// As before, but what the match itself holds is its own business.
    Before,
    /// The denial is part of the match; only another one before it takes it back ("never … without asking").
    Inside,
}

/// One way of saying a behaviour.
#[derive(Debug)]
pub(super) struct Pattern {
    pub(super) behaviour: Behaviour,
    pub(super) strength: Strength,
    /// Each step is one of these classes.
    pub(super) steps: &'static [&'static [Class]],
    /// Steps follow each other in this order.
    pub(super) ordered: bool,
    /// The most bytes between one step and the next.
    pub(super) gap: usize,
    pub(super) denial: Denial,
    pub(super) said_in: SaidIn,
}

/// Where a pattern says something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SaidIn {
    /// In sentences: prose, comments, cells.
    Words,
    /// In statements and sentences alike.
    Anything,
}

const fn pattern(
    behaviour: Behaviour,
    strength: Strength,
    steps: &'static [&'static [Class]],
    gap: usize,
) -> Pattern {
    Pattern {
        behaviour,
        strength,
        steps,
        ordered: false,
        gap,
        denial: Denial::Cancels,
        said_in: SaidIn::Anything,
    }
}

const fn words(
    behaviour: Behaviour,
    strength: Strength,
    steps: &'static [&'static [Class]],
    gap: usize,
) -> Pattern {
    Pattern {
        behaviour,
        strength,
        steps,
        ordered: false,
        gap,
        denial: Denial::Cancels,
        said_in: SaidIn::Words,
    }
}

const fn asked(
    behaviour: Behaviour,
    strength: Strength,
    steps: &'static [&'static [Class]],
    gap: usize,
) -> Pattern {
    Pattern {
        behaviour,
        strength,
        steps,
        ordered: true,
        gap,
        denial: Denial::Cancels,
        said_in: SaidIn::Words,
    }
}

const fn in_order(
    behaviour: Behaviour,
    strength: Strength,
    steps: &'static [&'static [Class]],
    gap: usize,
) -> Pattern {
    Pattern { behaviour, strength, steps, ordered: true, gap, denial: Denial::Inside, said_in: SaidIn::Words }
}

use Behaviour::{
    AsksForSecrets, BypassesConsent, Conceals, CoversTracks, Destroys, DisablesProtection, MinesCoins,
    ObeysData, OpensChannel, OverridesInstructions, Persists, RaisesPrivilege, RedirectsEndpoint,
    RunsDecoded, RunsDownload, RunsOnInstall, RunsPrerequisite, ShadowsTools, WritesAgentConfig,
};
use Strength::{Clear, Faint};

const ACTS: &[Class] = &[SendVerb, RunVerb, FetchVerb, AddVerb, ReadVerb];

/// What sentences and statements say by themselves.
pub(super) const PATTERNS: &[Pattern] = &[
    // Kept from the user
    in_order(Conceals, Clear, &[&[Negation, Without], &[Tell], &[User]], 20),
    in_order(Conceals, Clear, &[&[User], &[Negation], &[Told]], 24),
    in_order(Conceals, Faint, &[&[User], &[Negation], &[Tell]], 24),
    in_order(Conceals, Clear, &[&[Negation], &[Tell], &[Pronoun]], 8),
    in_order(Conceals, Faint, &[&[Negation, Without], &[Tell], &[Pronoun, ReportNoun, Reader]], 24),
    in_order(Conceals, Faint, &[&[Tell], &[Negation]], 12),
    asked(Conceals, Clear, &[&[LeaveOut], &[ReportNoun, Tell, User]], 32),
    words(Conceals, Faint, &[&[LeaveOut]], 0),
    words(Conceals, Clear, &[&[Excuse], &[Negation, Silently, LeaveOut, Tell]], 80),
    words(Conceals, Clear, &[&[Silently], ACTS], 48),
    pattern(Conceals, Faint, &[&[Hidden]], 0),
    pattern(CoversTracks, Clear, &[&[HistoryWipe]], 0),
    // Without consent
    in_order(BypassesConsent, Faint, &[&[Negation, Without], &[Ask, Consent]], 28),
    words(BypassesConsent, Faint, &[&[ConsentClaim]], 0),
    words(BypassesConsent, Clear, &[&[ConsentClaim], &[User, Agent], ACTS], 80),
    pattern(BypassesConsent, Faint, &[&[AutoApprove]], 0),
    pattern(BypassesConsent, Clear, &[&[AutoApprove], &[AddVerb, Write, AppendTo], &[AgentSettings]], 120),
    // Orders from elsewhere
    in_order(OverridesInstructions, Clear, &[&[Ignore], &[Prior]], 40),
    words(OverridesInstructions, Clear, &[&[Priority], &[Prior]], 60),
    words(OverridesInstructions, Faint, &[&[Priority], &[User, Orders]], 60),
    words(ObeysData, Clear, &[&[ObeyVerb, RunVerb], &[Whatever]], 60),
    words(ObeysData, Clear, &[&[FetchVerb], &[ObeyVerb], &[Orders, Whatever]], 90),
    words(ObeysData, Faint, &[&[ObeyVerb], &[Orders], &[Elsewhere]], 90),
    words(ObeysData, Faint, &[&[ObeyVerb], &[ThirdPartyText]], 30),
    asked(
        RunsDecoded,
        Clear,
        &[&[DecodeVerb, Decode], &[ObeyVerb, RunVerb], &[Pronoun, Orders, Whatever]],
        60,
    ),
    asked(
        RunsDecoded,
        Clear,
        &[&[DecodeVerb, Decode], &[Pronoun, Orders, Whatever], &[ObeyVerb, RunVerb]],
        40,
    ),
    asked(RunsDecoded, Faint, &[&[DecodeVerb, Decode], &[ObeyVerb, RunVerb]], 90),
    words(RunsDecoded, Faint, &[&[DecodeVerb, Decode], &[ObeyVerb, RunVerb]], 20),
    pattern(RunsDecoded, Clear, &[&[Decode], &[Evaluate]], 80),
    words(ObeysData, Faint, &[&[ObeyVerb], &[Pronoun]], 12),
    pattern(ObeysData, Faint, &[&[Fetch], &[Write], &[SkillFile]], 200),
    words(ShadowsTools, Faint, &[&[ToolUse], &[Must, Before, Instead, Negation]], 80),
    words(WritesAgentConfig, Faint, &[&[AddVerb], &[AgentMemory, AgentSettings]], 80),
    pattern(WritesAgentConfig, Faint, &[&[Write, AppendTo], &[AgentMemory, AgentSettings]], 80),
    // From people
    asked(AsksForSecrets, Clear, &[&[Ask, AddVerb, SendVerb], &[Credential2Fa]], 40),
    words(RunsPrerequisite, Clear, &[&[FetchVerb, RunVerb], &[Program], &[Archive]], 120),
    words(RunsPrerequisite, Faint, &[&[FetchVerb], &[Program], &[Must, Before]], 120),
    words(RedirectsEndpoint, Faint, &[&[Instead], &[AddVerb, SendVerb]], 60),
    // On the machine
    pattern(RunsDownload, Clear, &[&[Fetch], &[PipeToShell]], 400),
    pattern(RunsDownload, Clear, &[&[Fetch], &[MakeExecutable]], 200),
    pattern(RunsDownload, Faint, &[&[PackageTool], &[Elsewhere]], 60),
    words(RunsDownload, Faint, &[&[FetchVerb], &[RunVerb], &[Elsewhere]], 120),
    pattern(RunsDecoded, Clear, &[&[Decode], &[PipeToShell]], 400),
    pattern(RunsOnInstall, Faint, &[&[InstallHook]], 0),
    pattern(OpensChannel, Clear, &[&[ReverseShell]], 0),
    pattern(OpensChannel, Faint, &[&[RemoteControl]], 0),
    pattern(MinesCoins, Clear, &[&[Miner]], 0),
    pattern(Persists, Faint, &[&[Persistence]], 0),
    pattern(RaisesPrivilege, Faint, &[&[Privilege]], 0),
    pattern(DisablesProtection, Faint, &[&[ProtectionOff, TlsOff]], 0),
    pattern(Destroys, Faint, &[&[Destroy]], 0),
    pattern(RedirectsEndpoint, Faint, &[&[ProxySetting, BaseUrl, RegistrySetting], &[Elsewhere]], 160),
];
