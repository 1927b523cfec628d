// The commands `audit verify|tail|export`.
import { Command } from 'commander';
import { auditPage, type AuditEventWire } from '../../contracts/audit.ts';
import { auditVerifyCommand } from './audit-verify.ts';
import { CliError } from '../core/cli-error.ts';
import { newCommand, type CommandContext } from '../core/command.ts';
import { findConnection, withConnection, type ConnectionFlags } from '../core/connection.ts';
import { exitCodes } from '../core/exit-codes.ts';
import { singleLine, printJson } from '../core/output.ts';
import { createCliServiceClient, type CliServiceClient } from '../core/service-client.ts';

interface Flags extends ConnectionFlags {
  readonly json?: true;
  readonly tenant?: string;
}

interface ExportFlags extends Flags {
  readonly from?: string;
  readonly to?: string;
  readonly actor?: string;
  readonly action?: string;
}

export function auditCommand(run: CommandContext): Command {
  const group = new Command('audit').description('read, export and verify the audit');
  group.addCommand(auditVerifyCommand(run));
  for (const command of [tail(run), exporting(run)]) group.addCommand(withConnection(command));
  return group;
}

function tail({ io, end }: CommandContext): Command {
  return newCommand('tail', 'print the newest entries, oldest first')
    .option('-n, --number <count>', 'how many, 1 to 200', '20')
    .option('--tenant <tenant>', 'entries of this tenant (admins)')
    .action(async (flags: Flags & { number: string }) => {
      const count = Number(flags.number);
      if (!Number.isInteger(count) || count < 1 || count > 200) {
        throw new CliError(exitCodes.usage, 'bad_number', '-n takes a whole number from 1 to 200.');
      }
      const client = createCliServiceClient(await findConnection(io, flags), io);
      const { events } = await client.read(
        client.api.GET('/v1/audit/events', { params: { query: { limit: count } }, headers: tenantHeader(flags) }),
        auditPage,
      );
      for (const event of events.toReversed()) {
        if (flags.json) printJson(io, event);
        else io.out(`${formatEvent(event)}\n`);
      }
      end(exitCodes.ok);
    });
}

function exporting({ io, end }: CommandContext): Command {
  return newCommand('export', 'print every entry as JSON lines, newest first')
    .option('--from <time>', 'from this time on, ISO 8601')
    .option('--to <time>', 'before this time, ISO 8601')
    .option('--actor <actor>', 'only of this actor')
    .option('--action <action>', 'only this action')
    .option('--tenant <tenant>', 'entries of this tenant (admins)')
    .action(async (flags: ExportFlags) => {
      const client = createCliServiceClient(await findConnection(io, flags), io);
      for await (const event of readAllEvents(client, flags)) printJson(io, event);
      end(exitCodes.ok);
    });
}

async function* readAllEvents(
  client: CliServiceClient,
  flags: ExportFlags,
): AsyncGenerator<AuditEventWire, void, undefined> {
  const { from, to, actor, action } = flags;
  let cursor: string | null | undefined;
  do {
    const body = { from, to, actor, action, limit: 200, ...(typeof cursor === 'string' ? { cursor } : {}) };
    const headers = tenantHeader(flags);
    const page: { events: AuditEventWire[]; next_cursor: string | null } = await client.read(
      client.api.POST('/v1/audit/query', { body, headers }),
      auditPage,
    );
    yield* page.events;
    cursor = page.next_cursor;
  } while (cursor !== null);
}

function tenantHeader({ tenant }: Flags): Record<string, string> {
  return tenant === undefined ? {} : { 'x-tenant-id': tenant };
}

function formatEvent({ timestamp, outcome, actor, action, resource, ip }: AuditEventWire): string {
  return [timestamp, outcome.padEnd(7), singleLine(actor), singleLine(action), singleLine(resource), ip ?? '-'].join(
    '  ',
  );
}
