// Says that the pages are those of another tenant, and leads back to the own one.
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useActingTenant } from '../../session/tenant.ts';
import { frameWords as words } from '../../words/en-frame.ts';

export function TenantBanner(): ReactNode {
  const acting = useActingTenant();
  if (acting === undefined) return null;
  return (
    <div className="flex flex-wrap items-center gap-x-3 border-b border-ask bg-ask-ground px-(--page) py-1.5 text-ask">
      <strong className="font-semibold">{words.actIn(acting)}</strong>
      <Link
        to="."
        search={(before) => ({ ...before, tenant: undefined })}
        className="inline-flex min-h-6 items-center underline"
      >
        {words.ownTenant}
      </Link>
    </div>
  );
}
