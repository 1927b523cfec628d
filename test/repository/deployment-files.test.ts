// The files to deploy with: they can be read, and say nothing that the programs do not know. No container is started.
import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { serviceSettingRows as serviceRows } from '../../src/server/config/setting-table.ts';
import { workerSettingRows as workerRows } from '../../src/worker/settings/settings-table.ts';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

const container = z.looseObject({
  image: z.string(),
  build: z.string().optional(),
  environment: z.record(z.string(), z.string()).default({}),
  volumes: z.array(z.string()).default([]),
  depends_on: z.record(z.string(), z.looseObject({ condition: z.string() })).default({}),
  networks: z.array(z.string()),
});
const compose = z.looseObject({
  services: z.record(z.string(), container),
  networks: z.record(z.string(), z.unknown()),
  volumes: z.record(z.string(), z.unknown()),
});

function readCompose(): z.infer<typeof compose> {
  return compose.parse(parse(read('compose.yaml'), { merge: true }));
}

const serviceNames = Object.keys(serviceRows).flatMap((name) => [name.toUpperCase(), `${name.toUpperCase()}_FILE`]);
const workerNames = Object.values(workerRows).map(({ env }) => env);

describe('compose.yaml', () => {
  it('has two replicas, PostgreSQL, Redis, a policy server and a proxy that knows both replicas', () => {
    const { services } = readCompose();
    expect(Object.keys(services)).toEqual(
      expect.arrayContaining(['proxy', 'replica-1', 'replica-2', 'postgres', 'redis', 'policy']),
    );
    const proxied = [...read('deploy/nginx.conf').matchAll(/server (replica-\d):8000/g)].map((match) => match[1]);
    expect(proxied).toEqual(['replica-1', 'replica-2']);
  });

  it('sets nothing that the programs do not know, and gives each replica its own folder', () => {
    const { services } = readCompose();
    for (const name of ['replica-1', 'replica-2']) {
      const names = Object.keys(services[name]?.environment ?? {});
      expect(names).toEqual(expect.arrayContaining(['DATABASE_URL_FILE', 'A2A_BROKER_URL', 'POLICY_URL']));
      expect(names.filter((each) => !serviceNames.includes(each))).toEqual([]);
      expect(services[name]?.volumes).toContain(`${name}:/data`);
    }
    const worker = Object.keys(services['worker']?.environment ?? {});
    expect(worker.filter((each) => !workerNames.includes(each))).toEqual([]);
  });

  it('names only what it has: containers, networks, volumes, files; and holds no secret', () => {
    const { services, networks, volumes } = readCompose();
    for (const { depends_on: needs, networks: joined, volumes: mounted, environment } of Object.values(services)) {
      for (const name of Object.keys(needs)) expect(services).toHaveProperty(name);
      for (const name of joined) expect(networks).toHaveProperty(name);
      for (const [source = ''] of mounted.map((text) => text.split(':'))) {
        if (!source.startsWith('.')) expect(volumes).toHaveProperty(source);
        else if (source !== './work') expect(existsSync(path.join(root, source))).toBe(true);
      }
      for (const [name, value] of Object.entries(environment)) {
        if (/TOKEN|PASSWORD|SECRET/.test(name)) expect(value).toMatch(/\$\{\w+:\?/);
      }
    }
  });
});

describe('the image', () => {
  it('copies what is there', () => {
    const copied = [...read('Dockerfile').matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap((match) =>
      (match[1] ?? '').split(' '),
    );
    expect(copied).toContain('policies');
    for (const file of copied) expect(existsSync(path.join(root, file))).toBe(true);
  });
});

describe('the systemd unit of a worker', () => {
  it('sets nothing that the worker does not know, and has no token in its text', () => {
    const unit = read('deploy/switchyard-worker.service');
    const names = [...unit.matchAll(/^Environment=(\w+)=/gm)].map((match) => match[1]);
    expect(names.filter((name) => !workerNames.includes(name))).toEqual([]);
    expect(unit).toMatch(/^LoadCredential=token:/m);
    expect(unit).not.toMatch(/SWITCHYARD_TOKEN=/);
  });

  const analyze = '/usr/bin/systemd-analyze';
  it.runIf(isProgram(analyze))('is one that systemd can read', async () => {
    const unit = path.join(root, 'deploy/switchyard-worker.service');
    const { stderr } = await promisify(execFile)(analyze, ['verify', '--man=no', unit]).catch((error: unknown) => ({
      stderr: z.looseObject({ stderr: z.string() }).parse(error).stderr,
    }));
    // Only what it says of this file; the user and the program are not on this machine.
    expect(stderr.split('\n').filter((line) => /Unknown|Failed to parse|Invalid/.test(line))).toEqual([]);
  });
});

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
