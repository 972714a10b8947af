import type { RestrictedScope } from '../../../contract/data-categories.ts';
import { GENOMIC_LOINC_CODES, GENOMIC_SNOMED_CODES } from '../entries/observation-kind.ts';
import { CVX, LOINC, NDC, RXNORM, SNOMED, UCUM } from '../entries/codeable-concept.ts';

export type CodedClass = Exclude<RestrictedScope, 'SUD_PART_2' | 'PSYCHOTHERAPY_NOTES'>;

const CPT = 'http://www.ama-assn.org/go/cpt';

/** ICD-10-CM says by the sixth character, or by the fifth before an X, what a poisoning or suffocation was meant as: 2 is self-harm. */
const SELF_HARM_BY_POISONING = 'T(?:3[6-9]|4[0-9]|5[0-9]|6[0-5]|71)\\.?[0-9A-Z](?:[0-9A-Z]2|2X)';

/**
 * Codes by system and class, beginnings for ICD. After the chapters of ICD-10-CM, ICD-10 and ICD-9-CM themselves and the published
 * value sets for data segmentation: SAMHSA Consent2Share (HIV, STI, mental health, substance use, reproductive health,
 * sickle cell), HL7 DS4P, US Core and PhenX questionnaires in LOINC, ingredients in RxNorm. Nicotine (F17, Z72.0, 305.1) is
 * no substance use here, as in those. No code says what part 2 covers and what a psychotherapy note is.
 */
const ICD_10_BEGINNINGS: Readonly<Record<CodedClass, string>> = {
  HIV_OR_STI:
    'A5[0-9] A6[0-4] A74 B2[0-4] B97\\.?35 B97\\.?7 B85\\.?3 F02\\.?4 I98\\.?0 K67\\.?[0-2] M03\\.?1 M73\\.?[01] N29\\.?0 N74\\.?[2-4] O98\\.?[1-37] P23\\.?1 P39\\.?1 R75 R8[57]\\.?8[12] Z11\\.?[34] Z11\\.?51 Z20\\.?[26] Z21 Z22\\.?4 Z29\\.?81 Z71\\.?7 Z72\\.?5 Z83\\.?0',
  SUBSTANCE_USE_OR_DRUG_ABUSE:
    'E24\\.?4 F1[0-689] F55 G31\\.?2 G62\\.?1 G72\\.?1 I42\\.?6 K29\\.?2 K70 K85\\.?2 K86\\.?0 O35\\.?[45] O99\\.?3[12] P04\\.?1[467] P04\\.?[34] P04\\.?81 P96\\.?1 Q86\\.?0 R78\\.?[0-5] T40 T43\\.?6 T51 X4[25] X6[25] Y1[25] Y9[01] Z02\\.?83 Z04\\.?0 Z50\\.?[23] Z63\\.?72 Z71\\.?[45] Z72\\.?[12] Z81\\.?[134] Z86\\.?4',
  MENTAL_HEALTH: `F06\\.?[0-689] F07\\.?0 F09 F[2-6][0-9] F9[0-9] O90\\.?6 O99\\.?34 P04\\.?15 P04\\.?1A R44\\.?0 R45\\.?8[58] T14\\.?91 X6[0-9] X7[0-9] X8[0-4] Y87\\.?0 Z00\\.?4 Z03\\.?2 Z04\\.?6 Z09\\.?3 Z13\\.?3 Z50\\.?4 Z54\\.?3 Z69 Z81\\.?8 Z86\\.?5 Z87\\.?890 Z91\\.?[45] ${SELF_HARM_BY_POISONING}`,
  GENETIC_TESTING:
    'D68\\.?5[12] G10 O28\\.?5 O35\\.?1 Z13\\.?7 Z14 Z15 Z31\\.?4[34] Z31\\.?5 Z36\\.?0 Z36\\.?8A Z71\\.?83 Z84\\.?81',
  REPRODUCTIVE_HEALTH_DATA:
    'A34 C58 D39\\.?2 E28\\.?2 F32\\.?81 F53 F64 M83\\.?0 N46 N80 N9[12] N94\\.?[3-6] N96 N97 N98 O P0[0-4] P95 P96\\.?4 R86 T38\\.?4 T83\\.?3 Y42\\.?4 Z03\\.?7 Z29\\.?13 Z3[0-9A] Z64\\.?[01] Z79\\.?3 Z86\\.?32 Z87\\.?5 Z87\\.?890 Z90\\.?71 Z92\\.?0 Z97\\.?5 Z98\\.?5',
  SICKLE_CELL: 'D57',
};

const ICD_9_BEGINNINGS: Readonly<Record<CodedClass, string>> = {
  HIV_OR_STI:
    '042 V08 V01\\.?6 V02\\.?[78] V65\\.?4[45] V69\\.?2 V73\\.?[89][18] V74\\.?5 054\\.?1 078\\.?11 079\\.?4 079\\.?53 079\\.?[89]8 09[0-9] 131 795\\.?[01]5 795\\.?71 796\\.?75',
  SUBSTANCE_USE_OR_DRUG_ABUSE:
    '291 292 303 304 305\\.?[02-9] 357\\.?5 425\\.?5 535\\.?3 571\\.?[0-3] 648\\.?3 655\\.?[45] 760\\.?7[1235] 779\\.?5 790\\.?3 965\\.?0 969\\.?[67] 970\\.?81 980 E850\\.?[0-2] E860 V11\\.?3 V61\\.?4[12] V65\\.?42 V79\\.?1',
  MENTAL_HEALTH:
    '29[5-9] 30[0-2] 30[6-9] 31[1-4] 648\\.?4 E95[0-9] V11\\.?[01289] V15\\.?4 V15\\.?59 V17\\.?0 V40\\.?[239] V62\\.?8[45] V66\\.?3 V67\\.?3 V70\\.?[12] V71\\.?0 V79\\.?0',
  GENETIC_TESTING: '655\\.?1 795\\.?2 V26\\.?3 V82\\.?7 V83 V84',
  REPRODUCTIVE_HEALTH_DATA:
    '181 236\\.?1 256\\.?4 302\\.?85 606 617 625\\.?[34] 626 628 6[3-7][0-9] 76[0-3] 779\\.?6 792\\.?2 996\\.?32 V13\\.?1 V13\\.?2[19] V15\\.?7 V2[2-8] V45\\.?5 V61\\.?[5-7] V72\\.?4 V91',
  SICKLE_CELL: '282\\.?4[12] 282\\.?[56]',
};

/** The third volume of ICD-9-CM: psychiatric care and detoxification, sterilization, assisted conception and birth. */
const ICD_9_PROCEDURES: Readonly<Record<CodedClass, string>> = {
  HIV_OR_STI: '',
  SUBSTANCE_USE_OR_DRUG_ABUSE: '94\\.?4[56] 94\\.?5[34] 94\\.?6',
  MENTAL_HEALTH: '94\\.?[0-5]',
  GENETIC_TESTING: '',
  REPRODUCTIVE_HEALTH_DATA: '63\\.?7 65\\.?99 66\\.?[23] 68\\.?[3-9] 69\\.?[057] 69\\.?9[23] 7[2-5] 97\\.?71',
  SICKLE_CELL: '',
};

const LOINC_CODES: Readonly<Record<CodedClass, string>> = {
  // HIV antibody, antigen, RNA, genotype, CD4; syphilis, chlamydia, gonorrhoea, trichomonas, genital herpes
  HIV_OR_STI:
    '7917-8 7918-6 7919-4 5220-9 5221-7 5222-5 5223-3 29893-5 30361-0 31201-7 33866-5 34591-8 34592-6 35437-3 35438-1 35439-9 40732-0 43010-8 44531-2 44532-0 48345-3 48346-1 49580-4 49905-3 53379-4 56888-1 57974-8 57975-5 57976-3 57977-1 57978-9 58900-2 62456-9 68961-2 73905-2 73906-0 75622-1 75666-8 80203-3 80387-4 81641-3 83101-6 85037-0 86233-4 89365-1 89374-3 20447-9 21008-8 23876-6 25835-0 25836-8 24012-7 29539-4 29541-0 41145-4 41497-9 41513-3 41514-1 41515-8 41516-6 48510-2 48511-0 48551-6 48552-4 59419-2 62469-2 70241-5 21333-0 24467-3 8127-3 8128-1 11084-1 17723-8 17724-6 17725-3 17726-1 17727-9 17728-7 17729-5 20507-0 20508-8 22461-8 22462-6 24110-9 24312-1 26009-1 31147-2 34382-2 47236-5 47237-3 47238-1 47063-3 5291-0 5292-8 5392-4 5393-2 5394-0 8041-6 63464-2 6561-5 6562-3 21613-5 21190-4 21191-2 43304-5 43305-2 43404-3 36902-5 36903-3 44806-8 44807-6 45067-6 45068-4 45069-2 45070-0 45074-2 45075-9 45076-7 45078-3 50387-0 50388-8 53925-4 53926-2 6349-5 6356-0 6357-8 21415-5 21416-3 24111-7 32198-4 32199-2 32705-6 43403-5 5028-6 688-2 691-6 692-4 698-1 46154-1 6565-6 6568-0 53836-3 62440-3 55277-8 24013-5 8123-2 54218-3 45084-1 43406-8 21440-3 30167-1 59420-0 77379-6',
  // AUDIT-C, AUDIT, DAST-10, TAPS, CAGE, alcohol and drug history, toxicology
  SUBSTANCE_USE_OR_DRUG_ABUSE:
    '11331-6 11343-5 74013-4 74204-9 72109-2 68518-0 68519-8 68520-6 75626-2 75624-7 82666-9 82667-7 82668-5 68517-2 74205-6 5640-8 5643-2 3397-7 3398-5 3349-8 3393-6 3426-4 3427-2 3435-5 3436-3 3530-7 3879-4 8150-5 8237-0 14307-3 14309-9 14310-7 14313-1 14314-9 14315-6 14316-4 18282-4 18390-5 19043-9 19065-2 19261-7 19270-8 19295-5 19343-3 19359-9 19415-9 19550-3 19593-3 19659-2 19664-2 20410-7 20521-1 20546-8 43984-4 58359-1 72479-9 72786-7 74697-4 93495-0 3390-2 3936-2 72110-0 96841-2 96842-0 96843-8 96844-6 88037-7 75889-6 65750-2 12286-1 3377-9',
  // PHQ-2, PHQ-9, PHQ-A, GAD-7, Edinburgh, Columbia, PC-PTSD, PROMIS depression and anxiety; psychiatric notes
  MENTAL_HEALTH:
    '44249-1 44250-9 44251-7 44252-5 44253-3 44254-1 44255-8 44256-6 44257-4 44258-2 44259-0 44260-8 44261-6 55757-9 55758-7 69725-6 69737-5 70274-6 69730-6 68509-9 69689-4 69733-0 69734-8 69735-5 69736-3 71354-5 73831-0 73832-8 89204-2 89205-9 89206-7 89207-5 89208-3 89209-1 89210-9 89211-7 89212-5 89213-3 93373-9 93267-3 93246-7 93247-5 93248-3 93249-1 93250-9 28627-2 28635-5 28636-3 34788-0 34126-3 78263-1 84200-5 14334-7 3719-2 69722-7 94023-9 70273-8 69725-0 99046-5',
  GENETIC_TESTING: `${GENOMIC_LOINC_CODES} 51958-7 51959-5 51963-7 53034-5 55208-3 62364-5 62365-2 69547-8 73977-1 79716-7 81248-7 81290-9 81304-8 81695-9 83005-9 82121-5 94076-7 21636-6 21639-0 21640-8 38530-2 59041-4 21667-1 24475-6 21654-9 21656-4 36913-2 33893-9 51784-7 79207-7 62389-2 29770-5 62386-8 21668-9 24476-4 21665-5 21702-6 47403-1 43368-0`,
  // pregnancy tests and status, gestation, obstetric history, contraception, prenatal notes
  REPRODUCTIVE_HEALTH_DATA:
    '82810-3 2106-3 2107-1 2110-5 2118-8 2119-6 19080-1 20415-6 21198-7 45194-8 55869-2 55870-0 80384-1 80385-8 11449-6 11778-8 11779-6 11780-4 11781-2 49051-6 57036-6 11612-9 11636-8 11637-6 11638-4 11639-2 11640-0 11977-6 11996-6 8665-2 86645-9 86646-7 86649-1 86650-9 86651-7 86652-5 57086-1 57071-3 34119-8 57057-2 38476-8 2112-1 18185-9 11884-4 11885-1 55283-6 11881-0 71354-5 99046-5',
  SICKLE_CELL: '4625-0 4621-9 4623-5 6864-3 20572-4 32682-7 46740-7 71863-5 24469-9 54065-8 54081-5',
};

const SNOMED_CODES: Readonly<Record<CodedClass, string>> = {
  HIV_OR_STI:
    '86406008 62479008 165816005 91947003 91948008 165815009 170500002 31676001 171121004 313077009 111880001 40780007 420721002 397763006 52079000 405631006 15628003 240589008 105629000 76272004 186847001 266126009 56335008 33839006 402888002 240480009 35974005 240542006 74372003 416774000 8098009 240532009',
  SUBSTANCE_USE_OR_DRUG_ABUSE:
    '7200002 15167005 66590003 191811004 191816009 26416006 5602001 6525002 361055000 55680006 707848009 37344009 78267003 31956009 85005007 427229002 75544000 231477003 228366006 228367002 191882002 191820008 85561006 408934002 171208001 423416000 426928008 428659002 417096006 413473000 160573003 41309000 66214007 10939881000119105 8635005 1149222004 25702006 70273001 242253008 228390007 428211000124100 713106006 868187001 763302001 24165007 56876005 228276006',
  MENTAL_HEALTH:
    '394587001 394588006 394913002 408467006 35489007 36923009 370143000 192080009 40568001 310497006 310496002 310495003 87512008 832007 66344007 79298009 73867007 48694002 197480006 21897009 371631005 47505003 13746004 68890003 58214004 69322001 191736004 192127007 406506008 7461003 18193002 78004001 72366004 56882008 33449004 231504006 31297008 46206005 1499003 17226007 26665006 17961008 47447001 225444004 401206008 248062006 74732009 413307004 171207006 454711000124102 715252007 720433000 183401008 228557008 304891004 228538006 108313002 15558000 76168009 183524004 58703003 80583007 386810004 67195008 88975006 247824007 6471006 82313006 86849004 93461009 247803002 5158005 66347000 710841007',
  GENETIC_TESTING: `${GENOMIC_SNOMED_CODES} 405824009 67222000 106221001 54070000 391988003 312850006 412734009 412738007 397841007 442083009 79841006 58756001`,
  REPRODUCTIVE_HEALTH_DATA:
    '408470005 394585009 77386006 72892002 47200007 79586000 34801009 17369002 19169002 35999006 156072005 156073000 79290002 70317007 57797005 386639001 14094001 169826009 127364007 169560008 60810003 199745000 398254007 46894009 6096002 15394000 609496007 82118009 35656003 13767004 8619003 65046005 286996009 287664005 169553002 169554008 65200003 46706006 384729004 225250007 237015000 183460006 408969000 169762003 424441002 424619006 66348005 237001001 134435003 10231000132102 11687002 237055002 2904007 58703003 93461009 65147003 16356006 90968009 198992004 15938005 276507005 44782008 6383007 44223004 36813001 47821001 6738008 442311008 386804004 386692008 266599000 431416001 82639001 129103003 267020005 183996000 54048003 445872007 161714006 161713000 22523008 236886002 169230002 271442007 386637004 177184002 22633006 11466000 31208007 85548006 312404004 713076009 275833003 225158009 274804006 68254000 301807007 755621000000101 248986005',
  SICKLE_CELL:
    '417357006 417425009 127040003 127041004 35434009 36472007 417279003 16402000 416180004 416290001 416484003 416638004 416826005 417048006 417517009 417683006 127045008 127048005',
};

/** Ingredients (and the strength of mifepristone that is for nothing else). Products are found by the ingredients in their names. */
const RXNORM_CODES: Readonly<Record<CodedClass, string>> = {
  HIV_OR_STI:
    '11413 68244 190521 276237 195085 1433868 85762 300195 460132 195088 343047 1102270 719872 53654 117466',
  SUBSTANCE_USE_OR_DRUG_ABUSE: '6813 1819 7242 7243 3554 82819 725',
  MENTAL_HEALTH:
    '36437 4493 321988 2556 32937 42347 39786 72625 51272 61381 35636 89013 2626 5093 6448 15996 10737 42355 31565 734064 704 7531 3638 5691 2597 679314 1040028 115698 2403 8076 4496 596 6470 2598 3322 7781 2356 1827 6901 725 700810 38400 40114 3247 8886 10834 1455099 1665509 1658314 73178 8331 10502 114176',
  GENETIC_TESTING: '',
  REPRODUCTIVE_HEALTH_DATA: '6691 6373 4124 7514 2596 11636 31994 14584 42331 7824 6964 330381',
  SICKLE_CELL: '2256930 2264172',
};

/** CPT, and HCPCS level II: both stand in one element, often under the name of the other. */
const CPT_CODES: Readonly<Record<CodedClass, string>> = {
  HIV_OR_STI:
    '8670[1-3] 87389 8753[4-9] 8659[23] 87491 87591 87661 87810 87850 G0432 G0433 G0435 G0475 G001[1-3] J0739 J0741 J075[01] J1324 J1746 J1961 Q051[6-8]',
  // G2067 to G2080 and G1028: what opioid treatment programs bill; J and Q: buprenorphine, naltrexone, methadone, naloxone
  SUBSTANCE_USE_OR_DRUG_ABUSE:
    '9940[89] 8030[5-7] 8032[0-9] 8033[0-9] 8034[0-9] 8035[0-9] G039[67] G044[23] G051[6-8] G0659 G1028 G2011 G206[7-9] G207[0-9] G208[0678] G221[56] H000[1-9] H001[0-9] H002[0-2689] H004[789] H0050 H203[4-6] J0570 J057[1-578] J0592 J1230 J231[015] Q999[12] S0109 S9475 T100[6-9] T101[0-2]',
  MENTAL_HEALTH:
    '9079[12] 9083[2-9] 9084[0-9] 9085[0-3] 9086[3-9] 9087[0-9] 9088[0-9] 9089[0-9] 96127 96130 96131 G0409 G041[01] G0444 G0469 G0470 G8431 G8510 G208[23] H003[1-9] H004[0-6] H201[0-9] H2020 H2027 H203[0-3] J0401 J163[01] J194[34] J2358 J242[67] J2680 J279[48] J3486 S9480 S948[45]',
  GENETIC_TESTING: '812[0-9]{2} 813[0-9]{2} 814[0-9]{2} 811[0-9]{2} 882[3-9][0-9] 96040 S0265',
  REPRODUCTIVE_HEALTH_DATA:
    '59[0-9]{3} 5830[01] 5867[01] 58600 58605 58611 58615 55250 5832[123] 5897[046] 8470[23] 81025 76801 768[01][0-9] 1198[1-3] A426[14678] H100[0-5] H1010 J1050 J729[4-8] J730[013467] S019[019] S226[0-7] S4981 S4989 S4993',
  SICKLE_CELL: '85660 J0791 S3850',
};

/** ICD-10-PCS by its sections and body systems: HZ is the treatment of substance abuse, GZ of the mind, 10 and BY pregnancy. */
const ICD_10_PCS_BEGINNINGS: Readonly<Record<CodedClass, string>> = {
  HIV_OR_STI: '',
  SUBSTANCE_USE_OR_DRUG_ABUSE: 'HZ',
  MENTAL_HEALTH: 'GZ',
  GENETIC_TESTING: '',
  REPRODUCTIVE_HEALTH_DATA: '10 BY 0UL7 0UT9 0VLQ',
  SICKLE_CELL: '',
};

/** Revenue codes of the NUBC, also without the zero before them: wards for detoxification, psychiatric and obstetric ones, behavioral health. */
const REVENUE_CODES: Readonly<Record<CodedClass, string>> = {
  HIV_OR_STI: '',
  SUBSTANCE_USE_OR_DRUG_ABUSE: '0?1[1-5]6 0?906 0?94[45] 0?953 1002',
  MENTAL_HEALTH: '0?1[1-5]4 0?204 0?513 0?90[0-9] 0?91[0-9] 0?961 100[01]',
  GENETIC_TESTING: '',
  REPRODUCTIVE_HEALTH_DATA: '0?1[1-5]2 0?72[0-24] 0?925',
  SICKLE_CELL: '',
};

/** Medicare Severity DRG: MDC 25 (HIV), 20 (alcohol and drugs), 19 (the mind), 14 (pregnancy and birth). */
const MS_DRG_CODES: Readonly<Record<CodedClass, string>> = {
  HIV_OR_STI: '969 970 97[4-7]',
  SUBSTANCE_USE_OR_DRUG_ABUSE: '89[4-7]',
  MENTAL_HEALTH: '876 88[0-7]',
  GENETIC_TESTING: '',
  REPRODUCTIVE_HEALTH_DATA: '76[5-9] 77[0-9] 78[0-8] 79[678] 80[567] 81[789] 83[123]',
  SICKLE_CELL: '',
};

/** Where somebody came from, went to, or was treated, in HL7's own tables. */
const PLACE_CODES: Readonly<Record<CodedClass, string>> = {
  HIV_OR_STI: '',
  SUBSTANCE_USE_OR_DRUG_ABUSE: 'SURF',
  MENTAL_HEALTH: 'psy psych PSYCHF PHU',
  GENETIC_TESTING: '',
  REPRODUCTIVE_HEALTH_DATA: '',
  SICKLE_CELL: '',
};

/**
 * National Drug Codes (5-4-2, or without hyphens) of products that are nothing else: all of ViiV Healthcare (49702), Gilead's
 * for HIV, buprenorphine of Indivior and depot naltrexone. Other medicines are known by their words and RxNorm codes.
 */
const NDC_BEGINNINGS: Readonly<Record<CodedClass, string>> = {
  HIV_OR_STI: '49702 61958-?(?:0[467]|1[1-4]|19|2[015]|30)\\d\\d',
  SUBSTANCE_USE_OR_DRUG_ABUSE: '12496-?(?:12\\d\\d|0[13]00) 65757-?030',
  MENTAL_HEALTH: '',
  GENETIC_TESTING: '',
  REPRODUCTIVE_HEALTH_DATA: '',
  SICKLE_CELL: '',
};

/** Vaccines say nothing of these classes: everybody is offered them. Units do not either. */
const UNCLASSIFIED_SYSTEMS: ReadonlySet<string> = new Set([CVX, UCUM]);

type Patterns = readonly (readonly [CodedClass, RegExp])[];

function compilePatterns(lists: Readonly<Record<CodedClass, string>>, end: '$' | ''): Patterns {
  return (Object.entries(lists) as [CodedClass, string][]).flatMap(([name, codes]) =>
    codes === '' ? [] : [[name, new RegExp(`^(?:${codes.split(' ').join('|')})${end}`, 'i')] as const],
  );
}

const ICD_10_PATTERNS = compilePatterns(ICD_10_BEGINNINGS, '');
const ICD_9_PATTERNS = compilePatterns(ICD_9_BEGINNINGS, '');
const ICD_9_PROCEDURE_PATTERNS = compilePatterns(ICD_9_PROCEDURES, '');
const SNOMED_PATTERNS = compilePatterns(SNOMED_CODES, '$');
const LOINC_PATTERNS = compilePatterns(LOINC_CODES, '$');
const CPT_PATTERNS = compilePatterns(CPT_CODES, '$');
const ICD_10_PCS_PATTERNS = compilePatterns(ICD_10_PCS_BEGINNINGS, '');
const REVENUE_PATTERNS = compilePatterns(REVENUE_CODES, '$');
const MS_DRG_PATTERNS = compilePatterns(MS_DRG_CODES, '$');
const PLACE_PATTERNS = compilePatterns(PLACE_CODES, '$');

const BY_SYSTEM: ReadonlyMap<string, Patterns> = new Map([
  [SNOMED, SNOMED_PATTERNS],
  [LOINC, LOINC_PATTERNS],
  [NDC, compilePatterns(NDC_BEGINNINGS, '')],
  [RXNORM, compilePatterns(RXNORM_CODES, '$')],
  [CPT, CPT_PATTERNS],
  ['urn:oid:2.16.840.1.113883.6.12', CPT_PATTERNS],
  ['http://www.cms.gov/Medicare/Coding/HCPCSReleaseCodeSets', CPT_PATTERNS],
  ['urn:oid:2.16.840.1.113883.6.285', CPT_PATTERNS],
  ['http://bluebutton.cms.gov/resources/codesystem/hcpcs', CPT_PATTERNS],
  ['http://www.cms.gov/Medicare/Coding/ICD10', ICD_10_PCS_PATTERNS],
  ['urn:oid:2.16.840.1.113883.6.4', ICD_10_PCS_PATTERNS],
  ['http://www.nubc.org/CodeSystem/RevenueCodes', REVENUE_PATTERNS],
  ['http://bluebutton.cms.gov/resources/variables/rev_cntr', REVENUE_PATTERNS],
  [
    'http://www.cms.gov/Medicare/Medicare-Fee-for-Service-Payment/AcuteInpatientPPS/MS-DRG-Classifications-and-Software',
    MS_DRG_PATTERNS,
  ],
  ['http://bluebutton.cms.gov/resources/variables/clm_drg_cd', MS_DRG_PATTERNS],
  ['http://terminology.hl7.org/CodeSystem/discharge-disposition', PLACE_PATTERNS],
  ['http://terminology.hl7.org/CodeSystem/admit-source', PLACE_PATTERNS],
  ['http://terminology.hl7.org/CodeSystem/v3-RoleCode', PLACE_PATTERNS],
]);

/**
 * ICD under any address, in any edition and language: `…/icd-10-es`, `…/icd-9-cm/diagnosis`, `ICD10AM`, `CIE-10`, `BRCID10`, OIDs
 * and the names of HL7's table 0396.
 */
const ICD =
  /(?:^|[^a-z])(?:icd|cie|cim|(?:br)?cid)(?:[-_ ]?|\/release\/)0?(9|10)(?!\d)|^i(9|10)(?:c|p|cm|cp|cdx)?$/i;
const ICD_10_OID = /^(?:urn:oid:)?2\.16\.840\.1\.113883\.6\.(?:3(?:\.\d+)*|90|135|260)$/i;
const ICD_9_OID = /^(?:urn:oid:)?2\.16\.840\.1\.113883\.6\.(?:2|42|103)$/i;
const ICD_9_PROCEDURE_OID = 'urn:oid:2.16.840.1.113883.6.104';
const PROCEDURES =
  /^(?:http:\/\/(?:www\.)?(?:hl7\.org\/fhir|terminology\.hl7\.org)\/(?:sid|CodeSystem)\/)?icd[-_ ]?(?:10[-_ ]?pcs|9[-_ ]?(?:cm)?[-_ /]?(?:procedures?|vol(?:ume)?[-_ ]?3))$|^i(?:9c?|10)p$/i;
/** An address of somebody's own may mean a process by it, or name diagnoses beside the procedures. */
const MAYBE_PROCEDURES = /pcs|proc|vol(?:ume)?[-_ ]?3/i;

/** Returns what is known of a system; null of one that is not. */
function findPatterns(written: string): Patterns | null {
  const system = written.replace(/^https:/i, 'http:');
  const known = BY_SYSTEM.get(system);
  if (known !== undefined) return known;
  if (ICD_10_OID.test(system)) return ICD_10_PATTERNS;
  if (ICD_9_OID.test(system)) return ICD_9_PATTERNS;
  if (system === ICD_9_PROCEDURE_OID) return ICD_9_PROCEDURE_PATTERNS;
  const [, named, short] = ICD.exec(system) ?? [];
  const edition = named ?? short;
  if (edition === undefined) return null;
  const [diagnoses, procedures] =
    edition === '9' ? [ICD_9_PATTERNS, ICD_9_PROCEDURE_PATTERNS] : [ICD_10_PATTERNS, ICD_10_PCS_PATTERNS];
  if (PROCEDURES.test(system)) return procedures;
  return MAYBE_PROCEDURES.test(system) ? [...diagnoses, ...procedures] : diagnoses;
}

/** Guesses the system of a code that names none by its form. */
function guessPatterns(code: string): Patterns {
  if (/^\d{1,6}-\d$/.test(code)) return LOINC_PATTERNS;
  if (/^[A-Z]\d[0-9A-Z]$|^[A-Za-z]\d[0-9A-Za-z]\./.test(code)) return ICD_10_PATTERNS;
  return /^\d{6,18}$/.test(code) ? SNOMED_PATTERNS : [];
}

/** Forms that codes of ICD-10 and LOINC have, and few others: also in a system of somebody's own they are these. A number may be any. */
const UNMISTAKABLE = /^(?:[A-Z]\d[0-9A-Z]\.[0-9A-Z]{1,4}|\d{4,6}-\d)$/i;

/** Primary care (`W78.01` is pregnancy, `F29.01` the eye) and procedures of Switzerland: of the same form with another meaning. */
const OTHER_MEANING = /icpc|chop/i;

/** Returns the classes that the lists give to a code. */
export function classifyCode(system: string | null, code: string): CodedClass[] {
  const lists = system === null ? guessPatterns(code) : listPatterns(system, code);
  return lists.flatMap(([name, pattern]) => (pattern.test(code) ? name : []));
}

function listPatterns(system: string, code: string): Patterns {
  if (UNCLASSIFIED_SYSTEMS.has(system)) return [];
  const known = findPatterns(system);
  if (known !== null) return known;
  const isStated = UNMISTAKABLE.test(code) && !ABBREVIATING.test(system) && !OTHER_MEANING.test(system);
  return isStated ? guessPatterns(code) : [];
}

/**
 * Tables whose codes are numbers and short abbreviations: of HL7 v2 and v3, of what is registered with HL7, of race and ethnicity
 * (CDC), and of ISO and IETF.
 */
const ABBREVIATING =
  /\/v[23][-/]|\/CDCREC$|^urn:oid:2\.16\.840\.1\.113883\.(?:5|6|12|18)\.|^urn:(?:ietf|iso):/i;

/** Whether it is known what codes of a system mean, or that they are no codes of these lists. */
const isKnown = (system: string): boolean =>
  UNCLASSIFIED_SYSTEMS.has(system) || findPatterns(system) !== null || ABBREVIATING.test(system);

/** Whether a code is none of another system's, whatever form it has: one of race is no test of LOINC. */
export const isKnownSystem = (system: string): boolean => isKnown(system) || OTHER_MEANING.test(system);

/** Whether a code may say in words what it means: in systems of a hospital's own, and where no system is named. */
export const mayHoldWords = (system: string | null): boolean => system === null || !isKnown(system);
