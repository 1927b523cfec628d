// The protected-resource metadata (RFC 9728), which names the authorization servers for MCP. It needs a credential, as
// all discovery does. choices-7.
import { z } from 'zod';
import { allPermissions } from '../../../domain/model/access/permission.ts';
import { operation, type Operation } from '../../pipeline/operation.ts';

export interface ResourceOptions {
  /** Address of the protected resource. Called for each request, because the port may be known late. */
  readonly resource: () => string;
  /** The trusted identity providers. */
  readonly authorizationServers: readonly string[];
}

const metadata = z.looseObject({
  resource: z.url(),
  authorization_servers: z.array(z.url()).optional(),
  scopes_supported: z.array(z.string()),
  bearer_methods_supported: z.array(z.string()),
});

const path = '/.well-known/oauth-protected-resource';

export function metadataUrl({ resource }: ResourceOptions): string {
  const url = new URL(resource());
  return `${url.origin}${path}${url.pathname === '/' ? '' : url.pathname}`;
}

export function metadataOperations(
  { resource, authorizationServers }: ResourceOptions,
  renderError: Operation['renderError'],
): Operation[] {
  return [path, `${path}/mcp`].map((at) =>
    operation({
      name: 'mcp.resource_metadata',
      method: 'GET',
      path: at,
      summary: 'Get the protected-resource metadata (RFC 9728).',
      permission: 'any_credential',
      answers: { 200: metadata },
      renderError,
      run: () =>
        Promise.resolve({
          status: 200,
          headers: { 'cache-control': 'private, max-age=300' },
          body: {
            resource: resource(),
            resource_name: 'Switchyard',
            ...(authorizationServers.length === 0 ? {} : { authorization_servers: authorizationServers }),
            scopes_supported: allPermissions(),
            bearer_methods_supported: ['header'],
          },
        }),
    }),
  );
}
