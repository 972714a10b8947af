import { after, describe, it } from 'node:test';
import { startTestService } from '../harness/service.ts';
import { allergy, condition, inForce, lab, LIFE, openProbe, openSources, snomed, visit } from './probe.ts';

const service = await startTestService({ environment: { CHARTGATE_MCP_RATE_LIMIT: '100000' } });

const appendicitis = { coding: [snomed('74400008', 'Appendicitis')], text: 'Appendicitis' };

describe('what answers count', () => {
  after(() => service.stop());

  it('counts what took place, and names what did not', async () => {
    const procedure = (id: string, status: string): Parameters<typeof openProbe>[1] => ({
      resourceType: 'Procedure',
      id,
      status,
      code: { text: `Operation ${id}` },
      performedDateTime: '2024-01-01',
    });
    const vaccine = (id: string, status: string): Parameters<typeof openProbe>[1] => ({
      resourceType: 'Immunization',
      id,
      status,
      vaccineCode: { text: 'MMR' },
      occurrenceDateTime: '2024-01-01',
    });
    const ask = await openProbe(
      service,
      vaccine('v1', 'not-done'),
      procedure('p1', 'not-done'),
      procedure('p2', 'preparation'),
      procedure('p3', 'completed'),
      visit('e1', '2024-01-01', { status: 'cancelled' }),
      lab('l1', 'Glucose', { valueString: '5' }),
      lab('l2', 'Glucose', { status: 'cancelled' }),
    );
    const summary = await ask('get_health_summary');
    summary.matches(/- no immunization given, 1 not given, 2024-01-01/);
    summary.matches(/- 1 procedure performed, 1 not done, 1 under way, planned or stopped, 2024-01-01/);
    summary.matches(/- no visit, 1 cancelled, 2024-01-01/);
    summary.matches(/- 1 laboratory result, 1 cancelled, 2024-02-02/);
  });

  it('counts conditions and allergies in the summary as in their own tools', async () => {
    const dated = (day: string, note?: string) => ({
      ...inForce,
      onsetDateTime: day,
      ...(note !== undefined && { note: [{ text: note }] }),
    });
    const ask = await openProbe(
      service,
      condition('a', appendicitis, dated('2014-09-08')),
      condition('b', appendicitis, dated('2014-09-08', 'Ruptured')),
      condition('c', appendicitis, dated('2014-09-08', 'Operated')),
      condition('d', 'Gout', dated('2020-01-01')),
      allergy('x', 'Latex'),
      allergy('y', 'Latex', { note: [{ text: 'Gloves' }] }),
    );
    const summary = await ask('get_health_summary');
    summary.matches(/^Active \(2 conditions, 4 records\):$/m);
    summary.matches(/\| Appendicitis \| 2014-09-08 \(3 records\)† \|/);
    (await ask('get_conditions', LIFE)).matches(/^## Active \(2 conditions, 4 records\)$/m);
    (await ask('get_allergies', LIFE)).matches(/^## In force \(1 allergy, 2 records\)$/m);
  });

  it('names all sources of a row of the summary, those of its other records too', async () => {
    const dated = { ...inForce, onsetDateTime: '2014-09-08' };
    const code = appendicitis;
    const ask = await openSources(service, {
      // Each document says it twice; what both say is one fact, and the last record of the first one has no match.
      'a.json': [condition('a1', code, dated), condition('a2', code, dated)],
      'b.json': [condition('b1', code, dated)],
      'c.json': [condition('c1', code, { ...inForce, onsetDateTime: '2001-01-01' })],
    });
    const summary = await ask('get_health_summary');
    summary.matches(/Appendicitis \| 2001-01-01 \(3 records, last 2014-09-08\)/);
    summary.matches(/^Source: a\.json \+ b\.json \+ c\.json$/m);
  });
});
