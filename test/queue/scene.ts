// The scene of the queue's tests: a database of the file's own, the verbs on it and hands to move them. Nothing ticks;
// after each test the database itself is asked whether all is whole.
import { afterAll, afterEach, beforeAll } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../support/database.ts';
import { mustBeWhole } from '../support/invariants.ts';
import { openVerbs, type Verbs } from '../support/verbs.ts';
import { handsOn, type Hands } from './hands.ts';

export interface QueueScene {
  readonly db: TestDatabase;
  readonly verbs: Verbs;
  readonly hands: Hands;
}

/** Sets the scene before this file's tests and strikes it after them. What the function gives is there in tests only. */
export function setQueueScene(): () => QueueScene {
  let scene: QueueScene | undefined;
  const set = (): QueueScene => {
    if (scene === undefined) throw new Error('the scene is set before the tests, not before');
    return scene;
  };
  beforeAll(async () => {
    const db = await cloneDatabase();
    const verbs = await openVerbs(db);
    scene = { db, verbs, hands: handsOn(verbs, db) };
  });
  afterEach(() => mustBeWhole(set().db));
  afterAll(async () => {
    await scene?.verbs[Symbol.asyncDispose]();
    await scene?.db[Symbol.asyncDispose]();
  });
  return set;
}
