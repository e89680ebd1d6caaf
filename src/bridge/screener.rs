//! The seam between the pump and whoever decides.

use std::future::Future;

use crate::mcp::{Question, Refusal, Ruling};

/// Someone who rules about messages.
pub trait Screener: Send + Sync + 'static {
    /// Rules about one message. Never hangs: what cannot be decided is refused or forwarded as policy says.
    fn screen(&self, question: &Question, message: &[u8]) -> impl Future<Output = Ruling> + Send;

    /// Takes note of a message of so many bytes that was refused without being asked about. Does not wait.
    fn refused(&self, question: &Question, bytes: u64, refusal: Refusal);
}
