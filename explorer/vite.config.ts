import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { ownDocuments } from './build/documents.ts';
import { thirdPartyLicences } from './build/licences.ts';
import { precompress } from './build/precompress.ts';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

const dist = path('../internal/web/dist');
const licences = thirdPartyLicences('THIRD_PARTY_LICENSES.txt');

export default defineConfig({
  // Relative, so that mneme also works behind a proxy that serves it under a path.
  base: './',
  resolve: {
    alias: {
      'monaco-editor/esm/vs/editor/edcore.main.js': path('src/playground/monaco.ts'),
      'prettier/plugins/estree': path('src/playground/jsonc-format.ts'),
      'prettier/parser-babel': path('src/playground/jsonc-format.ts'),
    },
  },
  plugins: [licences.forPages, precompress(dist), ownDocuments(path('src'), path('../internal/web/documents.json'))],
  worker: { format: 'es', plugins: () => [licences.forWorkers] },
  build: {
    outDir: dist,
    emptyOutDir: true,
    // Fonts and pictures stay files: the content security policy then needs no data: for them.
    assetsInlineLimit: 0,
    // A browser that does not know modulepreload loads all the same, only later.
    modulePreload: { polyfill: false },
    // Every file is served from the same process; what matters is the total.
    chunkSizeWarningLimit: 3000,
    rolldownOptions: {
      input: [path('index.html'), path('playground.html')],
      // "use client" marks components for server rendering, which there is none of here.
      checks: { moduleLevelDirective: false },
    },
  },
  server: { proxy: { '/graphql': process.env.MNEME_URL ?? 'http://127.0.0.1:8080' } },
});
