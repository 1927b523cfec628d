// Operations on what a run leaves: events, progress.txt, its document, diff, bundle, and its webhooks. runs-6.1, runs-6.2.
import { z } from 'zod';
import { id, pageQuery } from '../../../contracts/common.ts';
import { deliveryAnswer, deliveryList } from '../../../contracts/delivery.ts';
import { eventsQuery } from '../../../contracts/event.ts';
import { runEventPage } from '../../../contracts/ralph/run-changes.ts';
import { storyId } from '../../../contracts/ralph/run.ts';
import { renderPrdYaml, toPrdDocument } from '../../../domain/prd/render.ts';
import type { RunDeps } from '../../../domain/runs/change/run-deps.ts';
import { listRunDeliveries, redeliverOfRun } from '../../../domain/runs/change/run-deliveries.ts';
import {
  followRun,
  readRunEvents,
  type FollowedRunEvent,
  type FollowRunDeps,
} from '../../../domain/runs/read/follow-run.ts';
import { getProgressLog } from '../../../domain/runs/read/read-learnings.ts';
import { getRunBundle, getRunDiff, getRunDocument } from '../../../domain/runs/read/run-outputs.ts';
import { operation, type Answer, type Operation, type SseFrame } from '../../pipeline/operation.ts';
import { encodeCursor, parsePage } from '../../pipeline/pagination.ts';
import { deliveryToWire } from '../tasks/delivery-wire.ts';
import { parseLastEventId } from '../tasks/task-wire.ts';
import { runEventToWire } from './story-wire.ts';

const byId = { params: z.object({ id }), names: 'run' as const };

export interface RunOutputDeps extends RunDeps, FollowRunDeps {
  /** Makes the sender of this process poll the outbox immediately. */
  readonly sender: { wake(): void };
}

export function runOutputOperations(deps: RunOutputDeps): Operation[] {
  return [eventsOperation(deps), ...textOperations(deps), bundleOperation(deps), ...deliveryOperationsOfRuns(deps)];
}

function eventsOperation(deps: RunOutputDeps): Operation {
  return operation({
    name: 'ralph.events',
    method: 'GET',
    path: '/v1/ralph/runs/:id/events',
    summary: 'List or stream the events of a run.',
    description: 'Streams with Accept: text/event-stream, resumable by Last-Event-ID. The stream ends with the run.',
    permission: 'ralph:read',
    ...byId,
    query: eventsQuery,
    answers: { 200: runEventPage },
    run: async (caller, { params, query, context }) => {
      if (!context.wantsStream) {
        const { events, next } = await readRunEvents(deps, caller, params.id, query.after, query.limit);
        return { status: 200, body: { events: events.map(runEventToWire), next } };
      }
      const after = parseLastEventId(context.lastEventId) ?? query.after;
      const { promise: started, resolve: onCaughtUp } = Promise.withResolvers<void>();
      const options = { runId: params.id, after, signal: context.signal, onCaughtUp };
      return { stream: frames(followRun(deps, caller, options)), started };
    },
  });
}

async function* frames(events: AsyncIterable<FollowedRunEvent>): AsyncGenerator<SseFrame, void, undefined> {
  for await (const event of events) {
    yield event.type === 'resync'
      ? { event: 'resync', data: { reason: 'this run has no event of that number; all events follow from the start' } }
      : { id: String(event.seq), event: event.type, data: runEventToWire(event) };
  }
}

function textAnswer(type: string, body: string): Answer {
  return { status: 200, headers: { 'content-type': `${type}; charset=utf-8` }, body };
}

function textOperations(deps: RunOutputDeps): Operation[] {
  return [
    operation({
      name: 'ralph.progress',
      method: 'GET',
      path: '/v1/ralph/runs/:id/progress.txt',
      summary: 'Get what a run has learnt as progress.txt.',
      permission: 'ralph:read',
      ...byId,
      mediaType: 'text/plain',
      answers: { 200: z.string() },
      run: async (caller, { params }) => textAnswer('text/plain', await getProgressLog(deps, caller, params.id)),
    }),
    operation({
      name: 'ralph.prd',
      method: 'GET',
      path: '/v1/ralph/runs/:id/prd',
      summary: 'Get the PRD of a run with passes and notes.',
      description: 'As YAML with Accept: application/yaml.',
      permission: 'ralph:read',
      ...byId,
      answers: { 200: z.union([z.record(z.string(), z.unknown()), z.string()]) },
      run: async (caller, { params, context }) => {
        const prd = await getRunDocument(deps, caller, params.id);
        return acceptsYaml(context.view.header('accept'))
          ? textAnswer('application/yaml', renderPrdYaml(prd))
          : { status: 200, body: toPrdDocument(prd) };
      },
    }),
    operation({
      name: 'ralph.diff',
      method: 'GET',
      path: '/v1/ralph/runs/:id/diff',
      summary: 'Get the diff of a run, or of one story.',
      permission: 'ralph:read',
      ...byId,
      query: z.strictObject({ story_id: storyId.optional() }),
      mediaType: 'text/x-diff',
      answers: { 200: z.string() },
      run: async (caller, { params, query }) =>
        textAnswer('text/x-diff', await getRunDiff(deps, caller, params.id, query.story_id)),
    }),
  ];
}

/** YAML has several names; the one that is registered is application/yaml (RFC 9512). */
function acceptsYaml(accept: string | undefined): boolean {
  return /\b(?:application|text)\/(?:x-)?yaml\b/i.test(accept ?? '');
}

function bundleOperation(deps: RunOutputDeps): Operation {
  return operation({
    name: 'ralph.bundle',
    method: 'GET',
    path: '/v1/ralph/runs/:id/bundle',
    summary: 'Get the commits of a run as a git bundle.',
    description: 'It exists after the last publish of the run.',
    permission: 'ralph:read',
    ...byId,
    mediaType: 'application/x-git-bundle',
    answers: { 200: z.string() },
    run: async (caller, { params }) => {
      const bundle = await getRunBundle(deps, caller, params.id);
      const name = `run-${params.id}.bundle`;
      return {
        pieces: onePiece(bundle),
        headers: {
          'content-type': 'application/x-git-bundle',
          'content-disposition': `attachment; filename="${name}"`,
          'content-length': String(bundle.byteLength),
          'cache-control': 'no-store',
        },
      };
    },
  });
}

// An async generator, because pieces are asynchronous: this one is there already.
// oxlint-disable-next-line typescript/require-await
async function* onePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  yield bytes;
}

function deliveryOperationsOfRuns(deps: RunOutputDeps): Operation[] {
  return [
    operation({
      name: 'ralph.deliveries',
      method: 'GET',
      path: '/v1/ralph/runs/:id/deliveries',
      summary: 'List the webhooks of a run, oldest first.',
      permission: 'ralph:read',
      ...byId,
      query: z.strictObject(pageQuery),
      answers: { 200: deliveryList },
      run: async (caller, { params, query }) => {
        const { items, next } = await listRunDeliveries(deps, caller, params.id, parsePage(query, 'uuid'));
        return { status: 200, body: { deliveries: items.map(deliveryToWire), next_cursor: encodeCursor(next) } };
      },
    }),
    operation({
      name: 'ralph.redeliver',
      method: 'POST',
      path: '/v1/ralph/runs/:id/deliveries/:delivery_id/redeliver',
      summary: 'Send a webhook of a run again.',
      description: 'The same bytes are sent under the same id.',
      permission: 'ralph:write',
      params: z.object({ id, delivery_id: id }),
      names: 'run',
      answers: { 202: deliveryAnswer },
      run: async (caller, { params }) => {
        const delivery = await redeliverOfRun(deps, caller, params.id, params.delivery_id);
        return { status: 202, body: { delivery: deliveryToWire(delivery) } };
      },
    }),
  ];
}
