// The switch of autonomous runs and PRD chats: where it is off, nothing new starts. runs-6.1.
import { DomainError } from '../errors.ts';

/** @throws DomainError conflict (`ralph_disabled`) */
export function assertRunsEnabled({ enabled }: { readonly enabled: boolean }): void {
  if (enabled) return;
  throw new DomainError(
    'conflict',
    'ralph_disabled',
    'Autonomous runs are turned off on this service (RALPH_ENABLED=0).',
  );
}
