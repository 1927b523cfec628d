// The pages of the side bar: their addresses, keys, icons and the permission that shows them.
import {
  Activity,
  CalendarClock,
  CircleHelp,
  Coins,
  FolderGit2,
  Funnel,
  Gauge,
  ListChecks,
  MessagesSquare,
  Route,
  ScrollText,
  Server,
  Settings,
  SquareTerminal,
  Target,
  type LucideIcon,
} from 'lucide-react';
import { useMe } from '../session/use-me.ts';
import { frameWords } from '../words/en-frame.ts';

export interface Place {
  readonly id: keyof typeof frameWords.places;
  readonly path: string;
  readonly icon: LucideIcon;
  /** The key after `g`. */
  readonly key: string;
  readonly permission?: string;
  /** The group of the side bar that it stands in, under a heading of its own. */
  readonly group?: keyof typeof frameWords.placeGroups;
  /** False for a page that is reached from others. */
  readonly inSideBar?: false;
}

export const places: readonly Place[] = [
  { id: 'overview', path: '/v1/monitor', icon: Gauge, key: 'o', permission: 'monitor:read' },
  { id: 'questions', path: '/v1/monitor/questions', icon: CircleHelp, key: 'q', permission: 'monitor:read' },
  { id: 'tasks', path: '/v1/monitor/tasks', icon: ListChecks, key: 't', permission: 'tasks:read' },
  { id: 'runs', path: '/dashboard/ralph', icon: Route, key: 'r', permission: 'ralph:read' },
  {
    id: 'conversations',
    path: '/v1/monitor/conversations',
    icon: MessagesSquare,
    key: 'c',
    permission: 'monitor:read',
  },
  { id: 'fleet', path: '/v1/monitor/fleet', icon: Server, key: 'f', permission: 'workers:read' },
  { id: 'codebases', path: '/v1/monitor/codebases', icon: FolderGit2, key: 'b', permission: 'codebases:read' },
  {
    id: 'funnels',
    path: '/v1/monitor/funnels',
    icon: Funnel,
    key: 'l',
    permission: 'analytics:read',
    group: 'plan',
  },
  {
    id: 'schedules',
    path: '/v1/monitor/schedules',
    icon: CalendarClock,
    key: 'd',
    permission: 'cronjobs:read',
    group: 'plan',
  },
  {
    id: 'objectives',
    path: '/v1/monitor/objectives',
    icon: Target,
    key: 'k',
    permission: 'okr:read',
    group: 'plan',
  },
  { id: 'costs', path: '/v1/monitor/costs', icon: Coins, key: 'u', permission: 'monitor:read' },
  { id: 'audit', path: '/v1/monitor/audit', icon: ScrollText, key: 'a', permission: 'audit:read' },
  { id: 'inspector', path: '/v1/monitor/inspector', icon: SquareTerminal, key: 'i' },
  { id: 'settings', path: '/v1/monitor/settings', icon: Settings, key: 's' },
  { id: 'health', path: '/v1/monitor/health', icon: Activity, key: 'h', permission: 'monitor:read', inSideBar: false },
];

/** Whether the page of this address belongs to the place. */
export function isAt(place: Place, pathname: string): boolean {
  return isRootOf(place, pathname) || (place.path !== '/v1/monitor' && pathname.startsWith(`${place.path}/`));
}

/** Whether the address is that of the place itself. */
export function isRootOf(place: Place, pathname: string): boolean {
  return pathname.replace(/\/$/, '') === place.path;
}

/** The places that this caller sees. */
export function usePlaces(): readonly Place[] {
  const me = useMe();
  return places.filter(
    ({ permission, inSideBar }) =>
      inSideBar !== false && (permission === undefined || me?.permissions.includes(permission) === true),
  );
}
