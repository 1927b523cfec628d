// The credentials of the walks, as an operator writes them into the settings of a service.

const roles = {
  admin: 'admin',
  operator: 'operator',
  editor: 'editor',
  viewer: 'viewer',
  agent: 'agent',
  otheragent: 'agent/other',
  other: 'operator/other',
  lonely: 'operator/lonely',
} as const;

/** A subject of tenant `default`, `other`, or `lonely`, which has no workers. */
export type Subject = keyof typeof roles;

export function tokenOf(subject: Subject): string {
  return `token-of-${subject}-in-the-walks`;
}

/** For A2A_AUTH_TOKENS; the admin's is SERVICE_AUTH_TOKEN. */
export const sharedTokens = Object.entries(roles)
  .filter(([subject]) => subject !== 'admin')
  .map(([subject, role]) => `${subject}:token-of-${subject}-in-the-walks@${role}`)
  .join(',');
