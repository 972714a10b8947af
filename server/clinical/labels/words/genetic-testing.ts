import { ofPerson } from './germs.ts';
import type { ClassWords } from './word-table.ts';

const GENES =
  'germ~line|MLH1|MSH[26]|PMS2|CFTR|JAK2|HFE|APOE|TP53|PALB2|CHEK2|ATM|PTEN|KRAS|NRAS|BRAF|PIK3CA|FLT3|NPM1|MTHFR|HBB|SMN1|FMR1|DMD|ROS1|NTRK[123]?|FGFR[1-4]|IDH[12]|PDGFRA|ABL1|MUTYH|STK11|CDH1|SMAD4|BMPR1A|EZH2|LRRK2|SOD1|C9orf72|MYBPC3|MYH7|SCN5A|KCNQ1|LDLR|PCSK9|SERPINA1|GJB2|DPYD|TPMT|UGT1A1|SLCO1B1|VKORC1|NUDT15|RUNX1|DNMT3A|ASXL1';
/** Of these the letters are words, or the names of other things, in lower case. */
const WRITTEN_GENES = 'ALK|RET|MET|KIT|APC|VHL|NF[12]|RB1|GBA1?|TTR|PAH|MPL|F[25]|MYC|ERBB2|POLE|TERT|CALR';
/** What is found of a gene, and of nothing else that is called as it is: "eGFR test" is of a kidney. */
const CHANGED =
  'mutat|mutant|mutad|variant|sequenc|genes?(?![a-z])|genotyp|deletion|duplication|insertion|rearrang|reordenam|fusion|amplif|translocat|polymorphism|homozyg|heterozyg';
const FINDINGS = `${CHANGED}|test|analys|panel|carrier|positive|negative|status|detected|not detected|wild~type|loss`;
/** "G12C", "p.V600E", "exon 19": what of a gene is changed. */
const CHANGES = '[(]?(?:p[.])?[A-Z][0-9]{2,4}(?:[A-Z]|fs|del)[)]?|[(]?exon [0-9]{1,2}';
const capitalizeEach = (words: string): string =>
  words.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());
/** Diseases that somebody is a carrier of without having them. */
const CARRIED =
  '(?:cystic fibrosis|fragile x|tay~sachs|(?:alpha |beta )?thalass?emi[ac]|ha?emophilia|spinal muscular atrophy|duchenne|gaucher|canavan|wilson|fibrosis quistica|talasemia|hemofilia)';

/** A disease is no test of the genes; what only such a test finds is. */
export const GENETIC_TESTING_WORDS: ClassWords = {
  words: [
    '(?<!/)genetics(?![/-])|genetic (?:screen*|counsel*|carrier*|predisposition|susceptib*|risk|profil*|report|stud(?:y|ies)|panel|disease|disorder|condition|abnormal*|syndrome|result*|consult*|evaluation|referral|work~up|cause|defect|cancer)|genetic[oa]s?',
    ofPerson(
      'genetic (?:test*|analys*|variant*|mutation*|marker*)',
      'genomic*',
      'genom[ea]',
      'genotyp*',
      'genotip(?:o|ad*|ific*)',
      'genes? (?:mutat*|mutant|variant*|sequenc*|genotyp*|deletion*|duplication*|insertion*|rearrang*|fusions?|amplif*|translocat*|polymorphism*|homozyg*|heterozyg*|test(?:s|ed|ing)?|analys[ei]s|panels?|carriers?|positive|negative|status|detect(?:ed|ion)|not detected|wild~type|loss)',
    ),
    'pharmacogen*|farmacogen*|exome|exoma|haplotyp*|haplotipo|diplotyp*',
    'BRCA~(?:[12]|pro)?|karyotyp*|cariotipo|chromosom[a-z]+ (?:analys*|microarray|stud*|abnormal*|test*)|(?:analisis|estudio|anomalias?|alteracion(?:es)?) cromosomic[oa]s?|cytogenet*|citogenet*|aneuploid*|trisom(?:y|ia) [0-9]{1,2} (?:screen|risk|test|low|high|detected|not|positive|negative)*|(?:risk of|screen(?:ing)? for) trisom*|microdelet*|microdelec*',
    ...GENES.split('|').map((gene) => `${gene} (?:${CHANGES}|(?:${FINDINGS})*)`),
    `${CARRIED}(?:.?s)? (?:disease |gene |trait )?carriers?|carriers? (?:of|for) ${CARRIED}*|portador(?:a|es|as)? (?:de|del) (?:la )?${CARRIED}*`,
    ofPerson(
      '(?:mutacion|mutaciones) (?:de|del|en|germinal|somatica|patogenica|puntual|tumoral|genica)*',
      'mutations? (?:in|of|at|analysis|detected|found|positive|negative|carrier|status|identified|testing)',
    ),
    'variants? of (?:uncertain|unknown) significance|variante (?:patogenica|de significado)',
    ofPerson(
      '(?<!(?:insurance|insured|medicare|aetna) )carrier (?:screen*|test*|status)',
      'DNA (?:analysis|sequencing|test*|change)',
    ),
    `EGFR (?:${CHANGES}|(?:${CHANGED})*)`,
    `HER~2~?(?:/~)?(?:neu )?(?:(?:${CHANGED})*|FISH)`,
    '(?:pathogenic|somatic|point) (?:mutation|variant)*|(?:factor v|factor 5|FV) (?:de )?leiden|FVL|(?:factor II|factor V|prothrombin) (?:mutation|variant|gene|genotyp)*|prothrombin G20210A|G20210A|V617F|C677T|HLA B~(?:[*]~)?(?:57:?01|15:?02|58:?01)|CYP(?:2D6|2C19|2C9|3A5) (?:genotyp|metaboli[sz]er|phenotyp|poor|intermediate|rapid|normal|[*])*|(?:poor|rapid|ultra~rapid|intermediate) metaboli[sz]ers?|metaboli[sz]er status',
    'lynch syndrome|sindrome de lynch|huntington.?s? (?:disease|chorea)|enfermedad de huntington|corea de huntington|li fraumeni|hereditary (?:cancer|breast|nonpolyposis|non polyposis)*|HNPCC|gene carrier|portador* (?:de (?:la |una )?mutacion*|del gen|genetic[oa])|pruebas? de portador*',
    'homozyg[a-z]+(?! familial)|heterozyg[a-z]+(?! familial)|hemizyg*|(?:homo|hetero)cigot*(?! familiar)|compound heterozyg*|copy number (?:variant|variation|gain|loss|analys)*|single nucleotide (?:variant|polymorphism)*|fusion (?:gene|transcript|oncogene)*|(?<!leuka?emia,? )BCR~(?:/~)?ABL~1?|PML~(?:/~)?RARA|(?<!leuka?emia,? )philadelphia (?:chromosome|positive|negative)|cromosoma filadelfia|microsatellite (?:instab|stab)*|inestabilidad de microsatelites|F508~?del|delta ?F508|DF508|(?<=[Δ∆])F508|C282Y|H63D|V600[EK]|T790M|L858R|22q11(?:[.]2)?|premuta[ct]*|CAG repeats?|polygenic*|poligenic*|paternity (?:test|stud|result)*|prueba de paternidad|HLA typing|tipificacion HLA|likely pathogenic|probablemente patogenic*|carrier (?:panel|profile)|TPMT|NUDT15|DPYD|(?:APOE|apo E|apolipoprotein E)~(?:e|ε|epsilon)~[234]*|APOE~[234](?:~?/~?[234])?|tempus x[tfr]|myrisk|natera|signatera|ADN (?:fetal|libre|tumoral)',
    'DNA stool|(?:pruebas?|analisis|test|estudio) (?:de|del) ADN|cell free (?:fetal )?DNA|cfDNA|next gen(?:eration)? sequenc*|secuenciacion (?:genica|masiva|del|de nueva|genomica)*|SNP (?:array|test|genotyp)*|comparative genomic*|mutational (?:analysis|burden)|molecular (?:tumor )?profil*|23andme|ancestry~dna|oncotype|mammaprint|guardant*|foundation~one|invitae|genesight|genomind|genedx|ambry gen*|bracanalysis|counsyl|materniti?t?21*|centogene|blueprint genetics|non~invasive prenatal|prueba prenatal no invasiva',
  ],
  exact: [
    // How the Human Genome Variation Society has variants named: p.V600E, p.(Leu858Arg), c.743G>A, g.140453136A>T, NM_004333.6.
    'p[.][(]?[A-Z](?:[a-z][a-z])?[0-9]{1,5}(?:[A-Z](?:[a-z][a-z])?|_|del|dup|fs|ins|=)*',
    '(?:c|g|n|m)[.]-?[0-9]{1,9}(?:[+_-][0-9]{1,9}){0,3}(?:[ACGT]>[ACGT]|(?:del|dup|ins|inv)[ACGT]{0,50})',
    'N[MGCP]_[0-9]{6,9}|rs[0-9]{5,10}|MSI~H|MSI (?:[Hh]igh|[Ll]ow|[Ss]table)',
    `(?:${WRITTEN_GENES}) (?:${CHANGES}|(?:${CHANGED}|${capitalizeEach(CHANGED)})*)`,
    '4[5-8],X[XY]{0,3}|4[5-8],? ?X[XY]{1,3}|(?:CF|SMA|DMD|SCD) [Cc]arrier|Myriad [Gg]enetic*|NIPT|NIPS|VUS|NGS|WES(?! (?!POS|NEG|RESULT|TEST|REPORT|PANEL|AND|WAS|IS)[A-Z]{2})|WGS|aCGH|PGx',
    'EGFR (?:test|analys|panel)*',
  ],
};
