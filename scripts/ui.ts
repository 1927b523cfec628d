// Builds the pages into dist/ui: the files, their br and gz copies, build.json and the hash of what they were built from.
// `--if-stale`, for the start of the service: does nothing when the inputs are the same, and a failed build is one line and
// no failure, because the service starts without its pages. The folder is replaced as a whole. ui-11.
import { createHash } from 'node:crypto';
import { glob, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const root = path.resolve(import.meta.dirname, '..');
const built = path.join(root, 'dist', 'ui');
const hashFile = 'inputs.sha256';
const inputs = ['ui/**/*', 'src/client/**/*.ts', 'src/contracts/**/*.ts', 'scripts/ui.ts', 'package-lock.json'];
/** Other files are compressed already, or read once: fonts, images, build.json. */
const compressible = '**/*.{js,css,html,svg,webmanifest}';

async function buildPages(ifStale: boolean): Promise<void> {
  const hash = await hashInputs();
  if (ifStale && (await readFile(path.join(built, hashFile), 'utf8').catch(() => '')) === hash) return;
  const began = performance.now();
  const half = path.join(root, 'dist', `.ui-${process.pid}`);
  try {
    const build = hash.slice(0, 16);
    await bundle(half, build, ifStale ? 'silent' : 'warn');
    await compress(half);
    await writeFile(path.join(half, 'build.json'), `${JSON.stringify({ build })}\n`);
    await writeFile(path.join(half, hashFile), hash);
    await replaceFolder(half);
  } finally {
    await rm(half, { recursive: true, force: true });
  }
  process.stderr.write(`The pages are built (${((performance.now() - began) / 1000).toFixed(1)} s).\n`);
}

/** Hash of every file that the build reads, by name and content. */
async function hashInputs(): Promise<string> {
  const files: string[] = [];
  for await (const entry of glob(inputs, { cwd: root, withFileTypes: true })) {
    if (entry.isFile()) files.push(path.relative(root, path.join(entry.parentPath, entry.name)));
  }
  const hash = createHash('sha256');
  const names = [...new Set(files)].toSorted();
  const contents = await Promise.all(names.map((name) => readFile(path.join(root, name))));
  contents.forEach((content, i) => hash.update(`${names[i]}\0${content.length}\0`).update(content));
  return hash.digest('hex');
}

async function bundle(outDir: string, build: string, logLevel: 'silent' | 'warn'): Promise<void> {
  // Loaded here: a start with fresh pages needs no bundler, and an installation without it starts too.
  const vite = await import('vite');
  await vite.build({
    configFile: path.join(root, 'ui', 'vite.config.ts'),
    logLevel,
    mode: 'production',
    define: { 'import.meta.env.VITE_BUILD': JSON.stringify(build) },
    build: { outDir, emptyOutDir: true },
  });
}

async function compress(folder: string): Promise<void> {
  const { BROTLI_PARAM_QUALITY: quality, BROTLI_MAX_QUALITY: highest } = constants;
  for await (const name of glob(compressible, { cwd: folder })) {
    const file = path.join(folder, name);
    const content = await readFile(file);
    const [br, gz] = await Promise.all([
      promisify(brotliCompress)(content, { params: { [quality]: highest } }),
      promisify(gzip)(content, { level: 9 }),
    ]);
    await Promise.all([writeFile(`${file}.br`, br), writeFile(`${file}.gz`, gz)]);
  }
}

/** A running service sees the old files or the new ones. Of two builds at a time the later one stays. */
async function replaceFolder(folder: string): Promise<void> {
  const old = path.join(root, 'dist', `.ui-old-${process.pid}`);
  await mkdir(path.dirname(built), { recursive: true });
  await rename(built, old).catch(() => undefined);
  await rename(folder, built);
  await rm(old, { recursive: true, force: true });
}

const ifStale = process.argv.includes('--if-stale');
try {
  await buildPages(ifStale);
} catch (error) {
  const text = stripVTControlCharacters(error instanceof Error ? error.message : String(error));
  if (ifStale) {
    const line = text.replaceAll(/\s+/g, ' ').slice(0, 200);
    process.stderr.write(`The service starts without its pages (npm run build:ui builds them): ${line}\n`);
  } else {
    process.stderr.write(`${text}\n`);
    process.exitCode = 1;
  }
}
