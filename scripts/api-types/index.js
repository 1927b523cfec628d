// Generates types from an OpenAPI document. A package of its own, for openapi-typescript needs TypeScript 5.
import openApiTypes, { astToString } from 'openapi-typescript';

/**
 * @param {string} document as JSON
 * @returns {Promise<string>} a TypeScript module
 */
export async function generateTypes(document) {
  return astToString(await openApiTypes(document));
}
