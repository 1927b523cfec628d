// A small project with gates, in JavaScript and in TypeScript, the stories that add to it, and a scripted model that implements
// them.
import path from 'node:path';
import type { ModelRequest } from '../../support/agents/model-wire.ts';
import type { PlainStep } from '../../support/agents/scripted-model.ts';

/** `ts`: Node runs it, and the compiler checks its types. */
type Language = 'js' | 'ts';

const testOf = (name: string, body: string, language: Language = 'js'): string =>
  [
    "import { test } from 'node:test';",
    "import assert from 'node:assert/strict';",
    `import { ${name} } from '../src/${name}.${language}';`,
    body,
    '',
  ].join('\n');

/** The repository: two gates that are green. */
export const calculator: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify(
    {
      name: 'calculator',
      private: true,
      type: 'module',
      scripts: { test: 'node --test', typecheck: 'node --check src/sum.js' },
    },
    null,
    2,
  ),
  '.gitignore': 'node_modules\n',
  'src/sum.js': 'export const sum = (a, b) => a + b;\n',
  'test/sum.test.js': testOf('sum', "test('sums', () => assert.equal(sum(1, 2), 3));"),
};

const compiler = path.resolve(import.meta.dirname, '../../../node_modules/typescript/bin/tsc');

/** The same in TypeScript: its gate of types is the compiler. */
export const typedCalculator: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify(
    {
      name: 'calculator',
      private: true,
      type: 'module',
      scripts: { test: 'node --test', typecheck: `node '${compiler}' --noEmit` },
    },
    null,
    2,
  ),
  'tsconfig.json': JSON.stringify({
    compilerOptions: {
      module: 'nodenext',
      strict: true,
      allowImportingTsExtensions: true,
      erasableSyntaxOnly: true,
      noEmit: true,
      types: [],
    },
    include: ['src'],
  }),
  '.gitignore': 'node_modules\n',
  'src/sum.ts': 'export const sum = (a: number, b: number): number => a + b;\n',
  'test/sum.test.ts': testOf('sum', "test('sums', () => assert.equal(sum(1, 2), 3));", 'ts'),
};

/** A function of two numbers, and its test. */
export function operation(
  name: string,
  operator: string,
  expected: number,
  language: Language = 'js',
): Readonly<Record<string, string>> {
  const head = language === 'ts' ? '(a: number, b: number): number' : '(a, b)';
  return {
    [`src/${name}.${language}`]: `export const ${name} = ${head} => a ${operator} b;\n`,
    [`test/${name}.test.${language}`]: testOf(
      name,
      `test('the ${name} of six and three', () => assert.equal(${name}(6, 3), ${expected}));`,
      language,
    ),
  };
}

/** Shell lines that write files. */
export function writes(files: Readonly<Record<string, string>>): string[] {
  return Object.entries(files).map(([file, text]) => `cat > ${file} <<'FILE'\n${text}FILE`);
}

/** A criterion that a command shows, red before the story. */
export function computes(name: string, expected: number, language: Language = 'js'): string {
  return `\`node -e "import('./src/${name}.${language}').then((m) => process.exit(m.${name}(6, 3) === ${expected} ? 0 : 1))"\` succeeds`;
}

/** Files of a story, by whether an earlier attempt failed. */
export type StoryFiles = (again: boolean) => Readonly<Record<string, string>>;

/** A model that implements each story by its files, one tool call each, and says so. */
export function implementsStories(stories: Readonly<Record<string, StoryFiles>>): (request: ModelRequest) => PlainStep {
  return ({ raw, results }) => {
    const story = /# Story ([\w-]+):/.exec(raw)?.[1] ?? '';
    const again = raw.includes('# The last attempt (iteration ');
    const file = Object.entries(stories[story]?.(again) ?? {})[results];
    if (file === undefined) return { reply: `SUMMARY: ${story} is done${again ? ' better' : ''}.` };
    return { write: file[0], content: file[1] };
  };
}
