// Removes secrets from what the kernel shows of this process: /proc/<pid>/environ holds the environment that a program was
// started with for as long as it runs, and every program of the same user may read it.
import { closeSync, openSync, readFileSync, readSync, writeSync } from 'node:fs';
import { secretVariables } from '../../lib/system/secret-variables.ts';

/**
 * Moves every secret variable to fresh memory by assigning it again, and overwrites the original. The environment stays
 * the same for this process and its children. Does nothing without /proc, or if the kernel denies it;
 * `findExposedSecrets` reports what remains visible.
 * @param env the process's own
 */
export function hideSecrets(env: NodeJS.ProcessEnv, names = secretVariables): void {
  const present = names.filter((name) => env[name] !== undefined && env[name] !== '');
  if (present.length === 0 || process.platform !== 'linux') return;
  for (const name of present) env[name] = String(env[name]);
  try {
    blankInMemory(present);
  } catch {
    // There is no /proc, or it is closed to us: `worker doctor` reports the exposed secrets.
  }
}

function blankInMemory(names: readonly string[]): void {
  const stat = readFileSync('/proc/self/stat', 'latin1');
  // Fields 50 and 51 of proc(5), where that memory begins and ends; the name in brackets may hold blanks.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [start, end] = [Number(fields[47]), Number(fields[48])];
  const memory = openSync('/proc/self/mem', 'r+');
  try {
    const contents = Buffer.alloc(end - start);
    readSync(memory, contents, 0, contents.length, start);
    let offset = start;
    for (const entry of contents.toString('latin1').split('\0')) {
      const name = names.find((secret) => entry.startsWith(`${secret}=`));
      if (name !== undefined) {
        const value = Buffer.alloc(entry.length - name.length - 1);
        writeSync(memory, value, 0, value.length, offset + name.length + 1);
      }
      offset += entry.length + 1;
    }
  } finally {
    closeSync(memory);
  }
}
