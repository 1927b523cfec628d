// The commands `tenant create|list`, for admins.
import { Command } from 'commander';
import { tenantAnswer, tenantPage } from '../../contracts/auth.ts';
import { allPages } from '../core/all-pages.ts';
import { newCommand, type CommandContext } from '../core/command.ts';
import { findConnection, withConnection, type ConnectionFlags } from '../core/connection.ts';
import { exitCodes } from '../core/exit-codes.ts';
import { singleLine, printJson, table } from '../core/output.ts';
import { createCliServiceClient } from '../core/service-client.ts';

interface Flags extends ConnectionFlags {
  readonly json?: true;
}

export function tenantCommand({ io, end }: CommandContext): Command {
  const group = new Command('tenant').description('manage tenants, for admins');
  const create = newCommand('create', 'create a tenant')
    .argument('<tenant>', 'its id: 1 to 63 of a-z, 0-9, "_", "." and "-"')
    .option('--name <name>', 'its name; the id by default')
    .action(async (id: string, { name = id, ...flags }: Flags & { name?: string }) => {
      const client = createCliServiceClient(await findConnection(io, flags), io);
      const body = { tenant_id: id, name };
      const { tenant } = await client.read(client.api.POST('/v1/auth/tenants', { body }), tenantAnswer);
      if (flags.json) printJson(io, { tenant });
      else io.out(`${tenant.tenant_id}  ${singleLine(tenant.name)}\n`);
      end(exitCodes.ok);
    });
  const list = newCommand('list', 'list tenants').action(async (flags: Flags) => {
    const client = createCliServiceClient(await findConnection(io, flags), io);
    const tenants = await allPages(
      async (query) => client.read(client.api.GET('/v1/auth/tenants', { params: { query } }), tenantPage),
      (page) => page.tenants,
    );
    const rows = tenants.map(({ tenant_id, name, created_at }) => [tenant_id, created_at, name]);
    if (flags.json) printJson(io, { tenants });
    else io.out(table(['ID', 'MADE', 'NAME'], rows));
    end(exitCodes.ok);
  });
  for (const command of [create, list]) group.addCommand(withConnection(command));
  return group;
}
