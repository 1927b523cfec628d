// The requirements of objectives and key results, of their runs, and of the artifacts that agents leave.
import { requirements } from '../requirement.ts';

export const platformOkr = [
  ...requirements('platform-4', 'objectives', {
    'platform-4.1':
      'The tables okrs, okr_key_results and okr_runs have the columns that the design names, under row-level security.',
    'platform-4.2': 'Key results and runs go with their objective, through a foreign key that has the tenant.',
    'platform-4.3':
      'Progress of a number is 100 (current - start) / (target - start) within 0 and 100, falling targets too.',
    'platform-4.4': 'Progress of a milestone is 0 or 100; manual progress is what was reported.',
    'platform-4.5': 'Progress of tasks is the share of the ended tasks of all runs that completed.',
    'platform-4.6': 'Progress of an objective is the weighted mean with 2 decimals, 0 without weights or key results.',
    'platform-4.7': 'Progress 100 is completed; above 0 a key result that was not started is in progress.',
    'platform-4.8': 'Blocked stays until another status is set or progress is 100.',
    'platform-4.9': 'Setting completed sets manual and milestone to 100; with number and tasks it is 409 measured.',
    'platform-4.10':
      'Moves: draft to approved or denied, approved to running or denied, running to completed or denied.',
    'platform-4.11': 'A running objective whose key results are all completed is completed by itself.',
    'platform-4.12': 'Completing an objective with open key results is 409 key_results_open.',
    'platform-4.13': 'Denying a running objective cancels its open run and the tasks of it.',
    'platform-4.14':
      'From running on, title, measure, weight and the set of key results are frozen: 409 okr_running; progress is not.',
    'platform-4.15': 'Approved and denied keep who decided, when and the reason.',
    'platform-4.16': 'Other moves of an objective are 409 invalid_transition.',
    'platform-4.17':
      'A stale version is 409 changed_meanwhile; an objective with an open run is not deleted (run_open).',
    'platform-4.18': 'An objective is answered with progress, its key results and its open run; lists filter and page.',
    'platform-4.19': 'GET /v1/okr/stats answers total, by_status and completion_rate with 4 decimals, null for none.',
    'platform-4.20': 'POST /v1/okr takes up to 20 key results.',
    'platform-4.21': 'A run makes one task for each open key result, or for the first one when it is sequential.',
    'platform-4.22':
      'A run is refused with 409 run_open, okr_not_approved or nothing_to_do, and needs tasks:write beside okr:write.',
    'platform-4.23': 'A run is created once for an idempotency key, and starts an approved objective.',
    'platform-4.24':
      'The task has the title objective: key result, the conversation okr-run:<run_id> and the ids in its metadata.',
    'platform-4.25':
      'The prompt has objective, key result, earlier reports, instructions and the contract of the artifact.',
    'platform-4.26': 'An ended task with a valid artifact moves its key result by the rules of the verb.',
    'platform-4.27': 'A completed task without a valid artifact is unreported, with the reason as its summary.',
    'platform-4.28': 'A failed or cancelled task makes its item so; its key result stays.',
    'platform-4.29': 'Sequential goes on with the next key result, after one that failed too.',
    'platform-4.30': 'A run is pending, running, then completed, failed or cancelled, as its tasks ended.',
    'platform-4.31': 'Each item is folded once, by two directors at once too.',
    'platform-4.32': 'The loop okr_director is in the status of the loops, and audits as service:okr_director.',
    'platform-4.33': 'A run whose owner may no longer create tasks creates none and says owner_disabled.',
    'platform-4.34': 'Cancelling a run cancels its open tasks.',
    'platform-4.35': 'Ended runs are kept RUN_RETENTION_DAYS.',
    'platform-4.36': 'Metrics count folded items and ended runs.',
    'platform-4.37': 'The command line creates, lists, shows, decides, runs, follows and deletes objectives.',
    'platform-4.38': 'The objectives of another subject are changed by its owner and by operators alone.',
  }),
  ...requirements('platform-10', 'objectives', {
    'platform-10.1': 'Every agent gets SWITCHYARD_ARTIFACTS, the folder .switchyard/artifacts of its work place.',
    'platform-10.2': 'The folder is in no diff and no branch.',
    'platform-10.3': 'Each file left there, at most 20 of 1 MiB, is an artifact named and typed by the file.',
    'platform-10.4': 'The last block okr-progress of an answer becomes that artifact.',
    'platform-10.5': 'An agent run by a real worker leaves the artifact, and the key result moves.',
  }),
];
