// The command `open`: makes a one-time sign-in address, prints it, and opens it in a browser. ui-6.14.
import { spawn } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Command } from 'commander';
import { withoutServiceSecrets } from '../../server/config/setting-layers.ts';
import { findDataDir, readCliFile } from '../core/cli-file.ts';
import { newCommand, type CommandContext } from '../core/command.ts';
import { withConnection } from '../core/connection.ts';
import { exitCodes } from '../core/exit-codes.ts';
import type { CliIo } from '../core/io.ts';
import { openClient, type ClientFlags } from '../core/open-client.ts';
import { printJson, singleLine } from '../core/output.ts';
import { replaceFile } from '../core/private-file.ts';
import { requestSignInCode } from './sign-in-code.ts';

interface Flags extends ClientFlags {
  readonly print?: true;
}

export function openCommand({ io, end }: CommandContext): Command {
  const command = newCommand('open', 'open the monitor in a browser, signed in by a one-time address')
    .option('--print', 'only print the address, which signs one browser in within two minutes')
    .action(async (flags: Flags) => {
      const { url, expires_at } = await requestSignInCode(await openClient({ io }, flags));
      if (flags.json) printJson(io, { url, expires_at });
      else io.out(`${singleLine(url)}\n`);
      if (io.terminal.out && flags.print !== true) await openBrowser(io, flags, url);
      end(exitCodes.ok);
    });
  return withConnection(command);
}

/** The program of each system that opens an address. */
const openers: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Does not wait for the browser. Without one the printed address is what remains. */
async function openBrowser(io: CliIo, flags: Flags, url: string): Promise<void> {
  const file = path.join(await findPrivateFolder(io, flags), 'open.html');
  // Every user of this machine can read arguments, so the browser is given a file that leads to the address.
  await replaceFile(file, `<!doctype html><meta http-equiv="refresh" content="0;url=${encodeURI(url)}">\n`);
  const [program, ...args] = openers[io.process.platform] ?? ['xdg-open'];
  const { SWITCHYARD_TOKEN: _, ...env } = withoutServiceSecrets(io.env);
  const browser = spawn(program, [...args, pathToFileURL(file).href], { env, stdio: 'ignore', detached: true });
  browser.on('error', () => io.err('No browser could be opened here: paste the address into one.\n'));
  browser.unref();
}

/** A folder that only this user can read. */
async function findPrivateFolder(io: CliIo, flags: Flags): Promise<string> {
  const dataDir = await findDataDir(io, flags.dataDir);
  const isUsed = (await readCliFile(dataDir)) !== undefined;
  return isUsed ? dataDir : mkdtemp(path.join(tmpdir(), 'switchyard-open-'));
}
