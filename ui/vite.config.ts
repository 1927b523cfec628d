// How the pages are built: into dist/ui, with hashed assets below /v1/monitor/assets.
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import path from 'node:path';
import { defineConfig } from 'vite';

const service = process.env['SWITCHYARD_URL'] ?? 'http://127.0.0.1:8000';

/** Libraries and small modules of ours that the first paint needs, whatever the page. */
const libraries =
  'react|react-dom|scheduler|use-sync-external-store|openapi-fetch|lucide-react/dist/esm(?!/icons)|@tanstack/(history|query-core|react-query|react-router|react-store|router-core|store)';
const modules = [
  'router',
  'store',
  'search',
  'api/(api|api-error|clock|query-client|use-now)',
  'display/display',
  'frame/(frame|not-found|page|place-groups|places|side-bar|top-bar)',
  'keys/actions',
  'live/(attention-count|connection|frames)',
  'parts/controls/(button|code-line|copy|dialog|menu)',
  'parts/marks/(duration|free-text|time)',
  'parts/states/(failure|notices)',
  'parts/task/opened-task-dialog',
  'session/(session|sign-in|tenant|use-me)',
  'text/clean',
  'words/(catalogue|en-common|en-frame|en-session)',
  'pages/inspector/calls/protocol-versions',
].join('|');
/** In place of modules that the policy of the pages forbids. */
const ownModules = {
  'decode-named-character-reference': path.resolve(import.meta.dirname, 'src/text/character-references.ts'),
};
/** What addresses hold; the field of a search is a component. */
const searches = 'pages/[a-z-]+/[a-z-]+-search\\.ts';
const base = new RegExp(`/node_modules/(${libraries})/|/ui/src/((${modules})\\.tsx?|${searches})$`);

export default defineConfig({
  root: import.meta.dirname,
  base: '/v1/monitor/',
  plugins: [react(), tailwindcss()],
  resolve: { alias: ownModules },
  build: {
    outDir: path.resolve(import.meta.dirname, '../dist/ui'),
    emptyOutDir: true,
    manifest: true,
    // The policy of the pages allows no data: addresses.
    assetsInlineLimit: 0,
    target: 'es2022',
    chunkSizeWarningLimit: 1_000,
    // What every page needs is one file: in forty small ones the same code is a tenth larger.
    rolldownOptions: {
      output: {
        codeSplitting: { groups: [{ name: 'base', test: isForEveryPage }] },
      },
    },
  },
  server: {
    proxy: {
      // Vite serves the pages, a running service the operations below the same root.
      '^/(v1|mcp|openapi|\\.well-known|a2a)': {
        target: service,
        bypass: ({ headers, url }) => pageAddress(headers.accept, url),
      },
    },
  },
});

function pageAddress(accept: string | undefined, url: string | undefined): string | undefined {
  // The page of all parts is an entry of its own, which the build does not know.
  const page = url?.startsWith('/v1/monitor/parts') === true ? 'parts.html' : 'index.html';
  if (accept?.includes('text/html') === true) return `/v1/monitor/${page}`;
  return url !== undefined && /^\/v1\/monitor\/(src|@|node_modules)/.test(url) ? url : undefined;
}

function isForEveryPage(id: string): boolean {
  return base.test(id) && !/infinite|queries|with-selector/i.test(id);
}
