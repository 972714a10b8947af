import { Icon } from '../../../kit/icon.tsx';
import { useAppDeps } from '../app-deps.ts';
import type { ReceiptContent } from '../api.ts';
import { DownloadLink } from '../download-link.tsx';
import { useWords } from '../words/use-words.ts';

/** What identifies the decision and its words, and the signed form with the way to check it. */
export function ReceiptProof({ receipt }: { receipt: ReceiptContent['receipt'] }) {
  const { baseUrl } = useAppDeps();
  const { page, download } = useWords().myData.receipts;
  const { record_id: id, evidence, pii_principal_id: person } = receipt;
  const keys = `${baseUrl}/.well-known/jwks.json`;
  const rows: [name: string, value: string][] = [
    [page.record, id],
    [page.words, evidence.studySnapshotId],
    [page.pageVersion, evidence.uiHash],
    [page.person, person],
    [page.service, baseUrl],
    [page.fingerprint, evidence.recordHash],
  ];
  return (
    <section className="receipt-section">
      <h2>{page.proof}</h2>
      <dl className="facts receipt-facts receipt-proof">
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <code>{value}</code>
            </dd>
          </div>
        ))}
      </dl>
      <h3>{page.signedForm}</h3>
      <p>{page.signedFormText}</p>
      <p className="not-printed">
        <DownloadLink className="receipt-file" path={`/account/receipts/${id}`}>
          <Icon name="download" />
          {download}
        </DownloadLink>
      </p>
      <p>{page.command}</p>
      <code className="receipt-command">
        chartgate receipt verify consent-receipt-{id}.jws --keys jwks.json
      </code>
      <p>
        {page.keys} <a href={keys}>{keys}</a>
      </p>
    </section>
  );
}
