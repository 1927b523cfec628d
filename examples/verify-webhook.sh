#!/bin/sh
# verify-webhook.sh BODY-FILE SIGNATURE: ends with 0 when X-Service-Signature belongs to the bytes of the body.
# openssl takes the key as an argument: on a machine that others use, verify with a receiver instead.
set -euf
IFS=, # while a secret is exchanged it is a comma list, of which the service signs with the first
for secret in ${WEBHOOK_SIGNING_SECRET:?is the secret that the service signs with}; do
  expected="sha256=$(openssl dgst -sha256 -hmac "$secret" -hex <"$1" | sed 's/^.* //')"
  if [ "$expected" = "$2" ]; then exit 0; fi
done
exit 1
