/**
 * Sections of every kind that the converter of C-CDA knows, as little in each as makes its resources, with what vendors get
 * wrong: an organization and a program as authors, times without a zone, no status, null flavors.
 */
const BY_ORGANIZATION = `<author><time value="20240102"/><assignedAuthor><id root="1.2.9"/><representedOrganization>
  <id root="1.2.10"/><name>Mercy Hospital</name></representedOrganization></assignedAuthor></author>`;
const BY_PROGRAM = `<author><time value="202401021530"/><assignedAuthor><id root="1.2.11"/><assignedAuthoringDevice>
  <manufacturerModelName>Scribe</manufacturerModelName><softwareName>Scribe 2</softwareName></assignedAuthoringDevice>
  </assignedAuthor></author>`;
const PERFORMER = `<performer><time value="20240102"/><assignedEntity><id root="1.2.12" extension="7"/><assignedPerson><name>
  <given>Grace</given><family>Hopper</family></name></assignedPerson></assignedEntity></performer>`;
const DEVICE_PERFORMER = `<performer><assignedEntity><id root="1.2.11"/><assignedAuthoringDevice><softwareName>Scribe</softwareName>
  </assignedAuthoringDevice></assignedEntity></performer>`;

const LOINC = 'codeSystem="2.16.840.1.113883.6.1"';
const SNOMED = 'codeSystem="2.16.840.1.113883.6.96"';
const VALUE = 'xsi:type="CD"';
const template = (root: string): string => `<templateId root="2.16.840.1.113883.10.20.22.4.${root}"/>`;
const section = (code: string, inside: string): string =>
  `<section><code code="${code}" ${LOINC}/><title>Section ${code}</title><text>Some words.</text>${inside}</section>`;

const problem = (author: string): string => `<entry><act classCode="ACT" moodCode="EVN">${template('3')}
  <statusCode code="active"/><entryRelationship typeCode="SUBJ"><observation classCode="OBS" moodCode="EVN">${template('4')}
  <effectiveTime><low value="2019"/></effectiveTime><value ${VALUE} code="38341003" ${SNOMED} displayName="Hypertension"/>${author}
  </observation></entryRelationship></act></entry>`;

const allergy = (author: string): string => `<entry><act classCode="ACT" moodCode="EVN">${template('30')}
  <statusCode code="active"/><entryRelationship typeCode="SUBJ"><observation classCode="OBS" moodCode="EVN">${template('7')}
  <effectiveTime><low nullFlavor="UNK"/></effectiveTime><value ${VALUE} code="419199007" ${SNOMED}/>${author}
  <participant typeCode="CSM"><participantRole><playingEntity><code code="70618" codeSystem="2.16.840.1.113883.6.88"
  displayName="Penicillin"/></playingEntity></participantRole></participant></observation></entryRelationship></act></entry>`;

const medication = (
  mood: string,
  author: string,
): string => `<entry><substanceAdministration classCode="SBADM" moodCode="${mood}">
  ${template('16')}<statusCode code="active"/><effectiveTime xsi:type="IVL_TS"><low value="20230101"/></effectiveTime>
  <routeCode nullFlavor="NI"/><doseQuantity value=".5" unit="mg"/><consumable><manufacturedProduct><manufacturedMaterial>
  <code code="197361" codeSystem="2.16.840.1.113883.6.88" displayName="Amlodipine"/></manufacturedMaterial></manufacturedProduct>
  </consumable>${author}<entryRelationship typeCode="REFR"><supply classCode="SPLY" moodCode="EVN">${template('18')}
  <statusCode code="completed"/><effectiveTime value="20230105"/><quantity value="30"/>${DEVICE_PERFORMER}</supply></entryRelationship>
  </substanceAdministration></entry>`;

const observation = (inside: string): string =>
  `<observation classCode="OBS" moodCode="EVN"><statusCode code="completed"/><effectiveTime value="20240102"/>${inside}</observation>`;

const results = `<entry><organizer classCode="BATTERY" moodCode="EVN">${template('1')}<code code="57021-8" ${LOINC}/>
  <statusCode code="completed"/>${BY_PROGRAM}${DEVICE_PERFORMER}<component>${observation(
    `${template('2')}<code code="718-7" ${LOINC}/><value xsi:type="PQ" value="13.50" unit="g/dL"/><interpretationCode code="H"
    codeSystem="2.16.840.1.113883.5.83"/>${DEVICE_PERFORMER}<referenceRange><observationRange><value xsi:type="IVL_PQ"><low value="12" unit="g/dL"/>
    <high value="16" unit="g/dL"/></value></observationRange></referenceRange>`,
  )}</component><component>${observation(`${template('2')}<code code="4544-3" ${LOINC}/><value xsi:type="PQ" nullFlavor="UNK"/>`)}
  </component></organizer></entry>`;

const vitals = `<entry><organizer classCode="CLUSTER" moodCode="EVN">${template('26')}<code code="46680005" ${SNOMED}/>
  <statusCode code="completed"/><effectiveTime value="20240102"/>${[
    ['8480-6', '120', 'mm[Hg]'],
    ['8462-4', '80', 'mm[Hg]'],
    ['29463-7', '70', 'kg'],
  ]
    .map(
      ([code, value, unit]) =>
        `<component>${observation(`${template('27')}<code code="${code}" ${LOINC}/><value xsi:type="PQ" value="${value}" unit="${unit}"/>`)}</component>`,
    )
    .join('')}</organizer></entry>`;

const immunization = `<entry><substanceAdministration classCode="SBADM" moodCode="EVN" negationInd="false">${template('52')}
  <statusCode code="completed"/><effectiveTime nullFlavor="UNK"/><consumable><manufacturedProduct><manufacturedMaterial>
  <code code="140" codeSystem="2.16.840.1.113883.12.292" displayName="Influenza"/><lotNumberText>L1</lotNumberText>
  </manufacturedMaterial></manufacturedProduct></consumable>${DEVICE_PERFORMER}</substanceAdministration></entry>`;

const procedure = `<entry><procedure classCode="PROC" moodCode="EVN">${template('14')}<code code="80146002" ${SNOMED}
  displayName="Appendectomy"/><statusCode code="completed"/><effectiveTime value="2011"/>${PERFORMER}${BY_ORGANIZATION}
  <participant typeCode="DEV"><participantRole classCode="MANU">${template('37')}<id root="2.16.840.1.113883.3.3719" extension="udi-1"/>
  <playingDevice><code code="360066001" ${SNOMED} displayName="Implant"/></playingDevice></participantRole></participant></procedure></entry>`;

const encounter = `<entry><encounter classCode="ENC" moodCode="EVN">${template('49')}<id root="1.2.13" extension="v"/>
  <code code="99213" codeSystem="2.16.840.1.113883.6.12" displayName="Visit"/><effectiveTime value="20240102"/>${PERFORMER}${DEVICE_PERFORMER}
  <entryRelationship><act classCode="ACT" moodCode="EVN">${template('80')}<code code="29308-4" ${LOINC}/><entryRelationship>
  <observation classCode="OBS" moodCode="EVN">${template('4')}<value ${VALUE} code="195967001" ${SNOMED} displayName="Asthma"/>
  </observation></entryRelationship></act></entryRelationship></encounter></entry>`;

const relative = `<entry><organizer classCode="CLUSTER" moodCode="EVN">${template('45')}<statusCode code="completed"/>
  <subject><relatedSubject classCode="PRS"><code code="MTH" codeSystem="2.16.840.1.113883.5.111"/><subject>
  <administrativeGenderCode code="F" codeSystem="2.16.840.1.113883.5.1"/></subject></relatedSubject></subject>
  <component>${observation(`${template('46')}<value ${VALUE} code="73211009" ${SNOMED} displayName="Diabetes"/>`)}</component></organizer></entry>`;

const plan = `<entry><observation classCode="OBS" moodCode="RQO">${template('44')}<code code="4548-4" ${LOINC} displayName="A1c"/>
  <statusCode code="active"/><effectiveTime value="20250101"/>${BY_PROGRAM}</observation></entry>
  <entry><observation classCode="OBS" moodCode="GOL">${template('121')}<code code="29463-7" ${LOINC} displayName="Weight"/>
  <statusCode code="active"/><effectiveTime value="20250101"/><value xsi:type="PQ" value="65" unit="kg"/>${BY_PROGRAM}</observation></entry>`;

const careTeam = `<entry><organizer classCode="CLUSTER" moodCode="EVN">${template('500')}<statusCode code="active"/><component>
  <act classCode="PCPR" moodCode="EVN">${template('500.1')}<code code="85847-2" ${LOINC}/><statusCode code="active"/>${DEVICE_PERFORMER}</act>
  </component></organizer></entry>`;

const supply = `<entry><supply classCode="SPLY" moodCode="EVN">${template('50')}<statusCode code="completed"/><participant typeCode="PRD">
  <participantRole classCode="MANU">${template('37')}<playingDevice><code code="58938008" ${SNOMED} displayName="Wheelchair"/></playingDevice>
  </participantRole></participant></supply></entry>`;

const payer = `<entry><act classCode="ACT" moodCode="EVN">${template('60')}<code code="48768-6" ${LOINC}/><entryRelationship typeCode="COMP">
  <act classCode="ACT" moodCode="EVN">${template('61')}<id root="1.2.14" extension="policy"/><code code="81" codeSystem="2.16.840.1.113883.3.221.5"/>
  <statusCode code="completed"/><performer typeCode="PRF">${template('87')}<assignedEntity><id root="1.2.15"/><representedOrganization><name>Aegis</name>
  </representedOrganization></assignedEntity></performer></act></entryRelationship></act></entry>`;

const note = `<entry><act classCode="ACT" moodCode="EVN">${template('202')}<code code="34109-9" ${LOINC}/><text mediaType="text/plain">Seen today.</text>
  <statusCode code="completed"/>${BY_PROGRAM}</act></entry>`;

const smoking = `<entry>${observation(
  `${template('78')}<code code="72166-2" ${LOINC}/><value ${VALUE} code="8517006" ${SNOMED} displayName="Former smoker"/>${BY_ORGANIZATION}`,
)}</entry>`;

/** Each as a part of a document, or to be put into one. */
export const EVERY_SECTION: readonly string[] = [
  section('11450-4', problem(BY_ORGANIZATION) + problem(BY_PROGRAM)),
  section('46241-6', problem(BY_PROGRAM)),
  section('48765-2', allergy(BY_ORGANIZATION) + allergy(BY_PROGRAM)),
  section('10160-0', medication('EVN', BY_PROGRAM) + medication('INT', BY_ORGANIZATION)),
  section('30954-2', results),
  section('8716-3', vitals),
  section('11369-6', immunization),
  section('47519-4', procedure),
  section('46240-8', encounter),
  section('29762-2', smoking),
  section('10157-6', relative),
  section('18776-5', plan),
  section('85847-2', careTeam),
  section('46264-8', supply),
  section('48768-6', payer),
  section('34109-9', note),
  section('10164-2', BY_PROGRAM),
];
