// Any sequence of moves on the queue leaves the database as a simple model predicts, with all invariants.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../../../support/database/database.ts';
import { checkInvariants } from '../../../support/database/invariants.ts';
import { openVerbs, type Verbs } from '../../../support/verbs.ts';
import { anyMove, ModelPlayer } from '../../../support/queue/model-player.ts';

let db: TestDatabase;
let verbs: Verbs;
beforeAll(async () => {
  db = await cloneDatabase();
  verbs = await openVerbs(db);
});
afterAll(async () => {
  await verbs[Symbol.asyncDispose]();
  await db[Symbol.asyncDispose]();
});

it('any sequence of moves ends as the model says, with one terminal state each and a log without a gap [choices-2.2, choices-2.27, core-2.5.3]', async () => {
  const full = process.env['SCALE'] === 'full';
  await fc.assert(
    fc.asyncProperty(fc.array(anyMove, { minLength: 5, maxLength: full ? 80 : 40, size: 'max' }), async (moves) => {
      const play = new ModelPlayer(verbs, db);
      await play.begin();
      for (const next of moves) await play.step(next);
      await play.compare();
      expect(await checkInvariants(db)).toEqual([]);
    }),
    { numRuns: full ? 400 : 12 },
  );
}, 600_000);
