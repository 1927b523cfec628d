// The scene of the queue's tests: a database of the file's own, the verbs on it, and functions that call them. Nothing ticks;
// after each test the database itself is asked whether all is whole.
import { afterAll, afterEach, beforeAll } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../database/database.ts';
import { assertInvariants } from '../database/invariants.ts';
import { openVerbs, type Verbs } from '../verbs.ts';
import { createQueueDriver, type QueueDriver } from './queue-driver.ts';

export interface QueueFixture {
  readonly db: TestDatabase;
  readonly verbs: Verbs;
  readonly driver: QueueDriver;
}

/** Sets the scene before this file's tests and strikes it after them. What the function gives is there in tests only. */
export function useQueueFixture(): () => QueueFixture {
  let fixture: QueueFixture | undefined;
  const current = (): QueueFixture => {
    if (fixture === undefined) throw new Error('the scene is set before the tests, not before');
    return fixture;
  };
  beforeAll(async () => {
    const db = await cloneDatabase();
    const verbs = await openVerbs(db);
    fixture = { db, verbs, driver: createQueueDriver(verbs, db) };
  });
  afterEach(() => assertInvariants(current().db));
  afterAll(async () => {
    await fixture?.verbs[Symbol.asyncDispose]();
    await fixture?.db[Symbol.asyncDispose]();
  });
  return current;
}
