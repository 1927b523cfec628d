// The commands `ralph pause|resume|cancel|commit|tell`, by which people steer a run.
import type { Command } from 'commander';
import { runAnswer, type RunWire } from '../../contracts/ralph/run.ts';
import { guidanceAnswer } from '../../contracts/ralph/run-changes.ts';
import { newCommand, type CommandContext } from '../core/command.ts';
import { exitCodes } from '../core/exit-codes.ts';
import { openClient, type ClientFlags } from '../core/open-client.ts';
import { printJson } from '../core/output.ts';
import { byId, type CliServiceClient } from '../core/service-client.ts';

interface SteerFlags extends ClientFlags {
  readonly now?: true;
  readonly reason?: string;
}

type Steer = (client: CliServiceClient, id: string, flags: SteerFlags) => Promise<{ readonly run: RunWire }>;

export function steerRunCommands(run: CommandContext): Command[] {
  return [
    steerCommand(run, 'pause', 'pause a run; its running steps end first', (client, id, { now }) => {
      const body = { mode: now === true ? 'now' : 'after_step' } as const;
      return client.read(client.api.POST('/v1/ralph/runs/{id}/pause', { ...byId(id), body }), runAnswer);
    }).option('--now', 'stop the running steps; they spend no iteration'),
    steerCommand(run, 'resume', 'resume a paused run', (client, id) =>
      client.read(client.api.POST('/v1/ralph/runs/{id}/resume', { ...byId(id), body: {} }), runAnswer),
    ),
    steerCommand(run, 'cancel', 'cancel a run and stop its agents; what has landed stays', (client, id, { reason }) => {
      const body = reason === undefined ? {} : { reason };
      return client.read(client.api.POST('/v1/ralph/runs/{id}/cancel', { ...byId(id), body }), runAnswer);
    }).option('--reason <text>', 'reason, stored with the run'),
    steerCommand(run, 'commit', 'put the commits of waiting stories on the branch', (client, id) =>
      client.read(client.api.POST('/v1/ralph/runs/{id}/commit', { ...byId(id), body: {} }), runAnswer),
    ),
    tellRunCommand(run),
  ];
}

function steerCommand(run: CommandContext, name: string, summary: string, steer: Steer): Command {
  const { io, end } = run;
  return newCommand(name, summary)
    .argument('<run>', 'id of the run')
    .action(async (id: string, flags: SteerFlags) => {
      const { run: steered } = await steer(await openClient(run, flags), id, flags);
      if (flags.json) printJson(io, { run: steered });
      else io.out(`${steered.run_id} ${steered.status}\n`);
      end(exitCodes.ok);
    });
}

function notified(agents: number): string {
  return agents === 1 ? '1 running agent notified' : `${agents} running agents notified`;
}

function tellRunCommand(run: CommandContext): Command {
  const { io, end } = run;
  return newCommand('tell', 'give guidance to a run: all later prompts have it, agents at work get it at once')
    .argument('<run>', 'id of the run')
    .argument('<message...>', 'the guidance, or - for standard input')
    .option('--story <id>', 'only for this story')
    .action(async (id: string, words: string[], flags: ClientFlags & { story?: string }) => {
      const client = await openClient(run, flags);
      const given = words.join(' ');
      const text = given === '-' ? await io.readStdin() : given;
      const body = flags.story === undefined ? { text } : { text, story_id: flags.story };
      const call = client.api.POST('/v1/ralph/runs/{id}/messages', { ...byId(id), body });
      const recorded = await client.read(call, guidanceAnswer);
      if (flags.json) printJson(io, recorded);
      else io.out(`Guidance recorded; ${notified(recorded.intervention_ids.length)}.\n`);
      end(exitCodes.ok);
    });
}
