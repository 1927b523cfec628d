#!/bin/sh
# Creates an automation task once, waits for its end, and answers its question with the first argument.
# Needs curl and jq, SWITCHYARD_URL and SWITCHYARD_TOKEN. The token comes from a file descriptor, never as an argument.
set -eu

call() { # method path [body]
  printf 'header = "Authorization: Bearer %s"\n' "$SWITCHYARD_TOKEN" |
    curl --silent --show-error --fail-with-body --config - --request "$1" \
      --header 'Content-Type: application/json' --header "Idempotency-Key: ${KEY:-}" \
      ${3:+--data "$3"} "$SWITCHYARD_URL$2"
}

KEY=$(date +%s)-$$ # the same key makes the same task, however often this is said
body='{"title": "Summarise the changes", "description": "Summarise what changed in this repository this week."}'
task=$(call POST /v1/automation/tasks "$body" | jq -r .task_id)
echo "task $task"

KEY=unused
while true; do
  state=$(call GET "/v1/automation/tasks/$task")
  case $(echo "$state" | jq -r .status) in
    completed | failed | cancelled) break ;;
    needs_input)
      echo "$state" | jq -r .result_summary
      call POST "/v1/automation/tasks/$task/input" "$(jq -n --arg message "${1:-Go on.}" '{$message}')" >/dev/null
      ;;
  esac
  sleep 5 # 60 calls a minute are the limit
done
echo "$state" | jq '{status, result_summary, runtime_seconds, error}'
