import { defineConfig } from 'vite';

// Built apart from ../consent, whose program is evidence of what people saw; its configuration says what the policy demands.
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: true,
  },
});
