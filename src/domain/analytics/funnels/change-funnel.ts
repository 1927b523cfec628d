// The verbs that write and delete funnels. platform-5.2.
import { defaultFunnel, defaultFunnelId, type Funnel, type FunnelSettings } from '../../model/analytics/funnel.ts';
import type { Caller } from '../../model/access/caller.ts';
import { DomainError, notFound } from '../../model/errors.ts';
import type { Store } from '../../ports/store/store.ts';

interface FunnelDeps {
  readonly store: Store;
}

const maxFunnels = 200;

/** Writes a funnel or replaces it. @throws DomainError conflict `too_many_funnels` */
export function putFunnel(
  { store }: FunnelDeps,
  caller: Caller,
  funnelId: string,
  settings: FunnelSettings,
): Promise<Funnel> {
  return store.within(caller, async (rows) => {
    const written = await rows.funnels.list();
    const isNew = !written.some((funnel) => funnel.funnelId === funnelId);
    if (isNew && written.length >= maxFunnels) throw tooManyFunnels();
    return rows.funnels.put(funnelId, settings, caller.subject);
  });
}

function tooManyFunnels(): DomainError {
  const message = `This tenant has ${maxFunnels} funnels, which is the most. Delete one first.`;
  return new DomainError('conflict', 'too_many_funnels', message);
}

/**
 * Deletes a funnel; the built-in one returns when its replacement is deleted.
 * @throws DomainError not_found; conflict `built_in_funnel`
 */
export function deleteFunnel({ store }: FunnelDeps, caller: Caller, funnelId: string): Promise<Funnel> {
  return store.within(caller, async (rows) => {
    const found = await rows.funnels.find(funnelId);
    if (found === undefined && funnelId === defaultFunnelId) throw builtIn();
    if (found === undefined || !(await rows.funnels.delete(funnelId))) throw notFound('funnel');
    return found;
  });
}

function builtIn(): DomainError {
  const message = `The funnel ${defaultFunnel.funnelId} is built in and cannot be deleted. Write another one under its id instead.`;
  return new DomainError('conflict', 'built_in_funnel', message);
}
