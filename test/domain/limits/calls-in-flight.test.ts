// Places for calls in flight: an eighth for a subject, half for a tenant, whichever keys they call by.
import { expect, it } from 'vitest';
import { CallsInFlight, type CallSlot } from '../../../src/domain/limits/calls-in-flight.ts';

const bounds = { ofSubject: 2, ofTenant: 4, ofAll: 6 };

/** Lets calls in until one is refused. */
function fill(calls: CallsInFlight, homeTenantId: string, subject: string): CallSlot[] {
  const places: CallSlot[] = [];
  for (;;) {
    try {
      places.push(calls.acquire({ homeTenantId, subject }));
    } catch (error) {
      expect(error).toMatchObject({ kind: 'unavailable', code: 'overloaded', retryAfterSeconds: 1 });
      return places;
    }
  }
}

it('bounds calls per subject, per tenant and in total; a released slot can be taken again', () => {
  const calls = new CallsInFlight(bounds);
  const [first] = fill(calls, 'a', 'one');
  expect(fill(calls, 'a', 'one')).toHaveLength(0);
  expect(fill(calls, 'a', 'two')).toHaveLength(2);
  expect(fill(calls, 'a', 'three')).toHaveLength(0);
  expect(fill(calls, 'b', 'one')).toHaveLength(2);
  expect(fill(calls, 'c', 'one')).toHaveLength(0);
  first?.release();
  first?.release();
  expect(fill(calls, 'c', 'one')).toHaveLength(1);
});

it('a waiting call holds no slot, and takes one again when it goes on, even if all are taken', () => {
  const calls = new CallsInFlight(bounds);
  const [waiting, other] = fill(calls, 'a', 'one');
  waiting?.release();
  expect(fill(calls, 'a', 'one')).toHaveLength(1);
  waiting?.reacquire();
  waiting?.reacquire();
  other?.release();
  expect(fill(calls, 'a', 'one')).toHaveLength(0);
  waiting?.release();
  expect(fill(calls, 'a', 'one')).toHaveLength(1);
});
