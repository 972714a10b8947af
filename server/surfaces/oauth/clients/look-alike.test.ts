import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findImitatedName, findNameInScheme } from './look-alike.ts';

const own = ['Demo Clinic', 'Diabetes Study'];

describe('case 495: the name of an unverified client', () => {
  for (const [name, like] of [
    ['Claude', 'Claude'],
    ['claude', 'Claude'],
    ['Claude Helper', 'Claude'],
    ['Helper for Claude', 'Claude'],
    ['ClaudeHelper', 'Claude'],
    ['Claude2', 'Claude'],
    ['“Claude”', 'Claude'],
    ['https://claude.ai', 'Claude'],
    ['C1aude', 'Claude'],
    ['C|aude', 'Claude'],
    ['CIaude', 'Claude'],
    ['C l a u d e', 'Claude'],
    ['C-l.a_u/d e', 'Claude'],
    ['cLaUdE', 'Claude'],
    ['Cla\u0301u\u0308de', 'Claude'],
    ['Cl\u200bau\u00adde', 'Claude'],
    ['Сlaude', 'Claude'],
    ['Сӏаudе', 'Claude'],
    ['Clαude', 'Claude'],
    ['Ｃｌａｕｄｅ', 'Claude'],
    ['𝕮𝖑𝖆𝖚𝖉𝖊', 'Claude'],
    ['ᏟᏞᎪᏌᎠᎬ', 'Claude'],
    ['Ⓒⓛⓐⓤⓓⓔ', 'Claude'],
    ['健康Claude', 'Claude'],
    ['Clauds', 'Claude'],
    ['Claud', 'Claude'],
    ['Cluade', 'Claude'],
    ['Chat-GPT', 'ChatGPT'],
    ['ChatGTP', 'ChatGPT'],
    ['ChatGPT 5', 'ChatGPT'],
    ['0penAI', 'OpenAI'],
    ['OpenAl', 'OpenAI'],
    ['G00gle', 'Google'],
    ['Gοοgle Health', 'Google'],
    ['rnicrosoft', 'Microsoft'],
    ['Perplxty', 'Perplexity'],
    ['Épic', 'Epic'],
    ['Meta Health', 'Meta'],
    ['Apple Health', 'Apple'],
    ['My Chart', 'MyChart'],
    ['rnychart', 'MyChart'],
    ['Medcare', 'Medicare'],
    ['Chartgate', 'Chartgate'],
    ['Chart Gate support', 'Chartgate'],
    ['Demo Clinic', 'Demo Clinic'],
    ['Demo Cl1nic messages', 'Demo Clinic'],
    ['Diabetes-Study App', 'Diabetes Study'],
    ['Claude™', 'Claude'],
    ['Claude ™', 'Claude'],
    ['Claude®', 'Claude'],
    ['Claude℠', 'Claude'],
    ['Claudeᴬᴵ', 'Claude'],
    ['Claudeⓐⓘ', 'Claude'],
    ['Claude㏂', 'Claude'],
    ['ᶜˡᵃᵘᵈᵉ', 'Claude'],
    ['Cˡaude™', 'Claude'],
    ['ChatGPT™', 'ChatGPT'],
    ['OpenAI™ Health', 'OpenAI'],
    ['Google™', 'Google'],
    ['MyChart™', 'MyChart'],
    ['Epic™', 'Epic'],
    ['Metaᴬᴵ', 'Meta'],
    ['Demo Clinic™', 'Demo Clinic'],
    ['claudeai', 'Claude'],
    ['CLAUDEAI', 'Claude'],
    ['claudeаі', 'Claude'],
    ['c1audecode', 'Claude'],
    ['claudeai™', 'Claude'],
    ['GetClauds', 'Claude'],
    ['theclaudeapp', 'Claude'],
    ['officialclaudesupport', 'Claude'],
    ['claudehealthassistantlogin', 'Claude'],
    ['mychartapp', 'MyChart'],
    ['MYCHARTAPP', 'MyChart'],
    ['googlehealth', 'Google'],
    ['epiccare', 'Epic'],
    ['myepic', 'Epic'],
    ['Epic2', 'Epic'],
    ['democlinicapp', 'Demo Clinic'],
    ['NaпNa', 'NanNa'],
    ['Ηealth', 'Health'],
  ] as const) {
    it(`${JSON.stringify(name)} imitates ${like}`, () => {
      assert.equal(findImitatedName({ name, host: null, tenantNames: own }), like);
    });
  }

  for (const name of [
    'Claudia',
    'Claudine',
    'Cloud',
    'Clause Reader',
    'Goggle',
    'Code helper',
    'Alex',
    'Apply now',
    'Epicure',
    'Metadata viewer',
    'Metabolism',
    'Metacarpal',
    'Metallic',
    'Epicenter',
    'Epicardial',
    'Epical',
    'Applecrisp',
    'Amazonian',
    'Cursive',
    'Siriasis',
    'Openhealth',
    'mycareapp',
    'Healthcare portal',
    'healthai',
    'Trademark™ Health',
    'Grocery',
    'Medication list',
    'Medicine Tracker',
    'Test agent',
    'My health reader',
    'Diabetes diary',
    'Clinic',
    'Study',
    'Müller',
    'Zoë’s app',
    'Медицинский помощник',
    'Мой health',
    'Υγεία',
    '健康アプリ Pro',
    'カルテReader',
    '건강 앱',
    'تطبيق الصحة',
    'µHealth',
    '❤️ Health',
    '!!!',
    '7',
  ]) {
    it(`${JSON.stringify(name)} imitates no name`, () => {
      assert.equal(findImitatedName({ name, host: null, tenantNames: own }), null);
    });
  }

  for (const name of [
    'Medical',
    'Medical Records Helper',
    'One Medical',
    'Medical Assistant',
    'My Medical ID',
    'MedicAI',
    'Medical MD',
    'Medical Dr. Lee',
    'Kids Medical Group',
    'Centro Médico',
    'Médico en Casa',
    'Clínica Médica',
    'Medicals',
    'MediCall',
    'MediCard',
    'Salud Medicar',
    'Medicated',
    'Pedi Care',
    'Medic Care',
    'Dedicare',
    'Werner Praxis',
    'Praxis Dr. Berner',
    'Dr. Lerner',
    'Verner Clinic',
    'Corner Health',
    'The Corner Clinic',
    'Comer Sano',
    'Cremer Apotheke',
    'Open Aid',
    'OpenAIR',
    'Open Air Clinic',
    'OpenAPI Health',
    'Open A1C',
    'OpenAPS',
    'OpenMRS',
    'OpenEMR',
    'OpenUI',
    'Mitral Valve Diary',
    'Mitral-Klinik',
    'Clade Genomics',
    'Laude Health',
    'Camille Claudel Klinik',
    'Claudias Praxis',
    'Claudio',
    'Codec',
    'Verhaltenskodex',
    'Cursos de Salud',
    'Copiloto de Salud',
    'Géminis Salud',
    'Bernini Clinic',
    'Boogie',
    'Samsun Hastanesi',
    'Alexia',
    'Alex AI Coach',
    'Flexa Physio',
    'Amazonas Salud',
    'Amazone',
    'Applet',
    'Dapple Dental',
    'My Chat',
    'My Heart',
    'MyHeart Counts',
    'My Hart',
    'MD Chart',
    'Chart Mate',
    'Oral Health',
    'Miracle Health',
    'Athens Health',
    'Commonwealth Care',
    'Cotton Health',
    'Community Health',
    'MicroSort',
    'Perplexing',
    'Life Button',
    'Gut Hub',
    'Fit Hub',
    'Metahealth',
    'Metacare',
    'Metarecord',
    'metahub',
    'Prometa',
    'Themeta',
    'Metabolic Compass',
    'Appleby Surgery',
    'Pineapple',
    'Epicure',
    'Ada Health',
    'K Health',
    'MyTherapy',
    'Omada Health',
    'Sword Health',
    'mySugr',
    'Glooko',
    'OneRecord',
    'b.well',
    'Zus Health',
    'PicnicHealth',
    'FollowMyHealth',
    'Patients Know Best',
    'CareConnect',
    'MedicAlert',
    'Medisafe',
    'Claudication Tracker',
    'Meine Gesundheitsakte',
    'Patientenportal',
    'Mi Carpeta de Salud',
    'TK-Safe',
    'AOK Mein Leben',
    'Recordatorio de Pastillas',
  ])
    it(`case 514: ${JSON.stringify(name)}, of an honest app, clinic or agent, imitates no name`, () => {
      assert.equal(findImitatedName({ name, host: null, tenantNames: own }), null);
    });

  for (const [name, like] of [
    ['tryclaude', 'Claude'],
    ['askclaude', 'Claude'],
    ['realclaude', 'Claude'],
    ['heyclaude', 'Claude'],
    ['claudemcp', 'Claude'],
    ['CLAUDESERVER', 'Claude'],
    ['claude4me', 'Claude'],
    ['claude2go', 'Claude'],
    ['claudetogo', 'Claude'],
    ['c1audemcp', 'Claude'],
    ['claudebyanthropic', 'Claude'],
    ['anthropicsclaude', 'Claude'],
    ['epicmychart', 'MyChart'],
    ['mychartbyepic', 'MyChart'],
    ['chatgptbyopenai', 'ChatGPT'],
    ['okgoogle', 'Google'],
    ['metaai', 'Meta'],
    ['metalogin', 'Meta'],
    ['Meta2', 'Meta'],
    ['Medlcald', 'Medicaid'],
    ['Medicad', 'Medicaid'],
    ['Cernr', 'Cerner'],
    ['OpenAll', null],
    ['0penAII', 'OpenAI'],
    ['Medica1d', 'Medicaid'],
    ['Open AI', 'OpenAI'],
    ['Medic Aid', 'Medicaid'],
    ['Oracel Health', 'Oracle Health'],
    ['Athenna Health', 'athenahealth'],
  ] as const)
    it(`case 515: ${JSON.stringify(name)} imitates ${like ?? 'no name'}`, () => {
      assert.equal(findImitatedName({ name, host: null, tenantNames: own }), like);
    });

  it('is compared closely with names of organizations that hold an ordinary word (case 515)', () => {
    const tenantNames = ['Riverside Medical', 'Corner Clinic'];
    for (const [name, like] of [
      ['Riversde Medical', 'Riverside Medical'],
      ['Corner Clinik', 'Corner Clinic'],
    ] as const)
      assert.equal(findImitatedName({ name, host: null, tenantNames }), like);
  });

  it('imitates nothing when it is missing', () => {
    assert.equal(findImitatedName({ name: null, host: null, tenantNames: own }), null);
  });

  it('is not compared with a name of an organization that it only contains', () => {
    const tenantNames = ['Clinic', 'Region'];
    for (const name of ['Clinical notes', 'Clinician', 'Regional'])
      assert.equal(findImitatedName({ name, host: null, tenantNames }), null, name);
  });

  it('is compared in milliseconds, however it is made', () => {
    const names = ['aiapp'.repeat(40), 'ᴬ™'.repeat(100), 'claude'.repeat(33), 'my ai 1 '.repeat(25)];
    const startedAt = performance.now();
    for (const name of names) findImitatedName({ name, host: null, tenantNames: own });
    assert.ok(performance.now() - startedAt < 1000);
  });

  it('is not compared with names of organizations that are common words', () => {
    assert.equal(
      findImitatedName({ name: 'Study helper', host: null, tenantNames: ['Study', 'App', ''] }),
      null,
    );
  });
});

describe('the name of a client with a verified host', () => {
  for (const [name, host, like] of [
    ['Claude', 'claude.ai', null],
    ['Claude', 'api.anthropic.com', null],
    ['Claude', 'claude.ai.evil.example', 'Claude'],
    ['Claude', 'notclaude.ai', 'Claude'],
    ['ChatGPT', 'claude.ai', 'ChatGPT'],
    ['Claude for ChatGPT', 'claude.ai', 'ChatGPT'],
    ['Сlaude', 'evil.example', 'Claude'],
    ['Demo Clinic', 'demo-clinic.example', null],
    ['NaпNa', 'agent.example', null],
  ] as const) {
    it(`${name} of ${host} ${like === null ? 'imitates no name' : `imitates ${like}`}`, () => {
      assert.equal(findImitatedName({ name, host, tenantNames: own }), like);
    });
  }
});

describe('a scheme of a program', () => {
  for (const [scheme, host, like] of [
    ['com.example.app', null, null],
    ['ai.perplexity.mac', null, null],
    ['com.anthropic.claude', null, null],
    ['com.evil.claude', null, 'Claude'],
    ['com.claude-login.app', null, 'Claude'],
    ['com.c1aude.app', null, 'Claude'],
    ['com.claudeai.app', null, 'Claude'],
    ['com.openai.chatgptapp', null, null],
    ['org.example.medicare', 'api.medicare.gov', null],
  ] as const)
    it(`${scheme} of ${host ?? 'nobody'} ${like === null ? 'imitates no name' : `imitates ${like}`}`, () => {
      assert.equal(findNameInScheme(scheme, host), like);
    });
});
