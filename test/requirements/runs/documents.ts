// Autonomous runs, sections 13, 14 and 19: PRD documents, PRD chat, large contexts, prices.
import { requirements, type Requirement } from '../requirement.ts';

export const runDocuments: Requirement[] = [
  ...requirements('runs-13', 'runs', {
    'runs-13.1': 'A PRD has the optional fields of the list in both spellings; unknown fields are 400 by name.',
    'runs-13.2': 'A PRD has at most 100 stories, 50 criteria each, 1 MiB; YAML has no tags and at most 100 aliases.',
    'runs-13.3': 'Lint answers the codes of the list as errors and warnings.',
    'runs-13.4':
      'A PRD session has turns and immutable versions; PUT names the version it changes, else 409 version_conflict.',
    'runs-13.5': 'A message is answered by a task; SSE shows its deltas, and after 60 seconds 202 is answered.',
    'runs-13.6': 'A second message while a turn runs is 409 turn_running.',
    'runs-13.7': 'The assistant edits by operations; what none names stays as it is.',
    'runs-13.8': 'Invalid operations get one repair turn, then draft_rejected.',
    'runs-13.9': 'Without any agent an interviewer asks five questions and builds stories from the answers.',
    'runs-13.10': 'A run starts from a version of a session; lint errors refuse it.',
    'runs-13.11':
      'ralph, ralph-tui, spec-kit, taskmaster, Kiro and markdown are imported; what has no place is in dropped.',
    'runs-13.12': 'serve with MODEL_PROVIDER_ENDPOINT answers PRD turns by a small worker of its own.',
  }),
  ...requirements('runs-14', 'runs', {
    'runs-14.1': 'RLM is off by default, and on only above the threshold; metadata.rlm overrides.',
    'runs-14.2': 'Over the window of the model without RLM a task fails with context_too_large.',
    'runs-14.3':
      'Code runs in QuickJS in a thread with only the listed globals; loops, memory and expressions are bounded.',
    'runs-14.4': 'Sub-calls over a limit are refused before the call with the name of the limit.',
    'runs-14.5': 'After the last iteration the model answers now, marked truncated; without an answer rlm_no_answer.',
    'runs-14.6': 'The artifact rlm replays to the same answer without a model.',
  }),
  ...requirements('runs-19', 'runs', {
    'runs-19.1': 'MODEL_PRICES_FILE prices what an agent does not price itself; cost_source says agent, table or none.',
    'runs-19.2': 'rate_limited is classified from structured signals and stderr, never from stdout, with retry_at.',
  }),
];
