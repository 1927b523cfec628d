// The file with the manifest of the Deployment: one Deployment with a name and a spec, YAML or JSON, and its hash.
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readManifestFile } from '../../../src/adapters/kubernetes/manifest-file.ts';
import { temporaryFolder } from '../../support/process/program.ts';

const opened = new AsyncDisposableStack();
afterAll(() => opened.disposeAsync());

async function fileWith(text: string): Promise<string> {
  const file = path.join(opened.use(await temporaryFolder()).path, 'deployment.yaml');
  writeFileSync(file, text);
  return file;
}

const good = `apiVersion: apps/v1
kind: Deployment
metadata: { name: switchyard, namespace: ns }
spec: { replicas: 2 }
`;

it('[platform-1.2.2] is read as YAML or JSON, with the hash of its bytes', async () => {
  const manifest = await readManifestFile(await fileWith(good));
  expect(manifest).toMatchObject({ name: 'switchyard', namespace: 'ns', content: { spec: { replicas: 2 } } });
  expect(manifest.sha256).toBe(createHash('sha256').update(good).digest('hex'));
  const json = JSON.stringify({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'x' }, spec: {} });
  expect(await readManifestFile(await fileWith(json))).toMatchObject({ name: 'x', namespace: undefined });
});

it.each([
  ['no Deployment', good.replace('kind: Deployment', 'kind: StatefulSet')],
  ['without a name', good.replace('name: switchyard, ', '')],
  ['without a spec', good.replace(/spec.*\n/, '')],
  ['two documents', `${good}---\n${good}`],
  ['no YAML', 'kind: [Deployment'],
  ['a list', '- a\n- b\n'],
])('[platform-1.2.11] is refused with %s, without a word of its content', async (_, text) => {
  const refusal = await readManifestFile(await fileWith(text)).catch((error: unknown) => error);
  expect(refusal).toMatchObject({
    kind: 'conflict',
    code: 'invalid_manifest',
    message: expect.stringMatching(/^CLUSTER_MANIFEST_FILE cannot be applied: /),
  });
  expect(String(refusal)).not.toContain('replicas');
});

it('[platform-1.2.11] is refused where it is not there', async () => {
  await expect(readManifestFile('/nowhere/deployment.yaml')).rejects.toMatchObject({ code: 'invalid_manifest' });
});
