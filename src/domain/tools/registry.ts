// Verbs that read the registry of tools and revoke what is in it.
import type { Caller } from '../model/access/caller.ts';
import type { RegisteredTool } from '../model/tool.ts';
import type { Store } from '../ports/store/store.ts';
import { listVersions, selectVersion } from './select-version.ts';

/**
 * One tool: the named version, else the one that a run would select; and every version, highest first.
 * @throws DomainError not_found
 */
export async function getTool(
  deps: { readonly store: Store },
  caller: Caller,
  toolId: string,
  version: string | undefined,
): Promise<{ tool: RegisteredTool; versions: readonly RegisteredTool[] }> {
  return deps.store.within(caller, async (rows) => {
    const versions = await listVersions(rows, toolId);
    return { tool: selectVersion(versions, version), versions };
  });
}

/** Every version of every tool, by name and version as text. */
export async function listTools(
  deps: { readonly store: Store },
  caller: Caller,
  page: { limit: number; before: string | undefined },
): Promise<{ tools: RegisteredTool[]; next: string | null }> {
  const found = await deps.store.within(caller, (rows) => rows.tools.list({ ...page, limit: page.limit + 1 }));
  const tools = found.slice(0, page.limit);
  const last = found.length > page.limit ? tools.at(-1) : undefined;
  return { tools, next: last === undefined ? null : `${last.toolId} ${last.version}` };
}

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
