// The monitor UI: budgets, tests and benchmark (sections 12 and 13).
import type { Requirement } from '../requirement.ts';

export const uiQuality: Requirement[] = [];
