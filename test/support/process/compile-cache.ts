// Compiled modules that programs started by tests share: a start takes half of its processor time.
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Node reads it at its start; modules are looked up by their content, so the folder may outlive a test run. */
export const compileCache = {
  NODE_COMPILE_CACHE: path.join(tmpdir(), `switchyard-tests-compiled-${process.getuid?.() ?? 0}`),
};

mkdirSync(compileCache.NODE_COMPILE_CACHE, { recursive: true, mode: 0o700 });
