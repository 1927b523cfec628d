// Autonomous runs, section 6 and its settled fields: REST, events, tools, command line, environment.
import { requirements, type Requirement } from '../requirement.ts';

export const runInterface: Requirement[] = [
  ...requirements('runs-6.1', 'runs', {
    'runs-6.1.1': 'POST /v1/ralph/runs takes an object, YAML or JSON text, or a whole body of YAML, and answers 201.',
    'runs-6.1.2': 'An Idempotency-Key makes one run of repeated creations.',
    'runs-6.1.3': 'Runs are listed newest first by codebase_id, status, project and q.',
    'runs-6.1.4': 'cancel, pause and resume answer the run, and 409 run_finished or not_paused.',
    'runs-6.1.5':
      'answer takes one of the options of an open question; else 400 with the path choice, 409 question_answered or no_question.',
    'runs-6.1.6': 'retry of a run that is not over is 409 run_not_finished.',
    'runs-6.1.7': 'messages to a run are guidance for later prompts and an intervention for agents at work; 202.',
    'runs-6.1.8':
      'A pending story can be changed or deleted; a started one is 409 story_started, a needed one 409 story_needed.',
    'runs-6.1.9': 'commit publishes the commits that wait with RALPH_COMMIT_ON_PASS=0.',
    'runs-6.1.10': 'Stories, attempts, learnings, evidence and steps are readable with their fields.',
    'runs-6.1.11':
      'progress.txt, prd, diff and bundle of a run are readable; bundle before the last publish is 409 not_ready.',
    'runs-6.1.12': 'A finished run can be deleted by ralph:delete.',
    'runs-6.1.13': 'RALPH_ENABLED=0 refuses new runs with 409 ralph_disabled; reading goes on.',
    'runs-6.1.14': 'A run shows the fields of the table, result sentences among them.',
    'runs-6.1.15':
      'Invalid documents, branch names and missing codebases are 400 invalid_prd, bad_branch_name, no_codebase.',
    'runs-6.1.16': 'Runs that another subject made need the role operator to change.',
    'runs-6.1.17': 'Rows of another tenant are 404.',
    'runs-6.1.18': 'A branchName without the prefix gets RALPH_BRANCH_PREFIX.',
    'runs-6.1.19': 'An existing branch fails the run with branch_exists unless branch_policy is continue.',
  }),
  ...requirements('runs-6.2', 'runs', {
    'runs-6.2.1':
      'Events of a run are numbered without gaps, read after a number or streamed, and the stream ends after the final run event.',
    'runs-6.2.2': 'A run that needs input, completes, fails or is cancelled calls its webhook_url once, signed.',
  }),
  ...requirements('runs-6.3', 'runs', {
    'runs-6.3.1':
      'The tools ralph_create_run, ralph_get_run, ralph_list_runs, ralph_cancel_run answer the fields of the table.',
    'runs-6.3.2': 'prd_chat and prd_list_sessions answer the fields of the table; prd_chat waits 60 seconds.',
    'runs-6.3.3': 'A message to the conversation of a run answers its only open question, or lists the open ones.',
    'runs-6.3.4': 'The tool protocol has the resources coord://runs/{run_id} and its progress.',
  }),
  ...requirements('runs-6.4', 'runs', {
    'runs-6.4.1':
      'switchyard ralph run starts a run from a file and watches it; exit code 0 completed, 1 failed or cancelled, 7 waits, 130 interrupted.',
    'runs-6.4.2':
      'switchyard ralph has list, show, watch, answer, pause, resume, cancel, retry, tell, progress, diff, commit, bundle, lint, import.',
    'runs-6.4.3': 'switchyard prd has chat, list, show, export, start.',
    'runs-6.4.4': 'doctor says which codebases can serve a run.',
  }),
  ...requirements('runs-18', 'runs', {
    'runs-18.1': 'The task of a step shows step {run_id, story_id, n, kind} and belongs to the creator of the run.',
    'runs-18.2': 'Lists, counts and statistics of tasks leave steps out unless steps=true or ralph_run_id.',
    'runs-18.3': 'Cancel, retry and priority of a step are 409 belongs_to_run.',
    'runs-18.4': 'input to a step that asks answers the question of the run.',
    'runs-18.5':
      'A run of an owner that may create tasks no more (disabled, without the role, its credential revoked) is paused with waiting_reason owner_disabled.',
    'runs-18.6': 'A run on global is 400 no_codebase.',
    'runs-18.7': 'Runs are kept for RUN_RETENTION_DAYS, 365 by default.',
    'runs-18.8': 'index and criterion count from 0; a criterion without evidence is pending with by null.',
    'runs-18.9': 'spent.usd is null until a step has a price; spent.seconds stands still while paused or waiting.',
  }),
];
