// The table keeps itself: each flow has a walk in each deployment that it names, and walks cite flows that there are.
import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { flowTable } from './flows.ts';
import type { DeploymentName, Flow } from './flow.ts';

/** The facts in a file: the flows that its walks cite, and the deployments in which they go. */
interface Cited {
  readonly ids: readonly string[];
  readonly deployments: readonly string[];
}

const quotedStrings = (list = ''): string[] => [...list.matchAll(/'([^']+)'/g)].map(([, word = '']) => word);

function citedIn(text: string): Cited {
  const found = (pattern: RegExp): string[] => [...text.matchAll(pattern)].flatMap(([, list]) => quotedStrings(list));
  const local = found(/\blocalWalk\(\s*\[([^\]]*)\]/g);
  return {
    ids: [...found(/\bwalk\(\s*\[([^\]]*)\]/g), ...local],
    deployments: [...found(/\bon: \[([^\]]*)\]/g), ...(local.length > 0 ? ['local'] : [])],
  };
}

/** One line for each walk that is missing. */
function missing(table: readonly Flow[], files: readonly Cited[]): string[] {
  const isWalked = (id: string, deployment: DeploymentName): boolean =>
    files.some(({ ids, deployments }) => ids.includes(id) && deployments.includes(deployment));
  return table.flatMap(({ id, deployments }) =>
    deployments.filter((deployment) => !isWalked(id, deployment)).map((deployment) => `${id} on ${deployment}`),
  );
}

async function citations(): Promise<Cited[]> {
  const files: Cited[] = [];
  const walks = path.join(import.meta.dirname, '..');
  for await (const file of glob('**/*.test.ts', { cwd: walks, exclude: ['flows/**'] })) {
    files.push(citedIn(await readFile(path.join(walks, file), 'utf8')));
  }
  return files;
}

describe('the table of flows', () => {
  it('has ids of their own, places in the documents, and sentences', () => {
    const ids = flowTable.map(({ id }) => id);
    expect(ids.filter((id, n) => ids.indexOf(id) !== n)).toEqual([]);
    for (const { id, document, sentence, deployments } of flowTable) {
      expect([id, document]).toEqual([
        expect.stringMatching(/^[a-z0-9-]+$/),
        expect.stringMatching(/^(core|tools|platform)-\d/),
      ]);
      expect([id, sentence.endsWith('.'), deployments.length > 0]).toEqual([id, true, true]);
    }
  });

  it('has a walk for each flow in each deployment that it names', async () => {
    expect(missing(flowTable, await citations())).toEqual([]);
  });

  it('has every flow that a walk cites', async () => {
    const known = new Set(flowTable.map(({ id }) => id));
    expect((await citations()).flatMap(({ ids }) => ids).filter((id) => !known.has(id))).toEqual([]);
  });
});

describe('a walk is found', () => {
  const flow: Flow = { id: 'a', document: 'core-1', sentence: 'A.', deployments: ['embedded', 'local'] };

  it('by what it cites, in the deployments of its file', () => {
    const text = `walks('x', { on: ['embedded', 'replicas'] }, (walk) => {\n  walk(\n    ['a', 'b'],\n    'title',`;
    expect(citedIn(text)).toEqual({ ids: ['a', 'b'], deployments: ['embedded', 'replicas'] });
    expect(missing([flow], [citedIn(text)])).toEqual(['a on local']);
    expect(missing([flow], [citedIn(text), citedIn(`localWalk(['a'], 'title'`)])).toEqual([]);
  });

  it('nowhere else', () => {
    expect(missing([flow], [citedIn(`// walks ['a']\nexpect(['a'])`)])).toEqual(['a on embedded', 'a on local']);
  });
});
