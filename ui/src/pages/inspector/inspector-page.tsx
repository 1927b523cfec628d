// The inspector: calls of A2A, MCP, REST and signed tools by hand, with what really goes over the wire.
import { useParams } from '@tanstack/react-router';
import { lazy, Suspense, type ComponentType, type ReactNode } from 'react';
import { NotFound } from '../../frame/not-found.tsx';
import { Page } from '../../frame/page.tsx';
import { Tabs } from '../../parts/controls/tabs.tsx';
import { Loading } from '../../parts/states/loading.tsx';
import { inspectorWords as words } from '../../words/service/en-inspector.ts';
import { inspectorParts, type InspectorPart } from './inspector-search.ts';

const parts: Readonly<Record<InspectorPart, ComponentType>> = {
  a2a: lazy(async () => ({ default: (await import('./a2a-part.tsx')).A2aPart })),
  mcp: lazy(async () => ({ default: (await import('./mcp-part.tsx')).McpPart })),
  rest: lazy(async () => ({ default: (await import('./openapi-parts.tsx')).RestPart })),
  tools: lazy(async () => ({ default: (await import('./openapi-parts.tsx')).ToolsPart })),
} as const;

export function InspectorPage(): ReactNode {
  const { part = 'a2a' } = useParams({ strict: false });
  const shown = inspectorParts.find((known) => known === part);
  if (shown === undefined) return <NotFound />;
  const Part = parts[shown];
  return (
    <Page
      title={words.title}
      below={
        <Tabs
          label={words.partsLabel}
          current={shown}
          tabs={inspectorParts.map((name) => ({
            id: name,
            label: words.parts[name],
            link: { to: '/v1/monitor/inspector/$part', params: { part: name } },
          }))}
        />
      }
    >
      <Suspense fallback={<Loading />}>
        <Part />
      </Suspense>
    </Page>
  );
}
