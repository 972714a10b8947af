import type { EverythingParameters } from './everything-parameters.ts';
import type { WholeRecord } from './whole-record.ts';

interface Paged {
  whole: Pick<WholeRecord, 'selection' | 'total' | 'record'>;
  parameters: EverythingParameters;
  /** Entries on the page. */
  told: number;
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
export function linksOf(baseUrl: string, { whole, parameters, told, last }: Paged): Link[] {
  const { offset, count, types, since } = parameters;
  const { total, selection, record } = whole;
  const path = `${baseUrl}/FHIR/R4/Person/${record.access.patientId}/$everything`;
  const state = { _state: selection.state.toISOString(), _total: String(total) };
  const url = (more: Record<string, string>): string => {
    const query = new URLSearchParams({
      _count: String(count),
      ...(types !== null && { _type: types.join(',') }),
      ...(since !== null && { _since: since.written }),
      ...more,
    });
    return `${path}?${query.toString()}`;
  };
  const links: Link[] = [
    {
      relation: 'self',
      url: url({
        _offset: String(offset),
        ...(parameters.after !== null && { _after: String(parameters.after) }),
        ...state,
      }),
    },
    { relation: 'first', url: url({ _offset: '0', ...state }) },
  ];
  const next = offset + told;
  if (told > 0 && told === count && next < total)
    links.push({ relation: 'next', url: url({ _offset: String(next), _after: String(last), ...state }) });
  const lastPage = count === 0 ? 0 : Math.floor(Math.max(0, total - 1) / count) * count;
  links.push({ relation: 'last', url: url({ _offset: String(lastPage), ...state }) });
  return links;
}
