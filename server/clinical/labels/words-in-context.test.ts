import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CodedClass } from './code-lists.ts';
import { classifyResource } from './classify-resource.ts';
import { classifyText } from './words.ts';

/** Texts, one a line, and the class that each of them is of alone. */
const assertEach = (texts: string, ...expected: readonly CodedClass[]): void => {
  const lines = texts
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  const wrong = lines.filter((line) => [...classifyText(line)].join() !== expected.join());
  assert.deepEqual(wrong, []);
};

describe('words that mean one thing here and another there', () => {
  it('case 597: "aborted" is of a pregnancy unless it is said of something that is none', () => {
    assertEach(
      `Baby aborted
      Child aborted 2011, wants more children
      first child aborted
      Twins aborted
      both twins were aborted
      one twin aborted
      triplets aborted
      aborted her baby
      aborted the baby
      aborted his child
      aborted her second child
      aborted 3 babies
      aborted because the baby had trisomy
      aborted because of pain at 8 weeks
      Baby aborted because of hypertension
      Conception aborted
      conceptus aborted
      products of conception aborted
      Aborted 2
      2 aborted
      2 living, aborted 1
      T2 P0 Aborted 1 L2
      Has 2 children, aborted 1
      Number aborted
      How many were aborted?
      incomplete aborted
      Spontaneous aborted
      aborted (spontaneous)
      Threatened, then aborted
      medically aborted
      surgically aborted
      self aborted
      naturally aborted
      Female aborted at home
      teen aborted
      Ms. Smith aborted
      we aborted
      Patient aborted (2011)
      Aborted, 2015
      aborted 2011
      Aborted March 2014
      aborted on 3/4/2014
      aborted @ 8 weeks
      exam: aborted 1
      Twin B status: aborted
      abortada espontáneamente
      2 abortados
      aborted because of hypertension
      surgery then aborted 2011
      Surgery - aborted 2
      Aborted - surgery none
      ha abortado
      bebé abortado por dolor`,
      'REPRODUCTIVE_HEALTH_DATA',
    );
    assert.deepEqual([...classifyText('Surgeries\nAborted 2')], ['REPRODUCTIVE_HEALTH_DATA']);
    assert.deepEqual([...classifyText('Para 2, aborted\nSurgery: none')], ['REPRODUCTIVE_HEALTH_DATA']);
    assertEach(
      `Aborted
      "aborted"
      aborted colonoscopy
      Aborted stress test
      Colonoscopy (aborted)
      VT aborted by shock
      aborted by ICD shock
      Aborted sudden cardiac death
      MRI of the brain was aborted
      CT scan aborted due to motion
      {"statusCode":{"code":"aborted"}}
      <value code="aborted" displayName="Aborted" codeSystem="2.16.840.1.113883.5.14"/>
      MRI was then aborted
      MRI brain w/o contrast - aborted
      Appointment aborted
      Patient aborted the treadmill test
      SVT aborted spontaneously
      Aborted because of noise
      aborted due to patient intolerance
      The infusion had to be aborted early
      order aborted
      Status: aborted
      <status value="aborted"/>
      <statusCode code="aborted"/>
      Flight aborted
      she aborted her treatment
      Abortado
      Cirugía abortada
      Resonancia magnética fue abortada por ruido
      Tratamiento abortado
      Estado: abortado
      El procedimiento tuvo que ser abortado`,
    );
    for (const [value, classes] of [
      [{ valueInteger: 2 }, ['REPRODUCTIVE_HEALTH_DATA']],
      [{ valueString: 'moved' }, []],
    ] as const) {
      const counted = { resourceType: 'Observation', code: { text: 'Aborted' }, ...value };
      assert.deepEqual(classifyResource(counted).classes, classes);
    }
    assertEach('Aborted because of claustrophobia\nMRI abortada por claustrofobia', 'MENTAL_HEALTH');
  });

  it('case 598: drinking and using are read as questions and notes have them, and not of medicines, tea or what a skin is tested with', () => {
    assertEach(
      `How often do you have a drink containing alcohol?
      How often did you have a drink containing alcohol in the past year?
      How many drinks containing alcohol did you have on a typical day?
      How often do you have six or more drinks on one occasion?
      Have you ever felt you should cut down on your drinking?
      Feels should cut down drinking
      Wine drinker
      Beer drinker
      Spirits drinker
      Moderate drinker
      Current drinker
      drinker of beer
      Drinking binges
      Misused drugs in past
      Nonuser of drugs
      Takes drugs
      drank 6 beers
      drinks two beers
      consumes wine
      consumes beer
      Stopped drinking
      relapse on alcohol
      in recovery from alcohol
      opioids used
      Substance used: alcohol
      dejó de consumir drogas
      Niega alcohol
      niega tabaco, alcohol y drogas
      Alcohol negado
      Dejó de beber
      no bebe
      bebe mucho
      toma pulque
      drogas: no
      consume drogas
      consume sustancias`,
      'SUBSTANCE_USE_OR_DRUG_ABUSE',
    );
    assertEach(
      `toma drogas antihipertensivas
      usa drogas antihipertensivas
      Drug consumed: paracetamol
      drugs consumed at home: metformin
      ingested drugs: acetaminophen
      consumed drugs: none
      Substance used: latex
      Contrast substance used
      Substance used for patch test: nickel
      substances used for skin testing: histamine
      uses substances at work
      usa sustancias irritantes
      daily drinker of coffee
      regular drinker of tea
      current drinkers of milk
      bebedor de café
      use of controlled substances agreement signed
      history of substances
      stopped drinking milk
      dejó de beber leche
      bebe mucho líquido`,
    );
    assertEach(`fungal gene detection\nparasite gene detection`);
  });

  it('case 599: a Caesarean and a miscarriage are so with a slash, a point or a dash', () => {
    assertEach(
      `c/section
      C. section
      C - section
      prior c/section 2012
      C. section 2012
      mis-carriage
      Miscarriages
      miscarried`,
      'REPRODUCTIVE_HEALTH_DATA',
    );
    assertEach(
      `See hepatitis C. Section 4 follows
      Appendix C - section 4
      vitamin C. Section`,
    );
  });
});
