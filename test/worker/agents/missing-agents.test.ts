// What a worker's registration says of agents that it does not offer.
import { expect, it } from 'vitest';
import { listMissingAgents } from '../../../src/worker/agents/missing-agents.ts';

const broken = { name: 'codex', program: '/usr/bin/codex', trouble: 'is too old'.padEnd(600, '.') };

it('names what is here and broken, and every known program that is not here [ui-6.15.5]', () => {
  const missing = listMissingAgents(['claude'], [broken], true);
  expect(missing[0]?.reason).toMatch(/^is too old/);
  expect(missing[0]?.reason).toHaveLength(500);
  expect(missing.map(({ name }) => name)).toEqual(['codex', 'opencode', 'gemini', 'pi']);
  expect(missing[1]?.reason).toBe('no such program is on the PATH of the worker');
});

it('names no program where the operator named one agent [ui-6.15.5]', () => {
  expect(listMissingAgents(['command'], [], false)).toEqual([]);
});
