//! The weights of the model, fitted to labelled skills and messages and rounded.
//!
//! A feature that is not listed weighs nothing. Whoever changes a weight changes verdicts: raise
//! [`super::judge::VERSION`] with it.

use super::Behaviour;
use super::model::Feature::{self, Clear, Encoded, Faint, Flow, Hidden, Rule, Unsaid};
use super::model::Goal::{Foreign, Unnamed};
use super::model::Goods::{Data, Files, Secrets};
use super::model::Link::{Apart, Linked};
use super::model::Way::{ByHand, Dns, Http, Other};
use crate::gate::rules::Severity;

/// The sum of a document that shows no feature.
pub(super) const BIAS: f64 = -2.6;

/// What each feature adds to the sum.
pub(super) const WEIGHTS: &[(Feature, f64)] = &[
    (Clear(Behaviour::AsksForSecrets), 0.6),
    (Clear(Behaviour::BypassesConsent), 2.5),
    (Clear(Behaviour::Conceals), 0.5),
    (Clear(Behaviour::MinesCoins), 1.7),
    (Clear(Behaviour::ObeysData), 1.6),
    (Clear(Behaviour::OpensChannel), 3.6),
    (Clear(Behaviour::RunsBinary), 1.5),
    (Clear(Behaviour::RunsDecoded), 2.4),
    (Clear(Behaviour::RunsPrerequisite), 1.4),
    (Clear(Behaviour::SpeaksToAgent), 2.1),
    (Faint(Behaviour::BringsBinary), 0.5),
    (Faint(Behaviour::BypassesConsent), 0.3),
    (Faint(Behaviour::DisablesProtection), 0.4),
    (Faint(Behaviour::RaisesPrivilege), 0.4),
    (Faint(Behaviour::ReadsBrowser), 0.3),
    (Faint(Behaviour::RunsDownload), 1.7),
    (Faint(Behaviour::RunsPrerequisite), 0.2),
    (Faint(Behaviour::SendsDns), 1.2),
    (Faint(Behaviour::SendsHttp), 0.5),
    (Faint(Behaviour::ShadowsTools), 0.3),
    (Flow(Data, ByHand, Foreign, Linked), 1.4),
    (Flow(Data, ByHand, Unnamed, Linked), 1.4),
    (Flow(Data, Http, Foreign, Linked), 0.7),
    (Flow(Files, ByHand, Foreign, Linked), 0.2),
    (Flow(Files, Http, Foreign, Linked), 1.2),
    (Flow(Files, Other, Foreign, Linked), 0.2),
    (Flow(Files, Other, Unnamed, Linked), 0.5),
    (Flow(Secrets, ByHand, Foreign, Linked), 2.5),
    (Flow(Secrets, Dns, Unnamed, Linked), 2.0),
    (Flow(Secrets, Http, Foreign, Apart), 0.6),
    (Flow(Secrets, Http, Foreign, Linked), 2.9),
    (Flow(Secrets, Http, Unnamed, Linked), 0.6),
    (Rule("agent-config", Severity::High), 1.7),
    (Rule("agent-config", Severity::Medium), 1.0),
    (Rule("concealment", Severity::High), 1.0),
    (Rule("concealment", Severity::Medium), 1.1),
    (Rule("consent-bypass", Severity::High), 1.9),
    (Rule("consent-bypass", Severity::Medium), 1.7),
    (Rule("credential-access", Severity::Medium), 2.2),
    (Rule("defense-evasion", Severity::High), 0.2),
    (Rule("defense-evasion", Severity::Medium), 1.6),
    (Rule("discovery", Severity::Medium), 0.8),
    (Rule("endpoint-redirection", Severity::High), 1.2),
    (Rule("endpoint-redirection", Severity::Medium), 0.8),
    (Rule("execution", Severity::High), 0.6),
    (Rule("execution", Severity::Medium), 3.0),
    (Rule("exfiltration", Severity::Medium), 2.2),
    (Rule("impact", Severity::High), 1.3),
    (Rule("impact", Severity::Medium), 1.2),
    (Rule("initial-access", Severity::High), 0.6),
    (Rule("initial-access", Severity::Medium), 0.5),
    (Rule("instruction-override", Severity::Medium), 1.4),
    (Rule("lateral-movement", Severity::High), 0.6),
    (Rule("lateral-movement", Severity::Medium), 1.2),
    (Rule("obfuscation", Severity::High), 1.5),
    (Rule("obfuscation", Severity::Medium), 0.3),
    (Rule("persistence", Severity::High), 1.4),
    (Rule("persistence", Severity::Medium), 0.9),
    (Rule("phishing", Severity::High), 1.1),
    (Rule("phishing", Severity::Medium), 1.0),
    (Rule("privilege-escalation", Severity::High), 0.7),
    (Rule("privilege-escalation", Severity::Medium), 1.4),
    (Rule("risky-commands", Severity::High), 0.8),
    (Rule("risky-commands", Severity::Medium), 1.6),
    (Rule("structural", Severity::High), 0.5),
    (Rule("structural", Severity::Medium), 1.6),
    (Rule("supply-chain", Severity::High), 1.2),
    (Rule("tool-poisoning", Severity::High), 1.1),
    (Rule("tool-poisoning", Severity::Medium), 1.9),
    (Rule("tool-shadowing", Severity::Medium), 0.4),
    (Rule("wallet-theft", Severity::High), 1.2),
    (Rule("wallet-theft", Severity::Medium), 1.1),
    (Hidden("concealment"), 0.2),
    (Hidden("consent-bypass"), 0.2),
    (Hidden("credential-access"), 1.3),
    (Hidden("exfiltration"), 0.5),
    (Hidden("structural"), 0.4),
    (Hidden("supply-chain"), 0.8),
    (Encoded, 0.4),
    (Unsaid, 0.8),
];
