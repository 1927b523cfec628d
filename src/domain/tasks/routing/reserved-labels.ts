// Labels that the service keeps for itself: by them its own tasks reach workers that can run them. runs-8.
import { prdCapability } from '../../model/prd/prd-session.ts';
import { reservedLabelPrefix, stepCapability } from '../../model/run/step.ts';

/** The reserved labels that a worker may register. */
const registrable: readonly string[] = [stepCapability, prdCapability];

export const reservedLabelMessage = `may have no name that begins with ${reservedLabelPrefix} (those are the service's own)`;

export function isReservedLabel(label: string): boolean {
  return label.startsWith(reservedLabelPrefix);
}

/** Whether a worker may register this capability: any but the reserved ones that no worker knows. */
export function isRegistrable(capability: string): boolean {
  return !isReservedLabel(capability) || registrable.includes(capability);
}
