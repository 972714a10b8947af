import { it } from 'node:test';
import { execFileSync } from 'node:child_process';
import { performance, monitorEventLoopDelay } from 'node:perf_hooks';
import { testStore } from '/work/main/test/harness/store.ts';
import { chart } from '/work/main/test/harness/chart.ts';
import { sql } from '/work/main/server/storage/sql.ts';
import { newId } from '/work/main/server/kernel/ids.ts';
import { importResources } from '/work/main/server/records/import.ts';
import { finishProjection } from '/work/main/server/records/project-stored.ts';
import { indexEntries } from '/work/main/server/search/index-entries.ts';
import { parseResource } from '/work/main/server/records/parse-resource.ts';
it('bench', { timeout: 600000 }, async () => {
  const text = execFileSync('bash', ['-c', 'python3 -c "import bz2,sys;sys.stdout.buffer.write(bz2.open(sys.argv[1]).read())" /work/shared/data/stress/*.bz2'], { maxBuffer: 1e9 }).toString();
  const bundle = JSON.parse(text); const N = Number(process.env.N ?? 3000); bundle.entry = bundle.entry.slice(0, N);
  const all = bundle.entry.map((e: any) => [e.fullUrl, JSON.stringify(e.resource)]);
  for (const engine of [process.env.ENGINE ?? 'postgresql'] as any) {
    const store = await testStore(engine);
    const { db } = store;
    const run = async (patient: any, path: string, entries: any[]) => {
      const t = performance.now();
      await importResources({ db, clock: patient.deps.clock, index: indexEntries, textOf: async () => null } as any, { patientId: patient.patientId, batchId: newId(), origin: '', signal: new AbortController().signal } as any,
        async function* () { for (const [fullUrl, text] of entries) yield { path, found: { text, resource: parseResource(text), fullUrl, position: '' } } as any; });
      console.log(engine, path, entries.length, Math.round(performance.now() - t), 'ms');
    };
    const patient = await chart(db);
    await db.query(sql`insert into record_head (patient_id, next_seq, total) values (${patient.patientId}, 1, 0)`);
    await run(patient, 'one.json', all);
    const n = await db.query(sql`select count(*)::int as n from clinical_entry where patient_id=${patient.patientId}`);
    const finish = async (what: string) => {
      const h = monitorEventLoopDelay({ resolution: 5 }); h.enable();
      const t = performance.now();
      await db.tx((tx) => finishProjection(tx, patient.patientId));
      console.log(engine, what, Math.round(performance.now() - t), 'ms; loop max', Math.round(h.max / 1e6), JSON.stringify(n));
    };
    await finish('finish, one source'); await finish('finish, one source again');
    const q = async (tool: string, input: object) => { await patient.ask(tool, input); const ts=[]; for (let i=0;i<15;i++){ const t=performance.now(); await patient.ask(tool,input); ts.push(performance.now()-t);} ts.sort((a,b)=>a-b); return ts[7]!.toFixed(1); };
    const tools = async (w: string) => console.log(engine, w, 'summary', await q('get_health_summary', {}), 'labs', await q('get_labs', {years:150}), 'cond', await q('get_conditions',{years:150}), 'search', await q('search',{query:'hypertension'}), 'notes', await q('search_clinical_notes',{query:'plan',years:150}));
    await tools('one');
    const other = all.map(([u, t]: any) => [u && u.replace(/urn:uuid:(........)/, 'urn:uuid:f0000000').replace('f0000000', (u.slice(9,17).split('').reverse().join(''))), t.replace(/([0-9a-f]{8})(?=-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})/g, (x: string) => x.split('').reverse().join(''))]);
    await run(patient, 'two.json', other);
    console.log(await db.query(sql`select count(*)::int as n, count(instead_of)::int as hidden, count(told_elsewhere)::int as linked from clinical_entry where patient_id=${patient.patientId}`));
    await finish('finish, two sources'); 
    await tools('two');
    await db.query(sql`update clinical_entry set told_elsewhere=null, instead_of=null where patient_id=${patient.patientId}`);
    await finish('finish, two sources from nothing');
    await store.remove();
  }
});
