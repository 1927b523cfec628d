// Renders a tool's error for a model: what failed, which values are allowed, and which tool to call next.
import type { DomainError, FieldError } from '../../../domain/model/errors.ts';
import { findClosest } from '../../../lib/text/find-closest.ts';
import { plainText } from '../../../lib/text/plain-text.ts';
import { cutText } from '../../../lib/text/cut-text.ts';
import { unknownFieldMessage } from '../../pipeline/schema.ts';
import type { KnownTool } from './tool.ts';
import type { ToolResult } from './tool-result.ts';

/** The tool to call next, by the code of the error. */
const nextSteps: Readonly<Record<string, string>> = {
  task_not_found: 'Call list_tasks to see the existing tasks.',
  run_not_found: 'Call ralph_list_runs to see the existing runs.',
  run_finished: 'Call ralph_get_run to read its outcome, or ralph_create_run for a new run.',
  codebase_not_found: 'Call list_codebases to see the registered codebases.',
  worker_not_found: 'Call discover_agents to see the registered agents.',
  agent_not_found: 'Call discover_agents to see the registered agents, or register_agent to register one.',
  agent_not_registered: 'Call register_agent with this name.',
  agent_name_taken: 'Call register_agent with another name; discover_agents shows which are taken.',
  cursor_unknown: 'Call it again without since.',
  conversation_not_found: 'Call send_message without a conversation_id to start a conversation.',
  task_finished: 'Call get_task to read its outcome, or create_task for a new task.',
  not_owner: 'Ask its owner, or use a credential with the role operator.',
  no_workers_available:
    'Start a worker, then call create_codebase again; discover_agents shows which workers are online.',
};

export function renderToolError(known: KnownTool, error: DomainError, args: unknown): ToolResult {
  const { name } = known.tool;
  const faults = (error.errors ?? []).map((fault) => fieldErrorText(known, fault, args));
  const reason = faults.length === 0 ? error.message : `the arguments are not valid.\n${faults.join('\n')}`;
  const next =
    error.kind === 'invalid'
      ? `Call get_tool_schema with {"tool_name":"${name}"} for what it takes and an example.`
      : nextSteps[error.code];
  const retry = error.retryAfterSeconds === undefined ? undefined : `Try again in ${error.retryAfterSeconds} s.`;
  const text = [`${name} failed: ${reason}`, retry, next].filter((line) => line !== undefined).join('\n');
  return {
    content: [{ type: 'text', text: cutText(plainText(text), maxCharacters) }],
    isError: true,
    _meta: {
      error: {
        code: error.code,
        ...(error.errors === undefined
          ? {}
          : { errors: error.errors.slice(0, maxFaults).map((fault) => ({ ...fault })) }),
      },
    },
  };
}

const maxCharacters = 8_192;
const maxFaults = 20;

function fieldErrorText({ argumentNames }: KnownTool, fault: FieldError, args: unknown): string {
  const { message } = fault;
  // A parser that is shared with a REST route may report a path in the query.
  const path = fault.path.replace(/^\/query(?=\/)/, '');
  const name = path.split('/').at(1) ?? '';
  const unknownName = message === unknownFieldMessage && !argumentNames.includes(name);
  const suggestion = unknownName ? findClosest(name, argumentNames) : suggestValue(message, valueAt(args, path));
  const hint = suggestion === undefined ? '' : ` Did you mean ${JSON.stringify(suggestion)}?`;
  const allowed = unknownName ? ` It takes: ${argumentNames.join(', ') || 'nothing'}.` : '';
  return `- ${path === '' ? 'the arguments' : path.slice(1)} ${message}.${hint}${allowed}`;
}

/** The value closest to the given one, of those that a message lists as allowed. */
function suggestValue(message: string, given: unknown): string | undefined {
  const [, list] = /^must be one of (\[.*\])$/.exec(message) ?? [];
  if (list === undefined || typeof given !== 'string') return undefined;
  const values: unknown = JSON.parse(list);
  if (!Array.isArray(values)) return undefined;
  return findClosest(
    given,
    values.filter((value) => typeof value === 'string'),
  );
}

function valueAt(args: unknown, path: string): unknown {
  return path
    .split('/')
    .slice(1)
    .reduce<unknown>(
      (value, key) =>
        typeof value === 'object' && value !== null
          ? Object.entries(value).find(([name]) => name === key)?.[1]
          : undefined,
      args,
    );
}
