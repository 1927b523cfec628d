// Programs that speak the Agent Client Protocol: what they do for a task, and what a broken or hostile one cannot do.
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { acpAgent } from '../../../../src/worker/agents/acp/acp-agent.ts';
import { detectAgents } from '../../../../src/worker/agents/detect.ts';
import type { TaskOutcome } from '../../../../src/worker/report/task-outcome.ts';
import { InterventionHandler } from '../../../../src/worker/attempt/intervention-handler.ts';
import { artifactOf, diffOf, openRunFixture, type RunFixture } from '../../../support/worker/run-fixture.ts';

const program = resolve(import.meta.dirname, 'processes/acp-program.ts');
interface RunOptions {
  task?: Parameters<RunFixture['execute']>[0];
  options?: Parameters<RunFixture['execute']>[1];
}

/** Runs one task with the program, which behaves as `words` say. */
async function work(
  fixture: RunFixture,
  programArgs: string[],
  { task, options }: RunOptions = {},
): Promise<TaskOutcome> {
  const argv: [string, ...string[]] = [process.execPath, program, ...programArgs];
  const agent = acpAgent({ name: 'tester', argv, version: undefined, hidden: [fixture.stateDir] });
  return fixture.execute({ prompt: 'Do it.', ...task }, { agent, timeoutMs: 60_000, ...options });
}

describe('a program that speaks the Agent Client Protocol', () => {
  test('reads and writes by the protocol, tells its words, tools and usage [choices-5.60]', async () => {
    await using fixture = await openRunFixture();
    await fixture.write('old.txt', 'first\nsecond\nthird\n');
    await fixture.git('add', '.');
    await fixture.git('commit', '--quiet', '-m', 'first');
    const outcome = await work(fixture, ['works']);
    expect(outcome).toMatchObject({
      status: 'completed',
      result: expect.stringMatching(/^Permission .*"yes".*write done, read \{"content":"second"\}\.$/),
      usage: { input_tokens: 10, output_tokens: 5, cached_tokens: 2, cost_usd: 0.25 },
    });
    expect(artifactOf(outcome, 'files')?.data).toMatchObject([{ path: 'made.txt', status: 'added' }]);
    expect(String(diffOf(outcome))).toContain('+made over the protocol');
    expect(fixture.output('agent')).toMatch(/I begin\.\n\[edit\] .*made\.txt\n\[execute\] make it\n/);
    expect(fixture.output()).not.toContain('secret thoughts');
    expect(fixture.output('stdout')).toContain('no rule');
  });

  test.each(['plan', 'explore', 'general'])('cannot write for %s, and is put into its own plan mode', async (type) => {
    await using fixture = await openRunFixture();
    const log = join(fixture.root, 'log');
    const outcome = await work(fixture, ['works', log], { task: { agent_type: type } });
    expect(outcome).toMatchObject({ status: 'completed', artifacts: [] });
    expect(outcome.result).toMatch(/Permission .*"no".*may only read/);
    expect(await readFile(log, 'utf8')).toMatch(/"writeTextFile":false[^]*session\/set_mode .*"plan"/);
  });

  test('is told the model of the task, or the run says that it has no such model', async () => {
    await using fixture = await openRunFixture();
    const log = join(fixture.root, 'log');
    expect(await work(fixture, ['models', log], { task: { model: 'a:two' } })).toMatchObject({ status: 'completed' });
    expect(await readFile(log, 'utf8')).toMatch(/session\/set_model .*"a\/two"/);
    const none = await work(fixture, ['models'], { task: { model: 'a:three' } });
    expect(none).toMatchObject({ status: 'failed', error: { code: 'bad_model' } });
  });

  test('gets what people say as another turn', async () => {
    await using fixture = await openRunFixture();
    const log = join(fixture.root, 'log');
    const taken: string[] = [];
    const answer = ({ id, status }: { id: string; status: string }): void => void taken.push(`${id} ${status}`);
    const interventionHandler = new InterventionHandler({ task: { messages: [] }, answer, cancel: () => undefined });
    interventionHandler.handle({ id: 'i1', task_id: 't', action: 'message', message: 'And paint it green.' });
    const outcome = await work(fixture, ['works', log], { options: { interventions: interventionHandler } });
    expect(outcome).toMatchObject({ status: 'completed', result: expect.stringContaining('Turn 2.') });
    expect(await readFile(log, 'utf8')).toContain('And paint it green.');
    expect(taken).toEqual(['i1 delivered']);
  });

  test('goes on with the session that it can load, and what it replays is not told again', async () => {
    await using fixture = await openRunFixture();
    const log = join(fixture.root, 'log');
    const outcome = await work(fixture, ['works', log], { options: { session: 's1' } });
    expect(outcome.status).toBe('completed');
    expect(await readFile(log, 'utf8')).toMatch(/session\/load .*"s1"/);
    expect(fixture.output()).not.toContain('What was said before.');
  });

  test.each(['waits', 'hangs', 'ignores-cancel'])('is cancelled, also one that %s', async (conduct) => {
    await using fixture = await openRunFixture();
    const log = join(fixture.root, 'log');
    const controller = new AbortController();
    const running = work(fixture, [conduct, log], { options: { signal: controller.signal } });
    await expect.poll(() => readFile(log, 'utf8').catch(() => ''), { timeout: 60_000 }).toContain('session/prompt');
    controller.abort('cancelled');
    expect((await running).status).toBe('cancelled');
    expect(await readFile(log, 'utf8')).toContain('session/cancel');
  });

  test('is named by agent_bin with acp:, and found by its name', async () => {
    await using fixture = await openRunFixture();
    const env = { ...fixture.env };
    const [named] = await detectAgents({
      agentBin: `acp:${process.execPath} ${program} works`,
      env,
      allowCommand: false,
    });
    expect(named).toMatchObject({ name: 'node', live: true });
    await writeFile(join(fixture.root, 'goose'), '#!/bin/sh\necho 1.2.3\n', { mode: 0o755 });
    const found = await detectAgents({ env: { PATH: `${fixture.root}:/usr/bin:/bin` }, allowCommand: false });
    expect(found).toMatchObject([{ name: 'goose', version: '1.2.3', program: expect.stringMatching(/goose acp$/) }]);
  });
});

describe('a broken or hostile program', () => {
  test('reaches no file outside of its workspace, no terminal, and no permission for elsewhere', async () => {
    await using fixture = await openRunFixture();
    await writeFile(join(fixture.root, 'secret.txt'), 'the secret outside');
    await symlink(fixture.root, join(fixture.repo, 'link'));
    await symlink('../secret.txt', join(fixture.repo, 'file-link'));
    const secret = join(fixture.root, 'secret.txt');
    const at = (path: string): string => join(fixture.repo, path);
    const paths = [secret, '/etc/passwd', '../secret.txt', `${fixture.repo}/../secret.txt`, at('link/secret.txt')];
    const more = [
      at('file-link'),
      at('.git/config'),
      at('.git/hooks/pre-commit'),
      '/proc/self/environ',
      fixture.stateDir,
    ];
    const outcome = await work(fixture, ['escapes', ...paths, ...more]);
    expect(outcome.status).toBe('completed');
    expect(outcome.result).not.toMatch(/READ|WROTE|TERMINAL|the secret/);
    expect(outcome.result).toMatch(/"no"[^]*"yes"/);
    expect(await readFile(secret, 'utf8')).toBe('the secret outside');
  });

  test.each([
    ['dies', 'agent_exit', /exit code 3/],
    ['version', 'agent_error', /version 7/],
    ['login', 'model_refused', /log in/],
    ['refuses', 'model_refused', /401 bad key/],
  ])('that %s fails the run as %s', async (conduct, code, expectedText) => {
    await using fixture = await openRunFixture();
    const outcome = await work(fixture, [conduct]);
    expect(outcome).toMatchObject({ status: 'failed', error: { code, message: expect.stringMatching(expectedText) } });
  });

  test('that never answers is ended at the time limit', async () => {
    await using fixture = await openRunFixture();
    const outcome = await work(fixture, ['silent'], { options: { timeoutMs: 3_000 } });
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'timeout' } });
  });

  test('that is no such program at all fails the run', async () => {
    await using fixture = await openRunFixture();
    for (const argv of [['/no/such/program'], ['true'], ['sh', '-c', 'cat >/dev/null']] as [string, ...string[]][]) {
      const agent = acpAgent({ name: 'tester', argv, version: undefined, hidden: [] });
      const outcome = await fixture.execute({}, { agent, timeoutMs: 2_000 });
      expect(outcome.status).toBe('failed');
      expect(outcome.error?.code).toMatch(/^(agent_not_found|agent_error|timeout)$/);
    }
  });

  test('that writes a huge frame, or asks two thousand things at once, is still served', async () => {
    await using fixture = await openRunFixture();
    await fixture.write('old.txt', 'x\n');
    expect(await work(fixture, ['huge'])).toMatchObject({ status: 'completed' });
    expect(await work(fixture, ['floods'])).toMatchObject({ status: 'completed' });
  });

  test('that answers a request with neither a result nor an error has not answered it', async () => {
    await using fixture = await openRunFixture();
    const babble = [0, 1, 2].map((id) => `${JSON.stringify({ jsonrpc: '2.0', id })}\n`).join('');
    expect(await work(fixture, ['babbles', babble])).toMatchObject({ status: 'completed', artifacts: [] });
  });

  test('that babbles before its dialogue, whatever it says, is heard and not believed', async () => {
    await using fixture = await openRunFixture();
    const id = fc.oneof(fc.integer({ min: -1, max: 5 }), fc.string({ maxLength: 3 }), fc.constant(null));
    const method = fc.constantFrom(
      'session/update',
      'fs/write_text_file',
      'session/request_permission',
      '$/cancel_request',
      'x',
    );
    const message = fc.oneof(
      fc.record(
        { jsonrpc: fc.constant('2.0'), id, method, params: fc.jsonValue({ maxDepth: 2 }) },
        { requiredKeys: ['jsonrpc'] },
      ),
      fc.record({
        jsonrpc: fc.constant('2.0'),
        id: fc.string({ maxLength: 3 }),
        result: fc.jsonValue({ maxDepth: 2 }),
      }),
      fc.record({ jsonrpc: fc.constant('2.0'), id: fc.string({ maxLength: 3 }), error: fc.jsonValue({ maxDepth: 1 }) }),
    );
    const line = fc.oneof(
      fc.string({ maxLength: 30 }),
      fc.json({ maxDepth: 2 }),
      message.map((value) => JSON.stringify(value)),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 8 }), async (lines) => {
        const babble = `${lines.join('\n').replaceAll('\0', '')}\n`;
        const outcome = await work(fixture, ['babbles', babble]);
        expect(outcome).toMatchObject({ status: 'completed', artifacts: [] });
      }),
      { numRuns: 8, endOnFailure: true },
    );
  });
});
