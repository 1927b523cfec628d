// Operations on funnels and people of analytics. platform-5.2.
import { z } from 'zod';
import {
  funnelAnswer,
  funnelId,
  funnelListQuery,
  funnelPage,
  funnelQuery,
  funnelReport,
  funnelSettings,
} from '../../../contracts/analytics/funnel.ts';
import { attribution, attributionQuery, erasedPerson, personParams } from '../../../contracts/analytics/person.ts';
import type { AnalyticsDeps } from '../../../domain/analytics/analytics-deps.ts';
import { deleteFunnel, putFunnel } from '../../../domain/analytics/funnels/change-funnel.ts';
import { listFunnels, measureFunnel } from '../../../domain/analytics/funnels/read-funnels.ts';
import { erasePerson } from '../../../domain/analytics/people/erase-person.ts';
import { readAttribution } from '../../../domain/analytics/people/read-attribution.ts';
import { operation, type Operation } from '../../pipeline/operation.ts';
import { encodeCursor, parsePage } from '../../pipeline/pagination.ts';
import { eventOperations } from './events.ts';
import { funnelToWire, reportToWire, funnelFromWire } from './funnel-wire.ts';
import { attributionToWire } from './person-wire.ts';

const byFunnel = { params: z.object({ funnel_id: funnelId }) };
const byPerson = { params: personParams, names: 'person' as const, hidesParams: true as const };

export function analyticsOperations(deps: AnalyticsDeps): Operation[] {
  return [...eventOperations(deps), ...funnelOperations(deps), ...personOperations(deps)];
}

function funnelOperations(deps: AnalyticsDeps): Operation[] {
  return [
    operation({
      name: 'analytics.funnels',
      method: 'GET',
      path: '/v1/analytics/funnels',
      summary: 'List the funnels.',
      description: 'The built-in funnel is first, then by id.',
      permission: 'analytics:read',
      query: funnelListQuery,
      answers: { 200: funnelPage },
      run: async (caller, { query }) => {
        const { funnels, next } = await listFunnels(deps, caller, parsePage(query, 'text'));
        return { status: 200, body: { funnels: funnels.map(funnelToWire), next_cursor: encodeCursor(next) } };
      },
    }),
    operation({
      name: 'analytics.funnel',
      method: 'GET',
      path: '/v1/analytics/funnel',
      summary: 'Count the people along a funnel.',
      description:
        'People who took the first step in the last days, and how many of them took each further step within the window.',
      permission: 'analytics:admin',
      query: funnelQuery,
      answers: { 200: funnelReport },
      run: async (caller, { query }) => {
        const report = await measureFunnel(deps, caller, query.funnel_id, query.days);
        return { status: 200, body: reportToWire(report) };
      },
    }),
    operation({
      name: 'analytics.put_funnel',
      method: 'PUT',
      path: '/v1/analytics/funnels/:funnel_id',
      summary: 'Write a funnel, or replace it.',
      description: 'The id is yours to choose. Under the id default it replaces the built-in funnel.',
      permission: 'analytics:admin',
      ...byFunnel,
      body: funnelSettings,
      answers: { 200: funnelAnswer },
      run: async (caller, { params, body }) => {
        const funnel = await putFunnel(deps, caller, params.funnel_id, funnelFromWire(body));
        return { status: 200, body: { funnel: funnelToWire(funnel) } };
      },
    }),
    operation({
      name: 'analytics.delete_funnel',
      method: 'DELETE',
      path: '/v1/analytics/funnels/:funnel_id',
      summary: 'Delete a funnel.',
      description: 'Events stay. When a replacement of the built-in funnel is deleted, the built-in one returns.',
      permission: 'analytics:admin',
      ...byFunnel,
      names: 'funnel',
      answers: { 200: funnelAnswer },
      run: async (caller, { params }) => {
        const funnel = await deleteFunnel(deps, caller, params.funnel_id);
        return { status: 200, body: { funnel: funnelToWire(funnel) } };
      },
    }),
  ];
}

function personOperations(deps: AnalyticsDeps): Operation[] {
  return [
    operation({
      name: 'analytics.attribution',
      method: 'GET',
      path: '/v1/analytics/attribution/:user_id',
      summary: 'Get the touches of a user and the credits of its conversions.',
      permission: 'analytics:read',
      ...byPerson,
      query: attributionQuery,
      answers: { 200: attribution },
      run: async (caller, { params, query }) => {
        const { lookback_days: lookbackDays, limit } = query;
        const found = await readAttribution(deps, caller, { userId: params.user_id, lookbackDays, limit });
        return { status: 200, body: attributionToWire(found) };
      },
    }),
    operation({
      name: 'analytics.erase',
      method: 'DELETE',
      path: '/v1/analytics/users/:user_id',
      summary: 'Erase a user: its events, and the links to its visitors.',
      description: 'Anonymous events of its visitors are erased too. It cannot be undone.',
      permission: 'analytics:admin',
      ...byPerson,
      answers: { 200: erasedPerson },
      run: async (caller, { params }) => {
        const erased = await erasePerson(deps, caller, params.user_id);
        return { status: 200, body: { user_id: params.user_id, ...erased } };
      },
    }),
  ];
}
