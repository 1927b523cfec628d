// Autonomous runs, sections 5, 7 and 8: states, the director, steps.
import { requirements, type Requirement } from '../requirement.ts';

export const runStates: Requirement[] = [
  ...requirements('runs-5', 'runs', {
    'runs-5.1':
      'A run is pending, running, paused, needs_input, completed, failed or cancelled; the last three are final.',
    'runs-5.2': 'The database rejects a move of a run or a story that the state tables do not have.',
    'runs-5.3': 'A resumed run with an open question is in needs_input after the same transaction.',
    'runs-5.4':
      'In needs_input stories that the question does not concern go on; after a budget question nothing new starts.',
    'runs-5.5': 'A story is pending, running, passed or failed, and a running one shows its phase.',
    'runs-5.6': 'Each outcome of a step leads to the phase that the table of phases names.',
    'runs-5.7': 'A question has options and a free text, never expires, and never answers itself.',
    'runs-5.8': 'Each option of each question has the effect that the table of questions names.',
    'runs-5.9': 'max_iterations, 1 to 100, bounds the judged attempts of each story.',
    'runs-5.10':
      'current_iteration is the highest iteration of any story; it starts at 0, never falls and never exceeds max_iterations.',
    'runs-5.11': 'A run with a failed story is never completed; its error says stories_failed.',
    'runs-5.12': 'retry makes a new run at the old head with the passed stories carried.',
    'runs-5.13': 'A story starts when all it depends on have passed.',
    'runs-5.14':
      'In sequential mode without dependsOn each story depends on all before it, by priority and then order.',
    'runs-5.15': 'In parallel mode stories without dependsOn are independent.',
    'runs-5.16': 'A cycle, an unknown or a doubled story id is 400 with the cycle written out.',
  }),
  ...requirements('runs-7', 'runs', {
    'runs-7.1': 'One transaction locks the run, decides, applies all effects and queues the tasks of new steps.',
    'runs-7.2': 'The same snapshot gives the same effects, and effects applied twice change nothing.',
    'runs-7.3':
      'Every run that is not over has an open step, a question, a pause or a time at which it is looked at again.',
    'runs-7.4': 'The end of a step reaches the director by the outbox, and by a query once a minute.',
    'runs-7.5': 'A crash of the service, the worker or the database loses no step and repeats none in the record.',
    'runs-7.6': 'A step whose answer does not fit the contract is an infrastructure failure, bad_step_result.',
    'runs-7.7': 'The loop run_director is in /v1/cognition/status, and metrics count runs, steps and iterations.',
    'runs-7.8': 'Each change of the director is audited as its own system caller.',
  }),
  ...requirements('runs-8', 'runs', {
    'runs-8.1': 'Every step is a task that asks for the capability switchyard:steps-1.',
    'runs-8.2': 'Labels with the prefix switchyard: are refused from callers.',
    'runs-8.3': 'No caller can set the step of a task.',
    'runs-8.4': 'Refs of steps are hidden; only publish moves a branch of the user.',
    'runs-8.5': 'A story whose commit has the head as its parent lands without a task of its own.',
    'runs-8.6': 'prepare records base, gates, set-up, hashes, the baseline and the checks before the work.',
    'runs-8.7': 'implement works in a fresh session of its agent.',
    'runs-8.8': 'Cancel and pause now end running tasks, and their attempt is void.',
  }),
];
