// The verb revoke: a revoked version, or a whole revoked tool, can never run again. choices-3.
import type { Caller } from '../model/access/caller.ts';
import type { RegisteredTool } from '../model/tool.ts';
import type { Store } from '../ports/store/store.ts';
import { listVersions, selectVersion } from './select-version.ts';

/**
 * A revoked version stays in the registry, so that it cannot be registered again; its content is
 * deleted. Runs under way finish.
 * @param version undefined: every version
 * @returns the selected versions, whether revoked now or before
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
