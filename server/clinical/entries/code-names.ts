/** Names of the commonest codes that arrive without a display: laboratory codes of hospital exports, components, vaccines, reactions. */
const NAMES: readonly [string, string][] = [
  [
    'http://loinc.org',
    `8480-6 Systolic blood pressure; 8462-4 Diastolic blood pressure; 85354-9 Blood pressure; 55284-4 Blood pressure;
    8478-0 Mean blood pressure; 8867-4 Heart rate; 8310-5 Body temperature; 9279-1 Respiratory rate; 2708-6 Oxygen saturation;
    59408-5 Oxygen saturation; 29463-7 Body weight; 3141-9 Body weight; 8302-2 Body height; 39156-5 Body mass index;
    8287-5 Head circumference; 8280-0 Waist circumference; 72514-3 Pain score; 3150-6 Inhaled oxygen concentration; 3151-8 Oxygen flow rate;
    9269-2 Glasgow coma score; 9267-6 Glasgow coma score, eye opening; 9268-4 Glasgow coma score, motor; 9270-0 Glasgow coma score, verbal;
    2345-7 Glucose; 2339-0 Glucose in blood; 1558-6 Fasting glucose; 41653-7 Glucose by glucometer; 4548-4 Hemoglobin A1c; 17856-6 Hemoglobin A1c;
    59261-8 Hemoglobin A1c; 2160-0 Creatinine; 38483-4 Creatinine in blood; 3094-0 Urea nitrogen; 6299-2 Urea nitrogen in blood; 22664-7 Urea;
    33914-3 Estimated glomerular filtration rate; 48642-3 Estimated glomerular filtration rate; 62238-1 Estimated glomerular filtration rate;
    98979-8 Estimated glomerular filtration rate; 2951-2 Sodium; 2947-0 Sodium in blood; 2823-3 Potassium; 6298-4 Potassium in blood;
    2075-0 Chloride; 2069-3 Chloride in blood; 2028-9 Carbon dioxide; 1963-8 Bicarbonate; 17861-6 Calcium; 49765-1 Calcium in blood;
    1994-3 Ionized calcium; 2777-1 Phosphate; 19123-9 Magnesium; 33037-3 Anion gap; 1751-7 Albumin; 2885-2 Total protein; 10834-0 Globulin;
    1975-2 Total bilirubin; 1968-7 Direct bilirubin; 6768-6 Alkaline phosphatase; 1742-6 Alanine aminotransferase (ALT);
    1920-8 Aspartate aminotransferase (AST); 2324-2 Gamma-glutamyl transferase (GGT); 2532-0 Lactate dehydrogenase (LDH); 3040-3 Lipase;
    1798-8 Amylase; 2157-6 Creatine kinase; 13969-1 Creatine kinase MB; 6598-7 Troponin T; 10839-9 Troponin I; 89579-7 Troponin I, high sensitivity;
    67151-1 Troponin T, high sensitivity; 33762-6 NT-proBNP; 30934-4 BNP; 2524-7 Lactate; 32693-4 Lactate in blood; 1988-5 C-reactive protein;
    33959-8 Procalcitonin; 30341-2 Erythrocyte sedimentation rate; 3084-1 Uric acid; 2093-3 Total cholesterol; 2571-8 Triglycerides;
    2085-9 HDL cholesterol; 2089-1 LDL cholesterol; 13457-7 LDL cholesterol, calculated; 18262-6 LDL cholesterol; 43396-1 Non-HDL cholesterol;
    6690-2 White blood cells; 26464-8 White blood cells; 789-8 Red blood cells; 718-7 Hemoglobin; 4544-3 Hematocrit; 20570-8 Hematocrit;
    787-2 Mean corpuscular volume (MCV); 785-6 Mean corpuscular hemoglobin (MCH); 786-4 MCHC; 788-0 Red cell distribution width;
    21000-5 Red cell distribution width; 777-3 Platelets; 26515-7 Platelets; 32623-1 Mean platelet volume; 751-8 Neutrophils; 770-8 Neutrophils, percent;
    731-0 Lymphocytes; 736-9 Lymphocytes, percent; 742-7 Monocytes; 5905-5 Monocytes, percent; 711-2 Eosinophils; 713-8 Eosinophils, percent;
    704-7 Basophils; 706-2 Basophils, percent; 5902-2 Prothrombin time; 6301-6 INR; 34714-6 INR; 3173-2 aPTT; 14979-9 aPTT; 3255-7 Fibrinogen;
    48065-7 D-dimer; 3016-3 Thyroid stimulating hormone (TSH); 11580-8 Thyroid stimulating hormone (TSH); 3024-7 Free thyroxine (free T4);
    3051-0 Free triiodothyronine (free T3); 2276-4 Ferritin; 2498-4 Iron; 2500-7 Iron binding capacity; 2502-3 Transferrin saturation;
    2132-9 Vitamin B12; 2284-8 Folate; 1989-3 25-hydroxyvitamin D3; 62292-8 25-hydroxyvitamin D; 2857-1 Prostate specific antigen (PSA);
    14959-1 Microalbumin to creatinine ratio in urine; 9318-7 Albumin to creatinine ratio in urine; 2888-6 Protein in urine; 2161-8 Creatinine in urine;
    5803-2 pH of urine; 5811-5 Specific gravity of urine; 5792-7 Glucose in urine; 5804-0 Protein in urine; 5794-3 Hemoglobin in urine;
    5799-2 Leukocyte esterase in urine; 5802-4 Nitrite in urine; 2744-1 pH of arterial blood; 2746-6 pH of venous blood; 2019-8 Carbon dioxide partial pressure, arterial;
    2021-4 Carbon dioxide partial pressure, venous; 2703-7 Oxygen partial pressure, arterial; 1925-7 Base excess; 2713-6 Oxygen saturation, calculated;
    600-7 Blood culture; 630-4 Urine culture; 6463-4 Culture; 634-6 Aerobic culture; 635-3 Anaerobic culture; 664-3 Gram stain; 94500-6 SARS-CoV-2 RNA;
    72166-2 Tobacco smoking status; 11367-0 Tobacco use history; 74013-4 Alcohol use; 82810-3 Pregnancy status; 11778-8 Estimated date of delivery;
    8665-2 Last menstrual period; 76690-7 Sexual orientation; 76691-5 Gender identity; 75275-8 Cumulative tobacco use; 44249-1 PHQ-9; 44261-6 PHQ-9 total score; 55758-7 PHQ-2 total score;
    70274-6 GAD-7 total score; 882-1 ABO and Rh group; 883-9 ABO group; 10331-7 Rh group; 58410-2 Complete blood count; 51990-0 Basic metabolic panel;
    24323-8 Comprehensive metabolic panel; 24331-1 Lipid panel; 24325-3 Hepatic function panel; 24356-8 Urinalysis; 24336-0 Blood gases, arterial`,
  ],
  [
    'http://hl7.org/fhir/sid/cvx',
    `03 MMR; 08 Hepatitis B, adolescent or pediatric; 10 IPV (polio); 20 DTaP; 21 Varicella; 33 Pneumococcal polysaccharide PPV23; 43 Hepatitis B, adult;
    45 Hepatitis B; 48 Hib; 49 Hib; 52 Hepatitis A, adult; 62 HPV, quadrivalent; 83 Hepatitis A, pediatric; 88 Influenza; 94 MMRV; 106 DTaP; 110 DTaP-hepatitis B-IPV; 113 Td;
    114 Meningococcal MCV4P; 115 Tdap; 116 Rotavirus, pentavalent; 119 Rotavirus, monovalent; 120 DTaP-Hib-IPV; 121 Zoster, live; 133 Pneumococcal conjugate PCV13; 135 Influenza, high dose;
    136 Meningococcal MCV4O; 137 HPV; 140 Influenza, seasonal, injectable, preservative free; 141 Influenza, seasonal, injectable; 149 Influenza, live, intranasal;
    150 Influenza, injectable, quadrivalent, preservative free; 152 Pneumococcal conjugate; 158 Influenza, injectable, quadrivalent; 161 Influenza, injectable, quadrivalent, pediatric;
    165 HPV, 9-valent; 185 Influenza, recombinant, quadrivalent; 187 Zoster, recombinant; 197 Influenza, high dose, quadrivalent; 207 COVID-19 mRNA, Moderna; 208 COVID-19 mRNA, Pfizer-BioNTech;
    212 COVID-19, Janssen; 213 COVID-19; 215 Pneumococcal conjugate PCV15; 216 Pneumococcal conjugate PCV20; 300 COVID-19 mRNA, bivalent, Pfizer-BioNTech; 309 COVID-19 mRNA, Pfizer-BioNTech`,
  ],
  [
    'http://snomed.info/sct',
    `247472004 Hives; 126485001 Urticaria; 271807003 Rash; 39579001 Anaphylaxis; 418363000 Itching; 418290006 Itching; 267036007 Shortness of breath; 422587007 Nausea; 422400008 Vomiting;
    62315008 Diarrhea; 41291007 Angioedema; 267038008 Edema; 56018004 Wheezing; 49727002 Cough; 43116000 Eczema; 25064002 Headache; 76067001 Sneezing; 91175000 Seizure; 404640003 Dizziness; 23924001 Chest tightness;
    271649006 Systolic blood pressure; 271650006 Diastolic blood pressure; 75367002 Blood pressure; 364075005 Heart rate; 386725007 Body temperature; 86290005 Respiratory rate; 27113001 Body weight; 50373000 Body height;
    60621009 Body mass index; 266919005 Never smoked; 8517006 Former smoker; 77176002 Smoker; 449868002 Smokes every day; 428041000124106 Smokes on some days; 10828004 Positive; 260385009 Negative;
    260373001 Detected; 260415000 Not detected; 262008008 Not performed; 17621005 Normal; 263654008 Abnormal; 264868006 No growth; 255604002 Mild; 6736007 Moderate; 24484000 Severe; 38341003 High blood pressure;
    44054006 Type 2 diabetes mellitus; 195967001 Asthma; 91302008 Sepsis; 233604007 Pneumonia; 87433001 Emphysema; 13645005 Chronic obstructive lung disease; 22298006 Heart attack; 84114007 Heart failure;
    49436004 Atrial fibrillation; 230690007 Stroke; 55822004 High blood lipids; 373270004 Penicillin; 764146007 Penicillin; 111088007 Latex; 91935009 Peanut allergy; 91936005 Penicillin allergy;
    716186003 No known allergy; 160244002 No known allergies; 409137002 No known drug allergy; 429625007 No known food allergy; 428607008 No known environmental allergy;
    428197003 No known insect allergy; 716220001 No known animal allergy; 716184000 No known latex allergy; 1003774007 No known Hevea brasiliensis latex allergy;
    160245001 No current problems or disability; 787480003 No known procedures; 787481004 No known medications; 787482006 No known immunizations; 787483001 No known device use;
    1631000175102 Patient not asked; 1287211007 No information available`,
  ],
];

const NAME_BY_CODE: ReadonlyMap<string, string> = new Map(
  NAMES.flatMap(([system, table]) =>
    table.split(';').map((row): [string, string] => {
      const [, code = '', name = ''] = /^\s*(\S+)\s+([^]*?)\s*$/.exec(row) ?? [];
      return [`${system}|${code}`, name];
    }),
  ),
);

/** Returns our name for a code of LOINC, CVX or SNOMED CT that the record does not name. */
export const findCodeName = (system: string | null, code: string | null): string | null =>
  system === null || code === null ? null : (NAME_BY_CODE.get(`${system}|${code}`) ?? null);
