// The monitor UI: sign-in codes, cookie, page files, headers, build (E14, sections 7 and 11).
import type { Requirement } from '../requirement.ts';

export const uiSignIn: Requirement[] = [];
