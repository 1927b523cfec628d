// The official clients, unmodified, on every path of both ports: they list and call every tool.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type TestService } from '../../support/service.ts';
import { lines, type Connected } from '../../support/mcp/official-clients.ts';
import { textOf } from '../../support/mcp/client.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service[Symbol.asyncDispose]());

const places = [
  ['/mcp on the main port', () => `${service.url}/mcp`],
  ['/mcp/v1/rpc on the main port', () => `${service.url}/mcp/v1/rpc`],
  ['/mcp on its own port', () => `${service.toolUrl}/mcp`],
  ['/mcp/v1/rpc on its own port', () => `${service.toolUrl}/mcp/v1/rpc`],
] as const;

describe.each(lines)('the official client, $name', ({ name, connect }) => {
  describe.each(places)('at %s', (_place, address) => {
    let client: Connected;
    beforeAll(async () => {
      client = await connect(address(), service.token('operator'));
    });
    afterAll(() => client[Symbol.asyncDispose]());

    it('connects in its era, and gets the instructions', () => {
      expect(client.era).toBe(name.endsWith('2026') ? 'modern' : 'legacy');
      expect(client.instructions).toContain('search_tools');
    });

    it('lists every tool and calls each of them by its example [core-1.17, tools-4.1.1]', async () => {
      const tools = await client.tools();
      const known = service.instance.mcp.tools.filter(({ tool }) => tool.permission !== 'codebases:delete');
      expect(tools.map((tool) => tool.name)).toEqual(known.map(({ tool }) => tool.name));
      for (const { tool } of known) {
        // The client holds each result against the schema that the tool published.
        const result = await client.call(tool.name, tool.example as Record<string, unknown>);
        expect([tool.name, textOf(result)]).toEqual([tool.name, expect.not.stringContaining('not valid')]);
        if (result.isError !== true)
          expect(JSON.parse(result.content[0]?.text ?? '')).toEqual(result.structuredContent);
      }
    });

    it('reads resources and prompts, and completes their arguments', async () => {
      const made = await client.call('create_task', { title: 'read me', codebase_id: 'global' });
      const uri = `coord://tasks/${made.structuredContent.task_id}`;
      expect(made.content[1]).toMatchObject({ type: 'resource_link', uri });
      expect(JSON.parse(await client.read(uri))).toMatchObject({ title: 'read me', status: 'pending' });
      expect(await client.read(`${uri}/log`)).toBe('');
      expect(await client.resources()).toContain('coord://codebases');
      expect(await client.templates()).toContain('coord://tasks/{task_id}/log');
      expect(await client.prompts()).toContain('triage_failed_task');
      const text = await client.prompt('triage_failed_task', { task_id: made.structuredContent.task_id });
      expect(text).toContain(made.structuredContent.task_id);
      expect(await client.complete('delegate_work', 'agent_type', 'b')).toEqual(['build']);
    });
  });
});
