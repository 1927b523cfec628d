// The JSON Schema of a wire shape in the form that an OpenAPI 3.1 document embeds.

/** Removes `$schema`. @throws for a recursive schema, whose `$defs` the document does not support */
export function toEmbeddedSchema(schema: Record<string, unknown>): Record<string, unknown> {
  const { $schema: _metaSchema, ...rest } = schema;
  if ('$defs' in rest) throw new Error('The OpenAPI document does not support recursive schemas.');
  return rest;
}
