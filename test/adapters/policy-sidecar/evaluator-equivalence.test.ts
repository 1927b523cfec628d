// The local evaluator and a real Open Policy Agent: one decision, whatever is asked.
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPolicySidecar, questionText } from '../../../src/adapters/policy-sidecar/sidecar.ts';
import { evaluate } from '../../../src/domain/access/evaluate.ts';
import { allPermissions, roles, type Permission } from '../../../src/domain/model/access/permission.ts';
import type { Policy, PolicyQuery } from '../../../src/domain/ports/policy.ts';
import { findOpa, OpaServer } from '../../support/peers/opa.ts';
import { anyQuestion, plainQuestion } from '../../support/builders/policy-questions.ts';

const opa = findOpa();
const policies = path.resolve(import.meta.dirname, '../../../policies');
const run = promisify(execFile);

describe.skipIf(opa === undefined)('a real policy server', () => {
  const program = opa ?? '';
  let server: OpaServer;
  let policy: Policy & Disposable;
  beforeAll(async () => {
    server = await OpaServer.start(program);
    policy = openPolicySidecar({ url: server.url, now: () => performance.now(), log: () => {}, failed: () => {} });
  });
  afterAll(async () => {
    policy[Symbol.dispose]();
    await server[Symbol.asyncDispose]();
  });

  /** The policy server's answers to all of these, asked with one query in the words of the adapter. */
  async function decideAll(questions: readonly PolicyQuery[]): Promise<unknown[]> {
    const query = 'answers := [answer | some one in input; answer := data.switchyard.authz.allow with input as one]';
    const input = questions.map((question) => JSON.parse(questionText(question)).input);
    const answer = await fetch(new URL('/v1/query', server.url), {
      method: 'POST',
      body: JSON.stringify({ query, input }),
    });
    const { result } = (await answer.json()) as { result: { answers: unknown[] }[] };
    return result[0]?.answers ?? [];
  }

  async function compare(questions: readonly PolicyQuery[]): Promise<unknown[]> {
    const decided = await decideAll(questions);
    expect(decided).toHaveLength(questions.length);
    const differ = questions.filter((question, i) => evaluate(question) !== decided[i]);
    expect(differ).toEqual([]);
    return decided;
  }

  it('decides as the local evaluator on 5,000 generated questions [core-5.7.2, core-1.5.4]', async () => {
    const answers: unknown[] = [];
    await fc.assert(
      fc.asyncProperty(fc.array(anyQuestion, { minLength: 100, maxLength: 100 }), async (questions) => {
        answers.push(...(await compare(questions)));
      }),
      { numRuns: 50 },
    );
    expect(answers.length).toBeGreaterThanOrEqual(5_000);
    // Neither answer is rare: the comparison is not one of refusals alone.
    for (const answer of [true, false]) expect(answers.filter((one) => one === answer).length).toBeGreaterThan(500);
  });

  it('decides as the local evaluator on the whole matrix, with every scope and without [core-5.7.2, choices-4.33]', async () => {
    const scopesFor = (permission: Permission): (readonly string[] | null)[] => {
      const resource = permission.slice(0, permission.indexOf(':'));
      return [null, [], [permission], [`${resource}:*`], ['*:*'], ['okr:*']];
    };
    const questions = allPermissions().flatMap((permission) =>
      roles.flatMap((role) =>
        scopesFor(permission).flatMap((scopes) =>
          ['default', 'other'].flatMap((resourceTenantId) =>
            [null, 'token:a', 'token:b'].map((owner) => ({
              ...plainQuestion,
              permissions: [permission],
              roles: [role],
              scopes,
              resourceTenantId,
              owner,
            })),
          ),
        ),
      ),
    );
    expect(new Set(await compare(questions))).toEqual(new Set([true, false]));
  });

  it('decides one by one, over the service’s own connections, as the local evaluator [core-5.7.2]', async () => {
    // A few at a time: a machine under load may keep a real server from three hundred answers in two seconds.
    for (let i = 0; i < 30; i += 1) {
      const questions = fc.sample(anyQuestion, 10);
      const decided = await Promise.all(questions.map(async (question) => policy.allows(question)));
      expect(decided).toEqual(questions.map(evaluate));
    }
  });

  it('refuses what is no question: a field missing, or of another kind', async () => {
    const good: Record<string, unknown> = {
      subject: 'token:a',
      roles: ['admin'],
      scopes: null,
      tenant_id: 'default',
      permissions: ['tasks:read'],
      resource_tenant_id: 'default',
      owner: null,
    };
    const decide = async (input: unknown): Promise<unknown> => {
      const answer = await fetch(server.url, { method: 'POST', body: JSON.stringify({ input }) });
      return answer.json();
    };
    expect(await decide(good)).toMatchObject({ result: true });
    const broken: unknown[] = Object.keys(good).map((name) => ({ ...good, [name]: undefined }));
    for (const name of Object.keys(good)) {
      for (const value of [7, true, {}, [7], { admin: true }]) broken.push({ ...good, [name]: value });
    }
    broken.push(null, 'admin', 7, [], {});
    for (const input of broken) expect([input, await decide(input)]).toMatchObject([input, { result: false }]);
    expect(await (await fetch(server.url, { method: 'POST', body: '{}' })).json()).toMatchObject({ result: false });
  });
});

describe.skipIf(opa === undefined)('the Rego policy', () => {
  const program = opa ?? '';

  it('passes its own tests, which cover it whole', async () => {
    const { stdout } = await run(program, ['test', '--coverage', '--format', 'json', '--threshold', '100', policies]);
    expect(JSON.parse(stdout)).toMatchObject({ coverage: 100 });
  });

  it('is strict, and written as its formatter writes it', async () => {
    await run(program, ['check', '--strict', policies]);
    expect((await run(program, ['fmt', '--diff', policies])).stdout).toBe('');
  });
});
