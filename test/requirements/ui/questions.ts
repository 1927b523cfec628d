// The monitor UI: questions, options, last words of a task (E2, E3).
import type { Requirement } from '../requirement.ts';

export const uiQuestions: Requirement[] = [];
