// The monitor UI: stream, threads, attention (E17, E18, E19).
import type { Requirement } from '../requirement.ts';

export const uiLive: Requirement[] = [];
