// Operations on interventions: messages and commands of people to running agents. core-4.5, choices-3.
import { z } from 'zod';
import { id as uuid } from '../../../contracts/common.ts';
import * as wire from '../../../contracts/intervention.ts';
import type { Intervention } from '../../../domain/model/intervention.ts';
import type { TaskDeps } from '../../../domain/tasks/deps.ts';
import { getIntervention, intervene, listInterventions } from '../../../domain/tasks/exchange/intervene.ts';
import { operation, type Operation } from '../../pipeline/operation.ts';
import { encodeCursor, parsePage } from '../../pipeline/pagination.ts';

export function interventionOperations(deps: TaskDeps): Operation[] {
  return [
    operation({
      name: 'monitor.intervene',
      method: 'POST',
      path: '/v1/monitor/intervene',
      summary: 'Intervene in a running agent: message, pause, resume or cancel.',
      permission: 'monitor:write',
      body: wire.interveneRequest,
      answers: { 202: wire.interventionAnswer },
      run: async (caller, { body }) => {
        const { action, message, task_id: taskId, agent_id: agentId } = body;
        const intervention = await intervene(deps, caller, { action, message, taskId, agentId });
        return { status: 202, body: { intervention: interventionToWire(intervention) } };
      },
    }),
    operation({
      name: 'monitor.interventions',
      method: 'GET',
      path: '/v1/monitor/interventions',
      summary: 'List interventions and their delivery status.',
      permission: 'monitor:read',
      query: wire.interventionQuery,
      answers: { 200: wire.interventionPage },
      run: async (caller, { query }) => {
        const filter = { taskId: query.task_id, status: query.status };
        const { interventions, next } = await listInterventions(deps, caller, filter, parsePage(query, 'uuid'));
        return {
          status: 200,
          body: { interventions: interventions.map(interventionToWire), next_cursor: encodeCursor(next) },
        };
      },
    }),
    operation({
      name: 'monitor.intervention',
      method: 'GET',
      path: '/v1/monitor/interventions/:id',
      summary: 'Get an intervention.',
      permission: 'monitor:read',
      params: z.object({ id: uuid }),
      names: 'intervention',
      answers: { 200: wire.interventionAnswer },
      run: async (caller, { params }) => ({
        status: 200,
        body: { intervention: interventionToWire(await getIntervention(deps, caller, params.id)) },
      }),
    }),
  ];
}

function interventionToWire(intervention: Intervention): wire.InterventionWire {
  return {
    id: intervention.id,
    task_id: intervention.taskId,
    action: intervention.action,
    message: intervention.message,
    status: intervention.status,
    reason: intervention.reason,
    worker_id: intervention.workerId,
    created_by: intervention.createdBy,
    created_at: intervention.createdAt,
    sent_at: intervention.sentAt,
    settled_at: intervention.settledAt,
  };
}
