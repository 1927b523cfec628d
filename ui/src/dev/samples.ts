// Texts and data of the page of all parts.
import { ApiError } from '../api/api-error.ts';
import type { Station } from '../parts/marks/track.tsx';

/** A time that every photograph shows the same. */
export const sampleTime = '2026-03-01T12:00:00.000Z';

export const samples = {
  title: 'Parts',
  short: 'Fix the login test',
  hostile: 'Fix \u202Egnp.exe\u202C and \u200Bhidden \u001B[31mtext',
  rtl: 'إصلاح اختبار تسجيل الدخول',
  long: `A word that does not end: ${'long'.repeat(60)}`,
  command: 'switchyard worker --codebase /srv/web-app --agent claude',
  longCommand: `switchyard task create --codebase web-app ${'--capability gpu '.repeat(12)}'Fix the login test'`,
  hint: 'Without one the first line of the prompt is taken.',
  error: 'must NOT have fewer than 1 characters',
  reason: 'needs monitor:write; you are viewer',
  address: 'http://127.0.0.1:8000/v1/monitor/#code=sample',
  diff: ['const age = 12;', 'const age = 24;'],
  markdown: [
    '## What changed',
    'The cookie is `SameSite=Lax`, see [the page](https://example.org/) and ![a picture](https://example.org/a.png).',
    '- one\n- two',
    '> quoted',
    '```ts\nconst cookie = read();\n```',
    '| case | result |\n|---|---|\n| http | passed |',
    '<img src=x onerror=alert(1)> [script](javascript:alert(1))',
  ].join('\n\n'),
  json: {
    id: '01a20b7f-e392-7000-b534-f3d40bb0549a',
    count: 3,
    ok: true,
    nothing: null,
    empty: {},
    list: [1, 2, { deep: { deeper: 'text' } }],
    hostile: 'a \u202Eb',
    folded: { many: Array.from({ length: 250 }, (_, index) => index) },
  },
} as const;

export const stations: readonly Station[] = [
  { id: 'a', kind: 'begin', text: 'Created', at: sampleTime },
  { id: 'b', kind: 'wait', text: 'Waited 41 s', ms: 41_000 },
  { id: 'c', kind: 'lost', text: 'Attempt 1: lease lost', at: sampleTime },
  { id: 'd', kind: 'now', text: 'Attempt 2 on build-7', at: sampleTime },
  { id: 'e', kind: 'ask', text: 'Asked a question', at: sampleTime },
  { id: 'f', kind: 'done', text: 'Completed', at: sampleTime },
  { id: 'g', kind: 'end', text: 'Failed', at: sampleTime },
];

/** An answer of the service as an error, with the wait that a client is asked for. */
export function sampleError(status: number, code: string, detail: string, retryAfter?: number): ApiError {
  const headers = retryAfter === undefined ? undefined : { 'retry-after': String(retryAfter) };
  const problem = {
    type: `urn:switchyard:problem:${code}`,
    title: code,
    status,
    detail,
    code,
    request_id: 'f0eb0a0b-e242-4b3b-a63b-96d470976446',
  };
  return new ApiError(new Response(null, { status, ...(headers && { headers }) }), problem);
}
