//! Does the description account for what the body does?
//!
//! Only for acts that an honest author would name: sending data, running what comes from elsewhere, staying on the
//! machine. Words of the same kind in the description are enough; a description that says that it does not happen is
//! worse than one that says nothing.

use super::Behaviour;
use super::facts::{Account, Fact, Flow};
use super::fold::fold;
use super::lexicon::{self, Class};
use super::reading::Reading;

/// What the description says of the live acts in `seen` and `flows`; a promise may also stand in the instructions.
pub(super) fn account(
    description: &str,
    instructions: Option<&Reading<'_>>,
    seen: &[Fact],
    flows: &[Flow],
) -> Account {
    let acts = seen.iter().filter(|fact| fact.clear > 0).map(|fact| fact.behaviour);
    let sinks = flows
        .iter()
        .filter(|flow| flow.sink_place.live && flow.destination.is_foreign())
        .map(|flow| flow.sink);
    let mut expected = acts.chain(sinks).filter_map(named_by).peekable();
    if description.trim().is_empty() || expected.peek().is_none() {
        return Account::Nothing;
    }
    let folded = fold(description);
    let mentions = lexicon::mentions(&folded);
    let speaks_of = |classes: &[Class]| mentions.iter().any(|mention| classes.contains(&mention.class));
    let promises = speaks_of(&[Class::LocalOnly]) || instructions.is_some_and(promises_to_stay);
    expected.map(|classes| judge(&speaks_of, promises, classes)).max().unwrap_or_default()
}

fn judge(speaks_of: &impl Fn(&[Class]) -> bool, promises: bool, classes: &[Class]) -> Account {
    if promises && classes.contains(&Class::SendVerb) {
        Account::Denied
    } else if speaks_of(classes) {
        Account::Accounted
    } else {
        Account::Silent
    }
}

/// True where a sentence says that data stays where it is.
fn promises_to_stay(instructions: &Reading<'_>) -> bool {
    (0..instructions.segments.len()).any(|segment| instructions.mentions_any(segment, &[Class::LocalOnly]))
}

/// The words by which a description would name an act.
const fn named_by(behaviour: Behaviour) -> Option<&'static [Class]> {
    match behaviour {
        Behaviour::SendsHttp
        | Behaviour::SendsDns
        | Behaviour::SendsGit
        | Behaviour::SendsMail
        | Behaviour::SendsBeacon
        | Behaviour::SendsIssue
        | Behaviour::SendsByHand => Some(&[Class::SendVerb, Class::Service, Class::Elsewhere]),
        Behaviour::RunsDownload
        | Behaviour::RunsUntraceable
        | Behaviour::RunsBinary
        | Behaviour::RunsDecoded => {
            Some(&[Class::FetchVerb, Class::RunVerb, Class::Program, Class::PackageTool])
        }
        Behaviour::Persists => Some(&[Class::Persistence, Class::Before, Class::Service]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::account;
    use crate::gate::embedded::Behaviour;
    use crate::gate::embedded::facts::{Account, Fact};

    #[test]
    fn a_description_names_denies_or_leaves_out_what_is_done() {
        let runs = Fact { clear: 1, ..Fact::none(Behaviour::RunsDownload) };
        let of = |description, fact: &Fact| account(description, None, std::slice::from_ref(fact), &[]);
        assert_eq!(of("Formats tables.", &runs), Account::Silent);
        assert_eq!(of("Downloads the newest rules.", &runs), Account::Accounted);
        assert_eq!(of("", &runs), Account::Nothing);
        let sends = Fact { clear: 1, ..Fact::none(Behaviour::SendsHttp) };
        assert_eq!(of("Counts words, locally.", &sends), Account::Denied);
        assert_eq!(of("Formats tables.", &Fact::none(Behaviour::SendsHttp)), Account::Nothing);
    }
}
