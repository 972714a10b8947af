import assert from 'node:assert/strict';
import { it } from 'node:test';
import { formatSourceName } from './source-name.ts';

it('what is invisible in the name of a file or turns what follows it is shown, not obeyed', () => {
  const source = { documentId: null, organization: null, path: 'rec.zip/a\u202efdp.exe' };
  assert.equal(formatSourceName(source), 'a\\u{202E}fdp.exe');
  assert.equal(formatSourceName({ ...source, organization: 'Elm Clinic' }), 'Elm Clinic');
});
