// The monitor UI: conversations, fleet, codebases, health (ui-4.8, ui-4.9, ui-4.10, ui-4.14).
import { requirements, type Requirement } from '../requirement.ts';

export const uiFleet: Requirement[] = [
  ...requirements('ui-4', 'monitor-ui', {
    'ui-4.8.1': 'Conversations are listed with the latest word first, each with its participants and open tasks.',
    'ui-4.8.2': 'A conversation shows what was said over its tasks, each task as a divider with its state.',
    'ui-4.8.3':
      'The box of a conversation answers its question; where all its tasks have ended it makes the next task of the conversation.',
    'ui-4.8.4': 'A search over all messages lists the hits in their context, and a hit leads to its message.',
    'ui-4.9.1':
      'The fleet lists workers with state, busy slots, agents, and a version that differs from the service is marked.',
    'ui-4.9.2':
      'The capacity strip has slots, busy and waiting by codebase; a codebase that waits without a slot says so.',
    'ui-4.9.3': 'Draining a worker asks first, with the way out focused, and the worker is then shown as drained.',
    'ui-4.9.4':
      'The page of a worker says for the next tasks why it does not take them, and which agents it lacks and why.',
    'ui-4.10.1':
      'A codebase is added by path: a named worker is bound at once, else the task that asks the workers is shown until it ends.',
    'ui-4.10.2':
      'Removing a codebase with open tasks is refused with these tasks; without one it goes after a question.',
    'ui-4.10.3': 'The sessions of agents in a codebase are searched, opened and resumed as a task.',
    'ui-4.14.1':
      'Health shows each part with its state and reason, the queue, the replicas, the versions and the loops.',
  }),
];
