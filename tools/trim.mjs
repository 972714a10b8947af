// Runs after each installation: the npm package `node` brings 67 MB of headers for compiling against it, which nothing here does.
import { existsSync, readdirSync, rmSync } from 'node:fs';

const platforms = new URL('../node_modules/node/node_modules/', import.meta.url);
for (const name of existsSync(platforms) ? readdirSync(platforms) : [])
  rmSync(new URL(`${name}/include`, platforms), { recursive: true, force: true });
