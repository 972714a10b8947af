import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { DATA_FOLDER, readZipFiles, skip } from '../data/sample-data.ts';
import type { ParsedResource } from '../../server/clinical/store/found-resource.ts';
import { readAttachment } from '../../server/clinical/entries/attachment.ts';
import { toElement, toElements } from '../../server/clinical/entries/element.ts';
import type { Conversion } from '../../documents/converter.ts';
import { convertPlainText } from '../../documents/text/convert-plain-text.ts';

const convert = (bytes: Buffer, path = 'notes/Visit 1.txt'): Conversion =>
  convertPlainText({ bytes, path, documentId: 'd' });
const parseOnlyResource = ({ resources }: Conversion): ParsedResource =>
  JSON.parse(resources[0]!.text) as ParsedResource;

/** As a reader of the record sees it. */
const readBack = (conversion: Conversion): string | null | undefined =>
  readAttachment(toElement(toElements(parseOnlyResource(conversion)['content'])[0])?.['attachment'])?.text;

describe('a plain text', () => {
  it('becomes a note under the name of its file', () => {
    const resource = parseOnlyResource(convert(Buffer.from('# Plan\n- rest')));
    assert.equal(resource['description'], 'Visit 1.txt');
    assert.equal(resource.id, 'd');
  });

  it('is unchanged except for line ends and byte order mark', () => {
    assert.equal(
      readBack(convert(Buffer.from('\ufeff  # Plan\r\n\r\n\t* a  \rb\n'))),
      '  # Plan\n\n\t* a  \nb\n',
    );
  });

  it('is read in any encoding', () => {
    assert.equal(readBack(convert(Buffer.from('\ufeffMüller', 'utf16le'))), 'Müller');
    assert.equal(readBack(convert(Buffer.from('M\xfcller', 'latin1'))), 'Müller');
  });

  it('gives a notice where it is empty', () => {
    const conversion = convert(Buffer.from(' \r\n'));
    assert.equal(readBack(conversion), undefined);
    assert.deepEqual(
      conversion.notices.map(({ code }) => code),
      ['no_text'],
    );
  });

  it('is cut to the maximum length of a note, with a notice', () => {
    const conversion = convert(Buffer.from('é'.repeat(5 * 1024 * 1024)));
    assert.equal(readBack(conversion)?.length, 4 * 1024 * 1024);
    assert.deepEqual(
      conversion.notices.map(({ code }) => code),
      ['text_cut'],
    );
  });

  it('has the name of the file without its folders, whatever the separator', () => {
    for (const path of ['a/b/x.txt', 'a\\b\\x.txt', 'x.txt', 'a/x.txt/'])
      assert.equal(parseOnlyResource(convert(Buffer.from('x'), path))['description'], 'x.txt');
    assert.equal(parseOnlyResource(convert(Buffer.from('x'), ''))['description'], 'Document (text)');
  });
});

describe('published texts', { skip }, () => {
  it('come back word for word', async () => {
    for (const zip of [
      'docs/aci-bench-notes.zip',
      'docs/smart-sample-patients.zip',
      'archives/03-va-bluebutton.zip',
    ]) {
      for (const { path, bytes } of await readZipFiles(join(DATA_FOLDER, zip))) {
        if (!path.endsWith('.txt')) continue;
        assert.equal(
          readBack(convert(bytes, path)),
          bytes
            .toString()
            .replace(/^\ufeff/, '')
            .replaceAll('\r\n', '\n')
            .replaceAll('\r', '\n'),
          path,
        );
      }
    }
  });
});
