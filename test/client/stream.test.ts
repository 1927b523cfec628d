// The follower of event streams: states, positions, waits, and what ends it.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FollowError, followStream, type StreamRequest, type StreamState } from '../../src/client/stream.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Answer = (request: StreamRequest) => Response;

/** Calls whose answers are the given ones, in turn; the last one repeats. */
function opener(...answers: Answer[]) {
  const requests: StreamRequest[] = [];
  return {
    requests,
    open: (request: StreamRequest) => {
      const answer = answers[Math.min(requests.length, answers.length - 1)];
      requests.push(request);
      if (answer === undefined) return Promise.reject(new TypeError('no answer'));
      try {
        const response = answer(request);
        const problem = { type: 't', title: 't', status: response.status, detail: 'No.', code: 'c', request_id: 'r' };
        return Promise.resolve({ response, ...(response.ok ? { data: response.body } : { error: problem }) });
      } catch (error) {
        return Promise.reject(error instanceof Error ? error : new Error('?'));
      }
    },
  };
}

const sends =
  (text: string): Answer =>
  () =>
    new Response(text);

/** Sends a text and then nothing, until the request is aborted. */
const hangs =
  (text: string): Answer =>
  ({ signal }) =>
    new Response(
      new ReadableStream({
        start(controller) {
          if (text !== '') controller.enqueue(new TextEncoder().encode(text));
          signal.addEventListener('abort', () => controller.error(signal.reason));
        },
      }),
    );

const refuses = (status: number, headers?: Record<string, string>): Answer => {
  const init = headers === undefined ? { status } : { status, headers };
  return () => new Response('', init);
};
const fails: Answer = () => {
  throw new TypeError('fetch failed');
};

interface Followed {
  readonly frames: string[];
  readonly states: StreamState[];
  readonly over: Promise<unknown>;
}

function follow(options: Parameters<typeof followStream>[0]): Followed {
  const frames: string[] = [];
  const states: StreamState[] = [];
  const read = async (): Promise<void> => {
    const stream = followStream({ ...options, onState: (state) => states.push(state) });
    for await (const { data } of stream) frames.push(data);
  };
  return {
    frames,
    states,
    over: read().then(
      () => 'ended',
      (error: unknown) => error,
    ),
  };
}

describe('a follower', () => {
  it('asks for events with the last position it has seen, from the given one on [ui-3.3.1]', async () => {
    const stop = new AbortController();
    const { open, requests } = opener(sends('id: 7\ndata: a\n\n'), sends('data: b\n\n'), hangs('id: 9\ndata: c\n\n'));
    const { frames, over } = follow({ open, lastEventId: '3', signal: stop.signal });
    await vi.advanceTimersByTimeAsync(2_000);
    expect(frames).toEqual(['a', 'b', 'c']);
    expect(requests.map(({ headers }) => headers)).toEqual(
      ['3', '7', '7'].map((id) => ({ accept: 'text/event-stream', 'last-event-id': id })),
    );
    stop.abort();
    expect(await over).toBe('ended');
  });

  it('counts a stream as dead after 30 s without a byte, and opens it again [ui-3.3.2] [ui-3.3.6]', async () => {
    const stop = new AbortController();
    const { open, requests } = opener(hangs('data: a\n\n'), hangs('data: b\n\n'));
    const begun = Date.now();
    const { frames, states, over } = follow({ open, signal: stop.signal });
    await vi.advanceTimersByTimeAsync(29_900);
    expect(requests).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(700);
    expect(frames).toEqual(['a', 'b']);
    expect(states).toEqual([{ name: 'live' }, { name: 'stale', since: begun }, { name: 'live' }]);
    stop.abort();
    expect(await over).toBe('ended');
  });

  it('takes a comment for a sign of life [ui-3.3.2]', async () => {
    const stop = new AbortController();
    const heartbeats: Answer = ({ signal }) =>
      new Response(
        new ReadableStream({
          start(controller) {
            const timer = setInterval(() => controller.enqueue(new TextEncoder().encode(': heartbeat\n\n')), 15_000);
            signal.addEventListener('abort', () => {
              clearInterval(timer);
              controller.error(signal.reason);
            });
          },
        }),
      );
    const { open, requests } = opener(heartbeats);
    const { states, over } = follow({ open, signal: stop.signal });
    await vi.advanceTimersByTimeAsync(120_000);
    expect([requests.length, states]).toEqual([1, [{ name: 'live' }]]);
    stop.abort();
    expect(await over).toBe('ended');
  });

  it('waits 0.25 to 15 s between its calls, longer each time, and not at equal times [ui-3.3.3]', async () => {
    const stop = new AbortController();
    const at: number[] = [];
    const { open } = opener(fails);
    const { states, over } = follow({
      open: (request) => {
        at.push(Date.now());
        return open(request);
      },
      signal: stop.signal,
    });
    await vi.advanceTimersByTimeAsync(600_000);
    const waits = at.slice(1).map((time, index) => time - (at[index] ?? 0));
    for (const ms of waits) expect(ms >= 250 && ms <= 15_000).toBe(true);
    expect(waits[0]).toBeLessThanOrEqual(500);
    expect(Math.max(...waits)).toBeGreaterThan(7_500);
    expect(new Set(waits).size).toBeGreaterThan(waits.length / 2);
    expect(states.map(({ name }) => name)).toEqual(['reconnecting', 'stale']);
    stop.abort();
    expect(await over).toBe('ended');
  });

  it('begins with short waits again after data has arrived [ui-3.3.3]', async () => {
    const stop = new AbortController();
    const { open, requests } = opener(
      fails,
      fails,
      fails,
      fails,
      fails,
      fails,
      sends('data: a\n\n'),
      hangs('data: b\n\n'),
    );
    const { frames, over } = follow({ open, signal: stop.signal });
    while (frames.length === 0) await vi.advanceTimersByTimeAsync(100);
    await vi.advanceTimersByTimeAsync(500);
    expect([frames, requests.length]).toEqual([['a', 'b'], 8]);
    stop.abort();
    expect(await over).toBe('ended');
  });

  it('waits as long as the service asks for [ui-3.3.3]', async () => {
    const stop = new AbortController();
    const { open, requests } = opener(refuses(429, { 'retry-after': '40' }), hangs('data: a\n\n'));
    const { over } = follow({ open, signal: stop.signal });
    await vi.advanceTimersByTimeAsync(39_000);
    expect(requests).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(requests).toHaveLength(2);
    stop.abort();
    expect(await over).toBe('ended');
  });

  it.each([401, 403, 404])('ends with the problem of a %i [ui-3.3.4]', async (status) => {
    const { open, requests } = opener(sends('data: a\n\n'), refuses(status));
    const { over } = follow({ open });
    await vi.advanceTimersByTimeAsync(1_000);
    const error = await over;
    expect(error).toBeInstanceOf(FollowError);
    expect(error).toMatchObject({ status, message: 'No.', problem: { code: 'c' } });
    expect(requests).toHaveLength(2);
  });

  it('reconnects at once when a reason to do so occurs, and ends the subscription [ui-3.3.5]', async () => {
    const stop = new AbortController();
    const { open, requests } = opener(refuses(503, { 'retry-after': '600' }), hangs('data: a\n\n'));
    const waiting = new Set<() => void>();
    const { frames, over } = follow({
      open,
      signal: stop.signal,
      retryWhen: (retry) => {
        waiting.add(retry);
        return () => waiting.delete(retry);
      },
    });
    await vi.advanceTimersByTimeAsync(1_000);
    expect([requests.length, waiting.size]).toEqual([1, 1]);
    for (const retry of waiting) retry();
    await vi.advanceTimersByTimeAsync(0);
    expect([frames, waiting.size]).toEqual([['a'], 0]);
    stop.abort();
    expect(await over).toBe('ended');
  });

  it('gives up where its caller wants that', async () => {
    const { open } = opener(fails);
    const { over } = follow({ open, giveUpMs: 60_000 });
    await vi.advanceTimersByTimeAsync(90_000);
    expect(await over).toBeInstanceOf(TypeError);
  });
});
