// The table of agent programs, in the order in which the worker prefers them.
import { claude } from './claude.ts';
import { codex } from './codex.ts';
import { gemini } from './gemini.ts';
import { opencode } from './opencode.ts';
import { pi } from './pi.ts';
import type { ProgramKind } from './program.ts';

export const programKinds: readonly ProgramKind[] = [opencode, codex, claude, gemini, pi];
