// The boundaries of modules: the imports between areas, no circles, no file or folder too large. docs/ARCHITECTURE.md.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isUnfinished } from './unfinished.ts';

const root = resolve(import.meta.dirname, '../..');
const src = join(root, 'src');

/** Areas by path prefix, the longest that fits, with the areas that they may import. */
const areas = {
  lib: [],
  contracts: ['lib'],
  'domain/model': [],
  'domain/ports': ['domain/model'],
  'domain/access': ['domain/model', 'domain/ports', 'lib'],
  'domain/tasks': ['domain/model', 'domain/ports', 'domain/access', 'lib'],
  'domain/workers': ['domain/model', 'domain/ports', 'domain/access', 'domain/tasks', 'lib'],
  'domain/codebases': ['domain/model', 'domain/ports', 'domain/access', 'domain/tasks', 'lib'],
  'domain/agents': ['domain/model', 'domain/ports', 'domain/access', 'domain/tasks', 'lib'],
  'domain/attention': ['domain/model', 'domain/ports', 'domain/access', 'domain/tasks', 'lib'],
  'domain/conversations': [
    'domain/model',
    'domain/ports',
    'domain/access',
    'domain/codebases',
    'domain/events',
    'domain/tasks',
    'lib',
  ],
  'domain/reviews': ['domain/model', 'domain/ports', 'domain/conversations', 'domain/tasks', 'lib'],
  'domain/events': ['domain/model', 'domain/ports', 'lib'],
  'domain/webhooks': ['domain/model', 'domain/ports', 'domain/access', 'domain/events', 'domain/tasks', 'lib'],
  'domain/limits': ['domain/model', 'domain/ports', 'lib'],
  'domain/audit': ['domain/model', 'domain/ports', 'lib'],
  'domain/sharing': ['domain/model', 'domain/ports', 'lib'],
  'domain/insight': ['domain/model', 'domain/ports', 'domain/access', 'domain/tasks', 'lib'],
  'domain/tools': ['domain/model', 'domain/ports', 'domain/access', 'lib'],
  'domain/prd': ['domain/model', 'domain/ports', 'domain/access', 'domain/events', 'domain/tasks', 'lib'],
  'domain/runs': [
    'domain/model',
    'domain/ports',
    'domain/access',
    'domain/codebases',
    'domain/events',
    'domain/prd',
    'domain/tasks',
    'lib',
  ],
  'domain/schedules': ['domain/model', 'domain/ports', 'domain/access', 'domain/events', 'domain/tasks', 'lib'],
  'domain/okr': ['domain/model', 'domain/ports', 'domain/access', 'domain/events', 'domain/tasks', 'lib'],
  // Pure: it knows touches and conversions, not where they are stored.
  'domain/attribution': ['lib'],
  'domain/analytics': ['domain/model', 'domain/ports', 'domain/access', 'domain/attribution', 'lib'],
  'domain/partitions': ['domain/model', 'domain/ports', 'domain/access', 'lib'],
  'domain/cluster': ['domain/model', 'domain/ports', 'domain/access', 'lib'],
  'domain/backup': ['domain/model', 'domain/ports', 'lib'],
  'adapters/kubernetes': ['domain/model', 'domain/ports', 'lib'],
  'adapters/policy-sidecar': ['domain/model', 'domain/ports', 'lib'],
  'adapters/postgres': ['domain/model', 'domain/ports', 'lib'],
  'adapters/audit-file': ['domain/model', 'domain/ports', 'lib'],
  'adapters/egress': ['domain/model', 'domain/ports', 'lib'],
  'adapters/oidc': ['domain/model', 'domain/ports', 'lib'],
  'adapters/redis': ['adapters/redis/connection', 'contracts', 'domain/model', 'domain/ports', 'lib'],
  // The worker and its doctor subscribe to the broker themselves, so they may import the connection, and nothing else of the adapter.
  'adapters/redis/connection': ['lib'],
  'adapters/sandbox': ['domain/model', 'domain/ports', 'lib'],
  http: ['domain', 'contracts', 'lib'],
  telemetry: ['lib'],
  server: ['adapters', 'contracts', 'domain', 'http', 'lib', 'telemetry'],
  worker: ['adapters/redis/connection', 'client', 'contracts', 'lib', 'telemetry'],
  client: [],
  cli: ['adapters/redis/connection', 'client', 'contracts', 'lib', 'server', 'worker'],
} as const satisfies Record<string, readonly string[]>;

type SourceArea = keyof typeof areas;

/** Libraries that one area owns: no other imports them. */
const owners: Record<string, readonly string[]> = {
  pg: ['adapters/postgres', 'cli'],
  fastify: ['http', 'server'],
  ajv: ['http'],
  '@a2a-js/sdk': ['http'],
  '@modelcontextprotocol/server': ['http'],
  commander: ['cli'],
  'openapi-fetch': ['client'],
  'eventsource-parser': ['client'],
  '@opentelemetry': ['telemetry'],
  undici: ['adapters/egress', 'adapters/kubernetes'],
  redis: ['adapters/redis/connection'],
  ai: ['worker/agents/model'],
  '@ai-sdk/openai-compatible': ['worker/agents/model'],
  'quickjs-emscripten': ['worker/agents/model'],
  'gpt-tokenizer': ['worker/agents/model'],
  '@agentclientprotocol/sdk': ['worker/agents/acp'],
  'ipaddr.js': ['lib', 'adapters/egress'],
  yaml: ['lib/settings', 'domain/prd'],
  croner: ['domain/schedules'],
  '@kubernetes/client-node': ['adapters/kubernetes'],
  'age-encryption': ['adapters/postgres/backup'],
  tar: ['adapters/postgres/backup'],
  'pg-copy-streams': ['adapters/postgres/backup'],
};

interface Import {
  readonly from: string;
  readonly to: string;
}

function files(folder = src): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/node_modules/.test(name))
    .map((name) => join(folder, name));
}

/** Relative imports of a file, and whether each imports types alone. */
function readImports(file: string): { to: string; isType: boolean }[] {
  const text = readFileSync(file, 'utf8');
  const types = new Set([...text.matchAll(/^import type [^'"]*?from '([^']+)'/gm)].map(([, from]) => from));
  return specifiers(file)
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => ({ to: resolve(dirname(file), specifier), isType: types.has(specifier) }));
}

function specifiers(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  return [
    ...text.matchAll(
      /^\s*(?:import|export)\b[^'"\n;]*?(?:\n[^'";]*?)?from '([^']+)'|\bimport\('([^']+)'\)|^import '([^']+)'/gm,
    ),
  ].map((match) => match[1] ?? match[2] ?? match[3] ?? '');
}

function relativeImports(): Import[] {
  return files().flatMap((from) =>
    specifiers(from)
      .filter((specifier) => specifier.startsWith('.'))
      .map((specifier) => ({ from, to: resolve(dirname(from), specifier) })),
  );
}

function areaOf(file: string): SourceArea | undefined {
  const path = relative(src, file);
  const fits = Object.keys(areas).filter(
    (area): area is SourceArea => path === `${area}.ts` || path.startsWith(`${area}/`),
  );
  return fits.toSorted((a, b) => b.length - a.length)[0];
}

function findCircles(imports: readonly Import[]): string[] {
  const next = new Map<string, string[]>();
  for (const { from, to } of imports) next.set(from, [...(next.get(from) ?? []), to]);
  const done = new Set<string>();
  const circles: string[] = [];
  const walk = (from: string, path: readonly string[]): void => {
    if (path.includes(from))
      circles.push([...path.slice(path.indexOf(from)), from].map((one) => relative(src, one)).join(' → '));
    if (path.includes(from) || done.has(from)) return;
    for (const to of next.get(from) ?? []) walk(to, [...path, from]);
    done.add(from);
  };
  for (const from of next.keys()) walk(from, []);
  return circles;
}

describe('the boundaries of modules', () => {
  it('every file belongs to an area', () => {
    expect(files().filter((file) => areaOf(file) === undefined)).toEqual([]);
  });

  it('no area imports what it may not', () => {
    const broken = relativeImports().flatMap(({ from, to }) => {
      const [a, b] = [areaOf(from), areaOf(to)];
      if (a === undefined || b === undefined || a === b) return [];
      const allowed: readonly string[] = areas[a];
      const may = allowed.some((area) => b === area || b.startsWith(`${area}/`));
      return may ? [] : [`${relative(src, from)} (${a}) imports ${relative(src, to)} (${b})`];
    });
    expect(broken).toEqual([]);
  });

  it('no library is imported outside of its area', () => {
    const broken = files().flatMap((file) =>
      specifiers(file).flatMap((specifier) => {
        const owner = Object.entries(owners).find(([name]) => specifier === name || specifier.startsWith(`${name}/`));
        const area = areaOf(file) ?? '';
        return owner === undefined ||
          owner[1].some((may) => area.startsWith(may) || relative(src, file).startsWith(may))
          ? []
          : [`${relative(src, file)} imports ${specifier}`];
      }),
    );
    expect(broken).toEqual([]);
  });

  it('no import goes in a circle', () => {
    expect(findCircles(relativeImports())).toEqual([]);
  });

  it('no folder imports a folder that imports it', () => {
    const folders = relativeImports().map(({ from, to }) => ({ from: dirname(from), to: dirname(to) }));
    expect(findCircles(folders.filter(({ from, to }) => from !== to))).toEqual([]);
  });

  it('no file has 500 lines, and the median is near 100', () => {
    const sizes = files()
      .filter((file) => relative(src, file) !== 'client/api.ts') // generated
      .map((file) => ({ file: relative(src, file), lines: readFileSync(file, 'utf8').split('\n').length }))
      .toSorted((a, b) => a.lines - b.lines);
    expect(sizes.filter(({ lines }) => lines >= 500)).toEqual([]);
    expect(sizes[Math.floor(sizes.length / 2)]?.lines).toBeLessThan(130);
  });

  it('no folder has more than fifteen files', () => {
    const all = ['src', 'test', 'bench', 'ui/src'].flatMap((folder) => files(join(root, folder)));
    const counts = Map.groupBy(all, (file) => relative(root, dirname(file)));
    const wide = [...counts].filter(([folder, inside]) => inside.length > 15 && !isUnfinished(folder));
    expect(wide.map(([folder]) => folder)).toEqual([]);
  });

  it('a page imports of the program the client, and types of the contracts', () => {
    const broken = files(join(root, 'ui/src')).flatMap((file) => {
      const outside = readImports(file).filter(({ to }) => !to.startsWith(join(root, 'ui/src')));
      const forbidden = outside.filter(
        ({ to, isType }) => !to.startsWith(join(src, 'client')) && !(isType && to.startsWith(join(src, 'contracts'))),
      );
      return forbidden.map(({ to }) => `${relative(root, file)} imports ${relative(root, to)}`);
    });
    expect(broken).toEqual([]);
  });

  it('every file says in its first line what lives in it', () => {
    expect(files().filter((file) => !/^(#!.*\n)?\/\/ \S/.test(readFileSync(file, 'utf8')))).toEqual([]);
  });

  it('no route creates an object literal with a getter: each would keep its request alive (http/pipeline/request-context.ts)', () => {
    const made = files().filter(
      (file) => areaOf(file) === 'http' && /^ {4,}get \w+\(\)/m.test(readFileSync(file, 'utf8')),
    );
    expect(made.map((file) => relative(src, file))).toEqual([]);
  });

  it('a caller without a credential, and its subject, are made in one place', () => {
    const makers = ['domain/model/access/caller.ts', 'domain/access/system-caller.ts'];
    const others = files().filter(
      (file) =>
        /credential: 'service'|[`']system:|['`]service:[$\w]/.test(readFileSync(file, 'utf8')) &&
        !makers.includes(relative(src, file)),
    );
    expect(others.map((file) => relative(src, file))).toEqual([]);
  });

  it('the environment is read in one place of each program', () => {
    const readers = ['server/config', 'worker/settings', 'worker/main', 'cli'];
    const broken = files().filter(
      (file) =>
        /\bprocess\.env\b/.test(readFileSync(file, 'utf8')) &&
        !readers.some((name) => relative(src, file).startsWith(name)),
    );
    expect(broken.map((file) => relative(src, file))).toEqual([]);
  });
});
