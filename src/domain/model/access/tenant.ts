// The noun tenant, and the format of its id in settings, claims, headers and bodies.

/** 1 to 63 of a-z, 0-9, `_`, `.` and `-`, beginning with a letter or digit. */
export const tenantIdPattern = /^[a-z0-9][a-z0-9_.-]{0,62}$/;

export interface Tenant {
  readonly tenantId: string;
  readonly name: string;
  readonly createdAt: string;
}
