// Makes one-time sign-in codes: a browser or a phone signs in with one in place of a pasted token. ui-6.14.
import type { Caller } from '../../model/access/caller.ts';
import type { AccessDeps } from '../deps.ts';
import {
  assertHomeTenant,
  findSignInIssuer,
  isFromIdentityProvider,
  markConfiguredToken,
  upsertProvidedUser,
} from '../identity/credential-issuer.ts';
import { hashSecret, makeSecret } from '../identity/secrets.ts';

/** How long a code can be used, unless the credential that makes it ends before. */
const codeSeconds = 120;

/**
 * Makes a code for one session with the caller's permissions. The session ends no later than the caller's credential.
 * @throws DomainError forbidden (`not_at_home`)
 */
export async function makeSignInCode(deps: AccessDeps, caller: Caller): Promise<{ code: string; expiresAt: string }> {
  assertHomeTenant(caller);
  const code = makeSecret('cc_', deps.randomBytes);
  const { expiresAt } = await deps.store.within(caller, async (rows) => {
    await upsertProvidedUser(rows, caller);
    const issuer = await findSignInIssuer(rows, caller);
    return rows.signInCodes.create({
      codeId: deps.makeId(),
      userId: caller.subject,
      hash: hashSecret(code),
      roles: caller.roles,
      scopes: caller.scopes ?? null,
      seconds: codeSeconds,
      issuer,
      tokenMark: markConfiguredToken(deps.principals, caller, issuer, code),
    });
  });
  if (isFromIdentityProvider(caller)) deps.stored.forget();
  return { code, expiresAt };
}
