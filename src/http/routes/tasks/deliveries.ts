// Operations on webhook deliveries and on the secrets that sign them. choices-8.
import { z } from 'zod';
import { id, pageQuery } from '../../../contracts/common.ts';
import * as wire from '../../../contracts/delivery.ts';
import {
  countWebhookSecrets,
  listDeadDeliveries,
  listDeliveries,
  redeliver,
  setWebhookSecrets,
  type RedeliverDeps,
  type SecretDeps,
} from '../../../domain/webhooks/deliveries.ts';
import { operation, type Operation } from '../../pipeline/operation.ts';
import { encodeCursor, parsePage } from '../../pipeline/pagination.ts';
import { deliveryToWire } from './delivery-wire.ts';

export function deliveryOperations(deps: RedeliverDeps & SecretDeps): Operation[] {
  return [
    operation({
      name: 'deliveries.list',
      method: 'GET',
      path: '/v1/automation/tasks/:id/deliveries',
      summary: 'List the deliveries of a task, oldest first, with their attempts.',
      permission: 'automation:read',
      params: z.object({ id }),
      names: 'task',
      query: z.strictObject(pageQuery),
      rateLimited: true,
      answers: { 200: wire.deliveryList },
      run: async (caller, { params, query }) => {
        const { items, next } = await listDeliveries(deps, caller, params.id, parsePage(query, 'uuid'));
        return { status: 200, body: { deliveries: items.map(deliveryToWire), next_cursor: encodeCursor(next) } };
      },
    }),
    operation({
      name: 'deliveries.list_dead',
      method: 'GET',
      path: '/v1/automation/deliveries',
      summary: 'List the dead deliveries of all tasks, newest first.',
      permission: 'automation:read',
      query: wire.tenantDeliveryQuery,
      rateLimited: true,
      answers: { 200: wire.tenantDeliveryList },
      run: async (caller, { query }) => {
        const { items, next } = await listDeadDeliveries(deps, caller, parsePage(query, 'uuid'));
        const deliveries = items.map((item) => ({ ...deliveryToWire(item), task_id: item.taskId }));
        return { status: 200, body: { deliveries, next_cursor: encodeCursor(next) } };
      },
    }),
    operation({
      name: 'deliveries.redeliver',
      method: 'POST',
      path: '/v1/automation/tasks/:id/deliveries/:delivery_id/redeliver',
      summary: 'Send a dead or delivered webhook again.',
      description: 'The same bytes are sent under the same id.',
      permission: 'automation:write',
      params: z.object({ id, delivery_id: id }),
      names: 'task',
      rateLimited: true,
      answers: { 202: wire.deliveryAnswer },
      run: async (caller, { params }) => {
        const delivery = await redeliver(deps, caller, params.id, params.delivery_id);
        return { status: 202, body: { delivery: deliveryToWire(delivery) } };
      },
    }),
    operation({
      name: 'tenants.webhook_secret_count',
      method: 'GET',
      path: '/v1/auth/tenants/:id/webhook-secret',
      summary: 'Count the secrets that sign a tenant’s webhooks.',
      description: 'The secrets are never shown. With 0, the secrets of the installation apply.',
      permission: 'tenants:read',
      params: z.object({ id: z.string().max(63) }),
      answers: { 200: wire.webhookSecretCount },
      run: async (caller, { params }) => {
        const count = await countWebhookSecrets(deps, caller, params.id);
        return { status: 200, body: { tenant_id: params.id, count } };
      },
    }),
    operation({
      name: 'tenants.webhook_secret',
      method: 'PUT',
      path: '/v1/auth/tenants/:id/webhook-secret',
      summary: 'Set the secrets that sign a tenant’s webhooks.',
      description: 'The first secret makes the single signature, all secrets the multi-signature.',
      permission: 'tenants:write',
      params: z.object({ id: z.string().max(63) }),
      body: wire.webhookSecret,
      answers: { 200: wire.webhookSecretsAnswer },
      run: async (caller, { params, body }) => {
        const secrets = body.secret === '' ? [] : body.secret.split(',');
        await setWebhookSecrets(deps, caller, params.id, secrets);
        return { status: 200, body: { tenant_id: params.id, secrets: secrets.length } };
      },
    }),
  ];
}
