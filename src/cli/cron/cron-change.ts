// The commands `cron create|edit|enable|disable|delete|trigger`.
import type { Command } from 'commander';
import { cronjobAnswer, triggeredRun, type CronjobWire } from '../../contracts/schedules/cronjob.ts';
import { newCommand, type CommandContext } from '../core/command.ts';
import { findConnection, type ConnectionFlags } from '../core/connection.ts';
import { exitCodes } from '../core/exit-codes.ts';
import { printJson, singleLine } from '../core/output.ts';
import { byId, createCliServiceClient } from '../core/service-client.ts';
import { integerArgument } from '../flags/integer-argument.ts';
import { jsonObjectArgument } from '../flags/json-object-argument.ts';
import { describeJob } from './cron-read.ts';

interface Flags extends ConnectionFlags {
  readonly json?: true;
}

interface JobFlags extends Flags {
  readonly cron?: string;
  readonly timezone?: string;
  readonly title?: string;
  readonly prompt?: string;
  readonly codebase?: string;
  readonly agentType?: string;
  readonly overlap?: CronjobWire['overlap'];
  readonly catchUp?: CronjobWire['catch_up'];
  readonly jitter?: number;
  readonly template?: Record<string, unknown>;
}

export function cronChangeCommands(run: CommandContext): Command[] {
  const turn = (name: 'enable' | 'disable', description: string): Command => switchCommand(run, name, description);
  return [
    create(run),
    edit(run),
    turn('enable', 'turn a job on; it begins anew at now'),
    turn('disable', 'turn a job off'),
    remove(run),
    trigger(run),
  ];
}

function withJobFlags(command: Command): Command {
  return command
    .option('--timezone <zone>', 'IANA time zone (default: UTC)')
    .option('--title <text>', 'title of its tasks (default: the name of the job)')
    .option('--codebase <id>', 'codebase of its tasks')
    .option('--agent-type <type>', 'agent type of its tasks')
    .option('--overlap <policy>', 'while an earlier task runs: skip, allow, cancel_previous (default: skip)')
    .option('--catch-up <policy>', 'after an outage: none, last, all (default: last)')
    .option('--jitter <seconds>', 'fire up to so much later, 0 to 3600', integerArgument)
    .option('--template <json>', 'further fields of its tasks, as an object', jsonObjectArgument);
}

function create({ io, end }: CommandContext): Command {
  const command = newCommand('create', 'create a job')
    .argument('<name>', 'name of the job')
    .argument('<cron>', 'five fields in quotes, or @hourly, @daily, @weekly, @monthly, @yearly')
    .requiredOption('--prompt <text>', 'prompt of its tasks');
  return withJobFlags(command).action(async (name: string, cron: string, flags: JobFlags) => {
    const client = createCliServiceClient(await findConnection(io, flags), io);
    const body = {
      name,
      cron,
      ...settingsOf(flags),
      task_template: { prompt: flags.prompt ?? '', ...templateOf(flags) },
    };
    const { cronjob } = await client.read(client.api.POST('/v1/cronjobs', { body }), cronjobAnswer);
    if (flags.json) printJson(io, { cronjob });
    else io.out(describeJob(cronjob));
    end(exitCodes.ok);
  });
}

function settingsOf({ timezone, overlap, catchUp, jitter }: JobFlags) {
  return {
    ...(timezone === undefined ? {} : { timezone }),
    ...(overlap === undefined ? {} : { overlap }),
    ...(catchUp === undefined ? {} : { catch_up: catchUp }),
    ...(jitter === undefined ? {} : { jitter_seconds: jitter }),
  };
}

function templateOf({ title, prompt, codebase, agentType, template }: JobFlags) {
  return {
    ...template,
    ...(prompt === undefined ? {} : { prompt }),
    ...(title === undefined ? {} : { title }),
    ...(codebase === undefined ? {} : { codebase_id: codebase }),
    ...(agentType === undefined ? {} : { agent_type: agentType }),
  };
}

function edit({ io, end }: CommandContext): Command {
  const command = newCommand('edit', 'change a job; what is not named stays')
    .argument('<id>', 'id of the job')
    .option('--name <text>', 'name of the job')
    .option('--cron <expression>', 'when it comes')
    .option('--prompt <text>', 'prompt of its tasks');
  return withJobFlags(command).action(async (id: string, { name, cron, ...flags }: JobFlags & { name?: string }) => {
    const client = createCliServiceClient(await findConnection(io, flags), io);
    const before = await client.read(client.api.GET('/v1/cronjobs/{id}', byId(id)), cronjobAnswer);
    const { version, task_template } = before.cronjob;
    const body = {
      ...(name === undefined ? {} : { name }),
      ...(cron === undefined ? {} : { cron }),
      ...settingsOf(flags),
      task_template: { ...task_template, ...templateOf(flags) },
      version,
    };
    const { cronjob } = await client.read(client.api.PUT('/v1/cronjobs/{id}', { ...byId(id), body }), cronjobAnswer);
    if (flags.json) printJson(io, { cronjob });
    else io.out(describeJob(cronjob));
    end(exitCodes.ok);
  });
}

function switchCommand({ io, end }: CommandContext, name: 'enable' | 'disable', description: string): Command {
  return newCommand(name, description)
    .argument('<id>', 'id of the job')
    .action(async (id: string, flags: Flags) => {
      const client = createCliServiceClient(await findConnection(io, flags), io);
      const body = { enabled: name === 'enable' };
      const { cronjob } = await client.read(client.api.PUT('/v1/cronjobs/{id}', { ...byId(id), body }), cronjobAnswer);
      if (flags.json) printJson(io, { cronjob });
      else io.out(describeJob(cronjob));
      end(exitCodes.ok);
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
