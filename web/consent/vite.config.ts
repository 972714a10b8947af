import { defineConfig } from 'vite';
import { serveAnswerShapes } from '../../tools/answer-shapes.ts';

// The page's policy allows our own files only: nothing inline, so no module preload polyfill and no data: assets.
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [serveAnswerShapes(({ page }) => page === true)],
  // JSX is compiled as ../tsconfig.json says; no plugin is needed for that.
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: true,
    // On a busy machine any plugin takes long.
    rolldownOptions: { checks: { pluginTimings: false } },
  },
});
