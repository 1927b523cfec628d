// The MCP resources that results link to, read by URI. They use the same verbs as the tools and the REST routes.
import type { Demand } from '../../../domain/access/permit.ts';
import { listCodebases, getCodebase } from '../../../domain/codebases/manage.ts';
import type { Caller } from '../../../domain/model/access/caller.ts';
import { DomainError } from '../../../domain/model/errors.ts';
import { getArtifact, listArtifacts } from '../../../domain/tasks/artifacts.ts';
import { readOutputTail } from '../../../domain/tasks/results/read-output.ts';
import { viewActiveTask } from '../../../domain/tasks/exchange/task-activity.ts';
import type { ViewDeps } from '../../../domain/tasks/read.ts';
import { getProgressLog } from '../../../domain/runs/read/read-learnings.ts';
import { getRun } from '../../../domain/runs/read/read-run.ts';
import { cutText } from '../../../lib/text/cut-text.ts';
import { plainText, plainValue } from '../../../lib/text/plain-text.ts';
import type { Cards } from '../../a2a/card/cards.ts';
import { artifactToWire } from '../../routes/tasks/artifact-wire.ts';
import { codebaseToWire } from '../../routes/codebases.ts';
import { runToWire } from '../../routes/ralph/run-wire.ts';
import { taskToWire } from '../../routes/tasks/task-wire.ts';
import { parseEntityId } from '../../pipeline/entity-id.ts';
import { shortenTexts } from '../tools/tool-result.ts';

export interface ResourceContent {
  readonly uri: string;
  readonly mimeType: string;
  readonly text?: string;
  /** Base64. */
  readonly blob?: string;
}

interface ResourceRequest {
  readonly caller: Caller;
  /** A variable of the URI template. */
  readonly variable: (name: string) => string;
  readonly forwardedOrigin: string | undefined;
}

type Body =
  { readonly json: unknown } | { readonly text: string } | { readonly blob: string; readonly mimeType: string };

interface ResourceRow {
  /** The URI, with `{name}` for each variable. */
  readonly template: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
  readonly permission: Demand;
  readonly read: (request: ResourceRequest) => Promise<Body>;
}

/** The resource of a URI, with the variables of its template. */
export interface FoundResource {
  readonly row: ResourceRow;
  readonly variables: Readonly<Record<string, string>>;
}

const maxCharacters = 262_144;
/** Leaves space for the line that links to the earlier part of a log. */
const maxLogCharacters = maxCharacters - 200;

interface ResourceDeps extends ViewDeps {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly cards: Cards;
}

export function buildResourceRows({ cards, ...deps }: ResourceDeps): ResourceRow[] {
  return [
    {
      template: 'coord://codebases',
      name: 'codebases',
      title: 'Codebases',
      description: 'The codebases that tasks can be created for.',
      mimeType: 'application/json',
      permission: 'codebases:read',
      read: async ({ caller }) => {
        const page = { limit: 200, before: undefined, workerId: undefined };
        const { codebases } = await listCodebases(deps, caller, page);
        return { json: { codebases: codebases.map(codebaseToWire) } };
      },
    },
    {
      template: 'coord://agent-card',
      name: 'agent-card',
      title: 'Agent card',
      description: 'The A2A agent card of this service.',
      mimeType: 'application/json',
      permission: 'any_credential',
      read: async ({ caller, forwardedOrigin }) => ({
        json: await cards.publicCard(caller, 'hybrid', forwardedOrigin),
      }),
    },
    {
      template: 'coord://codebases/{codebase_id}',
      name: 'codebase',
      title: 'A codebase',
      description: 'One codebase, with its workers.',
      mimeType: 'application/json',
      permission: 'codebases:read',
      read: async ({ caller, variable }) => ({
        json: codebaseToWire(await getCodebase(deps, caller, parseEntityId('codebase', variable('codebase_id')))),
      }),
    },
    ...taskRows(deps),
    ...runRows(deps),
  ];
}

function runIdIn(variable: ResourceRequest['variable']): string {
  return parseEntityId('run', variable('run_id'));
}

function runRows(deps: Pick<ResourceDeps, 'store' | 'now'>): ResourceRow[] {
  return [
    {
      template: 'coord://runs/{run_id}',
      name: 'run',
      title: 'An autonomous run',
      description: 'One autonomous run: its stories, their results, and its open questions.',
      mimeType: 'application/json',
      permission: 'ralph:read',
      read: async ({ caller, variable }) => ({ json: runToWire(await getRun(deps, caller, runIdIn(variable))) }),
    },
    {
      template: 'coord://runs/{run_id}/progress',
      name: 'run-progress',
      title: 'What a run has learnt',
      description: 'progress.txt of an autonomous run, with every entry.',
      mimeType: 'text/plain',
      permission: 'ralph:read',
      read: async ({ caller, variable }) => ({ text: await getProgressLog(deps, caller, runIdIn(variable)) }),
    },
  ];
}

function taskRows(deps: ViewDeps): ResourceRow[] {
  const json = { mimeType: 'application/json', permission: 'tasks:read' } as const;
  const plainTextLog = { mimeType: 'text/plain', permission: 'tasks:read' } as const;
  const log = async (caller: Caller, id: string, until: number | undefined): Promise<string> => {
    const taskId = parseEntityId('task', id);
    const { text: end, before } = await readOutputTail(deps, caller, taskId, until, maxLogCharacters);
    const more = before === null ? '' : `[Printed before this: coord://tasks/${taskId}/log/before/${before}]\n`;
    const over = end.length - maxLogCharacters;
    return over <= 0 ? `${more}${end}` : `${more}[${over} characters left out]\n${end.slice(over).toWellFormed()}`;
  };
  return [
    {
      template: 'coord://tasks/{task_id}',
      name: 'task',
      title: 'A task',
      description: 'One task: its status, result and error.',
      ...json,
      read: async ({ caller, variable }) => {
        const view = await viewActiveTask(deps, caller, parseEntityId('task', variable('task_id')));
        return { json: taskToWire(view) };
      },
    },
    {
      template: 'coord://tasks/{task_id}/log',
      name: 'task-log',
      title: 'The output of a task',
      description:
        'The output of a task’s agent, in order. A long log returns its last part and the URI of the previous part.',
      ...plainTextLog,
      read: async ({ caller, variable }) => ({ text: await log(caller, variable('task_id'), undefined) }),
    },
    {
      template: 'coord://tasks/{task_id}/log/before/{seq}',
      name: 'task-log-before',
      title: 'Earlier output of a task',
      description: 'An earlier part of a long log; the part after it has this URI.',
      ...plainTextLog,
      read: async ({ caller, variable }) => ({
        text: await log(caller, variable('task_id'), parseSeq(variable('seq'))),
      }),
    },
    {
      template: 'coord://tasks/{task_id}/artifacts',
      name: 'task-artifacts',
      title: 'The artifacts of a task',
      description: 'The artifacts of a task by artifact_id, without their content.',
      ...json,
      read: async ({ caller, variable }) => {
        const artifacts = await listArtifacts(deps, caller, parseEntityId('task', variable('task_id')));
        return { json: { artifacts: artifacts.map(artifactToWire) } };
      },
    },
    {
      template: 'coord://tasks/{task_id}/artifacts/{artifact_id}',
      name: 'task-artifact',
      title: 'An artifact of a task',
      description: 'One artifact with its content.',
      ...json,
      read: async ({ caller, variable }) => {
        const taskId = parseEntityId('task', variable('task_id'));
        const { summary, text, bytes, uri, data } = await getArtifact(deps, caller, taskId, variable('artifact_id'));
        if (text !== undefined) return { text };
        if (bytes !== undefined) return { blob: bytes, mimeType: summary.mimeType };
        return { json: uri === undefined ? data : { uri } };
      },
    },
  ];
}

/** @throws DomainError not_found for text that is not a sequence number */
function parseSeq(given: string): number {
  if (/^\d{1,15}$/.test(given)) return Number(given);
  throw new DomainError('not_found', 'resource_not_found', 'There is no such part of this log.');
}

/** The resource that a URI names; undefined when no template matches. */
export function findResource(rows: readonly ResourceRow[], uri: string): FoundResource | undefined {
  for (const row of rows) {
    const names = [...row.template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    const form = new RegExp(`^${row.template.replaceAll(/\{\w+\}/g, '([^/?#]{1,300})')}$`);
    const found = form.exec(uri);
    if (found === null) continue;
    const variables = names.map((name, i): [string, string] => [name, decodePart(found[i + 1] ?? '')]);
    return { row, variables: Object.fromEntries(variables) };
  }
  return undefined;
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // Malformed encoding: the text stays unchanged, and no resource has it.
    return part;
  }
}

/** @throws DomainError not_found */
export async function readResource(
  { row, variables }: FoundResource,
  uri: string,
  request: Omit<ResourceRequest, 'variable'>,
): Promise<ResourceContent> {
  const body = await row.read({ ...request, variable: (name) => variables[name] ?? '' });
  if ('blob' in body) return { uri, mimeType: body.mimeType, blob: body.blob };
  if ('json' in body) return { uri, mimeType: 'application/json', text: shortenTexts(plainValue(body.json)).text };
  return { uri, mimeType: 'text/plain', text: capText(plainText(body.text)) };
}

function capText(text: string): string {
  if (text.length <= maxCharacters) return text;
  return `${cutText(text, maxCharacters)}… [${text.length - maxCharacters} characters more]`;
}

export function isTemplate({ template }: ResourceRow): boolean {
  return template.includes('{');
}
