// The findings of `doctor` about agents: the programs there are, and whether the model's endpoint answers.
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkAgents } from '../../../src/cli/doctor/doctor-agents.ts';
import type { Check } from '../../../src/cli/core/doctor-check.ts';
import { programKinds } from '../../../src/worker/agents/programs/programs.ts';
import { plantStandIn, standIns, type StandIn } from '../../support/agents/agent-stand-ins.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'switchyard-doctor-agents-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function runAgentChecks(env: NodeJS.ProcessEnv): Promise<Check[]> {
  return checkAgents({ env: { PATH: folder, ...env }, cwd: folder, hostname: 'here', fetch });
}

describe('doctor, of agents', () => {
  it('says what to do when there is none, and names what there is', async () => {
    expect(await runAgentChecks({})).toMatchObject([
      { name: 'agents', state: 'warn', remedy: expect.stringContaining('gemini') },
    ]);
    const env = { PATH: `${folder}:/bin:/usr/bin` };
    const planted = async (...rows: StandIn[]): Promise<Check[]> => {
      for (const row of rows) await plantStandIn(folder, row);
      return (await runAgentChecks(env)).filter(({ name }) => name.startsWith('agent '));
    };
    const fit = await planted(...standIns.fit);
    const names = ['opencode', 'codex', 'claude', 'gemini', 'pi'];
    expect(fit.map(({ name, state }) => `${name} ${state}`)).toEqual(names.map((name) => `agent ${name} ok`));
    expect(fit[2]?.found).toMatch(/^2\.1\.330 at .*claude \(2\.\d+\.\d+ or newer works\)$/);
  });

  it('fails a program that is too old for tasks: which version it is, which works, and what to do', async () => {
    for (const row of standIns.old) {
      const { program } = await plantStandIn(folder, row);
      const line = (await runAgentChecks({ PATH: `${folder}:/bin:/usr/bin` })).find(
        ({ name }) => name === `agent ${row.name}`,
      );
      const needs = programKinds.find(({ name }) => name === row.name)?.needs;
      const works = `${needs?.oldest} is the oldest version that works`;
      expect(line).toEqual({
        name: `agent ${row.name}`,
        state: 'fail',
        found: `${program} cannot do tasks: version ${row.version} is too old: ${works}`,
        remedy: `Install ${row.name} ${needs?.oldest} or newer (npm install -g ${needs?.npmPackage}), or remove it.`,
      });
    }
  });

  it('warns of a program that does not run at all', async () => {
    await writeFile(join(folder, 'pi'), '#!/bin/sh\nexit 7\n', { mode: 0o755 });
    const line = (await runAgentChecks({ PATH: `${folder}:/bin:/usr/bin` })).find(({ name }) => name === 'agent pi');
    expect(line).toMatchObject({ state: 'warn', found: expect.stringContaining('--version ended with exit code 7') });
  });

  it('asks the endpoint of the agent model whether it answers and takes the key, and never prints the key', async () => {
    const server = createServer((request, response) => {
      response.statusCode = request.headers.authorization === 'Bearer right-key' ? 200 : 401;
      response.end('{}');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const env = { MODEL_PROVIDER_ENDPOINT: `http://127.0.0.1:${port}/v1`, MODEL_DEPLOYMENT_NAME: 'm1' };
    const check = async (key: string): Promise<Check | undefined> =>
      (await runAgentChecks({ ...env, MODEL_PROVIDER_API_KEY: key })).find(({ name }) => name === 'agent model');
    expect(await check('right-key')).toMatchObject({ state: 'ok', found: expect.stringMatching(/m1 at 127.*shell/) });
    const refused = await check('wrong-key');
    expect(refused).toMatchObject({ state: 'warn', found: expect.stringContaining('refuses the key') });
    expect(JSON.stringify(refused)).not.toContain('wrong-key');
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
    expect(await check('right-key')).toMatchObject({
      state: 'warn',
      found: expect.stringContaining('does not answer'),
    });
  });

  it('says when the settings of a worker are wrong', async () => {
    const [check] = (await runAgentChecks({ MODEL_PROVIDER_ENDPOINT: 'nowhere' })).filter(
      ({ state }) => state === 'fail',
    );
    expect(check).toMatchObject({ name: 'worker settings', found: expect.stringContaining('MODEL_PROVIDER_ENDPOINT') });
  });
});
