// The verb revoke: a version, or a whole tool, never runs again. choices-3.
import type { Caller } from '../model/access/caller.ts';
import type { RegisteredTool } from '../model/tool.ts';
import type { Store } from '../ports/store/store.ts';
import { listVersions, selectVersion } from './select-version.ts';

/**
 * What is revoked stays in the register, so that it cannot be registered anew; its content goes. A run under way comes to its end.
 * @param version undefined: every version there is
 * @returns the versions that are meant, revoked now or before
 * @throws DomainError not_found
 */
export async function revokeTool(
  deps: { readonly store: Store },
  caller: Caller,
  toolId: string,
  version: string | undefined,
): Promise<readonly RegisteredTool[]> {
  return deps.store.within(caller, async (rows) => {
    selectVersion(await listVersions(rows, toolId), version);
    await rows.tools.revoke(toolId, version, caller.subject);
    const versions = await listVersions(rows, toolId);
    return version === undefined ? versions : [selectVersion(versions, version)];
  });
}
