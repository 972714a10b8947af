import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { isLong } from '../harness/long.ts';
import { listDevelopmentRecords } from './development-records.ts';
import { normalize, readUnits } from './facts/text-units.ts';
import { importRecord, type ImportedRecord } from './imported-records.ts';
import { QUESTIONS } from './questions.ts';
import { skip } from './sample-data.ts';

/** Small records, whose import takes no second. */
const FEW = /^(probes|archives\/06|ccda\/cerner|uscore\/us)/;

describe('questions of patients and of those who care for them', { skip }, () => {
  const asked = QUESTIONS.filter(({ record }) => isLong || FEW.test(record));
  for (const [name, questions] of Map.groupBy(asked, ({ record }) => record))
    describe(name, () => {
      let record: ImportedRecord;
      before(async () => {
        const found = listDevelopmentRecords().find((each) => each.name.endsWith(name));
        assert.ok(found, name);
        record = await importRecord(found);
      });

      for (const { question, calls, answer } of questions)
        it(`answers: ${question}`, async () => {
          const texts: string[] = [];
          for (const [tool, input] of calls) texts.push(await record.callTool(tool, input));
          const units = texts.flatMap((text) => readUnits({ tool: '', input: {}, text }));
          const isAnswered = units.some(({ whole }) =>
            answer.every((words) => whole.includes(` ${normalize(words)} `)),
          );
          assert.ok(isAnswered, `${answer.join(' | ')} is not in one row of:\n${texts.join('\n')}`);
        });
    });
});
