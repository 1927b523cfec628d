// The noun tenant, and what its id looks like wherever one is given: a setting, a claim, a header, a body.

/** 1 to 63 of a-z, 0-9, `_`, `.` and `-`, not beginning with a sign. */
export const tenantIdPattern = /^[a-z0-9][a-z0-9_.-]{0,62}$/;

export interface Tenant {
  readonly tenantId: string;
  readonly name: string;
  readonly createdAt: string;
}
