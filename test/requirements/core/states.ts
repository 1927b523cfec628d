// The service core, sections 3: task states, their names on A2A and automation, routing by codebase.
import { requirements, type Requirement } from '../requirement.ts';

export const coreStates: readonly Requirement[] = [
  ...requirements('core-3.1', 'foundation', {
    'core-3.1.1': 'A created task is pending: it waits for a worker.',
    'core-3.1.2': 'A pending task becomes running when a worker claims it.',
    'core-3.1.3': 'A running task becomes completed when its execution finished; completed is terminal.',
    'core-3.1.4': 'A running task becomes failed when its execution failed; failed is terminal.',
    'core-3.1.5': 'A pending task becomes cancelled when a caller cancels it; cancelled is terminal.',
    'core-3.1.6': 'A running task becomes cancelled when a caller cancels it; cancelled is terminal.',
    'core-3.1.7': 'The states include pending (waiting for a worker), running, completed, failed and cancelled.',
  }),
  ...requirements('core-3.2', 'foundation', {
    'core-3.2.1': 'Internal pending is submitted on A2A.',
    'core-3.2.2': 'Internal working is working on A2A.',
    'core-3.2.3': 'Internal completed is completed on A2A.',
    'core-3.2.4': 'Internal failed is failed on A2A.',
    'core-3.2.5': 'Internal cancelled is canceled (single l) on A2A.',
    'core-3.2.6': 'A newly created task answered over A2A reports the state submitted.',
  }),
  ...requirements('core-3.3', 'automation', {
    'core-3.3.1':
      'Automation statuses are queued, running, needs_input, completed, failed, cancelled; creation yields queued.',
  }),
  ...requirements('core-3.4', 'foundation', {
    'core-3.4.1': 'A task with a specific codebase_id goes only to workers that have that codebase registered.',
    'core-3.4.2': 'A task of a codebase registered with a worker_id goes only to that worker.',
    'core-3.4.3': 'A task with codebase_id global goes to all workers that registered a global codebase.',
    'core-3.4.4': 'Workers with a global codebase also receive the tasks of their regular codebases.',
    'core-3.4.5': 'A task with codebase_id __pending__ is a registration task that any worker may claim.',
    'core-3.4.6': 'Registration by path without a registered worker is answered that no workers are available.',
  }),
];
