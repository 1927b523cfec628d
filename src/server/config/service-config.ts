// What the service is told: the shape that config.ts fills and build.ts wires. Nothing else reads the environment.
import type { AuditLocation } from './audit-location.ts';
import type { ConfiguredToken } from '../../domain/access/identity/configured-tokens.ts';
import type { OidcConfig } from './oidc-settings.ts';
import type { PolicyMode } from './policy-mode.ts';
import type { TraceSettings } from '../../telemetry/trace-settings.ts';

export interface ServiceConfig {
  readonly port: number;
  /** Of the tool protocol alone. */
  readonly mcpPort: number;
  readonly mcp: McpConfig;
  readonly host: string;
  /** The public address, used in the agent card; undefined: the address listened on. Without a trailing slash. */
  readonly baseUrl: string | undefined;
  /** Absolute path. */
  readonly dataDir: string;
  /** The service's login; undefined: the embedded PostgreSQL. */
  readonly databaseUrl: string | undefined;
  /** A login that owns the tables, for migrations; undefined: the service's own. */
  readonly migrationDatabaseUrl: string | undefined;
  readonly rlsEnabled: boolean;
  /** Every configured or generated token. */
  readonly tokens: readonly ConfiguredToken[];
  readonly policy: PolicyMode;
  /** The identity provider whose access tokens are taken; undefined: none. */
  readonly oidc: OidcConfig | undefined;
  readonly leaseSeconds: number;
  readonly maxAttempts: number;
  readonly retentionDays: number;
  readonly idempotencyHours: number;
  readonly maxBodyBytes: number;
  /** Calls of one subject that are answered at once. */
  readonly maxCallsInFlight: number;
  /** Event streams and waiting calls that one credential may have open. */
  readonly maxStreamsPerCredential: number;
  /** Bytes of artifacts that a task takes in all. */
  readonly maxTaskArtifactBytes: number;
  /** Calls of the automation family that one credential has in a minute. */
  readonly automationCallsPerMinute: number;
  /** The models that the automation family offers, as `provider:model`. */
  readonly models: readonly [string, ...string[]];
  /** Sign webhooks: the first the document's header, each the multi-signature. */
  readonly webhookSecrets: readonly string[];
  readonly webhookBackoffSeconds: number;
  /** Networks and hosts that outgoing requests may reach although they are private. */
  readonly egressAllow: readonly string[];
  /** The private key that signs the agent card, in PEM; undefined: cards are not signed. */
  readonly cardSigningKey: string | undefined;
  readonly trustedProxies: readonly string[];
  readonly tools: {
    /** Each as `name:base64` or base64 alone. */
    readonly trustedKeys: readonly string[];
    readonly allowedPaths: readonly string[];
    readonly maxMemoryMb: number;
    readonly maxCpuSeconds: number;
    readonly runsAtOnce: number;
    /** Undefined: looked for. */
    readonly bwrap: string | undefined;
  };
  readonly audit: AuditLocation;
  /** Undefined: no broker. May hold a password. */
  readonly brokerUrl: string | undefined;
  /** Undefined: instances share no records through the broker. */
  readonly brokerSecret: string | undefined;
  /** Seconds between being told to stop and taking no more calls. */
  readonly drainSeconds: number;
  /** Where traces go; undefined: none are recorded. */
  readonly traces?: TraceSettings | undefined;
  readonly logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';
}

export interface McpConfig {
  /** Host names by which clients may call; undefined: those that no stranger can register. */
  readonly allowedHosts: readonly string[] | undefined;
  readonly allowedOrigins: readonly string[];
  /** Without a trailing slash; undefined: made of the other addresses. */
  readonly publicUrl: string | undefined;
}
