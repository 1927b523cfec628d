// Tools, marketing and runs: autonomous development runs, PRD chat and large contexts (sections 1.4, 2.2, 2.3, 3, 4.2, 8).
import { requirements, type Requirement } from '../requirement.ts';

export const toolsRuns: readonly Requirement[] = [
  ...requirements('tools-1.4', 'runs', {
    'tools-1.4': 'A run takes a PRD of user stories and implements each story in a fresh agent instance.',
    'tools-1.4.2': 'A run checks the acceptance criteria of each story.',
    'tools-1.4.3': 'A run retries a failed story with the accumulated learnings.',
    'tools-1.4.4': 'A run commits per story on success.',
  }),
  ...requirements('tools-2.2', 'runs', {
    'tools-2.2.1': 'A PRD is a YAML or JSON document.',
    'tools-2.2.2': 'A PRD has project, string, required.',
    'tools-2.2.3': 'A PRD has branchName, string (git branch), required.',
    'tools-2.2.4': 'A PRD has description, string, required.',
    'tools-2.2.5': 'A PRD has userStories, array of user stories, required.',
    'tools-2.2.6':
      'A user story has id, title, description, acceptanceCriteria (array of string), all required; ids are unique.',
    'tools-2.2.7': 'In the tool-call form the names are branch_name, user_stories, acceptance_criteria.',
  }),
  ...requirements('tools-2.3', 'runs', {
    'tools-2.3.1': 'A run has run_id, string.',
    'tools-2.3.2': 'A run has status, string, among them pending, completed, failed.',
    'tools-2.3.3': 'A run has current_iteration, integer, 0 at creation.',
    'tools-2.3.4': 'A run has max_iterations, integer.',
    'tools-2.3.5': 'A run has story_results: array of {story_id, status (such as passed), result}.',
    'tools-2.3.6': 'The answer to the creation of a run has success, boolean.',
    'tools-2.3.7': 'The answer to the creation of a run has message, string.',
    'tools-2.3.8': 'The dashboard shows story status as pending, running, passed, failed.',
  }),
  ...requirements('tools-3', 'runs', {
    'tools-3.1': 'A run is pending at first; completed and failed are among its states.',
    'tools-3.2': 'A story within a run is pending, running, passed or failed.',
    'tools-3.6': 'Each story runs in a fresh agent instance.',
    'tools-3.6.2':
      'When the criteria of a story pass, its change is committed, one commit per story, and the next starts.',
    'tools-3.6.3': 'The commit happens when RALPH_COMMIT_ON_PASS is 1.',
    'tools-3.7': 'When criteria fail, learnings are appended to progress.txt.',
    'tools-3.7.2': 'When criteria fail, the iteration counter increases.',
    'tools-3.7.3': 'When criteria fail, the story is retried with the accumulated context, up to max_iterations.',
    'tools-3.8': 'When all stories pass the run completes.',
  }),
  ...requirements('tools-4.2', 'runs', {
    'tools-4.2.31':
      'ralph_create_run takes project, branch_name, description, codebase_id, user_stories, max_iterations.',
    'tools-4.2.31.2':
      'ralph_create_run results in success, run_id, status pending, current_iteration 0, max_iterations, message.',
    'tools-4.2.32':
      'ralph_get_run takes run_id; result run_id, status, current_iteration, max_iterations, story_results.',
    'tools-4.2.33': 'ralph_list_runs takes optional codebase_id and optional limit and lists runs.',
    'tools-4.2.34': 'ralph_cancel_run takes run_id and cancels the execution.',
    'tools-4.2.35': 'prd_chat takes message and conversation_id and results in the reply of the assistant.',
    'tools-4.2.36': 'prd_list_sessions takes codebase_id and lists PRD chat sessions.',
    'tools-4.2.37':
      'POST /v1/ralph/runs takes {codebase_id, prd: {project, branchName, description, userStories}, max_iterations}.',
    'tools-4.2.38': 'The dashboard of runs is at /dashboard/ralph.',
  }),
  ...requirements('tools-8', 'runs', {
    'tools-8.1': 'RALPH_ENABLED, by default 1, enables the run feature in the dashboard.',
    'tools-8.2': 'RALPH_MAX_ITERATIONS, by default 5: maximum retries per story.',
    'tools-8.3': 'RALPH_COMMIT_ON_PASS, by default 1: commit automatically on success.',
    'tools-8.4': 'RALPH_BRANCH_PREFIX, by default ralph/: prefix of branch names.',
    'tools-8.5': 'SERVICE_RLM_ENABLED, by default unset: 1 enables recursive-language-model handling.',
    'tools-8.6': 'Recursive handling activates from a context of 80K tokens, configurable.',
    'tools-8.7': 'A2A_RLM_MAX_SUBCALLS_PER_ITERATION (5 in the sample) bounds the sub-calls of an iteration.',
    'tools-8.8': 'A2A_RLM_MAX_TOTAL_SUBCALLS (100 in the sample) bounds the sub-calls altogether.',
  }),
];
