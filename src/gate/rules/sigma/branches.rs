//! The normal form of a Sigma detection: it holds where one branch holds, and a branch where all of its clauses do.
//!
//! A clause is a choice of pieces of one role, so a list of fifty words is one clause and not fifty branches.

use super::field::Role;
use super::piece::Piece;

/// More ways than this to fulfil a rule are not followed.
const MOST_BRANCHES: usize = 24;

/// One of these pieces.
#[derive(Clone, Debug)]
pub(super) struct Clause {
    pub role: Role,
    pub pieces: Vec<Piece>,
}

/// All of these clauses.
pub(super) type Branch = Vec<Clause>;

/// Both must hold.
pub(super) fn and(left: &[Branch], right: &[Branch]) -> Result<Vec<Branch>, String> {
    if left.len() * right.len() > MOST_BRANCHES {
        return Err(format!("it can be fulfilled in more than {MOST_BRANCHES} ways; split it"));
    }
    let pairs =
        left.iter().flat_map(|one| right.iter().map(move |other| [one.clone(), other.clone()].concat()));
    Ok(pairs.collect())
}

/// One of them must hold. Branches of one clause each become one clause.
pub(super) fn or(all: Vec<Vec<Branch>>) -> Result<Vec<Branch>, String> {
    let mut branches: Vec<Branch> = Vec::new();
    for mut branch in all.into_iter().flatten() {
        if let [clause] = branch.as_mut_slice() {
            let same = |other: &&mut Branch| other.len() == 1 && other[0].role == clause.role;
            if let Some(other) = branches.iter_mut().find(same) {
                let new = std::mem::take(&mut clause.pieces);
                for piece in new {
                    if other[0].pieces.iter().all(|known| known.pattern != piece.pattern) {
                        other[0].pieces.push(piece);
                    }
                }
                continue;
            }
        }
        branches.push(branch);
    }
    if branches.len() > MOST_BRANCHES {
        return Err(format!("it can be fulfilled in more than {MOST_BRANCHES} ways; split it"));
    }
    Ok(branches)
}
