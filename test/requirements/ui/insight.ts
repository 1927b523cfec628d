// The monitor UI: usage, history, deliveries, audit, health, permissions, drain (E8, E9, E11, E12, E13, E15).
import type { Requirement } from '../requirement.ts';

export const uiInsight: Requirement[] = [];
