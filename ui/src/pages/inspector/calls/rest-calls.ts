// The operations of the REST API, from the service's own OpenAPI document.
import { inspectorWords as words } from '../../../words/service/en-inspector.ts';
import type { Callable } from './callable.ts';
import { bodyFields, fieldOf } from './schema-fields.ts';
import { listOf, objectOf, printJson, textOrEmpty, valueAt, type JsonObject } from './json.ts';

export interface RestOptions {
  readonly isWanted: (operation: { readonly path: string; readonly tag: string }) => boolean;
  /** Header lines that each request begins with. */
  readonly headers?: string;
}

/** One callable for each operation that is wanted, in the order of the document. */
export function restCalls(document: unknown, { isWanted, headers = '' }: RestOptions): readonly Callable[] {
  return Object.entries(objectOf(objectOf(document)['paths'])).flatMap(([path, methods]) =>
    Object.entries(objectOf(methods)).flatMap(([method, value]) => {
      const operation = objectOf(value);
      const tag = textOrEmpty(listOf(operation['tags'])[0]);
      return isWanted({ path, tag }) ? [callOf(document, path, method.toUpperCase(), operation, tag, headers)] : [];
    }),
  );
}

function callOf(
  document: unknown,
  path: string,
  method: string,
  operation: JsonObject,
  tag: string,
  headers: string,
): Callable {
  const content = objectOf(valueAt(operation, ['requestBody', 'content', 'application/json']));
  const schema = resolved(document, objectOf(content['schema']));
  const parameters = listOf(operation['parameters']).flatMap((value) => {
    const parameter = objectOf(value);
    const place = parameter['in'];
    if (place !== 'path' && place !== 'query' && place !== 'header') return [];
    const field = fieldOf(
      textOrEmpty(parameter['name']),
      objectOf(parameter['schema']),
      { in: place },
      parameter['required'] === true,
    );
    return field === undefined ? [] : [field];
  });
  const hasBody = operation['requestBody'] !== undefined;
  const isStream = valueAt(operation, ['responses', '200', 'content', 'text/event-stream']) !== undefined;
  const isBytes = valueAt(operation, ['requestBody', 'content', 'application/octet-stream']) !== undefined;
  const accept = isStream ? 'Accept: text/event-stream' : '';
  const type = isBytes ? 'Content-Type: application/octet-stream' : hasBody ? 'Content-Type: application/json' : '';
  const name = textOrEmpty(operation['operationId']).replace(/_\d+$/, '');
  return {
    id: `${method} ${path}`,
    group: tag,
    label: `${method} ${path}`,
    summary: textOrEmpty(operation['summary']),
    template: path,
    fields: [...parameters, ...bodyFields(schema, [])],
    draft: {
      method,
      path,
      headers: [headers, type, accept].filter((line) => line !== '').join('\n'),
      body: hasBody && !isBytes ? printJson(content['example'] ?? {}) : '',
    },
    facts: [textOrEmpty(operation['description']), words.auditAction(name)].filter((fact) => fact !== ''),
  };
}

function resolved(document: unknown, schema: JsonObject): JsonObject {
  const reference = textOrEmpty(schema['$ref']);
  return reference.startsWith('#/') ? objectOf(valueAt(document, reference.slice(2).split('/'))) : schema;
}
