// Whether every chain of the audit is whole: checked when a person asks for it, because it reads every entry.
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { AnswerOf } from '../../api/answer-of.ts';
import { api, dataOf } from '../../api/api.ts';
import { serviceNow } from '../../api/clock.ts';
import { Button } from '../../parts/controls/button.tsx';
import { Ago } from '../../parts/marks/time.tsx';
import { failureText } from '../../parts/states/failure.tsx';
import { auditWords as words } from '../../words/service/en-audit.ts';

type Verdict = AnswerOf<'audit.verify'>;

export function AuditVerdict(): ReactNode {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['audit-verdict'],
    queryFn: async () => ({
      verdict: await dataOf(api().GET('/v1/audit/verify')),
      at: new Date(serviceNow()).toISOString(),
    }),
    enabled: false,
    retry: false,
    gcTime: 60 * 60_000,
  });
  return (
    <>
      <div role="status" className="text-sm">
        {isFetching ? (
          <span className="text-soft">{words.verifying}</span>
        ) : error !== null ? (
          <span className="text-bad">{failureText(error)}</span>
        ) : data === undefined ? (
          <span className="text-soft">{words.notVerified}</span>
        ) : (
          <Result verdict={data.verdict} at={data.at} />
        )}
      </div>
      <Button busy={isFetching} onClick={() => void refetch()}>
        {words.verify}
      </Button>
    </>
  );
}

function Result({ verdict, at }: { readonly verdict: Verdict; readonly at: string }): ReactNode {
  const broken = verdict.chains.filter(({ ok }) => !ok);
  if (verdict.ok && broken.length === 0) {
    const entries = verdict.chains.reduce((sum, chain) => sum + chain.entries, 0);
    return (
      <span className="text-ok">
        <span aria-hidden>✓ </span>
        {words.whole(entries)} <Ago at={at} />
      </span>
    );
  }
  return (
    <ul className="font-semibold text-bad">
      {broken.map(({ chain, first_bad_seq, reason, file, line }) => (
        <li key={chain}>
          <span aria-hidden>■ </span>
          {first_bad_seq === undefined ? words.brokenChain(chain) : words.broken(first_bad_seq, chain)}
          {reason === undefined ? null : <span className="block font-normal">{reason}</span>}
          {file === undefined || line === undefined ? null : (
            <span className="block font-mono text-xs font-normal">{words.place(file, line)}</span>
          )}
        </li>
      ))}
    </ul>
  );
}
