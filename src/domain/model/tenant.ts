// What the id of a tenant looks like, wherever one is given: a setting, a claim, a header, a body.

/** 1 to 63 of a-z, 0-9, `_`, `.` and `-`, not beginning with a sign. */
export const tenantIdForm = /^[a-z0-9][a-z0-9_.-]{0,62}$/;
