import { defineConfig } from 'vite';
import { serveAnswerShapes } from '../../tools/answer-shapes.ts';

// The consent page loads this bundle at #/my-data, so it has no index.html, and its entry keeps its name. What else
// the page's policy demands of a build is explained in ../consent/vite.config.ts.
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [serveAnswerShapes(({ page }) => page === true)],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      checks: { pluginTimings: false },
      input: 'src/main.ts',
      output: { entryFileNames: 'main.js' },
    },
  },
});
