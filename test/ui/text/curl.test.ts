// The curl line of a call: read by a real shell, it is the call again.
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { markControls } from '../../../ui/src/text/clean.ts';
import { curlLine, shellQuote, type CallLine } from '../../../ui/src/text/curl.ts';

const origin = 'http://127.0.0.1:8000';

/** The words that a POSIX shell makes of a line. */
function wordsOf(line: string): string[] {
  const out = execFileSync('/bin/sh', ['-c', `printf '%s\\0' ${line}`], {
    env: { SWITCHYARD_TOKEN: 'the-token' },
    encoding: 'utf8',
  });
  return out.split('\0').slice(0, -1);
}

/** The call of a curl line, as curl would make it. */
function callOf(line: string): { method: string; url: URL; headers: string[]; body: unknown } {
  const words = wordsOf(line);
  const after = (option: string): string[] =>
    words.flatMap((word, index) => (words[index - 1] === option ? [word] : []));
  const body = after('--data-binary')[0];
  return {
    method: after('-X')[0] ?? 'GET',
    url: new URL(words.find((word) => word.startsWith(origin)) ?? ''),
    headers: after('-H'),
    body: body === undefined ? undefined : JSON.parse(body),
  };
}

it('names the token of the environment and never another [ui-3.0.1]', () => {
  const line = curlLine({ method: 'POST', path: '/v1/agent/tasks', body: { prompt: "it's $HOME `id`" } }, origin);
  expect(line).toBe(
    `curl -sS -g -X POST http://127.0.0.1:8000/v1/agent/tasks -H "Authorization: Bearer $SWITCHYARD_TOKEN" -H 'Content-Type: application/json' --data-binary '{"prompt":"it'\\''s $HOME \`id\`"}'`,
  );
  expect(callOf(line).headers[0]).toBe('Authorization: Bearer the-token');
});

it('is the same call after a shell has read it [ui-3.0.1]', () => {
  const calls: fc.Arbitrary<CallLine> = fc.record({
    method: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE'),
    path: fc.webPath().map((path) => `/v1${path}`),
    query: fc.dictionary(
      fc.string({ minLength: 1 }),
      fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.array(fc.string(), { maxLength: 3 })),
      {
        maxKeys: 4,
      },
    ),
    body: fc.option(fc.jsonValue(), { nil: undefined }),
  });
  fc.assert(
    fc.property(calls, (call) => {
      const back = callOf(curlLine(call, origin));
      expect(back.method).toBe(call.method);
      expect(back.url.pathname).toBe(new URL(call.path, origin).pathname);
      const expected = Object.entries(call.query ?? {}).flatMap(([name, value]) =>
        (Array.isArray(value) ? value : [value]).map((one) => [name, String(one)]),
      );
      expect([...back.url.searchParams]).toEqual(expected);
      expect(back.body).toEqual(call.body === undefined ? undefined : JSON.parse(JSON.stringify(call.body)));
    }),
    { numRuns: 60 },
  );
});

it('quotes any text as one word [ui-3.0.1]', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 10 }), (texts) => {
      expect(wordsOf(texts.map(shellQuote).join(' '))).toEqual(
        texts.map((text) => Buffer.from(text.replaceAll('\0', '')).toString()),
      );
    }),
    { numRuns: 60 },
  );
});

it('holds nothing that a person would not see, and is the same call all the same [ui-7.2.40]', () => {
  const hostile = 'now\u202Etxt.exe\u202C \u200B\u{E0041}\u0085\u001B[31m\r👩\u200D💻';
  const line = curlLine({ method: 'POST', path: '/v1/agent/tasks', body: { prompt: hostile } }, origin);
  const word = shellQuote(hostile);
  for (const shown of [line, word]) expect(shown).toBe(shown.split('\n').map(markControls).join('\n'));
  expect(callOf(line).body).toEqual({ prompt: hostile });
  expect(wordsOf(word)).toEqual([hostile]);
});
