// The commands `user set|list|show|rm`, for admins.
import { Command, InvalidArgumentError, Option } from 'commander';
import { role as anyRole, userAnswer, userPage, type UserWire } from '../../contracts/auth.ts';
import { allPages } from '../core/all-pages.ts';
import { newCommand, type CommandContext } from '../core/command.ts';
import { findConnection, withConnection, type ConnectionFlags } from '../core/connection.ts';
import { exitCodes } from '../core/exit-codes.ts';
import type { CliIo } from '../core/io.ts';
import { tenantHeaders, withTenantFlag, type TenantFlag } from '../flags/tenant-flag.ts';
import { fields, singleLine, printJson, shorten, table } from '../core/output.ts';
import { byId, createCliServiceClient } from '../core/service-client.ts';

type Role = UserWire['roles'][number];

const userPath = '/v1/auth/users/{id}';

interface Flags extends ConnectionFlags, TenantFlag {
  readonly json?: true;
}

interface SetFlags extends Flags {
  readonly name?: string;
  readonly role?: Role[];
  readonly status?: UserWire['status'];
}

export function userCommand(run: CommandContext): Command {
  const group = new Command('user').description('manage the users of a tenant, for admins');
  for (const command of [set(run), list(run), show(run), remove(run)])
    group.addCommand(withTenantFlag(withConnection(command)));
  return group;
}

function set({ io, end }: CommandContext): Command {
  return newCommand('set', 'create or change a user; options that are not given stay unchanged')
    .argument('<user>', 'id of the user, e.g. ada, or oidc:… of the identity provider')
    .option('--name <name>', 'its name')
    .option(
      '--role <role>',
      'admin, operator, editor, viewer or agent; may be repeated; replaces all roles',
      collectRoles,
    )
    .addOption(
      new Option('--status <status>', 'disabled: all credentials of the user are rejected').choices([
        'active',
        'disabled',
      ]),
    )
    .action(async (id: string, { name, role, status, ...flags }: SetFlags) => {
      const client = createCliServiceClient(await findConnection(io, flags), io);
      const body = {
        name,
        roles: role,
        status,
      };
      const { user } = await client.read(client.api.PUT(userPath, { ...userRequest(id, flags), body }), userAnswer);
      print(io, flags, user);
      end(exitCodes.ok);
    });
}

function list({ io, end }: CommandContext): Command {
  return newCommand('list', 'list users, without the principals of configured tokens').action(async (flags: Flags) => {
    const client = createCliServiceClient(await findConnection(io, flags), io);
    const headers = tenantHeaders(flags);
    const users = await allPages(
      async (query) => client.read(client.api.GET('/v1/auth/users', { params: { query }, headers }), userPage),
      (page) => page.users,
    );
    const rows = users.map((user) => [
      shorten(user.user_id, 40),
      user.status,
      user.source,
      user.roles.join(' '),
      shorten(user.name, 40),
    ]);
    if (flags.json) printJson(io, { users });
    else io.out(table(['ID', 'STATUS', 'FROM', 'ROLES', 'NAME'], rows));
    end(exitCodes.ok);
  });
}

function show({ io, end }: CommandContext): Command {
  return newCommand('show', 'one user')
    .argument('<user>', 'its id')
    .action(async (id: string, flags: Flags) => {
      const client = createCliServiceClient(await findConnection(io, flags), io);
      const { user } = await client.read(client.api.GET(userPath, userRequest(id, flags)), userAnswer);
      print(io, flags, user);
      end(exitCodes.ok);
    });
}

function remove({ io, end }: CommandContext): Command {
  return newCommand('rm', 'delete a user with its keys and sessions')
    .argument('<user>', 'its id')
    .action(async (id: string, flags: Flags) => {
      const client = createCliServiceClient(await findConnection(io, flags), io);
      const { user } = await client.read(client.api.DELETE(userPath, userRequest(id, flags)), userAnswer);
      if (flags.json) printJson(io, { user });
      else io.out(`deleted ${singleLine(user.user_id)}\n`);
      end(exitCodes.ok);
    });
}

function userRequest(
  id: string,
  flags: TenantFlag,
): ReturnType<typeof byId> & { readonly headers: Record<string, string> } {
  return { ...byId(id), headers: tenantHeaders(flags) };
}

function collectRoles(text: string, earlier: readonly Role[] = []): Role[] {
  const { success, data } = anyRole.safeParse(text);
  if (success) return [...earlier, data];
  throw new InvalidArgumentError(`Choose one of ${anyRole.options.join(', ')}.`);
}

function print(io: CliIo, flags: Flags, user: UserWire): void {
  if (flags.json) return printJson(io, { user });
  io.out(
    fields([
      ['id', user.user_id],
      ['name', user.name],
      ['roles', user.roles.join(' ')],
      ['status', user.status],
      ['from', user.source],
      ['since', user.created_at],
    ]),
  );
}
