// The monitor UI: output, attempts, changes, review, follow-up (E4, E5, E6).
import type { Requirement } from '../requirement.ts';

export const uiOutput: Requirement[] = [];
