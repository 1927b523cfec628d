// The commands `mcp config` and `mcp stdio`: connect MCP clients to this service. docs/MCP.md.
import { Command } from 'commander';
import { CliError } from '../core/cli-error.ts';
import { newCommand, type CommandContext } from '../core/command.ts';
import { findConnection, findUrl, withConnection, type ConnectionFlags } from '../core/connection.ts';
import { exitCodes } from '../core/exit-codes.ts';
import { clientRows } from './mcp-clients.ts';
import { bridge } from './mcp-stdio.ts';
import { singleLine, printJson } from '../core/output.ts';

interface Flags extends ConnectionFlags {
  readonly json?: true;
}

export function mcpCommand(run: CommandContext): Command {
  return new Command('mcp')
    .description('connect MCP clients: configuration, and a bridge for local clients')
    .addCommand(withConnection(config(run)))
    .addCommand(withConnection(stdio(run)));
}

function config({ io, end }: CommandContext): Command {
  const names = clientRows.map(({ name }) => name);
  return newCommand('config', 'print the configuration of a client, without a token')
    .argument('[client]', names.join(', '))
    .action(async (name: string | undefined, flags: Flags) => {
      const rows = clientRows.filter((row) => name === undefined || row.name === name);
      if (rows.length === 0) {
        const message = `The client ${singleLine(name ?? '')} is unknown; known clients: ${names.join(', ')}.`;
        throw new CliError(
          exitCodes.usage,
          'unknown_client',
          message,
          'Use stdio for any client that starts local programs.',
        );
      }
      const serviceUrl = await findUrl(io, flags);
      const url = `${serviceUrl}/mcp`;
      const rendered = rows.map(({ text, ...row }) => ({ ...row, text: text(url, serviceUrl) }));
      if (flags.json === true) printJson(io, { url, clients: rendered });
      else
        io.out(rendered.map(({ title, file, note, text }) => `# ${title}: ${file}\n# ${note}\n${text}\n`).join('\n'));
      end(exitCodes.ok);
    });
}

function stdio({ io, end }: CommandContext): Command {
  return newCommand('stdio', 'serve MCP on standard input and output, for clients that start programs').action(
    async (flags: Flags) => {
      const connection = await findConnection(io, flags);
      await bridge(connection, {
        input: io.process.stdin,
        output: (line) => io.out(`${line}\n`),
        fetch: io.fetch,
        version: io.version,
      });
      end(exitCodes.ok);
    },
  );
}
