//! The known name that a mistyped one most likely means.

/// The nearest of `known` to `name`, where one is near enough to be a slip of the hand.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let lower = name.to_lowercase();
    let allowed = (lower.chars().count() / 3).max(1);
    known
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(&lower, &candidate.to_lowercase()), candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn finds_slips_and_nothing_else() {
        assert_eq!(nearest("treshold", ["threshold", "mode"]), Some("threshold"));
        assert_eq!(nearest("mdoe", ["threshold", "mode"]), Some("mode"));
        assert_eq!(nearest("banana", ["threshold", "mode"]), None);
    }
}
