import type { EverythingParameters } from './everything-parameters.ts';
import type { RecordSnapshot } from './record-snapshot.ts';

interface PageInfo {
  snapshot: Pick<RecordSnapshot, 'selection' | 'total' | 'record'>;
  parameters: EverythingParameters;
  /** Entries on the page. */
  entryCount: number;
  /** The place of the last one. */
  last: number;
}

interface Link {
  relation: 'self' | 'first' | 'next' | 'last';
  url: string;
}

/**
 * `_offset` says where a page is; `_after` lets the database begin there without counting; `_state` and `_total` make all
 * pages show the record as the first one did. `next` is absent on the last page, and a page that is not full is the last.
 */
export function buildPagingLinks(
  baseUrl: string,
  { snapshot, parameters, entryCount, last }: PageInfo,
): Link[] {
  const { offset, count, types, since } = parameters;
  const { total, selection, record } = snapshot;
  const path = `${baseUrl}/FHIR/R4/Person/${record.access.patientId}/$everything`;
  const state = { _state: selection.state.toISOString(), _total: String(total) };
  const buildUrl = (extra: Record<string, string>): string => {
    const query = new URLSearchParams({
      _count: String(count),
      ...(types !== null && { _type: types.join(',') }),
      ...(since !== null && { _since: since.raw }),
      ...extra,
    });
    return `${path}?${query.toString()}`;
  };
  const links: Link[] = [
    {
      relation: 'self',
      url: buildUrl({
        _offset: String(offset),
        ...(parameters.after !== null && { _after: String(parameters.after) }),
        ...state,
      }),
    },
    { relation: 'first', url: buildUrl({ _offset: '0', ...state }) },
  ];
  const next = offset + entryCount;
  if (entryCount > 0 && entryCount === count && next < total)
    links.push({
      relation: 'next',
      url: buildUrl({ _offset: String(next), _after: String(last), ...state }),
    });
  const lastPage = count === 0 ? 0 : Math.floor(Math.max(0, total - 1) / count) * count;
  links.push({ relation: 'last', url: buildUrl({ _offset: String(lastPage), ...state }) });
  return links;
}
