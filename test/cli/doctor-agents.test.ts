// What `doctor` says of agents: the programs there are, and whether the model's endpoint answers.
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkAgents } from '../../src/cli/doctor-agents.ts';
import type { Check } from '../../src/cli/doctor-check.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'switchyard-doctor-agents-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function look(env: NodeJS.ProcessEnv): Promise<Check[]> {
  return checkAgents({ env: { PATH: folder, ...env }, cwd: folder, hostname: 'here', fetch });
}

describe('doctor, of agents', () => {
  it('says what to do when there is none, and names what there is', async () => {
    expect(await look({})).toMatchObject([
      { name: 'agents', state: 'warn', remedy: expect.stringContaining('gemini') },
    ]);
    await writeFile(join(folder, 'pi'), '#!/bin/sh\necho 0.87.1\n');
    await chmod(join(folder, 'pi'), 0o755);
    const found = await look({ PATH: `${folder}:/bin:/usr/bin` });
    expect(found).toContainEqual(expect.objectContaining({ name: 'agent pi', state: 'ok' }));
  });

  it('asks the endpoint of the agent model whether it answers and takes the key, and never tells the key', async () => {
    const server = createServer((request, response) => {
      response.statusCode = request.headers.authorization === 'Bearer right-key' ? 200 : 401;
      response.end('{}');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const env = { MODEL_PROVIDER_ENDPOINT: `http://127.0.0.1:${port}/v1`, MODEL_DEPLOYMENT_NAME: 'm1' };
    const check = async (key: string): Promise<Check | undefined> =>
      (await look({ ...env, MODEL_PROVIDER_API_KEY: key })).find(({ name }) => name === 'agent model');
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
    const [check] = (await look({ MODEL_PROVIDER_ENDPOINT: 'nowhere' })).filter(({ state }) => state === 'fail');
    expect(check).toMatchObject({ name: 'worker settings', found: expect.stringContaining('MODEL_PROVIDER_ENDPOINT') });
  });
});
