// Builders and arbitraries of PRDs: the smallest document, and any that a caller might write.
import fc from 'fast-check';

type Members = Record<string, unknown>;

/** The smallest story, in camelCase. */
export function smallestStory(members: Members = {}): Members {
  return {
    id: 'US-001',
    title: 'Print a greeting',
    description: 'As a user I see a greeting.',
    acceptanceCriteria: ['`node hello.js` exits 0'],
    ...members,
  };
}

/** The smallest document, in camelCase. */
export function prdDocumentOf(members: Members = {}): Members {
  return {
    project: 'Hello',
    branchName: 'hello',
    description: 'A greeting.',
    userStories: [smallestStory()],
    ...members,
  };
}

/** A text with content, of any characters that can be stored. */
export const someText = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
  .filter((text) => text.trim() !== '' && text.isWellFormed() && !text.includes('\0'));

const someTexts = fc.array(someText, { maxLength: 3 });
export const someId = fc.stringMatching(/^[A-Za-z0-9_][A-Za-z0-9_-]{0,20}$/);
const somePath = fc.stringMatching(/^[a-z][a-z0-9._-]{0,9}(\/[a-z][a-z0-9_-]{0,9}){0,2}$/);

const someGate = fc.record(
  {
    id: someId,
    command: someText,
    timeoutSeconds: fc.integer({ min: 1, max: 86_400 }),
    required: fc.boolean(),
    network: fc.boolean(),
  },
  { requiredKeys: ['id', 'command'] },
);

const someStory = fc.record(
  {
    id: someId,
    title: someText,
    description: someText,
    acceptanceCriteria: fc.array(someText, { minLength: 1, maxLength: 4 }),
    priority: fc.integer({ min: -5, max: 1000 }),
    dependsOn: fc.array(someId, { maxLength: 2 }),
    passes: fc.boolean(),
    notes: someText,
    checks: fc.array(fc.record({ criterion: fc.constant(0), command: someText }, { requiredKeys: ['command'] }), {
      maxLength: 2,
    }),
    allowTestChanges: fc.oneof(fc.boolean(), someTexts),
    agent: someText,
    model: someText,
  },
  { requiredKeys: ['id', 'title', 'description', 'acceptanceCriteria'] },
);

/** A document in camelCase that can be read. Its dependencies may lead nowhere. */
export const someDocument = fc.record(
  {
    project: someText,
    branchName: fc.stringMatching(/^[a-z][a-z0-9-]{0,20}$/),
    description: someText,
    userStories: fc.array(someStory, { minLength: 1, maxLength: 5 }),
    gates: fc.uniqueArray(someGate, { selector: ({ id }) => id, maxLength: 3 }),
    setup: someTexts,
    copy: fc.array(somePath, { maxLength: 2 }),
    protect: someTexts,
    nonGoals: someTexts,
    openQuestions: someTexts,
    metadata: fc.dictionary(someId, fc.oneof(someText, fc.integer(), fc.boolean(), someTexts), { maxKeys: 3 }),
  },
  { requiredKeys: ['project', 'branchName', 'description', 'userStories'] },
);

/** A document with every name in snake_case; what is under `metadata` stays. */
export function inSnakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inSnakeCase);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      key === 'metadata' ? member : inSnakeCase(member),
    ]),
  );
}
