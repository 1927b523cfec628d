// The engine under both tables of settings: texts by kind, layers with origins, masked listings.
import { describe, expect, it } from 'vitest';
import { parseByKind } from '../../../src/lib/settings/kinds.ts';
import { buildLayer, environmentEntries, fileEntries, flagEntries } from '../../../src/lib/settings/layers.ts';
import { isRowName, parseValue, showSettings } from '../../../src/lib/settings/table.ts';

const rows = {
  port: { kind: 'number', write: 'a port' },
  names: { kind: 'list', write: 'names' },
  key: { kind: 'text', write: 'a key', secret: true },
} as const;
const makeError = (message: string): Error => new Error(message);
const read = ({ key, value }: { key: string; value: unknown }): readonly [keyof typeof rows, unknown] => {
  if (!isRowName(rows, key)) throw new Error(`unknown ${key}`);
  return [key, parseValue(rows, key, value)];
};

describe('the text of a setting', () => {
  it.each([
    ['number', ' 12 ', 12],
    ['number', '-0.5', -0.5],
    ['number', '1e3', 1000],
    ['number', '0x10', '0x10'],
    ['number', '', ''],
    ['flag', 'true', true],
    ['flag', 'yes', 'yes'],
    ['folder', 'false', false],
    ['folder', '/srv', '/srv'],
    ['list', 'a, b,,', ['a', 'b']],
    ['objects', '[]', '[]'],
  ] as const)('of kind %s: %j is %j', (kind, text, value) => {
    expect(parseByKind(kind, text)).toEqual(value);
  });
});

describe('a layer', () => {
  it('has the origin of each value and the folder of its relative paths', async () => {
    const file = fileEntries({ path: '/etc/a.yaml', values: { port: 1 } });
    expect([...(await buildLayer(file, read, makeError))]).toEqual([
      ['port', { value: 1, origin: 'file /etc/a.yaml', base: '/etc' }],
    ]);
    const sources = { env: { PORT: '2', NAMES: '' }, cwd: '/here', flags: { port: '3', names: undefined } };
    const variables = [
      ['port', 'PORT'],
      ['names', 'NAMES'],
    ] as const;
    expect([...(await buildLayer(environmentEntries(variables, sources), read, makeError))]).toEqual([
      ['port', { value: 2, origin: 'environment PORT', base: '/here' }],
    ]);
    expect([
      ...(await buildLayer(
        flagEntries(sources, (key) => `flag --${key}`),
        read,
        makeError,
      )),
    ]).toEqual([['port', { value: 3, origin: 'flag --port', base: '/here' }]]);
  });

  it('has each setting once', async () => {
    const entries = ['a', 'b'].map((origin) => ({ key: 'port', value: 1, origin, base: '/' }));
    await expect(buildLayer(entries, read, makeError)).rejects.toThrow('port is given twice: a and b');
  });
});

it('a listing masks given secrets and names the origin of each value', () => {
  const given = new Map([['key', { value: 'word', origin: 'environment KEY', base: '/' }]] as const);
  expect(showSettings(['port', 'key'], rows, given, (name) => (name === 'port' ? 8000 : 'word'))).toEqual([
    { name: 'port', value: 8000, origin: 'default' },
    { name: 'key', value: '***', origin: 'environment KEY' },
  ]);
});
