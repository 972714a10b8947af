import type { Permission } from '../../../contract/roles.ts';
import type { IconName } from '../../kit/icon.tsx';
import type { PageName } from './words/en/frame.ts';

export interface PageEntry {
  name: PageName;
  /** Below /console. */
  path: string;
  /** Who lacks it does not see the entry, and meets "no permission" at the address; null: every member. */
  permission: Permission | null;
  icon: IconName;
  group: 'work' | 'developers' | 'settings';
  /** `g` and this letter lead there. */
  key?: string;
}

/** The navigation, in its order. A page has a line here and one in routes.tsx. */
export const PAGES: readonly PageEntry[] = [
  { name: 'home', path: '/', permission: null, icon: 'home', group: 'work', key: 'h' },
  {
    name: 'patients',
    path: '/patients',
    permission: 'patients.read',
    icon: 'people',
    group: 'work',
    key: 'p',
  },
  {
    name: 'consents',
    path: '/consents',
    permission: 'consents.read',
    icon: 'receipt',
    group: 'work',
    key: 'c',
  },
  { name: 'reads', path: '/reads', permission: 'audit.read', icon: 'eye', group: 'work', key: 'r' },
  { name: 'apps', path: '/apps', permission: 'clients.read', icon: 'app', group: 'work', key: 'a' },
  {
    name: 'webhooks',
    path: '/webhooks',
    permission: 'webhooks.read',
    icon: 'webhook',
    group: 'work',
    key: 'w',
  },
  {
    name: 'sources',
    path: '/sources',
    permission: 'sources.read',
    icon: 'server',
    group: 'work',
    key: 's',
  },
  { name: 'usage', path: '/usage', permission: 'usage.read', icon: 'chart', group: 'work', key: 'u' },
  { name: 'audit', path: '/audit', permission: 'audit.read', icon: 'scroll', group: 'work', key: 'l' },
  {
    name: 'apiKeys',
    path: '/api-keys',
    permission: 'keys.read',
    icon: 'key',
    group: 'developers',
    key: 'k',
  },
  {
    name: 'testPatients',
    path: '/test-patients',
    permission: 'test_patients.read',
    icon: 'flask',
    group: 'developers',
    key: 't',
  },
  {
    name: 'projects',
    path: '/projects',
    permission: 'projects.read',
    icon: 'folder',
    group: 'settings',
    key: 'j',
  },
  { name: 'team', path: '/team', permission: 'members.read', icon: 'people', group: 'settings', key: 'm' },
  {
    name: 'organization',
    path: '/organization',
    permission: 'organization.read',
    icon: 'building',
    group: 'settings',
    key: 'o',
  },
  {
    name: 'systemCheck',
    path: '/system-check',
    permission: 'deployment.check',
    icon: 'verified',
    group: 'settings',
    key: 'y',
  },
];
