// The A2A protocol: the card, and the actions of the chosen version over the chosen binding.
import { a2aBindings, a2aVersions } from './calls/protocol-versions.ts';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, type ReactNode } from 'react';
import { SelectField } from '../../parts/controls/field.tsx';
import { Failure } from '../../parts/states/failure.tsx';
import { inspectorWords as words } from '../../words/service/en-inspector.ts';
import { CallPanel } from './call-panel.tsx';
import { a2aCalls } from './calls/a2a-calls.ts';
import { CardPanel } from './card-panel.tsx';
import type { InspectorSearch } from './inspector-search.ts';
import { documentQuery } from './openapi-parts.tsx';

export function A2aPart(): ReactNode {
  const { version = '1.0', binding = 'jsonrpc' } = useSearch({ strict: false });
  const navigate = useNavigate();
  const isRest = binding === 'rest';
  const { data: document, error } = useQuery({ ...documentQuery(), enabled: isRest });
  const calls = useMemo(
    () => (isRest && document === undefined ? [] : a2aCalls(version, binding, document)),
    [version, binding, isRest, document],
  );
  const choose = (change: InspectorSearch): void =>
    void navigate({
      to: '/v1/monitor/inspector/$part',
      params: { part: 'a2a' },
      search: { version, binding, ...change },
      replace: true,
    });
  const above = (
    <>
      <CardPanel />
      <div className="flex flex-wrap gap-4">
        <SelectField
          label={words.version}
          className="w-32"
          value={version}
          choices={a2aVersions.map((value) => ({ value, label: words.versions[value] }))}
          onChange={(value) => choose({ version: value })}
        />
        <SelectField
          label={words.binding}
          className="w-32"
          value={binding}
          choices={a2aBindings.map((value) => ({ value, label: words.bindings[value] }))}
          onChange={(value) => choose({ binding: value })}
        />
      </div>
    </>
  );
  if (isRest && error !== null) return <Failure error={error} />;
  return <CallPanel part="a2a" calls={calls} mode={`${version} ${binding}`} above={above} />;
}
