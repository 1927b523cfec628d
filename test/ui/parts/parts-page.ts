// Builds the page of the parts with Vite and serves it on the loopback address, under the policy of the pages.
import { createServer, type Server, type ServerResponse } from 'node:http';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { build } from 'vite';
import pages from '../../../ui/vite.config.ts';

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' blob:; connect-src 'self'; manifest-src 'self'; worker-src 'none'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'";
const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
};

export interface PartsPage extends AsyncDisposable {
  readonly url: string;
}

const sources = {
  hard: { root: path.join(import.meta.dirname, 'page'), html: 'index.html' },
  all: { root: path.join(import.meta.dirname, '../../../ui'), html: 'parts.html' },
} as const;

/** @param which `hard`: the output or the changes alone, fed by the test; `all`: every part in all its states */
export async function openPartsPage(which: keyof typeof sources = 'hard'): Promise<PartsPage> {
  const { root, html } = sources[which];
  const folder = await mkdtemp(path.join(tmpdir(), 'parts-page-'));
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    plugins: [react(), tailwindcss()],
    resolve: pages.resolve ?? {},
    build: {
      outDir: folder,
      emptyOutDir: true,
      assetsInlineLimit: 0,
      target: 'es2022',
      rolldownOptions: { input: path.join(root, html) },
    },
  });
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://parts');
    const file = pathname.startsWith('/assets/') ? pathname : `/${html}`;
    void answer(path.join(folder, file), response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: addressOf(server),
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
      await rm(folder, { recursive: true });
    },
  };
}

async function answer(file: string, response: ServerResponse): Promise<void> {
  const content = await readFile(file).catch(() => undefined);
  const type = types[path.extname(file)] ?? 'text/html';
  response.writeHead(content === undefined ? 404 : 200, { 'content-type': type, 'content-security-policy': policy });
  response.end(content);
}

function addressOf(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no address.');
  return `http://127.0.0.1:${String(address.port)}`;
}
