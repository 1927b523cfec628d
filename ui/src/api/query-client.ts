// The cache of answers: what is repeated, and when.
import { hashKey, QueryClient } from '@tanstack/react-query';
import { onSignOut } from '../session/session.ts';
import { actingTenant, onTenantChange } from '../session/tenant.ts';
import { ApiError } from './api-error.ts';

/** Answers that are about the caller or the build, whichever tenant is acted in. */
const ofNoTenant: readonly unknown[] = ['me', 'tenants', 'build'];

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // Answers of one tenant are never shown in another.
      queryKeyHashFn: (key) => hashKey(ofNoTenant.includes(key[0]) ? key : [actingTenant() ?? null, key]),
      staleTime: 5_000,
      gcTime: 10 * 60_000,
      // Calls are made even when the browser believes to be offline: the service may be on this machine.
      networkMode: 'always',
      retry: (failures, error) => failures < 1 && isRepeatable(error),
      retryDelay: (_failures, error) => (error instanceof ApiError ? (error.retryAfter ?? 1) * 1_000 : 500),
      refetchOnReconnect: true,
    },
    mutations: { networkMode: 'always', retry: false },
  },
});

// Nothing private outlives the session.
onSignOut(() => queryClient.clear());

// A repeat would ask the next tenant, and keep its answer for this one.
onTenantChange(() => void queryClient.cancelQueries());

/** A read is repeated once by itself: after `Retry-After`, or when the network failed. */
function isRepeatable(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status === 429 || error.status === 503;
}
