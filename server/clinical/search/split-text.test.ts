import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { splitSections, splitText } from './split-text.ts';

describe('splitting a note', () => {
  it('keeps each heading with its text', () => {
    assert.deepEqual(
      splitSections(
        '\n2025-01-01\n\n# Chief Complaint\n- cough\n\n# Plan\n\n## Medications\nnone\nFAMILY HISTORY:\nAsthma.\n',
      ),
      [
        '2025-01-01',
        '# Chief Complaint\n- cough',
        '# Plan\n\n## Medications\nnone',
        'FAMILY HISTORY:\nAsthma.',
      ],
    );
  });

  it('breaks long sections at paragraphs, and repeats the heading', () => {
    const paragraph = 'All is well today. '.repeat(40).trim();
    const parts = splitSections(`# Plan\n${paragraph}\n\n${paragraph}\n\n${paragraph}`);
    assert.equal(parts.length, 3);
    for (const part of parts) assert.ok(part.startsWith('# Plan\nAll is well') && part.length < 1750);
  });

  it('breaks what has no paragraphs at a sentence, a word, or in the middle', () => {
    for (const unit of ['Slept well. ', 'word ', 'x', '😀']) {
      const text = unit.repeat(3000).trim();
      const parts = splitText(text);
      for (const part of parts) assert.ok(part.length <= 1500 && part.isWellFormed());
      assert.equal(parts.join('').replaceAll(' ', ''), text.replaceAll(' ', ''));
    }
  });

  it('reads each line once, where none ends the section', () => {
    const { user } = process.threadCpuUsage();
    assert.deepEqual(splitSections(`${'\n'.repeat(100_000)}asthma`), ['asthma']);
    // It took 15 s when each line asked for all lines before it.
    assert.ok(process.threadCpuUsage().user - user < 2e6);
  });

  it('returns no parts for an empty text', () => {
    assert.deepEqual(splitSections(' \n\t\n'), []);
  });
});
