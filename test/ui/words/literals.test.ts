// No word of the pages stands in an element: all are in the catalogues, where a test and a translator find them.
import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import path from 'node:path';
import { parseSync } from 'vite';
import { expect, it } from 'vitest';

const ui = path.resolve(import.meta.dirname, '../../../ui');
/** Attributes whose text a person sees or hears. */
const spoken = new Set(['alt', 'aria-description', 'aria-label', 'hint', 'label', 'placeholder', 'text', 'title']);
/** Its text is a command, which is the same in every language. */
const commandElement = 'CodeLine';
const hasWord = (text: string): boolean => /\p{L}{2}/u.test(text);

type Visit = (value: unknown) => void;
type Node = Readonly<Record<string, unknown>>;

/** The texts of elements and of spoken attributes that stand in the source itself. */
function literalsIn(file: string, source: string): string[] {
  const found: string[] = [];
  const add = (text: unknown): void => {
    if (typeof text === 'string' && hasWord(text)) found.push(`${file}: ${text.trim()}`);
  };
  /** What an expression in the place of a text may be: either branch of a choice, a template with words. */
  const addExpression: Visit = (value) => {
    if (!isNode(value)) return;
    if (value['type'] === 'Literal') add(value['value']);
    if (value['type'] === 'TemplateLiteral')
      for (const quasi of listOf(value['quasis'])) add(isNode(quasi['value']) ? quasi['value']['cooked'] : undefined);
    if (value['type'] === 'ConditionalExpression') [value['consequent'], value['alternate']].forEach(addExpression);
    if (value['type'] === 'LogicalExpression') addExpression(value['right']);
  };
  const visit: Visit = (value) => {
    if (Array.isArray(value)) {
      value.forEach(visit);
    } else if (isNode(value)) {
      if (value['type'] === 'JSXText') add(value['value']);
      if (value['type'] === 'JSXElement' || value['type'] === 'JSXFragment')
        listOf(value['children']).forEach((child) => {
          if (child['type'] === 'JSXExpressionContainer') addExpression(child['expression']);
        });
      if (value['type'] === 'JSXOpeningElement' && nameOf(value['name']) === commandElement) return;
      if (value['type'] === 'JSXAttribute' && spoken.has(nameOf(value['name']))) {
        const given = value['value'];
        addExpression(isNode(given) && given['type'] === 'JSXExpressionContainer' ? given['expression'] : given);
      }
      Object.values(value).forEach(visit);
    }
  };
  visit(parseSync(file, source).program);
  return found;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function listOf(value: unknown): readonly Node[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

function nameOf(name: unknown): string {
  return isNode(name) && typeof name['name'] === 'string' ? name['name'] : '';
}

it('no element and no spoken attribute has a literal [ui-8.2]', async () => {
  const found: string[] = [];
  for await (const name of glob('src/**/*.tsx', { cwd: ui }))
    // The page of all parts is for people who work on the pages.
    if (!name.startsWith('src/dev/')) found.push(...literalsIn(name, readFileSync(path.join(ui, name), 'utf8')));
  expect(found).toEqual([]);
});

it.each([
  '<p>Some words</p>',
  "<p>{'Some words'}</p>",
  "<p>{isOpen ? 'Some words' : name}</p>",
  '<p>{`Some words of ${name}`}</p>',
  '<Button aria-label="Some words" />',
  "<Field label={'Some words'} />",
])('%s is found', (element) => {
  expect(literalsIn('planted.tsx', `export const planted = ${element};`)).toEqual([
    expect.stringContaining('planted.tsx: Some words'),
  ]);
});
