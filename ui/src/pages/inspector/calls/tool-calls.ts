// The signed tools: the operations on their register, and a run of each version that there is.
import type { AnswerOf } from '../../../api/answer-of.ts';
import { inspectorWords as words } from '../../../words/service/en-inspector.ts';
import type { Callable } from './callable.ts';
import { printJson } from './json.ts';
import { restCalls } from './rest-calls.ts';

export type Manifest = AnswerOf<'tools.list'>['manifests'][number];

export function toolCalls(document: unknown, manifests: readonly Manifest[]): readonly Callable[] {
  const operations = restCalls(document, { isWanted: ({ tag }) => tag === 'tools' });
  const run = operations.find(({ draft }) => draft.path.endsWith('/run'));
  return [
    ...(run === undefined ? [] : manifests.map((manifest) => runOf(manifest, run))),
    ...operations.map((call) => ({ ...call, group: words.register })),
  ];
}

function runOf(manifest: Manifest, run: Callable): Callable {
  const { tool_id, version, status, has_content, signed_by, network_allowed, max_memory_mb, max_cpu_seconds } =
    manifest;
  return {
    ...run,
    id: `${tool_id}@${version}`,
    group: words.signedTools,
    label: `${tool_id} ${version}`,
    summary: status === 'revoked' ? words.revokedTool : has_content ? words.runTool : words.noContent,
    draft: {
      ...run.draft,
      path: run.template.replace('{tool_id}', encodeURIComponent(tool_id)),
      body: printJson({ version, arguments: {}, policy: 'default' }),
    },
    facts: [
      ...run.facts,
      words.signedBy(signed_by),
      words.toolLimits(max_memory_mb, max_cpu_seconds, network_allowed === true),
    ],
  };
}
