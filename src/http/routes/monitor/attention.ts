// Operations on what waits for a person. ui-6.19.1.
import { z } from 'zod';
import * as wire from '../../../contracts/monitor/attention.ts';
import { dismissAttention, type DismissDeps } from '../../../domain/attention/dismiss-attention.ts';
import { listAttention } from '../../../domain/attention/list-attention.ts';
import { askingKinds, type AttentionItem } from '../../../domain/model/attention.ts';
import { operation, type Operation } from '../../pipeline/operation.ts';
import { encodeCursor, parsePage } from '../../pipeline/pagination.ts';

export function attentionOperations(deps: DismissDeps): Operation[] {
  return [
    operation({
      name: 'monitor.attention',
      method: 'GET',
      path: '/v1/monitor/attention',
      summary: 'List items that wait for a person, newest first.',
      description:
        'An item with a question disappears when it is answered. Others disappear with their cause, when dismissed, or after seven days.',
      permission: 'monitor:read',
      query: wire.attentionQuery,
      answers: { 200: wire.attentionPage },
      run: async (caller, { query }) => {
        const kinds = query.kinds
          ?.split(',')
          .flatMap((name) => wire.attentionKind.options.find((kind) => kind === name) ?? []);
        const { items, next } = await listAttention(deps, caller, { ...parsePage(query, 'text'), kinds });
        return { status: 200, body: { items: items.map(attentionItemToWire), next_cursor: encodeCursor(next) } };
      },
    }),
    operation({
      name: 'monitor.dismiss',
      method: 'POST',
      path: '/v1/monitor/attention/:id/dismiss',
      summary: 'Dismiss an item that waits for a person.',
      description:
        'Requires the permission for its remedy, too: automation:write for a dead delivery, ralph:write for a failed run, workers:write for a lost worker. Open questions cannot be dismissed.',
      permission: 'monitor:read',
      changes: true,
      params: z.object({ id: z.string().min(1).max(200) }),
      names: 'attention_item',
      answers: { 200: wire.dismissedAnswer },
      run: async (caller, { params }) => {
        await dismissAttention(deps, caller, params.id);
        return { status: 200, body: { dismissed: true, id: params.id } };
      },
    }),
  ];
}

function attentionItemToWire(item: AttentionItem): z.input<typeof wire.attentionItem> {
  const { kind, id, about, title, text, options, askedAt: asked_at } = item;
  const asked = options.length === 0 ? {} : { options: [...options] };
  return { kind, id, about, title, text, ...asked, asked_at, link: linkTo(item) };
}

/** The page on which a person can end the wait. */
function linkTo({ kind, id, about }: AttentionItem): string {
  if (askingKinds.some((asking) => asking === kind) || kind === 'budget')
    return `/v1/monitor/questions/${encodeURIComponent(id)}`;
  if (kind === 'worker_gone') return `/v1/monitor/fleet/${id}`;
  if (about?.kind === 'run') return `/dashboard/ralph/${about.id}`;
  return `/v1/monitor/tasks/${about?.id ?? id}/deliveries`;
}
