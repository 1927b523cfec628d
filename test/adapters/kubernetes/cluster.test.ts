// The client of the API server: pages, deadlines, versions of its groups, and when its library is loaded.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openKubernetes } from '../../../src/adapters/kubernetes/cluster.ts';
import type { Cluster } from '../../../src/domain/ports/cluster/cluster.ts';
import { ForgedApi } from '../../support/cluster/forged-api.ts';

const opened = new AsyncDisposableStack();
afterAll(() => opened.disposeAsync());

/** @param deadlineMs longer than any machine needs, unless the deadline is what is looked at */
async function connectTo(replicas: number, deadlineMs = 120_000): Promise<{ forged: ForgedApi; cluster: Cluster }> {
  const forged = opened.use(await ForgedApi.open(replicas));
  const options = { ...forged.connection, namespace: 'forged', pod: 'x', manifestFile: undefined, deadlineMs };
  return { forged, cluster: opened.use(openKubernetes(options)) };
}

describe('the client of the API server', () => {
  it('[platform-1.2.10] reads 10,000 pods in pages of 500', async () => {
    const { forged, cluster } = await connectTo(10_000);
    const pods = await (await cluster.connect()).listPods('app=switchyard');
    expect(new Set(pods.map(({ name }) => name)).size).toBe(10_000);
    const pages = forged.requests.map((request) => new URL(request.split(' ')[1] ?? '', 'https://x').searchParams);
    expect(pages.map((query) => query.get('limit'))).toEqual(Array.from({ length: 20 }, () => '500'));
    expect(pages.every((query) => query.get('labelSelector') === 'app=switchyard')).toBe(true);
  });

  it('[platform-1.5.10] gives all calls of a session one deadline, and the next session a new one', async () => {
    const { forged, cluster } = await connectTo(2, 400);
    const session = await cluster.connect();
    await session.listPods('');
    for (const fault of ['half', 'hang'] as const) {
      forged.fault = fault;
      await expect(session.listPods('')).rejects.toMatchObject({ code: 'cluster_unreachable' });
    }
    forged.fault = 'none';
    await expect(session.listPods('')).rejects.toMatchObject({ message: expect.stringContaining('within 0.4 s') });
    expect(await (await cluster.connect()).listPods('')).toHaveLength(2);
  });

  it('opens a few connections for many calls', async () => {
    const { forged, cluster } = await connectTo(2);
    for (let n = 0; n < 20; n += 1) await (await cluster.connect()).findDeployment('switchyard');
    expect(forged.connections).toBeLessThanOrEqual(2);
  });

  it('trusts the mounted authority alone', async () => {
    const { forged } = await connectTo(1);
    const other = opened.use(await ForgedApi.open(1));
    const options = { ...forged.connection, serviceAccountDir: other.folder, namespace: 'forged', pod: 'x' };
    const stranger = opened.use(openKubernetes({ ...options, manifestFile: undefined }));
    const calls = await stranger.connect();
    await expect(calls.findPod('x')).rejects.toMatchObject({
      code: 'cluster_unreachable',
      message: expect.stringContaining('SELF_SIGNED_CERT'),
    });
    expect(forged.tokens).toEqual([]);
  });

  it('reports a token that cannot be read as one that is not accepted', async () => {
    const { forged } = await connectTo(1);
    const options = { ...forged.connection, serviceAccountDir: '/nowhere', namespace: 'forged', pod: 'x' };
    const cluster = opened.use(openKubernetes({ ...options, manifestFile: undefined }));
    await expect(cluster.connect()).rejects.toMatchObject({ code: 'cluster_unauthorized' });
  });

  it('finds nothing under a name that does not exist', async () => {
    const { cluster } = await connectTo(1);
    expect(await (await cluster.connect()).findPod('nobody')).toBeUndefined();
  });

  it('takes another pod of the same name for gone', async () => {
    const { forged, cluster } = await connectTo(1);
    const [name = ''] = await forged.pods();
    expect(await (await cluster.connect()).evict({ name, uid: 'of-another' })).toBe('gone');
    // A real server would try for ten seconds.
    expect(forged.requests.filter((request) => request.includes('eviction'))).toEqual([]);
  });

  it('[platform-1.1.5] loads its library when a session is opened, and not before', () => {
    const folder = path.resolve(import.meta.dirname, '../../../src');
    const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
    const loading = sources.flatMap((name) => {
      const text = readFileSync(path.join(folder, name), 'utf8');
      const statements = text.match(
        /^(import|export) (?!type)[^;]*@kubernetes\/client-node|await import\([^)]*kubernetes/gm,
      );
      return statements === null ? [] : [name];
    });
    expect(loading).toEqual([]);
    expect(readFileSync(path.join(folder, 'adapters/kubernetes/client.ts'), 'utf8')).toContain(
      "this.#library ??= import('@kubernetes/client-node')",
    );
  });
});
