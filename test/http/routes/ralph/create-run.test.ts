// Creating runs over REST and by tools: exact fields, both spellings, YAML and JSON, and what is refused. runs-6.1.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { called, textOf } from '../../../support/mcp/client.ts';
import {
  newRunId,
  openRunSite,
  postRun,
  prdDocument,
  storyDocument,
  type RunSite,
} from '../../../support/runs/new-run.ts';
import { openService, type ApiReply, type TestService } from '../../../support/service.ts';

let service: TestService;
let site: RunSite;
beforeAll(async () => {
  service = await openService();
  site = await openRunSite(service);
});
afterAll(() => service[Symbol.asyncDispose]());

const snakeDocument = {
  project: 'shop',
  branch_name: 'login',
  description: 'Login for the shop.',
  user_stories: [
    { id: 'US-001', title: 'Log in', description: 'As a user I log in.', acceptance_criteria: ['`npm test` passes'] },
  ],
};

const yamlDocument = `project: shop
branchName: login
description: Login for the shop.
userStories:
  - id: US-001
    title: Log in
    description: As a user I log in.
    acceptanceCriteria:
      - "\`npm test\` passes"
`;

describe('creating a run', () => {
  it('answers the exact fields, with the run as it is [runs-6.1.1, runs-6.1.14, runs-18.8, tools-2.3.1, tools-2.3.2, tools-2.3.3, tools-2.3.4, tools-2.3.6, tools-2.3.7, tools-3.1, tools-4.2.37]', async () => {
    const reply = await postRun(service, { codebase_id: site.codebaseId, max_iterations: 4 });
    expect(reply.status).toBe(201);
    const { run, ...rest } = reply.body;
    expect(rest).toEqual({
      success: true,
      run_id: expect.any(String),
      status: 'pending',
      current_iteration: 0,
      max_iterations: 4,
      message: 'Run created: 3 stories, at most 4 iterations each, on branch ralph/login.',
      warnings: expect.any(Array),
    });
    expect(run).toEqual({
      run_id: rest.run_id,
      status: 'pending',
      current_iteration: 0,
      max_iterations: 4,
      story_results: ['US-001', 'US-002', 'US-003'].map((id) => ({
        story_id: id,
        status: 'pending',
        result: expect.any(String),
        title: `Story ${id}`,
        phase: null,
        iteration: 0,
        commit: null,
        criteria: [{ index: 0, text: `\`npm test -- ${id}\` passes`, status: 'pending', by: null }],
      })),
      project: 'shop',
      branch_name: 'ralph/login',
      description: 'Login for the shop.',
      codebase_id: site.codebaseId,
      mode: 'sequential',
      max_parallel: 3,
      base_commit: null,
      head_commit: null,
      stories: { total: 3, pending: 3, running: 0, passed: 0, failed: 0 },
      questions: [],
      gates: [],
      budget: { usd: null, tokens: null, seconds: null, iterations: null },
      spent: { usd: null, tokens: 0, seconds: 0, iterations: 0, unpriced_steps: 0 },
      warnings: rest.warnings,
      error: null,
      retry_of: null,
      prd_session_id: null,
      conversation_id: null,
      created_by: 'token:editor',
      created_at: expect.any(String),
      updated_at: expect.any(String),
      started_at: null,
      completed_at: null,
    });
    const read = await service.call('GET', `/v1/ralph/runs/${rest.run_id}`, { as: 'viewer' });
    expect(read.body.run.story_results).toHaveLength(3);
  });

  it.each([
    ['the other spelling', snakeDocument],
    ['YAML text', yamlDocument],
    ['JSON text', JSON.stringify(snakeDocument)],
  ])('takes the document as %s', async (_form, prd) => {
    const reply = await postRun(service, { codebase_id: site.codebaseId, prd });
    expect([reply.status, reply.body.run?.branch_name]).toEqual([201, 'ralph/login']);
    expect(reply.body.run.story_results).toMatchObject([
      { story_id: 'US-001', title: expect.stringMatching(/Log in/) },
    ]);
  });

  it('takes a whole body in YAML [runs-6.1.1, tools-2.2.1]', async () => {
    const nested = yamlDocument.replaceAll(/^/gm, '  ').trimEnd();
    const raw = `codebase_id: ${site.codebaseId}\nmax_iterations: 2\nprd:\n${nested}\n`;
    const headers = { 'content-type': 'application/yaml' };
    const reply = await service.call('POST', '/v1/ralph/runs', { as: 'editor', raw, headers });
    expect(reply).toMatchObject({ status: 201, body: { max_iterations: 2 } });
    for (const bad of ['a: *b', 'a: &a [*a]', 'a: 1\na: 2', 'x: !!js/function "a"', '---\na: 1\n---\nb: 2']) {
      const refused = await service.call('POST', '/v1/ralph/runs', { as: 'editor', raw: bad, headers });
      expect([bad, refused.status, refused.body.code]).toEqual([bad, 400, 'invalid_prd']);
    }
  });

  it('keeps a branch that has the prefix, and takes every option [runs-6.1.18, tools-8.4]', async () => {
    const reply = await postRun(service, {
      codebase_id: site.codebaseId,
      prd: prdDocument({ branchName: 'ralph/shop' }),
      mode: 'parallel',
      max_parallel: 2,
      base: 'main',
      branch_policy: 'continue',
      agent: ['claude', 'codex'],
      model: 'one:small',
      verifier: { agent: 'codex' },
      gates: [{ id: 'test', command: 'npm test', timeoutSeconds: 60 }],
      setup: ['npm ci'],
      copy: ['.env.test'],
      baseline: 'ignore',
      unverifiable: 'fail',
      strict: true,
      budget: { usd: 2.5, tokens: 1000 },
      iteration_timeout_seconds: 600,
      merge: { into: 'main' },
      priority: 7,
      webhook_url: 'https://hooks.invalid/x',
      conversation_id: 'talk-1',
    });
    expect(reply.status).toBe(201);
    expect(reply.body.run).toMatchObject({
      branch_name: 'ralph/shop',
      mode: 'parallel',
      max_parallel: 2,
      budget: { usd: 2.5, tokens: 1000, seconds: null, iterations: null },
      gates: [{ id: 'test', command: 'npm test', source: 'declared', required: true, timeout_seconds: 60 }],
      conversation_id: 'talk-1',
    });
    const [row] = await service.db.query<{ options: unknown; priority: number }>(
      'select options, priority from ralph_runs where id = $1',
      [reply.body.run_id],
    );
    expect(row).toMatchObject({
      priority: 7,
      options: { agents: ['claude', 'codex'], base: 'main', branchPolicy: 'continue', mergeInto: 'main', strict: true },
    });
  });

  it('takes stories that have passed before as passed, and warns', async () => {
    const userStories = [storyDocument('US-001', { passes: true }), storyDocument('US-002')];
    const { body } = await postRun(service, { codebase_id: site.codebaseId, prd: prdDocument({ userStories }) });
    expect(body.run.stories).toMatchObject({ total: 2, passed: 1, pending: 1 });
    expect(body.warnings.map(({ code }: { code: string }) => code)).toContain('passed_by_import');
  });

  it('by the same Idempotency-Key is one run [runs-6.1.2]', async () => {
    const headers = { 'idempotency-key': 'once' };
    const body = { codebase_id: site.codebaseId };
    const [first, second] = await Promise.all([
      postRun(service, body, { headers }),
      postRun(service, body, { headers }),
    ]);
    expect(second.body.run_id).toBe(first.body.run_id);
    const replays = [first, second].filter((reply) => reply.headers.get('idempotency-replayed') === 'true');
    expect(replays).toHaveLength(1);
    const other = await postRun(service, { ...body, max_iterations: 2 }, { headers });
    expect(other).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
  });

  it('needs a codebase: the given one, else the active one, never global [runs-6.1.15, runs-18.6]', async () => {
    expect(await postRun(service, {})).toMatchObject({ status: 400, body: { code: 'no_codebase' } });
    expect(await postRun(service, { codebase_id: 'global' })).toMatchObject({
      status: 400,
      body: { code: 'no_codebase' },
    });
    const unknown = await postRun(service, { codebase_id: '01a1fe3a-a67c-7000-bbb2-66e11402a1ff' });
    expect(unknown).toMatchObject({ status: 404, body: { code: 'codebase_not_found' } });
    await called(service, 'set_active_codebase', { codebase_id: site.codebaseId }, 'operator');
    const active = await postRun(service, {}, { as: 'operator' });
    expect([active.status, active.body.run.codebase_id]).toEqual([201, site.codebaseId]);
  });
});

describe('a document that no run can take', () => {
  const cases: [string, unknown, string, string?][] = [
    ['an unknown field', prdDocument({ surprise: 1 }), 'invalid_prd', 'surprise'],
    ['both spellings at once', { ...prdDocument(), branch_name: 'x' }, 'invalid_prd'],
    ['no stories', prdDocument({ userStories: [] }), 'invalid_prd'],
    [
      '101 stories',
      prdDocument({ userStories: Array.from({ length: 101 }, (_, i) => storyDocument(`S${i}`)) }),
      'invalid_prd',
    ],
    ['an id twice', prdDocument({ userStories: [storyDocument('A'), storyDocument('A')] }), 'invalid_prd'],
    [
      'a cycle',
      prdDocument({
        userStories: [storyDocument('A', { dependsOn: ['B'] }), storyDocument('B', { dependsOn: ['A'] })],
      }),
      'invalid_prd',
    ],
    [
      'a story that depends on nothing known',
      prdDocument({ userStories: [storyDocument('A', { dependsOn: ['Z'] })] }),
      'invalid_prd',
    ],
    ['a hostile id', prdDocument({ userStories: [storyDocument('../A')] }), 'invalid_prd'],
    ['a blank text', prdDocument({ description: ' ' }), 'invalid_prd', 'description'],
    ['a YAML bomb', `a: &a [x,x]\nb: &b [*a,*a]\n${'c: [*b,*b]\n'.repeat(60)}`, 'invalid_prd'],
    ['a number', 7, 'invalid_request'],
    ...['-x', 'a..b', 'a b', 'x.lock', 'HEAD', 'x~1', 'a//b', '/a'].map((name): [string, unknown, string] => [
      `the branch ${name}`,
      prdDocument({ branchName: name }),
      'bad_branch_name',
    ]),
  ];
  it.each(cases)(
    'with %s is 400 with the path of each fault [runs-5.16, runs-6.1.15]',
    async (_what, prd, code, field) => {
      const reply = await postRun(service, { codebase_id: site.codebaseId, prd });
      expect([reply.status, reply.body.code]).toEqual([400, code]);
      expect(reply.body.errors.length).toBeGreaterThan(0);
      if (field !== undefined) expect(reply.body.errors[0].path.endsWith(field)).toBe(true);
      const lint = await service.call('POST', '/v1/ralph/lint', { as: 'viewer', body: { prd } });
      expect([lint.status, lint.body.valid, lint.body.errors.length > 0]).toEqual([200, false, true]);
    },
  );

  it.each([
    [{ max_iterations: 0 }, 'invalid_request'],
    [{ max_iterations: 101 }, 'invalid_request'],
    [{ max_parallel: 11 }, 'invalid_request'],
    [{ budget: { usd: -1 } }, 'invalid_request'],
    [{ base: '--upload-pack=x' }, 'invalid_request'],
    [{ merge: { into: '-x' } }, 'bad_branch_name'],
    [{ copy: ['../secret'] }, 'invalid_prd'],
    [{ copy: ['/etc/passwd'] }, 'invalid_prd'],
    [{ gates: [{ id: 'a', command: '' }] }, 'invalid_prd'],
    [{ webhook_url: 'http://127.0.0.1/x' }, 'invalid_request'],
    [{ surprise: 1 }, 'invalid_request'],
  ])('nor one with the options %j', async (options, code) => {
    const reply = await postRun(service, { codebase_id: site.codebaseId, ...options });
    expect([reply.status, reply.body.code]).toEqual([400, code]);
  });
});

describe('the tools', () => {
  const args = (): Record<string, unknown> => ({ ...snakeDocument, codebase_id: site.codebaseId, max_iterations: 5 });

  it('create, read, and list runs with the exact fields [runs-6.3.1, tools-1.1.3, tools-2.2.7, tools-4.2.20, tools-4.2.21, tools-4.2.22, tools-4.2.31, tools-4.2.31.2, tools-4.2.32, tools-4.2.33]', async () => {
    const created = await called(service, 'ralph_create_run', args(), 'editor');
    expect(created.structuredContent).toEqual({
      success: true,
      run_id: expect.any(String),
      status: 'pending',
      current_iteration: 0,
      max_iterations: 5,
      message: 'Run created: 1 story, at most 5 iterations each, on branch ralph/login.',
      warnings: expect.any(Array),
    });
    const run_id = String(created.structuredContent?.['run_id']);
    const read = await called(service, 'ralph_get_run', { run_id }, 'editor');
    expect(read.structuredContent).toEqual({
      run_id,
      status: 'pending',
      current_iteration: 0,
      max_iterations: 5,
      story_results: [
        {
          story_id: 'US-001',
          status: 'pending',
          result: expect.any(String),
          title: 'Log in',
          iteration: 0,
          commit: null,
        },
      ],
      project: 'shop',
      branch_name: 'ralph/login',
      codebase_id: site.codebaseId,
      head_commit: null,
      questions: [],
      spent: { usd: null, tokens: 0, seconds: expect.any(Number), iterations: 0, unpriced_steps: 0 },
      error: null,
    });
    const listed = await called(service, 'ralph_list_runs', { codebase_id: site.codebaseId, limit: 1 }, 'editor');
    expect(listed.structuredContent).toEqual({
      runs: [
        {
          run_id,
          status: 'pending',
          current_iteration: 0,
          max_iterations: 5,
          project: 'shop',
          branch_name: 'ralph/login',
          codebase_id: site.codebaseId,
          stories: { total: 1, passed: 0, failed: 0 },
          created_at: expect.any(String),
        },
      ],
      next_cursor: expect.any(String),
    });
  });

  it('report to a model the fault of its document, and an unknown run', async () => {
    const refused = await called(service, 'ralph_create_run', { ...args(), branch_name: '-x' }, 'editor');
    expect([refused.isError, textOf(refused)]).toEqual([true, expect.stringContaining('branch')]);
    const missing = await called(service, 'ralph_get_run', { run_id: 'nonsense' }, 'editor');
    expect(textOf(missing)).toContain('ralph_list_runs');
  });
});

describe('runs', () => {
  it('are listed newest first, filtered, page by page; an unknown parameter is 400 [runs-6.1.3]', async () => {
    const own = await openRunSite(service, 'listed');
    const ids = [];
    for (const project of ['alpha', 'beta', 'alpha'])
      ids.push(await newRunId(service, { codebase_id: own.codebaseId, prd: prdDocument({ project }) }));
    const list = async (query: string): Promise<{ ids: string[]; next: string | null }> => {
      const { body } = await service.call('GET', `/v1/ralph/runs?codebase_id=${own.codebaseId}&${query}`, {
        as: 'viewer',
      });
      return { ids: body.runs.map((run: { run_id: string }) => run.run_id), next: body.next_cursor };
    };
    expect((await list('')).ids).toEqual(ids.toReversed());
    expect((await list('project=alpha')).ids).toEqual([ids[2], ids[0]]);
    expect((await list('q=bet')).ids).toEqual([ids[1]]);
    expect((await list('status=completed')).ids).toEqual([]);
    const page = await list('limit=2');
    expect((await list(`limit=2&cursor=${page.next}`)).ids).toEqual([ids[0]]);
    const unknown: ApiReply = await service.call('GET', '/v1/ralph/runs?surprise=1', { as: 'viewer' });
    expect(unknown.status).toBe(400);
  });
});
