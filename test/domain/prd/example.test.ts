// The example of the documentation is a PRD without a finding, and each of its criteria is shown by a command.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tieCriteria } from '../../../src/domain/prd/criterion-rules.ts';
import { reportOnPrd, requirePrd } from '../../../src/domain/prd/parse-prd.ts';

const root = join(import.meta.dirname, '../../..');

describe('the example', () => {
  const text = readFileSync(join(root, 'examples/prd/hello.yaml'), 'utf8');

  it('has no finding', () => {
    expect(reportOnPrd(text)).toEqual({ valid: true, errors: [], warnings: [] });
  });

  it('is checked by commands alone', () => {
    const { userStories, gates } = requirePrd(text);
    const ties = userStories.flatMap((story) => tieCriteria(story, gates ?? []));
    expect(ties.map(({ by }) => by)).toEqual(['check', 'check', 'check', 'check', 'check']);
  });
});

describe('the document in docs/PRD.md', () => {
  it('can be read and has no error', () => {
    const [, yaml = ''] = /```yaml\n([^]*?)```/.exec(readFileSync(join(root, 'docs/PRD.md'), 'utf8')) ?? [];
    expect(reportOnPrd(yaml)).toMatchObject({ valid: true, errors: [] });
  });
});
