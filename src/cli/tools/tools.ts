// The commands `tools list|show|register|upload|revoke`: manage the register of signed tools.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Command } from 'commander';
import {
  manifestAnswer,
  manifestPage,
  manifestsAnswer,
  newManifest,
  toolAnswer,
  type ManifestWire,
} from '../../contracts/tools.ts';
import { allPages } from '../core/all-pages.ts';
import { CliError } from '../core/cli-error.ts';
import { newCommand, type CommandContext } from '../core/command.ts';
import { findConnection, withConnection, type ConnectionFlags } from '../core/connection.ts';
import { exitCodes } from '../core/exit-codes.ts';
import type { CliIo } from '../core/io.ts';
import { singleLine, printJson, table } from '../core/output.ts';
import { createCliServiceClient } from '../core/service-client.ts';
import { parseToolName, toolHelp } from '../flags/tool-name.ts';
import { toolsRunCommand } from './tools-run.ts';
import { toolsKeygenCommand, toolsSignCommand } from './tools-sign.ts';
import { tryParseJson } from '../../lib/json/json-text.ts';

interface Flags extends ConnectionFlags {
  readonly json?: true;
}

export function toolsCommand(run: CommandContext): Command {
  const group = new Command('tools').description('sign, register, run and revoke tools (docs/TOOLS.md)');
  for (const command of [toolsKeygenCommand(run), toolsSignCommand(run)]) group.addCommand(command);
  const online = [list(run), show(run), register(run), upload(run), toolsRunCommand(run), revoke(run)];
  for (const command of online) group.addCommand(withConnection(command));
  return group;
}

function list({ io, end }: CommandContext): Command {
  return newCommand('list', 'list every version of every tool').action(async (flags: Flags) => {
    const client = createCliServiceClient(await findConnection(io, flags), io);
    const manifests = await allPages(
      async (query) => client.read(client.api.GET('/v1/tools/manifests', { params: { query } }), manifestPage),
      (page) => page.manifests,
    );
    printManifests(io, flags, manifests);
    end(exitCodes.ok);
  });
}

function show({ io, end }: CommandContext): Command {
  return newCommand('show', 'show a tool: the version that a run uses, and all versions')
    .argument('<tool>', toolHelp)
    .action(async (toolReference: string, flags: Flags) => {
      const client = createCliServiceClient(await findConnection(io, flags), io);
      const request = { params: toolParams(toolReference) };
      const answer = await client.read(client.api.GET('/v1/tools/manifests/{tool_id}', request), toolAnswer);
      if (flags.json) printJson(io, answer);
      else io.out(`${JSON.stringify(answer.manifest, null, 2)}\n${manifestTable(answer.versions)}`);
      end(exitCodes.ok);
    });
}

function register({ io, end }: CommandContext): Command {
  return newCommand('register', 'register a signed manifest')
    .argument('<manifest>', 'file written by `tools sign`, or - for standard input')
    .action(async (file: string, flags: Flags) => {
      const client = createCliServiceClient(await findConnection(io, flags), io);
      const body = parseManifest(
        file === '-' ? await io.readStdin() : (await readBytes(io, file)).toString('utf8'),
        file,
      );
      const { manifest } = await client.read(client.api.POST('/v1/tools/manifests', { body }), manifestAnswer);
      printManifests(io, flags, [manifest]);
      end(exitCodes.ok);
    });
}

const uploadMs = 120_000;

function upload({ io, end }: CommandContext): Command {
  return newCommand('upload', 'upload the file whose hash is in the manifest')
    .argument('<tool>', toolHelp)
    .argument('<file>', 'the executable file')
    .action(async (toolReference: string, file: string, flags: Flags) => {
      const client = createCliServiceClient(await findConnection(io, flags), io, uploadMs);
      const bytes = await readBytes(io, file);
      const call = client.api.PUT('/v1/tools/{tool_id}/content', {
        params: toolParams(toolReference),
        headers: { 'content-type': 'application/octet-stream' },
        // Sent as bytes, not as text.
        body: '',
        bodySerializer: () => bytes,
      });
      const { manifest } = await client.read(call, manifestAnswer);
      printManifests(io, flags, [manifest]);
      end(exitCodes.ok);
    });
}

function revoke({ io, end }: CommandContext): Command {
  return newCommand('revoke', 'revoke a version or the whole tool for good')
    .argument('<tool>', toolHelp)
    .action(async (toolReference: string, flags: Flags) => {
      const client = createCliServiceClient(await findConnection(io, flags), io);
      const request = { params: toolParams(toolReference) };
      const call = client.api.DELETE('/v1/tools/manifests/{tool_id}', request);
      const { manifests } = await client.read(call, manifestsAnswer);
      printManifests(io, flags, manifests);
      end(exitCodes.ok);
    });
}

function toolParams(toolReference: string): { path: { tool_id: string }; query: { version?: string } } {
  const { toolId, version } = parseToolName(toolReference);
  return { path: { tool_id: toolId }, query: version === undefined ? {} : { version } };
}

async function readBytes(io: CliIo, file: string): Promise<Buffer<ArrayBuffer>> {
  try {
    return await readFile(path.resolve(io.cwd, file));
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new CliError(exitCodes.usage, 'unreadable', `${file} cannot be read: ${why}`, '', { cause });
  }
}

function parseManifest(text: string, file: string) {
  const parsed = newManifest.safeParse(tryParseJson(text));
  if (parsed.success) return parsed.data;
  const { error: cause } = parsed;
  const remedy = 'Create one with `switchyard tools sign`.';
  throw new CliError(exitCodes.usage, 'bad_manifest', `${file} does not hold a signed manifest.`, remedy, { cause });
}

function printManifests(io: CliIo, flags: Flags, manifests: readonly ManifestWire[]): void {
  if (flags.json) printJson(io, { manifests });
  else io.out(manifestTable(manifests));
}

function manifestTable(manifests: readonly ManifestWire[]): string {
  const rows = manifests.map((each) => [
    each.tool_id,
    each.version,
    each.status,
    each.has_content ? 'stored' : 'missing',
    singleLine(each.signed_by),
    each.sha256_hash.slice(0, 12),
  ]);
  return table(['TOOL', 'VERSION', 'STATUS', 'CONTENT', 'SIGNED BY', 'SHA-256'], rows);
}
