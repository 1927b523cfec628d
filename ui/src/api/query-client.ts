// The cache of answers: what is repeated, and when.
import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
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

/** A read is repeated once by itself: after `Retry-After`, or when the network failed. */
function isRepeatable(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status === 429 || error.status === 503;
}
