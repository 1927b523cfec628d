// Where the params of a call have what a verb refuses: verbs name the fields of a task, which stand elsewhere here.
import type { DomainError } from '../../../domain/model/errors.ts';
import { invalidInput } from '../../pipeline/schema.ts';
import type { CallContext } from './call-context.ts';

const push = '/pushNotificationConfig';

/** The refusal with its fields as the caller wrote them. */
export function withRequestPaths(call: CallContext, refusal: DomainError): DomainError {
  const { code, errors = [] } = refusal;
  if (code !== 'invalid_request' || errors.every(({ path }) => isRequestPath(path))) return refusal;
  return invalidInput(
    errors.map(({ path, message }) => ({ path: isRequestPath(path) ? path : toRequestPath(call, path), message })),
  );
}

/** Of the door itself: it names what came. */
function isRequestPath(path: string): boolean {
  return path.startsWith('/params') || path.startsWith('/headers');
}

function toRequestPath({ pushConfigPath: pushAt }: CallContext, path: string): string {
  if (path.startsWith(push)) return `${pushAt}${path.slice(push.length)}`;
  return path === '/metadata' ? '/params/metadata' : `/params/message/metadata${path}`;
}
