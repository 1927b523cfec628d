// The statement that counts people along a funnel: one window function for each step after the first. platform-5.3.
import { memoize } from '../../../../../lib/memoize.ts';

/** Parameters before those of the steps: tenant, beginning and end of the range of first steps, hours of the window. */
const parametersBefore = 4;

/**
 * For each event and step k, `begun_k` is the latest beginning of a chain that takes its k-th step with this event. The latest one
 * is the best for all that follows, because only the time since the beginning is limited. It is the latest `begun_k-1` of the
 * person's earlier events, if that beginning is not too long ago.
 *
 * The person of an event is its user, else the user that its visitor was at that time, else the visitor.
 * @param steps how many; each has two parameters: the name of its event, and the properties that the event must have
 */
export function funnelStatement(steps: number): string {
  return textOf(String(steps));
}

/** A parameter of a step: the name of its event, and after it the properties. */
function parameterOf(step: number, after = 0): string {
  return `$${parametersBefore + 2 * step - 1 + after}`;
}

const textOf = memoize(10, (count) => {
  const steps = Array.from({ length: Number(count) }, (_, i) => i + 1);
  const fits = steps
    .map((k) => `e.event = ${parameterOf(k)} and e.properties @> ${parameterOf(k, 1)}::jsonb as is_${k}`)
    .join(', ');
  const chains = steps.slice(1).map(
    (k) => `, chain_${k} as (
    select *, case when is_${k} and before_${k} >= at - make_interval(hours => $4) then before_${k} end as begun_${k}
    from (select *, max(begun_${k - 1}) over (partition by person order by at, event_id
        rows between unbounded preceding and 1 preceding) as before_${k} from chain_${k - 1}) as earlier
  )`,
  );
  const last = steps.length;
  return `with spans as materialized (
    select anonymous_id, user_id, lead(identified_at, 1, 'infinity') over (partition by anonymous_id order by identified_at) as to_at,
      case when lag(identified_at) over (partition by anonymous_id order by identified_at) is null then '-infinity'
        else identified_at end as from_at
    from analytics_identity_map where tenant_id = $1
  ), found as (
    select e.at, e.event_id, ${fits}, case when coalesce(e.user_id, s.user_id) is null then 'visitor ' || e.anonymous_id
      -- Sorted by bytes: a language's order would cost more than the rest.
      else 'user ' || coalesce(e.user_id, s.user_id) end collate "C" as person
    from analytics_events e
    left join spans s on e.user_id is null and s.anonymous_id = e.anonymous_id and s.from_at <= e.at and e.at < s.to_at
    where e.tenant_id = $1 and e.event in (${steps.map((k) => parameterOf(k)).join(', ')})
      and e.at >= $2 and e.at < $3::timestamptz + make_interval(hours => $4)
      -- An event is received at most an hour before its time, so older partitions hold none of these.
      and e.event_id >= uuid7_from($2::timestamptz - interval '1 hour')
  ), chain_1 as (
    select *, case when is_1 and at < $3 then at end as begun_1 from found
  )${chains.join('')}, people as (
    select ${steps.map((k) => `bool_or(begun_${k} is not null) as has_${k}`).join(', ')},
      -- The first event that ends the funnel: its time, and the beginning of its chain.
      min(array[extract(epoch from at), extract(epoch from begun_${last})]) filter (where begun_${last} is not null) as ended
    from chain_${last} group by person
  ) select array[${steps.map((k) => `count(*) filter (where has_${k})`).join(', ')}]::integer[] as reached,
    round((percentile_cont(0.5) within group (order by (ended[1] - ended[2])::float8))::numeric, 3)::float8 as median
  from people`;
});
