import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AccessLogEntry as LogEntry } from '../../../../contract/account/access-log.ts';
import { en } from '../words/en.ts';
import { es } from '../words/es.ts';
import type { ProjectId } from '../../../../contract/brands.ts';
import type { Decision } from './decisions.ts';
import { getActorName, renderLine } from './sentence.ts';

const entry = (more: Partial<LogEntry>): LogEntry => ({
  id: '1',
  at: '2026-11-17T10:02:00Z',
  action: 'mcp.tools_call',
  outcome: 'success',
  actor: { kind: 'patient', id: 'p' },
  client: { id: 'c', name: 'Claude', appId: null },
  organization: { id: 'o', name: 'Lakeside Clinic' },
  project: { id: 's', name: 'Study' },
  consentRecordId: 'r',
  tool: null,
  categories: [],
  notShared: [],
  types: [],
  entries: null,
  whole: false,
  counted: false,
  from: null,
  until: null,
  reason: null,
  ...more,
});

const toDecision = (kind: Decision['kind'], consentType: Decision['consentType']): Decision => ({
  kind,
  consentType,
  consentStatus: 'OPTED_IN',
  until: '2027-01-01T00:00:00Z',
  organization: { name: 'Lakeside Clinic' },
  project: { id: 's' as ProjectId, name: 'Study', titles: { en: null, es: null } },
});
const decisions = new Map([
  ['first', toDecision('given', 'DATA_AUTHORIZATION')],
  ['second', toDecision('changed', 'PATIENT_DIRECTED_DATA_EXCHANGE')],
  ['third', toDecision('refused', 'FUTURE_DATA_USE')],
]);
const english = (more: Partial<LogEntry>): string =>
  renderLine(entry(more), { words: en, language: 'en', decisions }).text;
const spanish = (more: Partial<LogEntry>): string =>
  renderLine(entry(more), { words: es, language: 'es', decisions }).text;

const LABS = {
  tool: 'get_labs',
  categories: ['LABS'],
  entries: 14,
  from: '2023-11-21',
  until: '2026-10-30',
} as const;
const asEntry = (more: object): Partial<LogEntry> => more;

describe('an entry of the access log', () => {
  it('states who read how many of what, from which years', () => {
    assert.equal(english(asEntry(LABS)), 'Claude read 14 lab results from 2023 to 2026');
    assert.equal(spanish(asEntry(LABS)), 'Claude leyó 14 resultados de laboratorio de 2023 a 2026');
  });

  it('distinguishes one from many, and one year from several', () => {
    const one = asEntry({ ...LABS, entries: 1, from: '2026-01-02' });
    assert.equal(english(one), 'Claude read 1 lab result from 2026');
    assert.equal(spanish(one), 'Claude leyó 1 resultado de laboratorio de 2026');
    assert.equal(
      english(asEntry({ ...LABS, entries: 12345 })),
      'Claude read 12,345 lab results from 2023 to 2026',
    );
  });

  it('states what was looked for when nothing was read, and not that there is none: a question may be narrow', () => {
    const none = asEntry({ tool: 'get_labs', entries: 0 });
    assert.equal(english(none), 'Claude looked for lab results and read none');
    assert.equal(spanish(none), 'Claude buscó resultados de laboratorio y no leyó nada');
  });

  it('states what was looked for and is not shared: nobody knows whether there is any', () => {
    for (const tool of ['get_labs', 'get_other_records']) {
      const none = asEntry({ tool, entries: 0, notShared: ['LABS'] });
      assert.equal(english(none), 'Claude looked for lab results, which it does not get');
      assert.equal(spanish(none), 'Claude buscó resultados de laboratorio, que no recibe');
    }
    const notes = { tool: 'search_clinical_notes', entries: 0, notShared: ['CLINICAL_NOTES'] as const };
    assert.equal(english(asEntry(notes)), 'Claude looked for your care team’s notes, which it does not get');
  });

  it('has texts of their own for searches, the summary and the state of the record', () => {
    const render = (tool: string, entries: number): string => english({ tool, entries });
    assert.equal(render('search', 6), 'Claude searched your record, 6 results');
    assert.equal(render('search', 0), 'Claude searched your record, no results');
    assert.equal(render('search_clinical_notes', 1), 'Claude searched your care team’s notes, 1 result');
    assert.equal(render('get_health_summary', 44), 'Claude read a summary of your record, 44 entries');
    assert.equal(
      render('update_and_check_recent_records', 0),
      'Claude checked whether your record is up to date',
    );
  });

  it('names each kind when there are several', () => {
    const read = { tool: 'fetch', entries: 30, categories: ['LABS', 'VISITS'] as const };
    assert.equal(english(asEntry(read)), 'Claude read 30 entries: lab results and visits');
    assert.equal(spanish(asEntry(read)), 'Claude leyó 30 entradas: resultados de laboratorio y consultas');
  });

  it('states how much of the record a partner read: all that it may see, or a number of entries', () => {
    const partner = { actor: { kind: 'admin', id: 'key' }, client: null, action: 'fhir.everything' } as const;
    const all = { ...partner, entries: 2345, whole: true };
    assert.equal(english(all), 'Lakeside Clinic read all that it may see of your record, 2,345 entries');
    assert.equal(spanish(all), 'Lakeside Clinic leyó todo lo que puede ver de su historial, 2,345 entradas');
    assert.equal(english({ ...partner, entries: 100 }), 'Lakeside Clinic read 100 entries of your record');
    assert.equal(english(partner), 'Lakeside Clinic read your record');
    assert.equal(
      english({ ...partner, outcome: 'refused' }),
      'Lakeside Clinic tried to read your record and was not let in',
    );
  });

  it('states what a partner got at most where the answer ended early, and why', () => {
    const ended = {
      actor: { kind: 'admin', id: 'key' },
      client: null,
      action: 'fhir.everything_ended',
      outcome: 'failed',
      entries: 1500,
    } as const;
    assert.equal(
      english({ ...ended, reason: 'access_revoked' }),
      'Lakeside Clinic was stopped while it read your record, since it may no longer: it got at most 1,500 entries',
    );
    assert.equal(
      spanish({ ...ended, reason: 'reader_left' }),
      'Lakeside Clinic dejó de leer su historial antes de terminar: recibió como mucho 1,500 entradas',
    );
    assert.equal(
      english({ ...ended, outcome: 'success', reason: 'consent_narrowed', entries: 0 }),
      'Lakeside Clinic got less of your record, since you shared less meanwhile: at most 0 entries',
    );
    assert.match(english({ ...ended, reason: 'constructor' }), /^Something went wrong/);
  });

  it('names FHIR types in words, each kind once', () => {
    const read = (types: string[], entries: number): Partial<LogEntry> => ({
      action: 'fhir.everything',
      types,
      entries,
    });
    const medicines = ['MedicationRequest', 'MedicationStatement'];
    assert.equal(english(read(medicines, 12)), 'Claude read 12 medicines');
    assert.equal(
      english(read([...medicines, 'Observation'], 40)),
      'Claude read 40 entries: medicines and results',
    );
    assert.equal(english(read(['Condition'], 0)), 'Claude looked for health problems and read none');
    assert.equal(english({ ...read(['Observation'], 1), action: 'fhir.read' }), 'Claude read 1 result');
    assert.equal(spanish({ ...read(['Goal'], 1), action: 'fhir.read' }), 'Claude leyó 1 plan de cuidado');
    assert.equal(english(read(['Flag'], 3)), 'Claude read 3 other entries');
  });

  it('states what an organization did besides reading', () => {
    const render = (action: string): string =>
      english({ action, actor: { kind: 'admin', id: 'key' }, client: null });
    assert.equal(render('patient.enrolled'), 'Lakeside Clinic added you to a project');
    assert.equal(render('source.sync_requested'), 'Lakeside Clinic had your newest records fetched');
    assert.equal(render('access_log.viewed'), 'Lakeside Clinic looked at its part of this list');
    assert.equal(render('audit.exported'), 'Lakeside Clinic downloaded its part of this list');
    assert.equal(render('test_patient.created'), 'Lakeside Clinic made this test account');
  });

  it('distinguishes an app that the person disconnected from one that the organization stopped', () => {
    const ended = { action: 'oauth.grant_revoked' };
    const byThem = { ...ended, actor: { kind: 'member', id: 'm' } } as const;
    assert.equal(english(ended), 'Claude was disconnected');
    assert.equal(english(byThem), 'Lakeside Clinic stopped Claude, which reads no more');
    assert.equal(spanish(byThem), 'Lakeside Clinic detuvo Claude, que ya no lee nada');
  });

  it('states who was refused, and what they requested', () => {
    const refused = { tool: 'get_labs', outcome: 'refused', reason: 'consent_withdrawn' } as const;
    assert.equal(english(refused), 'Claude tried to read lab results and was not let in');
    assert.equal(spanish(refused), 'Claude intentó leer resultados de laboratorio y no se le permitió');
    assert.equal(
      english({ ...refused, tool: 'get_health_summary' }),
      'Claude tried to read your record and was not let in',
    );
    assert.equal(renderLine(entry(refused), { words: en, language: 'en', decisions }).kind, 'refused');
    // A call that named no tool.
    assert.equal(english({ ...refused, tool: null }), 'Claude tried to read your record and was not let in');
  });

  it('distinguishes a consent from its change and from its withdrawal', () => {
    const render = (consentRecordId: string): string =>
      english({ action: 'consent.recorded', consentRecordId });
    assert.equal(render('first'), 'You said yes: Lakeside Clinic reads your record');
    assert.equal(
      render('second'),
      'You decided once more: Lakeside Clinic and apps you choose read your record',
    );
    assert.equal(render('third'), 'You said no: Lakeside Clinic uses your data in later research');
    assert.equal(render('another'), 'You decided about sharing with Lakeside Clinic');
  });

  it('states that the organization viewed the evidence', () => {
    const viewed = {
      action: 'consent.evidence_viewed',
      actor: { kind: 'admin', id: 'a' },
      client: null,
    } as const;
    assert.equal(english(viewed), 'Lakeside Clinic looked at the screens you saw when you decided');
    assert.equal(spanish(viewed), 'Lakeside Clinic miró las pantallas que usted vio al decidir');
    const exported = { ...viewed, action: 'evidence.exported' } as const;
    assert.equal(
      english(exported),
      'Lakeside Clinic downloaded what you decided, and the screens you saw when you did',
    );
    assert.equal(
      spanish(exported),
      'Lakeside Clinic descargó lo que usted decidió y las pantallas que vio al hacerlo',
    );
  });

  it('says of whatever a patient or an organization does what it was', () => {
    const general = /something else|otra cosa/;
    for (const action of [
      'patient.invited',
      'patient.updated',
      'enrollment.ended',
      'upload.confirmed',
      'upload.removed',
      'document.stated_harmless',
      'document.statement_withdrawn',
    ])
      for (const render of [english, spanish]) assert.doesNotMatch(render({ action }), general, action);
    assert.equal(english({ action: 'upload.removed' }), 'Claude took added files out of your record');
  });

  it('has a general sentence for an unknown action', () => {
    assert.equal(english({ action: 'never.seen' }), 'Claude did something else with your data');
    assert.equal(
      english({ action: 'never.seen', client: { id: 'direct', name: null, appId: null } }),
      'A program signed in as you did something else with your data',
    );
  });

  it('is of the person where they decided, also where an older one names a program', () => {
    const context = { words: en, language: 'en' as const, decisions };
    const direct = { client: { id: 'direct', name: null, appId: null } };
    assert.equal(getActorName(entry({ action: 'consent.recorded', ...direct }), context), 'You');
    assert.equal(getActorName(entry({ ...asEntry(LABS), ...direct }), context), 'A program signed in as you');
  });

  it('renders a client name that cannot break the sentence', () => {
    assert.equal(
      english({ ...asEntry(LABS), client: { id: 'c', name: 'Evil\n\u202eapp', appId: null } }),
      'Evil app read 14 lab results from 2023 to 2026',
    );
  });

  it('says of one thing that was not found neither that it is there nor that it is not', () => {
    const read = asEntry({
      action: 'fhir.read',
      tool: null,
      outcome: 'refused',
      reason: 'not_found',
      types: ['MedicationRequest'],
      client: null,
      actor: { kind: 'admin', id: 'k' },
    });
    assert.equal(
      english(read),
      'Lakeside Clinic asked for one thing (medicines) that is not there, or that it does not get',
    );
    assert.equal(
      spanish(read),
      'Lakeside Clinic pidió una cosa (medicamentos) que no existe o que no recibe',
    );
  });

  it('says that something was read only where something was', () => {
    const partner = { actor: { kind: 'admin', id: 'key' }, client: null, action: 'fhir.everything' } as const;
    for (const [read, inEnglish, inSpanish] of [
      [
        { tool: 'get_details', entries: 0 },
        'Claude asked for more about something that is not there, or that it does not get',
        'Claude pidió más sobre algo que no existe o que no recibe',
      ],
      [
        { tool: 'get_other_records', entries: 0 },
        'Claude looked for other entries and read none',
        'Claude buscó otros datos y no leyó nada',
      ],
      [
        { tool: 'get_other_records', entries: 0, counted: true },
        'Claude looked up how much there is of other entries, and read none of it',
        'Claude consultó cuánto hay de otros datos, sin leer nada de ello',
      ],
      [
        { ...partner, entries: 0, counted: true },
        'Lakeside Clinic looked up how much there is of your record, and read none of it',
        'Lakeside Clinic consultó cuánto hay de su historial, sin leer nada de ello',
      ],
      [
        { ...partner, entries: 0, types: ['Condition'] },
        'Lakeside Clinic looked for health problems and read none',
        'Lakeside Clinic buscó problemas de salud y no leyó nada',
      ],
      [
        { ...partner, entries: 0 },
        'Lakeside Clinic looked for entries of your record and read none',
        'Lakeside Clinic buscó entradas de su historial y no leyó nada',
      ],
    ] as const) {
      assert.equal(english(asEntry(read)), inEnglish);
      assert.equal(spanish(asEntry(read)), inSpanish);
    }
  });

  it('gives the sum of several reads as the most that it can have been', () => {
    const partner = { actor: { kind: 'admin', id: 'key' }, client: null, action: 'fhir.everything' } as const;
    const read = entry({ ...partner, entries: 245 });
    const context = { words: en, language: 'en', decisions, isSum: true } as const;
    assert.equal(renderLine(read, context).text, 'Lakeside Clinic read up to 245 entries of your record');
    const single = entry({ ...partner, action: 'fhir.read', types: ['Condition'], entries: null });
    assert.equal(renderLine(single, context).text, 'Lakeside Clinic read health problems');
  });
});
