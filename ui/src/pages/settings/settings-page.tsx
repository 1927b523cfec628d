// Settings: the caller, keys, users, tenants, webhooks, sessions, display. Each part has an address.
import { useNavigate, useParams } from '@tanstack/react-router';
import { useMemo, type ReactNode } from 'react';
import { NotFound } from '../../frame/not-found.tsx';
import { Page } from '../../frame/page.tsx';
import { useActions, type Action } from '../../keys/actions.ts';
import { Tabs } from '../../parts/controls/tabs.tsx';
import { NoRead } from '../../parts/states/no-read.tsx';
import { useMe, type Me } from '../../session/use-me.ts';
import { settingsWords as words } from '../../words/service/en-settings.ts';
import { DisplayPart } from './display-part.tsx';
import { KeysPart } from './keys-part.tsx';
import { MePart } from './me-part.tsx';
import { SessionsPart } from './sessions-part.tsx';
import { permissionOfPart, settingsParts, type SettingsPart } from './settings-search.ts';
import { TenantsPart } from './tenants-part.tsx';
import { UsersPart } from './users-part.tsx';
import { WebhooksPart } from './webhooks-part.tsx';

const contents: Readonly<Record<SettingsPart, () => ReactNode>> = {
  me: MePart,
  keys: KeysPart,
  users: UsersPart,
  tenants: TenantsPart,
  webhooks: WebhooksPart,
  sessions: SessionsPart,
  display: DisplayPart,
};

export function SettingsPage(): ReactNode {
  const { part: wanted = 'me' } = useParams({ strict: false });
  const me = useMe();
  const part = settingsParts.find((name) => name === wanted);
  const readable = useMemo(() => settingsParts.filter((name) => me !== undefined && mayRead(me, name)), [me]);
  usePartKeys(readable, part);
  if (part === undefined) return <NotFound id={wanted} />;
  const permission = permissionOfPart[part];
  if (me !== undefined && permission !== undefined && !mayRead(me, part)) {
    return <NoRead title={words.titles[part]} permission={permission} />;
  }
  const Content = contents[part];
  return (
    <Page
      title={words.titles[part]}
      below={
        <Tabs
          label={words.partsLabel}
          current={part}
          tabs={readable.map((name) => ({
            id: name,
            label: words.parts[name],
            link: { to: '/v1/monitor/settings/$part', params: { part: name } },
          }))}
        />
      }
    >
      {me === undefined ? null : <Content />}
    </Page>
  );
}

function mayRead({ permissions }: Me, part: SettingsPart): boolean {
  const permission = permissionOfPart[part];
  return permission === undefined || permissions.includes(permission);
}

function usePartKeys(parts: readonly SettingsPart[], part: SettingsPart | undefined): void {
  const navigate = useNavigate();
  const actions = useMemo((): readonly Action[] => {
    const show = (step: number): void => {
      const index = parts.findIndex((name) => name === part);
      const next = parts[(index + step + parts.length) % parts.length];
      if (next !== undefined) void navigate({ to: '/v1/monitor/settings/$part', params: { part: next } });
    };
    return [
      { id: 'previous-part', label: words.previousPart, keys: '[', group: 'page', run: () => show(-1) },
      { id: 'next-part', label: words.nextPart, keys: ']', group: 'page', run: () => show(1) },
    ];
  }, [parts, part, navigate]);
  useActions(actions);
}
