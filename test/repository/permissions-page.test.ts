// docs/PERMISSIONS.md is who may call what, from the tables of operations and the matrix; `npm run docs` writes it anew.
import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Operation } from '../../src/http/pipeline/operation.ts';
import { openService, type TestService } from '../support/service.ts';
import { isPerson } from '../../src/domain/access/require-person.ts';
import { allPermissions, permissionsOf, roles } from '../../src/domain/model/access/permission.ts';

const path = new URL('../../docs/PERMISSIONS.md', import.meta.url);

let testService: TestService;
beforeAll(async () => {
  testService = await openService();
});
afterAll(() => testService[Symbol.asyncDispose]());

it('the page of permissions is current [choices-4.31]', async () => {
  const page = pageOf(testService);
  if (process.env['UPDATE_DOCS'] !== undefined) await writeFile(path, page);
  expect(await readFile(path, 'utf8')).toBe(page);
});

type Demand = Operation['permission'];

function wanted(demand: Demand): readonly string[] {
  if (demand === 'any_credential') return [];
  return typeof demand === 'string' ? [demand] : demand.anyOf;
}

/** The roles that may, in the order of the columns. */
function cells(demand: Demand, personOnly = false): string {
  const may = roles.map((role) => {
    const held: ReadonlySet<string> = permissionsOf([role]);
    if (personOnly && !isPerson({ roles: [role] })) return false;
    return demand === 'any_credential' || wanted(demand).some((one) => held.has(one));
  });
  return may.map((one) => (one ? '●' : '')).join(' | ');
}

function demandText(demand: Demand): string {
  return demand === 'any_credential'
    ? 'any credential'
    : wanted(demand)
        .map((one) => `\`${one}\``)
        .join(' or ');
}

function line(name: string, demand: Demand, { also, personOnly = false }: Besides = {}): string {
  return `| ${name} | ${demandText(demand)}${besidesText(also, personOnly)} | ${cells(demand, personOnly)} |`;
}

interface Besides {
  readonly also?: Demand | undefined;
  readonly personOnly?: boolean | undefined;
}

function besidesText(also: Demand | undefined, personOnly: boolean): string {
  return `${also === undefined ? '' : ` and ${demandText(also)}`}${personOnly ? ', a person' : ''}`;
}

function toolLine(name: string, demand: Demand, { also, personOnly = false }: Besides): string {
  const besides = besidesText(also, personOnly);
  const may = roles.map((role) => {
    if (personOnly && !isPerson({ roles: [role] })) return false;
    const held: ReadonlySet<string> = permissionsOf([role]);
    return held.has('mcp:write') && (demand === 'any_credential' || wanted(demand).some((one) => held.has(one)));
  });
  return `| \`${name}\` | ${demandText(demand)}${besides} | ${may.map((one) => (one ? '●' : '')).join(' | ')} |`;
}

function pageOf({ instance: service }: TestService): string {
  const routes = service.operations
    .toSorted((a, b) => (a.path === b.path ? a.method.localeCompare(b.method) : a.path.localeCompare(b.path)))
    .map(({ name, method, path: route, permission, alsoRequires: also, personOnly }) =>
      line(`\`${name}\` | ${method} \`${route}\``, permission, { also, personOnly }),
    );
  const methods = service.rpcOperations.map(({ name, method, permission }) =>
    line(`\`${name}\` | \`${method}\``, permission),
  );
  const tools = service.mcp.tools.map(({ tool: { name, permission, alsoRequires: also, personOnly } }) =>
    toolLine(name, permission, { also, personOnly }),
  );
  const columns = roles.join(' | ');
  const rule = roles.map(() => '---').join('|');
  const matrix = allPermissions().map((permission) => `| \`${permission}\` | ${cells(permission)} |`);
  return `# Permissions

Generated from the tables under \`src/http\` and from \`src/domain/model/access/permission.ts\` by \`npm run docs\`; tests hold it to
them, call each operation as each role, and hold the Rego of \`policies/\` to the same data.

Beside the permission: scopes of an API key narrow it and never add; what another subject owns is changed by \`operator\`
and higher alone (an \`agent\` changes what its own worker holds a lease on or binds); another tenant is open to \`admin\`
alone, who names it in \`X-Tenant-Id\`, and whose scopes, where he has any, hold \`tenants:read\`. "a person": callers with the
role \`agent\` get 403 \`needs_person\`, by whatever way they ask (a message to a run, the input of its step).

## Roles

| permission | ${columns} |
|---|${rule}|
${matrix.join('\n')}

## REST

| operation | call | permission | ${columns} |
|---|---|---|${rule}|
${routes.join('\n')}

## JSON-RPC

| operation | method | permission | ${columns} |
|---|---|---|${rule}|
${methods.join('\n')}

## Tools

Every method of the tool protocol needs \`mcp:write\`; a tool needs its own permission beside it.

| tool | permission | ${columns} |
|---|---|${rule}|
${tools.join('\n')}
`;
}
