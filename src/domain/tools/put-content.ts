// The verb put content: stores a tool's content, if its hash is the one that the manifest names. choices-3.
import type { Caller } from '../model/access/caller.ts';
import { DomainError } from '../model/errors.ts';
import type { RegisteredTool } from '../model/tool.ts';
import type { Store } from '../ports/store/store.ts';
import { listVersions, selectVersion } from './select-version.ts';
import { sha256 } from '../../lib/digest.ts';

/**
 * @param version undefined: the version that a run would select
 * @throws DomainError not_found; conflict tool_revoked; invalid hash_mismatch
 */
export async function putToolContent(
  deps: { readonly store: Store },
  caller: Caller,
  toolId: string,
  version: string | undefined,
  content: Uint8Array,
): Promise<RegisteredTool> {
  const digest = sha256(content, 'hex');
  return deps.store.within(caller, async (rows) => {
    const tool = selectVersion(await listVersions(rows, toolId), version);
    if (tool.revokedAt !== null) {
      throw new DomainError(
        'conflict',
        'tool_revoked',
        'This version was revoked for good. Sign and register a new version.',
      );
    }
    if (digest !== tool.sha256Hash) {
      const message = `The content's SHA-256 is ${digest}, but the manifest of version ${tool.version} names another. Upload the content that was signed.`;
      throw new DomainError('invalid', 'hash_mismatch', message);
    }
    await rows.tools.putContent(digest, content);
    return selectVersion(await listVersions(rows, toolId), tool.version);
  });
}
