// The command `discovery export`: writes the agent card as files, to be published on another web server. choices-7.
import path from 'node:path';
import { Command } from 'commander';
import { z } from 'zod';
import { CliError } from '../core/cli-error.ts';
import { newCommand, type CommandContext } from '../core/command.ts';
import { findConnection, withConnection, type ConnectionFlags } from '../core/connection.ts';
import { exitCodes } from '../core/exit-codes.ts';
import type { CliIo } from '../core/io.ts';
import { singleLine, printJson } from '../core/output.ts';
import { replaceFile } from '../core/private-file.ts';
import { createCliServiceClient, type CliServiceClient } from '../core/service-client.ts';
import { makeFolder } from '../../lib/system/make-folder.ts';

interface Flags extends ConnectionFlags {
  readonly json?: true;
}

/** The documents behind authentication, by their path on the service and in the folder. */
const documents = ['.well-known/agent-card.json', '.well-known/agent.json'] as const;
/** Loose: members that a later version adds to a card are kept. */
const card = z.looseObject({ name: z.string(), url: z.url() });

export function discoveryCommand({ io, end }: CommandContext): Command {
  const command = newCommand('export', 'write the agent card as files, to be published on another web server')
    .argument('<dir>', 'folder that a web server serves; created if missing')
    .action(async (dir: string, flags: Flags) => {
      const client = createCliServiceClient(await findConnection(io, flags), io);
      // All documents are fetched before the first is written: a failing service leaves the folder unchanged.
      const fetched = await Promise.all(
        documents.map(async (name) => ({ name, content: await fetchCard(client, name) })),
      );
      const folder = path.resolve(io.cwd, dir);
      const files: string[] = [];
      for (const { name, content } of fetched) files.push(await writePublic(path.join(folder, name), content));
      const [url] = fetched.map(({ content }) => content.url);
      if (url !== undefined) warnIfLoopback(io, url);
      if (flags.json === true) printJson(io, { files });
      else io.out(files.map((file) => `${singleLine(file)}\n`).join(''));
      end(exitCodes.ok);
    });
  return new Command('discovery')
    .description('publish the description of this service')
    .addCommand(withConnection(command));
}

async function fetchCard(client: CliServiceClient, name: (typeof documents)[number]): Promise<z.infer<typeof card>> {
  const call: Promise<{ data?: unknown }> = client.api.GET(`/${name}`);
  return client.read(call, card);
}

async function writePublic(file: string, content: unknown): Promise<string> {
  try {
    await makeFolder(path.dirname(file), 0o777);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new CliError(exitCodes.usage, 'cannot_write', `The folder cannot be created: ${why}`, '', { cause });
  }
  await replaceFile(file, `${JSON.stringify(content, null, 2)}\n`, 0o644);
  return file;
}

/** Warns about a card with a loopback address, which is useless elsewhere. */
function warnIfLoopback(io: CliIo, url: string): void {
  const { hostname } = new URL(url);
  if (!/^(localhost|127\.|\[::1\])/.test(hostname)) return;
  io.err(
    `warning: the card names ${singleLine(url)}, which only this machine can reach; set BASE_URL of the service.\n`,
  );
}
