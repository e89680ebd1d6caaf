//! The seam between the pump and whoever decides.

use std::future::Future;

use crate::mcp::{Question, Ruling};

/// Someone who rules about messages.
pub trait Screener: Send + Sync + 'static {
    /// Rules about one message. Never hangs: what cannot be decided is refused or forwarded as policy says.
    fn screen(&self, question: &Question, message: &[u8]) -> impl Future<Output = Ruling> + Send;
}
