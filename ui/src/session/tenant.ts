// The tenant that an administrator acts in: chosen by `?tenant=` and sent with every call.
import { createStore, useStore } from '../store.ts';

const tenant = createStore<string | undefined>(undefined);

/** The chosen tenant; undefined is the caller's own. */
export function actingTenant(): string | undefined {
  return tenant.get();
}

export function useActingTenant(): string | undefined {
  return useStore(tenant);
}

export function setActingTenant(id: string | undefined): void {
  tenant.set(id);
}

export function onTenantChange(listener: () => void): () => void {
  return tenant.subscribe(listener);
}
