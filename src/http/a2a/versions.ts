// Versions of the protocol: which one a call speaks, and that any other is refused. choices §6, a2a v1.0 §3.6.
import { A2A_ERROR_CODE } from '@a2a-js/sdk/errors';
import { RpcError } from '../rpc-envelope.ts';

export type WireVersion = '0.3' | '1.0';

/**
 * The version that a call names; undefined when it names none.
 * @param named value of `A2A-Version`, from a header or, on REST, a query parameter
 * @throws RpcError for any other version
 */
export function versionNamed(named: string | undefined): WireVersion | undefined {
  const version = named?.trim() ?? '';
  if (version === '') return undefined;
  if (/^0\.3(\.\d{1,9})?$/.test(version)) return '0.3';
  if (/^1\.0(\.\d{1,9})?$/.test(version)) return '1.0';
  const message = `This service speaks the versions 0.3 and 1.0 of the protocol, not ${version.slice(0, 20)}.`;
  throw new RpcError(A2A_ERROR_CODE.VERSION_NOT_SUPPORTED, message);
}
