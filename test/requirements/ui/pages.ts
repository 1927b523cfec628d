// The monitor UI: screens, states, keys, look, words (sections 3 to 9).
import type { Requirement } from '../requirement.ts';

export const uiPages: Requirement[] = [];
