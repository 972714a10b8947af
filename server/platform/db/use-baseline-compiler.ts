import { setFlagsFromString } from 'node:v8';

/**
 * Keeps V8 from compiling WebAssembly a second time, optimized. Over one function of the embedded engine (the one that evaluates
 * expressions, 105 kB) the optimizing compiler takes 604 MB for some seconds of each start: the service peaked at 860 MB instead
 * of 360. What the engine does then takes up to a tenth more time. It must come before the engine is compiled, and is of the
 * whole process.
 */
export function useBaselineCompiler(): void {
  setFlagsFromString('--no-wasm-dynamic-tiering');
  setFlagsFromString('--no-wasm-tier-up');
}
