// Choices, section 2: the states of a task, their names on every door, leases and attempts.
import { requirements, type Requirement } from '../requirement.ts';

export const choicesStates: readonly Requirement[] = [
  ...requirements('choices-2', 'foundation', {
    'choices-2.1': 'Internal states are pending, running, needs_input, completed, failed and cancelled.',
    'choices-2.2': 'completed, failed and cancelled are terminal: nothing leaves them, in code.',
    'choices-2.3': 'Nothing leaves a terminal state in the database either: a trigger refuses.',
    'choices-2.4': 'pending may go to running, cancelled and failed, and nowhere else.',
    'choices-2.5': 'pending goes to failed when its deadline passed.',
    'choices-2.6': 'pending goes to failed when its attempts are exhausted.',
    'choices-2.7': 'running may go to completed, failed, cancelled, needs_input and pending, and nowhere else.',
    'choices-2.8': 'running goes back to pending when the lease is lost or released and attempts are left.',
    'choices-2.9': 'needs_input may go to pending, cancelled and failed, and nowhere else.',
    'choices-2.10': 'needs_input goes to pending when input is given.',
    'choices-2.11': 'On A2A, running (also called working) is working and needs_input is input-required.',
  }),
  ...requirements('choices-2', 'automation', {
    'choices-2.12': 'On automation, pending is queued and every other state keeps its name.',
  }),
  ...requirements('choices-2', 'tool-protocol', {
    'choices-2.13': 'On the tool protocol every state keeps its internal name.',
  }),
  ...requirements('choices-2', 'foundation', {
    'choices-2.14': 'A claim raises epoch and attempt.',
    'choices-2.15': 'A lost lease keeps the attempt used.',
    'choices-2.16': 'A release to pending gives the attempt back, never the epoch.',
    'choices-2.17': 'An unregister of the worker gives the attempt back, never the epoch.',
    'choices-2.18': 'An answered question gives the attempt back, never the epoch.',
    'choices-2.19': 'A lease that no heartbeat, event or release ever named gives the attempt back, never the epoch.',
    'choices-2.20': 'A worker that released a task is not offered it for 30 s.',
    'choices-2.21': 'After 20 releases the task fails with released_too_often.',
    'choices-2.22': 'An expired lease cannot be renewed.',
    'choices-2.23': 'A completion under an expired lease still counts until the reaper has put the task back.',
    'choices-2.24': 'A question is answered by /input; whoever claims the task next finds the exchange in messages[].',
    'choices-2.25': 'A cancel is in the record at once.',
    'choices-2.26': 'Artifacts that a killed run leaves within 10 s under its old lease are kept.',
    'choices-2.27': 'A retry of a finished task is a new task with retry_of.',
    'choices-2.28': 'Each attempt is a row in task_runs; run_id names it.',
  }),
  ...requirements('choices-2', 'a2a', {
    'choices-2.29': 'A question is answered by a message to the task, too.',
  }),
];
