#!/bin/sh
# verify-webhook.sh BODY-FILE SIGNATURE: ends with 0 when X-Service-Signature belongs to the bytes of the body.
# openssl takes the key as an argument: on a machine that others use, verify with a receiver instead.
set -eu
expected="sha256=$(openssl dgst -sha256 -hmac "$WEBHOOK_SIGNING_SECRET" -hex <"$1" | sed 's/^.* //')"
[ "$expected" = "$2" ]
