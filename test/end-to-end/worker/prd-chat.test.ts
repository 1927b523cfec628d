// A PRD chat with a real worker: the agent `model` on a scripted model reads a repository and writes the document. runs-15.
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startScriptedModel, type PlainStep, type ScriptedModel } from '../../support/agents/scripted-model.ts';
import { openStream } from '../../support/client/sse.ts';
import { answerText, chatStory, draftOps, newPrdSession, sendPrd, sessionsPath } from '../../support/runs/prd-chat.ts';
import { openService, type ApiReply, type TestService } from '../../support/service.ts';
import {
  localWorker,
  repository,
  workerFolder,
  type Folder,
  type LocalWorker,
} from '../../support/worker/local-worker.ts';

const git = promisify(execFile);
const question = { id: 'gates', text: 'Which gates?', options: ['npm test', 'npm run lint'] };

/** The model's answer to a message; a repair has its own. */
const answers: Readonly<Record<string, PlainStep>> = {
  'We need a login.': { reply: answerText({ reply: 'Which gates?', questions: [question] }) },
  'npm test, please.': { reply: answerText({ reply: 'Drafted.', ops: draftOps('US-001', 'US-002', 'US-003') }) },
  'Rename the second.': {
    reply: answerText({ ops: [{ op: 'upsert_story', story: chatStory('US-002', { title: 'Renamed' }) }] }),
  },
  'By its tool.': {
    call: 'prd_edit',
    args: { reply: 'By the tool.', ops: [{ op: 'upsert_story', story: chatStory('US-003', { title: 'By tool' }) }] },
  },
  'Remove the ninth.': { reply: answerText({ ops: [{ op: 'remove_story', id: 'US-009' }] }) },
  'Fail.': { refuse: 401 },
};

let service: TestService;
let model: ScriptedModel;
let folder: Folder;
let worker: LocalWorker;
let codebaseId: string;
beforeAll(async () => {
  service = await openService();
  folder = await workerFolder();
  const shop = await repository(join(folder.path, 'shop'));
  await writeFile(join(shop, 'AGENTS.md'), 'The gates are npm test.\n');
  await git('git', ['-C', shop, 'add', '.']);
  await git('git', ['-C', shop, '-c', 'user.name=t', '-c', 'user.email=t@localhost', 'commit', '-qm', 'agents']);
  model = await startScriptedModel([
    { read: 'AGENTS.md' },
    ({ raw }) => {
      const message = Object.keys(answers).findLast((text) =>
        raw.includes(`# The message to answer\\n\`\`\`text\\n${text}`),
      );
      const answer = answers[message ?? ''];
      if (answer === undefined) throw new Error(`not scripted: ${raw.slice(-500)}`);
      return answer;
    },
  ]);
  worker = await localWorker(service, {
    agent_bin: 'model',
    allow_command: false,
    model_provider_endpoint: `${model.url}/v1`,
    model_deployment_name: 'scripted',
    codebases: [{ path: shop, name: 'shop' }],
  });
  const { body } = await service.call('GET', '/v1/agent/codebases');
  codebaseId = body.codebases.find(({ name }: { name: string }) => name === 'shop').codebase_id;
});
afterAll(async () => {
  await worker[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
});

describe('a chat with the agent `model`', () => {
  it('asks, drafts, edits one story, rejects what is invalid, and starts a run [runs-13.5, runs-13.7, runs-13.8, runs-13.10]', async () => {
    const id = await newPrdSession(service, { codebase_id: codebaseId });
    const asked = await sendPrd(service, id, 'We need a login.');
    expect([asked.status, asked.body.turn]).toMatchObject([200, { text: 'Which gates?', source: 'agent' }]);
    expect(asked.body.turn.questions).toMatchObject([{ id: 'gates', options: [{ key: 'A' }, { key: 'B' }] }]);
    // It has read the repository.
    expect(model.requests.at(-1)?.lastResult).toContain('The gates are npm test.');
    const drafted = await sendPrd(service, id, 'npm test, please.');
    expect(drafted.body).toMatchObject({ version: 1, ready: true, turn: { text: 'Drafted.', questions: [] } });
    const edited = await sendPrd(service, id, 'Rename the second.');
    const stories: unknown[] = drafted.body.prd.userStories;
    const renamed = chatStory('US-002', { title: 'Renamed' });
    expect(JSON.stringify(edited.body.prd.userStories)).toBe(JSON.stringify(stories.with(1, renamed)));
    const byTool = await sendPrd(service, id, 'By its tool.');
    expect(byTool.body).toMatchObject({ version: 3, turn: { text: 'By the tool.' } });
    expect(byTool.body.prd.userStories[2].title).toBe('By tool');
    expect(byTool.body.prd.userStories[1]).toEqual(renamed);
    const rejected = await sendPrd(service, id, 'Remove the ninth.');
    expect(rejected.body).toMatchObject({
      version: 3,
      prd: null,
      warnings: [expect.stringMatching(/^draft_rejected: /)],
    });
    const run = await service.call('POST', `${sessionsPath}/${id}/runs`, { as: 'editor', body: {} });
    expect([run.status, run.body.run.prd_session_id, run.body.run.stories.total]).toEqual([201, id, 3]);
  });

  it('streams what the agent says, and resumes in the middle [runs-13.5]', async () => {
    const id = await newPrdSession(service, { codebase_id: codebaseId });
    const streamed: ApiReply = await sendPrd(service, id, 'We need a login.', {
      headers: { accept: 'text/event-stream' },
    });
    const frames = [...streamed.body.matchAll(/^id: (.*)\nevent: (.*)$/gm)].map(([, at, event]) => ({ at, event }));
    expect(frames.map(({ event }) => event)).toEqual(expect.arrayContaining(['turn', 'delta', 'questions', 'done']));
    const middle = frames.findIndex(({ event }) => event === 'delta');
    const lastEventId = frames[middle]?.at;
    await using resumed = await openStream(service, `${sessionsPath}/${id}/events`, { as: 'viewer', lastEventId });
    await resumed.ended;
    expect(resumed.frames.map(({ id: at }) => at)).toEqual(frames.slice(middle + 1).map(({ at }) => at));
  });

  it('says why its model failed, and takes the next message', async () => {
    const id = await newPrdSession(service);
    const failed = await sendPrd(service, id, 'Fail.');
    expect([failed.status, failed.body.turn.status]).toEqual([200, 'failed']);
    expect(failed.body.warnings[0]).toMatch(/^model_refused: /);
    const next = await sendPrd(service, id, 'We need a login.');
    expect(next.body.turn.status).toBe('answered');
  });
});
