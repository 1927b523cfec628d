// The questions to a policy server, the answers that are accepted, and how long they are kept.
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DecisionCache } from '../../../src/adapters/policy-sidecar/decision-cache.ts';
import { openPolicySidecar, questionText } from '../../../src/adapters/policy-sidecar/sidecar.ts';
import type { Policy, PolicyQuery } from '../../../src/domain/ports/policy.ts';
import { decision, FaultyPolicyServer, type FaultyAnswer } from '../../support/peers/faulty-policy-server.ts';
import { anyQuestion, plainQuestion } from '../../support/builders/policy-questions.ts';

let server: FaultyPolicyServer;
let policy: Policy & Disposable;
let clock = 0;
let logged: string[] = [];
let failures = 0;
const failed = (): void => void failures++;
beforeEach(async () => {
  server = await FaultyPolicyServer.start();
  [clock, logged, failures] = [0, [], 0];
  policy = openPolicySidecar({ url: server.url, now: () => clock, log: (line) => logged.push(line), failed });
});
afterEach(async () => {
  policy[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
});

/** Another question each time. */
function question(subject: string): PolicyQuery {
  return { ...plainQuestion, subject };
}

function json(value: unknown, status = 200): FaultyAnswer {
  return (response) => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

async function requestDecision(policyQuestion: PolicyQuery): Promise<boolean> {
  return policy.allows(policyQuestion);
}

const refusal = expect.objectContaining({ kind: 'unavailable', code: 'policy_unavailable', retryAfterSeconds: 1 });

describe('a policy server', () => {
  it('is posted the whole question as the input document of Open Policy Agent [core-5.7.2, choices-1.22]', async () => {
    const policyQuestion: PolicyQuery = {
      subject: 'token:a',
      roles: ['viewer', 'agent'],
      scopes: ['tasks:read', 'a2a:*'],
      tenantId: 'default',
      permissions: ['tasks:read'],
      resourceTenantId: 'other',
      owner: 'token:b',
    };
    expect(await policy.allows(policyQuestion)).toBe(true);
    expect(server.requests.map((body) => JSON.parse(body))).toEqual([
      {
        input: {
          subject: 'token:a',
          roles: ['agent', 'viewer'],
          scopes: ['a2a:*', 'tasks:read'],
          tenant_id: 'default',
          permissions: ['tasks:read'],
          resource_tenant_id: 'other',
          owner: 'token:b',
        },
      },
    ]);
    server.lie = decision(false);
    expect(await policy.allows({ ...policyQuestion, owner: null })).toBe(false);
  });

  const lies: [string, FaultyAnswer][] = [
    ['an empty object, as for a policy that is not there', json({})],
    ['a result that is a text', json({ result: 'true' })],
    ['a result that is a number', json({ result: 1 })],
    ['a result that is null', json({ result: null })],
    ['a result within a result', json({ result: { result: true } })],
    ['a list', json([{ result: true }])],
    ['a bare true', json(true)],
    ['null', json(null)],
    ['no body', (response) => response.setHeader('content-type', 'application/json').end()],
    ['half a body', (response) => response.setHeader('content-type', 'application/json').end('{"result":true')],
    ['a page', (response) => response.setHeader('content-type', 'text/html').end('<h1>It works: true</h1>')],
    [
      'JSON that calls itself a page',
      (response) => response.setHeader('content-type', 'text/html').end('{"result":true}'),
    ],
    ['500 with a decision', json({ result: true }, 500)],
    ['503', (response) => response.writeHead(503).end()],
    ['404', json({ result: true }, 404)],
    ['201 with a decision', json({ result: true }, 201)],
    ['204', (response) => response.writeHead(204).end()],
    ['too much', json({ padding: 'x'.repeat(70_000), result: true })],
    ['a closed connection', (response) => response.destroy()],
    [
      'a head and then a closed connection',
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': 15 }).write('{"resu');
        setImmediate(() => response.destroy());
      },
    ],
  ];
  it.each(lies)('that answers %s has decided nothing: refused, as unavailable', async (_, lie) => {
    server.lie = lie;
    await expect(policy.allows(plainQuestion)).rejects.toEqual(refusal);
  });

  it('that sends elsewhere is not followed', async () => {
    await using other = await FaultyPolicyServer.start();
    server.lie = (response) => response.writeHead(307, { location: other.url }).end();
    await expect(policy.allows(plainQuestion)).rejects.toEqual(refusal);
    expect(other.requests).toEqual([]);
  });

  const slow: [string, FaultyAnswer][] = [
    ['says nothing', () => undefined],
    [
      'says its head and no more',
      (response) => response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders(),
    ],
    [
      'drips',
      (response) => {
        response.setHeader('content-type', 'application/json');
        const timer = setInterval(() => response.write(' '), 50);
        response.once('close', () => clearInterval(timer));
      },
    ],
  ];
  it.each(slow)('that %s is waited for two seconds in all, its connection is closed', async (_, lie) => {
    server.lie = lie;
    await expect(policy.allows(plainQuestion)).rejects.toEqual(refusal);
    server.lie = decision(true);
    expect(await policy.allows(plainQuestion)).toBe(true);
    expect(server.connections).toBe(1);
  });

  it('that is not there refuses at once, and works at once when it is', async () => {
    const gone = await FaultyPolicyServer.start();
    const { url } = gone;
    await gone[Symbol.asyncDispose]();
    using to = openPolicySidecar({ url, now: () => clock, log: (line) => logged.push(line), failed });
    await expect(to.allows(plainQuestion)).rejects.toEqual(refusal);
    await expect(to.allows(plainQuestion)).rejects.toEqual(refusal);
    expect(logged).toEqual(['policy server unavailable: denying all calls']);
    expect(failures).toBeGreaterThan(0);
  });

  it('that closed the kept connection is asked once more, on a new one', async () => {
    expect(await policy.allows(question('first'))).toBe(true);
    let cut = false;
    server.lie = (response, body) => {
      if (cut) return decision(true)(response, body);
      cut = true;
      response.destroy();
    };
    expect(await policy.allows(question('second'))).toBe(true);
    expect(server.requests).toHaveLength(3);
  });

  it('is logged once when it fails and once when it recovers', async () => {
    server.lie = json({});
    await expect(policy.allows(question('a'))).rejects.toEqual(refusal);
    await expect(policy.allows(question('b'))).rejects.toEqual(refusal);
    server.lie = decision(true);
    expect(await policy.allows(question('c'))).toBe(true);
    expect(logged).toEqual(['policy server unavailable: denying all calls', 'policy server available again']);
  });
});

describe('a decision', () => {
  it('is asked for once by equal questions at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => requestDecision(plainQuestion)));
    expect(new Set(answers)).toEqual(new Set([true]));
    expect(server.requests).toHaveLength(1);
  });

  it('is remembered for five seconds from its question, and no longer', async () => {
    expect(await policy.allows(plainQuestion)).toBe(true);
    server.lie = decision(false);
    clock = 4_999;
    expect(await policy.allows(plainQuestion)).toBe(true);
    clock = 5_000;
    expect(await policy.allows(plainQuestion)).toBe(false);
    expect(server.requests).toHaveLength(2);
  });

  it('that was none is not remembered', async () => {
    server.lie = json({});
    await expect(policy.allows(plainQuestion)).rejects.toEqual(refusal);
    server.lie = decision(true);
    expect(await policy.allows(plainQuestion)).toBe(true);
  });

  it('that was used the longest ago makes room for a new one', () => {
    const decisions = new DecisionCache(3);
    for (const name of ['a', 'b', 'c']) decisions.set(name, true, 10);
    decisions.get('a', 0);
    decisions.set('d', false, 10);
    expect(['a', 'b', 'c', 'd'].map((name) => decisions.get(name, 0))).toEqual([true, undefined, true, false]);
  });

  it('holds for exactly its question: no two that differ in any field share one [core-5.6.3, choices-4.33]', () => {
    const sorted = (policyQuestion: PolicyQuery): unknown => ({
      ...policyQuestion,
      roles: policyQuestion.roles.toSorted(),
      scopes: policyQuestion.scopes?.toSorted() ?? null,
      permissions: policyQuestion.permissions.toSorted(),
    });
    const fields = Object.keys(plainQuestion).filter((name): name is keyof PolicyQuery => name in plainQuestion);
    fc.assert(
      fc.property(anyQuestion, anyQuestion, fc.subarray(fields, { minLength: 1 }), (one, other, changed) => {
        const mixed = { ...one, ...Object.fromEntries(changed.map((name) => [name, other[name]])) };
        const same = JSON.stringify(sorted(one)) === JSON.stringify(sorted(mixed));
        expect(questionText(one) === questionText(mixed)).toBe(same);
      }),
      { numRuns: 5_000 },
    );
  });

  it('is the same whatever the order of roles, scopes and permissions', () => {
    fc.assert(
      fc.property(anyQuestion, (policyQuestion) => {
        const turned = {
          ...policyQuestion,
          roles: policyQuestion.roles.toReversed(),
          scopes: policyQuestion.scopes?.toReversed() ?? null,
          permissions: policyQuestion.permissions.toReversed(),
        };
        expect(questionText(turned)).toBe(questionText(policyQuestion));
      }),
    );
  });

  it('of a wide key is none of a narrowed one', async () => {
    server.lie = (response, body) => decision(JSON.parse(body).input.scopes === null)(response, body);
    expect(await policy.allows(plainQuestion)).toBe(true);
    for (const scopes of [[], ['tasks:read'], ['tasks:write', 'x']]) {
      expect(await policy.allows({ ...plainQuestion, scopes })).toBe(false);
    }
  });
});
