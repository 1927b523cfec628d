// The command `usage`: tokens, cost and time of finished tasks, by day or group.
import { type Command, Option } from 'commander';
import type { z } from 'zod';
import { usageAnswer, usageGrouping } from '../../contracts/insight/usage.ts';
import { newCommand, type CommandContext } from '../core/command.ts';
import { findConnection, withConnection, type ConnectionFlags } from '../core/connection.ts';
import { exitCodes } from '../core/exit-codes.ts';
import { printJson, table } from '../core/output.ts';
import { createCliServiceClient } from '../core/service-client.ts';
import { tenantHeaders, withTenantFlag, type TenantFlag } from '../flags/tenant-flag.ts';

interface Flags extends ConnectionFlags, TenantFlag {
  readonly json?: true;
  readonly by: z.output<typeof usageGrouping>;
  readonly from?: string;
  readonly to?: string;
}

type Row = z.output<typeof usageAnswer>['usage'][number];

const headings = ['BY', 'TASKS', 'COMPLETED', 'FAILED', 'MEDIAN', 'TOKENS IN', 'OUT', 'CACHED', 'COST', 'UNPRICED'];

export function usageCommand({ io, end }: CommandContext): Command {
  const command = newCommand('usage', 'print usage and cost of finished tasks')
    .addOption(new Option('--by <group>', 'one row for each').choices(usageGrouping.options).default('day'))
    .option('--from <time>', 'from this day on, as 2026-01-31 or a time (default: 30 days ago)')
    .option('--to <time>', 'up to and with this day (default: today)');
  return withTenantFlag(withConnection(command)).action(async (flags: Flags) => {
    const client = createCliServiceClient(await findConnection(io, flags), io);
    const { by: group_by, from, to } = flags;
    const query = { group_by, from, to };
    const call = client.api.GET('/v1/monitor/usage', { params: { query }, headers: tenantHeaders(flags) });
    const { usage } = await client.read(call, usageAnswer);
    if (flags.json) printJson(io, { usage });
    else io.out(table(headings, usage.map(cellsOf)));
    end(exitCodes.ok);
  });
}

function cellsOf(row: Row): string[] {
  return [
    row.label,
    String(row.tasks),
    String(row.completed),
    String(row.failed),
    row.median_seconds === null ? '-' : `${row.median_seconds} s`,
    String(row.input_tokens),
    String(row.output_tokens),
    String(row.cached_tokens),
    row.cost_usd === null ? '-' : `$${row.cost_usd.toFixed(2)}`,
    String(row.unpriced_tasks),
  ];
}
