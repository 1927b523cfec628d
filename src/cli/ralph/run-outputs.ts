// The commands `ralph progress|diff|bundle`: what a run leaves.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Command } from 'commander';
import { z } from 'zod';
import { CliError } from '../core/cli-error.ts';
import { newCommand, type CommandContext } from '../core/command.ts';
import { exitCodes } from '../core/exit-codes.ts';
import type { CliIo } from '../core/io.ts';
import { openClient, type ClientFlags } from '../core/open-client.ts';
import { printJson } from '../core/output.ts';
import { byId } from '../core/service-client.ts';

/** A bundle holds every commit of a run. */
const bundleTimeoutMs = 300_000;

export function progressCommand(run: CommandContext): Command {
  const { io, end } = run;
  return newCommand('progress', 'print what a run has learnt, as progress.txt')
    .argument('<run>', 'id of the run')
    .action(async (id: string, flags: ClientFlags) => {
      const client = await openClient(run, flags);
      const call = client.api.GET('/v1/ralph/runs/{id}/progress.txt', { ...byId(id), parseAs: 'text' });
      const progress = await client.read(call, z.string());
      if (flags.json) printJson(io, { run_id: id, progress });
      else io.out(progress);
      end(exitCodes.ok);
    });
}

export function diffCommand(run: CommandContext): Command {
  const { io, end } = run;
  return newCommand('diff', 'print the changes of a run for `git apply`, or those of one story')
    .argument('<run>', 'id of the run')
    .option('--story <id>', 'only this story')
    .action(async (id: string, flags: ClientFlags & { story?: string }) => {
      const client = await openClient(run, flags);
      const query = flags.story === undefined ? {} : { story_id: flags.story };
      const params = { ...byId(id).params, query };
      const diff = await client.read(
        client.api.GET('/v1/ralph/runs/{id}/diff', { params, parseAs: 'text' }),
        z.string(),
      );
      if (flags.json) printJson(io, { run_id: id, diff });
      else io.out(diff);
      end(exitCodes.ok);
    });
}

interface BundleFlags extends ClientFlags {
  readonly output?: string;
}

export function bundleCommand(run: CommandContext): Command {
  const { io, end } = run;
  return newCommand('bundle', 'download the commits of a run as a git bundle')
    .argument('<run>', 'id of the run')
    .option('-o, --output <file>', 'write to this file instead of standard output')
    .action(async (id: string, flags: BundleFlags) => {
      if (flags.output === undefined && (io.terminal.out || flags.json)) {
        throw new CliError(exitCodes.usage, 'binary', 'A bundle is binary.', 'Name a file by --output.');
      }
      const client = await openClient(run, flags, bundleTimeoutMs);
      const call = client.api.GET('/v1/ralph/runs/{id}/bundle', { ...byId(id), parseAs: 'arrayBuffer' });
      const bytes = new Uint8Array(await client.read(call, z.instanceof(ArrayBuffer)));
      if (flags.output === undefined) io.out(bytes);
      else await writeBundle(io, path.resolve(io.cwd, flags.output), bytes, flags.json === true);
      end(exitCodes.ok);
    });
}

async function writeBundle(io: CliIo, file: string, bytes: Uint8Array, json: boolean): Promise<void> {
  await writeFile(file, bytes).catch((cause: unknown) => {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new CliError(exitCodes.usage, 'cannot_write', `${file} cannot be written: ${why}`, '', { cause });
  });
  if (json) printJson(io, { file, size: bytes.length });
  else
    io.err(
      `${file}: ${bytes.length} bytes. Fetch from it: git fetch ${file} 'refs/switchyard/*:refs/remotes/switchyard/*'\n`,
    );
}
