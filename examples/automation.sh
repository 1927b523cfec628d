#!/bin/sh
# Creates an automation task once, waits for its end, and answers its question with the first argument.
# Needs curl and jq, SWITCHYARD_URL and SWITCHYARD_TOKEN. The token comes from a file descriptor, never as an argument.
set -eu
: "${SWITCHYARD_URL:?is the address of the service}" "${SWITCHYARD_TOKEN:?is a token or an API key}"

call() { # method path [body]; the service's explanation of a refusal goes to the error output
  if ! answer=$(
    printf 'header = "Authorization: Bearer %s"\n' "$SWITCHYARD_TOKEN" |
      curl --silent --show-error --fail-with-body --config - --request "$1" \
        --header 'Content-Type: application/json' ${KEY:+--header "Idempotency-Key: $KEY"} \
        ${3:+--data "$3"} "$SWITCHYARD_URL$2"
  ); then
    printf '%s\n' "$answer" >&2
    return 1
  fi
  printf '%s\n' "$answer" # not echo, which reads backslashes in some shells
}

field() { # name, of the JSON on the standard input
  jq -r ".$1"
}

body='{"title": "Summarise the changes", "description": "Summarise what changed in this repository this week."}'
KEY=$(date +%s)-$$ # repeated calls with one key create one task
made=$(call POST /v1/automation/tasks "$body")
KEY=
task=$(printf '%s\n' "$made" | field task_id)
echo "task $task"

while true; do
  state=$(call GET "/v1/automation/tasks/$task")
  case $(printf '%s\n' "$state" | field status) in
    completed | failed | cancelled) break ;;
    needs_input)
      printf '%s\n' "$state" | field result_summary
      call POST "/v1/automation/tasks/$task/input" "$(jq -n --arg message "${1:-Go on.}" '{$message}')" >/dev/null
      ;;
  esac
  sleep 5 # 60 calls a minute are the limit
done
printf '%s\n' "$state" | jq '{status, result_summary, runtime_seconds, error}'
