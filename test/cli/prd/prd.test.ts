// The commands `switchyard prd`: a PRD that the interviewer writes with a person at the command line, and a run from it.
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exitCodes } from '../../../src/cli/core/exit-codes.ts';
import { command, type Outcome } from '../../support/process/cli-io.ts';
import { Program, temporaryFolder } from '../../support/process/program.ts';
import { openRunSite, prdDocument } from '../../support/runs/new-run.ts';
import { scriptStepWorker } from '../../support/runs/scripted-step-worker.ts';
import { openService, type TestService } from '../../support/service.ts';

let service: TestService;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  service = await openService();
  folder = await temporaryFolder();
  await writeFile(path.join(folder.path, 'prd.json'), JSON.stringify(prdDocument()));
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const env = (): Record<string, string> => ({
  SWITCHYARD_URL: service.url,
  SWITCHYARD_TOKEN: service.token('operator'),
});

function cli(args: readonly string[], stdin = ''): Promise<Outcome> {
  return command(args, { cwd: folder.path, env: env(), stdin });
}

/** A chat that begins with a whole document. @returns its id */
async function imported(): Promise<string> {
  const body = { import: { files: [{ name: 'prd.json', content: JSON.stringify(prdDocument()) }] } };
  return (await service.call('POST', '/v1/ralph/prd/sessions', { body })).body.session.id;
}

describe('prd chat', () => {
  it('asks one question after the other, and has a draft at the end [runs-6.4.3]', async () => {
    await using program = new Program({ args: ['prd', 'chat'], cwd: folder.path, env: env(), input: 'open' });
    const [, id = ''] = await program.printed(/^chat (\S+)$/m);
    const talk = [
      ['A shop with a login', /pieces can be built/],
      ['- Log in with a password', /Which commands show/],
      ['With `npm test`', /What is not part/],
      ['No payments', /In which order/],
      ['In the order of the list', /Change it as you like/],
    ] as const;
    for (const [message, reply] of talk) {
      program.write(`${message}\n`);
      await program.printed(reply);
    }
    program.write('/show\n');
    await program.printed(/US-001 {2}\S/);
    program.write('/quit\n');
    const { code, err } = await program.ended;
    expect(code).toBe(exitCodes.ok);
    expect(err).toContain(`prd start ${id}`);
    const shown = await cli(['prd', 'show', id]);
    expect(shown.out).toMatch(new RegExp(`chat +${id}\n[^]*US-001 {2}`));
  });

  it('sends one message, from the arguments or standard input [runs-6.4.3]', async () => {
    const first = await cli(['prd', 'chat', '--json', 'A', 'shop']);
    const { session_id: id, turn } = JSON.parse(first.out);
    expect(turn).toMatchObject({ status: 'answered', source: 'interview', questions: [{}] });
    const second = await cli(['prd', 'chat', '--session', id, '-'], '- Log in\n- Log out\n');
    expect(second).toMatchObject({ code: exitCodes.ok });
    expect(second.out).toMatch(/Which commands show[^]*^ {5}A\) `npm test`$/m);
    const shown = JSON.parse((await cli(['prd', 'show', id, '--json'])).out);
    expect(shown.turns.map(({ role }: { role: string }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
  });

  it('begins with the documents of another tool [runs-6.4.3]', async () => {
    const { code, out, err } = await cli(['prd', 'chat', '--import', 'prd.json', 'Thanks']);
    const [, id = ''] = /^chat (\S+)$/m.exec(err) ?? [];
    expect(`${code} ${out}`).toMatch(/^0 /);
    expect((await cli(['prd', 'show', id])).out).toContain('US-003  Story US-003');
  });

  it('names a chat that is not there [runs-6.4.3]', async () => {
    expect((await cli(['prd', 'chat', '--session', 'nowhere', 'hello'])).code).toBe(exitCodes.notFound);
  });
});

describe('the other commands of prd', () => {
  it('list chats, and export drafts and the PRDs of runs [runs-6.4.3]', async () => {
    const id = await imported();
    expect((await cli(['prd', 'list'])).out).toMatch(new RegExp(`^${id} +\\S+ +1 +0 +\\d+ s +shop$`, 'm'));
    const exported = await cli(['prd', 'export', id]);
    expect(JSON.parse(exported.out)).toMatchObject({ project: 'shop', userStories: [{ id: 'US-001' }, {}, {}] });
    expect((await cli(['prd', 'export', id, '--draft', '7'])).code).toBe(exitCodes.notFound);
    expect((await cli(['prd', 'export'])).code).toBe(exitCodes.usage);
    const empty = await service.call('POST', '/v1/ralph/prd/sessions', { body: { title: 'empty' } });
    const none = await cli(['prd', 'export', empty.body.session.id]);
    expect([none.code, none.err]).toEqual([exitCodes.notFound, expect.stringContaining('no draft')]);
  });

  it('start a run from a draft and follow it; its exported PRD has passes [runs-6.4.3]', async () => {
    const place = await openRunSite(service, 'prd-site');
    const chat = await imported();
    const started = await cli(['prd', 'start', chat, '--codebase', place.codebaseId, '--max-iterations', '2']);
    expect(started.code).toBe(exitCodes.ok);
    const id = started.out.trim();
    const watching = cli(['ralph', 'watch', id]);
    await scriptStepWorker(service, place).workUntil(id, 'completed');
    expect((await watching).code).toBe(exitCodes.ok);
    expect((await cli(['prd', 'show', chat])).out).toContain(id);
    const file = path.join(folder.path, 'done.json');
    expect((await cli(['prd', 'export', '--run', id, '--output', file])).code).toBe(exitCodes.ok);
    const { userStories } = JSON.parse(await readFile(file, 'utf8'));
    expect(userStories.map(({ passes }: { passes: boolean }) => passes)).toEqual([true, true, true]);
  });
});
