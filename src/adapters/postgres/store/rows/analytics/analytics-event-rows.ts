// Rows of events, their deduplication keys, and the users that visitors were identified as. Row-level security limits them to the
// tenant.
import type { AnalyticsEvent } from '../../../../../domain/model/analytics/event.ts';
import type { AnalyticsEventRows } from '../../../../../domain/ports/store/analytics/event-rows.ts';
import type { Scope } from '../scope.ts';

/** How long a message id is known. platform-5.1. */
const messageHours = 48;

export function analyticsEventRows(scope: Scope): AnalyticsEventRows {
  return {
    async claimMessages(claims) {
      const keys = claims.map(({ messageId }) => messageId);
      // In order, so that two calls with the same ids wait for each other instead of deadlocking. The second statement sees what
      // the first one waited for.
      const [, kept] = await Promise.all([
        scope.query(
          'analytics_claim_messages',
          `insert into analytics_messages as m (tenant_id, message_id, event_id)
           select $1, x.message_id, x.event_id from unnest($2::text[], $3::uuid[]) as x(message_id, event_id) order by x.message_id
           on conflict (tenant_id, message_id) do update set event_id = excluded.event_id, received_at = clock_timestamp()
             where m.received_at < clock_timestamp() - interval '${messageHours} hours'`,
          [scope.tenantId, keys, claims.map(({ eventId }) => eventId)],
        ),
        scope.query<{ message_id: string; event_id: string }>(
          'analytics_kept_messages',
          'select message_id, event_id from analytics_messages where tenant_id = $1 and message_id = any($2::text[])',
          [scope.tenantId, keys],
        ),
      ]);
      return new Map(kept.map((row) => [row.message_id, row.event_id]));
    },
    async insert(events) {
      await scope.query(
        'analytics_insert',
        `insert into analytics_events (tenant_id, event_id, at, kind, event, anonymous_id, user_id, session_id, message_id, page,
           campaign, channel, properties, value, currency)
         select $1, x.* from jsonb_to_recordset($2::jsonb) as x(event_id uuid, at timestamptz, kind text, event text,
           anonymous_id text, user_id text, session_id text, message_id text, page jsonb, campaign jsonb, channel text,
           properties jsonb, value numeric, currency text)`,
        [scope.tenantId, JSON.stringify(events.map(toRow))],
      );
    },
    async linkVisitors(links) {
      // In order, so that two calls about the same visitors wait for each other instead of deadlocking.
      await scope.query(
        'analytics_link_visitors',
        `select link_visitor($1, x.visitor, x.at) from (
           select distinct visitor, at from unnest($2::text[], $3::timestamptz[]) as u(visitor, at) order by visitor, at) x`,
        [scope.tenantId, links.map(({ anonymousId }) => anonymousId), links.map(({ at }) => at)],
      );
    },
    async dropOldMessages(limit) {
      const [row] = await scope.query<{ n: number }>(
        'analytics_drop_messages',
        `with old as (
           select message_id from analytics_messages
           where tenant_id = $1 and received_at < clock_timestamp() - interval '${messageHours} hours'
           order by received_at limit $2
         ), gone as (
           delete from analytics_messages m using old o where m.tenant_id = $1 and m.message_id = o.message_id returning 1
         ) select count(*)::integer as n from gone`,
        [scope.tenantId, limit],
      );
      return row?.n ?? 0;
    },
  };
}

function toRow(event: AnalyticsEvent): Record<string, unknown> {
  const { eventId, anonymousId, userId, sessionId, messageId, campaign, ...plain } = event;
  const { clickId, ...named } = campaign ?? {};
  return {
    ...plain,
    event_id: eventId,
    anonymous_id: anonymousId,
    user_id: userId,
    session_id: sessionId,
    message_id: messageId,
    campaign: campaign && { ...named, click_id: clickId },
  };
}
