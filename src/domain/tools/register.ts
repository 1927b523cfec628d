// The verb register: stores a manifest that a trusted key signed and whose limits are acceptable, each version once.
import type { Caller } from '../model/access/caller.ts';
import { DomainError } from '../model/errors.ts';
import { findUnacceptableLimit } from '../model/tool-limits.ts';
import type { RegisteredTool, ToolManifest } from '../model/tool.ts';
import type { ToolDeps } from './deps.ts';
import { listVersions, selectVersion } from './select-version.ts';
import { findSigner } from './signature.ts';

/** Versions of all tools of one tenant: a bound on what it stores in the database. */
const maxVersions = 1_000;

/**
 * Registers a manifest; an identical manifest is answered with the stored one. core-4.8.
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
      'No trusted key has signed this manifest. Sign every field except signature, as canonical JSON (RFC 8785), with Ed25519.',
      { errors: [{ path: '/signature', message: 'is not a signature of a trusted key over these fields' }] },
    );
  }
  const refused = findUnacceptableLimit(manifest, accepted);
  if (refused === undefined) return signedBy;
  const { field, message } = refused;
  const errors = [{ path: `/${field}`, message }];
  throw new DomainError(
    'invalid',
    'limits_unacceptable',
    `The manifest's limits are not acceptable: ${field} ${message}.`,
    {
      errors,
    },
  );
}

/** The error when no key is trusted to sign tools. */
function noTrustedKeys(): DomainError {
  const message =
    'No key is trusted to sign tools here. An operator must set TOOL_TRUSTED_KEYS to name:base64 of an Ed25519 public key and restart the service; `switchyard tools keygen` generates one.';
  return new DomainError('unavailable', 'no_trusted_keys', message, { retryAfterSeconds: 300 });
}

/** choices-3: the same version with another hash is 409, and a revoked version cannot be registered again. */
function assertSameManifest(registered: RegisteredTool, given: ToolManifest): void {
  if (registered.revokedAt !== null) {
    throw new DomainError('conflict', 'tool_revoked', 'This version was revoked for good. Sign a new version.');
  }
  if (registered.sha256Hash === given.sha256Hash && registered.signature === given.signature) return;
  throw new DomainError(
    'conflict',
    'tool_version_taken',
    'This version is registered with another manifest and cannot change. Sign a new version.',
  );
}

function tooMany(): DomainError {
  const message = `This tenant has ${maxVersions} versions of tools, which is the maximum. Ask an operator.`;
  return new DomainError('conflict', 'too_many_tools', message);
}
