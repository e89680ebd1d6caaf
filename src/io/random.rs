//! Randomness from the system, for ids and fences.

/// `N` random bytes. The system's generator does not fail on the platforms that we run on; where it does, nothing that
/// needs an unguessable value may go on, so the error is passed up.
pub fn bytes<const N: usize>() -> std::io::Result<[u8; N]> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|error| std::io::Error::other(error.to_string()))?;
    Ok(bytes)
}

/// A new id for a decision: 12 characters of a small alphabet without look-alikes (60 bits).
pub fn decision_id() -> std::io::Result<String> {
    const ALPHABET: &[u8; 32] = b"abcdefghjkmnpqrstuvwxyz023456789";
    Ok(bytes::<12>()?.iter().map(|byte| char::from(ALPHABET[usize::from(byte & 31)])).collect())
}

#[cfg(test)]
mod tests {
    #[test]
    fn ids_differ_and_have_one_form() {
        let id = super::decision_id().unwrap();
        assert_eq!(id.len(), 12);
        assert!(id.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()));
        assert_ne!(id, super::decision_id().unwrap());
    }
}
