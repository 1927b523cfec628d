// A small JavaScript project with gates, the stories that add to it, and a scripted model that implements them.
import type { ModelRequest } from '../../support/agents/model-wire.ts';
import type { PlainStep } from '../../support/agents/scripted-model.ts';

const testOf = (name: string, body: string): string =>
  [
    "import { test } from 'node:test';",
    "import assert from 'node:assert/strict';",
    `import { ${name} } from '../src/${name}.js';`,
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

/** A function of two numbers, and its test. */
export function operation(name: string, operator: string, expected: number): Readonly<Record<string, string>> {
  return {
    [`src/${name}.js`]: `export const ${name} = (a, b) => a ${operator} b;\n`,
    [`test/${name}.test.js`]: testOf(
      name,
      `test('the ${name} of six and three', () => assert.equal(${name}(6, 3), ${expected}));`,
    ),
  };
}

/** Shell lines that write files. */
export function writes(files: Readonly<Record<string, string>>): string[] {
  return Object.entries(files).map(([file, text]) => `cat > ${file} <<'FILE'\n${text}FILE`);
}

/** A criterion that a command shows, red before the story. */
export function computes(name: string, expected: number): string {
  return `\`node -e "import('./src/${name}.js').then((m) => process.exit(m.${name}(6, 3) === ${expected} ? 0 : 1))"\` succeeds`;
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
