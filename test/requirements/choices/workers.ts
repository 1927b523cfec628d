// Choices, section 5: the worker protocol, the broker, the settings of the worker, the agents it runs.
import { requirements, type Requirement } from '../requirement.ts';

export const choicesWorkers: readonly Requirement[] = [
  ...requirements('choices-5, calls', 'foundation', {
    'choices-5.1': 'register takes {name, capabilities[], hostname, version, agents[], models[], slots, codebases[]}.',
    'choices-5.2': 'register answers {worker, codebases[], lease_seconds, heartbeat_seconds}.',
    'choices-5.3': 'The same name from the same credential is the same worker.',
    'choices-5.4': 'heartbeat takes {running: [{task_id, lease_token}], slots_free}; one call renews all leases.',
    'choices-5.5': 'heartbeat answers {renewed[], lost[], cancel[], interventions[], tasks_waiting}.',
    'choices-5.73':
      'tasks_waiting says that a task this worker could take is pending; none waits beside a free worker.',
    'choices-5.6': 'unregister takes {}; the leases of the worker go back to pending.',
    'choices-5.7': 'GET /v1/worker/tasks/stream?worker_id= is SSE and begins with connected.',
    'choices-5.8': 'The stream sends task_available {task_id, priority}.',
    'choices-5.9': 'The stream sends task_assigned {task, lease_token} when the worker declared free slots.',
    'choices-5.10': 'The stream sends cancel for a task that the worker runs.',
    'choices-5.11': 'The stream sends heartbeat every 15 s.',
    'choices-5.12': 'The stream sends resync when the worker must look again.',
  }),
  ...requirements('choices-5, calls', 'remote-workers', {
    'choices-5.13': 'The stream sends intervention for a task that the worker runs.',
  }),
  ...requirements('choices-5, calls', 'foundation', {
    'choices-5.14':
      'POST /v1/worker/tasks/claim {worker_id, task_id?, limit?} answers {tasks: [{task, lease_token, lease_expires_at}]}.',
    'choices-5.15': 'Claiming a named task that is already taken is 409.',
    'choices-5.16':
      'POST /v1/worker/tasks/{id}/events takes {lease_token, events} and answers {seq, cancel_requested}.',
    'choices-5.17':
      'POST /v1/worker/tasks/{id}/release takes {lease_token, status, result?, error?, artifacts?, usage?}.',
    'choices-5.18': 'The status of a release is completed, failed, cancelled, needs_input or pending.',
    'choices-5.19': 'POST /v1/agent/codebases/{id}/sessions/sync takes session metadata.',
    'choices-5.20': 'POST .../sessions/{sid}/messages/sync takes message summaries and tool usage.',
  }),
  ...requirements('choices-5, events', 'foundation', {
    'choices-5.21': 'Worker event output {stream: stdout|stderr|agent, text}.',
    'choices-5.22': 'Worker event progress {percent?, message?}.',
    'choices-5.23': 'Worker event message {role: agent, parts}.',
    'choices-5.24':
      'Worker event artifact {artifact_id?, name, mime_type, text | data | bytes | uri, append?, last_chunk?}.',
    'choices-5.25': 'Worker event checkpoint {data}.',
    'choices-5.26': 'artifacts[] of a release have the form of the artifact event.',
    'choices-5.27': 'A release with needs_input carries its question as message {text}.',
    'choices-5.28': 'The question of a needs_input task is its A2A status message.',
  }),
  ...requirements('choices-5, events', 'automation', {
    'choices-5.29': 'The question of a needs_input task is the result_summary of the automation task.',
  }),
  ...requirements('choices-5, events', 'foundation', {
    'choices-5.30': 'The error of a release is {code, message}.',
    'choices-5.31': 'What an agent changed is the artifact diff (text/x-diff).',
    'choices-5.32': 'The artifact files (application/json) lists path, status, added and removed.',
    'choices-5.33': 'Each event carries n, counted under its lease; known ones are dropped on a repeated post.',
    'choices-5.34': 'A repeated equal release answers as the first did.',
    'choices-5.35': 'A stale or foreign lease_token is 409 lease_lost; the worker kills its child.',
    'choices-5.36': 'Only database time decides a lease.',
    'choices-5.70': 'The result of a release is text, or an object that is kept as its JSON text.',
    'choices-5.71':
      'n begins at 1 under each lease and leaves no gap: one that does is 409 event_gap {expected}, and nothing of that post is taken.',
    'choices-5.72': 'A repeated release that differs in anything is 409 lease_lost.',
  }),
  ...requirements('choices-5, broker', 'remote-workers', {
    'choices-5.37': 'The broker channel switchyard:wake carries opaque route keys only, never content.',
    'choices-5.38': 'Losing the broker costs latency, nothing else.',
    'choices-5.39': 'Workers subscribe to the broker themselves; the default address being absent is no error.',
    'choices-5.40':
      'Without DATABASE_URL, workers, codebases and sessions lie in the broker, tenant-scoped and under an HMAC.',
    'choices-5.41': 'The HMAC key is BROKER_SHARED_SECRET; without it nothing is shared, and the start says so.',
    'choices-5.42': 'Tasks stay where they were taken.',
  }),
  ...requirements('choices-5, settings', 'foundation', {
    'choices-5.43': 'Worker setting token (SWITCHYARD_TOKEN).',
    'choices-5.44': 'Worker setting agent_bin is also A2A_AGENT_BIN.',
    'choices-5.45': 'Worker setting slots (A2A_WORKER_SLOTS), by default 1.',
    'choices-5.46': 'Worker setting agent_timeout_seconds, by default 3600.',
    'choices-5.47': 'Worker setting agent_env: names of variables to pass on.',
    'choices-5.48': 'Worker setting global, by default true: it also registers a global codebase.',
    'choices-5.49': 'The global codebase is the folder the worker was started in unless a path is named.',
    'choices-5.50': 'An agent gets the environment of the worker less the credentials of worker and service.',
    'choices-5.51': 'HOME of an agent stays that of the user; agent_home: private gives each run its own.',
    'choices-5.52': 'PWD and the working folder of an agent are the work place.',
  }),
  ...requirements('choices-5, agents', 'foundation', {
    'choices-5.53': 'agent_bin names or detects a coding-agent program: opencode, codex, claude, pi.',
    'choices-5.54': 'agent_bin may be any command with a {prompt} template.',
    'choices-5.55': 'The built-in command agent runs the fenced sh block of a prompt.',
    'choices-5.56': 'The command agent runs only when an operator enabled it.',
    'choices-5.57': 'up enables the command agent for its local worker when nothing else is found, and says so.',
    'choices-5.58': 'The exit code of an agent alone never decides success.',
  }),
  ...requirements('choices-5, agents', 'remote-workers', {
    'choices-5.59': 'agent_bin names or detects the coding-agent program gemini, too.',
    'choices-5.60': 'The Agent Client Protocol is spoken where a program speaks it.',
    'choices-5.61': 'The built-in model agent works on any OpenAI-compatible endpoint (MODEL_PROVIDER_*).',
    'choices-5.62': 'The model agent has read-only tools for plan, explore and general, writing ones for build.',
  }),
];
