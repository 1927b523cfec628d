// The agent card of the service: whether it is valid and rightly signed, and the card itself.
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { rawCall } from '../../api/raw-call.ts';
import { JsonTree } from '../../parts/json-tree.tsx';
import { Failure } from '../../parts/states/failure.tsx';
import { inspectorWords as words } from '../../words/service/en-inspector.ts';
import { checkCard, checkSignatures, type SignatureReport } from './calls/card-check.ts';
import { parseJson } from './calls/json.ts';

export function CardPanel(): ReactNode {
  const query = useQuery({ queryKey: ['agent-card'], queryFn: async ({ signal }) => readCard(signal) });
  const { data } = query;
  return (
    <section aria-labelledby="agent-card">
      <h2 id="agent-card" className="font-semibold">
        {words.cardTitle}
      </h2>
      {query.isError ? <Failure error={query.error} onRetry={() => void query.refetch()} /> : null}
      {data === undefined ? null : <CardFacts card={data.card} signature={data.signature} />}
    </section>
  );
}

interface ReadCard {
  readonly card: unknown;
  readonly signature: SignatureReport | undefined;
}

async function readCard(signal: AbortSignal): Promise<ReadCard> {
  const card = await readJson('/.well-known/agent-card.json', signal);
  if (!checkCard(card).hasSignatures) return { card, signature: undefined };
  return { card, signature: await checkSignatures(card, await readJson('/.well-known/jwks.json', signal)) };
}

/** The JSON of an answer; null when it is none. */
async function readJson(path: string, signal: AbortSignal): Promise<unknown> {
  const { text } = await rawCall({ method: 'GET', path, headers: {} }, { signal });
  return parseJson(text)?.value ?? null;
}

function CardFacts({ card, signature }: ReadCard): ReactNode {
  const { versions, faults } = checkCard(card);
  const spoken = versions.map((version) => words.versions[version]).join(', ');
  return (
    <>
      <p className={faults.length === 0 ? 'text-ok' : 'text-bad'}>
        {faults.length === 0 ? words.cardRight(spoken) : words.cardFaults(faults.length)}{' '}
        <span className={signature === 'wrong' ? 'text-bad' : 'text-soft'}>
          {signature === undefined ? words.unsigned : words.signatures[signature]}
        </span>
      </p>
      {faults.length === 0 ? null : (
        <ul className="text-bad">
          {faults.map((fault) => (
            <li key={fault}>{fault}</li>
          ))}
        </ul>
      )}
      <details>
        <summary className="min-h-6 cursor-pointer text-sm text-soft">{words.showCard}</summary>
        <div className="mt-1 max-h-[50vh] overflow-y-auto">
          <JsonTree value={card} />
        </div>
      </details>
    </>
  );
}
