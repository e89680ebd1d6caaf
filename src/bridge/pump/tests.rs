use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, DuplexStream};
use tokio::sync::watch;

use super::{Ends, Limits, Progress, Pump};
use crate::bridge::Screener;
use crate::mcp::{Question, Refusal, Ruling, ScreenList};

/// Rules by the words of the message; `slow` ones take a second of paused time.
#[derive(Default)]
struct Words {
    refused: Mutex<Vec<String>>,
}

impl Screener for Words {
    async fn screen(&self, question: &Question, message: &[u8]) -> Ruling {
        let has = |word: &str| String::from_utf8_lossy(message).contains(word);
        if has("slow") {
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
        assert!(!has("panic"), "as the test asks");
        match () {
            () if has("evil") && question.method == "tools/list" => Ruling::Answer(TAME_LIST.into()),
            () if has("evil") => Ruling::Refuse(Refusal::Block),
            () if has("odd") => Ruling::Mark(b"{\"marked\":true}".to_vec()),
            () => Ruling::Forward,
        }
    }

    fn refused(&self, question: &Question, bytes: u64, refusal: Refusal) {
        let told = format!("{} {} {} {bytes}", refusal.name(), question.method, question.target);
        self.refused.lock().unwrap().push(told);
    }
}

const TAME_LIST: &str = r#"{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"good"}]}}"#;

/// An agent and a server around a pump.
struct Bench {
    client: BufReader<DuplexStream>,
    server: BufReader<DuplexStream>,
    pump: Pump,
    words: Arc<Words>,
    _limits: watch::Sender<Limits>,
}

fn bench(limits: Limits) -> Bench {
    let (client, client_far) = tokio::io::duplex(1 << 20);
    let (server, server_far) = tokio::io::duplex(1 << 20);
    let (from_client, to_client) = tokio::io::split(client_far);
    let (from_server, to_server) = tokio::io::split(server_far);
    let (sender, limits) = watch::channel(limits);
    let words = Arc::new(Words::default());
    let pump = Pump::start(Ends { from_client, to_client, to_server, from_server }, words.clone(), limits);
    Bench { client: BufReader::new(client), server: BufReader::new(server), pump, words, _limits: sender }
}

impl Bench {
    async fn client_says(&mut self, text: &str) {
        self.client.write_all(format!("{text}\n").as_bytes()).await.unwrap();
    }

    async fn server_says(&mut self, text: &str) {
        self.server.write_all(format!("{text}\n").as_bytes()).await.unwrap();
    }

    async fn client_hears(&mut self) -> String {
        hear(&mut self.client).await
    }

    async fn server_hears(&mut self) -> String {
        hear(&mut self.server).await
    }

    async fn call(&mut self, id: u32, tool: &str) {
        let call =
            format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"{tool}"}}}}"#);
        self.client_says(&call).await;
        assert_eq!(self.server_hears().await, call);
    }
}

async fn hear(end: &mut BufReader<DuplexStream>) -> String {
    let mut line = Vec::new();
    let heard = tokio::time::timeout(Duration::from_secs(60), end.read_until(b'\n', &mut line)).await;
    heard.expect("something is heard").unwrap();
    String::from_utf8_lossy(line.strip_suffix(b"\n").unwrap_or(&line)).into_owned()
}

fn answer(id: u32, text: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":[{{"type":"text","text":"{text}"}}]}}}}"#)
}

#[tokio::test(start_paused = true)]
async fn what_passes_is_the_same_byte_for_byte() {
    let mut bench = bench(Limits::default());
    bench.call(1, "t").await;
    let odd_bytes = r#" { "id" : 1.0, "result":{"content":[{"type":"text","text":"\u0041é"}],"n":1e2} , "jsonrpc":"2.0"}"#;
    let with_return = format!("{odd_bytes}\r");
    bench.server_says(&with_return).await;
    assert_eq!(bench.client_hears().await, with_return);
}

#[tokio::test(start_paused = true)]
async fn a_slow_ruling_holds_up_its_own_answer_and_progress_only() {
    let mut bench = bench(Limits::default());
    let call = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","_meta":{"progressToken":"p"}}}"#;
    bench.client_says(call).await;
    bench.server_hears().await;
    bench.call(2, "b").await;
    let progress = r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p","progress":1,"message":"slow"}}"#;
    let (first, second) = (answer(1, "x"), answer(2, "y"));
    for line in [progress, &first, &second] {
        bench.server_says(line).await;
    }
    for expected in [&second, progress, &first] {
        assert_eq!(bench.client_hears().await, *expected);
    }
}

#[tokio::test(start_paused = true)]
async fn a_refused_answer_is_replaced_and_a_refused_request_answered() {
    let mut bench = bench(Limits::default());
    bench.call(1, "t").await;
    bench.server_says(&answer(1, "evil")).await;
    let heard: serde_json::Value = serde_json::from_str(&bench.client_hears().await).unwrap();
    assert_eq!((&heard["id"], &heard["result"]["isError"]), (&1.into(), &true.into()));
    bench
        .server_says(
            r#"{"jsonrpc":"2.0","id":"s","method":"elicitation/create","params":{"message":"evil"}}"#,
        )
        .await;
    let heard: serde_json::Value = serde_json::from_str(&bench.server_hears().await).unwrap();
    assert_eq!((&heard["id"], heard["error"].is_object()), (&"s".into(), true));
    bench.server_says(r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"evil"}}"#).await;
    bench.server_says(r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"odd"}}"#).await;
    assert_eq!(bench.client_hears().await, r#"{"marked":true}"#);
}

#[tokio::test(start_paused = true)]
async fn a_withheld_tool_cannot_be_called() {
    let mut bench = bench(Limits::default());
    let list = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    bench.client_says(list).await;
    bench.server_hears().await;
    bench
        .server_says(
            r#"{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"bad","description":"evil"},{"name":"good"}]}}"#,
        )
        .await;
    assert_eq!(bench.client_hears().await, TAME_LIST);
    bench.client_says(r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"bad"}}"#).await;
    let heard: serde_json::Value = serde_json::from_str(&bench.client_hears().await).unwrap();
    assert_eq!(heard["result"]["isError"], true);
    bench.call(3, "good").await;
}

#[tokio::test(start_paused = true)]
async fn noise_is_dropped_and_blank_lines_too() {
    let mut bench = bench(Limits::default());
    bench.call(1, "t").await;
    for noise in ["Server ready.", "", "\r", "{\"cut\":", "42"] {
        bench.server_says(noise).await;
    }
    bench.server_says(&answer(1, "x")).await;
    assert_eq!(bench.client_hears().await, answer(1, "x"));
}

#[tokio::test(start_paused = true)]
async fn an_over_long_answer_becomes_an_error_and_the_session_lives_on() {
    let mut bench = bench(Limits { screen: ScreenList::default(), longest: 1000 });
    bench.call(1, "t").await;
    bench.call(2, "t").await;
    bench.server_says(&answer(1, &"x".repeat(5000))).await;
    let heard: serde_json::Value = serde_json::from_str(&bench.client_hears().await).unwrap();
    assert_eq!((&heard["id"], &heard["result"]["isError"]), (&1.into(), &true.into()));
    let expected = format!("too-long tools/call t {}", answer(1, "").len() + 5000);
    assert_eq!(*bench.words.refused.lock().unwrap(), [expected]);
    bench.server_says(&answer(2, "y")).await;
    assert_eq!(bench.client_hears().await, answer(2, "y"));
}

#[tokio::test(start_paused = true)]
async fn a_refused_answer_without_id_is_heard_of_and_answers_no_request() {
    let mut bench = bench(Limits::default());
    bench.call(1, "t").await;
    bench.server_says(r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"evil"}}"#).await;
    let heard: serde_json::Value = serde_json::from_str(&bench.client_hears().await).unwrap();
    assert_eq!((&heard["id"], &heard["error"]["code"]), (&serde_json::Value::Null, &(-31_403).into()));
    assert_eq!(bench.pump.waiting(), 1);
    bench.server_says(&answer(1, "x")).await;
    assert_eq!(bench.client_hears().await, answer(1, "x"));
}

#[tokio::test(start_paused = true)]
async fn a_task_that_fails_refuses_its_message() {
    let mut bench = bench(Limits::default());
    bench.call(1, "t").await;
    bench.server_says(&answer(1, "panic")).await;
    let heard: serde_json::Value = serde_json::from_str(&bench.client_hears().await).unwrap();
    assert_eq!(heard["result"]["_meta"]["skillgate/verdict"]["action"], "unscreened");
    let expected = format!("unscreened tools/call t {}", answer(1, "panic").len());
    assert_eq!(*bench.words.refused.lock().unwrap(), [expected]);
}

#[tokio::test(start_paused = true)]
async fn the_end_waits_for_what_is_judged() {
    let mut bench = bench(Limits::default());
    bench.call(1, "t").await;
    bench.server_says(&answer(1, "slow")).await;
    let Bench { mut client, server, pump, _limits, .. } = bench;
    drop(server);
    let mut progress = pump.progress();
    progress.wait_for(|progress| progress.server_gone).await.unwrap();
    assert!(!progress.borrow().delivered);
    let mut rest = String::new();
    client.read_line(&mut rest).await.unwrap();
    assert_eq!(rest.trim_end(), answer(1, "slow"));
    progress.wait_for(|progress| progress.delivered).await.unwrap();
    let expected = Progress { server_gone: true, delivered: true, ..Progress::default() };
    assert_eq!(*progress.borrow(), expected);
}

#[tokio::test(start_paused = true)]
async fn the_clients_end_closes_the_servers_stdin_after_the_last_line() {
    let mut bench = bench(Limits::default());
    bench.call(1, "t").await;
    bench.client.write_all(br#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#).await.unwrap();
    bench.client.shutdown().await.unwrap();
    let mut rest = String::new();
    bench.server.read_to_string(&mut rest).await.unwrap();
    assert_eq!(rest, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}\n");
    assert!(bench.pump.progress().borrow().client_gone);
    assert_eq!(bench.pump.waiting(), 2);
    bench.server_says(&answer(1, "x")).await;
    assert_eq!(bench.client_hears().await, answer(1, "x"));
}

#[tokio::test(start_paused = true)]
async fn a_full_pipe_one_way_does_not_stop_the_other() {
    let mut bench = bench(Limits::default());
    bench.call(1, "t").await;
    // The server reads nothing of this; more than fits into its pipe.
    let big = format!(
        r#"{{"jsonrpc":"2.0","method":"notifications/x","params":{{"a":"{}"}}}}"#,
        "x".repeat(700_000)
    );
    for _ in 0..3 {
        bench.client_says(&big).await;
    }
    bench.server_says(&answer(1, "x")).await;
    assert_eq!(bench.client_hears().await, answer(1, "x"));
}
