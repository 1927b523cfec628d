// The verb register a manifest: signed by a trusted key, within what an operator accepts, each version once.
import type { Caller } from '../model/access/caller.ts';
import { DomainError } from '../model/errors.ts';
import { findUnacceptableLimit } from '../model/tool-limits.ts';
import type { RegisteredTool, ToolManifest } from '../model/tool.ts';
import type { ToolDeps } from './deps.ts';
import { listVersions, selectVersion } from './select-version.ts';
import { findSigner } from './signature.ts';

/** Versions that one tenant may hold: an end to what it can fill the database with. */
const maxVersions = 1_000;

/**
 * Registers a manifest; the same manifest once more is answered with what is there. core-4.8.
 * @throws DomainError unavailable no_trusted_keys; invalid signature_invalid, limits_unacceptable; conflict
 * tool_version_taken, tool_revoked, too_many_tools
 */
export async function registerTool(
  deps: Pick<ToolDeps, 'store' | 'trustedKeys' | 'accepted'>,
  caller: Caller,
  manifest: ToolManifest,
): Promise<RegisteredTool> {
  const signedBy = acceptedSigner(deps, manifest);
  return deps.store.within(caller, async (rows) => {
    if ((await rows.tools.count()) >= maxVersions) throw tooMany();
    const isNew = await rows.tools.add(manifest, { signedBy, registeredBy: caller.subject });
    const registered = selectVersion(await listVersions(rows, manifest.toolId), manifest.version);
    if (!isNew) assertSameManifest(registered, manifest);
    return registered;
  });
}

function acceptedSigner(
  { trustedKeys, accepted }: Pick<ToolDeps, 'trustedKeys' | 'accepted'>,
  manifest: ToolManifest,
): string {
  if (trustedKeys.length === 0) throw noTrustedKeys();
  const signedBy = findSigner(manifest, trustedKeys);
  if (signedBy === undefined) {
    throw new DomainError(
      'invalid',
      'signature_invalid',
      'No trusted key has signed this manifest as it stands: every field but signature, in canonical JSON (RFC 8785), by Ed25519.',
      { errors: [{ path: '/signature', message: 'is not that of a trusted key over these fields' }] },
    );
  }
  const refused = findUnacceptableLimit(manifest, accepted);
  if (refused === undefined) return signedBy;
  const { field, message } = refused;
  const errors = [{ path: `/${field}`, message }];
  throw new DomainError('invalid', 'limits_unacceptable', `The limits are not acceptable: ${field} ${message}.`, {
    errors,
  });
}

/** What a caller is told where nobody may sign. */
function noTrustedKeys(): DomainError {
  const message =
    'No key is trusted to sign tools here. An operator sets TOOL_TRUSTED_KEYS to name:base64 of an Ed25519 public key and restarts the service; `switchyard tools keygen` makes one.';
  return new DomainError('unavailable', 'no_trusted_keys', message, { retryAfterSeconds: 300 });
}

/** choices-3: the same version with another hash is 409, and a revoked version never comes back. */
function assertSameManifest(registered: RegisteredTool, given: ToolManifest): void {
  if (registered.revokedAt !== null) {
    throw new DomainError(
      'conflict',
      'tool_revoked',
      'This version was revoked and never comes back. Sign a new version.',
    );
  }
  if (registered.sha256Hash === given.sha256Hash && registered.signature === given.signature) return;
  throw new DomainError(
    'conflict',
    'tool_version_taken',
    'This version is registered with another manifest, and versions do not change. Sign a new version.',
  );
}

function tooMany(): DomainError {
  const message = `This tenant has ${maxVersions} versions of tools, and there may be no more.`;
  return new DomainError('conflict', 'too_many_tools', message);
}
