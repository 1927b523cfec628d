// The language of the code: the words of docs/GLOSSARY.md, one name for one thing, sentences that begin with their subject.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');

/** Files below `folder` whose names end so, as paths from the root; what is generated is not among them. */
function filesIn(folder: string, ending: RegExp): string[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => path.posix.join(folder, name))
    .filter((name) => ending.test(name) && !/node_modules|client\/api\.ts$/.test(name));
}

const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const sources = filesIn('src', /\.(ts|sql)$/);

/** The first column of the glossary's last table. */
function unusedWords(): string[] {
  const [, table = ''] = read('docs/GLOSSARY.md').split('## Words that are not used');
  return [...table.matchAll(/^\| ([a-z][a-z ]*?) +\|/gm)].map(([, word = '']) => word);
}

/** The occurrences of a word in a text: by itself, in the plural, or as a part of a camel-case identifier. */
function occurrences(text: string, word: string): string[] {
  const [first, rest] = [word.charAt(0), word.slice(1)];
  const inIdentifier = `[a-z0-9](${first.toUpperCase()}${rest})s?(?![a-z])`;
  const alone = `(?<![A-Za-z_])([${first}${first.toUpperCase()}]${rest.replaceAll(' ', String.raw`[\s-]+`)})s?(?![a-z_])`;
  return [...text.matchAll(new RegExp(`${inIdentifier}|${alone}`, 'g'))].map((match) => match[0]);
}

describe('the words of the code', () => {
  it('are not those that the glossary replaces', () => {
    const words = unusedWords();
    expect(words.length).toBeGreaterThan(15);
    // Generated pages quote the requirements and the last measurement.
    const documents = filesIn('docs', /\.md$/).filter((file) => !/(GLOSSARY|REQUIREMENTS|PERFORMANCE)\.md$/.test(file));
    const searched = [
      ...sources,
      ...documents,
      ...filesIn('test', /\.ts$/).filter((file) => !/requirements\//.test(file)),
      ...filesIn('bench', /\.ts$/),
      'README.md',
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
    expect(occurrences('the Hallway, openHallway and hallways', 'hallway')).toHaveLength(3);
    expect(occurrences('outdoors, indoor, adorn', 'door')).toEqual([]);
  });

  it('name one export each', () => {
    // The client is a package of its own, which names what the domain names.
    const exported = sources
      .filter((file) => !file.startsWith('src/client/'))
      .flatMap((file) =>
        [
          ...read(file).matchAll(
            /^export (?:declare )?(?:abstract )?(?:async )?(?:function|class|const|interface|type) (\w+)/gm,
          ),
        ].map(([, name = '']) => ({ name, file })),
      );
    const doubled = [...Map.groupBy(exported, ({ name }) => name)]
      .filter(([, places]) => new Set(places.map(({ file }) => file)).size > 1)
      .map(([name, places]) => `${name}: ${places.map(({ file }) => file).join(', ')}`);
    expect(doubled).toEqual([]);
  });

  it('stand in sentences that begin with their subject', () => {
    const inverted =
      /^\s*(?:\/\/|\*|\/\*\*|--) (?:Have|Whose|Of (?:the|a|what|all)|Who|What (?:it|is|was|the|a)|Where (?:it|there|no|a)|Not|No [a-z]+ (?:that|of)|There where|So that|As (?:it|long)|To whom) .*/;
    const found = sources.flatMap((file) =>
      read(file)
        .split('\n')
        .filter((line) => inverted.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    );
    expect(found).toEqual([]);
  });
});
