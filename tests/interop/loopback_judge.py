"""A judge on loopback that speaks Chat Completions and says what the test wants, as slowly as the test wants."""

import http.server
import json
import threading
import time


class LoopbackJudge:
    """Answers every question with one label; counts and keeps the questions."""

    def __init__(self, test, label, confidence=0.9, delay=0.0):
        self.label, self.confidence, self.delay = label, confidence, delay
        self.questions = []
        judge = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                judge.questions.append(self.rfile.read(int(self.headers["content-length"])).decode())
                time.sleep(judge.delay)
                body = json.dumps(judge.answer()).encode()
                try:
                    self.send_response(200)
                    self.send_header("content-type", "application/json")
                    self.send_header("content-length", str(len(body)))
                    self.end_headers()
                    self.wfile.write(body)
                except OSError:
                    pass  # Who asked was killed meanwhile.

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        test.addCleanup(self.server.server_close)
        test.addCleanup(self.server.shutdown)

    def answer(self):
        """The completion."""
        verdict = {
            "behaviour": "It was looked at.",
            "label": self.label,
            "confidence": self.confidence,
            "rationale": "The test said so.",
            "relied_on": [],
        }
        message = {"role": "assistant", "content": json.dumps(verdict)}
        usage = {"prompt_tokens": 10, "completion_tokens": 10, "total_tokens": 20}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        return {"id": "1", "object": "chat.completion", "model": "stand-in", "choices": [choice], "usage": usage}

    def policy(self, about="hits"):
        """A policy.toml that asks this judge about what a rule hit, or about `everything`."""
        url = f"http://127.0.0.1:{self.server.server_port}/v1"
        return (
            f'[judge]\nbackend = "openai"\n[judge.openai]\nbase_url = "{url}"\nmodel = "stand-in"\n'
            f"[prefilter]\njudge_everything = {str(about == 'everything').lower()}\n"
        )
