// All operations of autonomous runs. runs-6.
import type { Operation } from '../../pipeline/operation.ts';
import { prdDocumentOperations } from './documents.ts';
import { runOutputOperations, type RunOutputDeps } from './run-outputs.ts';
import { runStoryOperations } from './run-stories.ts';
import { runOperations } from './runs.ts';

export function ralphOperations(deps: RunOutputDeps): Operation[] {
  return [
    ...runOperations(deps),
    ...runStoryOperations(deps),
    ...runOutputOperations(deps),
    ...prdDocumentOperations(),
  ];
}
