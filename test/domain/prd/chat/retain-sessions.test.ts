// Retention of PRD chats: old ones are deleted with all their rows, others stay.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { retainPrdSessions } from '../../../../src/domain/prd/chat/retain-sessions.ts';
import { collectLoopAudit } from '../../../support/request-pipeline.ts';
import { prdDocument } from '../../../support/runs/new-run.ts';
import { newPrdSession } from '../../../support/runs/prd-chat.ts';
import { openService, type TestService } from '../../../support/service.ts';
import { openVerbs, type Verbs } from '../../../support/verbs.ts';

let service: TestService;
let verbs: Verbs;
beforeAll(async () => {
  service = await openService();
  verbs = await openVerbs(service.db);
});
afterAll(async () => {
  await verbs[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
});

it('drops what nobody has changed for RUN_RETENTION_DAYS, in every tenant, with an audit entry', async () => {
  const aged = async (title: string, days: number, status = 'idle', as: 'editor' | 'other' = 'editor') => {
    const id = await newPrdSession(service, { title, prd: prdDocument() }, as);
    await service.db.query(
      'update prd_sessions set updated_at = now() - make_interval(days => $2), status = $3 where id = $1',
      [id, days, status],
    );
  };
  await aged('old', 366);
  await aged('lately', 364);
  await aged('at work', 366, 'answering');
  await aged('of another tenant', 366, 'failed', 'other');
  const changes: unknown[] = [];
  await retainPrdSessions({ ...verbs, audit: collectLoopAudit(changes) }, 365, new AbortController().signal);
  const left = await service.db.query<{ title: string }>('select title from prd_sessions order by title');
  expect(left.map(({ title }) => title)).toEqual(['at work', 'lately']);
  const versions = await service.db.query('select from prd_versions');
  expect(versions).toHaveLength(2);
  expect(changes).toEqual([
    ['default', 'prd.retain', { sessions: 1, older_than_days: 365 }],
    ['other', 'prd.retain', { sessions: 1, older_than_days: 365 }],
  ]);
});
