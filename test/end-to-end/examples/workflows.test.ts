// The importable workflows: the n8n one asks only for what the OpenAPI document has, the Node-RED one is run as it stands.
import { readFile } from 'node:fs/promises';
import { createContext, runInContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import packageJson from '../../../package.json' with { type: 'json' };
import { openService, type TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service[Symbol.asyncDispose]());

const example = (name: string): Promise<string> =>
  readFile(new URL(`../../../examples/${name}`, import.meta.url), 'utf8');

describe('the workflow for n8n', () => {
  const named = z.object({ name: z.string(), value: z.string() });
  const pairs = z.object({ parameters: z.array(named) });
  const assignments = z.object({ assignments: z.array(named) });
  const workflow = z.object({
    nodes: z.array(
      z.object({
        id: z.uuid(),
        name: z.string(),
        type: z.string().startsWith('n8n-nodes-base.'),
        typeVersion: z.number(),
        position: z.tuple([z.number(), z.number()]),
        parameters: z.looseObject({
          url: z.string().optional(),
          method: z.string().optional(),
          genericAuthType: z.string().optional(),
          bodyParameters: pairs.optional(),
          headerParameters: pairs.optional(),
          assignments: assignments.optional(),
        }),
      }),
    ),
    connections: z.record(z.string(), z.object({ main: z.array(z.array(z.object({ node: z.string() }))) })),
  });

  it('leads from a task to its result, every connection to a node that is there', async () => {
    const { nodes, connections } = workflow.parse(JSON.parse(await example('n8n-workflow.json')));
    const names = nodes.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    const reached = new Set(['Start']);
    for (const name of reached) {
      for (const { node } of connections[name]?.main.flat() ?? []) {
        expect(names).toContain(node);
        reached.add(node);
      }
    }
    expect(reached).toEqual(new Set(names));
    expect(connections['Is it over?']?.main.map(([next]) => next?.node)).toEqual(['Result', 'Wait for its webhook']);
  });

  it('has the paths, the headers and the fields of the OpenAPI document, and no token', async () => {
    const text = await example('n8n-workflow.json');
    const { nodes } = workflow.parse(JSON.parse(text));
    const { body: document } = await service.call('GET', '/openapi.json', { as: 'viewer' });
    const calls = nodes.filter(({ type }) => type === 'n8n-nodes-base.httpRequest');
    expect(calls.map(({ parameters }) => parameters.genericAuthType)).toEqual(['httpBearerAuth', 'httpBearerAuth']);
    const [create, read] = calls.map(({ parameters: { url = '', method = '' } }) => {
      const path = url.replace(/^=\{\{[^}]*\}\}/, '').replaceAll(/\{\{[^}]*\}\}/g, '{id}');
      const found = document.paths[path]?.[method.toLowerCase()];
      expect(found, `${method} ${path}`).toBeDefined();
      return found;
    });
    const sent = calls[0]?.parameters.bodyParameters?.parameters.map(({ name }) => name) ?? [];
    const shapeOf = ({ $ref = '', ...itself }: { $ref?: string }): { properties: object; required: string[] } =>
      document.components.schemas[$ref.replace('#/components/schemas/', '')] ?? itself;
    const shape = shapeOf(create.requestBody.content['application/json'].schema);
    expect(Object.keys(shape.properties)).toEqual(expect.arrayContaining(sent));
    expect(sent).toEqual(expect.arrayContaining(shape.required));
    const headers = calls[0]?.parameters.headerParameters?.parameters.map(({ name }) => name) ?? [];
    expect(create.parameters.map(({ name }: { name: string }) => name)).toEqual(expect.arrayContaining(headers));
    const shown = nodes.find(({ name }) => name === 'Result')?.parameters.assignments?.assignments ?? [];
    const answered = shapeOf(read.responses['200'].content['application/json'].schema);
    expect(Object.keys(answered.properties)).toEqual(expect.arrayContaining(shown.map(({ name }) => name)));
    expect(text).not.toMatch(/Bearer |ct_/);
  });
});

describe('the flow for Node-RED', () => {
  const flow = z.array(
    z.looseObject({
      id: z.string().regex(/^[\da-f]{16}$/),
      type: z.enum(['tab', 'inject', 'function', 'http request', 'delay', 'debug']),
      func: z.string().optional(),
      wires: z.array(z.array(z.string())).optional(),
    }),
  );
  const message = z.looseObject({
    method: z.string().optional(),
    url: z.string().optional(),
    headers: z.record(z.string(), z.string()).optional(),
    payload: z.unknown().optional(),
  });
  type Message = z.infer<typeof message>;
  type Node = z.infer<typeof flow>[number];

  /** The messages that a node sends to each of its outputs, as Node-RED would have it; a delay takes no time. */
  async function outputs(node: Node, inputMessage: Message): Promise<(Message | null)[]> {
    if (node.type === 'function') {
      const failed = (error: string): never => {
        throw new Error(error);
      };
      const settings: Record<string, string> = {
        SWITCHYARD_URL: service.url,
        SWITCHYARD_TOKEN: service.token('editor'),
      };
      const context = createContext({
        msg: inputMessage,
        node: { error: failed },
        env: { get: (k: string) => settings[k] },
      });
      const result: unknown = runInContext(`(() => {${node.func ?? ''}\n})()`, context);
      return z.array(message.nullable()).parse(Array.isArray(result) ? result : [result]);
    }
    if (node.type !== 'http request') return [inputMessage];
    const { method = '', url = '', headers = {}, payload } = inputMessage;
    const body = method === 'GET' ? {} : { body: JSON.stringify(payload) };
    const reply = await fetch(url, { method, headers, ...body });
    return [{ ...inputMessage, payload: await reply.json(), statusCode: reply.status }];
  }

  it('goes from a task to its result, asking until it is over', async () => {
    const nodes = flow.parse(JSON.parse(await example('node-red-flow.json')));
    const byId = new Map(nodes.map((node) => [node.id, node]));
    expect(nodes.flatMap(({ wires = [] }) => wires.flat()).every((id) => byId.has(id))).toBe(true);
    const worker = await service.worker();
    let at = nodes.find(({ type }) => type === 'inject');
    let carried: Message = { _msgid: 'one', payload: null };
    let polls = 0;
    while (at !== undefined && at.type !== 'debug') {
      if (at.type === 'delay' && polls++ === 1) {
        const claimed = await until('its task', async () => (await worker.claim())[0]);
        await worker.release(claimed, { status: 'completed', result: 'all of it' });
      }
      const sent = await outputs(at, carried);
      const output = sent.findIndex((one) => one !== null);
      carried = sent[output] ?? carried;
      at = byId.get(at.wires?.[output]?.[0] ?? '');
    }
    expect(carried.payload).toMatchObject({ status: 'completed', result_summary: 'all of it', error: null });
    expect(polls).toBe(2);
  });
});

it('the examples come with the package', () => {
  expect(packageJson.files).toContain('examples');
});
