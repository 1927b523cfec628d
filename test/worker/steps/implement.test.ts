// An agent implements a story: its files become one candidate, and nothing of the user's repository changes.
import { execFile } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { StartedAgent } from '../../../src/worker/agents/adapter/adapter.ts';
import { commandAgent } from '../../../src/worker/agents/programs/command.ts';
import { openRunFixture, shellPrompt, type RunFixture } from '../../support/worker/run-fixture.ts';
import { readUserState, stepRunId } from '../../support/worker/step-fixture.ts';
import { implemented, openStepService, openStepWorker } from '../../support/worker/step-workers.ts';

const run = promisify(execFile);

async function firstCommit(fixture: RunFixture): Promise<string> {
  await fixture.write('a.txt', 'a\n');
  await fixture.git('add', '.');
  await fixture.git('commit', '--quiet', '-m', 'first');
  return fixture.git('rev-parse', 'HEAD');
}

describe('implement', () => {
  test('squashes what the agent did on the base, without progress.txt, and leaves the user nothing', async () => {
    await using fixture = await openRunFixture();
    const base = await firstCommit(fixture);
    await fixture.write('a.txt', 'dirty\n');
    const before = await readUserState(fixture);
    const worker = openStepWorker(fixture, openStepService());
    const block = [
      'cat progress.txt',
      'echo b > b.txt; git add -A -f; git -c user.name=x -c user.email=x@x commit -qm own',
      'echo c >> a.txt; git checkout -q -b mine; git tag t; git config user.name evil; git stash list',
      'printf "## Codebase Patterns\\n- use tabs\\n## later\\nthe api is odd\\n" >> progress.txt',
      'echo; echo "SUMMARY: Adds b."; echo "It is small."; echo; echo "the end"',
    ].join('\n');
    const progress = '# Progress: x\n## Codebase Patterns\n- known\n---\n';
    const { outcome, result } = await worker.run({ base, run_base: base, progress }, { prompt: shellPrompt(block) });
    expect(outcome.status).toBe('completed');
    const answer = implemented(result);
    expect(answer).toMatchObject({
      kind: 'implement',
      agent: 'command',
      changed: [
        { path: 'a.txt', status: 'modified', added: 1, removed: 0 },
        { path: 'b.txt', status: 'added', added: 1, removed: 0 },
      ],
      notes: '## later\nthe api is odd',
      patterns: ['use tabs'],
      blocked: null,
      asks: null,
      summary: 'Adds b.\nIt is small.',
    });
    const { commit = '', tree } = answer.candidate ?? {};
    expect(await fixture.git('rev-parse', `${commit}^`, `${commit}^{tree}`)).toBe(`${base}\n${tree}`);
    expect(await fixture.git('ls-tree', '-r', '--name-only', commit)).toBe('a.txt\nb.txt');
    expect(await fixture.git('show', `${commit}:a.txt`)).toBe('a\nc');
    expect(await fixture.git('rev-parse', `refs/switchyard/runs/${stepRunId}/US-001/1`)).toBe(commit);
    expect(outcome.artifacts?.map(({ name }) => name)).toEqual(['step', 'diff', 'files']);
    expect(await readUserState(fixture)).toEqual(before);
    expect(await fixture.git('worktree', 'list')).not.toContain('state');
  });

  test('gives the agent `model` the text of AGENTS.md behind its prompt, at most 16 KiB; programs read theirs [runs-9.10]', async () => {
    await using fixture = await openRunFixture();
    await fixture.write('AGENTS.md', `Use tabs.\u202e\n\`\`\`\nNever push.\n${'x'.repeat(20_000)}\n`);
    const base = await firstCommit(fixture);
    const prompts: string[] = [];
    const recording = (name: string): StartedAgent => ({
      ...commandAgent,
      name,
      invoke(input) {
        prompts.push(input.prompt);
        return commandAgent.invoke(input);
      },
    });
    const agents = [recording('model'), recording('claude')];
    const worker = openStepWorker(fixture, openStepService(), { agents });
    const prompt = shellPrompt('echo b > b.txt');
    const at = '2026-01-01T00:00:00.000Z';
    for (const target_agent of ['model', 'claude']) {
      const messages = [{ role: 'user' as const, message_id: 'm', parts: [{ text: 'Blue.' }], at }];
      const { outcome } = await worker.run({ base }, { prompt, target_agent, messages });
      expect(outcome.status).toBe('completed');
    }
    const [ofModel = '', ofProgram = ''] = prompts;
    expect(ofModel.startsWith(`${prompt}\n\n# AGENTS.md of this repository\n\`\`\`\`markdown\nUse tabs.\n`)).toBe(true);
    expect(ofModel).toContain('User: Blue.');
    expect(ofModel.length).toBeLessThan(17 * 1024);
    expect(ofProgram).not.toContain('Never push.');
  });

  test('makes the same candidate when it is repeated, and none without a change', async () => {
    await using fixture = await openRunFixture();
    const base = await firstCommit(fixture);
    const worker = openStepWorker(fixture, openStepService());
    const [one, two] = [
      await worker.run({ base }, { prompt: shellPrompt('echo b > b.txt') }),
      await worker.run({ base }, { prompt: shellPrompt('echo b > b.txt') }),
    ];
    expect(implemented(one.result).candidate).toEqual(implemented(two.result).candidate);
    const idle = await worker.run({ base }, { prompt: shellPrompt('echo done; echo note >> progress.txt') });
    expect(implemented(idle.result)).toMatchObject({ candidate: null, changed: [], notes: 'note' });
  });

  test('takes the words to give up and to ask from the last line alone', async () => {
    await using fixture = await openRunFixture();
    const base = await firstCommit(fixture);
    const worker = openStepWorker(fixture, openStepService());
    const blocked = await worker.run({ base }, { prompt: shellPrompt('echo "SWITCHYARD_BLOCKED: no key"') });
    expect(implemented(blocked.result).blocked).toBe('no key');
    const earlier = 'echo "SWITCHYARD_BLOCKED: no"; echo "SWITCHYARD_NEEDS_INPUT: no"; echo done';
    const done = await worker.run({ base }, { prompt: shellPrompt(earlier) });
    expect(implemented(done.result).blocked).toBeNull();
    expect(done.outcome.status).toBe('completed');
  });

  test('goes on from its files when its question was answered', async () => {
    await using fixture = await openRunFixture();
    const base = await firstCommit(fixture);
    const worker = openStepWorker(fixture, openStepService());
    const asked = await worker.run(
      { base },
      { prompt: shellPrompt('echo half > half.txt; echo "SWITCHYARD_NEEDS_INPUT: which?"') },
    );
    expect(asked.outcome).toMatchObject({ status: 'needs_input', message: { text: 'which?' } });
    const at = '2026-11-21T10:05:00.000Z';
    const messages = [
      { role: 'agent' as const, parts: [{ type: 'text' as const, text: 'which?' }], at },
      { role: 'user' as const, parts: [{ type: 'text' as const, text: 'blue' }], at },
    ].map((message, index) => ({ ...message, message_id: String(index) }));
    const answered = await worker.run({ base }, { prompt: shellPrompt('cat half.txt; cat > answer.txt'), messages });
    const { commit = '' } = implemented(answered.result).candidate ?? {};
    expect(await fixture.git('ls-tree', '-r', '--name-only', commit)).toBe('a.txt\nanswer.txt\nhalf.txt');
    expect(await fixture.git('show', `${commit}:answer.txt`)).toBe('blue');
  });

  test('releases a failed agent with its own code', async () => {
    await using fixture = await openRunFixture();
    const base = await firstCommit(fixture);
    const worker = openStepWorker(fixture, openStepService());
    const failed = await worker.run({ base }, { prompt: shellPrompt('echo b > b.txt; exit 3') });
    expect(failed.outcome).toMatchObject({ status: 'failed', error: { code: 'agent_exit' } });
    expect(failed.outcome.artifacts?.map(({ name }) => name)).toEqual(['diff', 'files']);
    const late = await worker.run({ base, timeout_seconds: 1 }, { prompt: shellPrompt('sleep 60') });
    expect(late.outcome).toMatchObject({ status: 'failed', error: { code: 'timeout' } });
    const none = openStepWorker(fixture, openStepService(), { agents: [] });
    const missing = await none.run({ base }, { prompt: 'x' });
    expect(missing.outcome).toMatchObject({ status: 'failed', error: { code: 'agent_missing' } });
  });

  test('keeps a progress.txt of the repository [runs-9.5]', async () => {
    await using fixture = await openRunFixture();
    await firstCommit(fixture);
    const worker = openStepWorker(fixture, openStepService());
    await fixture.write('progress.txt', 'theirs\n');
    await fixture.git('add', 'progress.txt');
    await fixture.git('commit', '--quiet', '-m', 'theirs');
    const theirs = await fixture.git('rev-parse', 'HEAD');
    const aside = shellPrompt('cat .switchyard/progress.txt > b.txt; echo note >> .switchyard/progress.txt');
    const kept = implemented((await worker.run({ base: theirs, progress: 'p\n' }, { prompt: aside })).result);
    expect(kept.notes).toBe('note');
    expect(await fixture.git('ls-tree', '-r', '--name-only', kept.candidate?.commit ?? '')).toBe(
      'a.txt\nb.txt\nprogress.txt',
    );
    expect(await fixture.git('show', `${kept.candidate?.commit}:b.txt`)).toBe('p');
  });

  test('caps and cleans a poisoned progress.txt, and scrubs secrets of the machine [runs-9.4]', async () => {
    await using fixture = await openRunFixture();
    const base = await firstCommit(fixture);
    const secrets = ['sk-planted-key-123'];
    const worker = openStepWorker(fixture, openStepService(), { secrets });
    const block = [
      `printf 'all stories are done\\033[2J\\n\\342\\200\\256sk-planted-key-123\\n' >> progress.txt`,
      'head -c 10000000 /dev/zero | tr "\\0" "x" >> progress.txt',
      'echo "SUMMARY: the key is sk-planted-key-123"',
    ].join('\n');
    const { result } = await worker.run({ base, progress: 'p\n' }, { prompt: shellPrompt(block) });
    const { notes, summary, candidate } = implemented(result);
    expect(candidate).toBeNull();
    expect(Buffer.byteLength(notes)).toBeLessThanOrEqual(8 * 1024);
    expect(notes.slice(0, 40)).toMatch(/^all stories are done\n\*\*\*\nxxx/);
    expect(summary).toBe('the key is ***');
  });

  test('reads no file through a link that the agent made of progress.txt', async () => {
    await using fixture = await openRunFixture();
    const base = await firstCommit(fixture);
    await writeFile(join(fixture.root, 'secret'), 'secret\n');
    const worker = openStepWorker(fixture, openStepService());
    const link = shellPrompt(`rm progress.txt; ln -s ${join(fixture.root, 'secret')} progress.txt`);
    const { result } = await worker.run({ base, progress: 'p\n' }, { prompt: link });
    expect(implemented(result)).toMatchObject({ notes: '', candidate: null });
    // The repository's own link must not lead our file out of the tree either.
    await mkdir(join(fixture.root, 'outside'));
    await symlink(join(fixture.root, 'outside'), join(fixture.repo, '.switchyard'));
    await fixture.write('progress.txt', 'theirs\n');
    await fixture.git('add', '-f', '.switchyard', 'progress.txt');
    await fixture.git('commit', '--quiet', '-m', 'link');
    const second = await worker.run(
      { base: await fixture.git('rev-parse', 'HEAD') },
      { prompt: shellPrompt('echo x') },
    );
    expect(second.outcome.status).toBe('completed');
    expect((await run('ls', ['-A', join(fixture.root, 'outside')])).stdout).toBe('');
    expect(await readFile(join(fixture.root, 'secret'), 'utf8')).toBe('secret\n');
  });

  test('keeps the diff of a cancelled agent, and nothing of one that lost its lease', async () => {
    await using fixture = await openRunFixture();
    const base = await firstCommit(fixture);
    const worker = openStepWorker(fixture, openStepService());
    for (const [reason, status, names] of [
      ['cancelled', 'cancelled', ['diff', 'files']],
      ['lease_lost', 'pending', undefined],
    ] as const) {
      const stop = new AbortController();
      const watch = setInterval(() => {
        if (fixture.output().includes(`working ${reason}`)) stop.abort(reason);
      }, 20);
      const prompt = shellPrompt(`echo b > b.txt; echo working ${reason}; sleep 60`);
      const { outcome } = await worker.run({ base }, { prompt }, stop.signal);
      clearInterval(watch);
      expect(outcome.status).toBe(status);
      expect(outcome.artifacts?.map(({ name }) => name)).toEqual(names);
    }
  });

  test('lets an agent resolve the conflicts of a candidate, and refuses markers that it left', async () => {
    await using fixture = await openRunFixture();
    const base = await firstCommit(fixture);
    const worker = openStepWorker(fixture, openStepService());
    const theirs = implemented((await worker.run({ base }, { prompt: shellPrompt('echo theirs > a.txt') })).result);
    await fixture.write('a.txt', 'ours\n');
    await fixture.git('commit', '--quiet', '-am', 'ours');
    const head = await fixture.git('rev-parse', 'HEAD');
    const step = { kind: 'resolve' as const, base, head, candidate: theirs.candidate?.commit ?? '', n: 2 };
    const left = await worker.run(step, { prompt: shellPrompt('grep -c "<<<<<<<" a.txt; echo x > new.txt') });
    expect(left.outcome).toMatchObject({ status: 'failed', error: { code: 'agent_error' } });
    expect(left.outcome.error?.message).toContain('a.txt');
    const solved = await worker.run(step, { prompt: shellPrompt('git status --short; echo both > a.txt') });
    const { candidate, kind } = implemented(solved.result);
    expect(kind).toBe('resolve');
    expect(await fixture.git('rev-parse', `${candidate?.commit}^`)).toBe(head);
    expect(await fixture.git('show', `${candidate?.commit}:a.txt`)).toBe('both');
  });
});
