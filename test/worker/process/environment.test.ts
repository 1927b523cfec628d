// The environment of an attempt's process: the worker's without credentials, a home, an empty stdin.
import { stat } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { templateAdapter } from '../../../src/worker/agents/programs/template.ts';
import { openRunFixture, shellPrompt } from '../../support/worker/run-fixture.ts';

describe('the environment of a run', () => {
  test('holds no credential of ours, the workspace as PWD, and what agent_env names [choices-5.50, choices-5.47, choices-5.52]', async () => {
    await using fixture = await openRunFixture();
    const secrets = {
      SWITCHYARD_TOKEN: 's1',
      SWITCHYARD_TOKEN_FILE: 's2',
      SERVICE_AUTH_TOKEN: 's3',
      A2A_AUTH_TOKENS: 's4',
      DATABASE_URL: 's5',
      MIGRATION_DATABASE_URL: 's6',
      WEBHOOK_SIGNING_SECRET: 's7',
      BROKER_SHARED_SECRET: 's8',
      A2A_BROKER_URL: 's9',
      MODEL_PROVIDER_API_KEY: 's10',
      AUDIT_SIGNING_KEY_FILE: 's11',
      A2A_CARD_SIGNING_KEY_FILE: 's12',
      DATABASE_URL_FILE: 's13',
    };
    const env = { ...fixture.env, ...secrets, PWD: '/elsewhere', GIT_DIR: '/elsewhere', MY_OWN_TOKEN: 'mine' };
    const passEnv = ['MODEL_PROVIDER_API_KEY'];
    const outcome = await fixture.execute({ prompt: shellPrompt('env; echo "here $(pwd)"') }, { env, passEnv });
    const seen = outcome.result?.split('\n') ?? [];
    expect(seen).toContain('MODEL_PROVIDER_API_KEY=s10');
    expect(seen).toContain('MY_OWN_TOKEN=mine');
    expect(seen).toContain(`HOME=${fixture.env['HOME'] ?? ''}`);
    expect(seen).toContain(`PWD=${fixture.repo}`);
    expect(seen).toContain(`here ${fixture.repo}`);
    expect(seen.filter((line) => /=s\d+$/.test(line))).toEqual(['MODEL_PROVIDER_API_KEY=s10']);
    expect(seen.filter((line) => line.startsWith('GIT_DIR'))).toEqual([]);
  });

  test('has the workspace as PWD, also where no shell sees to it [choices-5.52]', async () => {
    await using fixture = await openRunFixture();
    const env = { ...fixture.env, PWD: '/elsewhere' };
    const outcome = await fixture.execute({}, { env, agent: templateAdapter(['env']) });
    expect(outcome.result?.split('\n')).toContain(`PWD=${fixture.repo}`);
  });

  test('has a home of its own when the operator wants that [choices-5.51]', async () => {
    await using fixture = await openRunFixture();
    const block = 'echo "$HOME"; echo "${XDG_CONFIG_HOME-none}"; touch "$HOME/login"';
    const env = { ...fixture.env, XDG_CONFIG_HOME: '/elsewhere' };
    const outcome = await fixture.execute({ prompt: shellPrompt(block) }, { env, agentHome: 'private' });
    const [home = '', config] = outcome.result?.split('\n') ?? [];
    expect(home.startsWith(fixture.stateDir)).toBe(true);
    expect(config).toBe('none');
    await expect(stat(home)).rejects.toThrow('ENOENT');
  });

  test('has an empty stdin, and keeps the prompt out of the arguments', async () => {
    await using fixture = await openRunFixture();
    const block = 'test -z "$(cat)" && echo empty; tr "\\0" " " < /proc/$$/cmdline; # word-in-the-prompt';
    const outcome = await fixture.execute({ prompt: shellPrompt(block) });
    expect(outcome.result).toMatch(/^empty\nsh -e /);
    expect(outcome.result).not.toContain('word-in-the-prompt');
  });
});
