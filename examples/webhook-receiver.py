"""Receives webhooks on port 8787 and verifies them: X-Service-Signature is an HMAC over the bytes as they came."""

import hashlib
import hmac
import json
import os
from http.server import BaseHTTPRequestHandler, HTTPServer

SECRET = os.environ.get("WEBHOOK_SIGNING_SECRET", "").encode()


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        expected = "sha256=" + hmac.new(SECRET, body, hashlib.sha256).hexdigest()
        ours = hmac.compare_digest(expected, self.headers.get("X-Service-Signature", ""))
        if ours:
            # The same delivery may come more than once: webhook-id tells.
            event = json.loads(body)
            print(self.headers.get("webhook-id"), event["task_id"], event["status"], flush=True)
        self.send_response(204 if ours else 401)
        self.end_headers()

    def log_message(self, *_):
        pass


HTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8787"))), Receiver).serve_forever()
