/** HL7 v3 Confidentiality. */
export const CONFIDENTIALITY = 'http://terminology.hl7.org/CodeSystem/v3-Confidentiality';

/**
 * FHIR's URIs of the code systems that CDA names by OID: those of HL7's terminology (THO) and of FHIR R4 §4.3. Every OID
 * in the published documents we read is here or has no URI of its own.
 */
const SYSTEMS = new Map([
  ['2.16.840.1.113883.6.1', 'http://loinc.org'],
  ['2.16.840.1.113883.6.96', 'http://snomed.info/sct'],
  ['2.16.840.1.113883.6.88', 'http://www.nlm.nih.gov/research/umls/rxnorm'],
  ['2.16.840.1.113883.6.8', 'http://unitsofmeasure.org'],
  ['2.16.840.1.113883.6.12', 'http://www.ama-assn.org/go/cpt'],
  ['2.16.840.1.113883.6.13', 'http://www.cms.gov/Medicare/Coding/HCPCSReleaseCodeSets'],
  ['2.16.840.1.113883.6.285', 'http://www.cms.gov/Medicare/Coding/HCPCSReleaseCodeSets'],
  ['2.16.840.1.113883.6.3', 'http://hl7.org/fhir/sid/icd-10'],
  ['2.16.840.1.113883.6.4', 'http://www.cms.gov/Medicare/Coding/ICD10'],
  ['2.16.840.1.113883.6.90', 'http://hl7.org/fhir/sid/icd-10-cm'],
  ['2.16.840.1.113883.6.42', 'http://hl7.org/fhir/sid/icd-9'],
  ['2.16.840.1.113883.6.103', 'http://hl7.org/fhir/sid/icd-9-cm'],
  ['2.16.840.1.113883.6.104', 'http://terminology.hl7.org/CodeSystem/icd9-procedure'],
  ['2.16.840.1.113883.6.254', 'http://hl7.org/fhir/sid/icf-nl'],
  ['2.16.840.1.113883.12.292', 'http://hl7.org/fhir/sid/cvx'],
  ['2.16.840.1.113883.6.59', 'http://hl7.org/fhir/sid/cvx'],
  ['2.16.840.1.113883.6.69', 'http://hl7.org/fhir/sid/ndc'],
  ['2.16.840.1.113883.4.9', 'http://fdasis.nlm.nih.gov'],
  ['2.16.840.1.113883.3.26.1.1', 'http://ncicb.nci.nih.gov/xml/owl/EVS/Thesaurus.owl'],
  ['2.16.840.1.113883.3.26.1.5', 'http://hl7.org/fhir/ndfrt'],
  ['2.16.840.1.113883.6.209', 'http://hl7.org/fhir/ndfrt'],
  ['2.16.840.1.113883.6.101', 'http://nucc.org/provider-taxonomy'],
  ['2.16.840.1.113883.6.238', 'urn:oid:2.16.840.1.113883.6.238'],
  ['2.16.840.1.113883.6.259', 'https://www.cdc.gov/nhsn/cdaportal/terminology/codesystem/hsloc.html'],
  ['2.16.840.1.113883.3.221.5', 'https://nahdo.org/sopt'],
  ['2.16.840.1.113883.6.301.5', 'https://www.nubc.org/CodeSystem/PatDischargeStatus'],
  ['1.2.840.10008.2.16.4', 'http://dicom.nema.org/resources/ontology/DCM'],
  ['2.16.840.1.113883.6.208', 'http://terminology.hl7.org/CodeSystem/nddf'],
  ['2.16.840.1.113883.6.68', 'http://terminology.hl7.org/CodeSystem/medispanGPI'],
  ['2.16.840.1.113883.6.253', 'http://terminology.hl7.org/CodeSystem/medispanDDID'],
  ['2.16.840.1.113883.6.64', 'http://terminology.hl7.org/CodeSystem/FDDC'],
  ['2.16.840.1.113883.5.1', 'http://terminology.hl7.org/CodeSystem/v3-AdministrativeGender'],
  ['2.16.840.1.113883.5.2', 'http://terminology.hl7.org/CodeSystem/v3-MaritalStatus'],
  ['2.16.840.1.113883.5.4', 'http://terminology.hl7.org/CodeSystem/v3-ActCode'],
  ['2.16.840.1.113883.5.6', 'http://terminology.hl7.org/CodeSystem/v3-ActClass'],
  ['2.16.840.1.113883.5.7', 'http://terminology.hl7.org/CodeSystem/v3-ActPriority'],
  ['2.16.840.1.113883.5.8', 'http://terminology.hl7.org/CodeSystem/v3-ActReason'],
  ['2.16.840.1.113883.5.14', 'http://terminology.hl7.org/CodeSystem/v3-ActStatus'],
  ['2.16.840.1.113883.5.25', CONFIDENTIALITY],
  ['2.16.840.1.113883.5.60', 'http://terminology.hl7.org/CodeSystem/v3-LanguageAbilityMode'],
  ['2.16.840.1.113883.5.61', 'http://terminology.hl7.org/CodeSystem/v3-LanguageAbilityProficiency'],
  ['2.16.840.1.113883.5.83', 'http://terminology.hl7.org/CodeSystem/v3-ObservationInterpretation'],
  ['2.16.840.1.113883.5.84', 'http://terminology.hl7.org/CodeSystem/v3-ObservationMethod'],
  ['2.16.840.1.113883.5.85', 'http://terminology.hl7.org/CodeSystem/v3-orderableDrugForm'],
  ['2.16.840.1.113883.5.88', 'http://terminology.hl7.org/CodeSystem/v3-ParticipationFunction'],
  ['2.16.840.1.113883.5.89', 'http://terminology.hl7.org/CodeSystem/v3-ParticipationMode'],
  ['2.16.840.1.113883.5.90', 'http://terminology.hl7.org/CodeSystem/v3-ParticipationType'],
  ['2.16.840.1.113883.5.110', 'http://terminology.hl7.org/CodeSystem/v3-RoleClass'],
  ['2.16.840.1.113883.5.111', 'http://terminology.hl7.org/CodeSystem/v3-RoleCode'],
  ['2.16.840.1.113883.5.112', 'http://terminology.hl7.org/CodeSystem/v3-RouteOfAdministration'],
  ['2.16.840.1.113883.5.1008', 'http://terminology.hl7.org/CodeSystem/v3-NullFlavor'],
  ['2.16.840.1.113883.5.1052', 'http://terminology.hl7.org/CodeSystem/v3-ActSite'],
  ['2.16.840.1.113883.5.1070', 'http://terminology.hl7.org/CodeSystem/v3-TargetAwareness'],
  ['2.16.840.1.113883.5.1076', 'http://terminology.hl7.org/CodeSystem/v3-ReligiousAffiliation'],
  ['2.16.840.1.113883.12.112', 'http://terminology.hl7.org/CodeSystem/v2-0112'],
  ['2.16.840.1.113883.12.443', 'http://terminology.hl7.org/CodeSystem/v2-0443'],
  ['2.16.840.1.113883.18.108', 'http://terminology.hl7.org/CodeSystem/v2-0203'],
  ['2.16.840.1.113883.12.203', 'http://terminology.hl7.org/CodeSystem/v2-0203'],
  // Value sets that vendors write in place of the code system; each draws on one code system alone.
  ['2.16.840.1.113883.1.11.78', 'http://terminology.hl7.org/CodeSystem/v3-ObservationInterpretation'],
  ['2.16.840.1.113883.1.11.1', 'http://terminology.hl7.org/CodeSystem/v3-AdministrativeGender'],
  ['2.16.840.1.113883.1.11.13955', 'http://terminology.hl7.org/CodeSystem/v3-ActCode'],
  ['2.16.840.1.113883.1.11.19185', 'http://terminology.hl7.org/CodeSystem/v3-ReligiousAffiliation'],
  ['2.16.840.1.113883.1.11.19563', 'http://terminology.hl7.org/CodeSystem/v3-RoleCode'],
  ['2.16.840.1.113883.1.11.19830', 'http://terminology.hl7.org/CodeSystem/v3-RoleCode'],
  ['2.16.840.1.113883.11.19725', 'http://terminology.hl7.org/CodeSystem/v3-ActReason'],
  ['2.16.840.1.113883.3.88.12.3221.8.9', 'http://snomed.info/sct'],
  ['2.16.840.1.113883.11.19465', 'http://nucc.org/provider-taxonomy'],
  // Names in place of an OID: 2 of the 9,000 codes of the published documents.
  ['SNOMED', 'http://snomed.info/sct'],
  ['CPT', 'http://www.ama-assn.org/go/cpt'],
]);

const OID = /^[0-2](\.(0|[1-9]\d*))+$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns the `system` of a coding: `urn:oid:…` for an unknown OID, undefined for what is no OID. */
export function toCodeSystem(oid: string | undefined): string | undefined {
  return oid === undefined ? undefined : (SYSTEMS.get(oid) ?? toUri(oid));
}

/** Returns `urn:oid:` or `urn:uuid:` with an OID or UUID. */
export function toUri(root: string): string | undefined {
  if (OID.test(root)) return `urn:oid:${root}`;
  return UUID.test(root) ? `urn:uuid:${root.toLowerCase()}` : undefined;
}
