// The commands `key create|list|revoke`: manage API keys over the service's API.
import { Command } from 'commander';
import { apiKeyAnswer, apiKeyPage, createdApiKey, type ApiKeyWire } from '../../contracts/auth.ts';
import { allPages } from '../core/all-pages.ts';
import { collect, newCommand, type CommandContext } from '../core/command.ts';
import { findConnection, withConnection, type ConnectionFlags } from '../core/connection.ts';
import { exitCodes } from '../core/exit-codes.ts';
import { tenantHeaders, withTenantFlag, type TenantFlag } from '../flags/tenant-flag.ts';
import { age, singleLine, printJson, shorten, table } from '../core/output.ts';
import { createCliServiceClient } from '../core/service-client.ts';
import { integerArgument } from '../flags/integer-argument.ts';

interface Flags extends ConnectionFlags, TenantFlag {
  readonly json?: true;
}

interface CreateFlags extends Flags {
  readonly scope?: string[];
  readonly expiresInDays?: number;
  readonly user?: string;
}

interface ListFlags extends Flags {
  readonly user?: string;
  readonly all?: true;
}

export function keyCommand(run: CommandContext): Command {
  const group = new Command('key').description('manage API keys for programs');
  for (const command of [create(run), list(run), revoke(run)])
    group.addCommand(withTenantFlag(withConnection(command)));
  return group;
}

function create({ io, end }: CommandContext): Command {
  return newCommand('create', 'create a key; it is shown only once')
    .argument('<name>', 'the purpose of the key')
    .option(
      '--scope <scope>',
      'a permission, e.g. tasks:read or tasks:*; may be repeated (default: all of yours)',
      collect,
    )
    .option('--expires-in-days <days>', 'days until it expires, 1 to 3650 (default: never)', integerArgument)
    .option('--user <id>', 'owner of the key; admins may name another user')
    .action(async (name: string, { scope, expiresInDays, user, ...flags }: CreateFlags) => {
      const client = createCliServiceClient(await findConnection(io, flags), io);
      const body = {
        name,
        scopes: scope,
        expires_in_days: expiresInDays,
        user_id: user,
      };
      const created = await client.read(
        client.api.POST('/v1/auth/api-keys', { body, headers: tenantHeaders(flags) }),
        createdApiKey,
      );
      if (flags.json) printJson(io, created);
      else {
        // Standard output holds the key alone: `switchyard key create ci > file`.
        io.err(`${describe(created.api_key, io.now())}\n`);
        io.out(`${created.key}\n`);
      }
      end(exitCodes.ok);
    });
}

function describe({ id, name, user_id, expires_at }: ApiKeyWire, now: number): string {
  const ends = expires_at === null ? 'does not expire' : `expires ${timeUntil(expires_at, now)}`;
  return `key ${id} (${singleLine(name)}) of ${singleLine(user_id)}, ${ends}; it is shown only once`;
}

function list({ io, end }: CommandContext): Command {
  return newCommand('list', 'list your keys, newest first')
    .option('--user <id>', 'keys of this user, for admins')
    .option('--all', 'keys of all users, for admins')
    .action(async (flags: ListFlags) => {
      const client = createCliServiceClient(await findConnection(io, flags), io);
      const filter = {
        user_id: flags.user,
        ...(flags.all ? { all: true } : {}),
      };
      const headers = tenantHeaders(flags);
      const keys = await allPages(
        async (page) => {
          const query = { ...page, ...filter };
          return client.read(client.api.GET('/v1/auth/api-keys', { params: { query }, headers }), apiKeyPage);
        },
        (page) => page.api_keys,
      );
      if (flags.json) printJson(io, { api_keys: keys });
      else io.out(keyTable(keys, io.now()));
      end(exitCodes.ok);
    });
}

function keyTable(keys: readonly ApiKeyWire[], now: number): string {
  const rows = keys.map((key) => [
    key.id,
    `${key.prefix}…`,
    shorten(key.name, 30),
    shorten(key.user_id, 30),
    keyState(key, now),
    key.last_used_at === null ? 'never' : `${age(key.last_used_at, now)} ago`,
    shorten(key.scopes.join(' '), 60),
  ]);
  return table(['ID', 'KEY', 'NAME', 'USER', 'STATE', 'LAST USED', 'SCOPES'], rows);
}

function keyState({ revoked_at, expires_at }: ApiKeyWire, now: number): string {
  if (revoked_at !== null) return 'revoked';
  if (expires_at === null) return 'valid';
  return Date.parse(expires_at) <= now ? 'expired' : `valid, expires ${timeUntil(expires_at, now)}`;
}

function timeUntil(time: string, now: number): string {
  return `in ${age(new Date(now).toISOString(), Date.parse(time))}`;
}

function revoke({ io, end }: CommandContext): Command {
  return newCommand('revoke', 'revoke a key; takes effect within a second')
    .argument('<key>', 'id of the key, see `key list`')
    .action(async (id: string, flags: Flags) => {
      const client = createCliServiceClient(await findConnection(io, flags), io);
      const request = { params: { path: { id } }, headers: tenantHeaders(flags) };
      const revoked = await client.read(client.api.DELETE('/v1/auth/api-keys/{id}', request), apiKeyAnswer);
      if (flags.json) printJson(io, revoked);
      else io.out(`revoked ${revoked.api_key.id}  ${singleLine(revoked.api_key.name)}\n`);
      end(exitCodes.ok);
    });
}
