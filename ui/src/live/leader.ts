// One stream for each browser: the tab that holds a lock reads it and passes the frames on to its siblings. A browser has six
// connections to a service for all tabs, and a stream in each would stop every other call.
import { FollowError, followMonitor, type MonitorFrame, type StreamState } from '../../../src/client/follow.ts';
import type { SwitchyardClient } from '../../../src/client/client.ts';
import { whenOnline } from './when-online.ts';

export interface LeaderOptions {
  readonly client: SwitchyardClient;
  /** Names the caller: tabs of different callers and tenants do not share a stream. */
  readonly name: string;
  readonly signal: AbortSignal;
  readonly onFrame: (frame: MonitorFrame) => void;
  readonly onState: (state: StreamState) => void;
}

type Message =
  | { readonly kind: 'frame'; readonly frame: MonitorFrame }
  | { readonly kind: 'state'; readonly state: StreamState; readonly lastId: string | undefined }
  | { readonly kind: 'hello' };

/** Follows the monitor until the signal aborts, by its own stream or that of the tab that leads. */
export async function followAsOneOfMany(options: LeaderOptions): Promise<void> {
  const { name, signal, onFrame, onState } = options;
  const channel = new BroadcastChannel(`switchyard_monitor:${name}`);
  let lastId: string | undefined;
  let state: StreamState | undefined;
  let isLeader = false;
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data.kind === 'hello') {
      if (isLeader && state !== undefined) channel.postMessage({ kind: 'state', state, lastId } satisfies Message);
    } else if (!isLeader) {
      if (data.kind === 'state') {
        lastId ??= data.lastId;
        onState(data.state);
      } else {
        lastId = data.frame.id ?? lastId;
        onFrame(data.frame);
      }
    }
  });
  const lead = async (): Promise<void> => {
    isLeader = true;
    const frames = followMonitor({
      client: options.client,
      signal,
      lastEventId: lastId,
      retryWhen: whenOnline,
      onState: (next) => {
        state = next;
        onState(next);
        channel.postMessage({ kind: 'state', state: next, lastId } satisfies Message);
      },
    });
    for await (const frame of frames) {
      lastId = frame.id ?? lastId;
      onFrame(frame);
      channel.postMessage({ kind: 'frame', frame } satisfies Message);
    }
  };
  try {
    channel.postMessage({ kind: 'hello' } satisfies Message);
    if ('locks' in navigator) await navigator.locks.request(`switchyard_monitor:${name}`, { signal }, lead);
    else await lead();
  } catch (error) {
    // The service refused the stream: the page goes on without it. A refused token shows the sign-in panel.
    if (!signal.aborted && !(error instanceof FollowError)) throw error;
  } finally {
    channel.close();
  }
}
