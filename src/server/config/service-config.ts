// The service's configuration: filled by config.ts, wired by build.ts. Nothing else reads the environment.
import type { LogFormat, LogLevel } from '../../lib/log/levels.ts';
import type { AuditLocation } from './audit-location.ts';
import type { ChannelHosts } from '../../domain/attribution/channels/classify-touch.ts';
import type { ClusterConfig } from './cluster/cluster-config.ts';
import type { ConfiguredToken } from '../../domain/access/identity/configured-tokens.ts';
import type { OidcConfig } from './oidc-settings.ts';
import type { PolicyMode } from './policy-mode.ts';
import type { TraceSettings } from '../../telemetry/trace-settings.ts';

export interface ServiceConfig {
  readonly port: number;
  /** Port of the tool protocol alone. */
  readonly mcpPort: number;
  readonly mcp: McpConfig;
  readonly host: string;
  /** The public address, used in the agent card, without a trailing slash; undefined: the address listened on. */
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
  /** The identity provider whose access tokens are accepted; undefined: none. */
  readonly oidc: OidcConfig | undefined;
  readonly leaseSeconds: number;
  readonly maxAttempts: number;
  readonly retentionDays: number;
  readonly idempotencyHours: number;
  readonly maxBodyBytes: number;
  /** Most calls of one subject that run at the same time. */
  readonly maxCallsInFlight: number;
  /** Most event streams and waiting calls of one credential. */
  readonly maxStreamsPerCredential: number;
  /** Most bytes of artifacts that one task may store in total. */
  readonly maxTaskArtifactBytes: number;
  /** Automation calls per credential and minute. */
  readonly automationCallsPerMinute: number;
  /** The models that automation tasks may name, as `provider:model`. */
  readonly models: readonly [string, ...string[]];
  /** Secrets that sign webhooks: the first one signs the header that the document defines, each signs the multi-signature. */
  readonly webhookSecrets: readonly string[];
  readonly webhookBackoffSeconds: number;
  /** Private networks and hosts that outgoing requests may reach. */
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
    /** Undefined: looked up in the system's folders. */
    readonly bwrap: string | undefined;
  };
  readonly runs: RunConfig;
  readonly analytics: AnalyticsConfig;
  readonly audit: AuditLocation;
  /** Undefined: no broker. May hold a password. */
  readonly brokerUrl: string | undefined;
  /** Undefined: instances share no records through the broker. */
  readonly brokerSecret: string | undefined;
  /** Folder and interval of base backups of the embedded PostgreSQL; undefined: none are taken. */
  readonly backup?: BackupConfig | undefined;
  /** Seconds that a stopping service keeps answering calls. */
  readonly drainSeconds: number;
  readonly cluster: ClusterConfig;
  /** The collector of traces; undefined: none are recorded. */
  readonly traces?: TraceSettings | undefined;
  readonly logLevel: LogLevel;
  /** Undefined: pretty on a terminal, else JSON. */
  readonly logFormat?: LogFormat | undefined;
}

/** Events of visitors and users. platform-5. */
export interface AnalyticsConfig {
  readonly retentionDays: number;
  readonly channelHosts: ChannelHosts;
}

/** Base backups. platform-6. */
export interface BackupConfig {
  /** Absolute path. */
  readonly dir: string;
  readonly everyHours: number;
  readonly keepDays: number;
}

/** Autonomous runs. runs-6. */
export interface RunConfig {
  /** False: nothing new starts. */
  readonly enabled: boolean;
  readonly maxIterations: number;
  readonly commitOnPass: boolean;
  readonly branchPrefix: string;
  readonly maxParallel: number;
  /** Runs of one tenant that are at work at once. */
  readonly maxActiveRuns: number;
  readonly maxRunSeconds: number;
  readonly commitProgress: boolean;
  /** The agent and model that judge; null: another agent of the codebase than the implementer's, and its default model. */
  readonly verifier: { readonly agent: string | null; readonly model: string | null };
  readonly bundleMaxBytes: number;
  /** The agent that answers in PRD chats; undefined: `model`, else the first. */
  readonly chatAgent: string | undefined;
  readonly retentionDays: number;
}

export interface McpConfig {
  /** Host names by which clients may call; undefined: only names that no stranger can register. */
  readonly allowedHosts: readonly string[] | undefined;
  readonly allowedOrigins: readonly string[];
  /** Without a trailing slash; undefined: derived from the other addresses. */
  readonly publicUrl: string | undefined;
}
