// A wire shape's JSON Schema as it may stand inside an OpenAPI 3.1 document, which names its dialect once.

/** Without its `$schema`. @throws when it refers to itself by `$defs`: the document has no place for those */
export function toEmbeddedSchema(schema: Record<string, unknown>): Record<string, unknown> {
  const { $schema: _metaSchema, ...rest } = schema;
  if ('$defs' in rest) throw new Error('A schema that refers to itself has no place in the OpenAPI document.');
  return rest;
}
