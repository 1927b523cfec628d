// Wires the two protocols, A2A and the tool protocol, with the addresses that they publish.
import type { FastifyInstance } from 'fastify';
import { discoveryUrl } from '../../adapters/oidc/discovery.ts';
import type { PrdChatDeps } from '../../domain/prd/chat/chat-deps.ts';
import type { RunDeps } from '../../domain/runs/change/run-deps.ts';
import { cardSigner } from '../../http/a2a/card/card-signature.ts';
import { buildA2a, type A2a } from '../../http/a2a/mount.ts';
import { buildMcp, type Mcp } from '../../http/mcp/build.ts';
import type { SchemaCompiler } from '../../http/pipeline/schema.ts';
import type { BuildOptions } from './build-options.ts';
import type { Services } from './services.ts';
import type { ServiceConfig } from '../config/service-config.ts';

export interface Protocols {
  readonly a2a: A2a;
  readonly mcp: Mcp;
  /** The public address; without one the forwarded origin of a trusted proxy, or the address listened on. */
  readonly base: (forwarded?: string) => string;
}

interface ProtocolParts {
  readonly app: FastifyInstance;
  /** The tool protocol's own port. */
  readonly toolApp: FastifyInstance;
  readonly schemas: SchemaCompiler;
  readonly runs: RunDeps;
  readonly chat: PrdChatDeps;
}

export function wireProtocols(
  { config, version, log }: BuildOptions,
  services: Services,
  { app, toolApp, schemas, runs, chat }: ProtocolParts,
): Protocols {
  const { oidc, cardSigningKey } = config;
  const base = (forwarded?: string): string => config.baseUrl ?? forwarded ?? listeningUrl(app, config);
  const jwksUrl = (): string => `${base()}/.well-known/jwks.json`;
  const card = {
    base,
    version,
    pushNotifications: true,
    openIdConnectUrl: oidc === undefined ? undefined : discoveryUrl(oidc.issuer),
    signer: cardSigningKey === undefined ? undefined : cardSigner(cardSigningKey, jwksUrl),
  };
  const a2a = buildA2a({ ...services, runs, chat }, { schemas, log, card });
  const toolBase = (): string => config.baseUrl ?? listeningUrl(toolApp, config, config.mcpPort);
  const resource = {
    resource: () => config.mcp.publicUrl ?? `${toolBase()}/mcp`,
    authorizationServers: oidc === undefined ? [] : [oidc.issuer],
  };
  return { a2a, base, mcp: buildMcp({ ...services, runs, chat }, { cards: a2a.cards, schemas, version, resource }) };
}

/** The address listened on, if no public one is configured; a wildcard is published as localhost. */
function listeningUrl(app: FastifyInstance, config: ServiceConfig, fallbackPort = config.port): string {
  const address = app.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : fallbackPort;
  const wildcard = config.host === '0.0.0.0' || config.host === '::';
  const host = wildcard ? 'localhost' : config.host.includes(':') ? `[${config.host}]` : config.host;
  return `http://${host}:${port}`;
}
