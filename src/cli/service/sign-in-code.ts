// Asks the service for a one-time sign-in code.
import type { z } from 'zod';
import { createdSignInCode } from '../../contracts/auth.ts';
import type { CliServiceClient } from '../core/service-client.ts';

/** @throws CliError */
export function requestSignInCode(client: CliServiceClient): Promise<z.infer<typeof createdSignInCode>> {
  return client.read(client.api.POST('/v1/auth/sign-in-codes', { body: {} }), createdSignInCode);
}
