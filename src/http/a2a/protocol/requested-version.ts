// The version of the protocol that a request names. Unsupported versions are rejected. choices-6, a2a v1.0 §3.6.
import { A2A_ERROR_CODE } from '@a2a-js/sdk/errors';
import type { RequestView } from '../../pipeline/operation.ts';
import { RpcError } from '../../wire/rpc-envelope.ts';
import { errorToRpc } from './wire-errors.ts';
import type { WireVersion } from './versions.ts';

/**
 * The version in the header `A2A-Version`, or in the query parameter of that name; undefined without either.
 * a2a v1.0 §3.6.1.
 * @throws RpcError for an unsupported version
 */
export function findRequestedVersion(view: RequestView): WireVersion | undefined {
  const version = (view.header('a2a-version') ?? view.query('A2A-Version') ?? '').trim();
  if (version === '') return undefined;
  if (/^0\.3(\.\d{1,9})?$/.test(version)) return '0.3';
  if (/^1\.0(\.\d{1,9})?$/.test(version)) return '1.0';
  const message = `This service supports versions 0.3 and 1.0 of the protocol, not ${version.slice(0, 20)}.`;
  // v0.3 has no such error, so it is written in the form of v1.0.
  const { code, data } = errorToRpc('1.0', { code: A2A_ERROR_CODE.VERSION_NOT_SUPPORTED, message });
  throw new RpcError(code, message, data);
}
