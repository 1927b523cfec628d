// The meaning and the remedy of each error code of tasks: the sentences of docs/WORKERS.md and docs/RUNBOOK.md for a page.
import { catalogue } from '../../words/catalogue.ts';

export const taskProblems: Readonly<Record<string, string>> = catalogue({
  agent_error: 'The agent reported an error. Look at the end of the output, then retry.',
  agent_exit: 'The agent’s program ended with an error. The end of the output says why.',
  agent_not_found: 'The worker has no such agent. Install it there, or choose another agent.',
  agent_missing: 'The worker has no such agent. Install it there, or choose another agent.',
  agent_setup: 'The agent could not be started. `switchyard worker doctor` on its machine says what is missing.',
  agent_idle: 'The agent printed nothing for too long and was stopped. Retry, or give the work in smaller pieces.',
  attempts_exhausted:
    'The worker died on it as often as attempts are allowed. Look at the last attempt’s output, then retry.',
  base_not_found: 'The commit or branch that the task begins on does not exist in the codebase.',
  base_missing: 'No worker of the codebase has the commit that the task begins on. Fetch it there, then retry.',
  context_too_large: 'The prompt and its files are larger than the model takes.',
  deadline_exceeded: 'The deadline passed before the task was done.',
  disk_full: 'The disk of the worker is full. Free some space there, then retry.',
  model_refused: 'The model refused the request. Check the model’s name and the worker’s key.',
  model_unreachable: 'The model’s service could not be reached from the worker.',
  not_a_repository: 'The folder of the codebase is no git repository.',
  rate_limited: 'The model’s service limits the calls. Retry later, or use another model.',
  step_limit: 'The agent used all of its steps. Give the work in smaller pieces, or raise the limit on the worker.',
  timeout: 'The task took longer than the worker allows.',
  token_limit: 'The agent used all of its tokens.',
  workspace_missing: 'The folder of the codebase does not exist on the worker.',
  workspace_unusable: 'The repository is bare, damaged, or links to the outside.',
  workspace_timeout: 'Git took too long on the worker, or its disk does not answer.',
  workspace_lost: 'The repository vanished while the agent worked. The files of a worktree are kept on the worker.',
});
