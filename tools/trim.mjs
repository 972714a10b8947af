// Runs after each installation, and removes from packages what nothing here uses.
import { existsSync, readdirSync, rmSync } from 'node:fs';

const listFiles = (folder) => (existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : []);

// `node`: 67 MB of headers for compiling against it.
const platforms = new URL('../node_modules/node/node_modules/', import.meta.url);
for (const entry of listFiles(platforms))
  if (entry.isDirectory())
    rmSync(new URL(`${entry.name}/include`, platforms), { recursive: true, force: true });

// `@orama/stemmers`: 4 MB of languages that no vocabulary is in.
const stemmers = new URL('../node_modules/@orama/stemmers/dist/', import.meta.url);
for (const { name } of listFiles(stemmers))
  if (!/^(?:de|en|es)\.(?:js|d\.ts)$/.test(name)) rmSync(new URL(name, stemmers));

// `@opentelemetry/*`: 8 MB of source maps, 5 MB of CommonJS, which only the API is asked for (by `prom-client`).
const telemetry = new URL('../node_modules/@opentelemetry/', import.meta.url);
if (existsSync(telemetry))
  for (const name of readdirSync(telemetry, { recursive: true }))
    if (name.endsWith('.map') || (/\.(?:d\.cts|cjs)$/.test(name) && !/^api\b/.test(name)))
      rmSync(new URL(name, telemetry));
