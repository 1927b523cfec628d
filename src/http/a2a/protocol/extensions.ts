// The service's extensions of the protocol, as the card declares them: metadata of a message that routes its task.
// Every extension is optional, and its keys are read whether or not a call activates it. core-4.3.
import { Extensions } from '@a2a-js/sdk';
import type { RequestView } from '../../pipeline/operation.ts';

export interface Extension {
  readonly uri: string;
  readonly description: string;
  readonly params: Readonly<Record<string, unknown>>;
}

const key = (type: string, meaning: string): Record<string, string> => ({ type, meaning });

export const extensions: readonly Extension[] = [
  {
    uri: 'urn:switchyard:a2a:targeted-messaging:v1',
    description: 'A message may name the agent, worker, codebase or model that its task goes to.',
    params: {
      metadata: {
        target_agent: key('string', 'the name of a worker, or of an agent that a worker runs'),
        target_worker_id: key('string', 'the id of a worker'),
        codebase_id: key('string', 'the id of a codebase; global without it'),
        agent_type: key('string', 'build, plan, general or explore'),
        model: key('string', 'a model the agent shall use'),
      },
    },
  },
  {
    uri: 'urn:switchyard:a2a:capability-routing:v1',
    description: 'A message may list capabilities that the worker of its task must have.',
    params: { metadata: { required_capabilities: key('array of strings', 'each of them, at most 32') } },
  },
  {
    uri: 'urn:switchyard:a2a:priority:v1',
    description: 'A message may set the priority and the deadline of its task.',
    params: {
      metadata: {
        priority: key('integer 0 to 100', 'the higher number goes first; 0 without it'),
        deadline_at: key('string, ISO 8601', 'a task that is not finished by then fails'),
        max_attempts: key('integer 1 to 20', 'how often a task is given to a worker'),
      },
    },
  },
  {
    uri: 'urn:switchyard:a2a:conversation-threading:v1',
    description: 'Messages with one contextId belong to one conversation; its tasks can be listed by it.',
    params: { field: 'contextId', list: 'tasks/list and ListTasks take contextId' },
  },
];

/** v1.0's name and v0.3's. */
const headerNames = ['a2a-extensions', 'x-a2a-extensions'];

/**
 * The response headers that name the active extensions: the requested ones that this service has, under the name of the
 * header that requested them. Unknown extensions are ignored. Undefined when a call requests none. a2a v1.0 §3.2.6.
 */
export function activatedHeaders(view: RequestView): Record<string, string> | undefined {
  if (headerNames.every((name) => view.header(name) === undefined)) return undefined;
  const activated = headerNames.flatMap((name) => {
    const requested = Extensions.parseServiceParameter(view.header(name));
    const active = requested.filter((uri) => extensions.some((extension) => extension.uri === uri));
    return active.length === 0 ? [] : [[name, Extensions.toServiceParameter(active)]];
  });
  return Object.fromEntries(activated);
}
