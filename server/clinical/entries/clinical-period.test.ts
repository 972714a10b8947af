import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FHIR_RESOURCE_TYPES } from '../../../contract/fhir/fhir-resource-types.ts';
import { parseResource } from '../store/parse-resource.ts';
import { findClinicalPeriod } from './clinical-period.ts';

const find = (resource: object): string => {
  const { first, last } = findClinicalPeriod(parseResource(JSON.stringify(resource)));
  return first === last ? first : `${first} to ${last}`;
};

const ALL_TIME = '-infinity to infinity';

describe('findClinicalPeriod', () => {
  const cases: [says: string, resource: object, period: string][] = [
    ['a day', { resourceType: 'Observation', effectiveDateTime: '2015-03-04' }, '2015-03-04'],
    [
      'the day that was written, whatever its zone',
      { resourceType: 'Observation', effectiveDateTime: '2015-03-04T23:30:00-08:00' },
      '2015-03-04',
    ],
    [
      'all days of a year',
      { resourceType: 'Procedure', performedDateTime: '2016' },
      '2016-01-01 to 2016-12-31',
    ],
    [
      'all days of a month in a leap year',
      { resourceType: 'Procedure', performedDateTime: '2016-02' },
      '2016-02-01 to 2016-02-29',
    ],
    [
      'a period',
      { resourceType: 'Encounter', status: 'finished', period: { start: '2015-01-31', end: '2015-02-03' } },
      '2015-01-31 to 2015-02-03',
    ],
    [
      'a period that goes on',
      { resourceType: 'CarePlan', status: 'active', period: { start: '2015-01' } },
      '2015-01-01 to infinity',
    ],
    [
      'the beginning of a period that is over, though it has no end',
      { resourceType: 'Encounter', status: 'finished', period: { start: '2015-01-31T10:00:00Z' } },
      '2015-01-31',
    ],
    [
      'a period of which the end alone is known',
      { resourceType: 'CareTeam', period: { end: '2015' } },
      '-infinity to 2015-12-31',
    ],
    [
      'a period that was written the wrong way round',
      { resourceType: 'CareTeam', period: { start: '2015-06-01', end: '2014-05-01' } },
      '2014-05-01 to 2015-06-01',
    ],
    [
      'a condition until its abatement',
      { resourceType: 'Condition', onsetDateTime: '2010-05-06', abatementDateTime: '2012' },
      '2010-05-06 to 2012-12-31',
    ],
    [
      'a condition that is active',
      {
        resourceType: 'Condition',
        clinicalStatus: { coding: [{ code: 'active' }] },
        recordedDate: '2010-05-06',
      },
      '2010-05-06 to infinity',
    ],
    [
      'a condition that is resolved at a time that nobody noted',
      {
        resourceType: 'Condition',
        clinicalStatus: { coding: [{ code: 'resolved' }] },
        onsetDateTime: '2010-05-06',
      },
      '2010-05-06',
    ],
    [
      'a prescription in force',
      { resourceType: 'MedicationRequest', status: 'active', authoredOn: '2011-01-01' },
      '2011-01-01 to infinity',
    ],
    [
      'a prescription that ended',
      { resourceType: 'MedicationRequest', status: 'stopped', authoredOn: '2011-01-01' },
      '2011-01-01',
    ],
    [
      'an order that is active, which does not last',
      { resourceType: 'ServiceRequest', status: 'active', authoredOn: '2011-01-01' },
      '2011-01-01',
    ],
    [
      'the care before the day of the paper',
      {
        resourceType: 'DocumentReference',
        date: '2020-01-01',
        context: { period: { start: '2015-01-01', end: '2015-01-02' } },
      },
      '2015-01-01 to 2015-01-02',
    ],
    [
      'the paper where nothing says more',
      { resourceType: 'DocumentReference', date: '2020-01-01T10:00:00Z' },
      '2020-01-01',
    ],
    [
      'the days of a timing',
      {
        resourceType: 'ServiceRequest',
        occurrenceTiming: { event: ['2015-03-01', '2015-01-01', '2015-02-01'] },
      },
      '2015-01-01 to 2015-03-01',
    ],
    [
      'the bounds of a timing',
      {
        resourceType: 'DeviceRequest',
        occurrenceTiming: { repeat: { boundsPeriod: { start: '2015-01-01', end: '2015-03-01' } } },
      },
      '2015-01-01 to 2015-03-01',
    ],
    [
      'an appointment by its own start and end',
      { resourceType: 'Appointment', start: '2015-01-01T10:00:00Z', end: '2015-01-01T11:00:00Z' },
      '2015-01-01',
    ],
    [
      'when a specimen was collected',
      { resourceType: 'Specimen', collection: { collectedDateTime: '2015-01-01' } },
      '2015-01-01',
    ],
    [
      'the second best element where the best is no date',
      { resourceType: 'Observation', effectiveDateTime: 'last week', issued: '2015-01-02T00:00:00Z' },
      '2015-01-02',
    ],
  ];
  for (const [says, resource, period] of cases)
    it(`is ${says}`, () => {
      assert.equal(find(resource), period);
    });

  it('is all time for what states no date, or none of the calendar, or is no care', () => {
    for (const resource of [
      { resourceType: 'Observation' },
      { resourceType: 'Observation', effectiveDateTime: '2021-02-31' },
      { resourceType: 'Condition', onsetString: 'in childhood', onsetAge: { value: 5 } },
      { resourceType: 'Encounter', period: {} },
      { resourceType: 'Encounter', period: 'last week' },
      { resourceType: 'Patient', birthDate: '1970-01-01' },
      { resourceType: 'Provenance', recorded: '2026-01-01T00:00:00Z' },
      { resourceType: 'Device', manufactureDate: '2015-01-01' },
    ])
      assert.equal(find(resource), ALL_TIME, JSON.stringify(resource));
  });

  it('never throws, whatever stands where a date belongs', () => {
    const odd = [null, 7, '', [], [null], {}, { start: 7 }, { start: [] }, { event: {} }, { repeat: [1] }];
    for (const resourceType of FHIR_RESOURCE_TYPES)
      for (const value of odd)
        assert.match(
          find({
            resourceType,
            status: value,
            clinicalStatus: value,
            period: value,
            effectiveTiming: value,
            onsetDateTime: value,
            occurrenceTiming: value,
            collection: value,
            context: value,
            start: value,
            end: value,
          }),
          /^(-infinity|\d{4}-\d\d-\d\d)( to (infinity|\d{4}-\d\d-\d\d))?$/,
        );
  });
});
