export const usage = {
  title: 'Usage',
  lead: 'What is read, uploaded, mailed and delivered, for bills and for capacity. Days are those of the organization’s time zone.',
  empty: 'Nothing was used in this time.',
  filters: { range: 'Days', by: 'By', kind: 'Kind' },
  ranges: { '7': '7 days', '28': '28 days', '90': '90 days' },
  by: { tool: 'Tool or type', client: 'App', project: 'Project', outcome: 'Outcome' },
  kinds: {
    tool_call: 'Tool calls',
    fhir_read: 'FHIR reads',
    upload: 'Uploads',
    mail: 'Mails',
    delivery: 'Webhook attempts',
  },
  outcomes: { success: 'Done', refused: 'Refused', failed: 'Failed' } as Readonly<Record<string, string>>,
  perDay: 'By day',
  day: 'Day',
  totals: 'In all',
  csv: 'Download as CSV',
  columns: {
    key: 'What',
    kind: 'Kind',
    count: 'Count',
    refused: 'Refused',
    failed: 'Failed',
  },
  none: 'None',
};

export type UsageWords = typeof usage;
