import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { readConfig, type Config } from '../../server/config.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { openConfiguredDb } from '../../server/run.ts';
import { mountSmallDisk, type SmallDisk } from '../harness/small-disk.ts';
import { copyEmbeddedTemplate, keepEngineCompiled } from '../harness/store.ts';
import { waitUntil } from '../harness/wait-until.ts';

const RESERVE_BYTES = 32 * 1024 * 1024;

const probe = mountSmallDisk(1);
probe?.remove();

describe(
  'the start of an embedded store on a full disk',
  { skip: probe === null && 'this user may not mount a file system' },
  () => {
    let disk: SmallDisk;
    before(async () => {
      await keepEngineCompiled();
    });
    beforeEach(() => {
      disk?.remove();
      disk = mountSmallDisk(400) as SmallDisk;
      copyEmbeddedTemplate(path.join(disk.folder, 'data'));
    });
    after(() => disk.remove());

    const configure = (reserveBytes: number): Config =>
      readConfig({
        CHARTGATE_DATA_DIR: path.join(disk.folder, 'data'),
        CHARTGATE_RESERVE_BYTES: String(reserveBytes),
      });
    const readReserve = (): number =>
      fs.statSync(path.join(disk.folder, 'data/store-reserve'), { throwIfNoEntry: false })?.size ?? 0;

    it('begins with what is left of the reserve, so that people can withdraw', async () => {
      const config = configure(RESERVE_BYTES);
      const db = await openConfiguredDb(config);
      await waitUntil('the reserve is whole', async () => {
        await db.measureCapacity();
        return readReserve() === RESERVE_BYTES;
      });
      await db.close();
      disk.fill();
      const again = await openConfiguredDb(config);
      assert.equal(await again.measureCapacity(), 'full');
      await again.query(sql`insert into organization (organization_id, name, created_at)
        values ('11111111-1111-4111-8111-111111111111', 'Clinic', now())`);
      assert.ok(readReserve() > 0, 'a start takes a part of it at most');
      await again.close();
    });

    it('names the folder and what to do where nothing is left', async () => {
      const config = configure(0);
      await (await openConfiguredDb(config)).close();
      disk.fill();
      await assert.rejects(
        openConfiguredDb(config),
        new RegExp(
          `CHARTGATE_DATA_DIR must have space: the disk of ${config.db.dataDirectory} has 0 MiB left, .* Make space on it`,
        ),
      );
    });
  },
);
