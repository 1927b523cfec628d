// The language of the code: the words of docs/GLOSSARY.md, one name for one thing, sentences that begin with their subject.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { isUnfinished } from './unfinished.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** Files below `folder` whose names end so, as paths from the root; what is generated or copied is not among them. */
function filesIn(folder: string, ending: RegExp): string[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => path.posix.join(folder, name))
    .filter((name) => ending.test(name) && !/node_modules|client\/api\.ts$|\/(fixtures|golden)\//.test(name));
}

const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const sources = filesIn('src', /\.(ts|sql)$/);
const tests = [...filesIn('test', /\.ts$/), ...filesIn('bench', /\.ts$/), ...filesIn('scripts', /\.ts$/)];
const pages = filesIn('ui/src', /\.tsx?$/);
const code = [...sources, ...tests, ...pages].filter((file) => !isUnfinished(file));

interface UnusedWord {
  readonly word: string;
  /** The word is rejected as a part of names alone: in sentences it is an ordinary word. */
  readonly inNames: boolean;
}

/** The rows of the glossary's last table. */
function unusedWords(): UnusedWord[] {
  const [, table = ''] = read('docs/GLOSSARY.md').split('## Words that are not used');
  return [...table.matchAll(/^\| ([a-z][a-z ]*?)( \(in names\))? +\|/gm)].map(([, word = '', inNames]) => ({
    word,
    inNames: inNames !== undefined,
  }));
}

/** The occurrences of a word in a text: as a part of a camel-case identifier, or by itself, in the plural too. */
function occurrences(text: string, { word, inNames }: UnusedWord): string[] {
  const [first, rest] = [word.charAt(0), word.slice(1)];
  const end = `[a-z0-9](${first.toUpperCase()}${rest})s?(?![a-z])`;
  const start = `(?<![A-Za-z_])([${first}${first.toUpperCase()}]${rest})s?(?=[A-Z])`;
  const alone = `(?<![A-Za-z_])([${first}${first.toUpperCase()}]${rest.replaceAll(' ', String.raw`[\s-]+`)})s?(?![a-z_])`;
  const pattern = inNames ? `${end}|${start}` : `${end}|${alone}`;
  return [...text.matchAll(new RegExp(pattern, 'g'))].map((match) => match[0]);
}

describe('the words of the code', () => {
  it('are not those that the glossary replaces', () => {
    const words = unusedWords();
    expect(words.length).toBeGreaterThan(30);
    // Generated pages quote the requirements and the last measurement.
    const documents = filesIn('docs', /\.md$/).filter((file) => !/(GLOSSARY|REQUIREMENTS|PERFORMANCE)\.md$/.test(file));
    const searched = [
      ...code.filter((file) => !/test\/requirements\//.test(file)),
      ...documents.filter((file) => !isUnfinished(file)),
      'README.md',
      'CONTRIBUTING.md',
      'CHANGELOG.md',
    ];
    const found = searched.flatMap((file) => {
      const text = `${file}\n${read(file)}`;
      // Kysely has a class of that name.
      return /(vocabulary\.test|processes\/a2a-sdk)\.ts$/.test(file)
        ? []
        : words.flatMap((word) => occurrences(text, word).map((match) => `${file}: ${match}`));
    });
    expect(found).toEqual([]);
  });

  it('are found where they stand, alone or in an identifier', () => {
    const everywhere = (word: string): UnusedWord => ({ word, inNames: false });
    expect(occurrences('the Hallway, openHallway and hallways', everywhere('hallway'))).toHaveLength(3);
    expect(occurrences('outdoors, indoor, adorn', everywhere('door'))).toEqual([]);
    const inNames = { word: 'room', inNames: true };
    expect(occurrences('roomBytes, freeRoom and a room', inNames)).toEqual(['room', 'eRoom']);
  });

  it.each([
    // The client is a package of its own, which names what the domain names.
    ['src', sources.filter((file) => !file.startsWith('src/client/'))],
    ['test and bench', tests],
    ['ui', pages],
  ])('name one export each in %s', (_, files) => {
    const exported = files
      .filter((file) => !isUnfinished(file))
      .flatMap((file) =>
        [
          ...read(file).matchAll(
            /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|class|const|interface|type) (\w+)/gm,
          ),
        ].map(([, name = '']) => ({ name, file })),
      );
    const doubled = [...Map.groupBy(exported, ({ name }) => name)]
      .filter(([, places]) => new Set(places.map(({ file }) => file)).size > 1)
      .map(([name, places]) => `${name}: ${places.map(({ file }) => file).join(', ')}`);
    expect(doubled).toEqual([]);
  });

  it('stand in sentences that begin with their subject', () => {
    const openers = [
      'What(?:ever)?|Who(?:ever|se|m)?|To whom|Where(?:ver)?|Which(?:ever)?|Of|Have|Not|So that',
      'There where|As long|As it|No [a-z]+ (?:that|of)',
    ];
    const inverted = new RegExp(String.raw`^\s*(?:\/\/|\*|\/\*\*|--) (?:${openers.join('|')})\b.*`);
    const found = code.flatMap((file) =>
      read(file)
        .split('\n')
        .filter((line) => inverted.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    );
    expect(found).toEqual([]);
  });
});
