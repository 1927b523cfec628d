// The tool protocol: what this caller is offered, in the revision that is chosen.
import { mcpEras } from './calls/protocol-versions.ts';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, type ReactNode } from 'react';
import { rawCall } from '../../api/raw-call.ts';
import { SelectField } from '../../parts/controls/field.tsx';
import { Answer } from '../../parts/states/answer.tsx';
import { useLack } from '../../session/use-me.ts';
import { inspectorWords as words } from '../../words/service/en-inspector.ts';
import { CallPanel } from './call-panel.tsx';
import { isJsonObject, listOf, parseJson, valueAt, type JsonObject } from './calls/json.ts';
import { listRequest, mcpCalls, type McpOffer } from './calls/mcp-calls.ts';

interface Offered extends McpOffer {
  /** Status of a list that was refused. */
  readonly refused: number | undefined;
}

const noOffer: Offered = { tools: [], resources: [], templates: [], prompts: [], refused: undefined };

export function McpPart(): ReactNode {
  // Every method of the protocol needs it, the lists too.
  const lack = useLack('mcp:write');
  const enabled = lack === undefined;
  const query = useQuery({ queryKey: ['mcp-offer'], queryFn: async ({ signal }) => offerOf(signal), enabled });
  if (lack !== undefined) return <McpBench offer={noOffer} lack={lack} />;
  return <Answer query={query}>{(offer) => <McpBench offer={offer} />}</Answer>;
}

function McpBench({ offer, lack }: { readonly offer: Offered; readonly lack?: string }): ReactNode {
  const { era = mcpEras[0] } = useSearch({ strict: false });
  const navigate = useNavigate();
  const calls = useMemo(() => mcpCalls(era, offer), [era, offer]);
  const above = (
    <div className="flex flex-wrap items-end gap-4">
      <SelectField
        label={words.era}
        className="w-64"
        value={era}
        choices={mcpEras.map((value) => ({ value, label: words.eras[value] }))}
        onChange={(value) =>
          void navigate({
            to: '/v1/monitor/inspector/$part',
            params: { part: 'mcp' },
            search: (before) => ({ ...before, era: value }),
            replace: true,
          })
        }
      />
      {lack === undefined ? null : <p className="text-soft">{lack}</p>}
      {offer.refused === undefined ? null : <p className="text-ask">{words.listRefused(offer.refused)}</p>}
    </div>
  );
  return <CallPanel part="mcp" calls={calls} mode={era} above={above} />;
}

async function offerOf(signal: AbortSignal): Promise<Offered> {
  const list = async (method: string, member: string): Promise<[readonly JsonObject[], number]> => {
    const { status, text } = await rawCall(listRequest(method), { signal });
    const found = listOf(valueAt(parseJson(text)?.value, ['result', member])).filter(isJsonObject);
    return [found, status];
  };
  const [tools, resources, templates, prompts] = await Promise.all([
    list('tools/list', 'tools'),
    list('resources/list', 'resources'),
    list('resources/templates/list', 'resourceTemplates'),
    list('prompts/list', 'prompts'),
  ]);
  const refused = [tools, resources, templates, prompts].map(([, status]) => status).find((status) => status !== 200);
  return { tools: tools[0], resources: resources[0], templates: templates[0], prompts: prompts[0], refused };
}
