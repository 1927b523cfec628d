// Tools for tests: a signer of its own (no code of the service), a service that trusts it, and the calls of a client.
import { createHash, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { expect } from 'vitest';
import { openService, type TestService, type TestServiceOptions, type ApiReply, type TestUser } from '../service.ts';

export interface Signer {
  /** As TOOL_TRUSTED_KEYS has it, without a name. */
  readonly trusted: string;
  readonly privateKey: KeyObject;
}

export function makeSigner(): Signer {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
  return { trusted: raw.toString('base64'), privateKey };
}

export const signer = makeSigner();

/** RFC 8785 for what stands in manifests: names in order, no blanks, texts as JSON writes them. */
export function canonicalText(fields: Readonly<Record<string, unknown>>): string {
  const names = Object.keys(fields).toSorted();
  return `{${names.map((name) => `${JSON.stringify(name)}:${JSON.stringify(fields[name])}`).join(',')}}`;
}

export function signed(fields: Readonly<Record<string, unknown>>, by: Signer = signer): Record<string, unknown> {
  const signature = sign(null, Buffer.from(canonicalText(fields)), by.privateKey).toString('base64');
  return { ...fields, signature };
}

export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

export function openToolService(
  options: TestServiceOptions & { tools?: Partial<TestService['config']['tools']> } = {},
): Promise<TestService> {
  const tools = {
    trustedKeys: [`tests:${signer.trusted}`],
    allowedPaths: [],
    maxMemoryMb: 1024,
    maxCpuSeconds: 300,
    runsAtOnce: 4,
    bwrap: undefined,
    ...options.tools,
  };
  return openService({ ...options, config: { ...options.config, tools } });
}

export interface NewTool {
  readonly tool_id: string;
  readonly version?: string;
  readonly content: string | Uint8Array;
  readonly fields?: Record<string, unknown>;
  readonly as?: TestUser;
}

export async function putContent(
  service: TestService,
  toolId: string,
  version: string,
  content: string | Uint8Array,
  as: TestUser = 'operator',
): Promise<ApiReply> {
  return service.call('PUT', `/v1/tools/${toolId}/content?version=${version}`, {
    as,
    raw: content,
    headers: { 'content-type': 'application/octet-stream' },
  });
}

/** Registers a tool and stores its content. */
export async function install(service: TestService, tool: NewTool): Promise<void> {
  const { tool_id, version = '1.0.0', content, fields = {}, as = 'operator' } = tool;
  const body = signed({ tool_id, version, sha256_hash: sha256(content), ...fields });
  const registered = await service.call('POST', '/v1/tools/manifests', { as, body });
  expect(registered.status, JSON.stringify(registered.body)).toBe(201);
  const stored = await putContent(service, tool_id, version, content, as);
  expect(stored.status, JSON.stringify(stored.body)).toBe(200);
}

export function runTool(
  service: TestService,
  toolId: string,
  body: Record<string, unknown> = {},
  as: TestUser = 'editor',
): Promise<ApiReply> {
  return service.call('POST', `/v1/tools/${toolId}/run`, { as, body: { arguments: {}, ...body } });
}
