// The service core, sections 2.1 to 2.6: messages, agent card, A2A task, automation task, agent-family task, codebase.
import { requirements, type Requirement } from '../requirement.ts';

export const coreResources: readonly Requirement[] = [
  ...requirements('core-2.1', 'foundation', {
    'core-2.1.1': 'A sent message has role user, a reply has role agent.',
    'core-2.1.2': 'The role may be absent in the legacy form of a message.',
    'core-2.1.3': 'A part may be {text: string}.',
    'core-2.1.4': 'A part may have the legacy form {type: "text", content: string}.',
  }),
  ...requirements('core-2.2', 'foundation', {
    'core-2.2.1': 'The agent card has a name (string).',
    'core-2.2.2': 'The agent card has a description (string).',
    'core-2.2.3': 'The agent card has a url: the address of the service.',
    'core-2.2.4': 'The agent card has a version (string).',
    'core-2.2.5': 'The card has capabilities: booleans streaming, pushNotifications, stateTransitionHistory.',
    'core-2.2.6': 'The agent card has skills: an array of {id, name, description}.',
  }),
  ...requirements('core-2.3', 'foundation', {
    'core-2.3.1': 'An A2A task has an id (string).',
    'core-2.3.2': 'An A2A task has status {state, message?}; a status message is {role, parts}.',
    'core-2.3.3': 'message/send may answer with the task object {id, status: {state}} directly as the result.',
    'core-2.3.4': 'message/send may answer with the legacy wrapper {task: {id, status}, message: {parts}}.',
  }),
  ...requirements('core-2.4', 'automation', {
    'core-2.4.1': 'Automation create: title, string, required.',
    'core-2.4.2': 'Automation create: description, string, required: the prompt for the agent.',
    'core-2.4.3': 'Automation create: agent_type, string, optional: build, plan, general or explore.',
    'core-2.4.4': 'Automation create: model, string, optional: one of eleven fixed model identifiers.',
    'core-2.4.5': 'Automation create: webhook_url, URL, optional: receives the completion webhook.',
    'core-2.4.6': 'Automation create answers task_id, run_id, status, title, created_at (ISO 8601 UTC).',
    'core-2.4.7': 'The status of an automation task is queued on creation.',
    'core-2.4.8':
      'A finished automation task answers task_id, status, result_summary, runtime_seconds (integer), completed_at.',
    'core-2.4.9': 'Automation statuses are queued, running, needs_input, completed, failed, cancelled.',
  }),
  ...requirements('core-2.5', 'foundation', {
    'core-2.5.1': 'POST /v1/agent/codebases/{id}/tasks takes title, prompt and optional priority (integer).',
    'core-2.5.2': 'POST /v1/agent/tasks takes title, prompt, optional codebase_id and optional priority.',
    'core-2.5.3': 'A higher priority number means a higher priority.',
  }),
  ...requirements('core-2.6', 'foundation', {
    'core-2.6.1': 'A codebase has a name (string).',
    'core-2.6.2': 'A codebase has a path: the filesystem path on the worker machine.',
    'core-2.6.3': 'A codebase has a description (string).',
    'core-2.6.4': 'A codebase may have a worker_id, which binds it to one worker (worker affinity).',
    'core-2.6.5': 'Registration takes an optional codebase_id; the value global registers the global codebase.',
  }),
];
