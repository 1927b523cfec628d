// The offers of the tool protocol to this caller: tools, resources, prompts and completion, as requests of the chosen revision.
import type { RawRequest } from '../../../api/raw-call.ts';
import { inspectorWords as words } from '../../../words/service/en-inspector.ts';
import type { Callable, CallField } from './callable.ts';
import { isJsonObject, listOf, objectOf, printJson, textOrEmpty, type JsonObject } from './json.ts';
import { bodyFields } from './schema-fields.ts';
import type { McpEra } from './protocol-versions.ts';

/** `plain` is JSON-RPC without a handshake and without a revision. */

export interface McpOffer {
  readonly tools: readonly JsonObject[];
  readonly resources: readonly JsonObject[];
  readonly templates: readonly JsonObject[];
  readonly prompts: readonly JsonObject[];
}

const client = { name: 'switchyard-inspector', version: '1' } as const;

/** The plain request that lists one kind of thing. */
export function listRequest(method: string): RawRequest {
  return {
    method: 'POST',
    path: '/mcp',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method }),
  };
}

export function mcpCalls(era: McpEra, offer: McpOffer): readonly Callable[] {
  return [
    ...sessionCalls(era),
    ...offer.tools.map((tool) => toolCall(era, tool)),
    ...offer.resources.map((resource) => resourceCall(era, resource, textOrEmpty(resource['uri']))),
    ...offer.templates.map((template) => resourceCall(era, template, textOrEmpty(template['uriTemplate']))),
    ...offer.prompts.map((prompt) => promptCall(era, prompt)),
    completionCall(era, offer.prompts),
  ];
}

interface Base {
  readonly id: string;
  readonly group: string;
  readonly summary: string;
  readonly label?: string;
  readonly fields?: readonly CallField[];
  readonly facts?: readonly string[];
}

function rpc(era: McpEra, base: Base, method: string, params: JsonObject, name?: string): Callable {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': era,
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': client,
  };
  const sent = era === '2026-07-28' ? { ...params, _meta: meta } : params;
  return {
    label: base.id,
    fields: [],
    ...base,
    template: '/mcp',
    draft: {
      method: 'POST',
      path: '/mcp',
      headers: headersOfEra(era, method, name).join('\n'),
      body: printJson({ jsonrpc: '2.0', id: 1, method, ...(Object.keys(sent).length > 0 && { params: sent }) }),
    },
    facts: [...(base.facts ?? []), words.needs('mcp:write')],
  };
}

/** The newest revision repeats method and name in headers, so that a proxy can see them. */
function headersOfEra(era: McpEra, method: string, name: string | undefined): readonly string[] {
  const json = 'Content-Type: application/json';
  if (era === 'plain') return [json];
  return [
    json,
    'Accept: application/json, text/event-stream',
    `MCP-Protocol-Version: ${era}`,
    ...(era === '2026-07-28' ? [`Mcp-Method: ${method}`, ...(name === undefined ? [] : [`Mcp-Name: ${name}`])] : []),
  ];
}

function sessionCalls(era: McpEra): readonly Callable[] {
  const group = words.mcpGroups.server;
  const first =
    era === '2026-07-28'
      ? rpc(era, { id: 'server/discover', group, summary: words.discover }, 'server/discover', {})
      : rpc(era, { id: 'initialize', group, summary: words.initialize }, 'initialize', {
          protocolVersion: '2025-11-25',
          capabilities: {},
          clientInfo: client,
        });
  const lists = ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list'];
  return [first, ...lists.map((method) => rpc(era, { id: method, group, summary: words.lists }, method, {}))];
}

function toolCall(era: McpEra, tool: JsonObject): Callable {
  const name = textOrEmpty(tool['name']);
  const annotations = objectOf(tool['annotations']);
  const hints = Object.entries(words.toolHints).flatMap(([hint, [yes, no]]) =>
    annotations[hint] === undefined ? [] : [annotations[hint] === true ? yes : no],
  );
  const base = {
    id: name,
    group: words.mcpGroups.tools,
    summary: textOrEmpty(tool['description']),
    fields: bodyFields(objectOf(tool['inputSchema']), ['params', 'arguments']),
    facts: [hints.join(', '), words.auditAction(name)],
  };
  const call = rpc(era, base, 'tools/call', { name, arguments: {} }, name);
  return { ...call, tool: name, argumentsAt: ['params', 'arguments'] };
}

function resourceCall(era: McpEra, resource: JsonObject, uri: string): Callable {
  const base = {
    id: uri,
    group: words.mcpGroups.resources,
    summary: textOrEmpty(resource['description']),
    fields: [textField('uri', ['params', 'uri'], textOrEmpty(resource['mimeType']))],
  };
  // The header that repeats the address has to change with the body: it is a field as well where it holds a hole.
  const call = rpc(era, base, 'resources/read', { uri }, uri);
  if (era !== '2026-07-28' || !uri.includes('{')) return call;
  return { ...call, fields: [...call.fields, headerField('Mcp-Name', words.sameAsUri)] };
}

function promptCall(era: McpEra, prompt: JsonObject): Callable {
  const name = textOrEmpty(prompt['name']);
  const known = listOf(prompt['arguments']).filter(isJsonObject);
  const base = {
    id: `prompt:${name}`,
    label: name,
    group: words.mcpGroups.prompts,
    summary: textOrEmpty(prompt['description']),
    fields: known.map((argument) => ({
      ...textField(
        textOrEmpty(argument['name']),
        ['params', 'arguments', textOrEmpty(argument['name'])],
        textOrEmpty(argument['description']),
      ),
      isRequired: argument['required'] === true,
    })),
  };
  return rpc(era, base, 'prompts/get', { name, arguments: {} }, name);
}

function completionCall(era: McpEra, prompts: readonly JsonObject[]): Callable {
  const first = prompts[0] ?? {};
  const argument = objectOf(listOf(first['arguments'])[0]);
  const base = {
    id: 'completion/complete',
    group: words.mcpGroups.completion,
    summary: words.complete,
    fields: [
      textField('name', ['params', 'ref', 'name'], words.promptName),
      textField('argument', ['params', 'argument', 'name'], ''),
      textField('value', ['params', 'argument', 'value'], words.completeHint),
    ],
  };
  return rpc(era, base, 'completion/complete', {
    ref: { type: 'ref/prompt', name: textOrEmpty(first['name']) },
    argument: { name: textOrEmpty(argument['name']), value: '' },
  });
}

function textField(name: string, pointer: readonly string[], hint: string): CallField {
  return { name, kind: 'text', choices: [], isRequired: false, hint, place: { in: 'body', pointer } };
}

function headerField(name: string, hint: string): CallField {
  return { name, kind: 'text', choices: [], isRequired: false, hint, place: { in: 'header' } };
}
