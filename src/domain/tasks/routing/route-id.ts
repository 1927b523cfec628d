// The id of a route: a hash of what its tasks need of a worker.
import { routeKey } from '../../model/task/route.ts';
import type { RouteNeeds } from '../../model/task/task.ts';
import { sha256 } from '../../../lib/digest.ts';
import { memoize } from '../../../lib/memoize.ts';

/** Memoized: most tasks have the routing needs of an earlier one. */
const hashOf = memoize(1_000, (key) => sha256(key, 'base64url').slice(0, 22));

export function routeIdOf(needs: RouteNeeds): string {
  return hashOf(routeKey(needs));
}
