// docs/OPERATIONS.md is what the tables of operations say; `npm run docs` writes it anew.
import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Operation, RpcOperation } from '../../src/http/pipeline/operation.ts';
import type { Mcp } from '../../src/http/mcp/build.ts';
import { openService, type TestService } from '../support/service.ts';

const path = new URL('../../docs/OPERATIONS.md', import.meta.url);

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service[Symbol.asyncDispose]());

it('the page of operations is current', async () => {
  const { operations, rpcOperations, mcp } = service.instance;
  const page = `${pageOf(operations, rpcOperations)}${toolsOf(mcp)}`;
  if (process.env['UPDATE_DOCS'] !== undefined) await writeFile(path, page);
  expect(await readFile(path, 'utf8')).toBe(page);
});

function demandOf(row: Pick<Operation, 'permission'>): string {
  return typeof row.permission === 'string' ? row.permission : row.permission.anyOf.join(' or ');
}

function keyOf(row: Pick<Operation, 'createsTask'>): string {
  return row.createsTask === true ? ' Takes `Idempotency-Key`.' : '';
}

function pageOf(operations: readonly Operation[], methods: readonly RpcOperation[]): string {
  const routes = operations
    .toSorted((a, b) => (a.path === b.path ? a.method.localeCompare(b.method) : a.path.localeCompare(b.path)))
    .map(
      (row) =>
        `| ${row.method} | \`${row.path}\` | \`${demandOf(row)}\` | \`${row.name}\` | ${row.summary}${keyOf(row)} |`,
    );
  const calls = methods.map(
    (row) => `| \`${row.method}\` | \`${demandOf(row)}\` | \`${row.name}\` | ${row.summary}${keyOf(row)} |`,
  );
  return `# Operations

Generated from the tables under \`src/http\` by \`npm run docs\`; a test holds it to them. Every call needs
\`Authorization: Bearer <token>\`; \`GET /health\` alone does not.

## REST

| method | path | permission | name | what it does |
|---|---|---|---|---|
${routes.join('\n')}

## A2A over JSON-RPC

\`POST /a2a/jsonrpc\`, \`POST /v1/a2a\` and \`POST /\` take the methods of protocol v0.3.

| method | permission | name | what it does |
|---|---|---|---|
${calls.join('\n')}
`;
}

function toolsOf({ methods, tools }: Mcp): string {
  const calls = methods.map(({ method, name, summary }) => `| \`${method}\` | \`${name}\` | ${summary} |`);
  const rows = tools.map(({ tool: row }) => {
    const hints = [row.hints.readOnlyHint ? 'looks' : '', row.hints.destructiveHint ? 'destructive' : ''];
    const hintText = hints.filter((hint) => hint !== '').join(', ');
    return `| \`${row.name}\` | ${row.toolset} | \`${demandOf(row)}\` | ${hintText} | ${row.title}.${keyOf(row)} |`;
  });
  return `
## Tool protocol

\`POST /mcp\` and \`POST /mcp/v1/rpc\` take these methods with \`mcp:write\`; [MCP.md](MCP.md) describes the tools.

| method | name | what it does |
|---|---|---|
${calls.join('\n')}

| tool | toolset | permission | hints | what it does |
|---|---|---|---|---|
${rows.join('\n')}
`;
}
