// The commands `analytics track|funnel|attribution|erase`: record events, count people, read attributions, erase users.
import { Command, Option } from 'commander';
import { recordedEvent } from '../../contracts/analytics/event.ts';
import { attribution, erasedPerson, type AttributionWire, type TouchWire } from '../../contracts/analytics/person.ts';
import { CliError } from '../core/cli-error.ts';
import { newCommand, type CommandContext } from '../core/command.ts';
import { findConnection, withConnection, type ConnectionFlags } from '../core/connection.ts';
import { exitCodes } from '../core/exit-codes.ts';
import { printJson, singleLine, table } from '../core/output.ts';
import { createCliServiceClient } from '../core/service-client.ts';
import { amountArgument } from '../flags/amount-argument.ts';
import { integerArgument } from '../flags/integer-argument.ts';
import { jsonObjectArgument } from '../flags/json-object-argument.ts';
import { funnelCommands } from './funnel-commands.ts';

interface Flags extends ConnectionFlags {
  readonly json?: true;
}

export function analyticsCommand(run: CommandContext): Command {
  const group = new Command('analytics').description('record events, count people along funnels, read attributions');
  group.addCommand(withConnection(track(run)));
  group.addCommand(funnelCommands(run));
  group.addCommand(withConnection(showAttribution(run)));
  group.addCommand(withConnection(erase(run)));
  return group;
}

interface TrackFlags extends Flags {
  readonly user?: string;
  readonly anonymous?: string;
  readonly value?: number;
  readonly currency?: string;
  readonly properties?: Record<string, unknown>;
  readonly messageId?: string;
}

function track({ io, end }: CommandContext): Command {
  return newCommand('track', 'record an event')
    .argument('<event>', 'name of the event')
    .option('--user <id>', 'the user who did it')
    .option('--anonymous <id>', 'the visitor who did it; one of the two is needed')
    .option('--value <amount>', 'its worth, which makes it a conversion', amountArgument)
    .option('--currency <code>', 'of the worth, such as EUR')
    .option('--properties <json>', 'further facts, as an object', jsonObjectArgument)
    .option('--message-id <id>', 'a name for this call: a repeated one is stored once')
    .action(async (event: string, flags: TrackFlags) => {
      const client = createCliServiceClient(await findConnection(io, flags), io);
      const { user, anonymous, value, currency, properties, messageId } = flags;
      const body = {
        event,
        ...(user === undefined ? {} : { user_id: user }),
        ...(anonymous === undefined ? {} : { anonymous_id: anonymous }),
        ...(value === undefined ? {} : { value }),
        ...(currency === undefined ? {} : { currency }),
        ...(properties === undefined ? {} : { properties }),
        ...(messageId === undefined ? {} : { message_id: messageId }),
      };
      const recorded = await client.read(client.api.POST('/v1/analytics/track', { body }), recordedEvent);
      if (flags.json) printJson(io, recorded);
      else io.out(`${recorded.event_id}${recorded.duplicate ? '  (duplicate)' : ''}\n`);
      end(exitCodes.ok);
    });
}

interface AttributionFlags extends Flags {
  readonly lookback?: number;
  readonly limit?: number;
  readonly model: keyof AttributionWire['conversions'][number]['credits'];
}

function showAttribution({ io, end }: CommandContext): Command {
  return newCommand('attribution', 'show how a user came, and what the user’s conversions are credited to')
    .argument('<user>', 'id of the user')
    .addOption(
      new Option('--model <name>', 'how credit is shared')
        .choices(['linear', 'position', 'time_decay'])
        .default('linear'),
    )
    .option('--lookback <days>', 'touches that count before a conversion, 1 to 365 (default: 30)', integerArgument)
    .option('--limit <n>', 'most touches and conversions, 1 to 200 (default: 50)', integerArgument)
    .action(async (user: string, flags: AttributionFlags) => {
      const client = createCliServiceClient(await findConnection(io, flags), io);
      const { lookback, limit, model } = flags;
      const query = {
        ...(lookback === undefined ? {} : { lookback_days: lookback }),
        ...(limit === undefined ? {} : { limit }),
      };
      const call = client.api.GET('/v1/analytics/attribution/{user_id}', {
        params: { path: { user_id: user }, query },
      });
      const found = await client.read(call, attribution);
      if (flags.json) printJson(io, found);
      else io.out(describeAttribution(found, model));
      end(exitCodes.ok);
    });
}

function describeAttribution(found: AttributionWire, model: AttributionFlags['model']): string {
  const conversions = found.conversions.map(({ at, event, value, currency, last_non_direct, credits }) => [
    at,
    event,
    value === null ? '-' : `${value}${currency === null ? '' : ` ${currency}`}`,
    last_non_direct?.channel ?? '-',
    creditsByChannel(credits[model]),
  ]);
  return [
    `${singleLine(found.user_id)}  (visitors: ${found.anonymous_ids.length})\n`,
    table(['TOUCH', 'CHANNEL', 'SOURCE', 'CAMPAIGN', 'REFERRER'], found.touches.map(touchRow)),
    '\n',
    table(['CONVERSION', 'EVENT', 'VALUE', 'LAST NON-DIRECT', model.toUpperCase()], conversions),
    found.partial ? '\nThere are more: ask with a higher --limit.\n' : '',
  ].join('');
}

function touchRow({ at, channel, source, campaign, referrer }: TouchWire): string[] {
  return [at, channel, source ?? '-', campaign ?? '-', referrer ?? '-'];
}

function creditsByChannel(credits: readonly { readonly channel: string; readonly credit: number }[]): string {
  const sums = new Map<string, number>();
  for (const { channel, credit } of credits) sums.set(channel, (sums.get(channel) ?? 0) + credit);
  const sorted = [...sums].toSorted((a, b) => b[1] - a[1]);
  return sorted.length === 0 ? '-' : sorted.map(([channel, sum]) => `${channel} ${Math.round(sum * 100)} %`).join(', ');
}

function erase({ io, end }: CommandContext): Command {
  return newCommand('erase', 'erase a user’s events and links, for good')
    .argument('<user>', 'id of the user')
    .option('--yes', 'confirm: it cannot be undone')
    .action(async (user: string, flags: Flags & { yes?: true }) => {
      if (flags.yes !== true) {
        const remedy = 'Repeat the command with --yes.';
        throw new CliError(exitCodes.usage, 'not_confirmed', 'Erasing a user cannot be undone.', remedy);
      }
      const client = createCliServiceClient(await findConnection(io, flags), io);
      const call = client.api.DELETE('/v1/analytics/users/{user_id}', { params: { path: { user_id: user } } });
      const erased = await client.read(call, erasedPerson);
      if (flags.json) printJson(io, erased);
      else io.out(`erased ${erased.events} events and ${erased.links} links of ${singleLine(erased.user_id)}\n`);
      end(exitCodes.ok);
    });
}
