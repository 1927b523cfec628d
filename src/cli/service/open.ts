// The command `open`: makes a one-time sign-in address, prints it, and opens it in a browser. ui-6.14.
import { spawn } from 'node:child_process';
import type { Command } from 'commander';
import { withoutServiceSecrets } from '../../server/config/setting-layers.ts';
import { newCommand, type CommandContext } from '../core/command.ts';
import { withConnection } from '../core/connection.ts';
import { exitCodes } from '../core/exit-codes.ts';
import type { CliIo } from '../core/io.ts';
import { openClient, type ClientFlags } from '../core/open-client.ts';
import { printJson, singleLine } from '../core/output.ts';
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
      if (io.terminal.out && flags.print !== true) openBrowser(io, url);
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
function openBrowser(io: CliIo, url: string): void {
  if (!/^https?:\/\/[\x21-\x7e]+$/.test(url)) return;
  const [program, ...args] = openers[io.process.platform] ?? ['xdg-open'];
  const { SWITCHYARD_TOKEN: _, ...env } = withoutServiceSecrets(io.env);
  const browser = spawn(program, [...args, url], { env, stdio: 'ignore', detached: true });
  browser.on('error', () => io.err('No browser could be opened here: paste the address into one.\n'));
  browser.unref();
}
