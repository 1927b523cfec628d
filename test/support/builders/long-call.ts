// A call that nobody counts, for handlers that are asked without a service around them.
import type { LongCall } from '../../../src/http/pipeline/operation.ts';

export const uncounted: LongCall = { countAsStream: () => {}, awaitExternal: (work) => work() };
