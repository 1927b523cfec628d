// The tenant that is shown. An administrator chooses another one here.
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { dataOf, ownApi } from '../api/api.ts';
import { SelectField } from '../parts/controls/field.tsx';
import { useActingTenant } from '../session/tenant.ts';
import { mayCrossTenants, useMe } from '../session/use-me.ts';
import { frameWords as words } from '../words/en-frame.ts';

/** @param className where it is seen */
export function TenantMenu({ className }: { readonly className: string }): ReactNode {
  const me = useMe();
  const acting = useActingTenant();
  const navigate = useNavigate();
  const mayChoose = me !== undefined && mayCrossTenants(me);
  const { data } = useQuery({
    queryKey: ['tenants'],
    queryFn: () => dataOf(ownApi().GET('/v1/auth/tenants', { params: { query: { limit: 200 } } })),
    enabled: mayChoose,
  });
  if (me === undefined) return null;
  if (!mayChoose || data === undefined || data.tenants.length < 2) {
    return (
      <p className={`truncate px-4 text-xs text-soft ${className}`}>
        <bdi>{me.tenant_id}</bdi>
      </p>
    );
  }
  const choose = (id: string): void =>
    void navigate({ to: '.', search: (search) => ({ ...search, tenant: id === me.tenant_id ? undefined : id }) });
  return (
    <div className={`px-2 ${className}`}>
      <SelectField
        label={words.tenant}
        hideLabel
        value={acting ?? me.tenant_id}
        onChange={choose}
        choices={data.tenants.map(({ tenant_id, name }) => ({ value: tenant_id, label: name }))}
      />
    </div>
  );
}
