import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  DOCUMENT_ID,
  buildCcdaDocument,
  decodeNoteText,
  convertCcda,
  convertCcdaDocument,
} from '../../test/harness/ccda-document.ts';

const AUTHOR = `<author><time value="20130815"/><assignedAuthor><id root="2.16.840.1.113883.4.6" extension="111"/>
  <assignedPerson><name><prefix>Dr.</prefix><given>Grace</given><family>Hopper</family></name></assignedPerson>
  </assignedAuthor></author>`;
const CUSTODIAN = `<custodian><assignedCustodian><representedCustodianOrganization><id root="1.2.3"/><name>Mercy</name>
  </representedCustodianOrganization></assignedCustodian></custodian>`;
const VISIT = `<componentOf><encompassingEncounter><id root="1.9" extension="v1"/>
  <code code="AMB" codeSystem="2.16.840.1.113883.5.4"/>
  <effectiveTime><low value="20130814"/><high value="20130815"/></effectiveTime></encompassingEncounter></componentOf>`;
const WHEN = '<effectiveTime value="20130815103000-0500"/>';

const section = (code: string, inside: string): string =>
  `<section><code code="${code}" codeSystem="2.16.840.1.113883.6.1"/>${inside}</section>`;
const HISTORY = section(
  '10164-2',
  '<title>History of present illness</title><text>Fell from a horse.</text>',
);

const reference = ({ resourceType, id }: { resourceType: string; id?: unknown }): string =>
  `${resourceType}/${String(id)}`;

describe('a C-CDA document', () => {
  it('becomes a DocumentReference with the id of the document', async () => {
    const { ofType: of, texts } = await convertCcdaDocument({
      header: `${WHEN}<confidentialityCode code="N" codeSystem="2.16.840.1.113883.5.25"/>${AUTHOR}${CUSTODIAN}`,
    });
    const document = of('DocumentReference')[0] as Record<string, unknown>;
    assert.equal(document['id'], DOCUMENT_ID);
    assert.equal(document['status'], 'current');
    assert.equal(document['date'], '2013-08-15T10:30:00-05:00');
    assert.deepEqual(document['masterIdentifier'], { system: 'urn:oid:1.2.840.1', value: 'doc-1' });
    assert.equal((document['type'] as { coding: { code: string }[] }).coding[0]?.code, '34133-9');
    const [content] = document['content'] as {
      attachment: Record<string, unknown>;
      format: { code: string };
    }[];
    assert.equal(content?.attachment['contentType'], 'application/hl7-v3+xml');
    assert.equal(content?.attachment['title'], 'Summary of care');
    assert.equal(content?.attachment['data'], undefined);
    assert.equal(content?.format.code, 'urn:hl7-org:sdwg:ccda-structuredBody:2.1');
    assert.equal((document['custodian'] as { display: string }).display, 'Mercy');
    assert.equal((document['author'] as { display: string }[])[0]?.display, 'Dr. Grace Hopper');
    assert.ok(texts.every((text) => !text.includes('"meta"')));
  });

  it('is the entity of one Provenance that targets every other resource', async () => {
    const { ofType: of, resources } = await convertCcdaDocument({
      header: `${WHEN}${AUTHOR}${CUSTODIAN}${VISIT}`,
      sections: HISTORY,
    });
    const [provenance, ...others] = of('Provenance') as Record<string, unknown>[];
    assert.ok(provenance && others.length === 0);
    const targets = (provenance['target'] as { reference: string }[]).map((one) => one.reference);
    const expected = resources.filter((one) => one.resourceType !== 'Provenance').map(reference);
    assert.deepEqual(targets.sort(), expected.sort());
    assert.deepEqual(provenance['entity'], [
      { role: 'source', what: { reference: `DocumentReference/${DOCUMENT_ID}` } },
    ]);
    assert.equal(provenance['recorded'], '2013-08-15T10:30:00-05:00');
    assert.equal((provenance['agent'] as unknown[]).length, 2);
  });

  it('gets no invented time of day where it only has a day', async () => {
    const { ofType: of } = await convertCcdaDocument({
      header: '<effectiveTime value="20130815"/>',
      sections: HISTORY,
    });
    const [provenance] = of('Provenance') as Record<string, unknown>[];
    assert.equal(provenance?.['recorded'], undefined);
    assert.ok(provenance?.['_recorded']);
    assert.equal(provenance?.['occurredDateTime'], '2013-08-15');
    const note = of('DocumentReference').find((one) => one.id !== DOCUMENT_ID) as Record<string, unknown>;
    assert.equal(note['date'], undefined);
    assert.equal(
      (note['content'] as { attachment: { creation: string } }[])[0]?.attachment.creation,
      '2013-08-15',
    );
  });

  it('labels every resource as restricted where it is restricted', async () => {
    const { resources } = await convertCcdaDocument({
      header: `<confidentialityCode code="V" codeSystem="2.16.840.1.113883.5.25"/>${AUTHOR}`,
      sections: HISTORY,
    });
    assert.ok(resources.length >= 5);
    for (const { meta } of resources as { meta?: { security?: { code: string }[] } }[])
      assert.equal(meta?.security?.[0]?.code, 'V');
  });

  it('labels what is in a section, a body or an entry that is restricted, the notes of both too (case 556)', async () => {
    const restricted = '<confidentialityCode code="R" codeSystem="2.16.840.1.113883.5.25"/>';
    const label = `<entryRelationship typeCode="SUBJ"><observation classCode="OBS" moodCode="EVN">
      <templateId root="2.16.840.1.113883.3.445.21"/><code code="SECCLASSOBS" codeSystem="2.16.840.1.113883.1.11.20457"/>
      <value xsi:type="CE" code="R" codeSystem="2.16.840.1.113883.5.25"/></observation></entryRelationship>`;
    const problem = (
      name: string,
      author: string,
      more = '',
    ): string => `<entry><act classCode="ACT" moodCode="EVN">
      <templateId root="2.16.840.1.113883.10.20.22.4.3"/><code code="CONC" codeSystem="2.16.840.1.113883.5.6"/>
      <statusCode code="active"/><entryRelationship typeCode="SUBJ"><observation classCode="OBS" moodCode="EVN">
      <templateId root="2.16.840.1.113883.10.20.22.4.4"/><code code="55607006" codeSystem="2.16.840.1.113883.6.96"/>
      <value xsi:type="CD" code="1" codeSystem="2.16.840.1.113883.6.96" displayName="${name}"/>
      <author><time value="2013"/><assignedAuthor><id root="1.5" extension="${author}"/><assignedPerson><name>
      <family>${author}</family></name></assignedPerson></assignedAuthor></author>${more}
      </observation></entryRelationship></act></entry>`;
    const problems = (own: string, entries: string): string =>
      section(
        '11450-4',
        `<title>Problems</title><text><list><item>Pain</item><item>A word more here</item></list></text>${own}${entries}`,
      );
    const list = async (parts: Parameters<typeof buildCcdaDocument>[0]): Promise<string[]> => {
      const { resources } = await convertCcdaDocument({
        header: `${WHEN}${AUTHOR}${CUSTODIAN}${VISIT}`,
        ...parts,
      });
      return resources
        .filter(({ meta }) => JSON.stringify(meta ?? '').includes('"code":"R"'))
        .map(({ resourceType, code, name }) => {
          const { text } = (code ?? {}) as { text?: string };
          const [person] = (Array.isArray(name) ? name : []) as { family?: string }[];
          return `${resourceType} ${text ?? person?.family ?? ''}`.trim();
        })
        .sort();
    };
    const two = problem('Pain', 'Own') + problem('Ache', 'Hopper');
    const others = problems('', problem('Cough', 'Hopper'));
    const whole = ['Condition Ache', 'Condition Pain', 'DocumentReference', 'Practitioner Own'];
    assert.deepEqual(await list({ sections: problems('', two) + others }), []);
    assert.deepEqual(await list({ sections: problems(restricted, two) + others }), whole);
    const inner = section('10160-0', `${restricted}<text>Takes it well.</text>`);
    assert.deepEqual(await list({ sections: others + section('10164-2', `<text>Fell.</text>${inner}`) }), [
      'DocumentReference',
    ]);
    const body = `<component><structuredBody>${restricted}<component>${problems('', two)}</component></structuredBody></component>`;
    assert.deepEqual(await list({ body }), [...whole, 'Practitioner Hopper'].sort());
    const entry = problem('Pain', 'Own', label) + problem('Ache', 'Hopper');
    assert.deepEqual(await list({ sections: problems('', entry) + others }), whole.slice(1));
    const annotation = `<entry><organizer classCode="CLUSTER" moodCode="EVN"><templateId root="2.16.840.1.113883.3.445.4"/>
      <statusCode code="active"/><component>${label.replace(/<\/?entryRelationship[^>]*>/g, '')}</component></organizer></entry>`;
    assert.deepEqual(
      (await list({ sections: problems('', annotation + two) + others })).slice(0, 3),
      whole.slice(0, 3),
    );
  });

  it('adds nothing of a section that is restricted to the visit of the whole document (case 556)', async () => {
    const entry = `<entry><encounter classCode="ENC" moodCode="EVN"><templateId root="2.16.840.1.113883.10.20.22.4.49"/>
      <id root="1.9" extension="v1"/><code code="1" codeSystem="2.16.840.1.113883.6.96" displayName="Talk"/>
      <effectiveTime value="20130814"/></encounter></entry>`;
    const restricted = '<confidentialityCode code="R" codeSystem="2.16.840.1.113883.5.25"/>';
    for (const [own, expected] of [
      ['', ['Talk']],
      [restricted, ['', 'Talk R']],
    ] as const) {
      const { ofType: of } = await convertCcdaDocument({
        header: `${WHEN}${VISIT}`,
        sections: section('46240-8', `<title>Encounters</title><text>Talk</text>${own}${entry}`),
      });
      const visits = of('Encounter').map((visit) => {
        const text = JSON.stringify(visit);
        return `${text.includes('Talk') ? 'Talk' : ''}${text.includes('"code":"R"') ? ' R' : ''}`;
      });
      assert.deepEqual(visits.sort(), [...expected].sort());
    }
  });

  it('gives the same resources each time, and other ids under another document id', async () => {
    const bytes = Buffer.from(buildCcdaDocument({ header: `${WHEN}${AUTHOR}`, sections: HISTORY }));
    const read = async (documentId: string) =>
      (await convertCcda({ bytes, path: 'a.xml', documentId })).resources;
    assert.deepEqual(await read(DOCUMENT_ID), await read(DOCUMENT_ID));
    const ids = new Set((await read(DOCUMENT_ID)).map(({ text }) => (JSON.parse(text) as { id: string }).id));
    const others = await read('33333333-3333-4333-8333-333333333333');
    assert.ok(others.every(({ text }) => !ids.has((JSON.parse(text) as { id: string }).id)));
  });

  it('gives its visit as an Encounter, to which the notes belong', async () => {
    const { ofType: of } = await convertCcdaDocument({ header: `${WHEN}${VISIT}`, sections: HISTORY });
    const [visit] = of('Encounter') as Record<string, unknown>[];
    assert.equal(visit?.['status'], 'finished');
    assert.deepEqual(visit?.['period'], { start: '2013-08-14', end: '2013-08-15' });
    assert.equal((visit?.['class'] as { code: string } | undefined)?.code, 'AMB');
    const note = of('DocumentReference').find((one) => one.id !== DOCUMENT_ID) as Record<string, unknown>;
    assert.deepEqual((note['context'] as { encounter: unknown }).encounter, [
      { reference: `Encounter/${String(visit?.['id'])}` },
    ]);
  });

  it('gives each person once however often they occur, and two persons with the same identifier twice', async () => {
    const other = AUTHOR.replace('Hopper', 'Murray');
    const { ofType: of } = await convertCcdaDocument({ header: `${AUTHOR}${AUTHOR}${other}` });
    assert.equal(of('Practitioner').length, 2);
  });

  it('drops identifiers of a sample that all its entries share', async () => {
    const procedure = (
      code: string,
      id: string,
    ): string => `<entry><procedure classCode="PROC" moodCode="EVN"><id root="${id}"/>
      <code code="${code}" codeSystem="2.16.840.1.113883.6.96" displayName="P${code}"/><statusCode code="completed"/></procedure></entry>`;
    const { ofType: of } = await convertCcdaDocument({
      sections: section('47519-4', procedure('1', '1.1') + procedure('2', '1.1') + procedure('3', '1.3')),
    });
    assert.deepEqual(
      (of('Procedure') as Record<string, unknown>[]).map((one) => one['identifier']),
      [undefined, undefined, [{ system: 'urn:ietf:rfc:3986', value: 'urn:oid:1.3' }]],
    );
  });
});

describe('a section without entries', () => {
  it('becomes a note of its narrative with the type of the section', async () => {
    const { ofType: of } = await convertCcdaDocument({ sections: HISTORY });
    const note = of('DocumentReference').find((one) => one.id !== DOCUMENT_ID);
    assert.equal(decodeNoteText(note), 'Fell from a horse.');
    assert.deepEqual(note?.['type'], {
      coding: [{ system: 'http://loinc.org', code: '10164-2' }],
      text: 'History of present illness',
    });
  });

  it('becomes no note where it only says that there is no information', async () => {
    const { ofType: of } = await convertCcdaDocument({
      sections: section('10164-2', '<text><paragraph>No information.</paragraph></text>'),
    });
    assert.equal(of('DocumentReference').length, 1);
  });

  it('is read inside of another section', async () => {
    const inner = section('10210-3', '<title>General status</title><text>Alert.</text>');
    const outer = `<section><code code="29545-1"/><text>Normal.</text><component>${inner}</component></section>`;
    const { resources } = await convertCcdaDocument(outer);
    assert.deepEqual(resources.map(decodeNoteText), ['Normal.', 'Alert.']);
  });
});

describe('a section whose narrative says more than its entries', () => {
  const planned =
    '<entry><observation classCode="OBS" moodCode="RQO"><code code="1" codeSystem="1.2" displayName="X-ray of the chest"/></observation></entry>';
  const listNotes = async (text: string): Promise<(string | undefined)[]> => {
    const { ofType: of } = await convertCcdaDocument(section('18776-5', `<text>${text}</text>${planned}`));
    assert.equal(of('ServiceRequest').length, 1);
    return of('DocumentReference').map(decodeNoteText);
  };

  it('becomes a note of the lines that none of them states', async () => {
    assert.deepEqual(
      await listNotes(`<list><item>Chest X-ray (planned June 2013)</item><item>Internal hemorrhoids</item></list>
        <table><tbody><tr><td>X-ray of chest</td><td>generic substitution</td></tr><tr><td>Smear</td><td>31.0</td></tr></tbody></table>`),
      ['- Internal hemorrhoids\nSmear | 31.0'],
    );
  });

  it('becomes none where they state all of it in other words', async () => {
    assert.deepEqual(await listNotes('<paragraph>Chest X-rays, active, June 3, 2013</paragraph>'), []);
  });
});

describe('a section with unknown entries', () => {
  it('becomes a note besides the resources of its known entries', async () => {
    const known =
      '<entry><observation classCode="OBS" moodCode="RQO"><code code="1" codeSystem="1.2" displayName="X-ray"/></observation></entry>';
    const { ofType: of } = await convertCcdaDocument(
      section('18776-5', `<text>X-ray, and rest.</text>${known}<entry><organizer/></entry>`),
    );
    assert.equal(of('ServiceRequest').length, 1);
    assert.deepEqual(of('DocumentReference').map(decodeNoteText), ['X-ray, and rest.']);
  });

  it('becomes a note, so that nothing is lost', async () => {
    const { ofType: of } = await convertCcdaDocument({
      sections: section(
        '69730-0',
        '<title>Instructions</title><text>Drink more.</text><entry><act><code code="x"/></act></entry>',
      ),
    });
    assert.deepEqual(of('DocumentReference').map(decodeNoteText).filter(Boolean), ['Drink more.']);
  });
});
