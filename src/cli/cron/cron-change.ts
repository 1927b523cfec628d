// The commands `cron create|edit|enable|disable|delete|trigger`.
import type { Command } from 'commander';
import { cronjobAnswer, triggeredRun, type CronjobWire } from '../../contracts/schedules/cronjob.ts';
import { newCommand, type CommandContext } from '../core/command.ts';
import { findConnection, type ConnectionFlags } from '../core/connection.ts';
import { exitCodes } from '../core/exit-codes.ts';
import type { CliIo } from '../core/io.ts';
import { printJson, singleLine } from '../core/output.ts';
import { byId, createCliServiceClient } from '../core/service-client.ts';
import { integerArgument } from '../flags/integer-argument.ts';
import { namesTemplate, templateOf, withTemplateFlags, type TemplateFlags } from '../flags/template-flags.ts';
import { describeJob } from './cron-read.ts';

interface Flags extends ConnectionFlags {
  readonly json?: true;
}

interface JobFlags extends Flags, TemplateFlags {
  readonly description?: string;
  readonly timezone?: string;
  readonly overlap?: CronjobWire['overlap'];
  readonly catchUp?: CronjobWire['catch_up'];
  readonly catchUpWindow?: number;
  readonly jitter?: number;
  readonly startsAt?: string;
  readonly endsAt?: string;
}

export function cronChangeCommands(run: CommandContext): Command[] {
  return [
    create(run),
    edit(run),
    switchCommand(run, 'enable', 'enable a job; its schedule restarts from now'),
    switchCommand(run, 'disable', 'disable a job'),
    remove(run),
    trigger(run),
  ];
}

function withJobFlags(command: Command): Command {
  return withTemplateFlags(command)
    .option('--description <text>', 'description of the job')
    .option('--timezone <zone>', 'IANA time zone (default: UTC)')
    .option('--overlap <policy>', 'while an earlier task runs: skip, allow, cancel_previous (default: skip)')
    .option('--catch-up <policy>', 'after an outage: none, last, all (default: last)')
    .option('--catch-up-window <seconds>', 'oldest time to catch up with, 60 to 2592000', integerArgument)
    .option('--jitter <seconds>', 'fire up to so much later, 0 to 3600', integerArgument)
    .option('--starts-at <time>', 'no due time before it, e.g. 2027-01-01T00:00:00Z')
    .option('--ends-at <time>', 'no due time after it');
}

/** Absent flags are undefined, and are left out of the request. */
function settingsOf(flags: JobFlags) {
  return {
    description: flags.description,
    timezone: flags.timezone,
    overlap: flags.overlap,
    catch_up: flags.catchUp,
    catch_up_window_seconds: flags.catchUpWindow,
    jitter_seconds: flags.jitter,
    starts_at: flags.startsAt,
    ends_at: flags.endsAt,
  };
}

function create({ io, end }: CommandContext): Command {
  const command = newCommand('create', 'create a job')
    .argument('<name>', 'name of the job')
    .argument('<cron>', 'five fields in quotes, or @hourly, @daily, @weekly, @monthly, @yearly')
    .requiredOption('--prompt <text>', 'prompt of its tasks')
    .option('--disabled', 'create it disabled');
  return withJobFlags(command).action(
    async (name: string, cron: string, flags: JobFlags & { prompt: string; disabled?: true }) => {
      const client = createCliServiceClient(await findConnection(io, flags), io);
      const body = {
        name,
        cron,
        ...settingsOf(flags),
        enabled: flags.disabled === true ? false : undefined,
        task_template: { prompt: flags.prompt, ...templateOf(flags) },
      };
      const { cronjob } = await client.read(client.api.POST('/v1/cronjobs', { body }), cronjobAnswer);
      end(showJob(io, flags, cronjob));
    },
  );
}

function showJob(io: Pick<CliIo, 'out'>, { json }: Flags, cronjob: CronjobWire): typeof exitCodes.ok {
  if (json) printJson(io, { cronjob });
  else io.out(describeJob(cronjob));
  return exitCodes.ok;
}

function edit({ io, end }: CommandContext): Command {
  const command = newCommand('edit', 'change a job; other fields stay, and an empty text removes one')
    .argument('<id>', 'id of the job')
    .option('--name <text>', 'name of the job')
    .option('--cron <expression>', 'its due times')
    .option('--prompt <text>', 'prompt of its tasks');
  return withJobFlags(command).action(async (id: string, flags: JobFlags & { name?: string; cron?: string }) => {
    const client = createCliServiceClient(await findConnection(io, flags), io);
    const { cronjob: before } = await client.read(client.api.GET('/v1/cronjobs/{id}', byId(id)), cronjobAnswer);
    const body = {
      name: flags.name,
      cron: flags.cron,
      ...settingsOf(flags),
      description: cleared(flags.description),
      starts_at: cleared(flags.startsAt),
      ends_at: cleared(flags.endsAt),
      // A template is checked when it is sent, and its codebase may be gone.
      task_template: namesTemplate(flags) ? { ...before.task_template, ...templateOf(flags) } : undefined,
      version: before.version,
    };
    const { cronjob } = await client.read(client.api.PUT('/v1/cronjobs/{id}', { ...byId(id), body }), cronjobAnswer);
    end(showJob(io, flags, cronjob));
  });
}

/** An empty text removes what was there. */
function cleared(text: string | undefined): string | null | undefined {
  return text === '' ? null : text;
}

function switchCommand({ io, end }: CommandContext, name: 'enable' | 'disable', description: string): Command {
  return newCommand(name, description)
    .argument('<id>', 'id of the job')
    .action(async (id: string, flags: Flags) => {
      const client = createCliServiceClient(await findConnection(io, flags), io);
      const body = { enabled: name === 'enable' };
      const { cronjob } = await client.read(client.api.PUT('/v1/cronjobs/{id}', { ...byId(id), body }), cronjobAnswer);
      end(showJob(io, flags, cronjob));
    });
}

function remove({ io, end }: CommandContext): Command {
  return newCommand('delete', 'delete a job and its runs; its tasks stay')
    .argument('<id>', 'id of the job')
    .action(async (id: string, flags: Flags) => {
      const client = createCliServiceClient(await findConnection(io, flags), io);
      const { cronjob } = await client.read(client.api.DELETE('/v1/cronjobs/{id}', byId(id)), cronjobAnswer);
      if (flags.json) printJson(io, { cronjob });
      else io.out(`deleted ${cronjob.cronjob_id}  ${singleLine(cronjob.name)}\n`);
      end(exitCodes.ok);
    });
}

function trigger({ io, end }: CommandContext): Command {
  return newCommand('trigger', 'run a job now')
    .argument('<id>', 'id of the job')
    .action(async (id: string, flags: Flags) => {
      const client = createCliServiceClient(await findConnection(io, flags), io);
      const request = { ...byId(id), body: {} };
      const started = await client.read(client.api.POST('/v1/cronjobs/{id}/trigger', request), triggeredRun);
      if (flags.json) printJson(io, started);
      // Standard output holds the task alone: `switchyard logs $(switchyard cron trigger ID)`.
      else io.out(`${started.task_id}\n`);
      end(exitCodes.ok);
    });
}
