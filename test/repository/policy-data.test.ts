// policies/switchyard/data.json is what the matrix says; `npm run docs` writes it anew.
import { readFile, writeFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import {
  tenantOverridePermission,
  permissionsOf,
  roles,
  rolesOverOthers,
  rolesOverTenants,
} from '../../src/domain/model/access/permission.ts';

const path = new URL('../../policies/switchyard/data.json', import.meta.url);

it('the data of the Rego policy are those of the local evaluator [core-5.7.2]', async () => {
  const data = {
    grants: Object.fromEntries(roles.map((role) => [role, [...permissionsOf([role])].toSorted()])),
    roles_over_others: rolesOverOthers,
    roles_over_tenants: rolesOverTenants,
    crossing_permission: tenantOverridePermission,
  };
  const text = `${JSON.stringify(data, null, 2)}\n`;
  if (process.env['UPDATE_DOCS'] !== undefined) await writeFile(path, text);
  expect(await readFile(path, 'utf8')).toBe(text);
});
