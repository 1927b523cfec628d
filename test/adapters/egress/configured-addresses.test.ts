// Addresses that an operator configured are reached although they are private, at their own scheme, host and port; callers who name them,
// and documents that point beside it, go through the egress guard.
import { expect, it } from 'vitest';
import { openService } from '../../support/service.ts';
import { openDecoy, openProvider } from '../../support/peers/identity-provider.ts';
import { openCollector } from '../../support/peers/trace-collector.ts';

it('the issuer and the collector are reached where they are configured, and by nobody’s wish but the operator’s [choices-1.43]', async () => {
  await using provider = await openProvider();
  await using collector = await openCollector();
  await using bystander = await openDecoy(provider.keys);
  const { issuer } = provider;
  const oidc = { issuer, audiences: [provider.audience], tenantClaim: 'tenant_id', rolesClaim: 'roles' };
  const traces = { endpoint: collector.url, headers: [], serviceName: 's', ratio: 1 };

  // By exact scheme, host and port: keys beside the issuer are not fetched, whatever its own document says.
  const { port } = new URL(bystander.url);
  const beside = [
    `http://127.0.0.1:${port}/jwks`,
    `https://127.0.0.1:${port}/jwks`,
    issuer.replace('http:', 'https:').concat('/jwks'),
    issuer.replace('127.0.0.1', 'localhost').concat('/jwks'),
    issuer.replace('127.0.0.1', '127.0.0.2').concat('/jwks'),
  ];
  for (const jwksUri of beside) {
    provider.discovery = { jwks_uri: jwksUri };
    await using service = await openService({ config: { oidc } });
    const refused = await service.call('GET', '/v1/auth/me', { token: await provider.token() });
    expect([jwksUri, refused.body.code]).toEqual([jwksUri, 'identity_provider_unavailable']);
  }
  expect(bystander.visits).toBe(0);
  expect(provider.requestsTo('/jwks')).toBe(0);

  provider.discovery = {};
  await using service = await openService({ config: { oidc, traces } });
  expect((await service.call('GET', '/v1/auth/me', { token: await provider.token() })).status).toBe(200);
  expect(provider.requestsTo('/jwks')).toBe(1);
  await collector.named('GET /v1/auth/me');

  // A configured address is no permission for callers: not even at the very same address.
  for (const url of [
    issuer,
    `${issuer}/hook`,
    collector.url,
    `http://127.0.0.1:${port}/`,
    `http://localhost:${port}/`,
  ]) {
    const body = { title: 't', prompt: 'p', codebase_id: 'global', webhook_url: url };
    const created = await service.call('POST', '/v1/agent/tasks', { as: 'editor', body });
    expect([url, created.status, created.body.errors?.[0]?.path]).toEqual([url, 400, '/webhook_url']);
  }
  expect(bystander.visits).toBe(0);
});
