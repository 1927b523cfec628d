// The commands `attention` and `attention dismiss`: what waits for a person.
import { Command } from 'commander';
import { attentionPage, dismissedAnswer } from '../../contracts/monitor/attention.ts';
import { allPages } from '../core/all-pages.ts';
import { newCommand, type CommandContext } from '../core/command.ts';
import { findConnection, withConnection, type ConnectionFlags } from '../core/connection.ts';
import { exitCodes } from '../core/exit-codes.ts';
import { printJson, table } from '../core/output.ts';
import { byId, createCliServiceClient } from '../core/service-client.ts';

interface Flags extends ConnectionFlags {
  readonly json?: true;
}

/** Characters of a text in the table. */
const shownLength = 80;

export function attentionCommand({ io, end }: CommandContext): Command {
  const group = new Command('attention').description('see what waits for a person');
  const list = newCommand('list', 'list what waits, newest first; the default').action(async (flags: Flags) => {
    const client = createCliServiceClient(await findConnection(io, flags), io);
    const items = await allPages(
      async (query) => client.read(client.api.GET('/v1/monitor/attention', { params: { query } }), attentionPage),
      (page) => page.items,
    );
    const rows = items.map(({ kind, id, asked_at, title, text }) => [
      kind,
      id,
      asked_at,
      title,
      text.length > shownLength ? `${text.slice(0, shownLength)}…` : text,
    ]);
    if (flags.json) printJson(io, { items });
    else io.out(table(['KIND', 'ID', 'SINCE', 'TITLE', 'TEXT'], rows));
    end(exitCodes.ok);
  });
  const dismiss = newCommand(
    'dismiss',
    'dismiss something that asks nothing: a dead delivery, a failed run, a lost worker',
  )
    .argument('<id>', 'its id in the list')
    .action(async (id: string, flags: Flags) => {
      const client = createCliServiceClient(await findConnection(io, flags), io);
      const answer = await client.read(
        client.api.POST('/v1/monitor/attention/{id}/dismiss', byId(id)),
        dismissedAnswer,
      );
      if (flags.json) printJson(io, answer);
      else io.out(`dismissed ${answer.id}\n`);
      end(exitCodes.ok);
    });
  group.addCommand(withConnection(list), { isDefault: true });
  return group.addCommand(withConnection(dismiss));
}
