// The parts that come from the OpenAPI document: REST, and the signed tools.
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import { api, dataOf } from '../../api/api.ts';
import { CodeLine } from '../../parts/controls/code-line.tsx';
import { curlOf } from '../../parts/controls/copy-menu.tsx';
import { Answer } from '../../parts/states/answer.tsx';
import { Failure } from '../../parts/states/failure.tsx';
import { useLack } from '../../session/use-me.ts';
import { commonWords } from '../../words/en-common.ts';
import { inspectorWords as words } from '../../words/service/en-inspector.ts';
import { CallPanel } from './call-panel.tsx';
import { restCalls } from './calls/rest-calls.ts';
import { toolCalls, type Manifest } from './calls/tool-calls.ts';

export function documentQuery() {
  return queryOptions({
    queryKey: ['openapi'],
    queryFn: async (): Promise<unknown> => dataOf(api().GET('/openapi.json')),
    staleTime: Infinity,
  });
}

export function RestPart(): ReactNode {
  const query = useQuery(documentQuery());
  return <Answer query={query}>{(document) => <RestCalls document={document} />}</Answer>;
}

function RestCalls({ document }: { readonly document: unknown }): ReactNode {
  const calls = useMemo(
    () => restCalls(document, { isWanted: ({ tag }) => tag !== 'a2a' && tag !== 'mcp' }),
    [document],
  );
  return <CallPanel part="rest" calls={calls} />;
}

const manifestsAtOnce = 200;

export function ToolsPart(): ReactNode {
  const lack = useLack('tools:read');
  const query = useQuery(documentQuery());
  const manifests = useQuery({
    queryKey: ['tools'],
    queryFn: async () => {
      const { manifests: page } = await dataOf(
        api().GET('/v1/tools/manifests', { params: { query: { limit: manifestsAtOnce } } }),
      );
      return page;
    },
    enabled: lack === undefined,
  });
  if (manifests.isError) return <Failure error={manifests.error} onRetry={() => void manifests.refetch()} />;
  return (
    <Answer query={query}>
      {(document) => <ToolCalls document={document} manifests={manifests.data} lack={lack} />}
    </Answer>
  );
}

interface ToolCallsProps {
  readonly document: unknown;
  readonly manifests: readonly Manifest[] | undefined;
  readonly lack: string | undefined;
}

function ToolCalls({ document, manifests, lack }: ToolCallsProps): ReactNode {
  const calls = useMemo(() => toolCalls(document, manifests ?? []), [document, manifests]);
  const register = curlOf({
    method: 'POST',
    path: '/v1/tools/manifests',
    body: { tool_id: 'my-tool', version: '1.0.0', sha256_hash: '…', signature: '…' },
  });
  const above =
    lack !== undefined ? (
      <p className="text-soft">{lack}</p>
    ) : manifests?.length === 0 ? (
      <>
        <p className="text-soft">{words.noTools}</p>
        <CodeLine text={register} copyLabel={commonWords.copy} copiedLabel={commonWords.copied} />
      </>
    ) : undefined;
  return manifests === undefined && lack === undefined ? null : <CallPanel part="tools" calls={calls} above={above} />;
}
