// The files of deploy/kubernetes: read as they are, and rendered as kustomize renders them.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';
import { findPeer } from '../peers/peer-program.ts';

// Objects of the API, as loose as JSON.
// oxlint-disable-next-line typescript/no-explicit-any
export type KubernetesObject = any;

export const deployFolder = path.resolve(import.meta.dirname, '../../../deploy/kubernetes');

/** Every file, by its path in the folder. */
export function kubernetesFiles(): string[] {
  return readdirSync(deployFolder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.yaml'));
}

/** @throws for a file that is not YAML, or has a key twice */
export function readObjects(file: string): KubernetesObject[] {
  return parseAllDocuments(readFileSync(path.join(deployFolder, file), 'utf8'), { uniqueKeys: true }).map(
    (document) => {
      if (document.errors.length > 0) throw document.errors[0];
      return document.toJS();
    },
  );
}

export const componentNames = readdirSync(path.join(deployFolder, 'components')).toSorted();

/** As `findPeer` finds it: kustomize itself, or kubectl, which has it inside. */
export function findKustomize(): string | undefined {
  return findPeer({
    name: 'kustomize',
    variable: 'KUSTOMIZE_BIN',
    programs: ['kustomize', 'kubectl'],
    aptPackage: 'kustomize',
  });
}

/** The base with these components, in a namespace. */
export function renderObjects(program: string, components: readonly string[], namespace: string): KubernetesObject[] {
  const overlay = mkdtempSync(path.join(tmpdir(), 'switchyard-overlay-'));
  // Kustomize takes relative paths only.
  const relative = (folder: string): string => path.relative(overlay, path.join(deployFolder, folder));
  try {
    const kustomization = {
      apiVersion: 'kustomize.config.k8s.io/v1beta1',
      kind: 'Kustomization',
      namespace,
      resources: [relative('base')],
      components: components.map((name) => relative(`components/${name}`)),
    };
    writeFileSync(path.join(overlay, 'kustomization.yaml'), JSON.stringify(kustomization));
    return renderFolder(program, overlay);
  } finally {
    rmSync(overlay, { recursive: true, force: true });
  }
}

/** @throws what the program says */
export function renderFolder(program: string, folder: string): KubernetesObject[] {
  const command = path.basename(program) === 'kubectl' ? 'kustomize' : 'build';
  const text = execFileSync(program, [command, folder], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  return parseAllDocuments(text).map((document) => document.toJS());
}
