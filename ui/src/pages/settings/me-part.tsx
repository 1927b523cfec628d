// The caller, the credential in use, and its permissions.
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { FreeText } from '../../parts/marks/free-text.tsx';
import { Ago } from '../../parts/marks/time.tsx';
import { Answer } from '../../parts/states/answer.tsx';
import { DataTable } from '../../parts/table.tsx';
import { useMe, type Me } from '../../session/use-me.ts';
import { settingsWords } from '../../words/service/en-settings.ts';
import { matrixQuery, resourcesOf } from './scopes.ts';

const words = settingsWords.me;

export function MePart(): ReactNode {
  const me = useMe();
  const matrix = useQuery(matrixQuery());
  if (me === undefined) return null;
  return (
    <div className="grid max-w-4xl gap-6 p-(--page)">
      <Facts me={me} />
      <section>
        <h2 className="mb-1 font-bold">{words.permissions}</h2>
        <Answer query={matrix}>
          {({ admin }) => (
            <>
              <p className="mb-3 text-sm text-soft">{words.permissionsText(me.permissions.length, admin.length)}</p>
              <Permissions held={me.permissions} all={admin} />
            </>
          )}
        </Answer>
      </section>
    </div>
  );
}

function Facts({ me }: { readonly me: Me }): ReactNode {
  const facts: readonly (readonly [string, ReactNode])[] = [
    [words.name, <FreeText key="name" text={me.name} />],
    [words.subject, <FreeText key="subject" text={me.subject} className="font-mono text-mono" />],
    [words.tenant, <FreeText key="tenant" text={me.tenant_id} className="font-mono text-mono" />],
    [words.roles, me.roles.join(', ')],
    [words.credential, words.credentials[me.credential]],
    ...(me.session === null
      ? []
      : [[words.session, <Ago key="session" at={me.session.expires_at} />] satisfies [string, ReactNode]]),
    [words.scopes, me.scopes === null ? words.noScopes : me.scopes.join(', ')],
  ];
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-1.5">
      {facts.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-soft">{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Permissions({ held, all }: { readonly held: readonly string[]; readonly all: readonly string[] }): ReactNode {
  const rows = resourcesOf(all).map(({ resource, permissions }) => ({
    resource,
    may: permissions.filter((permission) => held.includes(permission)),
    mayNot: permissions.filter((permission) => !held.includes(permission)),
  }));
  return (
    <DataTable
      label={words.permissionsTable}
      grid="md:grid-cols-[auto_minmax(0,1fr)_minmax(0,1fr)]"
      rows={rows}
      rowKey={({ resource }) => resource}
      columns={[
        { id: 'resource', head: words.resource, cell: ({ resource }) => resource },
        { id: 'may', head: words.may, cell: ({ may }) => actionsText(may) },
        {
          id: 'may-not',
          head: words.mayNot,
          cell: ({ mayNot }) => <span className="text-soft">{actionsText(mayNot)}</span>,
        },
      ]}
    />
  );
}

function actionsText(permissions: readonly string[]): string {
  return permissions.map((permission) => permission.slice(permission.indexOf(':') + 1)).join(', ') || words.nothing;
}
