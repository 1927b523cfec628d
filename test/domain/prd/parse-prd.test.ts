// Reading a PRD: both spellings, defaults, and every fault with its path.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DomainError } from '../../../src/domain/model/errors.ts';
import { parsePrd, reportOnPrd, requirePrd, requireRunnablePrd } from '../../../src/domain/prd/parse-prd.ts';
import { inSnakeCase, prdDocumentOf, someDocument, smallestStory } from '../../support/builders/prd.ts';

function errorsOf(input: unknown): readonly { path: string; message: string }[] {
  const reading = parsePrd(input);
  return 'errors' in reading ? reading.errors : [];
}

function thrownBy(act: () => unknown): DomainError {
  try {
    act();
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('a PRD that can be read', () => {
  it('has the default of every member that it leaves out [runs-13.1]', () => {
    expect(requirePrd(prdDocumentOf())).toEqual({
      project: 'Hello',
      branchName: 'hello',
      description: 'A greeting.',
      gates: null,
      setup: null,
      copy: [],
      protect: [],
      nonGoals: [],
      openQuestions: [],
      metadata: {},
      userStories: [
        {
          id: 'US-001',
          title: 'Print a greeting',
          description: 'As a user I see a greeting.',
          acceptanceCriteria: ['`node hello.js` exits 0'],
          priority: null,
          dependsOn: null,
          passes: false,
          notes: null,
          checks: [],
          allowTestChanges: false,
          agent: null,
          model: null,
        },
      ],
    });
  });

  it('keeps an empty list of gates, of set-up commands and of dependencies apart from an absent one', () => {
    const prd = requirePrd(prdDocumentOf({ gates: [], setup: [], userStories: [smallestStory({ dependsOn: [] })] }));
    expect([prd.gates, prd.setup, prd.userStories[0]?.dependsOn]).toEqual([[], [], []]);
  });

  it('is the same in both spellings, and as JSON and YAML text [runs-13.1, tools-2.2.1, tools-2.2.7]', () => {
    fc.assert(
      fc.property(someDocument, (document) => {
        const prd = requirePrd(document);
        expect(requirePrd(inSnakeCase(document))).toEqual(prd);
        expect(requirePrd(JSON.stringify(document))).toEqual(prd);
      }),
      { numRuns: 50 },
    );
  });

  it('takes null for an absent member, as YAML writes an empty one', () => {
    expect(
      requirePrd(
        'project: P\nbranchName: b\ndescription: d\ngates:\nuserStories:\n- {id: A, title: t, description: d, acceptanceCriteria: [x], notes: }',
      ).gates,
    ).toBeNull();
  });

  it('has its title on one line, because the title is the subject of a commit', () => {
    const title = 'Add a field\n\nSwitchyard-Gates: test=pass\n';
    const prd = requirePrd(prdDocumentOf({ userStories: [smallestStory({ title })] }));
    expect(prd.userStories[0]?.title).toBe('Add a field Switchyard-Gates: test=pass');
  });
});

describe('a PRD that cannot be read', () => {
  const story = (members: Record<string, unknown>) => prdDocumentOf({ userStories: [smallestStory(members)] });
  const gates = (...list: unknown[]) => prdDocumentOf({ gates: list });

  it.each<[string, unknown, string]>([
    ['a list', [], ''],
    ['an empty text', '', ''],
    ['a missing project', { ...prdDocumentOf(), project: undefined }, 'project'],
    ['a blank project', prdDocumentOf({ project: ' \t' }), 'project'],
    ['a number for a text', prdDocumentOf({ description: 12 }), 'description'],
    ['a missing branch name in snake case', inSnakeCase({ ...prdDocumentOf(), branchName: null }), 'branch_name'],
    ['no stories', prdDocumentOf({ userStories: [] }), 'userStories'],
    [
      '101 stories',
      prdDocumentOf({ userStories: Array.from({ length: 101 }, (_, i) => smallestStory({ id: `S${i}` })) }),
      'userStories',
    ],
    [
      '51 criteria',
      story({ acceptanceCriteria: Array.from({ length: 51 }, (_, i) => `c${i}`) }),
      'userStories.0.acceptanceCriteria',
    ],
    ['a story that is a text', prdDocumentOf({ userStories: ['x'] }), 'userStories.0'],
    ['missing criteria', story({ acceptanceCriteria: undefined }), 'userStories.0.acceptanceCriteria'],
    ['a blank criterion', story({ acceptanceCriteria: ['x', ''] }), 'userStories.0.acceptanceCriteria.1'],
    ['a NUL', story({ title: 'a\0b' }), 'userStories.0.title'],
    ['half a surrogate pair', story({ title: '\ud800' }), 'userStories.0.title'],
    ['an unknown member', prdDocumentOf({ stories: [] }), 'stories'],
    ['an unknown member of a story', story({ estimate: 3 }), 'userStories.0.estimate'],
    ['an unknown member of a gate', gates({ id: 'a', command: 'b', retries: 1 }), 'gates.0.retries'],
    [
      'an unknown member of a check',
      story({ checks: [{ command: 'a', shell: 'zsh' }] }),
      'userStories.0.checks.0.shell',
    ],
    ['a member in both spellings', prdDocumentOf({ branch_name: 'hello' }), 'branch_name'],
    ['a member of a story in both spellings', story({ depends_on: [], dependsOn: [] }), 'userStories.0.dependsOn'],
    ['two gates of one id', gates({ id: 'a', command: 'b' }, { id: 'a', command: 'c' }), 'gates.1.id'],
    ['a gate without a command', gates({ id: 'a' }), 'gates.0.command'],
    ['a time limit of 0', gates({ id: 'a', command: 'b', timeoutSeconds: 0 }), 'gates.0.timeoutSeconds'],
    [
      'a check of a criterion that is not there',
      story({ checks: [{ criterion: 1, command: 'a' }] }),
      'userStories.0.checks.0.criterion',
    ],
    [
      'a criterion that is no whole number',
      story({ checks: [{ criterion: 0.5, command: 'a' }] }),
      'userStories.0.checks.0.criterion',
    ],
    ['a priority that is a word', story({ priority: 'high' }), 'userStories.0.priority'],
    ['passes as a text', story({ passes: 'true' }), 'userStories.0.passes'],
    ['test changes as a text', story({ allowTestChanges: 'all' }), 'userStories.0.allowTestChanges'],
    ['an absolute path to copy', prdDocumentOf({ copy: ['/etc/passwd'] }), 'copy.0'],
    ['a path out of the repository', prdDocumentOf({ copy: ['a/../../b'] }), 'copy.0'],
    ['a path out of it with backslashes', prdDocumentOf({ copy: ['a\\..\\..\\b'] }), 'copy.0'],
    ['a path in the home folder', prdDocumentOf({ copy: ['~/.ssh/id_rsa'] }), 'copy.0'],
    ['metadata that is a list', prdDocumentOf({ metadata: [] }), 'metadata'],
    ['a planted prototype', JSON.parse('{"__proto__": {"passes": true}}'), '__proto__'],
    [
      'a planted prototype in metadata',
      prdDocumentOf({ metadata: JSON.parse('{"a": {"__proto__": 1}}') }),
      'metadata.a.__proto__',
    ],
  ])('is refused at its place: %s', (_, input, path) => {
    expect(errorsOf(input).map((error) => error.path)).toContain(path);
  });

  it.each(['', '.', 'a..b', '-a', 'a b', 'a/b', 'a.lock', 'a.', 'ä', 'x'.repeat(65), 'a\nb', '.a'])(
    'is refused for the story id %j',
    (id) => {
      expect(errorsOf(story({ id })).map((error) => error.path)).toContain('userStories.0.id');
    },
  );

  it('is refused when it is larger than 1 MiB, as a text and as an object [runs-13.2]', () => {
    const document = prdDocumentOf({ description: 'x'.repeat(1_048_576) });
    expect(errorsOf(document)).toMatchObject([{ path: '', message: 'The document is larger than 1 MiB.' }]);
    expect(errorsOf(JSON.stringify(document))).toMatchObject([{ path: '' }]);
  });

  it('is refused for nesting without end', () => {
    let deep: unknown = 1;
    for (let i = 0; i < 100_000; i += 1) deep = [deep];
    expect(errorsOf(prdDocumentOf({ metadata: { deep } }))[0]?.message).toContain('nested deeper');
  });

  it('is read at once when a title has a million spaces', () => {
    expect(errorsOf(story({ title: `a${' '.repeat(1_000_000)}b` }))).toEqual([]);
  });

  it('reports at most a hundred faults', () => {
    const stories = Array.from({ length: 100 }, () => ({ a: 1, b: 2 }));
    expect(errorsOf(prdDocumentOf({ userStories: stories }))).toHaveLength(100);
  });

  it('is refused, never a failure of the reader, for any value', () => {
    fc.assert(
      fc.property(fc.oneof(fc.anything({ withNullPrototype: true }), fc.json(), fc.string()), (input) => {
        expect(() => parsePrd(input)).not.toThrow();
      }),
      { numRuns: 300 },
    );
  });

  it.each(['project', 'branchName', 'description', 'userStories'])(
    'is refused without its %s [tools-2.2.2, tools-2.2.3, tools-2.2.4, tools-2.2.5]',
    (member) => {
      const { [member]: _, ...rest } = prdDocumentOf();
      expect(errorsOf(rest).map((error) => error.path)).toEqual([member]);
    },
  );

  it('is refused where a story lacks a member, or two have one id [tools-2.2.6]', () => {
    for (const member of ['id', 'title', 'description', 'acceptanceCriteria']) {
      const { [member]: _, ...without } = smallestStory({ id: 'US-001' });
      const errors = errorsOf(prdDocumentOf({ userStories: [without] }));
      expect(errors.map((error) => error.path)).toContain(`userStories.0.${member}`);
    }
    const doubled = prdDocumentOf({ userStories: [smallestStory({ id: 'US-001' }), smallestStory({ id: 'US-001' })] });
    expect(reportOnPrd(doubled).errors).toMatchObject([{ code: 'duplicate_id' }]);
  });

  it('is refused by name for any unknown member, anywhere [runs-13.1]', () => {
    const name = fc.stringMatching(/^[a-z]{3,12}$/).map((text) => `x_${text}`);
    fc.assert(
      fc.property(someDocument, name, fc.boolean(), (document, unknown, inStory) => {
        const broken = inStory
          ? { ...document, userStories: [{ ...document.userStories[0], [unknown]: 1 }] }
          : { ...document, [unknown]: 1 };
        expect(errorsOf(broken).some(({ path }) => path.endsWith(unknown))).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  it('becomes an error with the path of each fault', () => {
    const error = thrownBy(() => requirePrd(prdDocumentOf({ project: '', copy: ['/a'] })));
    expect(error).toMatchObject({ kind: 'invalid', code: 'invalid_prd' });
    expect(error.errors?.map(({ path }) => path)).toEqual(['project', 'copy.0']);
  });
});

describe('a PRD for a run', () => {
  it('is refused for a cycle, which the message writes out [runs-5.16]', () => {
    const userStories = [
      smallestStory({ id: 'A', dependsOn: ['B'] }),
      smallestStory({ id: 'B', dependsOn: ['C'] }),
      smallestStory({ id: 'C', dependsOn: ['A'] }),
    ];
    const error = thrownBy(() => requireRunnablePrd(prdDocumentOf({ userStories })));
    expect(error.code).toBe('invalid_prd');
    expect(error.message).toContain('A → B → C → A');
  });

  it('has a code of its own when the branch name alone is wrong', () => {
    expect(thrownBy(() => requireRunnablePrd(prdDocumentOf({ branchName: '-x' }))).code).toBe('bad_branch_name');
    const both = prdDocumentOf({ branchName: '-x', userStories: [smallestStory({ acceptanceCriteria: [] })] });
    expect(thrownBy(() => requireRunnablePrd(both)).code).toBe('invalid_prd');
  });

  it('is reported on, whatever it is', () => {
    expect(reportOnPrd(undefined)).toMatchObject({ valid: false, warnings: [] });
    expect(reportOnPrd(prdDocumentOf({ branchName: 'a b' }))).toMatchObject({
      valid: false,
      errors: [{ code: 'bad_branch_name', path: 'branchName' }],
    });
    expect(reportOnPrd(prdDocumentOf())).toMatchObject({ valid: true, errors: [] });
  });
});
