// The monitor UI: lists, counts, waiting, bulk, why (E1, E7, E10).
import type { Requirement } from '../requirement.ts';

export const uiTaskLists: Requirement[] = [];
