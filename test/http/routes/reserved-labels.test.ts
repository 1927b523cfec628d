// Labels of the service's own: workers register the known ones, and no caller asks for any.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stepCapabilityLabel } from '../../../src/contracts/step.ts';
import { called, textOf } from '../../support/mcp/client.ts';
import { openService, type TestService } from '../../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service[Symbol.asyncDispose]());

const invalid = (path: string): object => ({ status: 400, body: { errors: [{ path }] } });

describe('labels that begin with switchyard:', () => {
  it('are registered by workers where the service knows them, and do not show in its card', async () => {
    const register = (capability: string): ReturnType<TestService['call']> =>
      service.call('POST', '/v1/agent/workers/register', {
        as: 'agent',
        body: {
          name: 'stepper',
          capabilities: [capability, 'painting'],
          codebases: [{ codebase_id: 'global', name: 'global', path: '/x' }],
        },
      });
    expect(await register('switchyard:steps-9')).toMatchObject(invalid('/capabilities'));
    const registered = await register(stepCapabilityLabel);
    expect(registered.body.worker.capabilities).toEqual([stepCapabilityLabel, 'painting']);
    const { body: card } = await service.call('GET', '/.well-known/agent-card.json', {});
    expect(JSON.stringify(card)).not.toContain('switchyard:steps');
  });

  it('are refused in what a task requires and in what an agent declares', async () => {
    const body = { title: 't', prompt: 'p', required_capabilities: ['gpu', stepCapabilityLabel] };
    const task = await service.call('POST', '/v1/agent/tasks', { as: 'editor', body });
    expect(task).toMatchObject(invalid('/required_capabilities'));
    const declared = { name: 'x', description: 'y', capabilities: [stepCapabilityLabel] };
    expect(textOf(await called(service, 'register_agent', declared))).toContain('capabilities may have no name');
  });
});
