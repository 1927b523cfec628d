// The three stories of a run, implemented by the agent programs that people install, each with a scripted model. tools-2.2.
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'vitest';
import { agentProgramOr, agentSettings, type AgentName } from '../support/agents/real-agents.ts';
import { startScriptedModel } from '../support/agents/scripted-model.ts';
import { computes, implementsStories, operation, typedCalculator } from './support/calculator.ts';
import { inFreshClone, messagesOn } from './support/repository.ts';
import { WalkedRun } from './support/walked-run.ts';
import { walks } from './support/walk.ts';

const product = operation('product', '*', 18, 'ts');
const quotient = operation('quotient', '/', 2, 'ts');
const wrongQuotient = { ...quotient, 'src/quotient.ts': operation('quotient', '-', 2, 'ts')['src/quotient.ts'] ?? '' };
const stories = [
  { id: 'US-001', acceptanceCriteria: [computes('product', 18, 'ts')] },
  { id: 'US-002', acceptanceCriteria: [computes('quotient', 2, 'ts')] },
  { id: 'US-003', acceptanceCriteria: ['`grep -q Calculator README.md` succeeds'] },
];

/** The Node of the tests comes first: pi needs a newer one than others. */
const searchPath = [path.dirname(process.execPath), process.env['PATH'] ?? ''].join(path.delimiter);

/** opencode needs ten seconds and more for what the others do in one. */
const programs: readonly AgentName[] =
  process.env['SCALE'] === 'full' ? ['codex', 'claude', 'opencode', 'pi'] : ['codex', 'claude', 'pi'];

walks('runs of agent programs', { on: ['replicas'], oneByOne: true }, (walk) => {
  for (const name of programs) {
    walk(
      ['run-program'],
      `${name} implements the stories in TypeScript, each attempt in a fresh session [runs-8.7]`,
      async (on, running) => {
        const model = on.use(
          await startScriptedModel([
            implementsStories({
              'US-001': () => product,
              'US-002': (again) => (again ? quotient : wrongQuotient),
              'US-003': () => ({ 'README.md': '# Calculator\n' }),
            }),
          ]),
        );
        const home = path.join(on.folder, 'home');
        await mkdir(home);
        const program = await agentProgramOr(running, name);
        const settings = await agentSettings(name, home, model.url);
        const repository = await on.repository('calculator', typedCalculator);
        const worker = await on.worker({
          codebases: [{ path: repository }],
          // Confined gates see nothing below /tmp, where this checkout, and its compiler, may be.
          env: {
            A2A_AGENT_BIN: program,
            A2A_WORKER_GATES: 'unconfined',
            HOME: home,
            PATH: searchPath,
            ...settings.env,
          },
        });
        const { codebase_id: codebaseId } = await on.codebaseAt(worker, repository);
        const run = await WalkedRun.create(on, codebaseId, stories, { model: settings.model });
        expect(await run.completed()).toMatchObject({ current_iteration: 2, spent: { iterations: 4 } });
        const { prompt } = await run.taskOf('implement', 'US-002', 2);
        expect(prompt).toContain('3 !== 2');
        const messages = await messagesOn(repository, 'ralph/work');
        expect(messages.map((message) => message.split('\n')[0])).toEqual([
          'feat: US-003 - Story US-003',
          'feat: US-002 - Story US-002',
          'feat: US-001 - Story US-001',
        ]);
        expect(messages[1]).toContain('US-002 is done better.');
        expect(messages[1]).toContain('Switchyard-Gates: typecheck=pass test=pass');
        expect(await inFreshClone(repository, 'ralph/work', ['npm', 'test'])).toContain('pass 3');
        // The first request of a session has nothing of an earlier one.
        const begun = model.requests.filter(({ results }) => results === 0);
        expect(begun.filter(({ raw }) => /SUMMARY: US-00\d is done/.test(raw)).length).toBe(0);
        expect(begun.length).toBeGreaterThanOrEqual(4);
      },
    );
  }
});
