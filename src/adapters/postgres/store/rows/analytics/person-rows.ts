// Rows of one person: the events that name a user, and those of visitors while they were that user. Row-level security limits
// them to the tenant.
import type { PersonConversion, PersonTouch } from '../../../../../domain/model/analytics/touch.ts';
import type { PersonRows } from '../../../../../domain/ports/store/analytics/person-rows.ts';
import { isoText } from '../../../codec/run-columns.ts';
import type { Scope } from '../scope.ts';

/** Silence after which a page view begins a session. platform-5.3. */
const sessionSilence = `interval '30 minutes'`;

/** Events with the time of the event before, and the place of each among those of its session. */
const seen = `with mine as (
    select * from analytics_person_events($1, $2) e
    where e.at >= $3 and e.event_id >= uuid7_from($3::timestamptz - interval '1 hour')
  ), seen as (
    select *, lag(at) over (order by at, event_id) as before_at,
      row_number() over (partition by session_id order by at, event_id) as nth from mine
  )`;
const isTouch = `channel is not null or kind = 'page' and (before_at is null or at - before_at >= ${sessionSilence}
  or session_id is not null and nth = 1)`;
const isConversion = `kind = 'track' and (value is not null or properties -> 'conversion' = 'true')`;

export function personRows(scope: Scope): PersonRows {
  const erased = async (name: string, text: string, values: unknown[]): Promise<number> => {
    const [row] = await scope.query<{ n: number }>(
      name,
      `with gone as (${text} returning 1) select count(*)::integer as n from gone`,
      [scope.tenantId, ...values],
    );
    return row?.n ?? 0;
  };
  return {
    async exists(userId) {
      const rows = await scope.query(
        'analytics_person_exists',
        `(select 1 from analytics_identity_map where tenant_id = $1 and user_id = $2 limit 1)
         union all (select 1 from analytics_events where tenant_id = $1 and user_id = $2 limit 1)`,
        [scope.tenantId, userId],
      );
      return rows.length > 0;
    },
    async visitorsOf(userId, limit) {
      const rows = await scope.query<{ anonymous_id: string }>(
        'analytics_visitors',
        `select distinct anonymous_id from analytics_identity_map where tenant_id = $1 and user_id = $2
         order by anonymous_id limit $3`,
        [scope.tenantId, userId, limit],
      );
      return rows.map((row) => row.anonymous_id);
    },
    async journey({ userId, since, touches, conversions }) {
      const [row] = await scope.query<{ touches: PersonTouch[]; conversions: PersonConversion[] }>(
        'analytics_journey',
        `${seen} select
           coalesce((select json_agg(json_build_object('eventId', event_id, 'at', ${isoText('at')},
               'channel', coalesce(channel, 'direct'), 'source', campaign ->> 'source', 'medium', campaign ->> 'medium',
               'campaign', campaign ->> 'name', 'referrer', page ->> 'referrer') order by at, event_id)
             from (select * from seen where ${isTouch} order by at desc, event_id desc limit $4) t), '[]') as touches,
           coalesce((select json_agg(json_build_object('eventId', event_id, 'event', event, 'at', ${isoText('at')},
               'value', value::text, 'currency', currency) order by at, event_id)
             from (select * from seen where ${isConversion} order by at desc, event_id desc limit $5) c), '[]') as conversions`,
        [scope.tenantId, userId, since, touches, conversions],
      );
      return row ?? { touches: [], conversions: [] };
    },
    eraseEvents(userId, limit) {
      return erased(
        'analytics_erase_events',
        `delete from analytics_events where tenant_id = $1
           and event_id = any(array(select event_id from analytics_person_events($1, $2) limit $3))`,
        [userId, limit],
      );
    },
    eraseLinks(userId) {
      return erased(
        'analytics_erase_links',
        'delete from analytics_identity_map where tenant_id = $1 and user_id = $2',
        [userId],
      );
    },
    async dropUnusedLinks(olderThanDays, after, limit) {
      const [row] = await scope.query<{ n: number; last: string | null }>(
        'analytics_drop_links',
        `with page as (
           select distinct anonymous_id from analytics_identity_map where tenant_id = $1 and anonymous_id > $3
           order by anonymous_id limit $4
         ), gone as (
           delete from analytics_identity_map m using page p where m.tenant_id = $1 and m.anonymous_id = p.anonymous_id
             and m.identified_at < now() - make_interval(days => $2)
             and not exists (select from analytics_events e where e.tenant_id = $1 and e.anonymous_id = p.anonymous_id)
           returning 1
         ) select (select count(*) from gone)::integer as n, (select max(anonymous_id) from page) as last`,
        [scope.tenantId, olderThanDays, after, limit],
      );
      return { dropped: row?.n ?? 0, last: row?.last ?? undefined };
    },
  };
}
