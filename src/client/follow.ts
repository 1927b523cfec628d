// Follows the events of a task, of a run, or of all of a tenant, across broken connections, each event once. Runs in browsers, too.
import type { operations } from './api.ts';
import type { Schemas, SwitchyardClient } from './client.ts';
import { followStream, type StreamOptions, type StreamSettings } from './stream.ts';

export { FollowError, isConnectionError, type StreamSettings, type StreamState } from './stream.ts';

export type TaskEvent = Schemas['TaskEvent'];

/** An event of a run; the members of `data` depend on its type. */
export type RunStreamEvent =
  operations['ralph.events']['responses'][200]['content']['application/json']['events'][number];

export interface FollowSettings extends StreamSettings {
  readonly client: SwitchyardClient;
  /** Called before the stream is opened again after an error. @param lastSeq the last event received; 0: none */
  readonly onReconnect?: (error: Error, lastSeq: number) => void;
  /** The last event that is known already. It must not be the last of the log: nothing follows that. @default 0, none */
  readonly after?: number;
  /** How many milliseconds the service may be unreachable before following fails. @default 120,000; a restart takes seconds */
  readonly giveUpMs?: number;
}

export interface FollowOptions extends FollowSettings {
  readonly taskId: string;
}

export interface FollowRunOptions extends FollowSettings {
  readonly runId: string;
}

const giveUpMs = 120_000;

/**
 * Yields the task's events from the first to the last, in order. Resumes with `Last-Event-ID`.
 * @throws FollowError when the task does not exist or the token may not read it; the last error once the service has been
 * unreachable for two minutes
 */
export function followTask({ taskId, ...settings }: FollowOptions): AsyncGenerator<TaskEvent, void, undefined> {
  return followEvents(settings, {
    open: (request) =>
      settings.client.GET('/v1/agent/tasks/{id}/events', { ...request, params: { path: { id: taskId } } }),
    isEvent: isTaskEvent,
    isLast: (event) => event.type === 'status' && event.data.final,
  });
}

/** Yields the run's events from the first to the one of its end. Otherwise as `followTask`. */
export function followRun({ runId, ...settings }: FollowRunOptions): AsyncGenerator<RunStreamEvent, void, undefined> {
  return followEvents(settings, {
    open: (request) =>
      settings.client.GET('/v1/ralph/runs/{id}/events', { ...request, params: { path: { id: runId } } }),
    isEvent: isRunEvent,
    isLast: ({ type, data }) => type === 'run' && finalStatuses.some((status) => status === data['status']),
  });
}

const finalStatuses = ['completed', 'failed', 'cancelled'] as const;

/** One kind of log: how its stream is opened, which frames are its events, and which one is the last. */
interface EventSource<E> extends Pick<StreamOptions, 'open'> {
  isEvent(value: unknown): value is E;
  isLast(event: E): boolean;
}

async function* followEvents<E extends { readonly seq: number }>(
  { after = 0, onReconnect, client: _client, ...settings }: FollowSettings,
  source: EventSource<E>,
): AsyncGenerator<E, void, undefined> {
  let lastSeq = after;
  const frames = followStream({
    giveUpMs,
    ...settings,
    open: source.open,
    lastEventId: after === 0 ? undefined : String(after),
    onError: (error) => onReconnect?.(error, lastSeq),
  });
  for await (const frame of frames) {
    const event = parseJson(frame.data);
    // `resync` and frames of later versions are not events of the log. After a `resync` the known events come again.
    if (!source.isEvent(event) || event.seq <= lastSeq) continue;
    lastSeq = event.seq;
    yield event;
    if (source.isLast(event)) return;
  }
}

export interface FollowMonitorOptions extends StreamSettings {
  readonly client: SwitchyardClient;
  /** Types of frames to receive. @default all */
  readonly types?: readonly MonitorFrameType[];
  /** True: only frames of what the caller created. */
  readonly onlyMine?: boolean;
  /** The id of the last frame that is known already. @default the stream begins now */
  readonly lastEventId?: string | undefined;
}

interface MonitorData {
  readonly status: Schemas['MonitorStatus'];
  readonly message: Schemas['MonitorMessage'];
  readonly worker: Schemas['MonitorWorker'];
  readonly run: Schemas['MonitorRun'];
  readonly attention: Schemas['MonitorAttention'];
  /** Everything up to the frame's id is known. */
  readonly connected: Readonly<Record<string, unknown>>;
  /** The position cannot be served any more: everything follows from the start, and lists should be read again. */
  readonly resync: Readonly<Record<string, unknown>>;
}

export type MonitorFrameType = Exclude<keyof MonitorData, 'connected' | 'resync'>;

/** One frame; `id` resumes after it. */
export type MonitorFrame = {
  [K in keyof MonitorData]: { readonly type: K; readonly id: string | undefined; readonly data: MonitorData[K] };
}[keyof MonitorData];

/**
 * Yields the frames of `GET /v1/monitor/stream` until `signal` aborts, from now or from `lastEventId` on, and never gives up.
 * @throws FollowError when the service rejects the stream
 */
export async function* followMonitor(options: FollowMonitorOptions): AsyncGenerator<MonitorFrame, void, undefined> {
  const { client, types, onlyMine, ...settings } = options;
  const query = {
    types: types?.join(','),
    only: onlyMine === true ? ('mine' as const) : undefined,
  };
  const open: StreamOptions['open'] = (request) => client.GET('/v1/monitor/stream', { ...request, params: { query } });
  for await (const { id, event: type, data } of followStream({ ...settings, open })) {
    const frame = { type, id, data: parseJson(data) };
    // Frames of later versions are skipped.
    if (isMonitorFrame(frame)) yield frame;
  }
}

const monitorFrameTypes: Readonly<Record<keyof MonitorData, true>> = {
  status: true,
  message: true,
  worker: true,
  run: true,
  attention: true,
  connected: true,
  resync: true,
};

function isMonitorFrame(frame: { readonly type?: string; readonly data: unknown }): frame is MonitorFrame {
  return Object.hasOwn(monitorFrameTypes, frame.type ?? '') && typeof frame.data === 'object' && frame.data !== null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isTaskEvent(value: unknown): value is TaskEvent {
  return isNumberedEvent(value);
}

function isRunEvent(value: unknown): value is RunStreamEvent {
  return isNumberedEvent(value);
}

function isNumberedEvent(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return 'seq' in value && typeof value.seq === 'number' && 'type' in value && 'data' in value;
}
