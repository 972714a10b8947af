import { defineConfig } from 'vite';
import { takesMember } from '../../contract/endpoint.ts';
import { serveAnswerShapes } from '../../tools/answer-shapes.ts';

// What the page's policy demands of a build is explained in ../consent/vite.config.ts. Files name each other relative to
// themselves, so that the app works below any base URL; the service rewrites index.html for the depth of its path.
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [serveAnswerShapes((endpoint) => endpoint.audience.includes('member') || takesMember(endpoint))],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // On a busy machine any plugin takes long.
      checks: { pluginTimings: false },
      // "use client" of libraries is for renderers on a server.
      onLog: (level, log, report) => void (log.code === 'MODULE_LEVEL_DIRECTIVE' || report(level, log)),
    },
  },
});
