"""Receives webhooks on port 8787 and verifies them: X-Service-Signature is an HMAC over the bytes as they came."""

import hashlib
import hmac
import json
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# As the service has it: while a secret is exchanged it is a comma list, of which the service signs with the first.
SECRETS = [secret.encode() for secret in os.environ.get("WEBHOOK_SIGNING_SECRET", "").split(",") if secret]
if not SECRETS:  # an empty key is one that everybody knows
    raise SystemExit("WEBHOOK_SIGNING_SECRET is missing")


def is_ours(body, signature):
    given = signature.encode()
    expected = ["sha256=" + hmac.new(secret, body, hashlib.sha256).hexdigest() for secret in SECRETS]
    return any(hmac.compare_digest(each.encode(), given) for each in expected)


class Receiver(BaseHTTPRequestHandler):
    timeout = 15  # seconds that a silent connection is kept

    def do_POST(self):
        length = self.headers.get("Content-Length", "0")
        body = self.rfile.read(int(length)) if length.isdecimal() else b""
        ours = is_ours(body, self.headers.get("X-Service-Signature", ""))
        if ours:
            # A delivery may arrive more than once, with the same webhook-id.
            event = json.loads(body)
            print(self.headers.get("webhook-id"), event["task_id"], event["status"], flush=True)
        self.send_response(204 if ours else 401)
        self.end_headers()

    def log_message(self, *_):
        pass


# A thread for each connection: an idle connection does not block the others.
ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8787"))), Receiver).serve_forever()
