// The secrets that sign the tenant's webhooks: how many there are, and setting them. None is ever shown.
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { api, dataOf } from '../../api/api.ts';
import { queryClient } from '../../api/query-client.ts';
import { requireOnline } from '../../data/tasks/task-actions.ts';
import { AskFirst } from '../../parts/controls/ask-first.tsx';
import { Button } from '../../parts/controls/button.tsx';
import { TextField } from '../../parts/controls/field.tsx';
import { Answer } from '../../parts/states/answer.tsx';
import { notify, notifyError } from '../../parts/states/notices.tsx';
import { useActingTenant } from '../../session/tenant.ts';
import { useLack, useMe } from '../../session/use-me.ts';
import { settingsWords } from '../../words/service/en-settings.ts';

const words = settingsWords.webhooks;

export function WebhookSecret(): ReactNode {
  const own = useMe()?.tenant_id ?? '';
  const tenant = useActingTenant() ?? own;
  const lack = useLack('tenants:write');
  const [secret, setSecret] = useState('');
  const [isAsking, setAsking] = useState(false);
  const path = { id: tenant };
  const query = useQuery({
    queryKey: ['webhook-secret', tenant],
    queryFn: async () => dataOf(api().GET('/v1/auth/tenants/{id}/webhook-secret', { params: { path } })),
    enabled: tenant !== '',
  });
  const save = async (): Promise<void> => {
    requireOnline();
    const { secrets } = await dataOf(
      api().PUT('/v1/auth/tenants/{id}/webhook-secret', { params: { path }, body: { secret: secret.trim() } }),
    );
    setSecret('');
    notify(words.saved(secrets));
    await queryClient.invalidateQueries({ queryKey: ['webhook-secret'] });
  };
  return (
    <section className="max-w-[72ch] px-(--page)">
      <h2 className="mb-1 font-bold">{words.secret}</h2>
      <Answer query={query} rows={1}>
        {({ count }) => (
          <>
            <p className="mb-3 text-soft">{words.secretCount(count)}</p>
            <form
              className="flex flex-wrap items-start gap-2"
              onSubmit={(event) => {
                event.preventDefault();
                if (count > 0) setAsking(true);
                else void save().catch(notifyError);
              }}
            >
              <TextField
                className="min-w-60 flex-1"
                label={words.field}
                hint={words.hint}
                type="password"
                autoComplete="new-password"
                value={secret}
                onChange={setSecret}
              />
              <Button type="submit" disabledReason={lack} className="mt-[22px]">
                {words.set}
              </Button>
            </form>
          </>
        )}
      </Answer>
      {isAsking ? (
        <AskFirst
          title={words.replaceTitle}
          text={words.replaceText}
          keep={words.keep}
          action={words.replace}
          onClose={() => setAsking(false)}
          onDo={save}
        />
      ) : null}
    </section>
  );
}
