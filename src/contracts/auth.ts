// Wire shapes of /v1/auth: the caller, API keys, sign-in sessions, users, tenants. choices-4.
import { z } from 'zod';
import { id, pageQuery, timestamp } from './common.ts';

export const role = z.enum(['admin', 'operator', 'editor', 'viewer', 'agent']);
const credential = z.enum(['service_token', 'shared_token', 'api_key', 'session', 'access_token', 'service']);
const name = z.string().min(1).max(200);
const nextCursor = z.string().nullable();

/** `scopes` null: not restricted. */
export const me = z.object({
  subject: z.string(),
  name: z.string(),
  tenant_id: z.string(),
  roles: z.array(role),
  scopes: z.array(z.string()).nullable(),
  credential,
  /** The roles' permissions within the scopes, as `resource:action`. */
  permissions: z.array(z.string()),
  /** The sign-in session that made this call; null for other credentials. */
  session: z.object({ id, expires_at: timestamp }).nullable(),
});

/** The permissions of each role. */
const permissions = z.array(z.string());
export const permissionMatrix = z.object({
  roles: z.object({
    admin: permissions,
    operator: permissions,
    editor: permissions,
    viewer: permissions,
    agent: permissions,
  }),
});

/** How access is configured; nothing in it is secret. */
export const authStatus = z.object({
  credentials: z.object({
    service_token: z.boolean(),
    shared_tokens: z.boolean(),
    api_keys: z.boolean(),
    sessions: z.boolean(),
    identity_provider: z.boolean(),
  }),
  policy: z.object({ mode: z.enum(['local', 'sidecar']) }),
  row_level_security: z.boolean(),
  session_hours: z.int(),
});
export type AuthStatusWire = z.infer<typeof authStatus>;

/** The subject of a user. Its form is up to the identity provider: any text without control characters. */
export const userId = z
  .string()
  .min(1)
  .max(300)
  .regex(/^\P{Cc}+$/u);

export const apiKey = z.object({
  id,
  name: z.string(),
  /** The first characters of the key. */
  prefix: z.string(),
  scopes: z.array(z.string()),
  user_id: z.string(),
  /** The credential that created it, e.g. `token:ci`, or `key:` and the id of another key. */
  created_by: z.string(),
  created_at: timestamp,
  expires_at: timestamp.nullable(),
  last_used_at: timestamp.nullable(),
  revoked_at: timestamp.nullable(),
});
export type ApiKeyWire = z.infer<typeof apiKey>;

/** Body of `POST /v1/auth/api-keys`. Default of `scopes`: all permissions of the caller; of `user_id`: the caller. */
export const newApiKey = z.strictObject({
  name,
  scopes: z.array(z.string().min(1).max(100)).max(200).optional(),
  expires_in_days: z.int().min(1).max(3650).optional(),
  user_id: userId.optional(),
});
/** `key` is returned here only. */
export const createdApiKey = z.object({ api_key: apiKey, key: z.string() });
export const apiKeyAnswer = z.object({ api_key: apiKey });
export const apiKeyPage = z.object({ api_keys: z.array(apiKey), next_cursor: nextCursor });
/** Listing others' keys needs `api_keys:admin`. */
export const apiKeyQuery = z.strictObject({
  ...pageQuery,
  user_id: userId.optional(),
  all: z.boolean().default(false),
});

export const signInSession = z.object({
  session_id: id,
  user_id: z.string(),
  name: z.string(),
  /** The credential that created it, e.g. `token:ci`. */
  created_by: z.string(),
  created_at: timestamp,
  expires_at: timestamp,
  last_used_at: timestamp.nullable(),
  /** Whether this session made the current call. */
  current: z.boolean(),
});
export type SignInSessionWire = z.infer<typeof signInSession>;

export const newSignIn = z.strictObject({});
/** `access_token` is returned here only. */
export const createdSignIn = z.object({ session_id: id, access_token: z.string(), expires_at: timestamp });

export const newSignInCode = z.strictObject({});
/** `code` is returned here only; `url` has it in its fragment, which browsers send to nobody. */
export const createdSignInCode = z.object({ code: z.string(), url: z.string(), expires_at: timestamp });

export const signInAnswer = z.object({ session: signInSession });
export const signInPage = z.object({ sessions: z.array(signInSession), next_cursor: nextCursor });
/** `all`: sessions of the whole tenant, for admins. */
export const signInQuery = z.strictObject({ ...pageQuery, all: z.boolean().default(false) });

export const user = z.object({
  user_id: z.string(),
  name: z.string(),
  roles: z.array(role),
  status: z.enum(['active', 'disabled']),
  /** `provider`: created by an access token, which determines its roles. */
  source: z.enum(['admin', 'provider']),
  created_at: timestamp,
  updated_at: timestamp,
});
export type UserWire = z.infer<typeof user>;

/** Body of `PUT /v1/auth/users/{id}`: omitted fields stay unchanged. */
export const userChange = z.strictObject({
  name: name.optional(),
  roles: z.array(role).max(5).optional(),
  status: z.enum(['active', 'disabled']).optional(),
});
export const userAnswer = z.object({ user });
export const userPage = z.object({ users: z.array(user), next_cursor: nextCursor });

export const tenant = z.object({ tenant_id: z.string(), name: z.string(), created_at: timestamp });
export type TenantWire = z.infer<typeof tenant>;
export const newTenant = z.strictObject({ tenant_id: z.string().regex(/^[a-z0-9][a-z0-9_.-]{0,62}$/), name });
export const tenantAnswer = z.object({ tenant });
export const tenantPage = z.object({ tenants: z.array(tenant), next_cursor: nextCursor });

export const authPageQuery = z.strictObject(pageQuery);
