// The reference page: every operation with its input and answers, as one self-contained file without scripts.
import type { Operation } from '../pipeline/operation.ts';
import { jsonSchema } from '../pipeline/schema.ts';
import { permissionTextOf, tagOf } from './document.ts';
import { errorStatusesOf } from './error-responses.ts';
import { buildExample } from './example.ts';
import { cspHash } from '../../lib/digest.ts';
import { pageHeaders } from '../pages/page-headers.ts';
import { pageTokens } from '../pages/page-tokens.ts';

const style = `${pageTokens}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 64rem; padding: 20px; background: var(--ground); color: var(--ink);
  font: 14px/20px var(--words); font-variant-numeric: tabular-nums; }
h1 { font-size: 20px; line-height: 26px; font-weight: 650; }
h2 { margin: 32px 0 8px; font-size: 16px; line-height: 24px; font-weight: 600; border-bottom: 1px solid var(--line); }
nav { display: flex; flex-wrap: wrap; gap: 4px 12px; } nav a { min-height: 24px; } a { color: var(--accent); }
p, td { color: var(--soft); }
:is(a, summary):focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
details { margin: 4px 0; padding: 6px 12px; background: var(--paper); border: 1px solid var(--line); border-radius: 3px; }
summary { cursor: pointer; overflow-wrap: anywhere; } code, pre { font: 12.5px/18px var(--code); }
pre { overflow-x: auto; padding: 8px 12px; background: var(--sunk); border: 1px solid var(--line); border-radius: 3px; }
`;

export interface ReferencePage {
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** @param base the public address, used in examples */
export function referencePage(operations: readonly Operation[], version: string, base: string): ReferencePage {
  const byTag = Map.groupBy(operations, tagOf);
  const tags = [...byTag.keys()].toSorted();
  const links = tags.map((tag) => `<a href="#${escapeHtml(tag)}">${escapeHtml(tag)}</a>`).join('');
  const sections = tags.map((tag) => {
    const rows = (byTag.get(tag) ?? []).map((row) => section(row, base));
    return `<h2 id="${escapeHtml(tag)}">${escapeHtml(tag)}</h2>${rows.join('')}`;
  });
  const html = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Reference · Switchyard</title><style>${style}</style></head>
<body><h1>Switchyard ${escapeHtml(version)}</h1>
<p>Every call needs <code>Authorization: Bearer &lt;token&gt;</code>. For programs, the same reference is at
<code>GET ${escapeHtml(base)}/openapi.json</code>.</p>
<nav>${links}</nav>
${sections.join('\n')}
</body></html>
`;
  const policy = pageHeaders({ scripts: `'none'`, styles: `'${cspHash(style)}'` });
  return {
    html,
    headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'private, no-cache', ...policy },
  };
}

function section(row: Operation, base: string): string {
  const answers = Object.entries(row.answers).map(
    ([status, schema]) => `<p>${status}</p>${block(buildExample(jsonSchema(schema)))}`,
  );
  const stream = answers.length === 0 ? '<p>200: a stream of server-sent events</p>' : '';
  const query = row.query === undefined ? '' : `<p>Query</p>${block(jsonSchema(row.query)['properties'])}`;
  return `<details id="${escapeHtml(row.name)}"><summary><code>${row.method} ${escapeHtml(row.path)}</code> ${escapeHtml(row.summary)}</summary>
<p>Needs ${escapeHtml(permissionTextOf(row))}.${row.createsTask === true ? ' Accepts Idempotency-Key.' : ''}</p>
<pre>${escapeHtml(curlExampleOf(row, base))}</pre>${query}
${row.body === undefined ? '' : `<p>Body</p>${block(jsonSchema(row.body)['properties'])}`}
${answers.join('')}${stream}
<p>Error statuses: ${errorStatusesOf(row).join(', ')}.</p></details>`;
}

/** A curl command for the call; the token comes from the environment. */
function curlExampleOf(row: Operation, base: string): string {
  const head = `curl -X ${row.method} '${base}${row.path}' -H "Authorization: Bearer $SWITCHYARD_TOKEN"`;
  if (row.body === undefined) return head;
  const example = JSON.stringify(buildExample(jsonSchema(row.body))).replaceAll(`'`, String.raw`'\''`);
  return `${head} \\\n  -H 'Content-Type: application/json' -d '${example}'`;
}

function block(value: unknown): string {
  return `<pre>${escapeHtml(JSON.stringify(value, null, 2) ?? '')}</pre>`;
}

function escapeHtml(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
