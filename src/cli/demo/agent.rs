//! The demo's agent: an MCP client that speaks to the bridge as any agent would.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Instant;

use anyhow::Context;
use serde_json::{Value, json};

use super::server::TOOL;
use crate::daemon::wire::{Peer, Request};
use crate::daemon::{Client, ClientError};
use crate::io::Home;

/// What the agent got for one request.
pub(super) struct Got {
    /// The text that a model would see.
    pub(super) text: String,
    /// Microseconds from request to answer.
    pub(super) elapsed_us: u64,
}

/// A running bridge, as its agent sees it.
pub(super) struct Agent {
    bridge: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    id: u64,
}

impl Agent {
    /// Starts bridge and server and shakes hands.
    pub(super) fn start(home: &Home) -> anyhow::Result<Self> {
        let program = std::env::current_exe().context("finding this program's path")?;
        let mut bridge = Command::new(&program)
            .args(["bridge", "--agent", "demo", "--server", "demo-skills", "--"])
            .arg(&program)
            .arg("demo-server")
            .env("SKILLGATE_HOME", home.root())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .context("starting the bridge")?;
        let input = bridge.stdin.take().context("the bridge has no stdin")?;
        let output = BufReader::new(bridge.stdout.take().context("the bridge has no stdout")?);
        let mut agent = Self { bridge, input, output, id: 0 };
        let client = json!({"name": "demo", "version": "1"});
        agent.ask(
            "initialize",
            &json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client}),
        )?;
        agent.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
        Ok(agent)
    }

    /// Reads a resource, or calls the demo's tool.
    pub(super) fn fetch(&mut self, what: &str) -> anyhow::Result<Got> {
        let start = Instant::now();
        let answer = if what == TOOL {
            self.ask("tools/call", &json!({"name": TOOL, "arguments": {"query": "retry policy"}}))?
        } else {
            self.ask("resources/read", &json!({"uri": what}))?
        };
        let elapsed_us = start.elapsed().as_micros() as u64;
        Ok(Got { text: text_of(&answer), elapsed_us })
    }

    fn ask(&mut self, method: &str, params: &Value) -> anyhow::Result<Value> {
        self.id += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": self.id, "method": method, "params": params}))?;
        let mut line = String::new();
        self.output.read_line(&mut line).context("reading the bridge's answer")?;
        serde_json::from_str(&line).with_context(|| format!("the bridge gave no answer to {method}"))
    }

    fn send(&mut self, message: &Value) -> anyhow::Result<()> {
        writeln!(self.input, "{message}").context("writing to the bridge")?;
        Ok(self.input.flush()?)
    }

    /// Closes the bridge's stdin, as an agent does, and waits for it to end.
    pub(super) fn stop(self) -> anyhow::Result<()> {
        let Self { mut bridge, input, output, .. } = self;
        drop(input);
        drop(output);
        bridge.wait().context("waiting for the bridge")?;
        Ok(())
    }
}

/// Every text in an answer that a model would see, on one line.
fn text_of(answer: &Value) -> String {
    let texts = ["/result/content/0/text", "/result/contents/0/text", "/error/message"];
    let text = texts.iter().find_map(|place| answer.pointer(place)?.as_str()).unwrap_or_default();
    text.lines().filter(|line| !line.trim().is_empty()).collect::<Vec<_>>().join(" ")
}

/// Ends the demo's own daemon.
pub(super) fn stop_daemon(home: &Home) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let socket = home.socket()?;
    runtime.block_on(async {
        match Client::connect(&socket, Peer::Control).await {
            Ok(client) => client.ask(&Request::Drain).await.map(|_| ()),
            Err(ClientError::NotRunning { .. }) => Ok(()),
            Err(error) => Err(error),
        }
    })?;
    Ok(())
}
