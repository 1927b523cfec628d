// Sends that cannot be taken back wait after a restore: nobody knows what was sent between the backup and its loss.

/** Tasks that wait for the release ask for this label, which no worker registers and no caller may name. */
export const heldLabel = 'switchyard:held-by-restore';

/** In front of the id of such a task's route. */
export const heldRoutePrefix = 'held:';

/** The reason of deliveries, mails and conversions that a clone never sends. */
export const heldByRestore = 'held_by_restore';
