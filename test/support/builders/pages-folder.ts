// A folder of built pages for tests of their serving: a page, assets with and without compressed copies.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

export interface PagesFolder extends AsyncDisposable {
  readonly path: string;
  readonly page: string;
  readonly script: string;
}

export async function makePagesFolder(): Promise<PagesFolder> {
  const folder = await mkdtemp(path.join(tmpdir(), 'switchyard-pages-'));
  const page =
    '<!doctype html><title>The pages</title><script type="module" src="/v1/monitor/assets/main-0a1b2c3d.js"></script>';
  const script = `document.body.append('The pages'); // ${'x'.repeat(2000)}`;
  const files: Record<string, string | Uint8Array> = {
    'index.html': page,
    'build.json': '{"build":"one"}\n',
    'inputs.sha256': 'f'.repeat(64),
    'assets/main-0a1b2c3d.js': script,
    'assets/main-0a1b2c3d.js.br': brotliCompressSync(script),
    'assets/main-0a1b2c3d.js.gz': gzipSync(script),
    'assets/plain-0a1b2c3d.js': script,
  };
  await mkdir(path.join(folder, 'assets'));
  for (const [name, content] of Object.entries(files)) await writeFile(path.join(folder, name), content);
  return { path: folder, page, script, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}
